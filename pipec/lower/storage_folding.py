"""Storage folding: where an iteration touches only a short stretch of a dimension, that dimension becomes a ring.

    realize f over [0, height) around for y: uses f(y - 1 .. y + 1)  -->  f keeps 4 rows, row y at y % 4
"""

from __future__ import annotations

from pipec.errors import ScheduleError
from pipec.ir import build
from pipec.ir.build import constant
from pipec.ir.expr import Expr, const
from pipec.ir.stmt import LoopKind
from pipec.lower.bounds_inference import accessed_box
from pipec.lower.plan import CheckPlan, FuncPlan, Nest, Plan, Site


def fold_storage(plan: Plan) -> None:
    """Sets the fold factor of each dimension of each Func, where it is asked for or pays."""
    users: dict[str, list[Nest]] = {}
    for func in plan.funcs.values():
        for nest in func.nests:
            for used in nest.func_calls:
                if used != nest.func:
                    users.setdefault(used, []).append(nest)
    for func in plan.funcs.values():
        func.folds = [None] * len(func.definition.args)
        if not func.is_output:
            _fold(plan, func, users.get(func.definition.name, []))
        for var in func.schedule.folds:
            if func.folds[func.definition.args.index(var)] is None:
                _refuse(func, var)


def _fold(plan: Plan, func: FuncPlan, users: list[Nest]) -> None:
    for loop, inside in plan.enclosing_loops(func.store, func.compute):
        if loop.kind not in (LoopKind.SERIAL, LoopKind.UNROLLED):
            # Iterations that run at the same time share the storage: a ring would mix their values.
            return
        box = accessed_box(plan, func, inside, users, sliding=False)
        for dimension in reversed(range(len(box))):
            low, high = box[dimension]
            assert low is not None and high is not None
            motion = plan.motion(loop)
            low, high = motion.expanded(low), motion.expanded(high)
            signs = (motion.sign(low), motion.sign(high))
            if None in signs or signs == (0, 0):
                continue
            assert signs[0] is not None and signs[1] is not None
            if signs[0] * signs[1] < 0 or func.folds[dimension] is not None:
                continue
            extent = plan.simplifier(build.add(build.sub(high, low), 1))
            if _fold_dimension(plan, func, dimension, extent, inside):
                break
        if loop in func.slid.values():
            # What an outer iteration leaves behind must survive the loops further in.
            return


def _fold_dimension(plan: Plan, func: FuncPlan, dimension: int, extent: Expr, inside: Site) -> bool:
    var = func.definition.args[dimension]
    most = plan.simplifier.ranges.of(extent).high
    given = func.schedule.folds.get(var)
    if given is not None:
        factor = plan.simplifier(given[0])
        size = constant(factor)
        if size is not None and most is not None and size < most:
            raise ScheduleError(
                f"The fold factor ({size}) of dimension {var} of {func.definition.name} is too small to store "
                f"the required region accessed by its uses ({most}). Fold by at least {most}."
            )
        if most is None or size is None:
            values = (("fold factor", factor), ("required extent", extent))
            details = (("func", func.definition.name), ("var", var))
            holds = build.le(extent, factor)
            plan.checks.append(CheckPlan(plan.simplifier(holds), "fold", details, values, inside))
        func.folds[dimension] = factor
        return True
    if most is None or most <= 0:
        return False
    factor_size = 1 << (most - 1).bit_length()
    low, high = func.storage[dimension]
    assert low is not None and high is not None
    whole = plan.simplifier.ranges.of(plan.simplifier(build.add(build.sub(high, low), 1))).high
    if whole is not None and whole <= factor_size:
        return False
    func.folds[dimension] = const(factor_size)
    return True


def _refuse(func: FuncPlan, var: str) -> None:
    name = func.definition.name
    raise ScheduleError(
        f"Cannot fold storage of {name} along {var}: no serial loop between the place where {name} is stored "
        f"and the place where it is computed moves steadily through {var}. "
        f"Store {name} further out (store_at or store_root) than it is computed (compute_at)."
    )
