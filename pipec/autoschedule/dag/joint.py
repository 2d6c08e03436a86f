"""Reductions that share loops because they share values, such as the weights of a filter and their sum.

In the Dag they are one Func whose value is a Tuple; in a schedule each has the same directives, and the later ones are
computed with the first (`compute_with`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pipec.autoschedule.dag.dag import Operation
from pipec.autoschedule.dag.instructions import instructions_of
from pipec.autoschedule.dag.roles import is_fixed
from pipec.func.functions.definition import FuncDef, PipelineDef, StageDef
from pipec.ir.expr import Expr, FuncCall, ImageCall, ReductionVariable, Variable
from pipec.ir.placeholders import mentions_undef
from pipec.ir.walk import instances, rewrite
from pipec.records import replace
from pipec.schedule.schedule import Schedule

Joint = Mapping[str, tuple[str, ...]]
"""The Funcs that are computed with another one, by its name."""

WEIGHTS = {Operation.TRANSCENDENTAL: 20.0, Operation.DIVIDE: 10.0}
"""Of instructions, as compared with additions."""
MIN_SHARE = 0.3
"""Of the weight of an update that shares loops with another: what that computes, too."""


def joint_funcs(definition: PipelineDef, schedule: Schedule) -> Joint:
    """Returns which Funcs are worth computing with an earlier one: reductions over the same loops, read at the same
    places by the same stages, whose updates share instructions or loads."""
    groups: dict[Any, list[FuncDef]] = {}
    for func in definition.funcs.values():
        if len(func.stages) > 1 and func.name not in definition.outputs and not _is_partial(func):
            groups.setdefault(_loops(func), []).append(func)
    candidates = [group for group in groups.values() if len(group) > 1]
    if not candidates:
        return {}
    readers, weights = _readers(definition), _Weights(definition)
    joint: dict[str, tuple[str, ...]] = {}
    for group in candidates:
        free = [func for func in group if not is_fixed(schedule, func.name)]
        while free:
            first, *rest = free
            others = [
                func
                for func in rest
                if readers[func.name] == readers[first.name]
                and weights.shared(first, func)
                and not _depends(definition, func.name, first.name)
            ]
            if others:
                joint[first.name] = tuple([func.name for func in others])
            free = [func for func in rest if func not in others]
    return joint


def joined(definition: PipelineDef, joint: Joint) -> PipelineDef:
    """Returns the definitions with a Tuple in the place of Funcs that are computed together."""
    if not joint:
        return definition
    places: dict[str, tuple[str, int]] = {}
    for first, others in joint.items():
        at = len(definition.funcs[first].types)
        for other in others:
            places[other] = first, at
            at += len(definition.funcs[other].types)

    def moved(node: Any) -> Any:
        if not isinstance(node, FuncCall) or node.name not in places:
            return node
        first, at = places[node.name]
        return FuncCall(node.type, first, node.args, at + node.value_index, node.function)

    memo: dict[Any, Any] = {}
    last = {others[-1]: first for first, others in joint.items()}
    funcs: dict[str, FuncDef] = {}
    for name in definition.funcs:
        first = last.get(name, name)
        if name not in joint and (name not in places or name in last):
            members = [definition.funcs[member] for member in (first, *joint.get(first, ()))]
            funcs[first] = _tuple_of(members).mapped(lambda root: rewrite(root, moved, memo))
    return replace(definition, funcs=funcs)


def _tuple_of(members: Sequence[FuncDef]) -> FuncDef:
    """The first Func with the values of all."""
    if len(members) == 1:
        return members[0]
    types = tuple([kind for member in members for kind in member.types])
    each = zip(*[member.stages for member in members], strict=True)
    stages = [replace(stages[0], values=tuple([v for stage in stages for v in stage.values])) for stages in each]
    return replace(members[0], types=types, stages=tuple(stages))


def _loops(func: FuncDef) -> tuple[Any, ...]:
    """What two Funcs have in common that may share their loops."""

    def of(stage: StageDef) -> tuple[Any, ...]:
        return stage.args, tuple([(r.name, r.minimum, r.extent) for r in stage.rvars]), stage.predicate

    return func.args, tuple([of(stage) for stage in func.stages])


def _is_partial(func: FuncDef) -> bool:
    """Whether a stage does not write all of its elements, or a C function does: a Tuple has all values or none."""
    return bool(func.extern) or any(mentions_undef(stage.roots) for stage in func.stages)


def _readers(definition: PipelineDef) -> dict[str, dict[tuple[str, int], frozenset[tuple[Expr, ...]]]]:
    """For every Func the stages of others that read it, each with the coordinates."""
    readers: dict[str, dict[tuple[str, int], frozenset[tuple[Expr, ...]]]] = {name: {} for name in definition.funcs}
    for func in definition.funcs.values():
        for number, stage in enumerate(func.stages):
            places: dict[str, set[tuple[Expr, ...]]] = {}
            for call in instances(FuncCall, *stage.expressions):
                places.setdefault(call.name, set()).add(call.args)
            for name, args in places.items():
                if name != func.name:
                    readers[name][func.name, number] = frozenset(args)
    return readers


def _depends(definition: PipelineDef, name: str, other: str) -> bool:
    """Whether Func `name` reads `other`, directly or through further Funcs."""
    visited, stack = {name}, [name]
    while stack:
        for stage in definition.funcs[stack.pop()].stages:
            new = [callee for callee in stage.callees if callee not in visited]
            visited.update(new)
            stack += new
    return other in visited


class _Weights:
    """How much updates compute; coordinates of what they load do not count."""

    def __init__(self, definition: PipelineDef) -> None:
        self.definition = definition
        self.of_funcs: dict[str, float] = {}

    def shared(self, first: FuncDef, second: FuncDef) -> bool:
        """Whether an update of the second Func computes much of what that of the first does."""
        for a, b in zip(first.stages[1:], second.stages[1:], strict=True):
            own = self._nodes(b.values, second.name)
            if self._weight(own & self._nodes(a.values, first.name)) >= MIN_SHARE * self._weight(own) > 0.0:
                return True
        return False

    def _nodes(self, roots: Sequence[Expr], name: str) -> set[Any]:
        """All that a Func of that name computes for these roots, its own elements left out."""
        nodes, stack = set[Any](), list[Any](roots)
        while stack:
            node = stack.pop()
            if node not in nodes and not (isinstance(node, FuncCall) and node.name == name):
                nodes.add(node)
                stack += [] if isinstance(node, FuncCall | ImageCall) else node.children()
        return nodes

    def _weight(self, nodes: set[Any]) -> float:
        return sum([self._of(node) for node in nodes])

    def _of(self, node: Any) -> float:
        if isinstance(node, FuncCall):
            return self._of_call(node)
        if isinstance(node, ImageCall):
            return 1.0
        return sum([times * WEIGHTS.get(kind, 1.0) for kind, _, times in instructions_of(node, False)])

    def _of_call(self, call: FuncCall) -> float:
        """A Func that is read once at each of its points is as good as a part of its reader."""
        func = self.definition.funcs[call.name]
        plain = all(isinstance(arg, Variable | ReductionVariable) for arg in call.args)
        if not (func.pure and plain and len(set(call.args)) == len(call.args)):
            return 1.0
        if call.name not in self.of_funcs:
            self.of_funcs[call.name] = self._weight(self._nodes(func.stages[0].values, func.name))
        return self.of_funcs[call.name]
