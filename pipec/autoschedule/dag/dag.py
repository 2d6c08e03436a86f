"""The search's view of a pipeline: Funcs, their stages, loops and loads as numbers, at the estimated sizes."""

from __future__ import annotations

import enum
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from pipec.ir.lanes import MAX_SHUFFLED_STRIDE
from pipec.ir.types import Type


class Operation(enum.IntEnum):
    """The operations of one point of a stage, classified by the cost of their instructions."""

    ADD = 0  # add, subtract, minimum, maximum, absolute difference
    MULTIPLY = 1
    DIVIDE = 2  # divisions and remainders that are not shifts or multiplications; square roots
    COMPARE = 3  # comparisons, selects, logic
    SHIFT = 4  # shifts and bit operations, divisions by powers of two
    CAST = 5
    TRANSCENDENTAL = 6  # exp, log, sin, pow, ...
    OTHER = 7  # prints, extern calls and the rest


INTERLEAVED = range(2, MAX_SHUFFLED_STRIDE + 1)
"""Numbers of channels of pixels that vectors load and store by shuffling registers."""
TYPE_CLASSES = ("int8", "int16", "int32", "int64", "float16", "float32", "float64")
"""The columns of operation counts: signed and unsigned integers (and bool as int8) by width, floats by width."""


@dataclass(frozen=True, slots=True)
class LoopInfo:
    """A loop of a stage as it was defined. `extent`: trips at the estimates over the whole required region.

    Loops that are not `reorderable` must keep their order among each other; with the others they may change places.
    """

    name: str
    extent: int
    reduction: bool = False
    parallel: bool = True  # iterations may run in any order and at once without atomics
    reorderable: bool = True
    minimum: int = 0  # the first value
    constant: bool = False  # of an RVar: its extent is a number in the definition


@dataclass(frozen=True, slots=True)
class Access:
    """Loads (or the store) of one stage that share one Jacobian.

    Coordinate d of the accessed Func at loop values v is in
    [sum_j jacobian[d][j] * v[j] + low[d], sum_j jacobian[d][j] * v[j] + high[d]], rounded down (x / 2 is 0.5 * x, and
    (x + 1) / 2 is 0.5 * x + 0.5). Where jacobian[d] is None the coordinate is not affine and lies in [low[d], high[d]]
    whatever v is. What lies outside of the box of the Func or image is not read: clip to it.
    `offsets`: the distinct constant parts (one tuple for each place that is read), empty when a coordinate is not known
    exactly or there are very many; `count`: distinct loads for one point of the stage (elements of a Tuple apart).
    `values`: where coordinates are not known exactly, for each of them the loops that change what is not known of it.
    `clamped`, `unclamped`: the dimensions in which some of the loads are clamped to the edge of what is read, or are
    not; `wrapped`: those in which they go on at the opposite edge, so that blocks at an edge need all between them;
    `mirrored`: those in which they turn back there.
    `bases`: the loads at constant distances from each other count once: where coordinates are computed in vectors, they
    share the addresses of the lanes.
    `pairs`: of loads at constant distances from each other, neighbours in dimension 0: one gathered load reads both.
    `estimated`: the coordinates are as described for the estimated sizes only.
    """

    name: str  # the Func or image
    jacobian: tuple[tuple[float, ...] | None, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    offsets: tuple[tuple[float, ...], ...]
    count: int
    clamped: frozenset[int] = frozenset()
    unclamped: frozenset[int] = frozenset()
    scattered: bool = False  # what is not known of the coordinates is another value for each point, as data decide
    values: tuple[frozenset[int], ...] = ()
    wrapped: frozenset[int] = frozenset()
    mirrored: frozenset[int] = frozenset()
    bases: int = 1
    pairs: int = 0
    estimated: bool = False

    @property
    def boundary(self) -> bool:
        """Whether coordinates are clamped to the edge of what is read."""
        return bool(self.clamped)

    @property
    def is_exact(self) -> bool:
        """Whether all places that are read are where the Jacobian and the offsets say, for every size."""
        return bool(self.offsets) and not (self.boundary or self.estimated)

    def whole_steps(self, d: int) -> tuple[float, ...] | None:
        """The factors of the loops in coordinate `d`, where it moves by whole steps for every size; otherwise None."""
        row = self.jacobian[d]
        # Without offsets some coordinate depends on values, of which bounds inference may know less than the dag does.
        exact = bool(self.offsets) or self.low[d] == self.high[d]
        if row is None or not exact or any(factor != int(factor) for factor in row):
            return None
        return None if self.boundary or self.estimated else row

    def meets(self, store: Access) -> bool:
        """Whether this may read elements of a Func that `store` writes: no coordinates differ by a constant."""
        for d, row in enumerate(self.jacobian):
            if row is not None and row == store.jacobian[d] and self.offsets and store.offsets:
                if all(a[d] != b[d] for a in self.offsets for b in store.offsets):
                    return False
        return True


OperationCounts = tuple[tuple[float, ...], ...]
"""[Operation][TYPE_CLASSES]"""
Parts = tuple[tuple[tuple[int, ...], OperationCounts], ...]
"""Operations, by the loops that change what they compute."""


class Recurrence(NamedTuple):
    """What iterations of an update wait for that use each other's values. `depth`: operations one after the other from
    the load of what is updated to its new value, in latencies of a float's sum; `share`: of all operations those that
    begin only then."""

    depth: float = 0.0
    share: float = 0.0


class Phases(NamedTuple):
    """`periods`: for each loop after how many values the choices repeat (1: none depend on it); `parts`: the operations
    of a point on average, when every choice is known, see StageInfo; `parts_without`: when those are that do not depend
    on this loop, for each of several that choices depend on, else nothing."""

    periods: tuple[int, ...]
    parts: Parts
    parts_without: tuple[Parts, ...]


@dataclass(frozen=True, eq=False, slots=True)
class StageInfo:
    """One definition. `loops`: pure dimensions in the order of the Func's arguments, then RVars innermost first.

    Pure dimensions that the update does not range over (its argument is constant or a function of RVars) are absent
    from the work but keep their place in `loops` with extent 1.
    """

    func: str
    number: int
    loops: tuple[LoopInfo, ...]
    operations: tuple[tuple[int, ...], ...]  # [Operation][TYPE_CLASSES] per point
    loads: tuple[Access, ...]  # of other Funcs and images
    self_loads: tuple[Access, ...]
    store: Access  # where a point is stored; name == func
    predicated: bool = False
    associative: bool = False  # rfactor may combine partial results, also those that no iteration adds to
    atomic: bool = False  # an update that atomic() allows: vector or parallel RVars may combine partial results
    moduli: tuple[int, ...] = ()  # for each loop: the m of an "x % m" its values depend on, else 1
    # The instructions by the loops that change what they compute: others share the results.
    parts: Parts = ()
    # Those of conversions of loads, by the places that are read, and the parts without them.
    conversions: tuple[tuple[Access, OperationCounts], ...] = ()
    parts_beside: Parts = ()
    phases: Phases | None = None
    position_only: bool = False  # values depend on nothing but their places, so that LLVM may calculate them
    undefined: bool = False  # it leaves all of the Func undefined; no code is made for it
    interleaves: Mapping[int, Interleave] = field(default_factory=dict)  # by the loop that is split
    share: float = 1.0  # of the iterations that remain when affine conditions are bounds of loops
    depth: float = 0.0  # of operations that wait for each other, from loads to a value, in latencies of a float's sum
    recurrence: Recurrence = Recurrence()  # of values at the place that is updated
    scan: Recurrence = Recurrence()  # of those at any place
    constants: frozenset[float] = frozenset()  # that operations on floats take
    constant_uses: int = 0  # operations of a point that take them
    tensors: tuple[TensorMatch, ...] = ()
    ordered: bool = False  # partial results are merged in the order of the iterations: those of the outermost RVar only


class TensorMatch(NamedTuple):
    """A tensor intrinsic that computes `lanes` points of loop `vector` and `terms` of RVar `rvar` at once.

    `parts`: the operations of a point for its operands alone, see StageInfo; `calls`: its instructions.
    """

    name: str
    vector: int
    lanes: int
    rvar: int
    terms: int
    calls: int
    parts: Parts


class Interleave(NamedTuple):
    """A loop x whose points x, x + stride, ... share work: `x % stride` is the same, and `x // stride` selects.

    `copies`: how many there are; `view`: the stage as one with loops over x % stride, in the place of x, and after all
    others over x // stride; `origins`: the output dimensions from whose bounds those of x follow.
    """

    stride: int
    copies: int
    view: StageInfo
    origins: frozenset[tuple[str, int]]


@dataclass(frozen=True, eq=False)
class FuncInfo:
    """One Func. `minimum`, `extent`: the box that is required of it when all is computed at root, at the estimates.

    `origins`: for each dimension the output dimensions (Func, number) from whose bounds alone its own bounds follow:
    constants where those are. None where they also follow from sizes of images, Params or values, or
    from dimensions as long as those of pictures.
    """

    name: str
    arguments: tuple[str, ...]
    types: tuple[Type, ...]
    minimum: tuple[int, ...]
    extent: tuple[int, ...]
    stages: tuple[StageInfo, ...]
    output: bool = False
    inlinable: bool = False  # one pure stage, not an output, not extern, memoized, async or traced
    must_inline: bool = False  # a view that is never worth storing, or read where lowering knows no bounds
    fixed: bool = False  # the user scheduled it; it stays as it is
    extern: bool = False
    origins: tuple[frozenset[tuple[str, int]] | None, ...] = ()

    @cached_property
    def bytes_per_point(self) -> int:
        """The bytes of one point, all elements of a Tuple together."""
        return sum(max(t.nbits, 8) // 8 for t in self.types)

    @property
    def pure(self) -> bool:
        """Whether the Func has no updates."""
        return len(self.stages) == 1

    @property
    def copies(self) -> bool:
        """Whether its values are those of another Func or image, in other places."""
        first = self.stages[0]
        loads = sum(load.count for load in first.loads)
        return self.pure and loads == 1 and not any(any(row) for row in first.operations)

    @cached_property
    def written(self) -> tuple[tuple[int, int] | None, ...]:
        """For each dimension the first and the last coordinate that updates write, or read of the Func, whatever part
        of it is required, as scans do; None where they keep to that part."""
        accesses = [(stage, access) for stage in self.stages[1:] for access in (stage.store, *stage.self_loads)]
        return tuple([self._written(accesses, d) for d in range(len(self.arguments))])

    def _written(self, accesses: Sequence[tuple[StageInfo, Access]], d: int) -> tuple[int, int] | None:
        ends: list[float] = []
        least, most = self.minimum[d], self.minimum[d] + self.extent[d] - 1
        for stage, access in accesses:
            row = access.jacobian[d]
            if row is None:
                return least, most
            moving = [(c, stage.loops[j]) for j, c in enumerate(row) if c]
            if any(not loop.reduction for _, loop in moving):
                continue
            corners = [sorted((c * loop.minimum, c * (loop.minimum + loop.extent - 1))) for c, loop in moving]
            ends += [access.low[d] + sum(a for a, _ in corners), access.high[d] + sum(b for _, b in corners)]
        return (max(least, math.floor(min(ends))), min(most, math.ceil(max(ends)))) if ends else None

    def settled(self, stage: StageInfo, d: int) -> bool:
        """Whether a loop's extent is the same in every call; bounds of short dimensions of outputs are expected."""
        if stage.loops[d].reduction:
            return stage.loops[d].constant
        return bool(self.origins) and self.origins[d] is not None


@dataclass(frozen=True, eq=False)
class ImageInfo:
    """An input. `bytes_per_point` of one element, `minimum` and `extent` at the estimates."""

    name: str
    minimum: tuple[int, ...]
    extent: tuple[int, ...]
    bytes_per_point: int


@dataclass(frozen=True, eq=False)
class Dag:
    """A pipeline. `funcs`: consumers before producers, outputs first. `strides`: those that code knows, by dimension,
    of outputs and images whose elements do not lie in memory in the order of their dimensions. `joint`: the
    reductions that are not among `funcs` but part of the value of one, by its name."""

    funcs: Mapping[str, FuncInfo]
    images: Mapping[str, ImageInfo]
    outputs: tuple[str, ...]
    threads: int
    lanes: Mapping[str, int] = field(default_factory=dict)  # TYPE_CLASSES -> natural vector size of the target
    strides: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    joint: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def notes(self) -> dict[tuple[object, ...], Any]:
        """A cache of what follows from the Dag alone, by the question: a tuple of a function and its arguments."""
        return {}

    @cached_property
    def positions(self) -> Mapping[str, int]:
        """The number of every Func in the order of `funcs`."""
        return {name: number for number, name in enumerate(self.funcs)}

    def order(self, name: str) -> tuple[int, ...]:
        """The dimensions of a Func or image in the order of its memory, innermost first, unless a search decides."""
        info, strides = self.funcs.get(name) or self.images[name], self.strides.get(name, {})
        first = sorted(strides, key=strides.__getitem__)
        return (*first, *[d for d in range(len(info.extent)) if d not in first])

    def strides_of(self, name: str, order: Sequence[int]) -> Mapping[int, int]:
        """The strides that code knows of an array of which this order of dimensions begins, by dimension; none of those
        that are dense in the innermost dimension alone."""
        if name in self.strides or name in self.images or len(order) < 2:
            return self.strides.get(name, {})
        func, (inner, outer, *_) = self.funcs[name], order
        channels = func.extent[inner]
        return {inner: 1, outer: channels} if func.settled(func.stages[0], inner) and channels in INTERLEAVED else {}

    @cached_property
    def consumers(self) -> Mapping[str, tuple[tuple[str, int], ...]]:
        """For every Func and image, the stages (Func, number) that read it; its own are not among them."""
        stages_of: dict[str, dict[tuple[str, int], None]] = {name: {} for name in (*self.funcs, *self.images)}
        for func in self.funcs.values():
            for stage in func.stages:
                for load in stage.loads:
                    stages_of[load.name][func.name, stage.number] = None
        return {name: tuple(stages) for name, stages in stages_of.items()}

    @cached_property
    def producers(self) -> Mapping[str, tuple[str, ...]]:
        """For every Func, the other Funcs that its stages load."""
        return {
            name: tuple(
                dict.fromkeys(load.name for stage in func.stages for load in stage.loads if load.name in self.funcs)
            )
            for name, func in self.funcs.items()
        }
