"""Operators that merge partial results of reductions."""

from __future__ import annotations

from pipec.ir.expr import Expr, Variable
from pipec.ir.types import Type
from pipec.records import dataclass


@dataclass(frozen=True)
class ReductionOperator:
    """How two partial results merge, element by element, as expressions of `own(k)` and `other(k)`.

    `neutral`: merging with the identities changes nothing. Where it does not hold, a partial result may start from the
    identities (they give way to whatever comes), but one that nothing was added to must not be merged.
    """

    identities: tuple[Expr, ...]
    merge: tuple[Expr, ...]
    commutative: bool
    neutral: bool = True


def own(k: int, type_: Type) -> Variable:
    """Element `k` of the earlier partial result."""
    return Variable(type_, f"own {k}")


def other(k: int, type_: Type) -> Variable:
    """Element `k` of the later partial result."""
    return Variable(type_, f"other {k}")
