"""ArgumentEstimates: what is expected of an argument, and the limits of its values."""

from __future__ import annotations

from pipec.func.functions.rdom import Range
from pipec.func.math.expr import Expr
from pipec.records import dataclass, field


@dataclass
class ArgumentEstimates:
    """Of a scalar: its default, least, greatest and typical value; of a buffer: a Range for each dimension.

    >>> p = hl.Param(hl.Int(32), "p")
    >>> p.set_estimate(5)
    >>> p.parameter().get_argument_estimates().scalar_estimate
    <halide.Expr of type int32: 5>
    """

    scalar_def: Expr = field(default_factory=Expr)
    scalar_min: Expr = field(default_factory=Expr)
    scalar_max: Expr = field(default_factory=Expr)
    scalar_estimate: Expr = field(default_factory=Expr)
    buffer_estimates: list[Range] = field(default_factory=list)
