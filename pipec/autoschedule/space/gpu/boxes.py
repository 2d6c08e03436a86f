"""The boxes of Funcs that one block and one thread of a kernel compute, and whether their sizes are constant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from pipec.autoschedule.dag.dag import Access, Dag, FuncInfo, ImageInfo, StageInfo
from pipec.autoschedule.dag.inlining import Evaluation, InlinedStages
from pipec.autoschedule.dag.regions import Box, Need, extents, union
from pipec.autoschedule.emit.loops import ranges_over
from pipec.autoschedule.space.gpu.nests import BLOCK, THREAD
from pipec.autoschedule.space.groups import inlined_into, loaded_by
from pipec.autoschedule.space.state import FULL, Nest, State
from pipec.records import dataclass

StageName = tuple[str, int]
Factors = tuple[float, ...]
STILL: Factors = ()
"""The motion of a box that does not move."""


@dataclass(frozen=True)
class LoopSpan:
    """The values of a stage's loops, or the box of a Func.

    `motion`: for each dimension by how much its ends move with the loops of the stage around, both by the same, so that
    its size is limited by numbers of the schedule and the definitions; None where the size depends on that of the
    image."""

    box: Box
    motion: tuple[Factors | None, ...]

    @property
    def fixed(self) -> tuple[bool, ...]:
        """Whether the size of each dimension is limited."""
        return tuple([factors is not None for factors in self.motion])

    @property
    def exact(self) -> tuple[bool, ...]:
        """Whether the size of each dimension is the same everywhere: nothing is rounded."""
        return tuple([factors is not None and all(c == int(c) for c in factors) for factors in self.motion])

    @property
    def extents(self) -> tuple[int, ...]:
        """The extents of the box."""
        return extents(self.box)


@dataclass(frozen=True)
class KernelMember:
    """A Func in a kernel. `block`: what a block needs of it; `thread`: what a thread does, where it is computed in one.

    `host`: the stage in whose loops it is computed, and at which level.
    """

    func: str
    host: StageName
    level: int
    block: LoopSpan
    thread: LoopSpan | None

    @property
    def own(self) -> LoopSpan:
        """The box that is computed at once."""
        return self.block if self.thread is None else self.thread


class Boxes:
    """The boxes of the kernels of states of one dag. Memoised."""

    def __init__(self, dag: Dag) -> None:
        self.dag = dag
        self.inlining = InlinedStages(dag)
        self._loaded = loaded_by(dag)
        self._into: dict[frozenset[str], dict[str, frozenset[str]]] = {}
        self._needs: dict[tuple[int, str], Need] = {}
        self._of_access: dict[int, tuple[Access, Need]] = {}
        self._calls: dict[int, tuple[tuple[Evaluation, ...], dict[str, float]]] = {}
        self._reads: dict[tuple[str, int, frozenset[str]], frozenset[str]] = {}
        self._stages: dict[tuple[str, int, frozenset[str]], StageInfo] = {}

    def into(self, state: State) -> dict[str, frozenset[str]]:
        """The Funcs that each Func takes in."""
        names = state.inlined
        cached = self._into.get(names)
        if cached is None:
            if len(self._into) > 10_000:
                self._into.clear()
            cached = self._into[names] = inlined_into(self.dag, self._loaded, names)
        return cached

    def stage(self, func: str, number: int, into: frozenset[str]) -> StageInfo:
        """A stage with the Funcs of `into` inlined; the same object for the same question."""
        key = func, number, into
        cached = self._stages.get(key)
        if cached is None:
            cached = self._stages[key] = self.inlining.stage(func, number, into)
        return cached

    def need(self, stage: StageInfo, name: str) -> Need:
        """Returns the region of `name` that the loads of a stage (a result of `stage`) touch."""
        key = id(stage), name
        cached = self._needs.get(key)
        if cached is None:
            producer = self.dag.funcs.get(name) or self.dag.images[name]
            loads = [load for load in (*stage.loads, *stage.self_loads) if load.name == name]
            cached = self._needs[key] = Need(loads, producer)
        return cached

    def _read(self, func: str, number: int, into: frozenset[str]) -> frozenset[str]:
        """Returns the Funcs and images that a stage loads with the Funcs of `into` inlined."""
        key = func, number, into
        cached = self._reads.get(key)
        if cached is None:
            cached = self._reads[key] = frozenset([load.name for load in self.stage(*key).loads])
        return cached

    def calls(self, name: StageName, evaluations: tuple[Evaluation, ...]) -> dict[str, float]:
        """Returns how often each inlined Func of a stage is called, before equal calls are merged."""
        cached = self._calls.get(id(evaluations))
        if cached is None:
            inlined = {evaluation.func for evaluation in evaluations}
            counts = dict.fromkeys(inlined, 0.0)
            # Readers come first.
            for reader in (name[0], *[other for other in self.dag.funcs if other in inlined]):
                times = 1.0 if reader == name[0] else counts[reader]
                number = name[1] if reader == name[0] else 0
                for load in self.dag.funcs[reader].stages[number].loads:
                    if load.name in inlined:
                        counts[load.name] += times * max(1, len(load.offsets))
            cached = self._calls[id(evaluations)] = evaluations, counts
        return cached[1]

    def need_of(self, access: Access, producer: FuncInfo | ImageInfo) -> Need:
        """Returns the region that one access of a stage (a result of `stage`) touches."""
        cached = self._of_access.get(id(access))
        if cached is None:
            # Accesses live as long as the Need that is found by them.
            cached = self._of_access[id(access)] = access, Need([access], producer)
        return cached[1]

    def members(
        self, state: State, root: str, number: int, names: Sequence[str], into: Mapping[str, frozenset[str]]
    ) -> dict[str, KernelMember]:
        """The Funcs in the kernel of stage `number` of `root`; `names`: those of its group, readers first."""
        nest = state[root].nests[number]
        members: dict[str, KernelMember] = {}
        loops = {BLOCK: self.of_nest(root, number, nest, BLOCK), THREAD: self.of_nest(root, number, nest, THREAD)}
        for name in names:
            nest_level = state[name].compute
            if nest_level is None:
                continue
            host = nest_level.func, nest_level.stage
            around = members.get(nest_level.func)
            if host != (root, number) and around is None:
                continue
            stages = [(root, number), *[(other, k) for other in members for k in range(len(state[other].nests))]]
            readers = [r for r in stages if name in self._read(*r, into[r[0]])]
            spans = [self._loops(state, r, loops, members, BLOCK) for r in readers]
            if nest_level.level == BLOCK and around is not None:
                # Of what is around it only one slice.
                spans = [self._slice(state, r, s) if r == host else s for r, s in zip(readers, spans, strict=True)]
            block = self._needed(name, readers, into, spans)
            if block is None:
                continue
            thread = None
            if nest_level.level == THREAD:
                inside = [r for r in readers if r == host or _in_thread(state, r[0], nest_level.func, nest_level.stage)]
                spans = [self._loops(state, r, loops, members, THREAD) for r in inside]
                thread = self._needed(name, inside, into, spans)
            members[name] = KernelMember(name, host, nest_level.level, block, thread)
        return members

    def of_nest(self, func: str, number: int, nest: Nest, level: int) -> LoopSpan:
        """The loops of a kernel's stage in a block or thread in the middle of the picture."""
        stage = self.dag.funcs[func].stages[number]
        first, last = [], []
        motion: list[Factors | None] = []
        for d, loop in enumerate(stage.loops):
            size = nest.tiles[level][d] or nest.tiles[BLOCK][d]
            if size == FULL:
                first.append(loop.minimum)
                last.append(loop.minimum + loop.extent - 1)
                motion.append(STILL if loop.constant or not ranges_over(stage, d) else None)
            else:
                middle = (loop.extent - 1) // 2 // size * size
                first.append(loop.minimum + middle)
                last.append(min(loop.minimum + middle + size, loop.minimum + loop.extent) - 1)
                motion.append(_along(stage, d))
        return LoopSpan((tuple(first), tuple(last)), tuple(motion))

    def _loops(
        self,
        state: State,
        reader: StageName,
        root: Mapping[int, LoopSpan],
        members: Mapping[str, KernelMember],
        level: int,
    ) -> LoopSpan:
        """The loops of a reader in one block, or one thread."""
        name, number = reader
        member = members.get(name)
        if member is None:
            return root[level]
        func = self.dag.funcs[name]
        if level == THREAD and member.thread is not None:
            return loops_over(func, number, member.thread)
        span = loops_over(func, number, member.block)
        if level == BLOCK:
            return span
        slices, points = state[name].nests[number].tiles
        return _cut(func.stages[number], span, [a or b for a, b in zip(slices, points, strict=True)])

    def _slice(self, state: State, reader: StageName, span: LoopSpan) -> LoopSpan:
        """The loops of a stage in one slice of them."""
        stage = self.dag.funcs[reader[0]].stages[reader[1]]
        return _cut(stage, span, state[reader[0]].nests[reader[1]].tiles[BLOCK])

    def _needed(
        self, name: str, readers: Sequence[StageName], into: Mapping[str, frozenset[str]], spans: Sequence[LoopSpan]
    ) -> LoopSpan | None:
        func = self.dag.funcs[name]
        boxes: list[Box] = []
        motions: list[set[Factors | None]] = [set() for _ in func.arguments]
        for (reader, number), span in zip(readers, spans, strict=True):
            stage = self.stage(reader, number, into[reader])
            loads = [load for load in stage.loads if load.name == name]
            boxes.append(self.need(stage, name).box(*span.box))
            for d, motions_of_dim in enumerate(motions):
                motions_of_dim.update([_moved(load, d, span.motion) for load in loads])
        if not boxes:
            return None
        return self._with_updates(func, LoopSpan(union(boxes), tuple(map(_agreed, motions))))

    def _with_updates(self, func: FuncInfo, span: LoopSpan) -> LoopSpan:
        """The box with what updates write and read of the Func besides."""
        boxes, motions = [span.box], [{factors} for factors in span.motion]
        for number, stage in enumerate(func.stages[1:], 1):
            loops = loops_over(func, number, span)
            own = [*stage.self_loads, stage.store]
            boxes.append(Need(own, func).box(*loops.box))
            for d, motions_of_dim in enumerate(motions):
                motions_of_dim.update([_moved(access, d, loops.motion) for access in own])
        return LoopSpan(union(boxes), tuple(map(_agreed, motions)))


def loops_over(func: FuncInfo, number: int, span: LoopSpan) -> LoopSpan:
    """The values of a stage's loops that compute a box of the Func."""
    stage, pure = func.stages[number], len(func.arguments)
    first, last = [], []
    motion: list[Factors | None] = []
    for d, loop in enumerate(stage.loops):
        if d < pure and loop.extent > 1:
            first.append(span.box[0][d])
            last.append(span.box[1][d])
            motion.append(span.motion[d])
        else:
            first.append(loop.minimum)
            last.append(loop.minimum + loop.extent - 1)
            motion.append(STILL if loop.constant or not loop.reduction else None)
    return LoopSpan((tuple(first), tuple(last)), tuple(motion))


def _cut(stage: StageInfo, span: LoopSpan, sizes: Sequence[int]) -> LoopSpan:
    """So many iterations of a stage's loops, where sizes are given; the loops around are those of the stage now."""
    first, last = span.box
    last = tuple([min(a + size - 1, b) if size else b for a, b, size in zip(first, last, sizes, strict=True)])
    own = [_along(stage, d) for d in range(len(last))]
    motion = [o if size or m else m for o, m, size in zip(own, span.motion, sizes, strict=True)]
    return LoopSpan((first, last), tuple(motion))


def _along(stage: StageInfo, d: int) -> Factors:
    return tuple([float(k == d) for k in range(len(stage.loops))])


def _moved(access: Access, d: int, loops: Sequence[Factors | None]) -> Factors | None:
    """Returns the motion of a region that is read; None where values decide, or its size is not limited."""
    row = access.jacobian[d]
    if row is None or not access.is_exact:
        return None
    total = STILL
    for factor, motion in zip(row, loops, strict=True):
        if factor and (motion is None or not _is_followed(factor, motion)):
            return None
        if factor and motion:
            moved = tuple([factor * c for c in motion])
            total = moved if not total else tuple([a + b for a, b in zip(total, moved, strict=True)])
    return total if any(total) else STILL


def _is_followed(factor: float, motion: Factors) -> bool:
    """Whether the compiler finds a limit of what is read: it sees through one division by two, and shifts of that."""
    rounded = any(c != int(c) for c in motion)
    return factor == 1 or not rounded and 2 * factor == int(2 * factor)


def _agreed(motions: Set[Factors | None]) -> Factors | None:
    """Returns the common motion; None where the ends move by different amounts."""
    (motion, *others) = motions
    return None if others else motion


def _in_thread(state: State, func: str, host: str, stage: int) -> bool:
    """Whether a Func is computed in the threads of a stage."""
    nest_level = state[func].compute
    return (
        nest_level is not None and nest_level.level == THREAD and (nest_level.func, nest_level.stage) == (host, stage)
    )
