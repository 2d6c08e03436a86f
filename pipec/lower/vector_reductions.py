"""Updates of one element by all lanes of a vector loop.

    vectorized (r, 0, 8) { f[0] = f[0] + in[r] }  -->  f[0] = f[0] + reduce_add(in[ramp(0, 1, 8)])

The lanes may be combined in any order: the schedule has said so by letting them run together.
"""

from __future__ import annotations

from typing import NamedTuple

from pipec.ir import build
from pipec.ir.expr import Add, And, Binary, Const, Expr, Load, Max, Min, Mul, Or, Sub
from pipec.ir.stmt import Store
from pipec.ir.types import Type
from pipec.ir.walk import postorder

_OPERATORS: dict[type[Binary], str] = {Add: "add", Mul: "mul", Min: "min", Max: "max", And: "and", Or: "or"}


class Reduction(NamedTuple):
    """The stored value is `kind` of the element's old value and `rest`, which does not depend on the buffer."""

    kind: type[Binary]
    rest: Expr
    old: Load

    @property
    def operator(self) -> str:
        return _OPERATORS[self.kind]

    def identity(self) -> Expr:
        """What changes nothing when it is combined."""
        type_ = self.rest.type.element_of()
        return Const(type_, _identity(self.operator, type_))


def reduction_of(stmt: Store) -> Reduction | None:
    """The update that a store makes of the element it stores; None when it is none of an associative operator."""
    value = stmt.value
    kind: type[Binary] | None = Add if isinstance(value, Sub) else type(value) if isinstance(value, Binary) else None
    if kind not in _OPERATORS:
        return None
    olds: list[Load] = []
    rest: Expr | None = None
    stack = [(value, False)]
    while stack:
        e, negative = stack.pop()
        if isinstance(e, kind):
            stack += [(e.b, negative), (e.a, negative)]
        elif kind is Add and isinstance(e, Sub):
            stack += [(e.b, not negative), (e.a, negative)]
        elif isinstance(e, Load) and e.buffer == stmt.buffer and e.index is stmt.index and not negative:
            olds.append(e)
        elif any(isinstance(node, Load) and node.buffer == stmt.buffer for node in postorder(e)):
            return None
        elif negative:
            rest = Sub(rest if rest is not None else build.as_expr(0, e.type), e)
        else:
            rest = e if rest is None else kind(rest, e)
    return Reduction(kind, rest, olds[0]) if len(olds) == 1 and rest is not None else None


def _identity(operator: str, type_: Type) -> int | float:
    if operator in ("add", "or"):
        # Negative zero, so that a sum of negative zeros stays one.
        return -0.0 if type_.floating else 0
    if operator in ("mul", "and"):
        return 1
    return type_.max_value() if operator == "min" else type_.min_value()
