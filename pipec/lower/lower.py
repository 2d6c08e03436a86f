"""From definitions and a schedule to a plan, a statement, or the Program that a back end compiles."""

from __future__ import annotations

from pipec.deep_stack import with_deep_stack
from pipec.func.functions.definition import PipelineDef
from pipec.ir.program import Program
from pipec.ir.stmt import Stmt
from pipec.lower.context import LoweringContext
from pipec.lower.pipeline import PASSES, PLANNING, run_passes
from pipec.lower.planning.build_statement import build_statement
from pipec.lower.planning.plan import LoweringPlan
from pipec.schedule.bounds import AlignBounds
from pipec.schedule.schedule import Schedule
from pipec.target import Target


def lower(definition: PipelineDef, schedule: Schedule, target: Target, *, exact_tails: bool = False) -> Program:
    """The Program of a pipeline. With `exact_tails` every split is guarded: slower, but exact for every size.

    Raises ScheduleError for an illegal schedule and BoundsError for a region that has no bounds.
    """
    # Aligned bounds are larger than the required ones, and may exceed the inputs.
    context = LoweringContext(definition, unaligned(schedule) if exact_tails else schedule, target, exact_tails)
    with_deep_stack(run_passes, context, PASSES)
    return context.program


def make_plan(definition: PipelineDef, schedule: Schedule, exact_tails: bool = False) -> LoweringPlan:
    """The plan of a pipeline: the loop nests, levels, bounds and storage of every Func.

    With `exact_tails` no split computes anything outside its interval. Raises what `lower` raises.
    """
    context = LoweringContext(definition, schedule, exact_tails=exact_tails)
    with_deep_stack(run_passes, context, PLANNING)
    return context.plan


def conceptual_statement(definition: PipelineDef, schedule: Schedule) -> Stmt:
    """The loops of a pipeline before any pass over statements: Funcs have coordinates instead of flat storage."""
    stmt, *_ = with_deep_stack(build_statement, make_plan(definition, schedule))
    return stmt


def unaligned(schedule: Schedule) -> Schedule:
    """The schedule without `align_bounds`."""
    return Schedule(tuple([directive for directive in schedule.directives if not isinstance(directive, AlignBounds)]))
