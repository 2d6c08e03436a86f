"""Schedules within a limit of memory: what whole Funcs kept at root take."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.cost.model import CostModel
from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.space.state import ROOT_STORE, State, Where

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
    """Costs states as the CpuEvaluator does; what takes more memory than the limit is dear."""

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
