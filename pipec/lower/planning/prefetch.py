"""Prefetches: while one iteration runs, the cache fetches what a later one will read.

f.prefetch(a, y, y, 2):  for y: { prefetch row y + 2 of a, one element of each cache line; f(x, y) = a(x, y) ... }
"""

from __future__ import annotations

from collections.abc import Sequence

from pipec import diagnostics
from pipec.bounds.box import Box, box_of_accesses, union
from pipec.errors import ScheduleError
from pipec.ir import build
from pipec.ir.expr import Expr, FuncCall, ImageCall, variable
from pipec.ir.stmt import For, IfThenElse, LoopKind, Prefetch, Stmt
from pipec.ir.types import Type
from pipec.ir.walk import substitute
from pipec.lower.planning.nest import Level, LoopItem, LoopNest
from pipec.lower.planning.plan import LoweringPlan
from pipec.schedule import execution
from pipec.schedule.storage import ReorderStorage

_LINE_BYTES = 64


def prefetches(plan: LoweringPlan, nest: LoopNest, position: int) -> list[Stmt]:
    """What the schedule wants prefetched at the place after item `position`; names of lets are not replaced yet."""
    made = [stmt for member in nest.members for stmt in _prefetches(plan, member, Level(nest, position))]
    return made + _prefetches(plan, nest, Level(nest, position))


def _prefetches(plan: LoweringPlan, nest: LoopNest, place: Level) -> list[Stmt]:
    """What a stage, or those that share loops, want prefetched at a place."""
    made = [stmt for member in nest.members if place.nest is not nest for stmt in _prefetches(plan, member, place)]
    for number, wish in enumerate(nest.prefetches):
        level = nest.level_of_loop(wish.at)
        if level is None or nest.level_of_loop(wish.from_) is None:
            raise _refuse(nest, wish, f"the stage has no loops {wish.at} and {wish.from_} any more")
        if level == place:
            wanted = _Prefetch(plan, nest, wish, level, number)
            if wanted.box is not None:
                made.append(wanted.statement())
            else:
                stage = f"{nest.func}.s{nest.stage}"
                diagnostics.warn_once(
                    f"Removing prefetch of {wish.source} at loop nest of {stage}.{wish.at} (from location "
                    f"{stage}.{wish.from_} + offset {wish.offset}) since the prefetched area will always be empty."
                )
    return made


def _refuse(nest: LoopNest, wish: execution.Prefetch, reason: str) -> ScheduleError:
    return ScheduleError(
        f"Error: {nest.func} (stage {nest.stage}) can't prefetch {wish.source} at {wish.at}: {reason}.\n"
        "What is prefetched must be an input, or a Func stored outside that loop."
    )


class _Prefetch:
    def __init__(self, plan: LoweringPlan, nest: LoopNest, wish: execution.Prefetch, level: Level, number: int) -> None:
        self.plan, self.nest, self.wish, self.level = plan, nest, wish, level
        assert level.nest is not None
        self.around = level.nest
        version = "".join(f".{step}" for step in nest.path)
        self.stem = f"{nest.func}.s{nest.stage}{version}.prefetch{number}"
        around = [nest, *nest.fused_around()]
        loops = [item for outer in around for item in outer.items if isinstance(item, LoopItem)]
        self.loop = next(item for item in loops if item.var == wish.from_)
        self.box = self.accessed_box()

    def statement(self) -> Stmt:
        """The prefetches, unless the iteration that they are for does not come."""
        body = build.block([self.rows(value_index, kind) for value_index, kind in enumerate(self.types())])
        later = build.add(variable(self.loop.name), self.wish.offset)
        return IfThenElse(build.and_(build.le(later, self.loop.last), build.le(self.loop.minimum, later)), body, None)

    def types(self) -> tuple[Type, ...]:
        image = self.plan.images.get(self.wish.source)
        if image is not None:
            return (image.type,)
        func = self.plan.funcs[self.wish.source]
        around = self.plan.chain(self.level)
        store = func.store_level
        inside = store.nest is not None and store.position >= around.get(store.nest, -2)
        if func.is_output or not inside:
            return func.definition.types
        raise _refuse(self.nest, self.wish, "it is stored inside the loop")

    def accessed_box(self) -> Box | None:
        """What an iteration reads, in terms of names known here; None for nothing."""
        analysis = self.plan.analysis(self.level)
        boxes = []
        for func in self.plan.funcs.values():
            for nest in func.nests:
                if self.plan.chain(nest.innermost()).get(self.around, -2) >= self.level.position:
                    calls: Sequence[tuple[Expr, ...]] = nest.image_calls.get(self.wish.source, [])
                    boxes.append(box_of_accesses(calls or nest.func_calls.get(self.wish.source, []), analysis))
        return union([box for box in boxes if box is not None])

    def later(self, e: Expr | None) -> Expr:
        """`e` in the iteration that the prefetch is for."""
        assert e is not None
        values = {self.loop.name: build.add(variable(self.loop.name), self.wish.offset)}
        return self.plan.simplifier(substitute(self.plan.dependence(self.loop).expanded(e), values))

    def rows(self, value_index: int, kind: Type) -> Stmt:
        """One element of each cache line of a dense row, in loops over the rows."""
        func = self.plan.funcs.get(self.wish.source)
        reordered = None if func is None else func.schedule.last(ReorderStorage)
        order = [] if reordered is None else list(reordered.variables)
        innermost = func.definition.args.index(order[0]) if func is not None and order else 0
        line = max(_LINE_BYTES // kind.bytes(), 1)
        loops: list[tuple[str, Expr]] = []
        args: list[Expr] = []
        for dimension, interval in enumerate(self.box or ()):
            low, high = self.later(interval.low), self.later(interval.high)
            name, step = f"{self.stem}.{value_index}.{dimension}", line if dimension == innermost else 1
            args.append(build.add(low, build.mul(variable(name), step)))
            size = build.add(build.sub(high, low), step)
            loops.append((name, self.plan.simplifier(build.div(size, step))))
        read: Expr
        if func is None:
            read = ImageCall(kind, self.wish.source, tuple(args), None)
        else:
            read = FuncCall(kind, self.wish.source, tuple(args), value_index, None)
        stmt: Stmt = Prefetch(read)
        loops.insert(0, loops.pop(innermost) if loops else ("", build.as_expr(1)))
        for name, extent in loops:
            stmt = For(name, build.as_expr(0), extent, LoopKind.SERIAL, stmt) if name else stmt
        return stmt
