"""Scatter to gather: the variables of a domain solved from the place that they address.

    d_p[2 * x + y, x + r] += value(x, y, r)    -->    d_p[u, v] += value(v - r, u - 2 * (v - r), r), for all r

Rows of the place that are affine are a system of linear equations in integers. Columns are chosen that make it
regular; Hermite's normal form of these solves it, with conditions where only some u are reached. What is not chosen
stays a loop; rows that depend on chosen ones (diagonals), or that are no affine functions (tables), stay expressions.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipec.autodiff.terms import DomainDim, Scatter, affine
from pipec.bounds.linear import Linear, from_linear
from pipec.bounds.simplify import simplify
from pipec.func.functions.definition import SourceLocation
from pipec.func.functions.names import numbered_name
from pipec.ir import build
from pipec.ir.expr import EQ, Expr, Variable, const
from pipec.ir.types import INT32
from pipec.ir.walk import substitute
from pipec.records import dataclass, replace

Matrix = list[list[int]]
# Variables with more values than this are solved for first; shorter ones may stay loops.
MAX_SHORT_SIZE = 64


@dataclass(frozen=True, eq=False)
class Term:
    """A contribution in the coordinates of its target: for all u, and all values of the loops: d_p[place] += value.

    `value`, `condition` and coordinates of `place` that are tables are expressions of the variables of the
    definition; `solved` gives their values.
    `exact`: conditions on u under which there is a solution at all.
    """

    place: tuple[Expr, ...]
    value: Expr
    condition: Expr
    loops: tuple[DomainDim, ...]
    solved: tuple[tuple[DomainDim, Expr], ...]
    exact: tuple[Expr, ...]
    location: SourceLocation


@dataclass(frozen=True, eq=False)
class Equation:
    """A sum of multiples of variables that equals `right`: row `at` of the place."""

    at: int
    factors: dict[str, int]
    right: Expr


def solved_term(scatter: Scatter, target: Sequence[Variable]) -> Term:
    """The scatter with as many variables as possible in terms of the target's coordinates."""
    equations = _equations(scatter, target)
    scatter, equations = _with_digits(scatter, equations)
    dims = scatter.dims
    system = [[equation.factors.get(dim.name, 0) for dim in dims] for equation in equations]
    pivots = _pivots(system, dims)
    chosen = independent_rows(system, pivots)
    solution: dict[str, Expr] = {}
    exact: list[Expr] = []
    if chosen:
        matrix = [[system[i][j] for j in pivots] for i in chosen]
        rights = [_without_loops(equations[i], dims, pivots) for i in chosen]
        values, exact = _solve(matrix, rights)
        solution = {dims[j].name: value for j, value in zip(pivots, values, strict=True)}
    place: list[Expr] = [arg if scatter.is_table(arg) else simplify(substitute(arg, solution)) for arg in scatter.args]
    for i in chosen:
        place[equations[i].at] = target[equations[i].at]
    loops = tuple([dim for j, dim in enumerate(dims) if j not in pivots])
    solved = [(dims[j], solution[dims[j].name]) for j in pivots]
    solved += [(dim, simplify(substitute(e, solution))) for dim, e in scatter.replaced]
    return Term(tuple(place), scatter.value, scatter.condition, loops, tuple(solved), tuple(exact), scatter.location)


def _equations(scatter: Scatter, target: Sequence[Variable]) -> list[Equation]:
    """Returns an equation for each affine row that depends on a variable."""
    names = {dim.name for dim in scatter.dims}
    equations = []
    for at, arg in enumerate(scatter.args):
        form = None if scatter.is_table(arg) else affine(arg, names)
        if form is None:
            continue
        factors = {atom.name: c for atom, c in form.terms.items() if isinstance(atom, Variable) and atom.name in names}
        others = {atom: c for atom, c in form.terms.items() if getattr(atom, "name", "") not in factors}
        rest = Linear(form.constant, others)
        if factors:
            equations.append(Equation(at, factors, simplify(build.sub(target[at], from_linear(rest, INT32)))))
    return equations


def _without_loops(equation: Equation, dims: Sequence[DomainDim], pivots: Sequence[int]) -> Expr:
    """The right side of a row for the pivots alone."""
    right = equation.right
    for j, dim in enumerate(dims):
        if j not in pivots:
            right = build.sub(right, build.mul(dim.variable, equation.factors.get(dim.name, 0)))
    return simplify(right)


def _pivots(system: Matrix, dims: Sequence[DomainDim]) -> list[int]:
    """A maximal set of independent columns; those that would be the longest loops first."""

    def cost(j: int) -> tuple[bool, bool, bool, int]:
        few = dims[j].size is not None and dims[j].size <= MAX_SHORT_SIZE  # type: ignore[operator]
        unit = all(abs(row[j]) <= 1 for row in system)
        return few, not unit, dims[j].reduction, j

    pivots: list[int] = []
    for j in sorted(range(len(dims)), key=cost):
        if len(independent_rows(system, [*pivots, j])) > len(pivots):
            pivots.append(j)
    return sorted(pivots)


def independent_rows(system: Matrix, columns: Sequence[int]) -> list[int]:
    """The first rows that are linearly independent in these columns."""
    independent: list[int] = []
    reduced: list[tuple[int, list[int]]] = []
    for i, full in enumerate(system):
        row = [full[j] for j in columns]
        for lead, other in reduced:
            if row[lead]:
                a, b = row[lead], other[lead]
                row = [b * x - a * y for x, y in zip(row, other, strict=True)]
        lead = next((k for k, x in enumerate(row) if x), -1)
        if lead >= 0:
            reduced.append((lead, row))
            independent.append(i)
    return independent


def hermite(matrix: Matrix) -> tuple[Matrix, Matrix]:
    """H and U with matrix * U = H: H lower triangular with a positive diagonal, U unimodular; for regular matrices."""
    n = len(matrix)
    h = [list(row) for row in matrix]
    u = [[int(i == j) for j in range(n)] for i in range(n)]

    def combine(into: int, source: int, factor: int) -> None:
        for row in (*h, *u):
            row[into] += factor * row[source]

    for i in range(n):
        while sum(bool(h[i][j]) for j in range(i, n)) > 1:
            least = min((j for j in range(i, n) if h[i][j]), key=lambda j: abs(h[i][j]))
            for j in range(i, n):
                if j != least and h[i][j]:
                    combine(j, least, -(h[i][j] // h[i][least]))
        lead = next(j for j in range(i, n) if h[i][j])
        for row in (*h, *u):
            row[i], row[lead] = row[lead], row[i]
        if h[i][i] < 0:
            for row in (*h, *u):
                row[i] = -row[i]
    return h, u


def _solve(matrix: Matrix, rights: Sequence[Expr]) -> tuple[list[Expr], list[Expr]]:
    """The integers z with matrix * z = rights, and the conditions under which they exist."""
    h, u = hermite(matrix)
    w: list[Expr] = []
    exact: list[Expr] = []
    for i, right in enumerate(rights):
        rest = right
        for k in range(i):
            rest = build.sub(rest, build.mul(w[k], h[i][k]))
        rest = simplify(rest)
        if h[i][i] != 1:
            exact.append(simplify(EQ(build.mod(rest, h[i][i]), const(0))))
        w.append(simplify(build.div(rest, h[i][i])))
    values: list[Expr] = []
    for row in u:
        total: Expr = const(0)
        for factor, value in zip(row, w, strict=True):
            total = build.add(total, build.mul(value, factor))
        values.append(simplify(total))
    return values, exact


def _with_digits(scatter: Scatter, equations: list[Equation]) -> tuple[Scatter, list[Equation]]:
    """s * x + r as s * (x + q) + t with r = s * q + t: the place determines t, so every iteration over r has a use."""
    for equation in equations:
        strided = _strided(equation, equations, scatter.dims)
        if strided is None:
            continue
        step, dim = strided
        size = dim.size
        assert size is not None
        quotients = -(-size // step)
        t = DomainDim(numbered_name("t"), const(0), const(step - 1), True, True)
        q = DomainDim(numbered_name("q"), const(0), const(quotients - 1), True)
        forward = equation.factors[dim.name] > 0
        digit = t.variable if forward else build.sub(step - 1, t.variable)
        value = simplify(build.add(build.add(dim.low, digit), build.mul(q.variable, step if quotients > 1 else 0)))
        rest_of_dims = tuple([d for d in scatter.dims if d is not dim])
        # The digits may go beyond the last value.
        original = DomainDim(dim.name, dim.low, dim.high, dim.reduction and size != quotients * step)
        replaced = [(d, substitute(e, {dim.name: value})) for d, e in scatter.replaced]
        args = scatter.with_change({dim.name: value})
        dims = (*rest_of_dims, q, t) if quotients > 1 else (*rest_of_dims, t)
        result = replace(scatter, args=args, dims=dims, replaced=((original, value), *replaced))
        right = equation.right
        rest = build.sub(right, dim.low) if forward else build.add(build.add(right, dim.low), step - 1)
        factors = {name: factor // step for name, factor in equation.factors.items() if name != dim.name}
        if quotients > 1:
            factors[q.name] = 1 if forward else -1
        others = [other for other in equations if other is not equation]
        others.append(Equation(equation.at, factors, simplify(build.div(rest, step))))
        others.append(Equation(equation.at, {t.name: 1}, simplify(build.mod(rest, step))))
        return result, others
    return scatter, equations


def _strided(
    equation: Equation, equations: Sequence[Equation], dims: Sequence[DomainDim]
) -> tuple[int, DomainDim] | None:
    """The stride and the variable r of a row s * x + r, where r is short and both are in this row only."""
    shared = any(set(other.factors) & set(equation.factors) for other in equations if other is not equation)
    if len(equation.factors) != 2 or shared:
        return None
    by_name = {dim.name: dim for dim in dims}
    for name, factor in equation.factors.items():
        dim = by_name[name]
        (step,) = [abs(other) for key, other in equation.factors.items() if key != name]
        if abs(factor) == 1 and step > 1 and dim.reduction and dim.size is not None and dim.size <= MAX_SHORT_SIZE:
            return step, dim
    return None
