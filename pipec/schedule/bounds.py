"""The directives about the bounds of a Func: promised, expected, aligned and estimated ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipec.ir.build import mod
from pipec.ir.expr import Const, Expr
from pipec.ir.types import INT32
from pipec.schedule.directive import Concern, FuncDirective
from pipec.schedule.fields import DimName, Factor, IntExpr
from pipec.schedule.schedule import Schedule
from pipec.schedule.shape import FuncShape, Name, name_of, refuse, scalar

if TYPE_CHECKING:
    from pipec.schedule.python_text import CallWriter


class Bound(FuncDirective):
    """The Func is computed for exactly [minimum, minimum + extent) in `var`; minimum None: any minimum."""

    METHOD = "bound"
    CONCERN = Concern.SIZE

    var: DimName
    minimum: IntExpr | None
    extent: Factor

    @classmethod
    def apply(
        cls, schedule: Schedule, func: FuncShape, var: Name, minimum: Expr | int | None, extent: Expr | int
    ) -> Schedule:
        """Refuses unknown dimensions and extents below 1. An extent alone keeps the minimum of an earlier bound."""
        name = _pure_dim(func, var, "bound variable")
        for word, end in (("min", minimum), ("extent", extent)):
            if isinstance(end, Expr) and end.type is not INT32:
                raise refuse(f"Can't represent {word} bound in int32: {end} of type {end.type}", func.location)
        low = None if minimum is None else scalar(func, minimum, f"the bound minimum of {name}")
        for earlier in schedule.of_func(func.name) if low is None else ():
            if isinstance(earlier, Bound) and earlier.var == name:
                low = earlier.minimum
        return schedule.add(cls(func.name, name, low, scalar(func, extent, f"the bound extent of {name}", least=1)))

    def to_call(self, writer: CallWriter) -> str:
        """Returns the call: bound, or bound_extent without a minimum."""
        if self.minimum is not None:
            return super().to_call(writer)
        return f".bound_extent({writer.variable(self.var)}, {writer.expression(self.extent)})"


class ExpectBounds(FuncDirective):
    """The loops fit exactly [minimum, minimum + extent) in `var`; a slower variant serves other intervals."""

    METHOD = "expect_bounds"
    CONCERN = Concern.SIZE

    var: DimName
    minimum: IntExpr
    extent: Factor

    @classmethod
    def apply(cls, schedule: Schedule, func: FuncShape, var: Name, minimum: Expr | int, extent: Expr | int) -> Schedule:
        """Refuses unknown dimensions and extents below 1."""
        name = _pure_dim(func, var, "expect bounds of variable")
        low = scalar(func, minimum, f"the minimum expected of {name}")
        return schedule.add(cls(func.name, name, low, scalar(func, extent, f"the extent expected of {name}", least=1)))


class AlignBounds(FuncDirective):
    """The computed interval of `var` grows until min % modulus == remainder and extent % modulus == 0."""

    METHOD = "align_bounds"
    CONCERN = Concern.SIZE

    var: DimName
    modulus: Factor
    remainder: IntExpr = Const(INT32, 0)

    @classmethod
    def apply(
        cls, schedule: Schedule, func: FuncShape, var: Name, modulus: Expr | int, remainder: Expr | int = 0
    ) -> Schedule:
        """Refuses unknown dimensions and moduli below 1."""
        name = _pure_dim(func, var, "align bounds of variable")
        period = scalar(func, modulus, f"the modulus of the bounds of {name}", least=1)
        offset = scalar(func, remainder, f"the remainder of the bounds of {name}")
        return schedule.add(cls(func.name, name, period, mod(offset, period)))


class AlignExtent(FuncDirective):
    """The computed interval of `var` grows at its end until extent % modulus == 0."""

    METHOD = "align_extent"
    CONCERN = Concern.SIZE

    var: DimName
    modulus: Factor

    @classmethod
    def apply(cls, schedule: Schedule, func: FuncShape, var: Name, modulus: Expr | int) -> Schedule:
        """Refuses unknown dimensions and moduli below 1."""
        name = _pure_dim(func, var, "align extent of variable")
        if isinstance(modulus, Expr) and modulus.type is not INT32:
            raise refuse(f"Can't represent modulus as int32: {modulus} of type {modulus.type}", func.location)
        multiple = scalar(func, modulus, f"the modulus of the extent of {name}", least=1)
        return schedule.add(cls(func.name, name, multiple))


class Estimate(FuncDirective):
    """The search may expect the interval [minimum, minimum + extent) of `var`."""

    METHOD = "set_estimate"
    CONCERN = Concern.SIZE

    var: DimName
    minimum: Expr
    extent: Expr

    @classmethod
    def apply(cls, schedule: Schedule, func: FuncShape, var: Name, minimum: Expr | int, extent: Expr | int) -> Schedule:
        """Refuses unknown dimensions."""
        name = _pure_dim(func, var, "provide an estimate on variable")
        ends = [end if isinstance(end, Expr) else Const(INT32, end) for end in (minimum, extent)]
        return schedule.add(cls(func.name, name, *ends))


def _pure_dim(func: FuncShape, variable: Name, purpose: str) -> str:
    name = name_of(variable)
    if name not in func.args:
        raise refuse(
            f"Can't {purpose} {name} of function {func.name} because {name} is not one of the pure variables "
            f"of {func.name}.",
            func.location,
            func.args,
        )
    return name
