"""The loops of one stage: from a nest's tiles to splits, an order and marks, with names that people would choose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pipec.autoschedule.dag import StageInfo
from pipec.autoschedule.plan import FULL, Nest
from pipec.ir.expr import Const
from pipec.ir.stmt import LoopKind
from pipec.ir.types import INT32
from pipec.schedule.directive import Atomic, Directive, Mark, Reorder, Split, StageRef, TailStrategy
from pipec.schedule.schedule import Dim, Schedule, stage_loops
from pipec.schedule.shape import OUTERMOST

Tail = Callable[[int, int, int | None], TailStrategy]
"""(dimension, factor, extent of the loop that is split when it comes from a split) -> what happens at the end."""


def ranges_over(stage: StageInfo, dim: int) -> bool:
    """Whether the stage has a loop over dimension `dim`: an update has none where its argument is another."""
    if stage.number == 0 or stage.loops[dim].reduction:
        return True
    row = stage.store.jacobian[dim]
    return row is not None and all(factor == (at == dim) for at, factor in enumerate(row))


def steps_of(nest: Nest, dim: int) -> tuple[list[tuple[int, int]], int]:
    """The levels that loop over `dim`, each with the size of its steps; the points of it in a block, or FULL."""
    steps, size = [], FULL
    for level, tile in enumerate(nest.tiles):
        if tile[dim] not in (FULL, size):
            size = tile[dim]
            steps.append((level, size))
    return steps, size


@dataclass(frozen=True)
class StageLoops:
    """The directives about the loops of a stage; `sites`: for each level, the loop in whose body its site is."""

    directives: tuple[Directive, ...]
    sites: tuple[str, ...]


def loops_of(stage: StageInfo, nest: Nest, tail: Tail, constant: frozenset[int]) -> StageLoops:
    """What makes the loops of `stage` those of `nest`. `constant`: dimensions of constant extent."""
    return _Writer(stage, nest, tail, constant).written()


@dataclass
class _Writer:
    stage: StageInfo
    nest: Nest
    tail: Tail
    constant: frozenset[int]
    splits: list[Directive] = field(default_factory=list)
    marks: list[Directive] = field(default_factory=list)
    parallel: list[Directive] = field(default_factory=list)
    levels: list[list[str]] = field(default_factory=list)  # the loops of each level, innermost first
    block: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ref = StageRef(self.stage.func, self.stage.number)
        self.used = {loop.name for loop in self.stage.loops}
        self.order = [d for d in self.nest.order if ranges_over(self.stage, d)]
        self.levels = [[] for _ in self.nest.tiles]

    def written(self) -> StageLoops:
        in_place = self._vector_in_place()
        for dim in self.order:
            self._divide(dim, in_place)
        if self.nest.atomic:
            self.splits.insert(0, Atomic(self.ref))
        self._reorder()
        return StageLoops((*self.splits, *self.marks, *self.parallel), self._sites())

    def _vector_in_place(self) -> bool:
        """Whether `vectorize(x, lanes)` says it all: the loop around the vectors is the innermost one anyway."""
        dim = self.nest.vector
        if dim not in self.order or self.nest.lanes == 1:
            return False
        steps, block = steps_of(self.nest, dim)
        last = max((steps_of(self.nest, d)[0][-1:] or [(-1, 0)])[0][0] for d in self.order)
        if not steps or block != self.nest.lanes or steps[-1][0] != last:
            return False
        return next(d for d in self.order if any(level == last for level, _ in steps_of(self.nest, d)[0])) == dim

    def _divide(self, dim: int, in_place: bool) -> None:
        """Splits the loop over `dim` for each level; what is left belongs to the block."""
        steps, block = steps_of(self.nest, dim)
        current, around = self.stage.loops[dim].name, None
        for at, (level, size) in enumerate(steps):
            self._enter(level, dim, current)
            if size == 1:
                return
            if in_place and dim == self.nest.vector and at == len(steps) - 1:
                self._vectorize(dim, current, around)
                return
            inner = self._fresh(dim, at + 1)
            self._split(dim, current, inner, size, around)
            current, around = inner, size
        known = block != FULL or dim in self.constant
        if dim == self.nest.vector and self.nest.lanes > 1:
            self._finish_vector(dim, current, around, known and block in (FULL, self.nest.lanes), known)
        elif known:
            self.block.append(current)
            self.marks.append(Mark(self.ref, current, LoopKind.UNROLLED))
        else:
            self._enter(len(self.levels) - 1, dim, current)

    def _finish_vector(self, dim: int, current: str, around: int | None, whole: bool, known: bool) -> None:
        """Vectors of what the block has of `dim`: one, several, or (of unknown extent) a loop of them."""
        if not whole and known:
            self.block.insert(0, current)
            self._vectorize(dim, current, around)
            self.marks.append(Mark(self.ref, current, LoopKind.UNROLLED))
            return
        if not known:
            self._enter(len(self.levels) - 1, dim, current)
            inner = self._fresh(dim, 1)
            self._split(dim, current, inner, self.nest.lanes, around)
            current = inner
        self.block.insert(0, current)
        self.marks.append(Mark(self.ref, current, LoopKind.VECTORIZED))

    def _enter(self, level: int, dim: int, name: str) -> None:
        """Level `level` has the loop `name`."""
        self.levels[level].append(name)
        if level == 0 and dim in self.nest.parallel:
            self.parallel.append(Mark(self.ref, name, LoopKind.PARALLEL))

    def _split(self, dim: int, old: str, inner: str, factor: int, around: int | None) -> None:
        tail = self.tail(dim, factor, around)
        self.splits.append(Split(self.ref, old, old, inner, Const(INT32, factor), tail))

    def _vectorize(self, dim: int, loop: str, around: int | None) -> None:
        """vectorize(loop, lanes): the vectors take their place inside `loop` once the loops are in order."""
        lane = f"{loop}.v"
        tail = self.tail(dim, self.nest.lanes, around)
        split = Split(self.ref, loop, loop, lane, Const(INT32, self.nest.lanes), tail)
        self.marks[:0] = [split, Mark(self.ref, lane, LoopKind.VECTORIZED)]

    def _fresh(self, dim: int, depth: int) -> str:
        """xi inside x, xii inside xi."""
        name = self.stage.loops[dim].name.rpartition("$")[2] + "i" * depth
        while name in self.used:
            name += "i"
        self.used.add(name)
        return name

    def _reorder(self) -> None:
        loops = [Dim(loop.name, loop.reduction) for d, loop in enumerate(self.stage.loops) if d in self.order]
        defined = (*[d for d in loops if d.reduction], *[d for d in loops if not d.reduction])
        found = stage_loops(Schedule(tuple(self.splits)), self.ref, defined).names()
        wanted = (*self.block, *[name for level in reversed(self.levels) for name in level])
        if found != wanted:
            self.splits.append(Reorder(self.ref, wanted))

    def _sites(self) -> tuple[str, ...]:
        found, innermost = [], OUTERMOST
        for level in self.levels:
            innermost = level[0] if level else innermost
            found.append(innermost)
        return tuple(found)
