"""Storage folding: where an iteration touches only a short stretch of a dimension, that dimension becomes a ring.

realize f over [0, height) around for y: uses f(y - 1 .. y + 1)  -->  f keeps 4 rows, row y at y % 4
"""

from __future__ import annotations

from pipec.bounds.interval import Interval
from pipec.errors import ScheduleError
from pipec.ir import build
from pipec.ir.build import constant
from pipec.ir.conditions import is_likely
from pipec.ir.expr import Expr, Select, const, variable
from pipec.ir.stmt import LoopKind
from pipec.ir.walk import free_variables, rewrite, substitute
from pipec.lower.planning.bounds_inference import accessed_box
from pipec.lower.planning.loop_dependence import Motion
from pipec.lower.planning.plan import CheckPlan, FuncPlan, LetItem, LoopItem, Nest, Plan, Site, View


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
        own = users.get(func.definition.name, [])
        # What is written to a file is told by where it starts and its strides, which a ring has not. C functions know
        # nothing of rings either.
        told = func.schedule.debug_file or any(nest.extern is not None for nest in (*func.nests, *own))
        if not func.is_output and not told:
            _fold(plan, func, own)
        for var in func.schedule.folds:
            if func.folds[func.definition.args.index(var)] is None:
                _refuse(func, var)


def _fold(plan: Plan, func: FuncPlan, users: list[Nest]) -> None:
    for loop, inside in plan.enclosing_loops(func.store, func.compute):
        if loop.kind not in (LoopKind.SERIAL, LoopKind.UNROLLED):
            # Iterations that run at the same time share the storage: a ring would mix their values.
            return
        box = accessed_box(plan, func, inside, users, View.UNSLID)
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
            # A window that has slid starts later, and what its splits add at its end reaches further than before.
            firsts, lasts = [low], [high]
            if func.slid:
                slid = accessed_box(plan, func, inside, users, View.TOUCHED)[dimension]
                assert slid.low is not None and slid.high is not None
                as_slid = plan.motion(loop, slid=True)
                firsts.append(as_slid.expanded(slid.low))
                lasts.append(as_slid.expanded(slid.high))
            lengths = [build.add(build.sub(last, first), 1) for first in firsts for last in lasts]
            extents = [plan.simplifier(case) for length in lengths for case in _first_and_later(length, motion)]
            given = func.schedule.folds.get(func.definition.args[dimension])
            if given is None and func.schedule.concurrent and func.schedule.ring is None:
                # A ring would keep its thread from running ahead.
                done = False
            elif given is None and _cuts_vectors(plan, func, users, dimension):
                done = False
            elif given is None:
                done = _fold_to_fit(plan, func, dimension, extents)
            else:
                steady = accessed_box(plan, func, inside, users, View.TOUCHED)[dimension]
                steady_extent = _steady_extent(plan, motion, steady)
                func.folds[dimension] = _given_factor(plan, func, dimension, given[0], extents, steady_extent, inside)
                ends = lasts if signs[1] > 0 or signs[0] > 0 else firsts
                func.ahead = _iterations_held(plan, loop.name, func.folds[dimension], extents, ends)
                done = True
            if done:
                break
        if loop in func.slid.values():
            # What an outer iteration leaves behind must survive the loops further in.
            return


def _cuts_vectors(plan: Plan, func: FuncPlan, users: list[Nest], dimension: int) -> bool:
    """Whether vectors lie along the dimension in memory: those over the end of a ring would be single elements."""
    order, args = func.schedule.storage_order, func.definition.args
    if args[dimension] != (order or args)[0]:
        return False
    name = func.definition.name
    places = [(nest, call) for nest in users for call in nest.func_calls[name]]
    places += [(nest, written) for nest in func.nests for written in nest.written()]
    return any(
        isinstance(item, LoopItem)
        and item.kind is LoopKind.VECTORIZED
        and plan.motion(item).sign(place[dimension]) != 0
        for nest, place in places
        for item in nest.items
    )


def _iterations_held(plan: Plan, loop: str, fold: Expr | None, extents: list[Expr], ends: list[Expr]) -> int:
    """How many iterations in succession a ring holds the windows of; `ends`: where a window gains values."""
    size, most = None if fold is None else constant(fold), _largest(plan, extents)
    if size is None or most is None:
        return 1
    following = build.add(variable(loop), 1)
    gaps = [build.sub(substitute(end, {loop: following}), end) for end in ends]
    steps = [plan.simplifier.ranges.of(plan.simplifier(gap)) for gap in gaps]
    longest = max([max(abs(step.low), abs(step.high)) if None not in step else 0 for step in steps])  # type: ignore[arg-type]
    return 1 + int(size - most) // longest if longest and all(None not in step for step in steps) else 1


def _first_and_later(e: Expr, motion: Motion) -> list[Expr]:
    """`e` as it is in the loop's first iteration and in the later ones, where a window that slides tells them apart."""

    def chosen(later: bool) -> Expr:
        def change(node: Expr) -> Expr:
            if not isinstance(node, Select) or not is_likely(node.condition):
                return node
            if motion.loop not in free_variables(node.condition):
                return node
            return node.true_value if later else node.false_value

        return rewrite(e, change, motion.chosen[later])

    first, rest = chosen(False), chosen(True)
    return [first] if first is rest else [first, rest]


def _largest(plan: Plan, extents: list[Expr]) -> int | None:
    """The largest value that any of the extents can have, if that is known."""
    most = [plan.simplifier.ranges.largest(extent) for extent in extents]
    known = [value for value in most if value is not None]
    return max(known) if len(known) == len(most) else None


def _fold_to_fit(plan: Plan, func: FuncPlan, dimension: int, extents: list[Expr]) -> bool:
    """Folds by the power of two that holds what an iteration touches, if that is known and saves something."""
    most = _largest(plan, extents)
    if most is None or most <= 0:
        return False
    size = 1 << (most - 1).bit_length()
    low, high = func.storage[dimension]
    assert low is not None and high is not None
    whole = plan.simplifier.ranges.largest(plan.simplifier(build.add(build.sub(high, low), 1)))
    if whole is not None and whole <= size:
        return False
    func.folds[dimension] = const(size)
    return True


def _given_factor(
    plan: Plan, func: FuncPlan, dimension: int, given: Expr, extents: list[Expr], steady_extent: Expr, inside: Site
) -> Expr:
    """The factor asked for. The first iteration of a sliding window may need more than the others, and gets it."""
    var = func.definition.args[dimension]
    factor = plan.simplifier(given)
    size, most = constant(factor), _largest(plan, extents)
    if size is not None and most is not None:
        steady = plan.simplifier.ranges.largest(steady_extent)
        if steady is None or size < steady:
            steady = most
        if size < steady:
            raise ScheduleError(
                f"The fold factor ({size}) of dimension {var} of {func.definition.name} is too small to store "
                f"the required region accessed by its uses ({steady}). Fold by at least {steady}."
            )
        return factor if size >= most else const(1 << (most - 1).bit_length())
    details = (("func", func.definition.name), ("var", var))
    for extent in extents:
        values = (("fold factor", factor), ("required extent", extent))
        holds = build.le(extent, factor)
        plan.checks.append(CheckPlan(plan.simplifier(holds), "fold", details, values, inside))
    return factor


def _steady_extent(plan: Plan, motion: Motion, interval: Interval) -> Expr:
    """How many values an iteration that is not the first touches."""

    def usual(node: Expr) -> Expr:
        if isinstance(node, Select) and is_likely(node.condition):
            return node.true_value
        return node

    assert interval.low is not None and interval.high is not None
    extent = build.add(build.sub(interval.high, interval.low), 1)
    while True:
        extent = plan.simplifier(rewrite(extent, usual))
        lets = [(name, plan.symbols.get(name)) for name in free_variables(extent) if motion.moves(name)]
        values = {n: s.item.value for n, s in lets if s is not None and isinstance(s.item, LetItem)}
        if not values:
            return extent
        extent = substitute(extent, values)


def _refuse(func: FuncPlan, var: str) -> None:
    name = func.definition.name
    raise ScheduleError(
        f"Cannot fold storage of {name} along {var}: no serial loop between the place where {name} is stored "
        f"and the place where it is computed moves steadily through {var}. "
        f"Store {name} further out (store_at or store_root) than it is computed (compute_at)."
    )
