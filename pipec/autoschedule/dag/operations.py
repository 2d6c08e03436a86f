"""The operations of a point of a stage, by their cost, each distinct expression once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from typing import Any

from pipec.autoschedule.dag.affine_forms import Form, Forms
from pipec.autoschedule.dag.dag import TYPE_CLASSES, Operation
from pipec.bounds.conditions import plain_conjuncts
from pipec.ir import expr as e
from pipec.ir.build import constant
from pipec.ir.intrinsics import INTRINSICS, Cost
from pipec.ir.types import Type
from pipec.ir.walk import free_variables, mentions

Counts = tuple[tuple[int, ...], ...]
Part = tuple[tuple[int, ...], tuple[tuple[float, ...], ...]]
"""Loops, and operations that give something else in each of their iterations."""

AVERAGED = (8, 16)
"""Bits of unsigned numbers of which there are averages, halves rounded up."""
_KIND: dict[type, Operation] = {
    e.Add: Operation.ADD,
    e.Sub: Operation.ADD,
    e.Min: Operation.ADD,
    e.Max: Operation.ADD,
    e.Mul: Operation.MULTIPLY,
    e.Select: Operation.COMPARE,
    e.And: Operation.COMPARE,
    e.Or: Operation.COMPARE,
    e.Not: Operation.COMPARE,
    e.ExternValue: Operation.OTHER,
    e.Effect: Operation.OTHER,
}


def type_class(kind: Type) -> int:
    """The column of a type in operation counts."""
    bits = max(kind.nbits, 8)
    if kind.floating:
        return TYPE_CLASSES.index(f"float{bits}")
    return TYPE_CLASSES.index(f"int{bits}") if bits <= 64 else TYPE_CLASSES.index("int64")


Chooser = Callable[[e.Expr], "bool | None"]


def counted(parts: Iterable[Part]) -> Counts:
    """The operations of all parts together."""
    total = [[0.0] * len(TYPE_CLASSES) for _ in Operation]
    for _, counts in parts:
        for row, add in zip(total, counts, strict=True):
            for column, count in enumerate(add):
                row[column] += count
    return tuple([tuple([round(count) for count in row]) for row in total])


def parts(
    roots: Iterable[e.Expr],
    forms: Forms,
    loops: Sequence[str],
    choosers: Sequence[Chooser | None] = (None,),
    phased: Set[str] = frozenset(),
) -> tuple[Part, ...]:
    """The operations of a point, by the loops that change what they compute.

    Affine coordinates are free: loops count them; so is what is the same in all loops. With several `choosers`, each of
    which evaluates conditions in one phase of the loops `phased`, the counts are averages of a point; what does not
    depend on these loops is computed once for all phases.
    """
    names, visited = frozenset(loops), set[Any]()
    counts_of: dict[frozenset[str], list[list[float]]] = {}
    roots = list(roots)
    for choose in choosers:
        for node in _computed(roots, forms, names, choose):
            kind, of_type = operation_of(node)
            if kind is None or _fused(node, names):
                continue
            own = names if isinstance(node, e.ExternValue) else free_variables(node) & names
            if own.isdisjoint(phased):
                if node in visited:
                    continue
                visited.add(node)
                own |= phased
            counts = counts_of.get(own)
            if counts is None:
                counts = counts_of[own] = [[0.0] * len(TYPE_CLASSES) for _ in Operation]
            times = INTRINSICS[node.name].count if isinstance(node, e.Intrinsic) else 1
            counts[kind][type_class(of_type)] += times / len(choosers)
    return tuple(
        [
            (tuple([d for d, name in enumerate(loops) if name in own]), tuple([tuple(row) for row in counts]))
            for own, counts in counts_of.items()
        ]
    )


def _computed(roots: Iterable[e.Expr], forms: Forms, loops: frozenset[str], choose: Chooser | None) -> Iterator[Any]:
    """All distinct nodes that are computed for a point."""
    visited: set[Any] = set()
    stack: list[Any] = list(roots)
    while stack:
        node = stack.pop()
        if node in visited:
            continue
        visited.add(node)
        if not mentions(node, loops) and not isinstance(node, e.ExternValue):
            continue
        chosen = choose(node.condition) if choose is not None and isinstance(node, e.Select) else None
        if chosen is not None:
            stack.append(node.true_value if chosen else node.false_value)
            continue
        yield node
        averaged = _averaged(node)
        if averaged:
            stack += averaged
        elif isinstance(node, e.FuncCall | e.ImageCall):
            stack += [arg for arg in node.args if not _free(forms.of(arg))]
        elif not isinstance(node, e.ExternValue):
            stack += node.children()


def tested(predicate: e.Expr, forms: Forms) -> list[e.Expr]:
    """Returns the conjuncts of a predicate that every point evaluates: affine ones become bounds of loops."""
    return [part for part in plain_conjuncts(predicate) if not ends_loops(part, forms)]


def ends_loops(condition: e.Expr, forms: Forms) -> bool:
    """Whether a condition becomes a bound of a loop: an affine comparison."""
    return isinstance(condition, e.Compare) and all(forms.of(side).exact for side in (condition.a, condition.b))


def _fused(node: Any, loops: frozenset[str]) -> bool:
    """Whether a sum of floats is one instruction with the product that it adds."""
    if not isinstance(node, e.Add | e.Sub) or not node.type.floating:
        return False
    return any(isinstance(part, e.Mul) and mentions(part, loops) for part in (node.a, node.b))


def _free(form: Form) -> bool:
    return form.is_affine and (form.exact or (form.boundary and not form.scattered))


def _averaged(node: Any) -> tuple[e.Expr, ...]:
    """a and b of uint8((uint16(a) + uint16(b) + 1) / 2), and the same of other widths: one instruction."""
    if not isinstance(node, e.Cast) or node.type.signed or node.type.nbits not in AVERAGED:
        return ()
    total, one = _halved(node.value), 0
    terms: list[e.Expr] = []
    stack = [total] if total is not None else []
    while stack:
        part = stack.pop()
        value = constant(part)
        if isinstance(part, e.Add):
            stack += (part.b, part.a)
        elif value is not None:
            one += int(value)
        elif isinstance(part, e.Cast) and part.value.type is node.type:
            terms.append(part.value)
        else:
            return ()
    return tuple(terms) if len(terms) == 2 and one == 1 else ()


def _halved(value: e.Expr) -> e.Expr | None:
    """The integer of which a value is the half, rounded down."""
    if not value.type.integral:
        return None
    if isinstance(value, e.Div) and constant(value.b) == 2:
        return value.a
    if isinstance(value, e.Intrinsic) and value.name == "shift_right" and constant(value.args[1]) == 1:
        return value.args[0]
    return None


def operation_of(node: Any) -> tuple[Operation | None, Type]:
    """The cost of a node, None for nothing; and the type whose vectors hold its operands."""
    if isinstance(node, e.Compare):
        return Operation.COMPARE, node.a.type
    if isinstance(node, e.Div | e.Mod):
        return _division(node), node.type
    if _averaged(node):
        return Operation.ADD, node.type
    if isinstance(node, e.Mul) and all(_is_widened(factor) for factor in (node.a, node.b)):
        return Operation.MULTIPLY, node.type.with_bits(node.type.nbits // 2)
    if isinstance(node, e.Cast):
        source = node.value.type
        wider = source if source.nbits > node.type.nbits else node.type
        same = source.nbits == node.type.nbits and source.floating == node.type.floating
        return None if same else Operation.CAST, wider
    if isinstance(node, e.Intrinsic):
        cost = INTRINSICS[node.name].cost
        return (None if cost is Cost.FREE else Operation[cost.name]), node.args[0].type
    return _KIND.get(type(node)), node.type


def _is_widened(factor: e.Expr) -> bool:
    """Whether a 64-bit integer is known to be one of 32 bits: there are instructions for products of such."""
    if not factor.type.integral or factor.type.nbits != 64:
        return False
    if isinstance(factor, e.Cast):
        return bool(factor.value.type.integral and factor.value.type.nbits < 64)
    value = constant(factor)
    return value is not None and -(1 << 31) <= value < 1 << 31


def _division(node: e.Div | e.Mod) -> Operation:
    divisor = constant(node.b)
    if divisor is None:
        return Operation.DIVIDE
    power = divisor > 0 and float(divisor).is_integer() and int(divisor) & (int(divisor) - 1) == 0
    if node.type.floating:
        return Operation.MULTIPLY if power else Operation.DIVIDE
    return Operation.SHIFT if power else Operation.MULTIPLY


def total(counts: Counts, *kinds: Operation) -> int:
    """Operations of some kinds, of all types."""
    return sum(sum(counts[kind]) for kind in kinds)


def summed(parts: Iterable[tuple[Counts, int]]) -> Counts:
    """Counts times how often each is computed."""
    result = [[0] * len(TYPE_CLASSES) for _ in Operation]
    for counts, times in parts:
        for row, add in zip(result, counts, strict=True):
            for column, count in enumerate(add):
                row[column] += count * times
    return tuple([tuple(row) for row in result])
