"""Extern stages: Funcs that a C function computes.

The regions of the Funcs that it reads are the result of a bounds query: a call of the function without memory.

    let f.s0.x.min ...; query f -> the box of g; realize g { produce g; call f }
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain

from pipec.bounds.box import Box, union
from pipec.bounds.conditions import likely
from pipec.bounds.interval import Interval, IntervalAnalysis
from pipec.errors import ScheduleError
from pipec.func.functions.definition import FuncDef
from pipec.ir import build
from pipec.ir.expr import (
    TRUE,
    BufferView,
    Const,
    Expr,
    ExternValue,
    FuncCall,
    ImageCall,
    Intrinsic,
    Load,
    const,
    variable,
)
from pipec.ir.extern_functions import BufferQuery, Number, query_bounds
from pipec.ir.stmt import Allocate, CallExtern, LetStmt, LoopKind, MemoryType, Stmt
from pipec.ir.types import INT32, INT64
from pipec.lower.planning.names import bound_symbols, buffer_symbol
from pipec.lower.planning.nest import ROOT_LEVEL, GuardItem, LetItem, Level, LoopNest
from pipec.lower.planning.plan import FuncPlan, LoweringPlan, PlannedCheck
from pipec.records import dataclass
from pipec.schedule.schedule import Loop, StageLoops

# The intrinsic that stands for a result of a query in interval analysis: its arguments are what the result depends on.
QUERY = "extern_query"
_AROUND_CALLS = (LoopKind.SERIAL, LoopKind.PARALLEL, LoopKind.UNROLLED)


def loops_around_call(func: FuncDef, stage: StageLoops) -> tuple[list[Loop], list[Loop]]:
    """Returns the loops around the call of an extern stage's function and those inside of it, innermost first.

    Raises ScheduleError for loops of other kinds, and for loops of the function outside other loops.
    """
    inside = [loop for loop in stage.loops if loop.kind is LoopKind.EXTERN]
    around = list(stage.loops[len(inside) :])
    for loop in stage.loops:
        if loop.kind not in (*_AROUND_CALLS, LoopKind.EXTERN):
            raise ScheduleError(
                f"Error: Externally defined Func {func.name} cannot have loop type {loop.kind.value} ({loop.name})\n"
                f"Loops around the call of a C function are serial, parallel or unrolled. Defined at {func.location}."
            )
    for loop in around:
        if loop.kind is LoopKind.EXTERN:
            first = next(other for other in stage.loops if other.kind is not LoopKind.EXTERN)
            raise ScheduleError(
                f"Error: Externally defined Func {func.name} cannot have extern loop {loop.name} outside a non-extern "
                f"loop. Reorder {first.name} to the outside first, or make {loop.name} serial, too. "
                f"Defined at {func.location}."
            )
    return around, inside


def box_of_call(
    coordinates: Sequence[Expr], waiting: Sequence[LetItem | GuardItem], ranges: Mapping[str, Interval]
) -> tuple[Box, list[GuardItem]]:
    """Returns the box that one call computes, and the guards around the call: not all boxes have pixels.

    `waiting`: the lets and guards that depend on loops inside the function, whose values are `ranges`.
    """
    lets = {item.name: item for item in waiting if isinstance(item, LetItem)}

    def lookup(name: str) -> Interval | None:
        if name in ranges:
            return ranges[name]
        if name not in lets:
            return None
        let = lets[name]
        interval = analysis.of(let.value)
        if let.extremes is not None:
            interval = interval.intersection(let.extremes)
        if let.upper_limit is not None:
            interval = interval.intersection(Interval(None, analysis.of(let.upper_limit).high))
        return interval

    analysis = IntervalAnalysis(lookup)
    limited = [variable(let.name) for let in lets.values() if let.upper_limit is not None]
    guards = [GuardItem(likely(build.le(*analysis.of(value).ends))) for value in limited]
    return tuple([analysis.of(coordinate) for coordinate in coordinates]), guards


@dataclass(eq=False)
class ExternQuery:
    """A bounds query of the extern stage of `func` for its box `box`; the code of the query is named `name`.

    `results`: the names of the first and last coordinate in each dimension of each view, views in the order of the
    call's operands.
    """

    func: str
    name: str
    box: Box
    results: list[list[tuple[str, str]]]

    def defines(self, name: str) -> bool:
        """Whether the name is one of the results."""
        return name.startswith(f"{self.name}.")


def query_at(plan: LoweringPlan, func: str, level: Level) -> ExternQuery:
    """Returns the query of an extern stage at a level; adds it to the plan if it is new."""
    queries = plan.queries.setdefault(level, {})
    if func in queries:
        return queries[func]
    planned = plan.funcs[func]
    value = planned.definition.extern
    assert value is not None and plan.required_box is not None
    nest = level.nest
    box: Box
    if nest in planned.nests:
        analysis = plan.analysis(level)
        corners = zip(nest.args, nest.ends, strict=True)
        box = tuple([Interval(analysis.of(low).low, analysis.of(high).high) for low, high in corners])
    elif plan.encloses(planned.compute_level, level):
        names = planned.definition.args
        box = tuple([bound_symbols(planned.definition, planned.schedule, 0, var) for var in names])
    else:
        box = plan.required_box(func, level)
    name = f"{func}.query.{len(plan.all_queries())}"
    query = queries[func] = ExternQuery(func, name, box, [])
    arguments = [end for interval in box for end in interval.ends]
    arguments += [operand for operand in value.operands if not isinstance(operand, (FuncCall, ImageCall))]
    # The function is given a buffer for each Func and image that it reads, then one for each of its results.
    dimensions = [len(view.args) for view in _views(value)]
    dimensions += [len(planned.definition.args) for _ in planned.definition.types]
    for number, count in enumerate(dimensions):
        query.results.append([(f"{name}.{number}.min.{d}", f"{name}.{number}.max.{d}") for d in range(count)])
        for ends in query.results[-1]:
            for at, end in enumerate(ends):
                key = const(len(plan.symbols) * 2 + at)
                plan.define(level, LetItem(end, Intrinsic(INT32, QUERY, (key, *arguments))))
    return query


def _views(value: ExternValue) -> list[FuncCall | ImageCall]:
    """Returns the Funcs and images that the function reads."""
    return [operand for operand in value.operands if isinstance(operand, (FuncCall, ImageCall))]


def box_read(plan: LoweringPlan, nest: LoopNest, name: str, level: Level) -> Box | None:
    """Returns the box of Func `name` that an extern stage reads, by its query at `level`."""
    assert nest.extern is not None
    results = query_at(plan, nest.func, level).results
    views = zip(_views(nest.extern), results, strict=False)
    return union(_result_box(ends) for view, ends in views if isinstance(view, FuncCall) and view.name == name)


def _result_box(ends: list[tuple[str, str]]) -> Box:
    """Returns the box of one view in terms of the names that a query defines."""
    return tuple([Interval(variable(low), variable(high)) for low, high in ends])


def set_computed_box(plan: LoweringPlan, func: FuncPlan) -> None:
    """Makes an extern stage compute the box that its query returns for its result, which may be larger than needed."""
    whole = [nest for nest in func.nests if nest.extern is not None and not nest.items]
    if func.is_output or not whole or func.store_level != func.compute_level or not func.definition.args:
        return
    ends = query_at(plan, func.definition.name, func.compute_level).results[-len(func.definition.types)]
    for nest in whole:
        nest.args, nest.ends = zip(*[interval.ends for interval in _result_box(ends)], strict=True)


def queried_image_boxes(plan: LoweringPlan) -> Iterator[tuple[str, Box]]:
    """Yields the images that extern stages read, each with the box that a query for all iterations returns."""
    for func in plan.funcs.values():
        for number, view in enumerate(_views(func.definition.extern) if func.definition.extern is not None else ()):
            if isinstance(view, ImageCall):
                yield view.name, _result_box(query_at(plan, func.definition.name, ROOT_LEVEL).results[number])


def extern_failure(func: FuncDef) -> PlannedCheck:
    """Returns the check that fails when the function returns another status than 0."""
    assert func.extern is not None
    details = (("func", func.name), ("symbol", func.extern.symbol), ("location", str(func.location)))
    return PlannedCheck(TRUE, "extern_failed", details, (("status", const(0)),))


def call_level(plan: LoweringPlan, nest: LoopNest) -> Level:
    """Returns the level whose query tells what a call of an extern stage's function reads."""
    return nest.innermost() if nest.items else plan.funcs[nest.func].compute_level


def call_statement(plan: LoweringPlan, nest: LoopNest) -> Stmt:
    """Returns the call that computes an extern stage."""
    assert nest.extern is not None
    code = plan.code_of("extern_failed", ("func", nest.func))
    box = tuple([_extent(Interval(low, high)) for low, high in zip(nest.args, nest.ends, strict=True)])
    operands = [*_operands(plan, nest.extern, nest)]
    for index, kind in enumerate(plan.funcs[nest.func].definition.types):
        operands.append(BufferView(kind, nest.func, index, box, (), _NO_OFFSET))
    return CallExtern(nest.extern.symbol, tuple(operands), "", code)


def query_statement(plan: LoweringPlan, query: ExternQuery, body: Stmt, expr: Callable[[Expr], Expr]) -> Stmt:
    """Returns the query and `body`, in which its results are defined. `expr` expands lets of loop variables."""
    definition = plan.funcs[query.func].definition
    value = definition.extern
    assert value is not None
    own = tuple([_extent(Interval(*map(expr, interval.ends))) for interval in query.box])
    operands = [*_operands(plan, value)]
    operands += [BufferView(kind, "", 0, own, (), _NO_OFFSET) for kind in definition.types]
    results = list(chain.from_iterable(query.results))
    for number, (low, high) in reversed(list(enumerate(results))):
        first, extent = (Load(INT32, query.name, const(2 * number + at), TRUE) for at in (0, 1))
        body = LetStmt(high, Interval.of_extent(variable(low), extent).ends[1], body)
        body = LetStmt(low, first, body)
    call = CallExtern(value.symbol, tuple(operands), query.name, plan.code_of("extern_failed", ("func", query.func)))
    size = Const(INT64, max(2 * len(results), 1))
    return Allocate(query.name, INT32, MemoryType.Stack, size, build.block([call, body]))


_NO_OFFSET = const(0)


def _extent(interval: Interval) -> tuple[Expr, Expr]:
    """Returns the first coordinate and the extent."""
    return interval.ends[0], interval.extent


def _whole(image: ImageCall) -> tuple[tuple[Expr, Expr], ...]:
    """Returns the first coordinate and the extent of an image in each dimension."""
    name, count = image.name, len(image.args)
    return tuple([(buffer_symbol(name, "min", d), buffer_symbol(name, "extent", d)) for d in range(count)])


def _operands(plan: LoweringPlan, value: ExternValue, nest: LoopNest | None = None) -> Iterator[Expr]:
    """Yields the operands before the outputs, for the call of `nest` or a query, where Funcs have no memory."""
    for operand in value.operands:
        if isinstance(operand, ImageCall):
            yield BufferView(operand.type, operand.name, 0, _whole(operand), (), _NO_OFFSET)
        elif not isinstance(operand, FuncCall):
            yield operand
        elif nest is None:
            yield BufferView(operand.type, "", 0, ((const(0), const(0)),) * len(operand.args), (), _NO_OFFSET)
        else:
            producer = plan.funcs[operand.name]
            box = producer.storage
            if any(producer.folds):
                # The part of the ring that the call reads: checks ensure that it does not wrap around.
                box = box_read(plan, nest, operand.name, call_level(plan, nest)) or ()
            yield BufferView(operand.type, operand.name, operand.value_index, tuple(map(_extent, box)), (), _NO_OFFSET)


def evaluate_query(plan: LoweringPlan, query: ExternQuery, value: Callable[[Expr], int | float]) -> dict[str, int]:
    """Calls the function of a query and returns the results by name; `value` evaluates expressions.

    Images have no memory either, so that the function returns the boxes that it needs of them.
    """
    definition = plan.funcs[query.func].definition
    assert definition.extern is not None
    own = [tuple(int(value(end)) for end in interval.ends) for interval in query.box]
    operands: list[Number | BufferQuery] = []
    for operand in definition.extern.operands:
        if isinstance(operand, ImageCall):
            box = [(int(value(low)), int(value(extent))) for low, extent in _whole(operand)]
            operands.append(BufferQuery(operand.type, box))
        elif isinstance(operand, FuncCall):
            operands.append(BufferQuery(operand.type, [(0, 0)] * len(operand.args)))
        else:
            operands.append(Number(operand.type, value(operand)))
    operands += [BufferQuery(kind, [(low, high - low + 1) for low, high in own]) for kind in definition.types]
    boxes = query_bounds(definition.extern.symbol, operands)
    results: dict[str, int] = {}
    for ends, box in zip(query.results, boxes, strict=True):
        for (low, high), (minimum, extent) in zip(ends, box, strict=True):
            results[low], results[high] = minimum, minimum + extent - 1
    return results
