"""The space of states for CPUs."""

from __future__ import annotations

from pipec.autoschedule.dag.dag import StageInfo
from pipec.autoschedule.emit.emit import emit
from pipec.autoschedule.space.cpu import moves, strips
from pipec.autoschedule.space.cpu.fallback import fallback
from pipec.autoschedule.space.cpu.legality import problems
from pipec.autoschedule.space.edits import placed
from pipec.autoschedule.space.space import Choice, Space
from pipec.autoschedule.space.state import Placement, State
from pipec.schedule.schedule import Schedule


class CpuSpace(Space):
    """Loops, vectors and threads of a CPU."""

    def start(self) -> State:
        return fallback(self.dag)

    def children(self, state: State, func: str) -> list[State]:
        return moves.children(self.dag, state, func)

    def neighbours(self, state: State, func: str) -> list[State]:
        return moves.neighbours(self.dag, state, func)

    def placed(self, state: State, func: str, placement: Placement) -> State:
        return placed(self.dag, state, func, placement)

    def emit(self, state: State) -> Schedule:
        return emit(self.dag, state)

    def problems(self, state: State) -> list[str]:
        return problems(self.dag, state)

    def targets(self) -> list[StageInfo]:
        return strips.targets(self.dag)

    def choices(self, stage: StageInfo) -> list[Choice]:
        return strips.choices(self.dag, stage)
