"""Domains cut into pieces on which a place is affine: clamps, selects, quotients and remainders of coordinates."""

from __future__ import annotations

from collections.abc import Iterator

from pipec.autodiff.terms import DomainDim, Scatter, affine, facts_of, interval_over, is_limit, narrowed
from pipec.bounds.conditions import plain_conjuncts
from pipec.bounds.interval import Interval
from pipec.bounds.simplify import simplify
from pipec.func.functions.names import numbered_name
from pipec.ir import build
from pipec.ir.build import constant
from pipec.ir.expr import (
    GE,
    GT,
    LE,
    LT,
    Compare,
    Const,
    Div,
    Expr,
    FuncCall,
    ImageCall,
    Intrinsic,
    Max,
    Min,
    Mod,
    Not,
    Or,
    Select,
    const,
)
from pipec.ir.intrinsics import value_operand
from pipec.ir.types import INT32
from pipec.ir.walk import free_variables, postorder, rewrite, substitute
from pipec.records import replace

# A place with more cases than this is not split.
MAX_PIECES = 100


def pieces(scatter: Scatter) -> list[Scatter]:
    """Scatters over disjoint parts of the domain that together are this one."""
    plain = replace(scatter, args=tuple([_unmarked(arg) for arg in scatter.args]))
    limits = [interval_over(scatter.dims, arg) for arg in plain.args]
    complete: list[Scatter] = []
    pending = [plain]
    while pending:
        piece = _simplified(pending.pop())
        if piece is None:
            continue
        parts = list(_split(piece)) if len(pending) + len(complete) < MAX_PIECES else []
        if parts:
            pending += reversed(parts)
        else:
            complete.append(replace(piece, args=tuple(map(_within, [piece] * len(limits), piece.args, limits))))
    return complete


def _within(piece: Scatter, place: Expr, limits: Interval) -> Expr:
    """A place that a piece still scatters to, clamped to the limits of the whole, which a piece may no longer show."""
    names = {dim.name for dim in piece.dims}
    low, high = limits.low, limits.high
    if place.type is not INT32 or piece.is_table(place) or affine(place, names) is not None:
        return place
    if low is None or high is None or free_variables(low) & names or free_variables(high) & names:
        return place
    return build.max_(build.min_(place, high), low)


def current(scatter: Scatter, e: Expr) -> Expr:
    """An expression of the definition's variables in terms of the dims."""
    return substitute(e, {dim.name: value for dim, value in scatter.replaced})


def _unmarked(e: Expr) -> Expr:
    return rewrite(e, lambda n: (value_operand(n) or n) if isinstance(n, Intrinsic) else n)


def _simplified(scatter: Scatter) -> Scatter | None:
    """The scatter over the points where its condition may hold, its place simplified; None if there are none.

    Conditions that are limits of its dims now are left out.
    """
    condition = current(scatter, scatter.condition)
    dims = narrowed(scatter.dims, condition)
    if dims is None or constant(facts_of(dims).simplify(condition)) == 0:
        return None
    facts = facts_of(dims, [condition])
    left = [part for part in plain_conjuncts(scatter.condition) if not is_limit(dims, current(scatter, part))]
    args = tuple([facts.simplify(arg) for arg in scatter.args])
    return replace(scatter, args=args, dims=dims, condition=build.all_of(left))


def _split(scatter: Scatter) -> Iterator[Scatter]:
    """The scatter in two or more simpler parts; none when its place is affine or can't be split."""
    names = {dim.name for dim in scatter.dims}
    places = [arg for arg in scatter.args if affine(arg, names) is None]
    # Around images that repeat, the edges are scattered to: cut along each mirror they would be dozens of pieces.
    for arg in [arg for arg in places if _repeats(arg, names)]:
        places.remove(arg)
        for node in postorder(arg):
            if isinstance(node, Select) and free_variables(node.condition) & names and _is_plain(node.condition, names):
                yield from _either(scatter, node, node.condition, node.true_value, node.false_value)
                return
    for arg in places:
        # The innermost one first: then conditions compare what is affine.
        for node in postorder(arg):
            if not isinstance(node, Expr) or not free_variables(node) & names:
                continue
            if any(isinstance(n, FuncCall | ImageCall) for n in postorder(node)):
                continue
            if isinstance(node, Min | Max) and node.type is INT32 and _inverts(node, names):
                yield from _either(scatter, node, _first_wins(node, names), node.a, node.b)
                return
            if isinstance(node, Select):
                yield from _either(scatter, node, node.condition, node.true_value, node.false_value)
                return
            if isinstance(node, Div | Mod) and node.type is INT32:
                divided = _in_digits(scatter, node)
                if divided is not None:
                    yield divided
                    return


def _repeats(place: Expr, names: set[str]) -> bool:
    """Whether a place holds the remainder of a variable by what is not constant, such as a size of an image."""
    return any(
        isinstance(node, Mod) and not isinstance(node.b, Const) and free_variables(node.a) & names
        for node in postorder(place)
    )


def _is_plain(condition: Expr, names: set[str]) -> bool:
    """Whether a condition compares affine places."""
    return all(
        affine(side, names) is not None
        for node in postorder(condition)
        if isinstance(node, Compare)
        for side in (node.a, node.b)
    )


def _inverts(node: Min | Max, names: set[str]) -> bool:
    """Whether one of the operands is an affine place: else the parts are no simpler."""
    forms = [affine(part, names) for part in (node.a, node.b) if free_variables(part) & names]
    return any(form is not None for form in forms)


def _first_wins(node: Min | Max, names: set[str]) -> Expr:
    """The condition that a min or max is its first operand; of equal operands the one that varies."""
    varies = bool(free_variables(node.a) & names)
    if isinstance(node, Min):
        return (LE if varies else LT)(node.a, node.b)
    return (GE if varies else GT)(node.a, node.b)


def _either(scatter: Scatter, node: Expr, condition: Expr, first: Expr, second: Expr) -> Iterator[Scatter]:
    """The part where the node is `first`, and the part where it is `second`."""
    for case, value in [(c, first) for c in _cases(condition)] + [(c, second) for c in _cases(_none_of(condition))]:
        chosen = [rewrite(arg, lambda n: n, {node: value}) for arg in scatter.args]
        args = tuple([arg if scatter.is_table(arg) else current(scatter, arg) for arg in chosen])
        yield replace(scatter, args=args, condition=build.and_(scatter.condition, case))


def _none_of(condition: Expr) -> Expr:
    """The negation of a condition, as a conjunction where that is possible."""
    return build.all_of(plain_conjuncts(build.not_(condition)))


def _cases(condition: Expr) -> list[Expr]:
    """Conditions of which exactly one holds when this one does: a or b is a, or b and not a."""
    if isinstance(condition, Not) and isinstance(condition.value, Or):
        return [_none_of(condition.value)]
    if not isinstance(condition, Or):
        return [condition]
    second = _none_of(condition.a)
    return [*_cases(condition.a), *[build.and_(case, second) for case in _cases(condition.b)]]


def _in_digits(scatter: Scatter, node: Div | Mod) -> Scatter | None:
    """z + c = step * q + t in the place of z, so that the quotient is q and the remainder t."""
    step = constant(node.b)
    names = {dim.name for dim in scatter.dims}
    form = affine(node.a, names)
    if form is None or not isinstance(step, int) or step < 2:
        return None
    for dim in scatter.dims:
        factor = form.terms.get(dim.variable)
        rest = simplify(build.sub(node.a, build.mul(dim.variable, factor or 0)))
        if factor is None or abs(factor) != 1 or free_variables(rest) & names:
            continue
        over = interval_over(scatter.dims, simplify(build.div(node.a, step)))
        if over.low is None or over.high is None:
            return None
        q = DomainDim(numbered_name("q"), over.low, over.high, dim.reduction)
        t = DomainDim(numbered_name("t"), const(0), const(step - 1), True, True)
        number = build.sub(build.add(build.mul(q.variable, step), t.variable), rest)
        value = simplify(number if factor > 0 else build.sub(0, number))
        change = {dim.name: value}
        others = [d for d in scatter.dims if d is not dim]
        dims = (*others, q, t)
        replaced = [(d, substitute(e, change)) for d, e in scatter.replaced]
        args = scatter.with_change(change)
        return replace(scatter, args=args, dims=dims, replaced=((dim, value), *replaced))
    return None
