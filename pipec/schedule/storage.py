"""The directives about the storage of a Func."""

from __future__ import annotations

from collections.abc import Sequence

from pipec.ir.expr import Expr
from pipec.ir.stmt import MemoryType
from pipec.schedule.directive import Concern, FuncDirective
from pipec.schedule.fields import DimName, Factor, Positive
from pipec.schedule.schedule import Schedule
from pipec.schedule.shape import FuncShape, Name, name_of, refuse, scalar


class StoreIn(FuncDirective):
    """The values of the Func are stored in this kind of memory."""

    METHOD = "store_in"

    memory: MemoryType


class StreamStores(FuncDirective):
    """Stores to the output Func bypass the cache always, or never. Without the directive the size decides."""

    METHOD = "stream_stores"

    past_cache: bool = True


class ReorderStorage(FuncDirective):
    """All dimensions in the order of storage, innermost first."""

    METHOD = "reorder_storage"

    variables: tuple[DimName, ...]

    @classmethod
    def apply(cls, schedule: Schedule, func: FuncShape, variables: Sequence[Name]) -> Schedule:
        """Puts the named dimensions in this order, innermost first; the others keep their places in storage."""
        names = tuple(name_of(v) for v in variables)
        if len(names) < 2:
            raise refuse("reorder_storage must have at least two dimensions in reorder list.", func.location, func.args)
        for at, name in enumerate(names):
            if name in names[:at]:
                text = f"In schedule for {func.name}, call to reorder_storage references {name} twice"
                raise refuse(text, func.location)
        if not set(names) <= set(func.args):
            text = f"In schedule for {func.name}, could not find variables {' and '.join(names)} to reorder."
            raise refuse(text, func.location, func.args)
        before = [d.variables for d in schedule.of_func(func.name) if isinstance(d, ReorderStorage)]
        order = list(before[-1] if before else func.args)
        for place, name in zip(sorted(order.index(n) for n in names), names, strict=True):
            order[place] = name
        return schedule.add(cls(func.name, tuple(order)))


class FoldStorage(FuncDirective):
    """Coordinate `var` is stored modulo `factor`: the storage is a ring of that many rows."""

    METHOD = "fold_storage"

    var: DimName
    factor: Factor
    forward: bool = True

    @classmethod
    def apply(
        cls, schedule: Schedule, func: FuncShape, var: Name, factor: Expr | int, forward: bool = True
    ) -> Schedule:
        """Refuses unknown dimensions and factors below 1."""
        name = _stored_dim(func, var, "fold the storage of")
        return schedule.add(cls(func.name, name, scalar(func, factor, f"the fold factor of {name}", least=1), forward))


class AlignStorage(FuncDirective):
    """The storage extent of `var` is rounded up to a multiple of `alignment` elements."""

    METHOD = "align_storage"

    var: DimName
    alignment: Positive

    @classmethod
    def apply(cls, schedule: Schedule, func: FuncShape, var: Name, alignment: int) -> Schedule:
        """Refuses unknown dimensions and alignments below 1."""
        name = _stored_dim(func, var, "align the storage of")
        scalar(func, alignment, f"the storage alignment of {name}", least=1)
        return schedule.add(cls(func.name, name, int(alignment)))


class TileStorage(FuncDirective):
    """Each `factor` neighbours along `var` lie side by side in memory, innermost; tiles lie where `var` would."""

    METHOD = "tile_storage"

    var: DimName
    factor: Positive

    @classmethod
    def apply(cls, schedule: Schedule, func: FuncShape, var: Name, factor: int) -> Schedule:
        """Refuses unknown dimensions and factors below 2."""
        name = _stored_dim(func, var, "tile the storage of")
        scalar(func, factor, f"the storage tile of {name}", least=2)
        return schedule.add(cls(func.name, name, int(factor)))


class BoundStorage(FuncDirective):
    """The storage of `var` has room for exactly `extent` values; the pipeline fails at run time if it needs more."""

    METHOD = "bound_storage"
    CONCERN = Concern.SIZE

    var: DimName
    extent: Factor

    @classmethod
    def apply(cls, schedule: Schedule, func: FuncShape, var: Name, extent: Expr | int) -> Schedule:
        """Refuses unknown dimensions and extents below 1."""
        name = _stored_dim(func, var, "bound the storage of")
        return schedule.add(cls(func.name, name, scalar(func, extent, f"the storage extent of {name}", least=1)))


def _stored_dim(func: FuncShape, variable: Name, purpose: str) -> str:
    name = name_of(variable)
    if name not in func.args:
        raise refuse(f"In schedule for {func.name}, could not find var {name} to {purpose}.", func.location, func.args)
    return name
