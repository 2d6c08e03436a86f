"""The interface of spaces of states, for GPU kernels and for CPU loops."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence

from pipec.autoschedule.dag.dag import Dag, StageInfo
from pipec.autoschedule.space.state import Choice, FuncPlacement, State
from pipec.schedule.schedule import Schedule


class Space(ABC):
    """The complete states of one dag. Its methods return legal states only."""

    def __init__(self, dag: Dag) -> None:
        self.dag = dag

    @abstractmethod
    def start(self) -> State:
        """The state that a search begins with."""

    def trivial(self) -> State:
        """The state that computes everything at root, which the result of a search must not be slower than."""
        return self.start()

    @abstractmethod
    def children(self, state: State, func: str) -> list[State]:
        """The states in which `func` has been decided, its readers having been; the state itself is among them."""

    @abstractmethod
    def neighbours(self, state: State, func: str) -> list[State]:
        """States that differ from `state` by one change at `func`."""

    def random_tilings(self, state: State, func: str, rng: random.Random, count: int) -> Sequence[State]:
        """The state with random sizes of the loops of one Func, `count` times at most; none where levels are few."""
        return ()

    @abstractmethod
    def placed(self, state: State, func: str, placement: FuncPlacement) -> State:
        """The state with another placement for one Func; what that puts in the wrong place is moved outwards."""

    @abstractmethod
    def emit(self, state: State) -> Schedule:
        """The directives of a state."""

    @abstractmethod
    def problems(self, state: State) -> list[str]:
        """Why a state can't be carried out; nothing when it can."""

    @abstractmethod
    def targets(self) -> list[StageInfo]:
        """Returns the updates that are worth factoring, those with most iterations first."""

    @abstractmethod
    def choices(self, stage: StageInfo) -> list[Choice]:
        """Returns ways to factor an update."""

    def decided(self) -> Sequence[str]:
        """The Funcs that a search decides on, readers first."""
        return [name for name, info in self.dag.funcs.items() if not info.fixed]

    def mutated(self, state: State, rng: random.Random) -> State:
        """A random neighbour: a small change, or another decision for one Func."""
        infos = self.dag.funcs
        funcs = [name for name in self.decided() if not (infos[name].must_inline or infos[name].extern)]
        for _ in range(16 if funcs else 0):
            func = rng.choice(funcs)
            options = self.neighbours(state, func) if rng.random() < 0.7 else self.children(state, func)
            options = [option for option in options if option != state]
            if options:
                return rng.choice(options)
        return state
