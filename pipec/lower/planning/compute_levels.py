"""Compute levels: where each Func is computed, stored and allocated, and the predicate under which it is computed.

f(x) = select(p == 1, g(x), 0); f.specialize(p == 1)
-->
if p == 1: g ...; if p == 1: f(x) = g(x) else: f(x) = 0
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pipec.errors import PlacementError
from pipec.ir import build
from pipec.ir.expr import TRUE, Expr
from pipec.ir.stmt import GPU_KINDS
from pipec.lower.planning.clone_per_site import Stage
from pipec.lower.planning.demand import may_hold, needed_by
from pipec.lower.planning.nest import ROOT_LEVEL, Level, LoopItem, LoopNest, by_stage
from pipec.lower.planning.plan import FuncPlan, LoweringPlan, PlannedCheck
from pipec.lower.planning.versions import versions_of
from pipec.schedule.execution import Async
from pipec.schedule.fields import OUTERMOST, LevelRef
from pipec.schedule.placement import HoistStorage
from pipec.schedule.specialize import is_specialized


def resolve_levels(plan: LoweringPlan, owners: dict[str, Stage]) -> None:
    """Sets the compute, store and hoist level of each Func and the `level` of each nest, consumers before producers.

    `owners`: for each Func with updates and without a compute level, the only stage that uses it.
    Raises PlacementError for a level that does not enclose all uses.
    """
    consumers = plan.consumers()
    for func in reversed(list(plan.funcs.values())):
        func.compute_level = _compute_level(plan, func, consumers.get(func.definition.name, []), owners)
        func.store_level = _store_level(plan, func)
        func.hoist_level = _hoist_level(plan, func)
        _require_one_level(plan, func)
        for nest in func.nests:
            nest.outermost().level = func.compute_level


def _require_one_level(plan: LoweringPlan, func: FuncPlan) -> None:
    """Raises PlacementError when Funcs with fused stages are computed at different levels."""
    group = plan.groups.get(func.definition.name)
    if group is None:
        return
    if group.level not in (None, func.compute_level):
        names = ", ".join(member.definition.name for member in group.funcs)
        raise PlacementError(
            f"Error: Fused groups must either be entirely used or unused: {names} are computed with one another, but "
            "not all of them are needed in each of the places where they are computed.\nCompute them where all their "
            f"uses are enclosed, e.g. compute_root(), or leave out the compute_with. ({func.definition.location})"
        )
    group.level = func.compute_level


def _compute_level(plan: LoweringPlan, func: FuncPlan, consumers: list[LoopNest], owners: dict[str, Stage]) -> Level:
    name = func.definition.name
    if func.is_output:
        return ROOT_LEVEL
    if name in owners:
        owner, stage, path = owners[name]
        return next(n for n in plan.funcs[owner].nests if (n.stage, n.path) == (stage, path)).innermost_producers()
    return _level_around_uses(plan, func, func.schedule.compute, consumers)


def _level_around_uses(plan: LoweringPlan, func: FuncPlan, loop: LevelRef, consumers: list[LoopNest]) -> Level:
    """Returns the level inside the loop that the schedule names, where it encloses all consumers."""
    if loop.is_root:
        return ROOT_LEVEL
    name = func.definition.name
    target = plan.funcs.get(loop.func)
    if target is None:
        raise PlacementError(f'Func "{name}" is computed at {loop.func}.{loop.var}, but "{loop.func}" has no loops.')
    for nest in target.nests:
        if loop.stage is not None and nest.stage != loop.stage:
            continue
        # A window that slides along fused loops must not end where this stage's interval does: all members read it.
        sliding = func.schedule.store_explicit and func.schedule.store != func.schedule.compute
        own = None if sliding else nest.own_level_of_loop(loop.var)
        # Outside the loops of one member of a group is outside those of all members.
        before = nest.outermost().level if loop.var == OUTERMOST and loop.func in plan.groups else None
        for level in (own, nest.level_of_loop(loop.var), before):
            if level is not None and consumers and all(plan.encloses(level, user.innermost()) for user in consumers):
                return level
    raise PlacementError(
        f'Func "{name}" is computed at the following invalid location: {name}.compute_at({loop.func}, {loop.var}). '
        f"No loop {loop.var} of {loop.func} encloses all uses of {name}."
    )


def _store_level(plan: LoweringPlan, func: FuncPlan) -> Level:
    loop = func.schedule.store
    if func.is_output or loop.is_inlined or loop == func.schedule.compute:
        return func.compute_level
    level = _level_around(plan, loop, func.compute_level)
    if level is not None:
        return _inside_version(plan, level, func.compute_level)
    name = func.definition.name
    raise PlacementError(
        f'Func "{name}" is stored at the following invalid location: {name}.store_at({loop.func}, {loop.var}). '
        f"It does not enclose the place where {name} is computed."
    )


def _inside_version(plan: LoweringPlan, store: Level, compute: Level) -> Level:
    """Moves a store level around all versions of a stage into the only version that uses the Func."""
    nest = next((nest for nest in plan.chain(compute) if nest.level == store), None)
    return store if nest is None or nest.runs is TRUE else Level(nest, -1)


def _hoist_level(plan: LoweringPlan, func: FuncPlan) -> Level | None:
    hoist = func.schedule.last(HoistStorage)
    if func.is_output or hoist is None:
        return None
    loop = hoist.level
    level = _level_around(plan, loop, func.store_level)
    if level is None:
        name = func.definition.name
        raise PlacementError(
            f'Func "{name}" is hoisted to the following invalid location: {name}.hoist_storage({loop.func}, '
            f"{loop.var}). It does not enclose the place where {name} is stored."
        )
    return None if level == func.store_level else level


def _level_around(plan: LoweringPlan, loop: LevelRef, inner: Level) -> Level | None:
    """Returns the level inside the loop that the schedule names, if it is around `inner`."""
    if loop.is_root:
        return ROOT_LEVEL
    target = plan.funcs.get(loop.func)
    for nest in target.nests if target is not None else ():
        for level in (nest.own_level_of_loop(loop.var), nest.level_of_loop(loop.var)):
            if level is not None and level.nest is not None and plan.encloses(level, inner):
                return level
    return None


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
            func.compute_predicate = _any_runs(plan, users, plan.chain(func.compute_level), func.compute_level)
        _check_failures(plan, func, TRUE if func.is_output else any_runs(plan, users))


def any_runs(plan: LoweringPlan, nests: list[LoopNest]) -> Expr:
    """Returns whether any of the nests runs, in terms of names outside all loops."""
    return _any_runs(plan, nests, {}, ROOT_LEVEL)


def infer_demand(plan: LoweringPlan, func: FuncPlan, users: list[LoopNest]) -> None:
    """Restricts the compute predicate of a Func to where its consumers need it; their bounds are known.

    Iterations of the loops between store and compute level share values, so the predicate is the same in all of them.
    """
    name, level = func.definition.name, func.store_level
    if func.is_output or not plan.is_conditional or name in plan.value_ranges.indexing or not may_skip(plan, func):
        return

    def needed(nest: LoopNest) -> Expr:
        return needed_by(plan, nest, name, level)

    func.compute_predicate = _any_runs(plan, users, plan.chain(level), level, needed)


def may_skip(plan: LoweringPlan, func: FuncPlan) -> bool:
    """Returns whether the production of a Func may depend on a condition: not in kernels, threads and fused loops."""
    loops = [item for nest in func.nests for item in nest.items if isinstance(item, LoopItem)]
    loops += [loop for loop, _ in plan.enclosing_loops(ROOT_LEVEL, func.compute_level)]
    in_kernel = any(loop.kind in GPU_KINDS for loop in loops)
    return not in_kernel and Async not in func.schedule and func.definition.name not in plan.groups


def _check_failures(plan: LoweringPlan, func: FuncPlan, reached: Expr) -> None:
    """Adds the checks of a Func's `specialize_fail`s: the pipeline fails before it has computed anything."""
    for stage in func.definition.stages:
        for version in versions_of(stage):
            if version.failure:
                details = (("func", func.original), ("failure", version.failure))
                holds = build.not_(build.and_(reached, version.runs))
                plan.checks.append(PlannedCheck(holds, "specialize_fail", details, ()))


def _any_runs(
    plan: LoweringPlan,
    nests: list[LoopNest],
    around: Mapping[LoopNest, int],
    level: Level,
    needed: Callable[[LoopNest], Expr] = lambda nest: TRUE,
) -> Expr:
    """Returns whether any of the nests runs and is `needed`, in terms of names at `level` inside the nests `around`."""
    return build.any_of(_any_version_runs(plan, versions, around, level, needed) for versions in by_stage(nests))


def _any_version_runs(
    plan: LoweringPlan,
    versions: list[LoopNest],
    around: Mapping[LoopNest, int],
    level: Level,
    needed: Callable[[LoopNest], Expr] = lambda nest: TRUE,
) -> Expr:
    """Returns whether any of some versions of one stage runs and is `needed`."""
    conditions = [needed(nest) for nest in versions]
    if any(outer in around for nest in versions for outer in (nest, *nest.fused_around())):
        return build.any_of(conditions)
    demand: Expr = TRUE
    if any(condition is not TRUE for condition in conditions):
        demand = build.any_of(build.and_(nest.runs, e) for nest, e in zip(versions, conditions, strict=True))
    first = versions[0]
    func = plan.funcs[first.func]
    are_all = sum(nest.stage == first.stage for nest in func.nests) == len(versions)
    own = TRUE if are_all else build.any_of(nest.runs for nest in versions)
    outside = first.outermost().level.nest
    reached = TRUE if outside is None else _any_version_runs(plan, [outside], around, level)
    return build.all_of([own, demand, may_hold(plan, _is_computed(plan, func), level), reached])


def _is_computed(plan: LoweringPlan, func: FuncPlan) -> Expr:
    """Returns whether a Func, or one with which it has fused stages, is needed."""
    group = plan.groups.get(func.definition.name)
    return func.compute_predicate if group is None else build.any_of(member.compute_predicate for member in group.funcs)
