"""Bounds inference: the box of each Func that its consumers need where it is computed, and what inputs must hold.

    for y: g(y) = f(y) + f(y + 1)  -->  for y: let f.s0.y.min = y, f.s0.y.max = y + 1 ...

Goes through the Funcs consumers first. All regions come from the one interval analysis of the plan.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial

from pipec.bounds.box import Box, box_of_accesses, union
from pipec.bounds.interval import Interval, IntervalAnalysis
from pipec.bounds.linear import difference
from pipec.errors import UnboundedError
from pipec.ir import build
from pipec.ir.expr import TRUE, Expr
from pipec.lower.planning.compute_levels import any_runs
from pipec.lower.planning.extern_stage import ask_for_region, box_read
from pipec.lower.planning.fused_loops import set_fused_intervals
from pipec.lower.planning.level_intervals import RegionView
from pipec.lower.planning.names import bound_name, bound_symbols, buffer_symbol, output_buffers
from pipec.lower.planning.nest import ROOT_LEVEL, LetItem, Level, LoopItem, LoopNest, by_stage
from pipec.lower.planning.plan import FuncPlan, LoweringPlan, PlannedCheck
from pipec.lower.planning.sliding_window import slide
from pipec.schedule.bounds import AlignBounds, AlignExtent, Bound, ExpectBounds


def infer_bounds(plan: LoweringPlan) -> None:
    """Defines the bounds of every stage, the box each Func is stored in, and the boxes that inputs must hold."""
    _define_nests(plan)
    users = plan.consumers()
    seen: dict[tuple[str, Level], Box] = {}

    def required_box(name: str, level: Level) -> Box:
        if (name, level) not in seen:
            seen[name, level] = _required_from(plan, plan.funcs[name], level, users[name])
        return seen[name, level]

    plan.required_box = required_box
    for func in reversed(list(plan.funcs.values())):
        name = func.definition.name
        func.required = _required(plan, func, users.get(name, []))
        _define_stages(plan, func)
        slide(plan, func)
        set_fused_intervals(plan, func)
        if func.definition.extern is not None:
            ask_for_region(plan, func)
    for func in plan.funcs.values():
        func.storage = accessed_box(plan, func, func.store_level, users.get(func.definition.name, []))
        if func.is_output:
            _check_output(plan, func)
    _infer_inputs(plan)


def _define_nests(plan: LoweringPlan) -> None:
    for nest in plan.nests():
        for position, item in enumerate(nest.items):
            if isinstance(item, (LoopItem, LetItem)):
                plan.define(Level(nest, position), item)


def _read_box(
    plan: LoweringPlan, name: str, level: Level, users: list[LoopNest], view: RegionView = RegionView.ACCESSED
) -> Box | None:
    """The box of Func `name` that the nests read, seen from `level`."""
    analysis = plan.analysis(level, view)

    def read(nest: LoopNest) -> Box | None:
        if nest.extern is not None:
            box = box_read(plan, nest, name, level)
        else:
            box = box_of_accesses(nest.func_calls[name], analysis)
        if box is not None:
            _refuse_unbounded(plan, box, name, nest)
        return box

    return union(boxes_of_stages(users, read))


def _refuse_unbounded(plan: LoweringPlan, box: Box, name: str, nest: LoopNest) -> None:
    for dimension, interval in enumerate(box):
        if not interval.bounded:
            location = plan.funcs[nest.func].definition.stages[nest.stage].location
            raise UnboundedError(
                f"{_stage_text(nest)} calls function {name} in an unbounded way in dimension {dimension} "
                f"({location}). Its index depends on values that are known only when the pipeline runs. "
                f"Clamp the index to a range, e.g. hl.clamp(index, 0, extent - 1)."
            )


def _stage_text(nest: LoopNest) -> str:
    if nest.stage == 0:
        return f"Pure definition of Function {nest.func}"
    return f"Update definition number {nest.stage - 1} of Function {nest.func}"


def _required(plan: LoweringPlan, func: FuncPlan, users: list[LoopNest]) -> Box:
    name = func.definition.name
    if func.is_output:
        buffer = output_buffers(func.definition)[0]
        box: Box = tuple([_buffer_interval(plan, buffer, d) for d in range(len(func.definition.args))])
        read = _read_box(plan, name, ROOT_LEVEL, users)
        if read is not None:
            _check_box(plan, "output_bounds", buffer, read, (("reader", ", ".join(sorted({n.func for n in users}))),))
        args = func.definition.args
        return tuple([_explicit(plan, func, var, interval) for var, interval in zip(args, box, strict=True)])
    return _required_from(plan, func, func.compute_level, users)


def _required_from(plan: LoweringPlan, func: FuncPlan, level: Level, users: list[LoopNest]) -> Box:
    """The box of a Func that its consumers need, seen from `level`."""
    name = func.definition.name
    view = RegionView.ACCESSED if name in plan.value_ranges.indexing else RegionView.REQUIRED
    found = _read_box(plan, name, level, users, view)
    assert found is not None, f"{name} has no consumers"
    args = func.definition.args
    checked = level == func.compute_level
    return tuple([_explicit(plan, func, var, interval, checked) for var, interval in zip(args, found, strict=True)])


def _buffer_interval(plan: LoweringPlan, buffer: str, dimension: int) -> Interval:
    symbols = (buffer_symbol(buffer, what, dimension) for what in ("min", "extent"))
    low, extent = (plan.constants.get(symbol.name, symbol) for symbol in symbols)
    return Interval.of_extent(low, extent)


def _explicit(plan: LoweringPlan, func: FuncPlan, var: str, interval: Interval, checked: bool = True) -> Interval:
    """The interval after bound() and its kin, align_bounds() and align_extent(); `checked`: it holds what is needed."""
    simplify = plan.simplifier
    low, high = interval.ends
    given: Bound | ExpectBounds | None = func.schedule.by_dim(Bound).get(var)
    expected = given is None and not plan.exact_tails
    if expected:
        given = func.schedule.by_dim(ExpectBounds).get(var)
    if given is not None:
        start = low if given.minimum is None else simplify(given.minimum)
        end = simplify(Interval.of_extent(start, given.extent).ends[1])
        if checked:
            holds = build.and_(build.le(start, low), build.le(high, end))
            details = (("func", func.original), ("var", var))
            values = (("required min", low), ("required max", high), ("given min", start), ("given max", end))
            holds = build.or_(build.not_(func.compute_predicate), simplify(holds))
            kind = "expected_bounds" if expected else "explicit_bounds"
            plan.checks.append(PlannedCheck(holds, kind, details, values, func.compute_level))
        low, high = start, end
    aligned = func.schedule.by_dim(AlignBounds).get(var)
    if aligned is not None:
        modulus, remainder = aligned.modulus, aligned.remainder
        first = build.div(build.sub(low, remainder), modulus)
        low = simplify(build.add(build.mul(first, modulus), remainder))
        extent = build.add(build.sub(high, low), 1)
        rounded = build.mul(build.div(build.add(extent, modulus - 1), modulus), modulus)
        high = simplify(build.sub(build.add(low, rounded), 1))
    multiple = func.schedule.by_dim(AlignExtent).get(var)
    if multiple is not None:
        step = multiple.modulus if aligned is None else _common_multiple(multiple.modulus, aligned.modulus)
        blocks = build.div(build.add(build.sub(high, low), step), step)
        high = simplify(build.sub(build.add(low, build.mul(blocks, step)), 1))
    return Interval(low, high)


def _common_multiple(a: Expr, b: int) -> Expr:
    value = build.constant(a)
    return build.mul(a, b) if value is None else build.as_expr(math.lcm(int(value), b))


def _define_stages(plan: LoweringPlan, func: FuncPlan) -> None:
    """Last stage first: an earlier stage must also compute what later ones read of the Func itself."""
    box = func.required
    lets: list[LetItem] = []
    last = func.nests[-1].stage
    for nests in reversed(by_stage(func.nests)):
        stage = nests[0].stage
        own: list[LetItem] = []
        for dimension, (var, interval) in enumerate(zip(func.definition.args, box, strict=True)):
            cell = func.alignment(stage, dimension).cell
            for end, value in zip(("min", "max"), interval.ends, strict=True):
                let = LetItem(bound_name(func.definition.name, stage, var, end), cell(value))
                if stage == last and not func.is_output:
                    let.bound_of = (func.definition.name, dimension, end)
                plan.define(func.compute_level, let)
                own.append(let)
        lets.extend(own)
        arguments = (func.definition, func.schedule, stage)
        symbols = tuple([bound_symbols(*arguments, var) for var in func.definition.args])
        name = func.definition.name
        read = _read_box(plan, name, func.compute_level, [nest for nest in nests if name in nest.func_calls])
        box = symbols if read is None else tuple([a.union(b) for a, b in zip(symbols, read, strict=True)])
    func.bound_lets = lets


def accessed_box(
    plan: LoweringPlan, func: FuncPlan, level: Level, users: list[LoopNest], view: RegionView = RegionView.ACCESSED
) -> Box:
    """Everything of a Func that is written or read by its own stages and its consumers, seen from `level`."""
    name = func.definition.name
    analysis = plan.analysis(level, view)

    def written(nest: LoopNest) -> Box | None:
        box = box_of_accesses(nest.written(), analysis)
        assert box is not None
        _refuse_unbounded(plan, box, name, nest)
        return box

    boxes = boxes_of_stages(func.nests, written)
    read = _read_box(plan, name, level, users + [nest for nest in func.nests if name in nest.func_calls], view)
    if read is not None:
        boxes.append(read)
    found = union(boxes)
    assert found is not None
    return found


def _check_output(plan: LoweringPlan, func: FuncPlan) -> None:
    for buffer in output_buffers(func.definition)[:1]:
        _check_box(plan, "output_bounds", buffer, func.storage, (("func", func.definition.name),))


def _infer_inputs(plan: LoweringPlan) -> None:
    analysis = plan.analysis(ROOT_LEVEL)
    for name, image in plan.images.items():
        for func in plan.funcs.values():
            readers = [nest for nest in func.nests if name in nest.image_calls]
            box = union(boxes_of_stages(readers, partial(_image_box, name, analysis)))
            if box is None:
                continue
            for dimension, interval in enumerate(box):
                if not interval.bounded:
                    location = func.definition.location
                    raise UnboundedError(
                        f"Buffer {name} may be accessed in an unbounded way in dimension {dimension} "
                        f"by Func {func.definition.name} ({location}). Clamp the index, e.g. with "
                        f"hl.BoundaryConditions.repeat_edge({name}) or hl.clamp(index, 0, extent - 1)."
                    )
            details = (("reader", func.definition.name), ("location", str(func.definition.location)))
            _check_box(plan, "input_bounds", name, box, details, any_runs(plan, readers))
            known = plan.input_boxes.get(name)
            plan.input_boxes[name] = (
                box if known is None else tuple([a.union(b) for a, b in zip(known, box, strict=True)])
            )
        assert image.dimensions >= 0


def _image_box(name: str, analysis: IntervalAnalysis, nest: LoopNest) -> Box | None:
    return box_of_accesses(nest.image_calls[name], analysis)


def _check_box(
    plan: LoweringPlan, kind: str, buffer: str, box: Box, details: tuple[tuple[str, str], ...], needed: Expr = TRUE
) -> None:
    """Checks that a buffer holds the box where `needed` is true."""
    for dimension, interval in enumerate(box):
        low, high = interval.ends
        first, last = _buffer_interval(plan, buffer, dimension).ends
        holds = build.all_of(
            cond
            for cond, known in (
                (build.ge(low, first), difference(low, first)),
                (build.le(high, last), difference(last, high)),
            )
            if known is None or known < 0
        )
        condition: Expr = build.or_(build.not_(needed), plan.simplifier(holds))
        if build.constant(condition) == 1:
            continue
        about = (("buffer", buffer), ("dimension", str(dimension)), *details)
        values = (("required min", low), ("required max", high), ("min", first), ("max", last))
        plan.checks.append(PlannedCheck(condition, kind, about, values))


def boxes_of_stages(nests: Iterable[LoopNest], box_of: Callable[[LoopNest], Box | None]) -> list[Box]:
    """Returns the box of each stage among the nests; `box_of` returns the box of one version, None if it has none."""
    stages: dict[tuple[str, int], list[LoopNest]] = {}
    for nest in nests:
        stages.setdefault((nest.func, nest.stage), []).append(nest)
    boxes = []
    for versions in stages.values():
        total: Box | None = None
        for nest in reversed(versions):
            box = box_of(nest)
            if box is not None:
                total = box if total is None else _chosen(nest.condition, box, total)
        if total is not None:
            boxes.append(total)
    return boxes


def _chosen(condition: Expr, box: Box, other: Box) -> Box:
    """`box` where the condition holds, `other` elsewhere."""
    if condition is TRUE:
        return box
    return tuple([Interval(_end(condition, a.low, b.low), _end(condition, a.high, b.high))
                  for a, b in zip(box, other, strict=True)])  # fmt: skip


def _end(condition: Expr, a: Expr | None, b: Expr | None) -> Expr | None:
    return None if a is None or b is None else build.select(condition, a, b)
