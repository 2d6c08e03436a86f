"""Bounds inference: the box of each Func that its consumers need where it is computed, and what inputs must hold.

    for y: g(y) = f(y) + f(y + 1)  -->  for y: let f.s0.y.min = y, f.s0.y.max = y + 1 ...

Goes through the Funcs consumers first. All regions come from the one interval analysis of the plan.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import cache, partial

from pipec.bounds.box import Box, box_of_accesses, reason_unbounded, union
from pipec.bounds.exact import MAX_COORDINATES, between, exact_number, fits_int32
from pipec.bounds.interval import Interval
from pipec.bounds.linear import difference
from pipec.errors import UnboundedError
from pipec.ir import build
from pipec.ir.expr import TRUE, Expr, Mul
from pipec.ir.walk import instances
from pipec.lower.planning.compute_levels import any_runs, infer_demand, may_skip
from pipec.lower.planning.demand import conditional_calls, needed_box, select_box
from pipec.lower.planning.extern_stage import box_read, set_computed_box
from pipec.lower.planning.fused_loops import set_fused_intervals
from pipec.lower.planning.level_intervals import RegionView
from pipec.lower.planning.names import bound_name, bound_symbols, buffer_symbol, output_buffers
from pipec.lower.planning.nest import ROOT_LEVEL, LetItem, Level, LoopItem, LoopNest, by_stage
from pipec.lower.planning.plan import FuncPlan, LoweringPlan, PlannedCheck
from pipec.lower.planning.sliding_window import slide
from pipec.schedule.bounds import AlignBounds, AlignExtent, Bound, ExpectBounds
from pipec.schedule.execution import Memoize


def infer_bounds(plan: LoweringPlan) -> None:
    """Defines the bounds of every stage, the box each Func is stored in, and the boxes that inputs must hold."""
    for nest in plan.nests():
        for position, item in enumerate(nest.items):
            if isinstance(item, (LoopItem, LetItem)):
                plan.define(Level(nest, position), item)
    for nest in plan.nests():
        nest.conditional_calls = conditional_calls(nest)
        plan.is_conditional = plan.is_conditional or bool(nest.conditional_calls)
    users = plan.consumers()
    plan.required_box = cache(lambda name, level: _required_from(plan, plan.funcs[name], level, users[name]))
    for func in reversed(list(plan.funcs.values())):
        name = func.definition.name
        infer_demand(plan, func, users.get(name, []))
        func.required = _required(plan, func, users.get(name, []))
        _define_stages(plan, func)
        slide(plan, func)
        set_fused_intervals(plan, func)
        if func.definition.extern is not None:
            set_computed_box(plan, func)
    for func in plan.funcs.values():
        func.storage = accessed_box(plan, func, func.store_level, users.get(func.definition.name, []))
        if func.is_output:
            details = (("func", func.definition.name),)
            _check_box(plan, "output_bounds", output_buffers(func.definition)[0], func.storage, details)
            _check_extents(plan, func)
    _infer_inputs(plan)
    _check_fused_loops(plan)


def _check_extents(plan: LoweringPlan, func: FuncPlan) -> None:
    """Adds run-time checks that loops over an output, in tiles and vectors, count within an int32."""
    for dimension, var in enumerate(func.definition.args):
        low, high = _buffer_interval(plan, output_buffers(func.definition)[0], dimension).ends
        extent = build.add(build.sub(high, low), 1)
        if build.constant(extent) is None:
            fits = build.and_(between(exact_number(extent), 0, MAX_COORDINATES), fits_int32(exact_number(high)))
            details = (("func", func.original), ("var", var))
            plan.checks.append(PlannedCheck(fits, "output_extent", details, (("extent", extent), ("first", low))))


def _check_fused_loops(plan: LoweringPlan) -> None:
    """Adds run-time checks that products of extents, of fused loops, fit an int32."""
    analysis = plan.analysis(ROOT_LEVEL)
    for nest in plan.nests():
        for item in nest.items:
            if not isinstance(item, LoopItem) or not any(_is_product(node) for node in instances(Mul, item.extent)):
                continue
            most = analysis.of(item.extent).high
            if most is not None:
                details = (("func", plan.funcs[nest.func].original), ("var", item.var))
                plan.checks.append(
                    PlannedCheck(fits_int32(exact_number(most)), "loop_extent", details, (("extent", most),))
                )


def _is_product(node: Mul) -> bool:
    return build.constant(node.a) is None and build.constant(node.b) is None


def _read_box(
    plan: LoweringPlan, name: str, level: Level, users: list[LoopNest], view: RegionView = RegionView.ACCESSED
) -> Box | None:
    """Returns the box of Func `name` that the nests read, seen from `level`; None if they read nothing."""
    analysis = plan.analysis(level, view)
    is_conditional = view is RegionView.REQUIRED and _may_shrink(plan, plan.funcs[name])

    def read(nest: LoopNest) -> Box | None:
        if nest.extern is not None:
            box = box_read(plan, nest, name, level)
        elif is_conditional and name in nest.conditional_calls:
            box = needed_box(plan, nest, name, level)
        else:
            box = box_of_accesses(nest.func_calls[name], analysis)
        reason = partial(reason_unbounded, nest.func_calls.get(name, ()), analysis)
        _refuse_unbounded(plan, box or (), name, nest, reason)
        return box

    return union(boxes_of_stages(users, read))


def _may_shrink(plan: LoweringPlan, func: FuncPlan) -> bool:
    """Returns whether a Func may be computed over less than its consumers read: not where a window slides."""
    return func.store_level == func.compute_level and may_skip(plan, func)


def _refuse_unbounded(plan: LoweringPlan, box: Box, name: str, nest: LoopNest, reason: Callable[[int], str]) -> None:
    for dimension, interval in enumerate(box):
        if not interval.bounded:
            location = plan.funcs[nest.func].definition.stages[nest.stage].location
            stage = "Pure definition" if nest.stage == 0 else f"Update definition number {nest.stage - 1}"
            raise UnboundedError(
                f"{stage} of Function {nest.func} calls function {name} in an unbounded way in dimension {dimension} "
                f"({location}). {reason(dimension)}"
                "Clamp the index to a range, e.g. hl.clamp(index, 0, extent - 1)."
            )


def _required(plan: LoweringPlan, func: FuncPlan, users: list[LoopNest]) -> Box:
    """Returns the box that a Func is computed over: that of the output buffer, or what consumers need."""
    if not func.is_output:
        return _required_from(plan, func, func.compute_level, users)
    name, args = func.definition.name, func.definition.args
    buffer = output_buffers(func.definition)[0]
    read = _read_box(plan, name, ROOT_LEVEL, users)
    if read is not None:
        _check_box(plan, "output_bounds", buffer, read, (("reader", ", ".join(sorted({n.func for n in users}))),))
    return tuple([scheduled_interval(plan, func, var, _buffer_interval(plan, buffer, d)) for d, var in enumerate(args)])


def _required_from(plan: LoweringPlan, func: FuncPlan, level: Level, users: list[LoopNest]) -> Box:
    """Returns the box of a Func that its consumers need, seen from `level`."""
    name = func.definition.name
    box = _read_box(plan, name, level, users, _view(plan, name, users))
    assert box is not None, f"{name} has no consumers"
    checked = level == func.compute_level
    return tuple(scheduled_interval(plan, func, *dim, checked) for dim in zip(func.definition.args, box, strict=True))


def _view(plan: LoweringPlan, name: str, users: list[LoopNest]) -> RegionView:
    """Returns where the values of Func `name` must be right.

    Also in the lanes that splits add: coordinates, and what memoized Funcs read, whose values later calls take.
    """
    is_memoized = any(Memoize in plan.funcs[nest.func].schedule for nest in users)
    return RegionView.ACCESSED if is_memoized or name in plan.value_ranges.indexing else RegionView.REQUIRED


def _buffer_interval(plan: LoweringPlan, buffer: str, dimension: int) -> Interval:
    symbols = (buffer_symbol(buffer, what, dimension) for what in ("min", "extent"))
    low, extent = (plan.constants.get(symbol.name, symbol) for symbol in symbols)
    return Interval.of_extent(low, extent)


def scheduled_interval(
    plan: LoweringPlan, func: FuncPlan, var: str, interval: Interval, checked: bool = True
) -> Interval:
    """Returns the interval after bound(), expect_bounds(), align_bounds() and align_extent().

    `checked`: adds a run-time check that the bounds of the schedule contain `interval`, which is seen from the compute
    level; otherwise it is seen from further out.
    """
    simplify = plan.simplifier
    low, high = interval.ends
    bound: Bound | ExpectBounds | None = func.schedule.by_dim(Bound).get(var)
    expected = bound is None and not plan.exact_tails
    if expected:
        bound = func.schedule.by_dim(ExpectBounds).get(var)
    if bound is not None:
        start = low if bound.minimum is None else simplify(bound.minimum)
        end = simplify(Interval.of_extent(start, bound.extent).ends[1])
        if checked:
            holds = build.and_(build.le(start, low), build.le(high, end))
            details = (("func", func.original), ("var", var))
            values = (("required min", low), ("required max", high), ("given min", start), ("given max", end))
            holds = build.or_(build.not_(func.compute_predicate), simplify(holds))
            kind = "expected_bounds" if expected else "explicit_bounds"
            plan.checks.append(PlannedCheck(holds, kind, details, values, func.compute_level))
        # From further out, the windows of a bound that gives an extent only have different minima.
        moving = isinstance(bound, Bound) and bound.minimum is None and not checked
        low, high = start, simplify(build.max_(high, end)) if moving else end
    aligned = func.schedule.by_dim(AlignBounds).get(var)
    if aligned is not None:
        modulus, remainder = aligned.modulus, aligned.remainder
        low, high = (
            build.mul(build.div(build.sub(end, remainder), modulus), modulus) for end in (low, build.add(high, modulus))
        )
        low, high = simplify(build.add(low, remainder)), simplify(build.add(high, build.sub(remainder, 1)))
    multiple = func.schedule.by_dim(AlignExtent).get(var)
    if multiple is not None:
        step = multiple.modulus if aligned is None else _common_multiple(multiple.modulus, aligned.modulus)
        blocks = build.div(build.add(build.sub(high, low), step), step)
        high = simplify(build.sub(build.add(low, build.mul(blocks, step)), 1))
    return Interval(low, high)


def _common_multiple(a: Expr, b: Expr) -> Expr:
    first, second = build.constant(a), build.constant(b)
    return build.mul(a, b) if first is None or second is None else build.as_expr(math.lcm(int(first), int(second)))


def _define_stages(plan: LoweringPlan, func: FuncPlan) -> None:
    """Defines the bounds of each stage, the last one first: an earlier one also computes what later ones read."""
    box, name = func.required, func.definition.name
    last = func.nests[-1].stage
    for nests in reversed(by_stage(func.nests)):
        stage = nests[0].stage
        for dimension, (var, interval) in enumerate(zip(func.definition.args, box, strict=True)):
            cell = func.alignment(stage, dimension).cell
            for end, value in zip(("min", "max"), interval.ends, strict=True):
                let = LetItem(bound_name(name, stage, var, end), cell(value), is_bound=not func.is_output)
                if stage == last and not func.is_output:
                    let.bound_of = (name, dimension, end)
                plan.define(func.compute_level, let)
                func.bound_lets.append(let)
        symbols = tuple([bound_symbols(func.definition, func.schedule, stage, var) for var in func.definition.args])
        view = _view(plan, name, [])
        read = _read_box(plan, name, func.compute_level, [nest for nest in nests if name in nest.func_calls], view)
        box = union([symbols] if read is None else [symbols, read]) or ()


def accessed_box(
    plan: LoweringPlan, func: FuncPlan, level: Level, users: list[LoopNest], view: RegionView = RegionView.ACCESSED
) -> Box:
    """Returns the box of a Func that its own stages and its consumers write or read, seen from `level`."""
    name = func.definition.name
    analysis = plan.analysis(level, view)

    def written(nest: LoopNest) -> Box | None:
        # The first and last coordinates of a C function are not united: an empty box has no values.
        corners = zip(nest.args, nest.ends if nest.extern is not None else nest.args, strict=True)
        box = tuple([Interval(analysis.of(first).low, analysis.of(last).high) for first, last in corners])
        _refuse_unbounded(plan, box, name, nest, partial(reason_unbounded, [nest.args], analysis))
        return box

    boxes = boxes_of_stages(func.nests, written)
    read = _read_box(plan, name, level, users + [nest for nest in func.nests if name in nest.func_calls], view)
    if read is not None:
        boxes.append(read)
    total = union(boxes)
    assert total is not None
    return total


def _infer_inputs(plan: LoweringPlan) -> None:
    """Sets the boxes of the inputs that are read, and adds checks that the buffers hold them."""
    analysis = plan.analysis(ROOT_LEVEL)

    def accessed(image: str, nest: LoopNest) -> Box | None:
        return box_of_accesses(nest.image_calls[image], analysis)

    for name in plan.images:
        for func in plan.funcs.values():
            readers = [nest for nest in func.nests if name in nest.image_calls]
            box = union(boxes_of_stages(readers, partial(accessed, name)))
            if box is None:
                continue
            for dimension, interval in enumerate(box):
                if not interval.bounded:
                    location = func.definition.location
                    calls = [call for nest in readers for call in nest.image_calls[name]]
                    about = reason_unbounded(calls, analysis, dimension)
                    raise UnboundedError(
                        f"Buffer {name} may be accessed in an unbounded way in dimension {dimension} "
                        f"by Func {func.definition.name} ({location}). {about}Clamp the index, e.g. with "
                        f"hl.BoundaryConditions.repeat_edge({name}) or hl.clamp(index, 0, extent - 1)."
                    )
            details = (("reader", func.definition.name), ("location", str(func.definition.location)))
            runs = any_runs(plan, readers)
            _check_box(plan, "input_bounds", name, box, details, runs)
            if runs is TRUE:
                plan.tables[name] = max(plan.tables.get(name, 0), _elements_from_zero(box))
            boxes = [plan.input_boxes[name], box] if name in plan.input_boxes else [box]
            plan.input_boxes[name] = union(boxes) or ()


def _elements_from_zero(box: Box) -> int:
    """How many coordinates from 0 on a box of one dimension certainly has."""
    if len(box) != 1:
        return 0
    low, high = (build.constant(end) for end in box[0].ends)
    return 0 if low is None or high is None or low > 0 else max(0, int(high) + 1)


def _check_box(
    plan: LoweringPlan, kind: str, buffer: str, box: Box, details: tuple[tuple[str, str], ...], predicate: Expr = TRUE
) -> None:
    """Adds run-time checks that a buffer contains the box wherever `predicate` is true."""
    for dimension, interval in enumerate(box):
        low, high = interval.ends
        first, last = _buffer_interval(plan, buffer, dimension).ends
        holds = build.all_of(
            is_inside
            for is_inside, distance in (
                (build.ge(low, first), difference(low, first)),
                (build.le(high, last), difference(last, high)),
            )
            if distance is None or distance < 0
        )
        condition: Expr = build.or_(build.not_(predicate), plan.simplifier(holds))
        if build.constant(condition) == 1:
            continue
        about = (("buffer", buffer), ("dimension", str(dimension)), *details)
        values = (("required min", low), ("required max", high), ("min", first), ("max", last))
        plan.checks.append(PlannedCheck(condition, kind, about, values))


def boxes_of_stages(nests: Iterable[LoopNest], box_of: Callable[[LoopNest], Box | None]) -> list[Box]:
    """Returns the box of each stage among the nests: for a specialized stage that of the version that runs.

        where p == 1: f reads [0, 9], else [5, 20]  -->  [select(p == 1, 0, 5), select(p == 1, 9, 20)]

    `box_of` returns the box of one version, None if it has none.
    """
    boxes = []
    for versions in by_stage(nests):
        total: Box | None = None
        for nest in reversed(versions):
            box = box_of(nest)
            if box is not None:
                total = box if total is None or nest.condition is TRUE else select_box(nest.condition, box, total)
        if total is not None:
            boxes.append(total)
    return boxes
