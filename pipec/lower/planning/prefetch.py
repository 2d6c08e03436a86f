"""Prefetches: the cache fetches what a later iteration reads while another one runs.

f.prefetch(a, y, y, 2):  for y: { prefetch row y + 2 of a, one element of each cache line; f(x, y) = a(x, y) ... }
"""

from __future__ import annotations

from collections.abc import Sequence

from pipec import diagnostics
from pipec.bounds.box import Box, box_of_accesses, union
from pipec.errors import ScheduleError
from pipec.ir import build
from pipec.ir.expr import Expr, FuncCall, ImageCall, variable
from pipec.ir.stmt import For, IfThenElse, LoopKind, PrefetchLoad, Stmt
from pipec.ir.types import Type
from pipec.ir.walk import substitute
from pipec.lower.planning.nest import Level, LoopItem, LoopNest
from pipec.lower.planning.plan import LoweringPlan
from pipec.schedule import execution
from pipec.schedule.execution import PrefetchBoundStrategy
from pipec.schedule.storage import ReorderStorage
from pipec.target import LINE_BYTES


def prefetches(plan: LoweringPlan, nest: LoopNest, position: int) -> list[Stmt]:
    """Returns the prefetches that stand after item `position` of a nest, with the names of lets."""
    level = Level(nest, position)
    of_members = [stmt for member in nest.members for stmt in _prefetches(plan, member, level)]
    return of_members + _prefetches(plan, nest, level)


def _prefetches(plan: LoweringPlan, nest: LoopNest, level: Level) -> list[Stmt]:
    """Returns the prefetches at a level that a stage, or stages with fused loops, have in the schedule."""
    members = nest.members if level.nest is not nest else ()
    stmts = [stmt for member in members for stmt in _prefetches(plan, member, level)]
    for number, directive in enumerate(nest.prefetches):
        own_level = nest.level_of_loop(directive.at)
        if own_level is None or nest.level_of_loop(directive.from_) is None:
            raise _refuse(nest, directive, f"the stage has no loops {directive.at} and {directive.from_} any more")
        if own_level == level:
            prefetch = _Prefetch(plan, nest, directive, level, number)
            if prefetch.box is not None:
                stmts.append(prefetch.statement())
            else:
                stage = f"{nest.func}.s{nest.stage}"
                diagnostics.warn_once(
                    f"Removing prefetch of {directive.source} at loop nest of {stage}.{directive.at} (from location "
                    f"{stage}.{directive.from_} + offset {directive.offset}) since the prefetched area will always be "
                    "empty."
                )
    return stmts


def _refuse(nest: LoopNest, directive: execution.Prefetch, reason: str) -> ScheduleError:
    return ScheduleError(
        f"Error: {nest.func} (stage {nest.stage}) can't prefetch {directive.source} at {directive.at}: {reason}.\n"
        "What is prefetched must be an input, or a Func stored outside that loop."
    )


class _Prefetch:
    """One prefetch of a stage. `box`: what an iteration of its loop reads, None if it reads nothing."""

    def __init__(
        self, plan: LoweringPlan, nest: LoopNest, directive: execution.Prefetch, level: Level, number: int
    ) -> None:
        self.plan, self.nest, self.directive, self.level = plan, nest, directive, level
        assert level.nest is not None
        self.around = level.nest
        version = "".join(f".{step}" for step in nest.path)
        self.stem = f"{nest.func}.s{nest.stage}{version}.prefetch{number}"
        around = [nest, *nest.fused_around()]
        loops = [item for outer in around for item in outer.items if isinstance(item, LoopItem)]
        self.loop = next(item for item in loops if item.var == directive.from_)
        self.box = self.accessed_box()

    def statement(self) -> Stmt:
        """Returns the prefetches of all elements of a Tuple; guarded: if there is an iteration that they are for."""
        body = build.block([self.rows(value_index, kind) for value_index, kind in enumerate(self.types())])
        if self.directive.strategy is not PrefetchBoundStrategy.GuardWithIf:
            return body
        later = self.later_iteration()
        return IfThenElse(build.and_(build.le(later, self.loop.last), build.le(self.loop.minimum, later)), body, None)

    def later_iteration(self) -> Expr:
        """Returns the iteration that the prefetch is for: at most the last one if the strategy is to clamp."""
        later = build.add(variable(self.loop.name), self.directive.offset)
        if self.directive.strategy is PrefetchBoundStrategy.Clamp:
            return build.max_(build.min_(later, self.loop.last), self.loop.minimum)
        return later

    def types(self) -> tuple[Type, ...]:
        """Returns the types of the source, which must be stored outside the loop."""
        image = self.plan.images.get(self.directive.source)
        if image is not None:
            return (image.type,)
        func = self.plan.funcs[self.directive.source]
        store, around = func.store_level, self.plan.chain(self.level)
        if func.is_output or store.nest is None or store.position < around.get(store.nest, -2):
            return func.definition.types
        raise _refuse(self.nest, self.directive, "it is stored inside the loop")

    def accessed_box(self) -> Box | None:
        """Returns the box that an iteration reads, in terms of names at the level; None if it reads nothing."""
        analysis = self.plan.analysis(self.level)
        boxes = []
        for func in self.plan.funcs.values():
            for nest in func.nests:
                if self.plan.chain(nest.innermost()).get(self.around, -2) >= self.level.position:
                    calls: Sequence[tuple[Expr, ...]] = nest.image_calls.get(self.directive.source, [])
                    boxes.append(box_of_accesses(calls or nest.func_calls.get(self.directive.source, []), analysis))
        return union([box for box in boxes if box is not None])

    def later(self, e: Expr | None) -> Expr:
        """Returns `e` in the iteration that the prefetch is for."""
        assert e is not None
        values = {self.loop.name: self.later_iteration()}
        return self.plan.simplifier(substitute(self.plan.dependence(self.loop).expanded(e), values))

    def rows(self, value_index: int, kind: Type) -> Stmt:
        """Returns loops over the rows that prefetch one element of each cache line of a dense row."""
        func = self.plan.funcs.get(self.directive.source)
        reordered = None if func is None else func.schedule.last(ReorderStorage)
        order = [] if reordered is None else list(reordered.variables)
        innermost = func.definition.args.index(order[0]) if func is not None and order else 0
        line = max(LINE_BYTES // kind.bytes(), 1)
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
            read = ImageCall(kind, self.directive.source, tuple(args), None)
        else:
            read = FuncCall(kind, self.directive.source, tuple(args), value_index, None)
        stmt: Stmt = PrefetchLoad(read)
        loops.insert(0, loops.pop(innermost) if loops else ("", build.as_expr(1)))
        for name, extent in loops:
            stmt = For(name, build.as_expr(0), extent, LoopKind.SERIAL, stmt) if name else stmt
        return stmt
