"""The loops of one stage: from a nest's tiles to splits, an order and marks, with names that people would choose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from pipec.autoschedule.dag.dag import FuncInfo, Interleave, StageInfo
from pipec.autoschedule.space.cpu.tensors import tensor_of
from pipec.autoschedule.space.state import FULL, Nest
from pipec.ir.expr import Const
from pipec.ir.stmt import LoopKind
from pipec.ir.types import INT32
from pipec.records import dataclass, field
from pipec.schedule.directive import Directive
from pipec.schedule.fields import OUTERMOST, StageRef
from pipec.schedule.loops import Mark, Reorder, Unscheduled
from pipec.schedule.races import Atomic
from pipec.schedule.schedule import Dim, Schedule, stage_loops
from pipec.schedule.split import Split, TailStrategy
from pipec.schedule.tensorize import Tensorize


class Tails(Protocol):
    """The tail strategies of splits whose factor does not divide the extent."""

    @property
    def outer_first(self) -> bool:
        """Whether the largest tiles are split off first, so that all tiles have the same size."""

    def of_tile(self, dim: int, factor: int, around: int | None) -> TailStrategy:
        """The strategy of a split into tiles; `around`: the iterations of the split loop, when known."""

    def of_block(self, dim: int, factor: int, around: int | None) -> TailStrategy:
        """The strategy of a split into the block's part of a dimension, or one vector."""


@dataclass(frozen=True)
class EmittedLoops:
    """The directives about the loops of a stage; `nest_levels`: for each level of the nest, its innermost loop;
    `innermost`: the innermost of all."""

    directives: tuple[Directive, ...]
    nest_levels: tuple[str, ...]
    innermost: str = OUTERMOST


def directives_of_loops(func: FuncInfo, loops: Mapping[tuple[str, int], EmittedLoops]) -> list[Directive]:
    """Returns the directives of all stages of a Func. `loops`: by Func and number of the stage."""
    result: list[Directive] = []
    for stage in func.stages:
        directives = loops[func.name, stage.number].directives
        # Said on purpose, so that nobody is warned about an update that was perhaps forgotten.
        result += directives or ([Unscheduled(StageRef(func.name, stage.number))] if stage.number else [])
    return result


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


def loops_of(
    stage: StageInfo,
    nest: Nest,
    tails: Tails,
    constant: Mapping[int, int],
    extents: Mapping[int, int] | None = None,
    apart: Interleave | None = None,
) -> EmittedLoops:
    """Returns the directives that turn the loops of `stage` into those of `nest`.

    `constant`: extents of the dimensions that lie whole in the block; `extents`: those that tiles around fix;
    `apart`: how the points of the interleaved dimension in a block are.
    """
    return _Writer(stage, nest, tails, constant, extents or {}, apart).written()


@dataclass
class _Writer:
    stage: StageInfo
    nest: Nest
    tails: Tails
    constant: Mapping[int, int]
    extents: Mapping[int, int]
    apart: Interleave | None
    splits: list[Directive] = field(default_factory=list)
    marks: list[Directive] = field(default_factory=list)
    parallel: list[Directive] = field(default_factory=list)
    levels: list[list[str]] = field(default_factory=list)  # the loops of each level, innermost first
    block: list[str] = field(default_factory=list)
    named_lanes: bool = False  # the block begins with the loop over the lanes

    def __post_init__(self) -> None:
        self.ref = StageRef(self.stage.func, self.stage.number)
        self.used = {loop.name for loop in self.stage.loops}
        self.order = [d for d in self.nest.order if ranges_over(self.stage, d)]
        self.levels = [[] for _ in self.nest.tiles]
        self.vector = self.nest.vector if self.nest.lanes > 1 else None
        self.tensor = tensor_of(self.stage, self.nest)
        self.tensor_loops: dict[int, str] = {}

    def written(self) -> EmittedLoops:
        for dim in self.order:
            if self.apart is not None and dim == self.nest.interleaved:
                self._interleave(dim, self.apart)
                continue
            steps, block = steps_of(self.nest, dim)
            sizes = [size for _, size in steps]
            even = all(a % b == 0 for a, b in zip(sizes, sizes[1:], strict=False))
            if even and not self.tails.outer_first:
                self._from_inside(dim, steps, block)
            else:
                self._from_outside(dim, steps, block)
        if self.nest.atomic:
            self.splits.insert(0, Atomic(self.ref))
        tensorize: list[Directive] = []
        if self.tensor is not None:
            lanes, terms = [self.tensor_loops[d] for d in (self.tensor.vector, self.tensor.rvar)]
            self.block = [terms, lanes, *[name for name in self.block if name not in (lanes, terms)]]
            tensorize.append(Tensorize(self.ref, (lanes, terms), self.tensor.name))
        self._reorder()
        directives = (*self.splits, *self.marks, *self.parallel, *tensorize)
        return EmittedLoops(directives, self._nest_levels(), self._names(directives)[0])

    # Splits

    def _interleave(self, dim: int, apart: Interleave) -> None:
        """The loop over a remainder, with a copy of the body for each quotient."""
        name, inner = self.stage.loops[dim].name, self._fresh(dim, 1)
        self._split(name, inner, apart.stride, TailStrategy.RoundUp)
        self._copy(dim, name)
        self._enter(len(self.levels) - 1, dim, inner)

    def _from_outside(self, dim: int, steps: list[tuple[int, int]], block: int) -> None:
        """The largest tile first; smaller ones and the block divide it."""
        current, around = self.stage.loops[dim].name, None
        in_place = dim == self.vector and block == self.nest.lanes and self._is_innermost(dim) and self.tensor is None
        for at, (level, size) in enumerate(steps):
            self._enter(level, dim, current)
            if size == 1:
                return
            last = at == len(steps) - 1
            if last and in_place:
                tail = self.tails.of_block(dim, size, around)
                self.marks[:0] = self._lanes(current, tail)
                return
            tail = (self.tails.of_block if last else self.tails.of_tile)(dim, size, around)
            inner = self._fresh(dim, at + 1)
            self._split(current, inner, size, tail)
            current, around = inner, size
        self._finish(dim, current, around, block)

    def _finish(self, dim: int, current: str, around: int | None, block: int) -> None:
        """Unrolls or vectorizes the part of a dimension that lies in the block."""
        lanes = self.nest.lanes
        constant = block != FULL or dim in self.constant
        if not constant:
            self._enter(len(self.levels) - 1, dim, current)
        if dim == self.vector:
            if not constant or block not in (lanes, FULL) or (block == FULL and self.constant[dim] != lanes):
                tail = self.tails.of_block(dim, lanes, around)
                if constant and self.tensor is not None:
                    self._own_lanes(dim, current, tail)
                    self._copy(dim, current)
                elif constant:
                    self.marks[:0] = self._lanes(current, tail)
                    self._copy(dim, current)
                else:
                    self._own_lanes(dim, current, tail)
                return
            self._vectorize(dim, current)
        elif constant:
            self._copy(dim, current)

    def _from_inside(self, dim: int, steps: list[tuple[int, int]], block: int) -> None:
        """First vectors and blocks, so that tiles are made of whole ones."""
        name, unit, lanes = self.stage.loops[dim].name, 1, self.nest.lanes
        constant = block != FULL or dim in self.constant
        if dim == self.vector:
            tail = self.tails.of_block(dim, lanes, self.extents.get(dim))
            if dim == self._defined()[0] and self.tensor is None:
                self.splits += self._lanes(name, tail)
            else:
                self._own_lanes(dim, name, tail)
            unit = lanes
        if not steps:
            if not constant:
                self._enter(len(self.levels) - 1, dim, name)
            elif block != unit:
                self._copy(dim, name)
            return
        sizes = [size for _, size in steps]
        if block > unit:
            inner = self._fresh(dim, len(steps))
            split = self.tails.of_block if unit == 1 else self.tails.of_tile
            self._split(name, inner, block // unit, split(dim, block // unit, self._divided(dim, unit, block)))
            self._copy(dim, inner)
        for at in reversed(range(1, len(steps))):
            inner = self._fresh(dim, at)
            factor = sizes[at - 1] // sizes[at]
            around = self._divided(dim, sizes[at], sizes[at - 1])
            self._split(name, inner, factor, self.tails.of_tile(dim, factor, around))
            self._enter(steps[at][0], dim, inner)
        self._enter(steps[0][0], dim, name)

    def _divided(self, dim: int, unit: int, size: int) -> int | None:
        """The steps of `unit` points that a dimension has, where parts of `size` points divide it for every size."""
        extent = self.extents.get(dim)
        return None if extent is None or extent % size else extent // unit

    def _is_innermost(self, dim: int) -> bool:
        """Whether the last loop over `dim` is the innermost of all."""
        chains = {d: steps_of(self.nest, d)[0] for d in self.order}
        last = max((steps[-1][0] for steps in chains.values() if steps), default=-1)
        return next((d for d in self.order if any(level == last for level, _ in chains[d])), None) == dim

    def _split(self, old: str, inner: str, factor: int, tail: TailStrategy) -> None:
        self.splits.append(Split(self.ref, old, old, inner, Const(INT32, factor), tail))

    def _lanes(self, loop: str, tail: TailStrategy) -> list[Directive]:
        """vectorize(loop, lanes): the vectors' place is inside `loop`."""
        lane = f"{loop}.v"
        split = Split(self.ref, loop, loop, lane, Const(INT32, self.nest.lanes), tail)
        return [split, Mark(self.ref, lane, LoopKind.VECTORIZED)]

    def _own_lanes(self, dim: int, loop: str, tail: TailStrategy) -> None:
        """Vectors that the order of loops has to move inside."""
        inner = self._fresh(dim, 1)
        self._split(loop, inner, self.nest.lanes, tail)
        self._vectorize(dim, inner)

    def _vectorize(self, dim: int, name: str) -> None:
        self.block.insert(0, name)
        self.named_lanes = True
        if self.tensor is not None:
            self.tensor_loops[dim] = name
        else:
            self.marks.append(Mark(self.ref, name, LoopKind.VECTORIZED))

    def _copy(self, dim: int, name: str) -> None:
        """The block has copies of its body for the iterations of loop `name`."""
        at = len(self.block) if dim != self.vector else int(self.named_lanes)
        self.block.insert(at, name)
        if self.tensor is not None and dim == self.tensor.rvar:
            self.tensor_loops[dim] = name
        else:
            self.marks.append(Mark(self.ref, name, LoopKind.UNROLLED))

    def _enter(self, level: int, dim: int, name: str) -> None:
        """Level `level` has the loop `name`."""
        self.levels[level].append(name)
        if level == 0 and dim in self.nest.parallel:
            self.parallel.append(Mark(self.ref, name, LoopKind.PARALLEL))

    def _fresh(self, dim: int, depth: int) -> str:
        """xi inside x, xii inside xi."""
        name = self.stage.loops[dim].name.rpartition("$")[2] + "i" * depth
        while name in self.used:
            name += "i"
        self.used.add(name)
        return name

    # Order

    def _reorder(self) -> None:
        """All loops but vectors that were made in place, which are innermost already or follow their loop inside."""
        order = (*self.block, *[name for level in reversed(self.levels) for name in level])
        names = self._names(self.splits)
        if tuple([name for name in names if name in order]) != order:
            self.splits.append(Reorder(self.ref, order))

    def _names(self, directives: Sequence[Directive]) -> tuple[str, ...]:
        """The loops after these directives, innermost first."""
        loops = self.stage.loops
        defined = tuple([Dim(loops[d].name, loops[d].reduction) for d in self._defined()])
        return (*stage_loops(Schedule(tuple(directives)), self.ref, defined).names(), OUTERMOST)

    def _defined(self) -> list[int]:
        """The dimensions in the order of the loops as they were defined, innermost first."""
        return sorted(sorted(self.order), key=lambda d: not self.stage.loops[d].reduction)

    def _nest_levels(self) -> tuple[str, ...]:
        nest_levels, innermost = [], OUTERMOST
        for level in self.levels:
            innermost = level[0] if level else innermost
            nest_levels.append(innermost)
        return tuple(nest_levels)
