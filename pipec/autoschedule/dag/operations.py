"""The operations of a point of a stage, by their cost, each distinct expression once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from typing import Any

from pipec.autoschedule.dag.affine_forms import Form, Forms
from pipec.autoschedule.dag.dag import TYPE_CLASSES, Operation, OperationCounts
from pipec.autoschedule.dag.instructions import averaged, instructions_of
from pipec.bounds.conditions import is_likely, negation, plain_conjuncts
from pipec.ir import expr as e
from pipec.ir.types import Type
from pipec.ir.walk import free_variables, mentions, postorder, rewrite

Counts = tuple[tuple[int, ...], ...]
Part = tuple[tuple[int, ...], OperationCounts]
"""Loops, and operations that give something else in each of their iterations."""


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
    emulated: bool = False,
    varying: Set[e.Expr] = frozenset(),
    apart: Set[e.Expr] = frozenset(),
) -> tuple[Part, ...]:
    """The operations of a point, by the loops that change what they compute. `emulated`: see `instructions_of`;
    `varying`: the result of that function; `apart`: nodes that are left out.

    Affine coordinates are free: loops count them; so is what is the same in all loops. With several `choosers`, each of
    which evaluates conditions in one phase of the loops `phased`, the counts are averages of a point, but for what is
    the same in all phases.
    """
    names, visited = frozenset(loops), set[Any]()
    counts_of: dict[frozenset[str], list[list[float]]] = {}
    roots = list(roots)
    phases = [list(computed(roots, forms, names, choose, varying)) for choose in choosers]
    met = Counter(node for nodes in phases for node in nodes)
    for nodes in phases:
        for node in nodes:
            instructions = instructions_of(node, emulated)
            if not instructions or node in apart or _fused(node, names):
                continue
            own = names if node in varying else free_variables(node) & names
            share = len(choosers)
            if own.isdisjoint(phased):
                if node in visited:
                    continue
                visited.add(node)
                if met[node] == len(choosers):
                    share = 1
                else:
                    own |= phased
            counts = counts_of.get(own)
            if counts is None:
                counts = counts_of[own] = [[0.0] * len(TYPE_CLASSES) for _ in Operation]
            for kind, of_type, times in instructions:
                counts[kind][type_class(of_type)] += times / share
    return tuple(
        [
            (tuple([d for d, name in enumerate(loops) if name in own]), tuple([tuple(row) for row in counts]))
            for own, counts in counts_of.items()
        ]
    )


def varying(roots: Iterable[e.Expr], func: str) -> Set[e.Expr]:
    """The nodes whose values may differ in all iterations, whichever loops they mention.

    These are what an update reads of its own Func, what extern functions return, and what is computed of both.
    """
    nodes: set[Any] = set()
    for node in postorder(*roots):
        own = isinstance(node, e.ExternValue) or (isinstance(node, e.FuncCall) and node.name == func)
        if own or not nodes.isdisjoint(node.children()):
            nodes.add(node)
    return nodes


def computed(
    roots: Iterable[e.Expr], forms: Forms, loops: frozenset[str], choose: Chooser | None, varying: Set[e.Expr]
) -> Iterator[Any]:
    """All distinct nodes that are computed for a point."""
    visited: set[Any] = set()
    stack: list[Any] = list(roots)
    while stack:
        node = stack.pop()
        if node in visited:
            continue
        visited.add(node)
        if not mentions(node, loops) and node not in varying:
            continue
        chosen = choose(node.condition) if choose is not None and isinstance(node, e.Select) else None
        if chosen is not None:
            stack.append(node.true_value if chosen else node.false_value)
            continue
        yield node
        averages = averaged(node)
        if averages:
            stack += averages
        elif isinstance(node, e.FuncCall | e.ImageCall):
            stack += [arg for arg in node.args if not _free(forms.of(arg))]
        elif not isinstance(node, e.ExternValue):
            stack += node.children()


def tested(predicate: e.Expr, forms: Forms) -> list[e.Expr]:
    """Returns the conjuncts of a predicate that every point evaluates: affine ones become bounds of loops."""
    return [part for part in plain_conjuncts(predicate) if not ends_loops(part, forms)]


def steady(values: Iterable[e.Expr], forms: Forms) -> tuple[e.Expr, ...]:
    """What is computed away from the edges of loops: of selections with affine conditions the side marked likely.

    Loops are partitioned so that nothing else is left of them (lower/passes/partition_loops.py).
    """

    def change(node: Any) -> Any:
        side = _likely_side(node) if isinstance(node, e.Select) else None
        if side is None:
            return node
        decided = plain_conjuncts(node.condition if side else negation(node.condition))
        if not all(ends_loops(part, forms) for part in decided):
            return node
        return node.true_value if side else node.false_value

    return tuple([rewrite(value, change) for value in values])


def _likely_side(node: e.Select) -> bool | None:
    """The value of a selection's condition that is marked as the likely one."""
    if is_likely(node.condition, innermost=True):
        return True
    first, second = (is_likely(value, innermost=True) for value in (node.true_value, node.false_value))
    return first if first != second else None


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
