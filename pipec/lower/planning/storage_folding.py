"""Storage folding: a dimension of which each iteration accesses only a short window is stored in a ring.

    realize f over [0, height) around for y: uses f(y - 1 .. y + 1)  -->  f has 4 rows, row y is stored at y % 4

Also checks, when the program runs, that storage whose size the schedule gives is large enough.
"""

from __future__ import annotations

from pipec.bounds.box import box_of_accesses
from pipec.bounds.conditions import conjuncts, is_likely
from pipec.bounds.exact import MAX_COORDINATES, between, exact_number, is_held
from pipec.bounds.interval import Interval
from pipec.diagnostics import warn_once
from pipec.errors import ScheduleError
from pipec.ir import build
from pipec.ir.build import constant
from pipec.ir.expr import Const, Expr, Intrinsic, Mul, Select, const, variable
from pipec.ir.stmt import GPU_KINDS, LoopKind
from pipec.ir.walk import free_variables, instances, rewrite, substitute
from pipec.lower.planning.bounds_inference import accessed_box, scheduled_interval
from pipec.lower.planning.extern_stage import box_read, call_level
from pipec.lower.planning.level_intervals import LoopDependence, RegionView
from pipec.lower.planning.nest import ROOT_LEVEL, Level, LoopItem, LoopNest
from pipec.lower.planning.plan import FuncPlan, LoweringPlan, PlannedCheck
from pipec.records import dataclass
from pipec.schedule.execution import Async
from pipec.schedule.observation import DebugToFile
from pipec.schedule.placement import RingBuffer
from pipec.schedule.storage import BoundStorage, FoldStorage, ReorderStorage, TileStorage

LARGE_COORDINATE = 1 << 30
"""The smallest coordinate that may be an end of an interval of 2^31 integers."""


def fold_storage(plan: LoweringPlan) -> None:
    """Sets the fold factor of each dimension of each Func, where the schedule asks for it or it saves storage.

    Raises ScheduleError for a factor that is too small, and for a dimension that cannot be folded.
    """
    consumers = plan.consumers()
    for func in plan.funcs.values():
        func.folds = [None] * len(func.definition.args)
        users = consumers.get(func.definition.name, [])
        if not func.is_output and DebugToFile not in func.schedule:
            _fold(plan, func, users)
            _check_extern_stages(plan, func, users)
        scheduled = func.schedule.by_dim(FoldStorage)
        # As in Halide, the dimension that the outermost possible loop moves through is folded: values of one iteration
        # of that loop survive the loops inside it, along which the storage of other dimensions can't be folded.
        if scheduled and all(func.folds[func.definition.args.index(var)] is None for var in scheduled):
            _report_unfolded(plan, func, users, next(iter(scheduled)))


def _check_extern_stages(plan: LoweringPlan, func: FuncPlan, users: list[LoopNest]) -> None:
    """Adds run-time checks that the boxes which C functions access do not wrap around the end of a ring.

    A C function gets an address and strides, which do not describe a ring.
    """
    name = func.definition.name
    for nest in (*func.nests, *users):
        if nest.extern is None or not any(func.folds):
            continue
        level = call_level(plan, nest)
        own = tuple([Interval(low, high) for low, high in zip(nest.args, nest.ends, strict=True)])
        box = (own if nest.func == name else box_read(plan, nest, name, level)) or ()
        for var, interval, fold in zip(func.definition.args, box, func.folds, strict=True):
            if fold is not None:
                low, high = interval.ends
                fits = build.le(build.add(build.mod(low, fold), interval.extent), fold)
                details = (("func", func.original), ("var", var), ("stage", plan.funcs[nest.func].original))
                values = (("first", low), ("last", high), ("fold factor", fold))
                place = nest.innermost() if nest.func == name else level
                plan.checks.append(PlannedCheck(fits, "extern_fold", details, values, place))


def check_storage_bounds(plan: LoweringPlan) -> None:
    """Adds a run-time check, at the store level of a Func, for each extent that `bound_storage` limits."""
    for func in plan.funcs.values():
        args = func.definition.args
        for var, bound in func.schedule.by_dim(BoundStorage).items() if not func.is_output else ():
            fold = func.folds[args.index(var)]
            extent = func.storage[args.index(var)].extent if fold is None else fold
            fits = build.or_(build.not_(_computed_in(plan, func)), plan.simplifier(build.le(extent, bound.extent)))
            details = (("func", func.original), ("var", var))
            values = (("bound", bound.extent), ("required extent", plan.simplifier(extent)))
            plan.checks.append(PlannedCheck(fits, "storage_bound", details, values, func.store_level))


def check_storage_extents(plan: LoweringPlan) -> None:
    """Adds a run-time check, at the store level of a Func, for each dimension whose coordinates may not fit an int32.

    These are coordinates that large constants or Params take part in, and multiples: all others are about as large as
    those of a buffer. Kernels cannot check.
    """
    consumers = plan.consumers()
    for func in plan.funcs.values():
        name, level = func.definition.name, func.store_level
        if func.is_output or any(loop.kind in GPU_KINDS for loop, _ in plan.enclosing_loops(ROOT_LEVEL, level)):
            continue
        readers = [*consumers.get(name, ()), *func.nests]
        accesses = [coordinates for nest in readers for coordinates in nest.func_calls.get(name, ())]
        # In terms of the bounds of what reads it, which have been checked; what C functions read has no such terms.
        by_c = any(nest.extern is not None for nest in readers)
        box = func.storage if by_c else box_of_accesses(accesses, plan.analysis(level)) or ()
        for var, interval, fold in zip(func.definition.args, box, func.folds, strict=False):
            if fold is not None or not interval.bounded:
                continue
            scheduled = scheduled_interval(plan, func, var, interval, checked=False)
            low, high = [plan.simplifier(end) for end in scheduled.ends]
            if any(_may_overflow(plan, end, level) for end in (low, high)):
                distance = build.sub(exact_number(high), exact_number(low))
                fits = between(distance, -MAX_COORDINATES, MAX_COORDINATES - 1)
                fits = build.all_of([is_held(low), is_held(high), fits])
                fits = build.or_(build.not_(_computed_in(plan, func)), fits)
                details = (("func", func.original), ("var", var))
                values = (("first", low), ("last", high))
                plan.checks.append(PlannedCheck(fits, "storage_extent", details, values, level))


def _may_overflow(plan: LoweringPlan, coordinate: Expr, level: Level) -> bool:
    """Whether a coordinate may be far larger than those of buffers."""
    if not coordinate.variables.isdisjoint(plan.definition.scalars):
        return True
    if any(abs(node.value) >= LARGE_COORDINATE for node in instances(Const, coordinate)):
        return True
    # Loops over tiles, inside of which coordinates are multiples, stay within the bounds of what they cover.
    return level == ROOT_LEVEL and any(True for _ in instances(Mul, coordinate))


def _computed_in(plan: LoweringPlan, func: FuncPlan) -> Expr:
    """Returns what holds at the store level of a Func if any iteration of the loops inside it computes the Func."""
    loops = [plan.dependence(loop) for loop, _ in plan.enclosing_loops(func.store_level, func.compute_level)]

    def varies(condition: Expr) -> bool:
        return any(dependence.varies(name) for dependence in loops for name in free_variables(condition))

    return build.all_of(part for part in conjuncts(func.compute_predicate) if not varies(part))


@dataclass(eq=False)
class _Window:
    """The values of one dimension that an iteration of a loop accesses.

    `inside`: the level inside the loop. `firsts` and `lasts`: the ends of the window, with and without sliding.
    `moves_up`: the window moves towards larger coordinates; None if its direction is unknown.
    """

    dimension: int
    dependence: LoopDependence
    inside: Level
    firsts: list[Expr]
    lasts: list[Expr]
    moves_up: bool | None

    def extents(self, plan: LoweringPlan) -> list[Expr]:
        """Returns how many values the window may have, in the first iteration and in later ones."""
        lengths = [Interval(first, last).extent for first in self.firsts for last in self.lasts]
        cases = [plan.simplifier(case) for length in lengths for case in _first_and_later(length, self.dependence)]
        return list(dict.fromkeys(cases))

    def leading_ends(self) -> list[Expr]:
        """Returns the ends at which the window moves on to further values."""
        return self.lasts if self.moves_up else self.firsts


def _fold(plan: LoweringPlan, func: FuncPlan, users: list[LoopNest]) -> None:
    """Folds one dimension for each serial loop between the store and the compute level, where that is possible."""
    scheduled = [func.definition.args.index(var) for var in func.schedule.by_dim(FoldStorage)]
    loops = plan.enclosing_loops(func.store_level, func.compute_level)
    for loop, inside in loops:
        if loop.kind not in (LoopKind.SERIAL, LoopKind.UNROLLED):
            # Iterations that run at the same time share the storage: a ring would mix their values.
            return
        box = accessed_box(plan, func, inside, users, RegionView.UNSLID)
        for dimension in sorted(reversed(range(len(box))), key=lambda d: d not in scheduled):
            if func.definition.args[dimension] in func.schedule.by_dim(TileStorage):
                continue
            window = _window(plan, func, users, loop, inside, box[dimension], dimension)
            if window is not None and _fold_dimension(plan, func, users, window):
                break
        if loop in func.sliding_loops.values() or loop in func.shared_loops:
            # Values of one iteration of this loop must survive the loops further in, for the next one.
            return
    # Without sliding no value survives an iteration of the innermost loop: windows may move in any way.
    for loop, inside in reversed(loops) if not func.sliding_loops and not func.shared_loops else ():
        box = accessed_box(plan, func, inside, users, RegionView.UNSLID)
        for dimension in scheduled:
            dependence, ends = plan.dependence(loop), box[dimension].ends
            if func.folds[dimension] is None and any(dependence.direction(end) != 0 for end in ends):
                _fold_dimension(plan, func, users, _Window(dimension, dependence, inside, [ends[0]], [ends[1]], None))


def _window(
    plan: LoweringPlan,
    func: FuncPlan,
    users: list[LoopNest],
    loop: LoopItem,
    inside: Level,
    interval: Interval,
    dimension: int,
) -> _Window | None:
    """Returns the window of a dimension along a loop; None if it does not move in one direction or is folded."""
    dependence = plan.dependence(loop)
    low, high = map(dependence.expanded, interval.ends)
    low_direction, high_direction = dependence.direction(low), dependence.direction(high)
    if low_direction == high_direction == 0 or func.folds[dimension] is not None:
        return None
    if low_direction is None or high_direction is None or low_direction * high_direction < 0:
        return None
    firsts, lasts = [low], [high]
    if func.sliding_loops:
        # A window starts later after sliding, and values that its splits add at its end reach further than before.
        slid = accessed_box(plan, func, inside, users, RegionView.ACCESSED)[dimension]
        first, last = map(plan.dependence(loop, slid=True).expanded, slid.ends)
        firsts.append(first)
        lasts.append(last)
    return _Window(dimension, dependence, inside, firsts, lasts, low_direction > 0 or high_direction > 0)


def _fold_dimension(plan: LoweringPlan, func: FuncPlan, users: list[LoopNest], window: _Window) -> bool:
    """Folds the dimension of a window by the factor of the schedule, or one that fits. Returns whether it did."""
    extents = window.extents(plan)
    scheduled = func.schedule.by_dim(FoldStorage).get(func.definition.args[window.dimension])
    if scheduled is not None:
        steady = accessed_box(plan, func, window.inside, users, RegionView.ACCESSED)[window.dimension]
        steady_extent = _steady_extent(plan, window.dependence, steady)
        factor = _scheduled_factor(plan, func, window, scheduled.factor, extents, steady_extent)
        func.folds[window.dimension] = factor
        func.windows_held = _windows_held(plan, window, factor, extents)
        return True
    if any(nest.extern is not None for nest in (*func.nests, *users)):
        # C functions get an address and strides, which do not describe a ring.
        return False
    if Async in func.schedule and RingBuffer not in func.schedule:
        # With a ring the thread of the producer could not run ahead.
        return False
    return not _cuts_vectors(plan, func, users, window.dimension) and _fold_to_fit(plan, func, window, extents)


def _cuts_vectors(plan: LoweringPlan, func: FuncPlan, users: list[LoopNest], dimension: int) -> bool:
    """Returns whether vectors lie along the dimension in memory: across the end of a ring they are inefficient."""
    reordered, args = func.schedule.last(ReorderStorage), func.definition.args
    if args[dimension] != (args if reordered is None else reordered.variables)[0]:
        return False
    name = func.definition.name
    accesses = [(nest, call) for nest in users for call in nest.func_calls[name]]
    accesses += [(nest, written) for nest in func.nests for written in nest.written()]
    return any(
        isinstance(item, LoopItem)
        and item.kind is LoopKind.VECTORIZED
        and plan.dependence(item).direction(coordinates[dimension]) != 0
        for nest, coordinates in accesses
        for item in nest.items
    )


def _windows_held(plan: LoweringPlan, window: _Window, factor: Expr, extents: list[Expr]) -> int:
    """Returns how many successive iterations have windows that fit into a ring together."""
    size, largest = constant(factor), _largest(plan, extents)
    if size is None or largest is None or window.moves_up is None:
        return 1
    loop = window.dependence.loop
    following = build.add(variable(loop), 1)
    gaps = [build.sub(substitute(end, {loop: following}), end) for end in window.leading_ends()]
    steps = [plan.simplifier.ranges.of(plan.simplifier(gap)) for gap in gaps]
    if any(step.low is None or step.high is None for step in steps):
        return 1
    largest_step = max([max(abs(step.low), abs(step.high)) for step in steps])  # type: ignore[arg-type]
    return 1 + int(size - largest) // largest_step if largest_step else 1


def _first_and_later(e: Expr, dependence: LoopDependence) -> list[Expr]:
    """`e` in the first iteration of a loop and in later ones, where the bounds of a sliding window differ in them."""

    def case(later: bool) -> Expr:
        def change(node: Expr) -> Expr:
            if not isinstance(node, Select) or not isinstance(node.condition, Intrinsic):
                return node
            if dependence.loop not in free_variables(node.condition):
                return node
            return node.true_value if later else node.false_value

        return rewrite(e, change, dependence.memos[later])

    first, later = case(False), case(True)
    return [first] if first is later else [first, later]


def _largest(plan: LoweringPlan, extents: list[Expr]) -> int | None:
    """Returns the largest value of any of the extents; None if it is unbounded."""
    limits = [plan.simplifier.ranges.largest(extent) for extent in extents]
    bounded = [limit for limit in limits if limit is not None]
    return max(bounded) if len(bounded) == len(limits) else None


def _fold_to_fit(plan: LoweringPlan, func: FuncPlan, window: _Window, extents: list[Expr]) -> bool:
    """Folds by the power of two that holds a window, if its size is bounded and that saves storage."""
    largest = _largest(plan, extents)
    if largest is None or largest <= 0:
        return False
    size = 1 << (largest - 1).bit_length()
    whole = plan.simplifier.ranges.largest(plan.simplifier(func.storage[window.dimension].extent))
    if whole is not None and whole <= size:
        return False
    func.folds[window.dimension] = const(size)
    return True


def _scheduled_factor(
    plan: LoweringPlan, func: FuncPlan, window: _Window, scheduled: Expr, extents: list[Expr], steady_extent: Expr
) -> Expr:
    """Returns the factor that the schedule gives, or more where the first window of a sliding loop needs it."""
    var = func.definition.args[window.dimension]
    factor = plan.simplifier(scheduled)
    size, largest = constant(factor), _largest(plan, extents)
    if size is not None and largest is not None:
        steady = plan.simplifier.ranges.largest(steady_extent)
        if steady is None or size < steady:
            steady = largest
        # With exact tails windows may be larger than those of the schedule, whose splits and alignments differ.
        if size < steady and not plan.exact_tails:
            raise ScheduleError(
                f"The fold factor ({size}) of dimension {var} of {func.definition.name} is too small to store "
                f"the required region accessed by its uses ({steady}). Fold by at least {steady}."
            )
        return factor if size >= largest else const(1 << (largest - 1).bit_length())
    details = (("func", func.definition.name), ("var", var))
    for extent in extents:
        values = (("fold factor", factor), ("required extent", extent))
        holds = plan.simplifier(build.le(extent, factor))
        plan.checks.append(PlannedCheck(holds, "fold", details, values, window.inside))
    return factor


def _steady_extent(plan: LoweringPlan, dependence: LoopDependence, interval: Interval) -> Expr:
    """Returns how many values an iteration other than the first accesses."""

    def expected(node: Expr) -> Expr:
        return node.true_value if isinstance(node, Select) and is_likely(node.condition) else node

    extent = interval.extent
    while True:
        extent = plan.simplifier(rewrite(extent, expected))
        lets = [(name, plan.slid_value(name)) for name in free_variables(extent) if dependence.varies(name)]
        values = {name: value for name, value in lets if value is not None}
        if not values:
            return extent
        extent = substitute(extent, values)


def _report_unfolded(plan: LoweringPlan, func: FuncPlan, users: list[LoopNest], var: str) -> None:
    """Warns of a fold that sliding along a loop further out leaves without effect; raises where no loop moves."""
    name, dimension = func.original, func.definition.args.index(var)
    surviving = [*func.sliding_loops.values(), *func.shared_loops]
    for loop, inside in plan.enclosing_loops(func.store_level, func.compute_level) if surviving else ():
        ends = accessed_box(plan, func, inside, users, RegionView.UNSLID)[dimension].ends
        if any(plan.dependence(loop).direction(end) != 0 for end in ends):
            outer = surviving[0].var
            warn_once(
                f"fold_storage of {name} along {var} has no effect: values of {name} that one iteration of the loop "
                f"over {outer} computes are used in the next one, so that the whole extent of {var} is stored. "
                f"Fold along another dimension, or store {name} inside the loop over {outer} (store_at)."
            )
            return
    raise ScheduleError(
        f"Cannot fold storage of {name} along {var}: no serial loop between the place where {name} is stored "
        f"and the place where it is computed moves steadily through {var}. "
        f"Store {name} further out (store_at or store_root) than it is computed (compute_at)."
    )
