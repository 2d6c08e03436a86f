"""memoize_tag: what a memoised value depends on, where that is not what it is computed from."""

from __future__ import annotations

from typing import Any

from pipec.func.math.casts import operand
from pipec.func.math.expr import Expr, wrap
from pipec.ir.expr import Intrinsic


def memoize_tag(result: Any, *args: Any) -> Expr:
    """`result`, which memoised Funcs take to depend on `args` alone.

    Without arguments it counts as a constant. The user answers for it that equal `args` mean equal results.
    """
    nodes = [operand(value, "memoize_tag") for value in (result, *args)]
    return wrap(Intrinsic(nodes[0].type, "memoize_tag", tuple(nodes)))
