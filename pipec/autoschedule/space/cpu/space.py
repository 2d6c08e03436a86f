"""The space of states for CPUs."""

from __future__ import annotations

from random import Random

from pipec.autoschedule.dag.dag import Dag, StageInfo
from pipec.autoschedule.emit.emit import emit
from pipec.autoschedule.rfactor.choices import cpu_choices, cpu_targets
from pipec.autoschedule.space.cpu import moves
from pipec.autoschedule.space.cpu.fallback import fallback, trivial
from pipec.autoschedule.space.cpu.legality import LegalNests, problems
from pipec.autoschedule.space.cpu.random_tilings import random_tilings
from pipec.autoschedule.space.edits import placed
from pipec.autoschedule.space.space import Space
from pipec.autoschedule.space.state import Choice, FuncPlacement, State
from pipec.schedule.schedule import Schedule


class CpuSpace(Space):
    """Loops, vectors and threads of a CPU."""

    def __init__(self, dag: Dag) -> None:
        super().__init__(dag)
        self._nests = LegalNests(dag)

    def start(self) -> State:
        """Returns the fallback state."""
        return fallback(self.dag)

    def trivial(self) -> State:
        """Returns the state that inlines only what must be."""
        return trivial(self.dag)

    def children(self, state: State, func: str) -> list[State]:
        """Returns the states that decide `func`, the present one among them."""
        return self._nests.among(moves.children(self.dag, state, func), state)

    def neighbours(self, state: State, func: str) -> list[State]:
        """Returns states that differ in one change of `func`."""
        return self._nests.among(moves.neighbours(self.dag, state, func), state)

    def random_tilings(self, state: State, func: str, rng: Random, count: int) -> list[State]:
        """Returns the state with random sizes of the loops of one Func."""
        return self._nests.among(list(random_tilings(self.dag, state, func, rng, count)), state)

    def placed(self, state: State, func: str, placement: FuncPlacement) -> State:
        """Returns the state with another placement of `func`, legalized."""
        return placed(self.dag, state, func, placement)

    def emit(self, state: State) -> Schedule:
        """Returns the schedule of a state."""
        return emit(self.dag, state)

    def problems(self, state: State) -> list[str]:
        """Returns what makes a state illegal, as texts."""
        return problems(self.dag, state)

    def targets(self) -> list[StageInfo]:
        """Returns the updates that are worth factoring."""
        return cpu_targets(self.dag)

    def choices(self, stage: StageInfo) -> list[Choice]:
        """Returns the ways to factor an update."""
        return cpu_choices(self.dag, stage)
