"""Prints and requirements in expressions become statements before the store that evaluates them.

    f(x) = print(x + 1, "at", x) * 2  -->  report 0 (x + 1, x); f(x) = (x + 1) * 2
    f(x) = require(x < n, x, "too far")  -->  assert x < n else error 3; f(x) = x

A statement has no value, so that whatever moves, shares or drops values need not know about them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipec.ir import build
from pipec.ir.expr import Effect, Expr
from pipec.ir.node import Node
from pipec.ir.program import Check, Notice, conversion
from pipec.ir.stmt import Assert, Report, Stmt
from pipec.ir.walk import postorder, rewrite
from pipec.lower.planning.nest import GuardItem, LoopItem, LoopNest
from pipec.lower.planning.plan import LoweringPlan


def separated(roots: Sequence[Expr]) -> tuple[list[Expr], tuple[Effect, ...]]:
    """The expressions without their effects, and these in the order of evaluation, themselves without any inside."""
    seen: set[Node] = set()
    found = [node for root in roots for node in postorder(root, seen) if isinstance(node, Effect)]
    if not found:
        return list(roots), ()
    memo: dict[Node, Any] = {}
    plain = [rewrite(root, _value, memo) for root in roots]
    return plain, tuple([effect.rebuild(memo.__getitem__) for effect in found])


def _value(node: Any) -> Any:
    return node.value if isinstance(node, Effect) else node


def effect_statement(effect: Expr, checks: list[Check], notices: list[Notice]) -> Stmt:
    """The statement of an effect without others inside; what it says is added to `checks` or `notices`."""
    assert isinstance(effect, Effect)
    parts = tuple([part if isinstance(part, str) else part.type for part in effect.parts])
    values = tuple([part for part in effect.parts if isinstance(part, Expr)])
    if effect.kind == "require":
        names = tuple([f"value {number}" for number in range(len(values))])
        checks.append(Check("require", (("message", format_of(parts)),), names))
        return Assert(effect.condition, len(checks) - 1, tuple([build.slot_bits(value) for value in values]))
    notices.append(Notice(effect.kind, parts))
    return Report(len(notices) - 1, values, effect.condition, "", build.NOTHING)


def drop_requirements(plan: LoweringPlan) -> None:
    """Nothing is demanded of values any more."""
    for nest in [nest for func in plan.funcs.values() for nest in func.nests]:
        holders: list[LoopNest | GuardItem | LoopItem] = [nest]
        holders += [item for item in nest.items if isinstance(item, (GuardItem, LoopItem))]
        for holder in holders:
            holder.effects = tuple([effect for effect in holder.effects if effect.kind != "require"])


def format_of(parts: Sequence[Any]) -> str:
    """A printf format of texts, and types in the place of values (integers as 64 bits, floats as doubles)."""
    return " ".join([part.replace("%", "%%") if isinstance(part, str) else conversion(part) for part in parts])
