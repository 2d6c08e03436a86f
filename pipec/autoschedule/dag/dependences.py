"""What a point of a stage waits for, and what it holds besides values of pixels: operations one after the other,
constants."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pipec.autoschedule.dag.dag import Operation, Recurrence
from pipec.autoschedule.dag.instructions import count_of, operation_of
from pipec.ir import expr as e
from pipec.ir.walk import mentions, postorder

INTEGER_STEP = 0.3
"""The latency of operations on integers, of comparisons and extrema, by that of a sum of floats."""
STEPS = {Operation.DIVIDE: 4.0, Operation.TRANSCENDENTAL: 10.0}
"""The latencies of longer instructions, by that of a sum of floats; a function takes as many as it counts."""
_READS = (e.FuncCall, e.ImageCall)


def depth_of(values: Iterable[e.Expr], loops: Sequence[str]) -> float:
    """Returns the length of the longest chain of operations between what a point loads and the values it stores."""
    depths: dict[Any, float] = {}
    roots, names = list(values), frozenset(loops)
    for node in postorder(*roots):
        below = [depths.get(child, 0.0) for child in node.children()]
        varies = not isinstance(node, _READS) and mentions(node, names)
        depths[node] = max(below, default=0.0) + _step(node) if varies else 0.0
    return max([depths[root] for root in roots], default=0.0)


def recurrence_of(values: Iterable[e.Expr], func: str, args: tuple[e.Expr, ...] | None = None) -> Recurrence:
    """The recurrence of an update of `func`, by its values at `args`, or by those at any place."""
    depths: dict[Any, float] = {}
    work = {True: 0.0, False: 0.0}
    roots = list(values)
    for node in postorder(*roots):
        before = [depths[child] for child in node.children() if child in depths]
        is_own = isinstance(node, e.FuncCall) and node.name == func and args in (None, node.args)
        if not is_own:
            work[bool(before)] += _weight(node)
        if is_own or before:
            depths[node] = 0.0 if is_own else max(before) + _step(node)
    depth = max([depths[root] for root in roots if root in depths], default=0.0)
    return Recurrence(depth, work[True] / max(1.0, work[True] + work[False]))


def _weight(node: Any) -> float:
    kind, _ = operation_of(node)
    return 0.0 if kind is None else STEPS.get(kind, 1.0) * count_of(node)


def _step(node: Any) -> float:
    kind, of_type = operation_of(node)
    if kind is None or (isinstance(node, e.Mul) and node.type.floating and _is_single(node)):
        return 0.0
    if kind in STEPS:
        return STEPS[kind] * count_of(node)
    quick = not of_type.floating or kind is Operation.COMPARE or isinstance(node, e.Min | e.Max)
    return INTEGER_STEP if quick else 1.0


def _is_single(node: e.Mul) -> bool:
    """Whether a product reads what it multiplies, so that it does not wait: the sum that takes it, if any, does."""
    return not any(isinstance(part, e.Add | e.Sub | e.Mul) for part in (node.a, node.b))


def constants_of(values: Iterable[e.Expr], loops: Sequence[str]) -> tuple[frozenset[float], int]:
    """Returns the constants that operations on floats take, and how many operations of a point do."""
    names, different, uses = frozenset(loops), set[float](), 0
    for node in postorder(*values):
        if isinstance(node, e.Binary) and node.type.floating and mentions(node, names):
            own = [float(part.value) for part in (node.a, node.b) if isinstance(part, e.Const)]
            different.update(own)
            uses += len(own)
    return frozenset(different), uses
