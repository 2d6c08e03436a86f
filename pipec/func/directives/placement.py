"""The directives about a whole Func: where it is computed and stored, its storage, its bounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from pipec.errors import ScheduleError
from pipec.func.directives.execution import FuncHints
from pipec.func.directives.loop_level import LoopLevel, LoopVar, dim_of, level_in
from pipec.func.directives.observation import Observation
from pipec.func.directives.stage import StageDirectives, _listed, factor_node
from pipec.func.functions.function import Function
from pipec.func.functions.revision import revision
from pipec.func.math.convert import cast, node_or_none
from pipec.func.math.expr import ExprLike
from pipec.ir.expr import Const
from pipec.ir.stmt import MemoryType
from pipec.ir.types import INT32
from pipec.schedule import apply
from pipec.schedule.directive import LoopLevel as Level
from pipec.schedule.schedule import Schedule
from pipec.schedule.shape import FuncShape


def func_shape(function: Function) -> FuncShape:
    """What the checks of directives need to know of a Func."""
    return FuncShape(function.name, function.args, str(function.location))


def _constant(value: Any, what: str) -> int:
    node = node_or_none(value)
    if node is not None and node.type.integral:
        node = cast(INT32, node)
        if isinstance(node, Const):
            return int(node.value)
    raise TypeError(f"incompatible function arguments: {what} must be a constant int, not {value!r}")


class Placement(StageDirectives, FuncHints, Observation):
    """A Func's place in the loops of its consumers, its storage and bounds; each method returns the Func."""

    __slots__ = ()

    def stage_index(self) -> int:
        """The number of the stage that the directives of a Func apply to: its pure definition."""
        return 0

    def _func_shape(self) -> FuncShape:
        return func_shape(self._function)

    def _apply(self, directive: Any, *args: Any) -> Self:
        schedule: Schedule = directive(self._function.schedule, self._func_shape(), *args)
        return self._set(schedule)

    def compute_root(self) -> Self:
        """Compute all of it before anything that uses it."""
        return self._place("compute", Level(var="__root"))

    def compute_inline(self) -> Self:
        """Compute it anew at each use."""
        return self._place("compute", Level())

    def compute_at(self, *args: Any, **keywords: Any) -> Self:
        """compute_at(func or stage, var) or compute_at(loop_level): compute what one iteration of that loop needs."""
        return self._place("compute", _level(args, keywords, "compute_at"))

    def store_root(self) -> Self:
        """Keep its values as long as the pipeline runs."""
        return self._place("store", Level(var="__root"))

    def store_at(self, *args: Any, **keywords: Any) -> Self:
        """store_at(func or stage, var) or store_at(loop_level): keep its values for one iteration of that loop."""
        return self._place("store", _level(args, keywords, "store_at"))

    def _place(self, kind: str, level: Level | LoopLevel) -> Self:
        revision.advance()
        self._function.deferred.pop(kind, None)
        if isinstance(level, LoopLevel):
            self._function.deferred[kind] = level
            return self
        if kind == "store":
            return self._apply(apply.store_root) if level.is_root else self._apply(apply.store_at, level)
        if level.is_root:
            return self._apply(apply.compute_root)
        return self._apply(apply.compute_inline) if level.is_inlined else self._apply(apply.compute_at, level)

    def stream_stores(self, past_cache: bool = True) -> Self:
        """Store this output past the cache, or never do (False).

        Without it whole cache lines of outputs from 32 MiB on are stored so: an ordinary store reads the line that it
        writes to. Worth saying for smaller outputs that nobody reads soon; False for large ones that are read at once,
        strip by strip. Not in Halide. The pixels are the same.
        """
        return self._apply(apply.stream_stores, bool(past_cache))

    def store_in(self, memory_type: MemoryType) -> Self:
        """The kind of memory that holds its values."""
        return self._apply(apply.store_in, memory_type)

    def reorder_storage(self, *dims: LoopVar | Sequence[LoopVar], **keywords: Any) -> Self:
        """The dimensions in this order in memory, innermost first."""
        return self._apply(apply.reorder_storage, [dim_of(d) for d in _listed(dims, keywords, "dims")])

    def fold_storage(self, dim: LoopVar, extent: ExprLike, fold_forward: bool = True) -> Self:
        """Keep `dim` modulo `extent`."""
        return self._apply(apply.fold_storage, dim_of(dim), factor_node(extent), fold_forward)

    def align_storage(self, dim: LoopVar, alignment: ExprLike) -> Self:
        """Round the extent of `dim` in memory up to a multiple of `alignment`."""
        return self._apply(apply.align_storage, dim_of(dim), _constant(alignment, "the alignment"))

    def bound_storage(self, dim: LoopVar, bound: ExprLike) -> Self:
        """Give `dim` room for exactly `bound` values in memory; needing more is an error when the pipeline runs."""
        return self._apply(apply.bound_storage, dim_of(dim), factor_node(bound))

    def bound(self, var: LoopVar, min: ExprLike, extent: ExprLike) -> Self:
        """Promise that exactly [min, min + extent) of `var` will be asked for."""
        return self._apply(apply.bound, dim_of(var), factor_node(min), factor_node(extent))

    def bound_extent(self, var: LoopVar, extent: ExprLike) -> Self:
        """Promise that exactly `extent` values of `var` will be asked for."""
        return self._apply(apply.bound_extent, dim_of(var), factor_node(extent))

    def expect_bounds(self, var: LoopVar, min: ExprLike, extent: ExprLike) -> Self:
        """Make the loops for exactly [min, min + extent) of `var`, so that the code is fast for that interval.

        As bound(), but no promise: where another interval is asked for, a variant of the pipeline that is right for
        every size runs instead. It is slower, and compiled when first needed. Not in Halide.
        """
        return self._apply(apply.expect_bounds, dim_of(var), factor_node(min), factor_node(extent))

    def align_bounds(self, var: LoopVar, modulus: ExprLike, remainder: ExprLike = 0) -> Self:
        """Grow the interval of `var` until its min is `remainder` modulo `modulus` and its extent a multiple."""
        numbers = _constant(modulus, "the modulus"), _constant(remainder, "the remainder")
        return self._apply(apply.align_bounds, dim_of(var), *numbers)

    def align_extent(self, var: LoopVar, modulus: ExprLike) -> Self:
        """Grow the interval of `var` at its end until its extent is a multiple of `modulus`."""
        return self._apply(apply.align_extent, dim_of(var), factor_node(modulus))

    def set_estimate(self, var: LoopVar, min: ExprLike, extent: ExprLike) -> Self:
        """The interval of `var` that the search shall expect."""
        return self._apply(apply.estimate, dim_of(var), factor_node(min), factor_node(extent))

    def set_estimates(self, estimates: Any) -> Self:
        """set_estimate for all dimensions: a list of (min, extent)."""
        if len(estimates) != self._function.dimensions:
            raise ScheduleError(
                f"Error: Func {self._function.name} has {self._function.dimensions} dimensions, but the estimates "
                f"passed to set_estimates are for {len(estimates)}. (made at {self._function.location})"
            )
        for name, (low, size) in zip(self._function.args, estimates, strict=True):
            self._apply(apply.estimate, name, factor_node(low), factor_node(size))
        return self


def _level(args: tuple[Any, ...], keywords: dict[str, Any], directive: str) -> Level | LoopLevel:
    given = [*args, *keywords.values()]
    if len(given) == 1 and isinstance(given[0], LoopLevel):
        return given[0]
    if len(given) == 2 and isinstance(given[0], StageDirectives):
        return level_in(given[0], given[1])
    raise TypeError(
        f"{directive}(): incompatible function arguments: it takes a Func (or Stage) and a Var or RVar, or a "
        f"LoopLevel. Invoked with: {given!r}"
    )
