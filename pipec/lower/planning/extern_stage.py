"""Extern stages: what a C function that computes a Func is asked and told.

The regions of Funcs that it reads are known only when the pipeline runs: a call without memory, a query, asks for them.

    let f.s0.x.min ...; query f -> the box of g; realize g { produce g; call f }
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pipec.bounds.box import Box, union
from pipec.bounds.interval import Interval
from pipec.errors import NotSupportedError, ScheduleError
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
from pipec.ir.extern_functions import Number, View, ask
from pipec.ir.stmt import Allocate, CallExtern, LetStmt, LoopKind, MemoryType, Stmt
from pipec.ir.types import INT32, INT64
from pipec.lower.planning.names import bound_symbols, buffer_symbol
from pipec.lower.planning.nest import ROOT_LEVEL, LetItem, Level, LoopItem, LoopNest
from pipec.lower.planning.plan import FuncPlan, LoweringPlan, PlannedCheck
from pipec.records import dataclass
from pipec.schedule.placement import FuncSchedule
from pipec.schedule.schedule import StageLoops

# The intrinsic that stands for what a query tells, wherever only what it depends on matters.
QUERY = "extern_query"


def extern_nest(func: FuncDef, placement: FuncSchedule, loops: StageLoops) -> LoopNest:
    """The nest of an extern stage: its parallel loops, if any, around one call."""
    value = func.extern
    assert value is not None
    for loop in loops.loops:
        if loop.kind not in (LoopKind.SERIAL, LoopKind.PARALLEL):
            raise ScheduleError(
                f"Error: Externally defined Func {func.name} cannot have loop type {loop.kind.value} ({loop.name})"
            )
    if loops.transforms:
        raise NotSupportedError(
            f"Error: The loops of the externally defined Func {func.name} cannot be split, fused or renamed: its "
            "function computes a whole region."
        )
    ends = {var: bound_symbols(func, placement, 0, var) for var in func.args}
    items: list[LoopItem | LetItem] = []
    closed = ""
    for loop in reversed(loops.loops):
        if loop.kind is LoopKind.SERIAL:
            closed = closed or loop.name
            continue
        if closed:
            raise ScheduleError(
                f"Error: Externally defined Func {func.name} cannot have extern loop {closed} outside a non-extern "
                f"loop. Reorder {loop.name} to the outside first."
            )
        symbol = f"{func.name}.s0.{loop.name}"
        items.append(LoopItem(symbol, loop.name, *_extent(ends[loop.name]), LoopKind.PARALLEL))
        ends[loop.name] = Interval(variable(symbol), variable(symbol))
    lows, highs = zip(*ends.values(), strict=True) if ends else ((), ())
    nest = LoopNest(func.name, 0, list(items), tuple(lows), (), TRUE, ends=tuple(highs), extern=value)
    for operand in value.operands:
        if isinstance(operand, FuncCall):
            nest.func_calls[operand.name] = []
    return nest


@dataclass(eq=False)
class ExternQuery:
    """A query of the extern stage of `func`, made at `level`, for the box of it that is wanted there.

    `results`: the names of the first and last coordinate in each dimension of each view, views in the order of the
    call's operands.
    """

    func: str
    name: str
    box: Box
    results: list[list[tuple[str, str]]]

    def told(self, name: str) -> bool:
        """Whether the name is one of the results."""
        return name.startswith(f"{self.name}.")


def query_at(plan: LoweringPlan, func: str, level: Level) -> ExternQuery:
    """The query of an extern stage made at a place; it is added to the plan when it is new."""
    found = plan.queries.setdefault(level, {}).get(func)
    if found is None:
        planned = plan.funcs[func]
        value = planned.definition.extern
        assert value is not None and plan.required_box is not None
        inside = plan.chain(level)
        own = planned.compute_level
        if own.nest is None or (own.nest in inside and inside[own.nest] >= own.position):
            names = planned.definition.args
            box: Box = tuple([bound_symbols(planned.definition, planned.schedule, 0, var) for var in names])
        else:
            box = plan.required_box(func, level)
        name = f"{func}.query.{sum(map(len, plan.queries.values()))}"
        found = plan.queries[level][func] = ExternQuery(func, name, box, [])
        told = [end for interval in box for end in interval if end is not None]
        told += [operand for operand in value.operands if not isinstance(operand, (FuncCall, ImageCall))]
        for number, dimensions in enumerate(_view_dimensions(planned.definition)):
            found.results.append([])
            for d in range(dimensions):
                ends = tuple([f"{name}.{number}.{end}.{d}" for end in ("min", "max")])
                found.results[-1].append((ends[0], ends[1]))
                for at, end in enumerate(ends):
                    key = const(len(plan.symbols) * 2 + at)
                    plan.define(level, LetItem(end, Intrinsic(INT32, QUERY, (key, *told))))
    return found


def _view_dimensions(func: FuncDef) -> Iterator[int]:
    """How many dimensions each buffer that the function is given has."""
    assert func.extern is not None
    for operand in func.extern.operands:
        if isinstance(operand, (FuncCall, ImageCall)):
            yield len(operand.args)
    for _ in func.types:
        yield len(func.args)


def box_read(plan: LoweringPlan, nest: LoopNest, name: str, level: Level) -> Box | None:
    """The box of Func `name` that an extern stage says it reads, seen from `level`."""
    assert nest.extern is not None
    query = query_at(plan, nest.func, level)
    views = [operand for operand in nest.extern.operands if isinstance(operand, (FuncCall, ImageCall))]
    boxes = []
    for view, ends in zip(views, query.results, strict=False):
        if isinstance(view, FuncCall) and view.name == name:
            boxes.append(tuple([Interval(variable(low), variable(high)) for low, high in ends]))
    return union(boxes)


def ask_for_region(plan: LoweringPlan, func: FuncPlan) -> None:
    """The function computes the region that it says it will, which may be more than what is wanted."""
    nest = func.nests[0]
    if func.is_output or nest.items or func.store_level != func.compute_level or not func.definition.args:
        return
    ends = query_at(plan, nest.func, func.compute_level).results[-len(func.definition.types)]
    nest.args = tuple([variable(low) for low, _ in ends])
    nest.ends = tuple([variable(high) for _, high in ends])


def images_asked(plan: LoweringPlan) -> Iterator[tuple[str, ExternQuery, int]]:
    """The images that extern stages read: (image, query, number of the view). One query asks for all iterations."""
    for func in plan.funcs.values():
        value = func.definition.extern
        if value is None:
            continue
        views = [operand for operand in value.operands if isinstance(operand, (FuncCall, ImageCall))]
        for number, view in enumerate(views):
            if isinstance(view, ImageCall):
                yield view.name, query_at(plan, func.definition.name, ROOT_LEVEL), number


def failure(func: FuncDef) -> PlannedCheck:
    """What it means when the function returns something else than 0."""
    assert func.extern is not None
    details = (("func", func.name), ("symbol", func.extern.symbol), ("location", str(func.location)))
    return PlannedCheck(TRUE, "extern_failed", details, (("status", const(0)),))


def call_statement(plan: LoweringPlan, nest: LoopNest, code: int) -> Stmt:
    """The call that computes."""
    func = plan.funcs[nest.func]
    own = [_extent(Interval(low, high)) for low, high in zip(nest.args, nest.ends, strict=True)]
    operands = [*_operands(plan, nest.extern, asking=False)]
    for index, kind in enumerate(func.definition.types):
        operands.append(BufferView(kind, nest.func, index, tuple(own), (), _NOWHERE))
    assert nest.extern is not None
    return CallExtern(nest.extern.symbol, tuple(operands), "", code)


def query_statement(
    plan: LoweringPlan, query: ExternQuery, code: int, body: Stmt, expr: Callable[[Expr], Expr]
) -> Stmt:
    """The query, and `body` in which its results have names. `expr` writes expressions in terms of loop variables."""
    definition = plan.funcs[query.func].definition
    value = definition.extern
    assert value is not None
    own = tuple([_extent(Interval(*map(expr, interval.ends))) for interval in query.box])
    operands = [*_operands(plan, value, asking=True)]
    operands += [BufferView(kind, "", 0, own, (), _NOWHERE) for kind in definition.types]
    place = 0
    lets: list[LetStmt] = []
    for ends in query.results:
        for low, high in ends:
            first, extent = (Load(INT32, query.name, const(place + at), TRUE) for at in (0, 1))
            last = Interval.of_extent(variable(low), extent).ends[1]
            lets += [LetStmt(low, first, build.NOTHING), LetStmt(high, last, build.NOTHING)]
            place += 2
    for let in reversed(lets):
        body = LetStmt(let.name, let.value, body)
    call = CallExtern(value.symbol, tuple(operands), query.name, code)
    return Allocate(query.name, INT32, MemoryType.Stack, Const(INT64, max(place, 1)), build.block([call, body]))


_NOWHERE = const(0)


def _extent(interval: Interval) -> tuple[Expr, Expr]:
    """The first coordinate and the extent."""
    return interval.ends[0], interval.extent


def _whole(image: ImageCall) -> tuple[tuple[Expr, Expr], ...]:
    """All of an image."""
    name, count = image.name, len(image.args)
    return tuple([(buffer_symbol(name, "min", d), buffer_symbol(name, "extent", d)) for d in range(count)])


def _operands(plan: LoweringPlan, value: ExternValue | None, asking: bool) -> Iterator[Expr]:
    """What stands before the outputs: in a query Funcs have no memory and no region yet."""
    assert value is not None
    for operand in value.operands:
        if isinstance(operand, ImageCall):
            yield BufferView(operand.type, operand.name, 0, _whole(operand), (), _NOWHERE)
        elif not isinstance(operand, FuncCall):
            yield operand
        elif asking:
            nothing = tuple([(const(0), const(0)) for _ in operand.args])
            yield BufferView(operand.type, "", 0, nothing, (), _NOWHERE)
        else:
            producer = plan.funcs[operand.name]
            box = tuple(map(_extent, producer.storage))
            yield BufferView(operand.type, operand.name, operand.value_index, box, (), _NOWHERE)


def asked_in_numbers(plan: LoweringPlan, query: ExternQuery, value: Callable[[Expr], int | float]) -> dict[str, int]:
    """The results of a query by name, found by calling the function now; `value` evaluates expressions.

    Images have no memory either, so that the function tells what it needs of them.
    """
    definition = plan.funcs[query.func].definition
    assert definition.extern is not None
    own = [tuple(int(value(end)) for end in interval.ends) for interval in query.box]
    operands: list[Number | View] = []
    for operand in definition.extern.operands:
        if isinstance(operand, ImageCall):
            box = [(int(value(low)), int(value(extent))) for low, extent in _whole(operand)]
            operands.append(View(operand.type, box))
        elif isinstance(operand, FuncCall):
            operands.append(View(operand.type, [(0, 0)] * len(operand.args)))
        else:
            operands.append(Number(operand.type, value(operand)))
    operands += [View(kind, [(low, high - low + 1) for low, high in own]) for kind in definition.types]
    boxes = ask(definition.extern.symbol, operands)
    found: dict[str, int] = {}
    for ends, box in zip(query.results, boxes, strict=True):
        for (low, high), (minimum, extent) in zip(ends, box, strict=True):
            found[low], found[high] = minimum, minimum + extent - 1
    return found
