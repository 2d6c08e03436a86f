"""gather and scatter: updates that store several values at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipec.errors import DefinitionError
from pipec.func.math.casts import operand
from pipec.func.math.expr import Expr, wrap
from pipec.func.math.selection import lossless
from pipec.ir.expr import Const, Intrinsic
from pipec.ir.placeholders import NAME


def scatter(args: Sequence[Any]) -> Expr:
    """On the left of an update: the coordinates of several stores, `f[hl.scatter([a, b])] = hl.gather([u, v])`.

    The coordinates must be distinct. All values are computed before the first is stored. Operations on what gather
    and scatter give apply to each of the values; all of them in a definition take the same number of Exprs.

    >>> x = hl.Var("x")
    >>> f = hl.Func()
    >>> f[x] = x
    >>> f[hl.scatter([0, 3])] = f[hl.gather([3, 0])]
    >>> f.realize([4]).numpy().tolist()
    [3, 1, 2, 0]
    """
    return _several("scatter", args)


def gather(args: Sequence[Any]) -> Expr:
    """Several values for the stores of an update whose coordinates are a scatter of as many Exprs.

    >>> x = hl.Var("x")
    >>> f = hl.Func()
    >>> f[x] = x
    >>> f[hl.scatter([0, 3])] = f[hl.gather([3, 0])]
    >>> f.realize([4]).numpy().tolist()
    [3, 1, 2, 0]
    """
    return _several("gather", args)


def _several(name: str, args: Any) -> Expr:
    if not isinstance(args, list | tuple):
        raise TypeError(f"{name}(): incompatible function arguments: a list of Exprs is needed, not {args!r}")
    if not args:
        raise DefinitionError(f"Error: {name}() needs at least one Expr.")
    nodes = [operand(arg, name) for arg in args]
    kind = next((node for node in nodes if not isinstance(node, Const)), nodes[0]).type
    converted = [lossless(kind, node) for node in nodes]
    if None in converted:
        raise DefinitionError(
            f"Error: All Exprs of a {name} must have one type, but they have {', '.join(str(n.type) for n in nodes)}."
        )
    return wrap(Intrinsic(kind, NAME, tuple(converted)))
