"""The directives about a whole Func: where it is computed and stored, its storage, its bounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from pipec.errors import ScheduleError, require_instance
from pipec.func.directives.call_forms import dims, listed, loop_level
from pipec.func.directives.execution import FuncExecution
from pipec.func.directives.loop_level import LoopLevel, LoopVar, dim_of, undecided
from pipec.func.directives.scheduled import int_node
from pipec.func.directives.stage import StageDirectives
from pipec.func.functions.function import revision
from pipec.func.math.convert import node_or_none
from pipec.func.math.expr import ExprLike
from pipec.ir.expr import Const
from pipec.ir.stmt import MemoryType
from pipec.schedule.bounds import AlignBounds, AlignExtent, Bound, Estimate, ExpectBounds
from pipec.schedule.fields import INLINED, ROOT
from pipec.schedule.fields import LevelRef as Level
from pipec.schedule.placement import ComputeAt, HoistStorage, RingBuffer, StoreAt
from pipec.schedule.storage import (
    AlignStorage,
    BoundStorage,
    FoldStorage,
    ReorderStorage,
    StoreIn,
    StreamStores,
    TileStorage,
)


class Placement(StageDirectives, FuncExecution):
    """A Func's place in the loops of its consumers, its storage and bounds; each method returns the Func."""

    __slots__ = ()

    def stage_index(self) -> int:
        """The number of the stage that the directives of a Func apply to: its pure definition."""
        return 0

    def compute_root(self) -> Self:
        """Compute all of it before anything that uses it."""
        return self._place("compute", ROOT)

    def compute_inline(self) -> Self:
        """Compute it at each use, without storage."""
        return self._place("compute", INLINED)

    def compute_at(self, *args: Any, **keywords: Any) -> Self:
        """compute_at(func or stage, var) or compute_at(loop_level): compute what one iteration of that loop needs."""
        return self._place("compute", loop_level(args, keywords, "compute_at"))

    def store_root(self) -> Self:
        """Store its values as long as the pipeline runs."""
        return self._place("store", ROOT)

    def store_at(self, *args: Any, **keywords: Any) -> Self:
        """store_at(func or stage, var) or store_at(loop_level): store its values for one iteration of that loop."""
        return self._place("store", loop_level(args, keywords, "store_at"))

    def _place(self, kind: str, level: Level | LoopLevel) -> Self:
        revision.advance()
        self._function.deferred.pop(kind, None)
        if isinstance(level, LoopLevel):
            self._function.deferred[kind] = level
            return self
        return self._apply(ComputeAt if kind == "compute" else StoreAt, level)

    def hoist_storage(self, *args: Any, **keywords: Any) -> Self:
        """hoist_storage(func, var) or hoist_storage(loop_level): allocate its memory once for all iterations inside."""
        level = loop_level(args, keywords, "hoist_storage")
        place = level.level() if isinstance(level, LoopLevel) else level
        if place is None:
            raise undecided("hoist_storage", self._function.name)
        return self._apply(HoistStorage, place)

    def hoist_storage_root(self) -> Self:
        """Allocate its memory once for the whole pipeline."""
        return self._apply(HoistStorage, ROOT)

    def ring_buffer(self, extent: ExprLike) -> Self:
        """Store the values of the last `extent` iterations of the loops between hoist_storage and storage."""
        return self._apply(RingBuffer, int_node(extent))

    def stream_stores(self, past_cache: bool = True) -> Self:
        """Write this output with non-temporal stores, which bypass the cache, or never do (False).

        By default whole cache lines of outputs from 32 MiB on are written this way, because an ordinary store first
        reads the line. Useful for smaller outputs that nobody reads soon; False for large outputs that are read at
        once, strip by strip. Not in Halide. The pixels are the same.
        """
        return self._apply(StreamStores, bool(past_cache))

    def store_in(self, memory_type: MemoryType) -> Self:
        """Store its values in a kind of memory."""
        require_instance("store_in", MemoryType, memory_type)
        return self._apply(StoreIn, memory_type)

    def reorder_storage(self, *dimensions: LoopVar | Sequence[LoopVar], **keywords: Any) -> Self:
        """Lay the dimensions out in this order in memory, innermost first."""
        return self._apply(ReorderStorage, dims(listed(dimensions, keywords, "dims")))

    def fold_storage(self, dim: LoopVar, extent: ExprLike, fold_forward: bool = True) -> Self:
        """Store coordinate `dim` modulo `extent`, in a ring of that many rows."""
        return self._apply(FoldStorage, dim_of(dim), int_node(extent), fold_forward)

    def align_storage(self, dim: LoopVar, alignment: ExprLike) -> Self:
        """Round the extent of `dim` in memory up to a multiple of `alignment`."""
        return self._apply(AlignStorage, dim_of(dim), _constant(alignment, "the alignment"))

    def tile_storage(self, dim: LoopVar, factor: ExprLike) -> Self:
        """Lay `factor` neighbours along `dim` side by side in memory, inside of all other dimensions. Not in Halide.

        Of an image with dimensions x, y, c, `tile_storage(c, 16)` stores 16 channels of a pixel, then the next pixel:
        the layout NCHWc. The last tile may be partly empty. Not for outputs, nor for what C functions see.
        """
        return self._apply(TileStorage, dim_of(dim), _constant(factor, "the storage tile"))

    def bound_storage(self, dim: LoopVar, bound: ExprLike) -> Self:
        """Give `dim` room for exactly `bound` values in memory; needing more is an error when the pipeline runs."""
        return self._apply(BoundStorage, dim_of(dim), int_node(bound))

    def bound(self, var: LoopVar, min: ExprLike, extent: ExprLike) -> Self:
        """Promise that exactly [min, min + extent) of `var` will be required."""
        return self._apply(Bound, dim_of(var), int_node(min), int_node(extent))

    def bound_extent(self, var: LoopVar, extent: ExprLike) -> Self:
        """Promise that exactly `extent` values of `var` will be required."""
        return self._apply(Bound, dim_of(var), None, int_node(extent))

    def expect_bounds(self, var: LoopVar, min: ExprLike, extent: ExprLike) -> Self:
        """Compile the loops for exactly [min, min + extent) of `var`, so that the code is fast for that interval.

        As bound(), but no promise: where another interval is required, a variant of the pipeline that is right for
        every size runs instead. It is slower, and compiled when first needed. Not in Halide.
        """
        return self._apply(ExpectBounds, dim_of(var), int_node(min), int_node(extent))

    def align_bounds(self, var: LoopVar, modulus: ExprLike, remainder: ExprLike = 0) -> Self:
        """Grow the interval of `var` until its min is `remainder` modulo `modulus` and its extent a multiple."""
        return self._apply(AlignBounds, dim_of(var), int_node(modulus), int_node(remainder))

    def align_extent(self, var: LoopVar, modulus: ExprLike) -> Self:
        """Grow the interval of `var` at its end until its extent is a multiple of `modulus`."""
        return self._apply(AlignExtent, dim_of(var), int_node(modulus))

    def set_estimate(self, var: LoopVar, min: ExprLike, extent: ExprLike) -> Self:
        """Set the interval of `var` that the search expects."""
        return self._apply(Estimate, dim_of(var), int_node(min), int_node(extent))

    def set_estimates(self, estimates: Any) -> Self:
        """set_estimate for all dimensions: a list of (min, extent)."""
        if len(estimates) != self._function.dimensions:
            raise ScheduleError(
                f"Error: Func {self._function.name} has {self._function.dimensions} dimensions, but the estimates "
                f"passed to set_estimates are for {len(estimates)}. (made at {self._function.location})"
            )
        for name, (low, size) in zip(self._function.args, estimates, strict=True):
            self._apply(Estimate, name, int_node(low), int_node(size))
        return self


def _constant(value: Any, what: str) -> int:
    if node_or_none(value) is not None:
        node = int_node(value)
        if node.type.integral and isinstance(node, Const):
            return int(node.value)
    raise TypeError(f"incompatible function arguments: {what} must be a constant int, not {value!r}")
