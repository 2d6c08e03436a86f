"""Passes from the user's definitions to a plan: inlining, versions, clones, one loop nest for every stage."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from pipec.ir import build
from pipec.ir.expr import Const, Expr
from pipec.lower.context import LoweringContext
from pipec.lower.planning.arguments import constrained_constants, schedule_as_variables
from pipec.lower.planning.clone_per_site import clone_funcs
from pipec.lower.planning.extern_stage import extern_failure
from pipec.lower.planning.fused_stages import copy_specializations
from pipec.lower.planning.inlining import inlined
from pipec.lower.planning.loop_nest import build_nests
from pipec.lower.planning.memoize import memo_failure
from pipec.lower.planning.plan import FuncPlan, LoweringPlan, PlannedCheck
from pipec.lower.planning.value_ranges import ValueRanges
from pipec.lower.planning.versions import specialize
from pipec.schedule.bounds import AlignExtent
from pipec.schedule.execution import Memoize
from pipec.schedule.placement import func_schedule
from pipec.schedule.split import Split


def specialize_fused_stages(context: LoweringContext) -> None:
    """Gives each stage that shares loops the specializations of the stage whose loops it shares."""
    context.schedule = copy_specializations(context.schedule)


def inline_funcs(context: LoweringContext) -> None:
    """Replaces calls of inlined Funcs by their definitions, and Params and reduction variables by plain variables."""
    context.constants = constrained_constants(context.definition)
    context.schedule = schedule_as_variables(context.schedule, context.constants)
    context.schedule, context.funcs = inlined(context.definition, context.schedule, context.constants)


def specialize_stages(context: LoweringContext) -> None:
    """Gives each stage the versions that the schedule specializes it to."""
    context.funcs = {name: specialize(func, context.schedule) for name, func in context.funcs.items()}


def clone_per_site(context: LoweringContext) -> None:
    """Makes one clone of a Func for each loop in which it is computed."""
    clones = clone_funcs(context.funcs, context.definition.outputs, context.schedule)
    context.funcs, context.schedule = clones.funcs, clones.schedule
    context.owners, context.originals = clones.owners, clones.originals


def build_loop_nests(context: LoweringContext) -> None:
    """Starts the plan: the loops, split variables and guards of every stage."""
    definition, schedule = context.definition, context.schedule
    images = dict(definition.images)
    plan = LoweringPlan(definition, schedule, context.exact_tails, images=images, constants=context.constants)
    context.plan = plan
    for name, func in context.funcs.items():
        planned = FuncPlan(func, func_schedule(schedule, name), is_output=name in definition.outputs)
        planned.original = context.originals[name]
        for number in range(len(func.stages)):
            planned.nests += build_nests(func, number, schedule, context.owners, context.exact_tails, plan.simplifier)
        plan.funcs[name] = planned


def check_at_run_time(plan: LoweringPlan) -> None:
    """Adds checks for what can fail when the pipeline runs: C functions, memoization, split factors."""
    plan.checks += [
        extern_failure(func.definition) for func in plan.funcs.values() if func.definition.extern is not None
    ]
    if any(Memoize in func.schedule for func in plan.funcs.values()):
        plan.checks.append(memo_failure())
    for directive in plan.schedule.directives:
        if isinstance(directive, Split) and not isinstance(directive.factor, Const):
            details = (("func", directive.stage.func), ("var", directive.old))
            condition = build.gt(directive.factor, 0)
            plan.checks.append(PlannedCheck(condition, "split_factor", details, (("factor", directive.factor),)))
        elif isinstance(directive, AlignExtent) and not isinstance(directive.modulus, Const):
            details = (("func", directive.func), ("var", directive.var))
            condition = build.gt(directive.modulus, 0)
            plan.checks.append(PlannedCheck(condition, "align_extent", details, (("modulus", directive.modulus),)))


def drop_unused_funcs(plan: LoweringPlan) -> None:
    """Removes the Funcs whose uses simplification has removed, as in `f(x) * 0`."""
    used: set[str] = set()
    for name, func in reversed(list(plan.funcs.items())):
        if not func.is_output and name not in used:
            del plan.funcs[name]
            continue
        used.update(called for nest in func.nests for called in nest.func_calls if called != name)


def infer_value_ranges(context: LoweringContext) -> None:
    """Bounds the values of pure Funcs, so that they may be coordinates of others."""
    context.plan.value_ranges = ValueRanges(context.funcs, _coordinates(context.plan))


def _coordinates(plan: LoweringPlan) -> Iterator[Expr]:
    """Yields the coordinates at which the nests read and update."""
    for func in plan.funcs.values():
        for nest in func.nests:
            for calls in (*nest.func_calls.values(), *nest.image_calls.values()):
                yield from chain.from_iterable(calls)
            yield from nest.args if nest.stage else ()
