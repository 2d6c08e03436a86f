"""A space of plans: what a strategy may ask, whether kernels for a GPU or loops of a CPU come of it."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence

from pipec.autoschedule.dag.dag import Dag, StageInfo
from pipec.autoschedule.space.plan import Factoring, Placement, Plan
from pipec.schedule.schedule import Schedule

Choice = tuple[Factoring, ...]
"""A way to take one update apart."""


class Space(ABC):
    """The complete plans of one dag. All that its methods give can be carried out."""

    def __init__(self, dag: Dag) -> None:
        self.dag = dag

    @abstractmethod
    def start(self) -> Plan:
        """The plan that a search begins with."""

    @abstractmethod
    def children(self, plan: Plan, func: str) -> list[Plan]:
        """The plans in which `func` has been decided, its readers having been; the plan itself is among them."""

    @abstractmethod
    def neighbours(self, plan: Plan, func: str) -> list[Plan]:
        """Plans that differ from `plan` by one change at `func`."""

    @abstractmethod
    def placed(self, plan: Plan, func: str, placement: Placement) -> Plan:
        """The plan with another placement for one Func; what that puts in the wrong place is moved outwards."""

    @abstractmethod
    def emit(self, plan: Plan) -> Schedule:
        """The directives of a plan."""

    @abstractmethod
    def problems(self, plan: Plan) -> list[str]:
        """Why a plan can't be carried out; nothing when it can."""

    @abstractmethod
    def targets(self) -> list[StageInfo]:
        """Updates that are worth being taken apart, those with most iterations first."""

    @abstractmethod
    def choices(self, stage: StageInfo) -> list[Choice]:
        """Ways to take an update apart."""

    def decided(self) -> Sequence[str]:
        """The Funcs that a search decides on, readers first."""
        return [name for name, info in self.dag.funcs.items() if not info.fixed]

    def mutated(self, plan: Plan, rng: random.Random) -> Plan:
        """A random neighbour: a small change, or another decision for one Func."""
        infos = self.dag.funcs
        funcs = [name for name in self.decided() if not (infos[name].must_inline or infos[name].extern)]
        for _ in range(16 if funcs else 0):
            func = rng.choice(funcs)
            options = self.neighbours(plan, func) if rng.random() < 0.7 else self.children(plan, func)
            options = [option for option in options if option != plan]
            if options:
                return rng.choice(options)
        return plan
