"""Checked directives about the region and the storage of a Func."""

from __future__ import annotations

from collections.abc import Sequence

from pipec.ir.expr import Const, Expr
from pipec.ir.stmt import MemoryType
from pipec.ir.types import INT32
from pipec.schedule.directive import (
    AlignBounds,
    AlignExtent,
    AlignStorage,
    Bound,
    BoundStorage,
    Estimate,
    ExpectBounds,
    FoldStorage,
    ReorderStorage,
    StoreIn,
    StreamStores,
)
from pipec.schedule.schedule import Schedule
from pipec.schedule.shape import FuncShape, Name, as_factor, check_scalar, name_of, refuse


def store_in(schedule: Schedule, func: FuncShape, memory: MemoryType) -> Schedule:
    """The values of `func` are kept in this kind of memory."""
    return schedule.add(StoreIn(func.name, memory))


def stream_stores(schedule: Schedule, func: FuncShape, past_cache: bool) -> Schedule:
    """Stores to the output `func` go past the cache always, or never; which Funcs are outputs is known later."""
    return schedule.add(StreamStores(func.name, past_cache))


def reorder_storage(schedule: Schedule, func: FuncShape, variables: Sequence[Name]) -> Schedule:
    """The named dimensions take their places in storage in this order, innermost first; the others keep theirs."""
    names = tuple(name_of(v) for v in variables)
    if len(names) < 2:
        raise refuse("reorder_storage must have at least two dimensions in reorder list.", func.location, func.args)
    for at, name in enumerate(names):
        if name in names[:at]:
            raise refuse(f"In schedule for {func.name}, call to reorder_storage references {name} twice", func.location)
    if not set(names) <= set(func.args):
        text = f"In schedule for {func.name}, could not find variables {' and '.join(names)} to reorder."
        raise refuse(text, func.location, func.args)
    order = list(_storage_order(schedule, func))
    for place, name in zip(sorted(order.index(n) for n in names), names, strict=True):
        order[place] = name
    return schedule.add(ReorderStorage(func.name, tuple(order)))


def _storage_order(schedule: Schedule, func: FuncShape) -> tuple[str, ...]:
    for directive in reversed(schedule.of_func(func.name)):
        if isinstance(directive, ReorderStorage):
            return directive.variables
    return func.args


def fold_storage(
    schedule: Schedule, func: FuncShape, variable: Name, factor: Expr | int, forward: bool = True
) -> Schedule:
    """Coordinate `variable` is kept modulo `factor`: the storage is a ring of that many rows."""
    name = _storage_variable(func, variable, "fold the storage of")
    size = as_factor(factor)
    check_scalar(size, f"the fold factor {size} of {name}", func.name, func.location)
    _require_positive(func, f"fold the storage of {name} by", size)
    return schedule.add(FoldStorage(func.name, name, size, forward))


def align_storage(schedule: Schedule, func: FuncShape, variable: Name, alignment: int) -> Schedule:
    """The storage extent of `variable` is rounded up to a multiple of `alignment` elements."""
    name = _storage_variable(func, variable, "align the storage of")
    _require_positive(func, f"align the storage of {name} to", as_factor(alignment))
    return schedule.add(AlignStorage(func.name, name, int(alignment)))


def bound_storage(schedule: Schedule, func: FuncShape, variable: Name, extent: Expr | int) -> Schedule:
    """The storage of `variable` has room for exactly `extent` values, whatever is needed of it."""
    name = _storage_variable(func, variable, "bound the storage of")
    size = as_factor(extent)
    check_scalar(size, f"the extent {size} of the storage of {name}", func.name, func.location)
    _require_positive(func, f"bound the storage of {name} to", size)
    return schedule.add(BoundStorage(func.name, name, size))


def bound(
    schedule: Schedule, func: FuncShape, variable: Name, minimum: Expr | int | None, extent: Expr | int | None
) -> Schedule:
    """`func` is computed for exactly [minimum, minimum + extent) in `variable`."""
    name = _pure_variable(func, variable, "bound variable")
    low = None if minimum is None else as_factor(minimum)
    size = None if extent is None else as_factor(extent)
    for end, value in (("min", low), ("extent", size)):
        if value is not None and value.type is not INT32:
            raise refuse(f"Can't represent {end} bound in int32: {value} of type {value.type}", func.location)
        if value is not None:
            check_scalar(value, f"the {end} {value} of the bound of {name}", func.name, func.location)
    if size is not None:
        _require_positive(func, f"bound {name} to an extent of", size)
    return schedule.add(Bound(func.name, name, low, size))


def bound_extent(schedule: Schedule, func: FuncShape, variable: Name, extent: Expr | int) -> Schedule:
    """`func` is computed for exactly `extent` values of `variable`, whatever the first of them."""
    return bound(schedule, func, variable, None, extent)


def expect_bounds(
    schedule: Schedule, func: FuncShape, variable: Name, minimum: Expr | int, extent: Expr | int
) -> Schedule:
    """The loops of `func` are made for exactly [minimum, minimum + extent) in `variable`, and fit no other interval."""
    name = _pure_variable(func, variable, "expect bounds of variable")
    low, size = as_factor(minimum), as_factor(extent)
    for end, value in (("minimum", low), ("extent", size)):
        check_scalar(value, f"the {end} {value} expected of {name}", func.name, func.location)
    _require_positive(func, f"expect of {name} an extent of", size)
    return schedule.add(ExpectBounds(func.name, name, low, size))


def align_bounds(schedule: Schedule, func: FuncShape, variable: Name, modulus: int, remainder: int = 0) -> Schedule:
    """The interval of `variable` grows to start at `remainder` modulo `modulus` and be a multiple of it long."""
    name = _pure_variable(func, variable, "align bounds of variable")
    _require_positive(func, f"align the bounds of {name} to a multiple of", as_factor(modulus))
    return schedule.add(AlignBounds(func.name, name, int(modulus), int(remainder) % int(modulus)))


def align_extent(schedule: Schedule, func: FuncShape, variable: Name, modulus: Expr | int) -> Schedule:
    """The interval of `variable` grows at its end to be a multiple of `modulus` long."""
    name = _pure_variable(func, variable, "align extent of variable")
    size = as_factor(modulus)
    if size.type is not INT32:
        raise refuse(f"Can't represent modulus as int32: {size} of type {size.type}", func.location)
    check_scalar(size, f"the modulus {size} of the extent of {name}", func.name, func.location)
    _require_positive(func, f"align the extent of {name} to a multiple of", size)
    return schedule.add(AlignExtent(func.name, name, size))


def estimate(schedule: Schedule, func: FuncShape, variable: Name, minimum: Expr | int, extent: Expr | int) -> Schedule:
    """The search may expect the interval [minimum, minimum + extent) for `variable`."""
    name = _pure_variable(func, variable, "provide an estimate on variable")
    return schedule.add(Estimate(func.name, name, as_factor(minimum), as_factor(extent)))


def _pure_variable(func: FuncShape, variable: Name, purpose: str) -> str:
    name = name_of(variable)
    if name not in func.args:
        raise refuse(
            f"Can't {purpose} {name} of function {func.name} because {name} is not one of the pure variables "
            f"of {func.name}.",
            func.location,
            func.args,
        )
    return name


def _storage_variable(func: FuncShape, variable: Name, purpose: str) -> str:
    name = name_of(variable)
    if name not in func.args:
        raise refuse(f"In schedule for {func.name}, could not find var {name} to {purpose}.", func.location, func.args)
    return name


def _require_positive(func: FuncShape, what: str, value: Expr) -> None:
    if isinstance(value, Const) and value.value <= 0:
        raise refuse(
            f"In schedule for {func.name}, can't {what} {value.value}: the number must be at least 1.", func.location
        )
