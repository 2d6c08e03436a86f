"""The stages of a kernel: the steps of their warps, and how their coordinates change from lane to lane."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from pipec.autoschedule.dag.dag import Dag, StageInfo
from pipec.autoschedule.dag.inlining import Evaluation
from pipec.autoschedule.dag.regions import Box
from pipec.autoschedule.emit.gpu import MAX_COPIES, group_of
from pipec.autoschedule.emit.loops import ranges_over
from pipec.autoschedule.space.gpu.boxes import Boxes, KernelMember, LoopSpan, StageName, loops_over
from pipec.autoschedule.space.gpu.nests import BLOCK, THREAD, grid_of, interleaved, sliced, threads_of
from pipec.autoschedule.space.state import Nest, State
from pipec.records import dataclass

Motion = tuple[tuple[float, ...], ...]
"""By how much each loop moves from a thread to its neighbour in each dimension of the block."""


@dataclass(frozen=True, eq=False)
class KernelStage:
    """A stage in a kernel.

    `info`: with what is inlined. `thread_box`: the values of its loops that one visit of a thread computes, in
    straight code where `copied`; `visits`: how often a thread of a block executes it; `warps`: those that take part.
    `block_box`: the values of its loops in a block, or, of what is computed for each of `repeats` slices, in one of
    these; `box`: in the whole kernel. `apart`: the dimension whose points of a thread are not neighbours.
    """

    name: StageName
    info: StageInfo
    evaluations: tuple[Evaluation, ...]
    nest: Nest
    group: tuple[int, ...]
    motion: Motion
    thread_box: Box
    copied: frozenset[int]
    visits: float
    warps: float
    block_box: Box
    box: Box
    member: KernelMember | None
    apart: int | None = None
    repeats: int = 1

    @property
    def copies(self) -> int:
        """Points of the straight code."""
        return math.prod([self.extent(d) for d in self.copied])

    @property
    def turns(self) -> int:
        """The number of times that a visit runs the straight code."""
        return math.prod([self.extent(d) for d in range(len(self.info.loops)) if d not in self.copied])

    def extent(self, d: int) -> int:
        """Returns the number of points that one thread computes along dimension `d`."""
        return self.thread_box[1][d] - self.thread_box[0][d] + 1

    @property
    def straight_box(self) -> Box:
        """The values of the loops in one turn that are neighbours."""
        first, last = self.thread_box
        near = self.copied - {self.apart}
        return first, tuple([b if d in near else a for d, (a, b) in enumerate(zip(first, last, strict=True))])

    @property
    def straight_boxes(self) -> int:
        """The number of such boxes that one turn computes."""
        return self.extent(self.apart) if self.apart in self.copied else 1


@dataclass(frozen=True, eq=False)
class KernelState:
    """`blocks` of `threads`; `members`: the Funcs computed in it beside its own; `stages`: of all of them."""

    name: StageName
    blocks: int
    threads: int
    members: Mapping[str, KernelMember]
    stages: Sequence[KernelStage]
    atomic: bool


def kernel(
    dag: Dag, boxes: Boxes, state: State, root: str, number: int, names: Sequence[str], lanes: int
) -> KernelState:
    """The kernel of stage `number` of `root`; `names`: the Funcs of its group, readers first; `lanes` of a warp."""
    return _Maker(dag, boxes, state, root, number, names, lanes).build()


class _Maker:
    def __init__(
        self, dag: Dag, boxes: Boxes, state: State, root: str, number: int, names: Sequence[str], lanes: int
    ) -> None:
        self.dag, self.boxes, self.state, self.root, self.number = dag, boxes, state, root, number
        self.into = boxes.into(state)
        self.members = boxes.members(state, root, number, names, self.into) if len(names) > 1 else {}
        self.nest = state[root].nests[number]
        self.group = group_of(self.nest)
        self.lanes = lanes
        self.stages: dict[StageName, KernelStage] = {}

    def build(self) -> KernelState:
        self._host()
        for member in self.members.values():
            for number in range(len(self.state[member.func].nests)):
                self._of_member(member, number)
        loops = self.dag.funcs[self.root].stages[self.number].loops
        blocks = math.prod([-(-loops[d].extent // self.nest.tiles[BLOCK][d]) for d in grid_of(self.nest)])
        threads = math.prod(self.group)
        return KernelState(
            (self.root, self.number), blocks, threads, self.members, tuple(self.stages.values()), self.nest.atomic
        )

    def _info(self, name: StageName) -> StageInfo:
        return self.boxes.stage(*name, self.into[name[0]])

    def _host(self) -> None:
        name = self.root, self.number
        info = self._info(name)
        apart = interleaved(self.state, *name)
        spread = list(threads_of(self.nest))
        spacing = {d: 1 if d == apart else self.nest.tiles[THREAD][d] for d in spread}
        motion = tuple([tuple([float(spacing[d] if d == j else 0) for d in spread]) for j in range(len(info.loops))])
        block, thread = (self.boxes.of_nest(*name, self.nest, level) for level in (BLOCK, THREAD))
        whole = self._whole(info)
        copied = self._copied(info, self.nest, thread, True)
        warps = math.ceil(math.prod(self.group) / self.lanes)
        self._add(name, info, self.nest, motion, thread.box, copied, 1.0, warps, block.box, whole, None, apart)

    def _of_member(self, member: KernelMember, number: int) -> None:
        name = member.func, number
        func, info, nest = self.dag.funcs[member.func], self._info(name), self.state[member.func].nests[number]
        block = loops_over(func, number, member.block)
        host = self.stages[member.host]
        moved = self._motion(member, info)
        if member.thread is not None:
            thread = loops_over(func, number, member.thread)
            copied = self._copied(info, nest, thread, False)
            whole = self._whole(info)
            self._add(name, info, nest, moved, thread.box, copied, host.visits, host.warps, block.box, whole, member)
            return
        spread = [d for d in nest.order if nest.tiles[THREAD][d] and ranges_over(info, d)][: len(self.group)]
        extents, points = block.extents, nest.tiles[THREAD]
        several = [(extents[d], size, points[d]) for d, size in zip(spread, self.group, strict=False)]
        repeats = self._repeats(member)
        visits = math.prod([-(-extent // (size * own)) for extent, size, own in several])
        visits *= repeats * math.prod([-(-extents[d] // nest.tiles[BLOCK][d]) for d in sliced(nest)])
        used = math.prod([min(-(-extent // own), size) for extent, size, own in several])
        sizes = [points[d] if d in spread else nest.tiles[BLOCK][d] for d in range(len(extents))]
        ends = zip(*block.box, sizes, strict=True)
        last = tuple([min(a + size - 1, b) if size else b for a, b, size in ends])
        motion = tuple(
            [
                tuple([float(points[j] if k < len(spread) and spread[k] == j else 0) for k in range(len(self.group))])
                for j in range(len(info.loops))
            ]
        )
        thread = LoopSpan((block.box[0], last), block.motion)
        copied = self._copied(info, nest, thread, False)
        warps = math.ceil(max(1, used) / self.lanes)
        whole = self._whole(info)
        self._add(name, info, nest, motion, thread.box, copied, visits, warps, block.box, whole, member, None, repeats)

    def _repeats(self, member: KernelMember) -> int:
        """Returns how often a block computes a Func: once, or for each slice of the enclosing stage."""
        around = self.members.get(member.host[0])
        if around is None or member.level != BLOCK:
            return 1
        nest = self.state[around.func].nests[member.host[1]]
        extents = loops_over(self.dag.funcs[around.func], member.host[1], around.block).extents
        return self._repeats(around) * math.prod([-(-extents[d] // nest.tiles[BLOCK][d]) for d in sliced(nest)])

    def _add(
        self,
        name: StageName,
        info: StageInfo,
        nest: Nest,
        motion: Motion,
        thread_box: Box,
        copied: frozenset[int],
        visits: float,
        warps: float,
        block_box: Box,
        box: Box,
        member: KernelMember | None,
        apart: int | None = None,
        repeats: int = 1,
    ) -> None:
        evaluations = self.boxes.inlining.evaluations(*name, self.into[name[0]])
        self.stages[name] = KernelStage(
            *(name, info, evaluations, nest, self.group, motion, thread_box, copied, visits, warps, block_box, box),
            *(member, apart, repeats),
        )

    def _whole(self, info: StageInfo) -> Box:
        first = tuple([loop.minimum for loop in info.loops])
        return first, tuple([loop.minimum + loop.extent - 1 for loop in info.loops])

    def _copied(self, info: StageInfo, nest: Nest, span: LoopSpan, host: bool) -> frozenset[int]:
        """The loops of a thread that are straight code, as the emission makes them."""
        dims, copies, serial = set(), 1, False
        for d in nest.order:
            loop, extent = info.loops[d], span.extents[d]
            sized = bool(nest.tiles[THREAD][d])
            if extent == 1:
                continue
            if not sized:
                if nest.tiles[BLOCK][d] and not host:
                    serial = True
                    continue
                constant = loop.constant if loop.reduction else not host and span.fixed[d]
                if not constant or (loop.reduction and serial and not loop.reorderable):
                    serial = serial or loop.reduction
                    continue
            if copies * extent <= MAX_COPIES:
                copies *= extent
                dims.add(d)
            else:
                serial = serial or loop.reduction
        return frozenset(dims)

    def _motion(self, member: KernelMember, info: StageInfo) -> Motion:
        """Returns the motion of a Func's loops from thread to thread: that of the region that its reader needs."""
        still = tuple([0.0] * len(self.group))
        motion = [still] * len(info.loops)
        for stage in self.stages.values():
            load = next((load for load in stage.info.loads if load.name == member.func), None)
            if load is None:
                continue
            for d, row in enumerate(load.jacobian[: len(motion)]):
                if row is not None and motion[d] == still and not info.loops[d].reduction:
                    parts = zip(*[[c * m for m in stage.motion[j]] for j, c in enumerate(row) if c], strict=True)
                    motion[d] = tuple(map(sum, parts)) or still
        return tuple(motion)
