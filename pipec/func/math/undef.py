"""undef: a value that is not stored."""

from __future__ import annotations

from pipec.func.math.expr import Expr, wrap
from pipec.ir.expr import Undef
from pipec.ir.types import Type


def undef(type: Type) -> Expr:
    """No value in particular, of this type: a definition stores nothing where its value is undef.

    `f[x] = hl.undef(hl.Int(32))` leaves the memory of f as it is, for updates that define all that is used.

    >>> x = hl.Var("x")
    >>> f = hl.Func()
    >>> f[x] = hl.undef(hl.Int(32))
    >>> f[2] = 5
    >>> f.realize([4])[2]
    5
    """
    if not isinstance(type, Type):
        raise TypeError(f"undef(): incompatible function arguments: a Type is needed, not {type!r}")
    return wrap(Undef(type))
