"""The statement of a finished plan: loops, lets, storage and Provides."""

from __future__ import annotations

from collections.abc import Callable

from pipec.bounds.exact import allocatable, exact_condition, exact_number
from pipec.bounds.interval import Interval
from pipec.bounds.linear import difference, linear
from pipec.bounds.simplify import Simplifier
from pipec.errors import UnboundedError
from pipec.ir import build
from pipec.ir.build import block, constant
from pipec.ir.expr import FALSE, TRUE, Effect, Expr, Intrinsic, Min, Variable
from pipec.ir.program import BORDER_CHECKS, Check, Notice
from pipec.ir.stmt import (
    Allocate,
    Assert,
    AtomicUpdate,
    For,
    IfThenElse,
    LetStmt,
    MemoryType,
    Partition,
    ProducerConsumer,
    Provide,
    Realize,
    Stmt,
)
from pipec.ir.types import INT32, INT64
from pipec.ir.walk import instances, substitute
from pipec.lower.passes.marked_conditions import SPLIT
from pipec.lower.planning.assumptions import Assumptions
from pipec.lower.planning.effects import effect_statement
from pipec.lower.planning.extern_stage import QUERY, call_statement, query_statement
from pipec.lower.planning.memoize import image_names, keys_of, memoized, with_digests
from pipec.lower.planning.names import hoisted_memory, ring_stride
from pipec.lower.planning.nest import ROOT_LEVEL, GuardItem, LetItem, Level, LoopItem, LoopNest, by_stage
from pipec.lower.planning.plan import FuncPlan, LoweringPlan
from pipec.lower.planning.prefetch import prefetches
from pipec.schedule.placement import FuncSchedule, RingBuffer
from pipec.schedule.storage import AlignStorage, BoundStorage, ReorderStorage, StoreIn, TileStorage

CHECKS_OF_BOUNDS = BORDER_CHECKS | {"explicit_bounds"}
"""Those of coordinates, which must not be taken for others where arithmetic overflows."""


def build_statement(plan: LoweringPlan) -> tuple[Stmt, tuple[Check, ...], tuple[Notice, ...]]:
    """Returns the statement, the checks that its Asserts refer to by number, and the notices of its Reports."""
    writer = _Writer(plan)
    stmt = writer.at_level(ROOT_LEVEL, build.NOTHING)
    if writer.memo_keys:
        stmt = with_digests(writer.memo_keys.values(), plan, plan.code_of("memo_failed"), stmt)
    return stmt, tuple(writer.checks), tuple(writer.notices)


class _Writer:
    def __init__(self, plan: LoweringPlan) -> None:
        self.plan = plan
        self.simplify = Simplifier()
        self.checks: list[Check] = []
        self.notices: list[Notice] = []
        self.computed: dict[Level, list[FuncPlan]] = {}
        self.stored: dict[Level, list[FuncPlan]] = {}
        self.hoisted: dict[Level, list[FuncPlan]] = {}
        for func in plan.funcs.values():
            self.computed.setdefault(func.compute_level, []).append(func)
            if not func.is_output:
                self.stored.setdefault(func.store_level, []).append(func)
            if func.hoist_level is not None:
                self.hoisted.setdefault(func.hoist_level, []).append(func)
        self.asserted: dict[Level, list[int]] = {}
        for number, check in enumerate(plan.checks):
            if check.condition is not TRUE:
                self.asserted.setdefault(check.level, []).append(number)
            names = tuple(name for name, _ in check.values)
            self.checks.append(Check(check.kind, check.details, names))
        self.memo_keys = keys_of(plan)
        # The assumptions of the versions of stages around the current statement.
        self.assumptions: list[Assumptions] = []
        self._expanded: dict[str, Expr] = {}
        # The values of variables that splits define, and of lets; None for other variables.
        self._splits: dict[str, Expr | None] = {}
        self._lets: dict[str, Expr | None] = {}

    def expr(self, e: Expr) -> Expr:
        """Returns `e` in terms of loop variables: variables that splits define are replaced by their values."""
        return self._replaced(e, self._splits, self._split_value)

    def without_lets(self, e: Expr) -> Expr:
        """Returns `e` with every let replaced by its value, so that a constant extent is recognized."""
        return self._replaced(e, self._lets, self._let_value)

    def _replaced(self, e: Expr, values: dict[str, Expr | None], value_of: Callable[[str], Expr | None]) -> Expr:
        """`e` with the values of variables, which `values` remembers, in their place."""
        for name in e.variables.difference(values):
            values[name] = value_of(name)
        replaced = {name: value for name in e.variables if (value := values[name]) is not None}
        return self.simplify(substitute(e, replaced))

    def _split_value(self, name: str) -> Expr | None:
        symbol = self.plan.symbols.get(name)
        if symbol is None or not isinstance(symbol.item, LetItem) or not _is_split(symbol.item, symbol.level):
            return None
        return self.expr(symbol.item.value)

    def _let_value(self, name: str) -> Expr | None:
        value = self.plan.slid_value(name)
        return None if value is None else self.without_lets(value)

    def extent(self, interval: Interval) -> Expr:
        """Returns the extent of an interval, as a constant wherever it is one."""
        low, high = interval.ends
        size = self.expr(interval.extent)
        if constant(size) is None:
            distance = difference(self.without_lets(high), self.without_lets(low))
            if distance is not None:
                return build.as_expr(distance + 1)
            value = self.without_lets(size) if self.assumptions else size
            for assumptions in self.assumptions:
                value = assumptions.apply(value)
            return size if constant(value) is None else value
        return size

    def lower_bound(self, low: Expr) -> Expr:
        """Returns a lower bound without the operands of a minimum that are never less than another one."""
        smallest: list[Expr] = []
        for operand in sorted(_operands(low), key=lambda e: not isinstance(e, Variable)):
            gaps = [difference(self.without_lets(operand), self.without_lets(other)) for other in smallest]
            if not any(gap is not None and gap >= 0 for gap in gaps):
                smallest = [other for other, gap in zip(smallest, gaps, strict=True) if gap is None]
                smallest.append(operand)
        return self.expr(low) if len(smallest) > 1 else self.expr(smallest[0])

    def stmt(self, stmt: Stmt) -> Stmt:
        """Returns `stmt` with all its expressions in terms of loop variables."""
        result: Stmt = stmt.rebuild(lambda child: self.stmt(child) if isinstance(child, Stmt) else self.expr(child))
        return result

    def at_level(self, level: Level, inner: Stmt) -> Stmt:
        """Returns the bounds, checks, storage and stages at a level, followed by `inner`."""
        computed = self.computed.get(level, [])
        parts = [self.produce(func) for func in computed if self.is_first(func)]
        ahead = [] if level.nest is None else prefetches(self.plan, level.nest, level.position)
        body = block([*map(self.stmt, ahead), *parts, inner])
        for func in self.stored.get(level, []):
            body = self.realize(func, body)
        for func in self.hoisted.get(level, []):
            body = self.hoist(func, body)
        checks: list[Stmt] = [self.check(number) for number in self.asserted.get(level, [])]
        body = block([*checks, body])
        queries = self.plan.queries.get(level, {})
        for func in self.plan.funcs.values() if queries else computed:
            query = queries.get(func.definition.name)
            if query is not None:
                body = query_statement(self.plan, query, body, self.expr)
            for let in reversed(func.bound_lets) if func.compute_level == level else ():
                body = LetStmt(let.name, self.expr(let.value), body)
        return body

    def check(self, number: int) -> Stmt:
        """Returns the Assert of a check of the plan."""
        check = self.plan.checks[number]
        condition, values = self.expr(check.condition), [self.expr(value) for _, value in check.values]
        if check.level == ROOT_LEVEL and check.kind in CHECKS_OF_BOUNDS:
            condition = exact_condition(condition)
        return Assert(condition, number, tuple([exact_number(value) for value in values]))

    def realize(self, func: FuncPlan, body: Stmt) -> Stmt:
        """Returns the storage of a Func around `body`."""
        definition, schedule = func.definition, func.schedule
        bounds = []
        for dimension, interval in enumerate(func.storage):
            fold = func.folds[dimension]
            extent = self.extent(interval) if fold is None else self.expr(fold)
            room = schedule.by_dim(BoundStorage).get(definition.args[dimension])
            if room is not None:
                extent = self.expr(room.extent)
            bounds.append((self.lower_bound(interval.ends[0]), extent))
        reordered = schedule.last(ReorderStorage)
        order = definition.args if reordered is None else reordered.variables
        # The tile of a dimension precedes all others.
        order = (*schedule.by_dim(TileStorage), *order)
        layout = tuple([(definition.args.index(var), _storage_alignment(schedule, var)) for var in order])
        folds = tuple([None if fold is None else self.expr(fold) for fold in func.folds])
        copies, start = self.copies(func), build.as_expr(0, INT64)
        if copies is not None:
            number = build.mod(self.iteration(func), copies)
            start = build.mul(build.cast(INT64, number), Variable(INT64, ring_stride(definition.name)))
        boxes = tuple(bounds)
        return Realize(definition.name, definition.types, _memory(schedule), boxes, layout, folds, start, body)

    def copies(self, func: FuncPlan) -> Expr | None:
        """Returns how many storages the hoisted memory of a Func holds; None: one."""
        ring = func.schedule.last(RingBuffer)
        return None if func.hoist_level is None or ring is None else self.expr(build.max_(ring.extent, 1))

    def iteration(self, func: FuncPlan) -> Expr:
        """Returns the number of the storage: that of the iteration of the loops between hoist and store level."""
        assert func.hoist_level is not None
        number = build.as_expr(0)
        for loop, _ in self.plan.enclosing_loops(func.hoist_level, func.store_level):
            own = build.sub(Variable(INT32, loop.name), loop.minimum)
            number = build.add(build.mul(number, loop.extent), own)
        return self.expr(number)

    def hoist(self, func: FuncPlan, body: Stmt) -> Stmt:
        """Returns memory around `body` that is large enough for each storage of the Func inside it."""
        definition, schedule = func.definition, func.schedule
        assert func.hoist_level is not None
        analysis = self.plan.analysis(func.hoist_level)
        size, counts = build.as_expr(1, INT64), list[Expr]()
        for dimension, interval in enumerate(func.storage):
            fold = func.folds[dimension]
            extent = self.without_lets(interval.extent if fold is None else fold)
            room = schedule.by_dim(BoundStorage).get(definition.args[dimension])
            extent = extent if room is None else room.extent
            largest = analysis.of(extent).high
            if largest is None:
                is_query = any(part.name == QUERY for part in instances(Intrinsic, extent))
                shown = "which the C function of a consumer asks for" if is_query else str(extent)
                var = definition.args[dimension]
                raise UnboundedError(
                    f"The storage of Func {definition.name} can't be hoisted: its extent in dimension {dimension}, "
                    f"{shown}, has no bound outside the loops in between. Say how much is enough, e.g. "
                    f"{definition.name}.bound_storage({var}, ...). ({definition.location})"
                )
            alignment = _storage_alignment(schedule, definition.args[dimension])
            rounded = build.mul(build.div(build.add(largest, alignment - 1), alignment), alignment)
            counts.append(self.expr(build.max_(rounded, 0)))
            size = build.mul(size, build.cast(INT64, counts[-1]))
        copies = self.copies(func)
        single = size = allocatable(size, counts)
        if copies is not None:
            size = build.mul(Variable(INT64, ring_stride(definition.name)), build.cast(INT64, copies))
        for element, type_ in enumerate(definition.types):
            body = Allocate(hoisted_memory(definition.name, element), type_, _memory(schedule), size, body)
        return body if copies is None else LetStmt(ring_stride(definition.name), single, body)

    def is_first(self, func: FuncPlan) -> bool:
        """Returns whether a Func is the first of its group of fused Funcs."""
        group = self.plan.groups.get(func.definition.name)
        return group is None or group.funcs[0] is func

    def produce(self, func: FuncPlan) -> Stmt:
        """Returns the production of a Func and of those that are fused with it."""
        group = self.plan.groups.get(func.definition.name)
        funcs, nests = ([func], func.nests) if group is None else (group.funcs, group.nests)
        body = block([self.stage(versions) for versions in by_stage(nests)])
        key = self.memo_keys.get(func.definition.name)
        if key is not None:
            images = image_names(self.memo_keys.values())
            body = memoized(func, key, images, self.plan.code_of("memo_failed"), body, self.expr)
        predicate = build.any_of(member.compute_predicate for member in funcs)
        if constant(predicate) is None:
            body = IfThenElse(self.expr(predicate), body, None)
        for member in reversed(funcs):
            body = ProducerConsumer(member.definition.name, True, body)
        return body

    def stage(self, nests: list[LoopNest]) -> Stmt:
        """Returns the versions of a stage, of which the first one whose condition holds runs."""
        *rest, last = nests
        if last.runs is FALSE:
            return build.NOTHING
        # Where the last version has a condition, a check ensures that one of the conditions holds.
        body = self.version(last)
        for nest in reversed(rest):
            body = IfThenElse(self.expr(nest.condition), self.version(nest), body)
        return body

    def version(self, nest: LoopNest) -> Stmt:
        """Returns a version of a stage; its assumptions hold inside."""
        if not nest.assumptions:
            return self.nest(nest)
        self.assumptions.append(nest.assumptions)
        body = self.nest(nest)
        self.assumptions.pop()
        return body

    def nest(self, nest: LoopNest) -> Stmt:
        """Returns the loops, lets and guards of a nest with what is computed in them."""
        body = block([self.nest(member) for member in nest.members]) if nest.members else self.provide(nest)
        for position in reversed(range(len(nest.items))):
            body = self.at_level(Level(nest, position), body)
            item = nest.items[position]
            if isinstance(item, LoopItem):
                extent = self.extent(Interval(item.minimum, item.last))
                policy = self.partition_policy(item)
                loop = For(item.name, self.expr(item.minimum), extent, item.kind, body, policy)
                body = self.after(item.effects, loop)
            elif isinstance(item, GuardItem):
                branch = IfThenElse(self.expr(item.condition), body, None, item.speculatable)
                body = self.after(item.effects, branch)
            elif not _is_split(item, Level(nest, position)):
                body = LetStmt(item.name, self.expr(item.value), body)
        return self.at_level(Level(nest, -1), body)

    def partition_policy(self, loop: LoopItem) -> Partition:
        """Returns how the schedule wants a loop partitioned; vectorized and unrolled loops are never partitioned."""
        # With exact tails there may be nothing to partition, which is an error for Partition.Always.
        policy = loop.partition if loop.kind in SPLIT else Partition.Auto
        return Partition.Auto if self.plan.exact_tails and policy is Partition.Always else policy

    def provide(self, nest: LoopNest) -> Stmt:
        """Returns the innermost statement of a nest: a Provide, or the call of an extern stage."""
        if nest.extern is not None:
            return self.stmt(call_statement(self.plan, nest))
        values, args = tuple([self.expr(e) for e in nest.values]), tuple([self.expr(e) for e in nest.args])
        body: Stmt = Provide(nest.func, values, args)
        if nest.atomic:
            body = AtomicUpdate(body)
        return self.after(nest.effects, body)

    def after(self, effects: tuple[Effect, ...], body: Stmt) -> Stmt:
        """Returns `body` after the statements of the effects."""
        stmts = [effect_statement(self.expr(effect), self.checks, self.notices) for effect in effects]
        return block([*stmts, body])


def _is_split(item: LetItem, level: Level) -> bool:
    """Returns whether a let is a variable that a split or fuse replaced; bounds and shifted bases keep their names."""
    return level.nest is not None and item in level.nest.items and not item.name.endswith(".base")


def _operands(e: Expr) -> list[Expr]:
    """Returns the operands of a minimum, also of one to which a constant is added."""
    if isinstance(e, Min):
        return _operands(e.a) + _operands(e.b)
    form = linear(e)
    if len(form.terms) == 1:
        ((atom, coefficient),) = form.terms.items()
        if isinstance(atom, Min) and coefficient == 1:
            return [build.add(operand, form.constant) for operand in _operands(atom)]
    return [e]


def _storage_alignment(schedule: FuncSchedule, var: str) -> int:
    aligned, tiled = schedule.by_dim(AlignStorage).get(var), schedule.by_dim(TileStorage).get(var)
    if tiled is not None:
        return tiled.factor
    return 1 if aligned is None else aligned.alignment


def _memory(schedule: FuncSchedule) -> MemoryType:
    stored = schedule.last(StoreIn)
    return MemoryType.Auto if stored is None else stored.memory
