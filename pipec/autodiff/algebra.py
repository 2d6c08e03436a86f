"""Sums and products of adjoints that fold zeros and ones, and adjoints that are zero unless a condition holds."""

from __future__ import annotations

from collections.abc import Callable

from pipec.ir import build
from pipec.ir.build import constant
from pipec.ir.expr import EQ, TRUE, Add, Const, Div, Expr, Mul, Select, Sub
from pipec.ir.types import Float, Type

FLOAT32 = Float(32)


def adjoint_type(type_: Type) -> Type:
    """The type of the adjoint of a value: its own for floats; integers are taken for real numbers in float32."""
    return type_ if type_.floating else FLOAT32


def number(type_: Type, value: float) -> Const:
    """A constant of a floating type."""
    return Const(type_, value)


def is_number(e: Expr, value: float) -> bool:
    """Whether an expression is this constant."""
    return isinstance(e, Const) and e.value == value


def plus(a: Expr, b: Expr) -> Expr:
    """a + b, with signs outside: a - c for a + -c, -(c + d) for -c + -d; a * 2 for a + a."""
    if is_number(a, 0):
        return b
    if is_number(b, 0):
        return a
    if isinstance(a, Const) and isinstance(b, Const):
        return number(a.type, a.value + b.value)
    if a is b:
        return times(a, number(a.type, 2.0))
    if isinstance(b, Sub) and is_number(b.a, 0):
        negative = isinstance(a, Sub) and is_number(a.a, 0)
        return minus(plus(a.b, b.b)) if negative else Sub(a, b.b)  # type: ignore[attr-defined]
    return Add(a, b)


def minus(a: Expr) -> Expr:
    """-a."""
    if isinstance(a, Const):
        return number(a.type, -a.value)
    if isinstance(a, Sub):
        return a.b if is_number(a.a, 0) else Sub(a.b, a.a)
    return Sub(number(a.type, 0.0), a)


def times(a: Expr, b: Expr) -> Expr:
    """a * b; constants come last, signs outside. A product with the constant 0 is 0: rules give it, never data."""
    if isinstance(a, Const):
        a, b = b, a
    if isinstance(b, Const):
        return _scaled(a, b)
    if isinstance(a, Sub) and is_number(a.a, 0):
        return minus(times(a.b, b))
    if isinstance(b, Sub) and is_number(b.a, 0):
        return minus(times(a, b.b))
    return Mul(a, b)


def _scaled(a: Expr, factor: Const) -> Expr:
    if isinstance(a, Const):
        return number(a.type, a.value * factor.value)
    if factor.value == 1:
        return a
    if factor.value == 0:
        return factor
    if factor.value == -1:
        return minus(a)
    if isinstance(a, Sub) and is_number(a.a, 0):
        return times(a.b, number(factor.type, -factor.value))
    if isinstance(a, Mul) and isinstance(a.b, Const):
        return times(a.a, number(factor.type, a.b.value * factor.value))
    return Mul(a, factor)


def divided(a: Expr, b: Expr) -> Expr:
    """a / b, as a product where b is a constant."""
    if isinstance(b, Const) and b.value != 0:
        return times(a, number(b.type, 1 / b.value))
    if is_number(a, 0):
        return a
    return Div(a, b)


def over(a: Expr, b: Expr) -> Expr:
    """a / b as a * (1 / b), so that quotients by b share 1 / b; short types, where 1 / b may overflow, are divided."""
    if is_number(a, 0) or isinstance(b, Const) or b.type.bits() < 32:
        return divided(a, b)
    return times(a, Div(number(b.type, 1.0), b))


def converted(e: Expr, type_: Type) -> Expr:
    """An adjoint in another floating type."""
    return number(type_, e.value) if isinstance(e, Const) else build.cast(type_, e)


# Parts of an adjoint, with conditions of their own, that are carried on one by one.
MAX_PARTS = 16


class Adjoint:
    """A sum of expressions, each with a condition outside of which it is not evaluated.

    Products are formed inside of the select, so that 0 * inf, which is no number, never appears on the other side.
    """

    __slots__ = ("type", "parts")

    def __init__(self, type_: Type, parts: dict[Expr, Expr] | None = None) -> None:
        self.type = type_
        self.parts: dict[Expr, Expr] = parts if parts is not None else {}

    def add(self, other: Adjoint) -> None:
        """Adds another adjoint to this one."""
        for guard, value in other.parts.items():
            mine = self.parts.get(guard)
            total = value if mine is None else plus(mine, value)
            if is_number(total, 0):
                self.parts.pop(guard, None)
            else:
                self.parts[guard] = total

    def times(self, factor: Expr) -> Adjoint:
        """Returns the adjoint multiplied by `factor` wherever it is not zero."""
        return self.mapped(lambda value: times(value, factor))

    def mapped(self, change: Callable[[Expr], Expr]) -> Adjoint:
        """The adjoint with each part replaced by a linear function of it."""
        parts = {guard: change(value) for guard, value in self.parts.items()}
        return Adjoint(self.type, {guard: value for guard, value in parts.items() if not is_number(value, 0)})

    def under(self, condition: Expr) -> Adjoint:
        """The adjoint where the condition holds, zero elsewhere."""
        result = Adjoint(self.type)
        for guard, value in self.parts.items():
            both = build.and_(guard, condition)
            if constant(both) != 0:
                result.add(Adjoint(self.type, {both: value}))
        return result

    def unless(self, singular: Expr) -> Adjoint:
        """The adjoint with its zeros guarded where `singular` holds: the factors that follow may be infinite there."""
        result = Adjoint(self.type)
        for guard, value in self.parts.items():
            safe = build.not_(build.and_(singular, EQ(value, number(value.type, 0.0))))
            result.add(Adjoint(self.type, {build.and_(guard, safe): value}))
        return result

    def to(self, type_: Type) -> Adjoint:
        """The adjoint in another floating type."""
        if type_ is self.type:
            return self
        return Adjoint(type_, {guard: converted(value, type_) for guard, value in self.parts.items()})

    def merged(self) -> Adjoint:
        """The adjoint as one part, if there are many: paths through nested selects double with every level.

        Where one of the conditions holds the value is in use, so that its derivatives are those of the program.
        """
        if len(self.parts) <= MAX_PARTS:
            return self
        return Adjoint(self.type, {build.any_of(self.parts): self.total()})

    def total(self) -> Expr:
        """The sum as one expression."""
        zero = number(self.type, 0.0)
        total: Expr = zero
        for guard, value in self.parts.items():
            total = plus(total, value if guard is TRUE else Select(guard, value, zero))
        return total
