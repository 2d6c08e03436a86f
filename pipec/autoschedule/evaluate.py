"""Costs of plans: groups of stages are evaluated once, remembered, and priced by a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pipec.autoschedule.cost.model import CostModel
from pipec.autoschedule.dag import Dag
from pipec.autoschedule.features import StageFeatures
from pipec.autoschedule.plan import Plan

StageName = tuple[str, int]


class Evaluator:
    """Prices complete plans of one dag. A plan's cost is the sum over its groups: roots with all that they enclose."""

    def __init__(self, dag: Dag, model: CostModel) -> None:
        self.dag = dag
        self.model = model

    def cost(self, plan: Plan) -> float:
        """Seconds that the plan is expected to take."""
        return self.costs([plan])[0]

    def costs(self, plans: Sequence[Plan]) -> list[float]:
        raise NotImplementedError

    def per_stage(self, plan: Plan) -> dict[StageName, float]:
        """Seconds of every stage that is not inlined."""
        raise NotImplementedError

    def rows(self, plan: Plan) -> Mapping[StageName, StageFeatures]:
        raise NotImplementedError

    def per_term(self, plan: Plan) -> dict[StageName, dict[str, float]]:
        """Seconds of every stage by term."""
        raise NotImplementedError
