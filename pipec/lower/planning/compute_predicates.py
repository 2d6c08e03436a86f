"""Compute predicates: a Func that only some versions of its consumers use is computed only where one of them runs.

f(x) = select(p == 1, g(x), 0); f.specialize(p == 1)
-->
if p == 1: g ...; if p == 1: f(x) = g(x) else: f(x) = 0
"""

from __future__ import annotations

from collections.abc import Mapping

from pipec.ir import build
from pipec.ir.expr import TRUE, Expr
from pipec.lower.planning.nest import LoopNest
from pipec.lower.planning.plan import FuncPlan, LoweringPlan, PlannedCheck
from pipec.lower.planning.versions import versions_of
from pipec.schedule.specialize import is_specialized


def infer_compute_predicates(plan: LoweringPlan) -> None:
    """Sets the compute predicate of every Func, in terms of names at its compute level.

    Adds run-time checks that no `specialize_fail` is reached.
    """
    if not any(is_specialized(plan.schedule, stage) for stage in plan.schedule.scheduled_stages()):
        return
    consumers = plan.consumers()
    for func in reversed(list(plan.funcs.values())):
        users = consumers.get(func.definition.name, [])
        if not func.is_output:
            func.compute_predicate = _any_runs(plan, users, plan.chain(func.compute_level))
        _check_failures(plan, func, TRUE if func.is_output else any_runs(plan, users))


def any_runs(plan: LoweringPlan, nests: list[LoopNest]) -> Expr:
    """Whether any of the nests runs, in terms of names outside all loops."""
    return _any_runs(plan, nests, {})


def _check_failures(plan: LoweringPlan, func: FuncPlan, reached: Expr) -> None:
    """Adds the checks of a Func's `specialize_fail`s: the pipeline fails before it has computed anything."""
    for stage in func.definition.stages:
        for version in versions_of(stage):
            if version.failure:
                details = (("func", func.original), ("failure", version.failure))
                holds = build.not_(build.and_(reached, version.runs))
                plan.checks.append(PlannedCheck(holds, "specialize_fail", details, ()))


def _any_runs(plan: LoweringPlan, nests: list[LoopNest], around: Mapping[LoopNest, int]) -> Expr:
    """Whether any of the nests runs, in terms of names inside the nests `around`."""
    stages: dict[tuple[str, int], list[LoopNest]] = {}
    for nest in nests:
        stages.setdefault((nest.func, nest.stage), []).append(nest)
    return build.any_of(_any_version_runs(plan, versions, around) for versions in stages.values())


def _any_version_runs(plan: LoweringPlan, versions: list[LoopNest], around: Mapping[LoopNest, int]) -> Expr:
    """Whether any of some versions of one stage runs."""
    if any(outer in around for nest in versions for outer in (nest, *nest.fused_around())):
        return TRUE
    first = versions[0]
    func = plan.funcs[first.func]
    are_all = sum(nest.stage == first.stage for nest in func.nests) == len(versions)
    own = TRUE if are_all else build.any_of(nest.runs for nest in versions)
    outside = first.outermost().level.nest
    reached = TRUE if outside is None else _any_version_runs(plan, [outside], around)
    return build.all_of([own, _is_computed(plan, func), reached])


def _is_computed(plan: LoweringPlan, func: FuncPlan) -> Expr:
    """Whether a Func, or one with which it has fused stages, is needed."""
    group = plan.groups.get(func.definition.name)
    return func.compute_predicate if group is None else build.any_of(member.compute_predicate for member in group.funcs)
