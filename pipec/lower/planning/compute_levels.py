"""Finds the place of every Func in the program: where it is computed and where it is stored."""

from __future__ import annotations

from pipec.errors import PlacementError
from pipec.ir.expr import TRUE
from pipec.lower.planning.clone_per_site import Stage
from pipec.lower.planning.plan import ROOT_SITE, FuncPlan, Nest, Plan, Site
from pipec.schedule.directive import LoopLevel


def resolve_sites(plan: Plan, owners: dict[str, Stage]) -> None:
    """Sets `compute`, `store` and each nest's `site`, consumers before producers.

    `owners`: the stage that alone uses a Func with updates which has no place of its own.
    """
    users: dict[str, list[Nest]] = {}
    for func in reversed(list(plan.funcs.values())):
        nests = users.get(func.definition.name, [])
        func.compute = _compute_site(plan, func, nests, owners)
        func.store = _store_site(plan, func)
        func.hoist = _hoist_site(plan, func)
        _join(plan, func)
        for nest in func.nests:
            nest.outermost().site = func.compute
            for used in nest.func_calls:
                if used != nest.func:
                    users.setdefault(used, []).append(nest)


def _join(plan: Plan, func: FuncPlan) -> None:
    """Funcs that are computed together are computed in one place."""
    group = plan.groups.get(func.definition.name)
    if group is None:
        return
    if group.site not in (None, func.compute):
        names = ", ".join(member.definition.name for member in group.funcs)
        raise PlacementError(
            f"Error: Fused groups must either be entirely used or unused: {names} are computed with one another, but "
            "not all of them are needed in each of the places where they are computed.\nCompute them where all their "
            f"uses are enclosed, e.g. compute_root(), or leave out the compute_with. ({func.definition.location})"
        )
    group.site = func.compute


def _compute_site(plan: Plan, func: FuncPlan, users: list[Nest], owners: dict[str, Stage]) -> Site:
    name = func.definition.name
    if func.is_output:
        return ROOT_SITE
    if name in owners:
        user, stage, path = owners[name]
        return next(n for n in plan.funcs[user].nests if (n.stage, n.path) == (stage, path)).innermost_producers()
    return _site_of_level(plan, func, func.schedule.compute, users)


def _site_of_level(plan: Plan, func: FuncPlan, level: LoopLevel, users: list[Nest]) -> Site:
    if level.is_root:
        return ROOT_SITE
    name = func.definition.name
    target = plan.funcs.get(level.func)
    if target is None:
        raise PlacementError(f'Func "{name}" is computed at {level.func}.{level.var}, but "{level.func}" has no loops.')
    for nest in target.nests:
        if level.stage is not None and nest.stage != level.stage:
            continue
        # A window that slides along shared loops must not stop where this stage does: it is computed for all of them.
        sliding = func.schedule.store_explicit and func.schedule.store != func.schedule.compute
        own = None if sliding else nest.own_site_of_loop(level.var)
        # Before the loops of Funcs that only come one right after the other is before those of all of them.
        before = nest.outermost().site if level.var == "__outermost" and level.func in plan.groups else None
        for site in (own, nest.site_of_loop(level.var), before):
            if site is not None and users and all(_encloses(plan, site, user) for user in users):
                return site
    raise PlacementError(
        f'Func "{name}" is computed at the following invalid location: {name}.compute_at({level.func}, {level.var}). '
        f"No loop {level.var} of {level.func} encloses all uses of {name}."
    )


def _encloses(plan: Plan, site: Site, user: Nest) -> bool:
    return site.nest is None or plan.chain(user.innermost()).get(site.nest, -2) >= site.position


def _store_site(plan: Plan, func: FuncPlan) -> Site:
    level = func.schedule.store
    if func.is_output or level.is_inlined or level == func.schedule.compute:
        return func.compute
    found = _site_around(plan, level, func.compute)
    if found is not None:
        return _inside_version(plan, found, func.compute)
    name = func.definition.name
    raise PlacementError(
        f'Func "{name}" is stored at the following invalid location: {name}.store_at({level.func}, {level.var}). '
        f"It does not enclose the place where {name} is computed."
    )


def _inside_version(plan: Plan, store: Site, compute: Site) -> Site:
    """Storage that only one version of a stage uses is made where that version begins, not around all versions."""
    nest = next((nest for nest in plan.chain(compute) if nest.site == store), None)
    return store if nest is None or nest.runs is TRUE else Site(nest, -1)


def _hoist_site(plan: Plan, func: FuncPlan) -> Site | None:
    level = func.schedule.hoist
    if func.is_output or level is None:
        return None
    found = _site_around(plan, level, func.store)
    if found is None:
        name = func.definition.name
        raise PlacementError(
            f'Func "{name}" is hoisted to the following invalid location: '
            f"{name}.hoist_storage({level.func}, {level.var}). It does not enclose the place where {name} is stored."
        )
    return None if found == func.store else found


def _site_around(plan: Plan, level: LoopLevel, inner: Site) -> Site | None:
    """The place inside the loop that `level` names, when it is around `inner`."""
    if level.is_root:
        return ROOT_SITE
    chain = plan.chain(inner)
    target = plan.funcs.get(level.func)
    for nest in target.nests if target is not None else ():
        for site in (nest.own_site_of_loop(level.var), nest.site_of_loop(level.var)):
            if site is not None and site.nest is not None and chain.get(site.nest, -2) >= site.position:
                return site
    return None
