"""The state of one lowering, which passes read and change."""

from __future__ import annotations

from pipec.func.functions.definition import FuncDef, PipelineDef
from pipec.ir.expr import Const
from pipec.ir.program import Check, Notice, Program
from pipec.ir.stmt import Stmt
from pipec.lower.planning.clone_per_site import Stage
from pipec.lower.planning.plan import LoweringPlan
from pipec.lower.planning.plan_text import definitions_text, plan_text
from pipec.schedule.schedule import Schedule
from pipec.target import Target


class LoweringContext:
    """A pipeline between definitions and Program.

    `definition` and `target` do not change; a plan alone needs no target. With `exact_tails` no split computes anything
    outside its interval. `schedule` and `funcs` are the user's, as changed by the passes over definitions; `constants`
    are the run-time values that constraints fix, by name; `owners` has, for each Func without a compute level, the one
    stage that uses it, `originals`, for each clone of a Func, the user's name. `plan`, `stmt` and `program` exist from
    the pass on that creates them.
    """

    plan: LoweringPlan
    stmt: Stmt
    checks: tuple[Check, ...]
    notices: list[Notice]
    program: Program

    def __init__(
        self, definition: PipelineDef, schedule: Schedule, target: Target | None = None, exact_tails: bool = False
    ) -> None:
        self.definition = definition
        self.schedule = schedule
        self.target = Target() if target is None else target
        self.exact_tails = exact_tails
        self.funcs: dict[str, FuncDef] = dict(definition.funcs)
        self.constants: dict[str, Const] = {}
        self.owners: dict[str, Stage] = {}
        self.originals: dict[str, str] = {}

    def text(self) -> tuple[str, str]:
        """The current form of the pipeline ("definitions", "plan" or "statement"), and its text."""
        if hasattr(self, "stmt"):
            return "statement", str(self.stmt)
        if hasattr(self, "plan"):
            return "plan", plan_text(self.plan)
        return "definitions", definitions_text(self.funcs.values())
