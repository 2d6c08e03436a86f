"""States for a GPU as schedules: splits, an order and marks, with names that people would choose."""

from __future__ import annotations

from collections.abc import Sequence

from pipec.autoschedule.dag.dag import Dag, FuncInfo, StageInfo
from pipec.autoschedule.emit.emit import ScheduleEmission
from pipec.autoschedule.emit.loops import EmittedLoops, ranges_over
from pipec.autoschedule.space.gpu.boxes import Boxes, KernelMember, LoopSpan
from pipec.autoschedule.space.gpu.nests import AXES, THREAD, interleaved, is_single, on_gpu, threads_of
from pipec.autoschedule.space.groups import groups
from pipec.autoschedule.space.state import FULL, Nest, State
from pipec.ir.expr import Const
from pipec.ir.stmt import LoopKind
from pipec.ir.types import INT32
from pipec.records import dataclass, field
from pipec.schedule.directive import Directive
from pipec.schedule.fields import OUTERMOST, StageRef
from pipec.schedule.loops import Fuse, Mark, Reorder, SingleThread
from pipec.schedule.races import Atomic
from pipec.schedule.schedule import Schedule
from pipec.schedule.split import Split, TailStrategy

MAX_COPIES = 64
"""Copies of the body in one thread."""
GUARD, ROUND_UP = TailStrategy.GuardWithIf, TailStrategy.RoundUp


@dataclass(frozen=True)
class Surroundings:
    """The facts besides its nest that determine a stage's loops.

    `tail`: of the splits into blocks; `interleaved`: the dimension whose points of a thread lie apart; `group`: the
    threads of the block in which the Func is computed; `span`: what of the Func is computed at
    once, where it is computed in a kernel.
    """

    tail: TailStrategy = GUARD
    interleaved: int | None = None
    group: Sequence[int] | None = None
    span: LoopSpan | None = None


def kernel_loops(stage: StageInfo, nest: Nest, around: Surroundings) -> EmittedLoops:
    """The directives for the loops of a stage and the loops at whose level 0 and 1 others may be computed."""
    return _Writer(stage, nest, around).written()


@dataclass
class _Writer:
    stage: StageInfo
    nest: Nest
    around: Surroundings
    splits: list[Directive] = field(default_factory=list)
    serial: list[str] = field(default_factory=list)  # innermost first, as the others
    copied: list[str] = field(default_factory=list)
    threads: list[str] = field(default_factory=list)
    chunks: list[str] = field(default_factory=list)
    slices: list[str] = field(default_factory=list)
    blocks: list[str] = field(default_factory=list)
    copies: int = 1

    def __post_init__(self) -> None:
        self.ref = StageRef(self.stage.func, self.stage.number)
        self.used = {loop.name for loop in self.stage.loops}
        self.reduced = {loop.name for loop in self.stage.loops if loop.reduction}

    def written(self) -> EmittedLoops:
        if not on_gpu(self.nest):
            return EmittedLoops((), (OUTERMOST,))
        in_kernel = self.around.group is None
        if in_kernel and is_single(self.nest):
            block, thread = self._fresh("single_block"), self._fresh("single_thread")
            return EmittedLoops((SingleThread(self.ref, block, thread),), (block, thread))
        for d in self.nest.order:
            if ranges_over(self.stage, d):
                self._dimension(d, in_kernel)
        self._fuse_grid()
        order = (*self.copied, *self.serial, *self.threads, *self.chunks, *self.slices, *self.blocks)
        atomic = [Atomic(self.ref)] if self.nest.atomic else []
        marks = [
            *[Mark(self.ref, name, LoopKind.UNROLLED) for name in self.copied],
            *[Mark(self.ref, name, LoopKind.GPU_BLOCK) for name in self.blocks],
            *[Mark(self.ref, name, LoopKind.GPU_THREAD) for name in self.threads],
        ]
        reorder = [Reorder(self.ref, order)] if len(order) > 1 else []
        nest_levels = ((self.blocks or self.slices or [OUTERMOST])[0], (self.threads or self.blocks or [OUTERMOST])[0])
        return EmittedLoops((*atomic, *self.splits, *reorder, *marks), nest_levels)

    def _dimension(self, d: int, in_kernel: bool) -> None:
        block, points = self.nest.tiles[0][d], self.nest.tiles[1][d]
        if block != FULL and in_kernel:
            self._of_grid(d, block, points)
        elif block != FULL:
            self._in_slices(d, block)
        elif points != FULL and not in_kernel:
            self._of_block(d, points)
        else:
            self._of_thread(d)

    def _of_grid(self, d: int, block: int, points: int) -> None:
        name, threads = self.stage.loops[d].name, block // points
        self.blocks.append(name)
        if block == 1:
            return
        inner = self._fresh(name, "i")
        self._split(name, inner, block, GUARD if self.stage.loops[d].reduction else self.around.tail)
        if threads == 1:
            self._copy(inner, points)
        elif points == 1:
            self.threads.append(inner)
        elif self.around.interleaved == d:
            thread = self._fresh(name, "t")
            self._split(inner, thread, threads, ROUND_UP)
            self.threads.append(thread)
            self._copy(inner, points)
        else:
            own = self._fresh(name, "ii")
            self._split(inner, own, points, ROUND_UP)
            self.threads.append(inner)
            self._copy(own, points)

    def _in_slices(self, d: int, size: int) -> None:
        name = self.stage.loops[d].name
        inner = self._fresh(name, "i")
        self._split(name, inner, size, GUARD)
        self.slices.append(name)
        self.reduced.add(inner)
        self.serial.insert(self._inside(), inner)

    def _of_block(self, d: int, points: int) -> None:
        """Over the threads of a block that there are for another Func."""
        group, name = self.around.group or (), self.stage.loops[d].name
        axis = len(self.threads)
        if axis >= len(group) or group[axis] == 1:
            self._of_thread(d)
            return
        inner = self._fresh(name, "i")
        self._split(name, inner, group[axis] * points, GUARD)
        self.threads.append(inner)
        self.chunks.append(name)
        if points > 1:
            own = self._fresh(name, "ii")
            self._split(inner, own, points, ROUND_UP)
            self._copy(own, points)

    def _of_thread(self, d: int) -> None:
        loop = self.stage.loops[d]
        extent, exact = self._extent(d)
        inside = self._inside()
        in_order = not loop.reduction or loop.reorderable or not inside
        if extent is not None and self.copies * extent <= MAX_COPIES and in_order:
            self._copy(loop.name if exact else self._piece(loop.name, extent), extent)
        elif loop.reduction:
            # Sums stay in registers of the thread where the loops over RVars are inside.
            self.serial.insert(inside, loop.name)
        else:
            self.serial.append(loop.name)

    def _extent(self, d: int) -> tuple[int | None, bool]:
        """The extent of a loop of a thread where it has a limit, and whether it is the same everywhere."""
        loop, span = self.stage.loops[d], self.around.span
        if loop.reduction:
            return (loop.extent if loop.constant else None), True
        if span is None or d >= len(span.motion) or not span.fixed[d]:
            return None, True
        return span.extents[d], span.exact[d]

    def _piece(self, name: str, extent: int) -> str:
        """Splits off a loop over `extent` iterations, which needs one or two passes."""
        inner = self._fresh(name, "i")
        self._split(name, inner, extent, GUARD)
        self.serial.append(name)
        return inner

    def _inside(self) -> int:
        """Returns the number of loops over RVars that a thread runs so far."""
        return len([name for name in self.serial if name in self.reduced])

    def _copy(self, name: str, count: int) -> None:
        if self.copies * count <= MAX_COPIES:
            self.copied.append(name)
            self.copies *= count
        else:
            self.serial.append(name)

    def _split(self, old: str, inner: str, factor: int, tail: TailStrategy) -> None:
        self.splits.append(Split(self.ref, old, old, inner, Const(INT32, factor), tail))

    def _fuse_grid(self) -> None:
        """A grid has three dimensions: further ones share the last."""
        while len(self.blocks) > AXES:
            outer, inner = self.blocks.pop(), self.blocks.pop()
            self.splits.append(Fuse(self.ref, inner, outer, inner))
            self.blocks.append(inner)

    def _fresh(self, name: str, ending: str = "") -> str:
        fresh = name.rpartition("$")[2] + ending
        while fresh in self.used:
            fresh += ending or "_"
        self.used.add(fresh)
        return fresh


def group_of(nest: Nest) -> tuple[int, ...]:
    """The threads of a block by its dimensions."""
    return tuple(threads_of(nest).values())


def emit(dag: Dag, state: State, boxes: Boxes) -> Schedule:
    """Returns the schedule of a complete state for a GPU."""
    return _GpuEmission(dag, state, boxes).schedule()


class _GpuEmission(ScheduleEmission):
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
