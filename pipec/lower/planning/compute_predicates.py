"""When each Func is needed: one that only some versions of its consumers use is computed where one of them runs.

f(x) = select(p == 1, g(x), 0); f.specialize(p == 1)  -->  if p == 1: g ...; if p == 1: f(x) = g(x) else: f(x) = 0
"""

from __future__ import annotations

from pipec.ir import build
from pipec.ir.expr import TRUE, Expr
from pipec.lower.planning.plan import CheckPlan, FuncPlan, Nest, Plan
from pipec.lower.planning.versions import versions_of
from pipec.schedule.specialize import is_specialized


def find_needed(plan: Plan) -> None:
    """Sets `needed` of every Func, as seen from where it is computed; checks that no specialize_fail is reached."""
    if not any(is_specialized(plan.schedule, stage) for stage in plan.schedule.scheduled_stages()):
        return
    users: dict[str, list[Nest]] = {}
    for func in reversed(list(plan.funcs.values())):
        name = func.definition.name
        if not func.is_output:
            func.needed = _needed(plan, users.get(name, []), plan.chain(func.compute))
        _check_failures(plan, func, TRUE if func.is_output else any_runs(plan, users.get(name, [])))
        for nest in func.nests:
            for used in nest.func_calls:
                if used != name:
                    users.setdefault(used, []).append(nest)


def _check_failures(plan: Plan, func: FuncPlan, reached: Expr) -> None:
    """The pipeline fails before anything is computed, not in the middle."""
    for stage in func.definition.stages:
        for version in versions_of(stage):
            if version.failure:
                details = (("func", func.original), ("failure", version.failure))
                holds = build.not_(build.and_(reached, version.runs))
                plan.checks.append(CheckPlan(holds, "specialize_fail", details, ()))


def _needed(plan: Plan, users: list[Nest], around: dict[Nest, int]) -> Expr:
    """Whether any of the users runs, seen from inside the nests `around`."""
    stages: dict[tuple[str, int], list[Nest]] = {}
    for nest in users:
        stages.setdefault((nest.func, nest.stage), []).append(nest)
    return build.any_of(_any_runs(plan, nests, around) for nests in stages.values())


def any_runs(plan: Plan, nests: list[Nest]) -> Expr:
    """Whether any of the nests runs, seen from outside everything."""
    return _needed(plan, nests, {})


def _any_runs(plan: Plan, nests: list[Nest], around: dict[Nest, int]) -> Expr:
    """Whether any of some versions of one stage runs."""
    if any(outer in around for nest in nests for outer in (nest, *nest.shared_around())):
        return TRUE
    first = nests[0]
    func = plan.funcs[first.func]
    everything = sum(nest.stage == first.stage for nest in func.nests) == len(nests)
    own = TRUE if everything else build.any_of(nest.runs for nest in nests)
    outside = first.outermost().site.nest
    reached = TRUE if outside is None else _any_runs(plan, [outside], around)
    return build.all_of([own, _computed(plan, func), reached])


def _computed(plan: Plan, func: FuncPlan) -> Expr:
    """Whether a Func is needed, or one of those that are computed together with it."""
    group = plan.groups.get(func.definition.name)
    return func.needed if group is None else build.any_of(member.needed for member in group.funcs)
