"""From definitions and a schedule to a finished plan."""

from __future__ import annotations

from pipec.func.definition import PipelineDef
from pipec.lower.bounds_inference import infer_bounds
from pipec.lower.inline import inline
from pipec.lower.loop_nest import build_nest
from pipec.lower.plan import FuncPlan, Plan
from pipec.lower.sites import resolve_sites
from pipec.lower.storage_folding import fold_storage
from pipec.schedule.schedule import Schedule, func_schedule


def make_plan(definition: PipelineDef, schedule: Schedule, exact_tails: bool = False) -> Plan:
    """Loop nests, places, bounds and storage of every Func. With `exact_tails` nothing outside bounds is computed."""
    plan = Plan(definition, schedule, exact_tails, images=dict(definition.images))
    funcs, owners = inline(definition, schedule)
    for name, func in funcs.items():
        planned = FuncPlan(func, func_schedule(schedule, name), is_output=name in definition.outputs)
        for number in range(len(func.stages)):
            planned.nests.append(build_nest(func, number, schedule, exact_tails, plan.simplifier))
        plan.funcs[name] = planned
    resolve_sites(plan, owners)
    infer_bounds(plan)
    fold_storage(plan)
    return plan
