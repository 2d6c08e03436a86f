"""States for a GPU as schedules."""

from __future__ import annotations

from pipec.autoschedule.dag.dag import Dag, FuncInfo
from pipec.autoschedule.emit.gpu.loops import GUARD, Surroundings, group_of, kernel_loops
from pipec.autoschedule.emit.loops import StageLoops, directives_of_loops
from pipec.autoschedule.rfactor.definitions import rfactor_directives
from pipec.autoschedule.space.gpu.boxes import Boxes, Member
from pipec.autoschedule.space.gpu.nests import THREAD, interleaved, on_gpu
from pipec.autoschedule.space.groups import groups
from pipec.autoschedule.space.state import Placement, State, Where
from pipec.schedule.directive import Directive
from pipec.schedule.fields import ROOT, LoopLevel
from pipec.schedule.placement import ComputeAt
from pipec.schedule.schedule import Schedule
from pipec.schedule.split import TailStrategy
from pipec.schedule.storage import ReorderStorage


def emit(dag: Dag, state: State, boxes: Boxes) -> Schedule:
    """The directives of a complete state, outputs first. Funcs that the user scheduled have none here."""
    return Schedule((*rfactor_directives(state.factorings), *_Emission(dag, state, boxes).directives()))


class _Emission:
    def __init__(self, dag: Dag, state: State, boxes: Boxes) -> None:
        self.dag, self.state = dag, state
        self.placed = [f for f in dag.funcs.values() if state[f.name].where is not Where.INLINE and not f.fixed]
        self.members: dict[str, Member] = {}
        into = boxes.into(state)
        for root, names in groups(dag, state).items():
            for number, nest in enumerate(state[root].nests):
                if on_gpu(nest) and len(names) > 1:
                    self.members |= boxes.members(state, root, number, names, into)
        self.loops: dict[tuple[str, int], StageLoops] = {}
        for func in self.placed:
            for number in range(len(func.stages)):
                self.loops[func.name, number] = self._loops(func, number)

    def directives(self) -> list[Directive]:
        found: list[Directive] = []
        for func in self.placed:
            found += self._placement(func, self.state[func.name])
            found += directives_of_loops(func, self.loops)
        return found

    def _loops(self, func: FuncInfo, number: int) -> StageLoops:
        stage, nest = func.stages[number], self.state[func.name].nests[number]
        member = self.members.get(func.name)
        if member is None:
            # Outputs are seldom smaller than a block: their last one may overlap the one before.
            overlaps = func.output and number == 0
            tail = TailStrategy.ShiftInwards if overlaps else GUARD
            return kernel_loops(stage, nest, Surroundings(tail, interleaved(self.state, func.name, number)))
        group = () if member.level == THREAD else self._group(member)
        return kernel_loops(stage, nest, Surroundings(group=group, span=member.own))

    def _group(self, member: Member) -> tuple[int, ...]:
        """The threads of the block that a Func is computed in."""
        func, stage = member.host
        around = self.members.get(func)
        return group_of(self.state[func].nests[stage]) if around is None else self._group(around)

    def _placement(self, func: FuncInfo, placement: Placement) -> list[Directive]:
        found: list[Directive] = []
        if not func.output:
            found.append(ComputeAt(func.name, ROOT if placement.compute is None else self._level(placement)))
        if placement.storage and placement.storage != tuple(range(len(func.arguments))):
            found.append(ReorderStorage(func.name, tuple([func.arguments[d] for d in placement.storage])))
        return found

    def _level(self, placement: Placement) -> LoopLevel:
        site = placement.compute
        assert site is not None
        loop = self.loops[site.func, site.stage].sites[site.level]
        several = len(self.dag.funcs[site.func].stages) > 1
        return LoopLevel(site.func, loop, site.stage if several else None)
