"""States for a GPU as schedules."""

from __future__ import annotations

from pipec.autoschedule.dag.dag import Dag, FuncInfo
from pipec.autoschedule.emit.emit import Emission
from pipec.autoschedule.emit.gpu.loops import GUARD, Surroundings, group_of, kernel_loops
from pipec.autoschedule.emit.loops import EmittedLoops
from pipec.autoschedule.space.gpu.boxes import Boxes, KernelMember
from pipec.autoschedule.space.gpu.nests import THREAD, interleaved, on_gpu
from pipec.autoschedule.space.groups import groups
from pipec.autoschedule.space.state import State
from pipec.schedule.schedule import Schedule
from pipec.schedule.split import TailStrategy


def emit(dag: Dag, state: State, boxes: Boxes) -> Schedule:
    """Returns the schedule of a complete state for a GPU."""
    return _GpuEmission(dag, state, boxes).schedule()


class _GpuEmission(Emission):
    def __init__(self, dag: Dag, state: State, boxes: Boxes) -> None:
        super().__init__(dag, state)
        self.members: dict[str, KernelMember] = {}
        into = boxes.into(state)
        for root, names in groups(dag, state).items():
            for number, nest in enumerate(state[root].nests):
                if on_gpu(nest) and len(names) > 1:
                    self.members |= boxes.members(state, root, number, names, into)
        for func in self.placed:
            for number in range(len(func.stages)):
                self.loops[func.name, number] = self._loops(func, number)

    def _loops(self, func: FuncInfo, number: int) -> EmittedLoops:
        stage, nest = func.stages[number], self.state[func.name].nests[number]
        member = self.members.get(func.name)
        if member is None:
            # Outputs are seldom smaller than a block: their last one may overlap the one before.
            overlaps = func.output and number == 0
            tail = TailStrategy.ShiftInwards if overlaps else GUARD
            return kernel_loops(stage, nest, Surroundings(tail, interleaved(self.state, func.name, number)))
        group = () if member.level == THREAD else self._group(member)
        return kernel_loops(stage, nest, Surroundings(group=group, span=member.own))

    def _group(self, member: KernelMember) -> tuple[int, ...]:
        """The threads of the block that a Func is computed in."""
        func, stage = member.host
        around = self.members.get(func)
        return group_of(self.state[func].nests[stage]) if around is None else self._group(around)
