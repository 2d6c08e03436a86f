"""Storage of a size that the schedule gives: whether it is enough is known when the pipeline runs.

f.bound_storage(x, 9)  -->  assert extent of f in x <= 9; realize f[9]
"""

from __future__ import annotations

from pipec.ir import build
from pipec.lower.planning.plan import CheckPlan, Plan


def check_storage_bounds(plan: Plan) -> None:
    """A check, where a Func is stored, for each extent that the schedule limits."""
    for func in plan.funcs.values():
        args = func.definition.args
        for var, room in func.schedule.storage_bounds.items() if not func.is_output else ():
            low, high = func.storage[args.index(var)]
            assert low is not None and high is not None
            fold = func.folds[args.index(var)]
            extent = build.add(build.sub(high, low), 1) if fold is None else fold
            fits = build.or_(build.not_(func.needed), plan.simplifier(build.le(extent, room)))
            details = (("func", func.original), ("var", var))
            values = (("bound", room), ("required extent", plan.simplifier(extent)))
            plan.checks.append(CheckPlan(fits, "storage_bound", details, values, func.store))
