"""The canonical form of index arithmetic: constant + sum of coefficient * atom, atoms being non-linear nodes."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import TypeGuard

from pipec.ir.build import as_expr, cast, constant, euclidean_div
from pipec.ir.expr import Add, Broadcast, Cast, Const, Div, Expr, Max, Min, Mod, Mul, Ramp, Sub
from pipec.ir.node import Order
from pipec.ir.types import INT32, INT64, Type
from pipec.ir.walk import compute_bottom_up

# Mins and maxes that are nested more deeply are compared as wholes.
SHAPE_DEPTH = 3


class Linear:
    """constant + sum of coefficient * atom, coefficients not being 0. Immutable once shared."""

    __slots__ = ("constant", "terms")

    def __init__(self, value: int = 0, terms: dict[Expr, int] | None = None) -> None:
        self.constant = value
        self.terms: dict[Expr, int] = {} if terms is None else terms

    def plus(self, other: Linear, factor: int = 1) -> Linear:
        """self + factor * other."""
        if not other.terms:
            return Linear(self.constant + factor * other.constant, self.terms)
        terms = dict(self.terms)
        for atom, coefficient in other.terms.items():
            total = terms.get(atom, 0) + factor * coefficient
            if total:
                terms[atom] = total
            else:
                terms.pop(atom, None)
        return Linear(self.constant + factor * other.constant, terms)

    def times(self, factor: int) -> Linear:
        """self * factor."""
        if factor == 0:
            return Linear()
        return Linear(self.constant * factor, {atom: c * factor for atom, c in self.terms.items()})

    def shifted(self, amount: int) -> Linear:
        """self + amount."""
        return Linear(self.constant + amount, self.terms)

    def opposite(self) -> Linear:
        """The form that is >= 0 where this one is below 0."""
        return self.times(-1).shifted(-1)

    def without(self, atom: Expr) -> Linear:
        """The form without the term of `atom`."""
        return Linear(self.constant, {other: c for other, c in self.terms.items() if other is not atom})

    @property
    def is_constant(self) -> bool:
        """Whether there are no terms."""
        return not self.terms

    def is_at_least(self, other: Linear) -> bool:
        """Whether the form is `other` and a constant that is not negative."""
        return self.constant >= other.constant and self.terms == other.terms

    def is_multiple_of(self, factor: int) -> bool:
        """Whether the constant and all coefficients are multiples of `factor`."""
        return all(number % factor == 0 for number in (self.constant, *self.terms.values()))


def sum_of_terms(root: Expr, value_of: Callable[[Expr], Expr | None] = lambda node: None) -> Linear:
    """`root` as a sum of constant multiples of its terms, which are not brought into canonical form. Not memoised.

    int32 arithmetic does not overflow by definition: int64 of an int32 sum is the sum of its terms, which stay int32.
    `value_of`: the expression that replaces a term, None for terms that stay.
    """
    terms: dict[Expr, int] = {}
    total = 0
    stack = [(root, 1)]
    while stack:
        node, factor = stack.pop()
        if isinstance(node, Const):
            total += int(node.value) * factor
        elif isinstance(node, Add):
            stack += [(node.b, factor), (node.a, factor)]
        elif isinstance(node, Sub):
            stack += [(node.b, -factor), (node.a, factor)]
        elif isinstance(node, (Mul, Cast)) and (product := _scaled(node)) is not None:
            stack.append((product[0], factor * product[1]))
        elif (value := value_of(node)) is not None:
            stack.append((value, factor))
        else:
            terms[node] = terms.get(node, 0) + factor
    return Linear(total, {node: factor for node, factor in terms.items() if factor})


def _scaled(node: Mul | Cast) -> tuple[Expr, int] | None:
    """The expression and the number whose product a node is, up to the width of integers; None for others."""
    if isinstance(node, Mul):
        for a, b in ((node.a, node.b), (node.b, node.a)):
            factor = constant(b)
            if factor is not None:
                return a, int(factor)
    elif node.type.nbits == 64 and node.type.element_of() is INT64 and node.value.type.element_of() is INT32:
        return node.value, 1
    return None


def linear(root: Expr) -> Linear:
    """The linear form of an int32 or int64 expression. Memoised; one visit of each distinct node."""
    form = _form(root)
    if form is not None:
        return form
    if all([part.linear is not None for part in _linear_parts(root)]):
        _store_form(root)
    else:
        compute_bottom_up(root, lambda node: node.linear is not None, _store_form, _linear_parts)
    form = _form(root)
    assert form is not None
    return form


def is_atom(node: Expr) -> bool:
    """Whether the linear form of `node` is the node itself."""
    if node.linear is None:
        linear(node)
    return node.linear is _ATOM


def _form(node: Expr) -> Linear | None:
    form: Linear | None = node.linear
    return Linear(0, {node: 1}) if form is _ATOM else form


# The memo of a node that is an atom: a form that held the node itself would keep it alive.
_ATOM = Linear()


def _linear_parts(node: Expr) -> tuple[Expr, ...]:
    if isinstance(node, (Add, Sub)):
        return (node.a, node.b)
    if isinstance(node, Mul):
        if constant(node.b) is not None:
            return (node.a,)
        if constant(node.a) is not None:
            return (node.b,)
        if node.type is INT64:
            return (node.a, node.b)
    if _is_widened_sum(node):
        return (node.value,)
    return ()


def _is_widened_sum(node: Expr) -> TypeGuard[Cast]:
    """int64(a + b) of int32 operands, which is int64(a) + int64(b): int32 index arithmetic does not overflow."""
    return (
        isinstance(node, Cast)
        and node.type is INT64
        and node.value.type is INT32
        and isinstance(node.value, (Add, Sub, Mul))
    )


def _store_form(node: Expr) -> None:
    node.linear = _combine(node)


def _combine(node: Expr) -> Linear:
    value = constant(node) if isinstance(node, (Const, Broadcast)) else None
    if value is not None:
        return Linear(int(value))
    if isinstance(node, Add):
        return linear(node.a).plus(linear(node.b))
    if isinstance(node, Sub):
        return linear(node.a).plus(linear(node.b), -1)
    if isinstance(node, Mul):
        for x, factor in ((node.a, constant(node.b)), (node.b, constant(node.a))):
            if factor is not None:
                return linear(x).times(int(factor))
        return _multiplied_out(node) if node.type is INT64 else _ATOM
    if _is_widened_sum(node):
        form = linear(node.value)
        if node.value not in form.terms:
            return Linear(form.constant, {cast(INT64, atom): factor for atom, factor in form.terms.items()})
    return _ATOM


def _multiplied_out(product: Mul) -> Linear:
    """A sum times a stride, term by term, so that unrolled copies of a loop's body share terms."""
    a, b = linear(product.a), linear(product.b)
    if (product.b in b.terms) == (product.a in a.terms):
        return _ATOM
    if product.b in b.terms:
        total = Linear(0, {Mul(atom, product.b): factor for atom, factor in a.terms.items()})
        return total.plus(b, a.constant)
    total = Linear(0, {Mul(product.a, atom): factor for atom, factor in b.terms.items()})
    return total.plus(a, b.constant)


def from_linear(form: Linear, type_: Type) -> Expr:
    """The canonical expression of a linear form: terms in the order of `Node.order`, positive ones first."""
    terms, offset = form.terms, form.constant
    if not terms:
        return as_expr(offset, type_)
    if len(terms) == 1:
        ((only, factor),) = terms.items()
        total = only if factor == 1 else Mul(only, as_expr(factor, type_))
        if offset == 0 and factor == 1:
            return total
    else:
        total = _sum(sorted(terms.items(), key=_order), type_)
    if offset > 0:
        total = Add(total, as_expr(offset, type_))
    elif offset < 0:
        whole = type_.min_value() < offset
        total = Sub(total, as_expr(-offset, type_)) if whole else Add(total, as_expr(offset, type_))
    total.is_canonical = True
    return total


def _sum(terms: Sequence[tuple[Expr, int]], type_: Type) -> Expr:
    atom, factor = terms[0]
    total: Expr = atom if factor == 1 else Mul(atom, as_expr(factor, type_))
    for atom, factor in terms[1:]:
        term = atom if factor in (1, -1) else Mul(atom, as_expr(abs(factor), type_))
        total = Add(total, term) if factor > 0 else Sub(total, term)
    return total


def _order(item: tuple[Expr, int]) -> tuple[bool, Order]:
    return (item[1] < 0, item[0].order())


def difference(a: Expr, b: Expr) -> int | None:
    """a - b when that is a constant, else None."""
    if a is b:
        return 0
    form = linear(a).plus(linear(b), -1)
    return form.constant if form.is_constant else None


def canonical(e: Expr) -> Expr:
    """The canonical form of an int32 or int64 expression whose operands are canonical."""
    if e.is_canonical:
        return e
    if isinstance(e, (Min, Max)):
        result = _canonical_min_max(e)
    elif isinstance(e, (Div, Mod)):
        result = _canonical_division(e)
    elif isinstance(e, (Add, Sub, Mul)) and not isinstance(e.a, Ramp) and not isinstance(e.b, Ramp):
        return from_linear(linear(e), e.type)
    else:
        return e
    if result is e:
        e.is_canonical = True
    return result


def operands_of(e: Expr, kind: type[Expr]) -> list[Expr]:
    """The operands of nested mins (or maxes), constants that are added to the nested ones being distributed."""
    result: list[Expr] = []
    stack: list[tuple[Expr, int]] = [(e, 0)]
    while stack:
        node, offset = stack.pop()
        if isinstance(node, (Min, Max)) and isinstance(node, kind):
            stack.extend(((node.b, offset), (node.a, offset)))
            continue
        form = linear(node)
        # A sum of one min (or max) and a constant is the min of the operands plus that constant.
        if len(form.terms) == 1:
            ((atom, coefficient),) = form.terms.items()
            if coefficient == 1 and isinstance(atom, kind) and isinstance(atom, (Min, Max)):
                stack.extend(((atom.b, offset + form.constant), (atom.a, offset + form.constant)))
                continue
        result.append(from_linear(form.shifted(offset), node.type))
    return result


def _canonical_min_max(e: Min | Max) -> Expr:
    """Operands flattened, dominated ones dropped, in the order of `Node.order`, the common constant outside.

    Of the operands' constants it is the greatest of a min, whose operands may be limits near the greatest value: what
    remains is subtracted from the other ones. So with the least of a max.
    """
    kind = type(e)
    operands = _undominated(operands_of(e, kind), kind)
    if len(operands) == 1:
        return operands[0]
    opposite: type[Min | Max] = Max if kind is Min else Min
    others = set(operands)
    operands = [k for k in operands if not _bounded_by_another(k, others, opposite)]
    operands.sort(key=_without_constant)
    constants = [form.constant for form in map(linear, operands) if form.terms]
    offset = 0 if len(constants) < len(operands) else max(constants) if kind is Min else min(constants)
    total = reduce(kind, [from_linear(linear(k).shifted(-offset), k.type) for k in operands])
    if offset == 0:
        return total
    return from_linear(Linear(offset, {total: 1}), e.type)


def _without_constant(operand: Expr) -> tuple[bool, Order]:
    terms = linear(operand).terms
    return bool(terms), from_linear(Linear(0, terms), operand.type).order()


def _undominated(operands: Iterable[Expr], kind: type[Expr]) -> list[Expr]:
    """The operands without those that are nowhere less (Min) or nowhere greater (Max) than another one.

    Compared are the constants of operands that differ in constants only: min(x, 9) is at most min(x + 1, 9).
    """
    rivals: dict[object, list[tuple[tuple[int, ...], Expr]]] = {}
    for operand in operands:
        shape, constants = _shape(operand, SHAPE_DEPTH)
        group = rivals.setdefault(shape, [])
        if not any(_dominates(other, constants, kind) for other, _ in group):
            group[:] = [rival for rival in group if not _dominates(constants, rival[0], kind)]
            group.append((constants, operand))
    return [operand for group in rivals.values() for _, operand in group]


def _dominates(a: tuple[int, ...], b: tuple[int, ...], kind: type[Expr]) -> bool:
    ordered = operator.le if kind is Min else operator.ge
    return all(map(ordered, a, b))


def _shape(e: Expr, depth: int) -> tuple[object, tuple[int, ...]]:
    """What is left of an expression without its constants, and those constants in which it does not decrease."""
    form = linear(e)
    nested = [atom for atom, factor in form.terms.items() if isinstance(atom, (Min, Max)) and factor > 0]
    if len(nested) != 1 or not depth:
        return frozenset(form.terms.items()), (form.constant,)
    (atom,) = nested
    (one, constants), (other, others) = _shape(atom.a, depth - 1), _shape(atom.b, depth - 1)
    rest = frozenset(form.without(atom).terms.items())
    return (rest, form.terms[atom], type(atom), one, other), (form.constant, *constants, *others)


def _bounded_by_another(e: Expr, others: set[Expr], opposite: type[Min | Max]) -> bool:
    """max(x, min(x, y)) is x, and min(x, max(x, y)) is x: whether `e` is such an inner min or max."""
    return isinstance(e, opposite) and not others.isdisjoint(operands_of(e, opposite))


def _canonical_division(e: Div | Mod) -> Expr:
    divisor = constant(e.b)
    if divisor is None or int(divisor) <= 0:
        return e
    by = int(divisor)
    form = linear(e.a)
    whole = Linear(form.constant // by, {atom: c // by for atom, c in form.terms.items() if c % by == 0})
    rest = Linear(form.constant % by, {atom: c for atom, c in form.terms.items() if c % by})
    if isinstance(e, Mod):
        rest = Linear(rest.constant, {a: c % by for a, c in rest.terms.items()})
        if rest.is_constant:
            return as_expr(rest.constant % by, e.type)
        return Mod(from_linear(rest, e.type), e.b)
    if rest.is_constant:
        return from_linear(whole.shifted(euclidean_div(rest.constant, by)), e.type)
    inner = from_linear(rest, e.type)
    quotient = _nested_quotient(inner, by)
    return from_linear(whole.plus(Linear(0, {quotient: 1})), e.type)


def _nested_quotient(inner: Expr, by: int) -> Expr:
    """(x / a) / b is x / (a * b) for positive a and b."""
    if isinstance(inner, Div):
        first = constant(inner.b)
        if first is not None and first > 0 and int(first) * by < 1 << 31:
            return Div(inner.a, as_expr(int(first) * by, inner.type))
    return Div(inner, as_expr(by, inner.type))
