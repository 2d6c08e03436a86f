"""Effects: prints and requirements in expressions, which become statements before the store that evaluates them.

    f(x) = print(x + 1, "at", x) * 2  -->  report 0 (x + 1, x); f(x) = (x + 1) * 2
    f(x) = require(x < n, x, "too far")  -->  assert x < n else error 3; f(x) = x

Passes that move, share or drop values never meet effects, because statements have no value.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipec.ir import build
from pipec.ir.expr import TRUE, Effect, Expr
from pipec.ir.node import Node
from pipec.ir.program import Check, Notice, conversion
from pipec.ir.stmt import Assert, Report, Stmt
from pipec.ir.walk import postorder, rewrite
from pipec.lower.planning.nest import GuardItem, LoopItem, LoopNest
from pipec.lower.planning.plan import LoweringPlan
from pipec.records import replace


def separate_effects(roots: Sequence[Expr]) -> tuple[list[Expr], tuple[Effect, ...]]:
    """Returns the expressions without effects, and the effects in the order of evaluation, with none nested inside."""
    effects = [node for node in postorder(*roots) if isinstance(node, Effect)]
    if not effects:
        return list(roots), ()
    memo: dict[Node, Any] = {}

    def value(node: Any) -> Any:
        return node.value if isinstance(node, Effect) else node

    plain = [rewrite(root, value, memo) for root in roots]
    return plain, tuple([effect.rebuild(memo.__getitem__) for effect in effects])


def effect_statement(effect: Expr, checks: list[Check], notices: list[Notice]) -> Stmt:
    """Returns the statement of an effect without nested ones; adds its text to `checks` or `notices`."""
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
    """Drops the `require` checks of all nests."""
    for nest in [nest for func in plan.funcs.values() for nest in func.nests]:
        holders: list[LoopNest | GuardItem | LoopItem] = [nest]
        holders += [item for item in nest.items if isinstance(item, (GuardItem, LoopItem))]
        for holder in holders:
            holder.effects = tuple([effect for effect in holder.effects if effect.kind != "require"])


def drop_input_checks(plan: LoweringPlan, required: frozenset[str]) -> None:
    """Drops the checks of the regions and constraints of inputs, except those of the kinds `required`.

    All other checks stay: they keep the program from writing outside of its outputs and its own memory.
    """
    for number, check in enumerate(plan.checks):
        of_input = check.kind == "constraint" and dict(check.details)["buffer"] in plan.images
        if check.kind not in required and (of_input or check.kind == "input_bounds"):
            plan.checks[number] = replace(check, condition=TRUE)


def format_of(parts: Sequence[Any]) -> str:
    """Returns a printf format of texts and of the types of values (integers have 64 bits, floats are doubles)."""
    return " ".join([part.replace("%", "%%") if isinstance(part, str) else conversion(part) for part in parts])
