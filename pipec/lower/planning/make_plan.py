"""From definitions and a schedule to a finished plan."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from pipec.func.functions.definition import PipelineDef
from pipec.ir import build
from pipec.ir.expr import Const, Expr
from pipec.lower.planning.bounds_inference import infer_bounds
from pipec.lower.planning.clone_per_site import private_copies
from pipec.lower.planning.compute_levels import resolve_sites
from pipec.lower.planning.compute_predicates import find_needed
from pipec.lower.planning.extern_stage import failure
from pipec.lower.planning.fused_loops import fuse_loops
from pipec.lower.planning.fused_stages import with_versions
from pipec.lower.planning.inline import inline
from pipec.lower.planning.loop_nest import build_nests
from pipec.lower.planning.memoize import failure as memo_failure
from pipec.lower.planning.plan import CheckPlan, FuncPlan, Plan
from pipec.lower.planning.references import constrained_numbers, schedule_as_variables
from pipec.lower.planning.storage_bounds import check_storage_bounds
from pipec.lower.planning.storage_folding import fold_storage
from pipec.lower.planning.value_ranges import ValueRanges
from pipec.lower.planning.versions import specialized
from pipec.schedule.directive import AlignExtent, Split
from pipec.schedule.schedule import Schedule, func_schedule


def make_plan(definition: PipelineDef, schedule: Schedule, exact_tails: bool = False) -> Plan:
    """Loop nests, places, bounds and storage of every Func. With `exact_tails` nothing outside bounds is computed."""
    numbers = constrained_numbers(definition)
    schedule = schedule_as_variables(with_versions(schedule), numbers)
    funcs = {name: specialized(func, schedule) for name, func in inline(definition, schedule, numbers).items()}
    copies = private_copies(funcs, definition.outputs, schedule)
    schedule = copies.schedule
    plan = Plan(definition, schedule, exact_tails, images=dict(definition.images), numbers=numbers)
    for name, func in copies.funcs.items():
        planned = FuncPlan(func, func_schedule(schedule, name), is_output=name in definition.outputs)
        planned.original = copies.originals[name]
        for number in range(len(func.stages)):
            planned.nests += build_nests(func, number, schedule, copies.owners, exact_tails, plan.simplifier)
        if func.extern is not None:
            plan.checks.append(failure(func))
        plan.funcs[name] = planned
    if any(func.schedule.memoized for func in plan.funcs.values()):
        plan.checks.append(memo_failure())
    _check_factors(plan)
    _drop_unused(plan)
    fuse_loops(plan)
    resolve_sites(plan, copies.owners)
    find_needed(plan)
    plan.value_ranges = ValueRanges(copies.funcs, _coordinates(plan))
    infer_bounds(plan)
    fold_storage(plan)
    check_storage_bounds(plan)
    return plan


def _coordinates(plan: Plan) -> Iterator[Expr]:
    """Where the nests read and update."""
    for func in plan.funcs.values():
        for nest in func.nests:
            for calls in (*nest.func_calls.values(), *nest.image_calls.values()):
                yield from chain.from_iterable(calls)
            yield from nest.args if nest.stage else ()


def _check_factors(plan: Plan) -> None:
    """Factors and moduli that are known only when the pipeline runs must be positive then."""
    for directive in plan.schedule.directives:
        if isinstance(directive, Split) and not isinstance(directive.factor, Const):
            details = (("func", directive.stage.func), ("var", directive.old))
            condition = build.gt(directive.factor, 0)
            plan.checks.append(CheckPlan(condition, "split_factor", details, (("factor", directive.factor),)))
        elif isinstance(directive, AlignExtent) and not isinstance(directive.modulus, Const):
            details = (("func", directive.func), ("var", directive.var))
            condition = build.gt(directive.modulus, 0)
            plan.checks.append(CheckPlan(condition, "align_extent", details, (("modulus", directive.modulus),)))


def _drop_unused(plan: Plan) -> None:
    """Forgets the Funcs whose uses have all been simplified away (f(x) * 0)."""
    used: set[str] = set()
    for name, func in reversed(list(plan.funcs.items())):
        if not func.is_output and name not in used:
            del plan.funcs[name]
            continue
        used.update(called for nest in func.nests for called in nest.func_calls if called != name)
