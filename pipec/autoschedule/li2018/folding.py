"""Updates in place folded into the pure definition, with their sums as separate Funcs.

    f[x] = a; f[x] += b(x)       -->  f[x] = a + b(x)
    f[x] = a; f[x] += e(x, r)    -->  s[x] = 0; s[x] += e(x, r); f[x] = a + s[x]

Each element is then stored once, and s may be computed in registers inside the loops of f.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipec.func.directives.associativity import operator_of
from pipec.func.directives.polynomials import ReductionOperator, other, own
from pipec.func.functions.definition import StageDef
from pipec.func.functions.function import Function
from pipec.ir.expr import TRUE, Effect, Expr, ExternValue, FuncCall, Undef, Variable
from pipec.ir.placeholders import is_several
from pipec.ir.types import INT32, Type
from pipec.ir.walk import postorder, renaming_calls, rewrite, substitute
from pipec.records import replace


def fold(function: Function, summed: Callable[[int], bool]) -> list[Function]:
    """Changes the definitions of a Function, and returns the sums that its pure definition reads now.

    `summed(number)`: whether the loops of that update may become a sum for each element. Sums may move before other
    sums, so floats may be rounded differently.
    """
    if len(function.stages) < 2 or not _is_plain(function):
        return []
    pure = tuple([Variable(INT32, name) for name in function.args])
    values = function.stages[0].values
    sums: list[Function] = []
    left: list[StageDef] = []
    for number, stage in enumerate(function.stages[1:], 1):
        operator = operator_of(function.name, stage.args, stage.values, stage.predicate)
        first = all(_same(operator, function, before) for before in left)
        if stage.args != pure or not first:
            left.append(stage)
        elif not stage.rvars and stage.predicate is TRUE and _reads_in_place(function, stage):
            values = _with_own(function, stage.values, values)
        elif operator is not None and operator.neutral and stage.rvars and summed(number):
            sums.append(_sum(function, number, operator))
            values = _merged(operator, values, sums[-1], pure)
        else:
            left.append(stage)
    if len(left) + 1 < len(function.stages):
        redefine(function, [StageDef(pure, values, (), TRUE, function.stages[0].location), *left])
    return sums


def _is_plain(function: Function) -> bool:
    """Whether a Function has no wrappers, side effects and values that are undefined or several."""
    if function.substitutes or function.wraps is not None or function.wrapper is not None:
        return False
    nodes = postorder(*[root for stage in function.stages for root in stage.roots])
    return not any(isinstance(node, Effect | ExternValue | Undef) or is_several(node) for node in nodes)


def _is_own(function: Function, node: object) -> bool:
    return isinstance(node, FuncCall) and node.name == function.name


def _reads_in_place(function: Function, stage: StageDef) -> bool:
    nodes = postorder(*stage.values)
    return all(node.args == stage.args for node in nodes if isinstance(node, FuncCall) and _is_own(function, node))


def _same(operator: ReductionOperator | None, function: Function, before: StageDef) -> bool:
    """Whether an update may move before another one: both combine by the same commutative operator."""
    if operator is None or not operator.commutative:
        return False
    return operator == operator_of(function.name, before.args, before.values, before.predicate)


def _with_own(function: Function, updated: tuple[Expr, ...], values: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """The values after an update, in terms of those before the first one."""

    def change(node: Any) -> Any:
        return values[node.value_index] if _is_own(function, node) else node

    return tuple([rewrite(value, change) for value in updated])


def _sum(function: Function, number: int, operator: ReductionOperator) -> Function:
    """The sum of what update `number` combines, from the identity of its operator."""
    stage = function.stages[number]
    part = part_of(function, f"sum{number}", function.args, function.types)
    part.add_stage(replace(stage, values=operator.identities, rvars=(), predicate=TRUE))
    part.add_stage(replace(stage, values=tuple(map(renaming_calls({function.name: part.name}), stage.values))))
    part.freeze()
    return part


def part_of(function: Function, what: str, args: tuple[str, ...], types: tuple[Type, ...]) -> Function:
    """A Function without definitions for a part of another one; its name follows from `what` and the other's alone."""
    part = Function(f"{function.name}${what}", function.location)
    part.name, part.args, part.types = f"{function.name}${what}", args, types
    return part


def _merged(
    operator: ReductionOperator, values: tuple[Expr, ...], part: Function, args: tuple[Expr, ...]
) -> tuple[Expr, ...]:
    operands: dict[str, Expr] = {}
    for k, kind in enumerate(part.types):
        operands[own(k, kind).name] = values[k]
        operands[other(k, kind).name] = FuncCall(kind, part.name, args, k, part)
    return tuple([substitute(merge, operands) for merge in operator.merge])


def redefine(function: Function, stages: list[StageDef]) -> None:
    """Replaces all definitions of a Function."""
    function.stages.clear()
    for stage in stages:
        function.add_stage(stage)
