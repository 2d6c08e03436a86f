"""Associative reductions: operators found in updates, with the proof that partial results may be merged.

An update f = op(f, e) is factored into partial results that start from an identity of op and are merged by op itself.
That is right when op is associative and merging with the identity changes nothing; when op is also commutative, the
iterations may be dealt out in any way. The idea, and the search for such an operator with as many arguments as a Tuple
has elements, is that of P. Suriana, A. Adams, S. Kamil: Parallel Associative Reductions in Halide, CGO 2017. They look
updates up in a table that was made beforehand; here sums and products are read as polynomials, for which associativity
is decided by multiplying out, so that every Tuple of sums of products is covered.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipec.bounds.conditions import MIRRORED, NEGATED, ORDERING
from pipec.func.directives.polynomials import ReductionOperator, bilinear, coefficient, other, own, polynomial, without
from pipec.ir.expr import (
    GE,
    GT,
    LE,
    LT,
    Add,
    And,
    Compare,
    Const,
    Expr,
    FuncCall,
    Intrinsic,
    Max,
    Min,
    Mul,
    Not,
    Or,
    Select,
    Variable,
)
from pipec.ir.intrinsics import INTRINSICS
from pipec.ir.node import Node
from pipec.ir.placeholders import is_several
from pipec.ir.walk import free_variables, postorder, rewrite


def operator_of(func: str, args: Sequence[Expr], values: Sequence[Expr], predicate: Expr) -> ReductionOperator | None:
    """The operator by which an update of Func `func` combines its own values with new ones; None without a proof.

    There is none for an update of several places at once (`scatter`).
    """
    if any(_calls(e, func) for e in (*args, predicate)) or any(map(is_several, postorder(*args, *values))):
        return None
    memo: dict[Node, Expr] = {}
    bodies = []
    for value in values:
        for call in _calls(value, func):
            if call.args == tuple(args):
                memo[call] = own(call.value_index, call.type)
        bodies.append(rewrite(value, lambda node: node, memo))
    if any(_calls(body, func) for body in bodies):
        return None
    names = [f"own {k}" for k in range(len(bodies))]
    needs = [frozenset(j for j, name in enumerate(names) if name in free_variables(body)) for body in bodies]
    operators = _group_operators(_groups(needs), bodies, needs)
    if operators is None:
        return None
    order = {k: (operator, at) for group, operator in operators for at, k in enumerate(group)}
    return ReductionOperator(
        tuple([order[k][0].identities[order[k][1]] for k in range(len(bodies))]),
        tuple([order[k][0].merge[order[k][1]] for k in range(len(bodies))]),
        all(operator.commutative for _, operator in operators),
        all(operator.neutral for _, operator in operators),
    )


def _group_operators(
    groups: list[list[int]], bodies: Sequence[Expr], needs: Sequence[frozenset[int]]
) -> list[tuple[list[int], ReductionOperator]] | None:
    """An operator for each group; two groups may need each other, as a factor and the recurrence that it scales."""
    operators = {tuple(group): _group_operator(group, bodies, needs) for group in groups}
    for group in [group for group, operator in operators.items() if operator is None]:
        for partner in [partner for partner in operators if partner != group and group in operators]:
            joined = tuple(sorted((*group, *partner)))
            operator = bilinear(list(joined), bodies)
            if operator is not None:
                del operators[group], operators[partner]
                operators[joined] = operator
    proved = [(list(group), operator) for group, operator in operators.items() if operator is not None]
    return proved if len(proved) == len(operators) else None


def _calls(e: Expr, func: str) -> list[FuncCall]:
    return [node for node in postorder(e) if isinstance(node, FuncCall) and node.name == func]


def _groups(needs: Sequence[frozenset[int]]) -> list[list[int]]:
    """The elements in groups that do not depend on each other."""
    groups: list[set[int]] = []
    for k, needed in enumerate(needs):
        joined = {k, *needed}
        apart = [group for group in groups if group.isdisjoint(joined)]
        for group in groups:
            joined |= set() if group in apart else group
        groups = [*apart, joined]
    return sorted([sorted(group) for group in groups])


def _group_operator(
    group: list[int], bodies: Sequence[Expr], needs: Sequence[frozenset[int]]
) -> ReductionOperator | None:
    if len(group) == 1:
        return _single(bodies[group[0]], own(group[0], bodies[group[0]].type))
    return bilinear(group, bodies) or _extremum(group, bodies, needs)


# One element


def _single(body: Expr, mine: Variable) -> ReductionOperator | None:
    k = int(mine.name.split()[1])
    theirs, type_ = other(k, mine.type), mine.type
    if body is mine:
        return ReductionOperator((Const(type_, 0),), (mine,), True)
    if extreme := _extreme(body, mine):
        kind, _ = extreme
        start = type_.min_value() if kind is Max else type_.max_value()
        return ReductionOperator((Const(type_, start),), (kind(mine, theirs),), True)
    if extreme_or_nan := _extreme_or_nan(body, mine):
        kind, test = extreme_or_nan
        start = type_.min_value() if kind is Max else type_.max_value()
        compare = (GT if kind is Max else LT)(mine, theirs)
        return ReductionOperator((Const(type_, start),), (Select(Or(compare, test), mine, theirs),), True)
    identity = _identity(body)
    if identity is not None and _operand(body, body.name if isinstance(body, Intrinsic) else type(body), mine):
        return ReductionOperator((Const(type_, identity),), (_like(body, mine, theirs),), True)
    return _sum_or_product(body, mine, theirs)


def _identity(e: Expr) -> int | None:
    """The operand that changes nothing, when the operation is a logical or bitwise one whose order does not matter."""
    if isinstance(e, Intrinsic):
        return INTRINSICS[e.name].identity(e.type)
    return 1 if isinstance(e, And) else 0 if isinstance(e, Or) else None


def _sum_or_product(body: Expr, mine: Variable, theirs: Variable) -> ReductionOperator | None:
    terms = polynomial(body, frozenset((mine.name,)))
    if terms is None:
        return None
    factor, rest = coefficient(terms, mine.name), without(terms, frozenset((mine.name,)))
    if factor is None:
        return None
    if factor == {(): 1}:
        return ReductionOperator((Const(mine.type, 0),), (Add(mine, theirs),), True)
    return None if rest else ReductionOperator((Const(mine.type, 1),), (Mul(mine, theirs),), True)


def _is(e: Expr, kind: type[Expr] | str) -> bool:
    return isinstance(e, Intrinsic) and e.name == kind if isinstance(kind, str) else isinstance(e, kind)


def _like(e: Expr, a: Expr, b: Expr) -> Expr:
    return Intrinsic(e.type, e.name, (a, b)) if isinstance(e, Intrinsic) else type(e)(a, b)


def _operand(body: Expr, kind: type[Expr] | str, mine: Variable) -> list[Expr] | None:
    """The other operands of nested operations of a kind, when exactly one of all is `mine`."""
    operands, leaves = [body], []
    while operands:
        e = operands.pop()
        if _is(e, kind):
            operands += [child for child in e.children() if isinstance(child, Expr)]
        else:
            leaves.append(e)
    rest = [e for e in leaves if e is not mine]
    return rest if len(rest) == len(leaves) - 1 and not any(mine.name in free_variables(e) for e in rest) else None


def _extreme(body: Expr, mine: Variable) -> tuple[type[Min] | type[Max], Expr | None] | None:
    """The kind of a body that is the minimum or maximum of `mine` and others; the other operand if it is only one."""
    for kind in (Min, Max):
        if isinstance(body, kind) and (rest := _operand(body, kind, mine)):
            return kind, rest[0] if len(rest) == 1 else None
    if isinstance(body, Select) and mine in (body.true_value, body.false_value):
        new = body.false_value if body.true_value is mine else body.true_value
        relation = _replaces(body, mine, mine, new)
        if relation is not None and mine.name not in free_variables(new):
            return (Max if relation in (LT, LE) else Min), new
    return None


def _extreme_or_nan(body: Expr, mine: Variable) -> tuple[type[Min] | type[Max], Expr] | None:
    """The kind of a body that is the minimum or maximum, or NaN once one of them is, and its test whether `mine` is."""
    if not (isinstance(body, Select) and body.true_value is mine and isinstance(body.condition, Or)):
        return None
    compare, test = body.condition.a, body.condition.b
    if isinstance(test, Compare):
        compare, test = test, compare
    extreme = _extreme(Select(compare, mine, body.false_value), mine)
    is_test = isinstance(test, Intrinsic) and test.name == "is_nan" and test.args == (mine,)
    return (extreme[0], test) if extreme is not None and is_test else None


def _replaces(body: Select, current: Variable, mine: Variable, new: Expr) -> type[Compare] | None:
    """The relation between `mine` and `new` under which the body is not `current`; None when it is no such relation."""
    condition, negated = body.condition, body.true_value is current
    while isinstance(condition, Not):
        condition, negated = condition.value, not negated
    relation = type(condition)
    if not isinstance(condition, Compare) or relation not in ORDERING:
        return None
    if (condition.a, condition.b) == (new, mine):
        relation = MIRRORED[relation]
    elif (condition.a, condition.b) != (mine, new):
        return None
    return NEGATED[relation] if negated else relation


# Several elements that depend on each other


def _extremum(group: list[int], bodies: Sequence[Expr], needs: Sequence[frozenset[int]]) -> ReductionOperator | None:
    """The extremum of one element, and what belongs to it in the others (argmax, argmin).

    Of equal ones the first or the last wins, which is associative: either way the winner is decided by value and place.
    """
    leads = [k for k in group if needs[k] == {k}]
    if len(leads) != 1 or any(not needs[k] <= {k, leads[0]} for k in group):
        return None
    lead = own(leads[0], bodies[leads[0]].type)
    extreme = _extreme(bodies[leads[0]], lead)
    if extreme is None:
        return None
    kind, new = extreme
    if new is None:
        return None
    relations = set()
    for k in group:
        body, current = bodies[k], own(k, bodies[k].type)
        if current is lead:
            continue
        if not isinstance(body, Select) or current not in (body.true_value, body.false_value):
            return None
        replacement = body.false_value if body.true_value is current else body.true_value
        if free_variables(replacement) & {lead.name, current.name}:
            return None
        relations.add(_replaces(body, current, lead, new))
    relation = relations.pop()
    if relation is None or relations or relation not in ((LT, LE) if kind is Max else (GT, GE)):
        return None
    theirs = other(leads[0], lead.type)
    start = Const(lead.type, lead.type.min_value() if kind is Max else lead.type.max_value())
    identities = [start if k == leads[0] else Const(bodies[k].type, 0) for k in group]
    merge: list[Expr] = []
    for k in group:
        mine = own(k, bodies[k].type)
        wins = relation(lead, theirs)
        merge.append(kind(lead, theirs) if mine is lead else Select(wins, other(k, mine.type), mine))
    # When the last of equal ones wins, the start of an empty part would win over the same value before it.
    return ReductionOperator(tuple(identities), tuple(merge), False, relation in (LT, GT))
