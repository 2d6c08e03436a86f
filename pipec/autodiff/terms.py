"""Contributions: what a read of a Func, image or Param adds to its adjoint.

A definition that reads p at T(z) and whose own adjoint gives `value` for that read contributes a scatter:

    for all z in the domain where `condition` holds:    d_p[T(z)] += value(z)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pipec.autodiff.facts import Facts
from pipec.bounds.conditions import inequalities, plain_conjuncts
from pipec.bounds.interval import Interval, IntervalAnalysis
from pipec.bounds.linear import Linear, from_linear, linear
from pipec.bounds.simplify import simplify
from pipec.func.functions.definition import SourceLocation
from pipec.ir import build
from pipec.ir.build import constant
from pipec.ir.expr import Const, Expr, FuncCall, ImageCall, Variable, const
from pipec.ir.types import INT32
from pipec.ir.walk import free_variables, postorder, substitute
from pipec.records import dataclass, field


@dataclass(frozen=True, eq=False)
class DomainDim:
    """A variable of a domain: all integers from low to high.

    `reduction`: whether a condition has to keep it there; adjoints of Funcs are zero outside of their coordinates.
    `digit`: whether it is the remainder of a division by a small number.
    """

    name: str
    low: Expr
    high: Expr
    reduction: bool = False
    digit: bool = False

    @property
    def variable(self) -> Variable:
        """The variable of the dimension."""
        return Variable(INT32, self.name)

    @property
    def extent(self) -> Expr:
        """The number of values of the dimension."""
        return simplify(build.add(build.sub(self.high, self.low), 1))

    @property
    def size(self) -> int | None:
        """The number of its values, None when that is no constant."""
        extent = constant(self.extent)
        return None if extent is None else int(extent)


@dataclass(frozen=True, eq=False)
class Scatter:
    """A contribution as the definition gives it.

    `args` are expressions of the variables `dims`; `value` and `condition` also of the variables that are `replaced` by
    expressions of dims, as are coordinates that read something there.
    """

    args: tuple[Expr, ...]
    value: Expr
    dims: tuple[DomainDim, ...]
    condition: Expr
    location: SourceLocation = field(default_factory=SourceLocation)
    replaced: tuple[tuple[DomainDim, Expr], ...] = ()

    def is_table(self, arg: Expr) -> bool:
        """Whether a coordinate depends on what is read somewhere in the domain: it keeps the definition's variables."""
        names = {dim.name for dim in (*self.dims, *[dim for dim, _ in self.replaced])}
        return is_gather(arg) and affine(arg, names) is None

    def with_change(self, change: Mapping[str, Expr]) -> tuple[Expr, ...]:
        """The coordinates with variables of dims replaced."""
        return tuple([arg if self.is_table(arg) else simplify(substitute(arg, change)) for arg in self.args])


def facts_of(dims: Sequence[DomainDim], conditions: Sequence[Expr] = ()) -> Facts:
    """The inequalities and conditions that hold inside a domain."""
    facts = Facts(conditions)
    for dim in dims:
        facts.interval(dim.variable, dim.low, dim.high)
    return facts


def narrowed(dims: Sequence[DomainDim], condition: Expr) -> tuple[DomainDim, ...] | None:
    """The dims restricted to values for which the condition may hold; None when there are none."""
    result = list(dims)
    for part in plain_conjuncts(condition):
        _narrow(result, part)
    return tuple(result) if all(dim.size is None or dim.size > 0 for dim in result) else None


def is_limit(dims: Sequence[DomainDim], condition: Expr) -> bool:
    """Whether a condition holds for all values of the dims, as limits of one of them that `narrowed` gave to it."""
    narrower = list(dims)
    return _narrow(narrower, condition) and all(a is b for a, b in zip(narrower, dims, strict=True))


def _narrow(dims: list[DomainDim], part: Expr) -> bool:
    """Restricts dims to values for which a condition may hold; returns whether it always holds then."""
    forms = inequalities(part)
    names = {dim.name for dim in dims}
    exact = forms is not None
    for form in forms or ():
        is_exact = False
        for at, dim in enumerate(dims):
            factor = form.terms.get(dim.variable)
            if factor is None:
                continue
            rest = Linear(form.constant, {a: c for a, c in form.terms.items() if a is not dim.variable})
            limit = interval_over(dims, from_linear(rest, INT32))
            if limit.high is None or free_variables(limit.high) & names:
                continue
            is_exact = limit.is_point
            dims[at] = _cut(dim, factor, limit.high)
        exact = exact and is_exact
    return exact


def _cut(dim: DomainDim, factor: int, upper: Expr) -> DomainDim:
    """The dim where factor * variable + upper >= 0, which a condition keeps there from now on."""
    low, high = dim.low, dim.high
    if factor > 0:
        low = tighter(low, simplify(build.sub(0, build.div(upper, factor))), upper=False)
    else:
        high = tighter(high, simplify(build.div(upper, -factor)), upper=True)
    if low is dim.low and high is dim.high:
        return dim
    return DomainDim(dim.name, low, high, True, dim.digit)


def tighter(a: Expr, b: Expr, upper: bool) -> Expr:
    """The smaller of two upper limits, or the larger of two lower ones."""
    return simplify(build.min_(a, b) if upper else build.max_(a, b))


def interval_over(dims: Sequence[DomainDim], e: Expr) -> Interval:
    """The values that an expression takes in a domain."""
    intervals = {dim.name: Interval(dim.low, dim.high) for dim in dims}
    return IntervalAnalysis(intervals.get).of(e)


def is_gather(e: Expr) -> bool:
    """Whether an expression reads a Func or an image."""
    return any(isinstance(node, FuncCall | ImageCall) for node in postorder(e))


def affine(e: Expr, names: set[str]) -> Linear | None:
    """`e` as a linear form in these variables, plus terms that do not depend on them; None when it is not affine."""
    if e.type is not INT32:
        return None
    form = linear(e)
    for atom in form.terms:
        if not (isinstance(atom, Variable) and atom.name in names) and free_variables(atom) & names:
            return None
    return form


ZERO: Const = const(0)
