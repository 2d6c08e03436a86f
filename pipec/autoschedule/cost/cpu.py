"""Costs of states for CPUs: rows of features of their stages, evaluated by a model, also within a limit of memory."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from pipec.autoschedule.cost.evaluator import Evaluator, Orders
from pipec.autoschedule.cost.explain import explanation
from pipec.autoschedule.cost.model import Array, CostModel, FeatureBatch
from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.features.features import TERMS, StageFeatures, terms
from pipec.autoschedule.features.rows import GroupFeatures, Rows
from pipec.autoschedule.space.cpu.space import CpuSpace
from pipec.autoschedule.space.loop_tree import StageName
from pipec.autoschedule.space.state import ROOT_STORE, State, Where

LONG_CODE = 512.0
"""Instructions of a block that are compiled quickly; LLVM's time grows faster than their number."""


def patience(batch: FeatureBatch) -> Array:
    """Returns the factor on the cost of each row for code so long that it takes seconds to compile."""
    return 1 + np.maximum(0.0, batch.column("code") / LONG_CODE - 1)


class CpuEvaluator(Evaluator[GroupFeatures]):
    """Costs complete states of one dag by a cost model.

    `factors`: on the costs of the stages of each Func.
    """

    def __init__(self, dag: Dag, model: CostModel, factors: Mapping[str, float] | None = None) -> None:
        super().__init__(dag, CpuSpace(dag))
        self.model = model
        self.factors = dict(factors or {})
        self._rows = Rows(dag, model.machine)

    def with_model(self, model: CostModel, factors: Mapping[str, float] | None = None) -> CpuEvaluator:
        """Returns an evaluator of the same states by another model."""
        evaluator = self._evaluated_by(model, factors)
        if model.machine == self.model.machine:
            evaluator._rows = self._rows
        return evaluator

    def _evaluated_by(self, model: CostModel, factors: Mapping[str, float] | None) -> CpuEvaluator:
        return CpuEvaluator(self.dag, model, factors)

    def group(
        self, members: Sequence[str], state: State, into: Mapping[str, frozenset[str]], storage: Orders
    ) -> GroupFeatures:
        """Returns the features of a root Func and all that is computed in its loops."""
        return self._rows.group(members, state.placements, into, storage)

    def evaluated(self, new: Sequence[GroupFeatures]) -> list[float]:
        """Returns the estimated seconds of each group."""
        batch = FeatureBatch.of([group.features for group in new], [group.operations for group in new])
        names = [name for group in new for name in group.names]
        seconds = batch.summed(self.model.predict(batch) * self._factors(names) * patience(batch))
        result: list[float] = np.asarray(seconds).tolist()
        return result

    def forget(self) -> None:
        """Clears the caches of costs and rows."""
        super().forget()
        self._rows.forget()

    def per_stage(self, state: State) -> dict[StageName, float]:
        """Returns the estimated seconds of each stage."""
        names, batch = self._batch(state)
        seconds = self.model.predict(batch) * self._factors(names)
        return dict(zip(names, seconds.tolist(), strict=True))

    def explain(self, state: State) -> str:
        """Returns the estimated cost of each stage and its reasons as text."""
        return explanation(self.dag, state, self.per_stage(state), self.per_term(state))

    def rows(self, state: State) -> dict[StageName, StageFeatures]:
        """The features of every stage that is not inlined."""
        return {
            name: row for group in self.groups(state) for name, row in zip(group.names, group.features, strict=True)
        }

    def batch(self, states: Sequence[State]) -> FeatureBatch:
        """The rows of several states, each state an owner."""
        groups = [self.groups(state) for state in states]
        return FeatureBatch.of(
            [[row for group in state for row in group.features] for state in groups],
            [[row for group in state for row in group.operations] for state in groups],
        )

    def per_term(self, state: State) -> dict[StageName, dict[str, float]]:
        """Seconds of every stage by term; they add up to `per_stage`."""
        names, batch = self._batch(state)
        seconds = self.model.costs(batch) * terms(batch.features, self.model.machine) * self._factors(names)[:, None]
        return {name: dict(zip(TERMS, row.tolist(), strict=True)) for name, row in zip(names, seconds, strict=True)}

    def _factors(self, names: Sequence[StageName]) -> Array:
        return np.array([self.factors.get(func, 1.0) for func, _ in names])

    def _batch(self, state: State) -> tuple[list[StageName], FeatureBatch]:
        groups = self.groups(state)
        names = [name for group in groups for name in group.names]
        return names, FeatureBatch.of([group.features for group in groups], [group.operations for group in groups])


# Factor on the cost of a state that takes twice the limit: enough that what fits always wins in the end, while a
# search that starts beyond the limit still sees the way back.
PENALTY = 1000.0


def memory_of(dag: Dag, state: State) -> int:
    """Bytes of the intermediate Funcs that are stored whole, as if all of them lived at once."""
    total = 0
    for name, placement in state.placements.items():
        func = dag.funcs[name]
        whole = placement.where is Where.ROOT or placement.store == ROOT_STORE
        if whole and not func.output:
            total += math.prod(func.extent) * func.bytes_per_point
    return total


class MemoryLimited(CpuEvaluator):
    """Costs states as the CpuEvaluator does, with a penalty for those that exceed the memory limit."""

    def __init__(self, dag: Dag, model: CostModel, limit: int, factors: Mapping[str, float] | None = None) -> None:
        super().__init__(dag, model, factors)
        self.limit = limit

    def _evaluated_by(self, model: CostModel, factors: Mapping[str, float] | None) -> MemoryLimited:
        return MemoryLimited(self.dag, model, self.limit, factors)

    def costs(self, states: Sequence[State]) -> list[float]:
        """Returns the costs, multiplied by a factor for states that exceed the memory limit."""
        return [cost * self._factor(state) for cost, state in zip(super().costs(states), states, strict=True)]

    def _factor(self, state: State) -> float:
        excess = memory_of(self.dag, state) - self.limit
        return 1.0 if excess <= 0 else 1 + PENALTY * (1 + excess / max(self.limit, 1))
