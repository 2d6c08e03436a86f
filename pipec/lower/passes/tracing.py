"""Tracing: Reports of loads, stores, realizations, productions and consumptions of traced Funcs.

    realize g { produce g { g(x) = x }; f(x) = g(x) + 1 }
    -->
    realize g {
      let a = report "begin realization" { let b = report "produce" (a) { report "store" (b, x, x); g(x) = x; ... };
      let c = report "consume" (a) { report "load" (c, x, g(x)); f(x) = g(x) + 1; ... }; ... } }

The first value of each Report is the number of the event that it belongs to: the answer to an earlier Report.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pipec.bounds.box import Box
from pipec.bounds.interval import Interval
from pipec.ir import build
from pipec.ir.build import block
from pipec.ir.expr import TRUE, Expr, FuncCall, ImageCall, Undef, const, variable
from pipec.ir.node import Node
from pipec.ir.program import Notice
from pipec.ir.stmt import (
    Allocate,
    Assert,
    AtomicUpdate,
    Block,
    CallExtern,
    IfThenElse,
    LetStmt,
    ProducerConsumer,
    Provide,
    Realize,
    Report,
    Stmt,
)
from pipec.ir.types import INT32, Type
from pipec.ir.walk import postorder
from pipec.lower.planning.bounds_inference import accessed_box
from pipec.lower.planning.extern_stage import query_statement
from pipec.lower.planning.names import bound_symbols, buffer_symbol, output_buffers
from pipec.lower.planning.nest import ROOT_LEVEL
from pipec.lower.planning.plan import FuncPlan, LoweringPlan
from pipec.lower.statements import map_statements
from pipec.records import dataclass
from pipec.schedule.observation import Trace, Traced, TraceTag
from pipec.target import Target, TargetFeature

_NOBODY = const(0)


@dataclass(frozen=True)
class TracedAccesses:
    """The names of the Funcs (and images) whose loads, stores and realizations are traced."""

    loads: frozenset[str]
    stores: frozenset[str]
    realizations: frozenset[str]
    pipeline: bool = False

    @property
    def any(self) -> bool:
        """Whether anything is traced."""
        return bool(self.loads or self.stores or self.realizations or self.pipeline)


def traced_accesses(plan: LoweringPlan, target: Target) -> TracedAccesses:
    """The accesses that schedule, images and target trace. A target that traces accesses traces realizations too."""
    traced: dict[Traced, set[str]] = {what: set() for what in Traced}
    for name, func in plan.funcs.items():
        for trace in func.schedule.all(Trace):
            traced[trace.what].add(name)
    traced[Traced.Loads].update(name for name, image in plan.images.items() if image.traced)
    features = (TargetFeature.TraceLoads, TargetFeature.TraceStores, TargetFeature.TraceRealizations)
    for what, feature in zip((Traced.Loads, Traced.Stores), features, strict=False):
        if target.has_feature(feature):
            traced[what].update([*plan.funcs, *plan.images])
    if any(target.has_feature(feature) for feature in features):
        traced[Traced.Realizations].update(plan.funcs)
    loads, stores, realizations = [frozenset(traced[what]) for what in Traced]
    return TracedAccesses(loads, stores, realizations, target.has_feature(TargetFeature.TracePipeline))


def trace(stmt: Stmt, plan: LoweringPlan, target: Target, notices: list[Notice]) -> Stmt:
    """Adds Reports to the statement of a whole plan where the schedule or the target asks for them.

    What each Report means is appended to `notices`.
    """
    traced = traced_accesses(plan, target)
    return after_checks(stmt, _Tracer(plan, traced, notices).pipeline) if traced.any else stmt


def after_checks(stmt: Stmt, change: Callable[[Stmt], Stmt]) -> Stmt:
    """A whole program with `change` of what follows the checks of its arguments.

    Where a check fails, the next variant of the program may run instead: what is reported before would be twice.
    """
    if isinstance(stmt, LetStmt):
        return LetStmt(stmt.name, stmt.value, after_checks(stmt.body, change))
    if isinstance(stmt, Allocate) and _begins_with_query(stmt.body):
        return Allocate(stmt.name, stmt.type, stmt.memory, stmt.size, after_checks(stmt.body, change))
    stmts = stmt.stmts if isinstance(stmt, Block) else (stmt,)
    begin = next((at for at, part in enumerate(stmts) if not isinstance(part, (Assert, CallExtern))), len(stmts))
    rest = block(list(stmts[begin:]))
    named = isinstance(rest, LetStmt) or (isinstance(rest, Allocate) and _begins_with_query(rest.body))
    return block([*stmts[:begin], after_checks(rest, change) if named else change(rest)])


class _Tracer:
    def __init__(self, plan: LoweringPlan, traced: TracedAccesses, notices: list[Notice]) -> None:
        self.plan, self.traced, self.notices = plan, traced, notices
        # The current parent event of the events of each Func.
        self.parents: dict[str, Expr] = {}
        self.events = 0

    def original(self, name: str) -> str:
        """The user's name of a Func, of which there may be copies."""
        copied = name in self.plan.funcs and name not in self.plan.definition.funcs
        return name.rpartition(".")[0] if copied else name

    def code(self, event: str, func: str, types: Sequence[Type], index: int = 0, tag: str = "") -> int:
        details = (("event", event), ("func", self.original(func)), ("index", str(index)), ("tag", tag))
        notice = Notice("trace", (INT32, *types), details)
        self.notices.append(notice)
        return len(self.notices) - 1

    def report(
        self, event: str, func: str, values: Sequence[Expr], parent: Expr, index: int = 0, tag: str = ""
    ) -> Stmt:
        """A Report whose answer is not used."""
        code = self.code(event, func, [value.type for value in values], index, tag)
        return Report(code, (parent, *values), TRUE, "", build.NOTHING)

    def around(self, event: str, func: str, values: Sequence[Expr], parent: Expr, body: Stmt, name: str) -> Stmt:
        """Reports before and after `body`, in which int32 `name` is the number of the first."""
        kinds = [value.type for value in values]
        end = self.report(f"end_{event.removeprefix('begin_')}", func, values, variable(name))
        return Report(self.code(event, func, kinds), (parent, *values), TRUE, name, block([body, end]))

    def fresh(self) -> str:
        self.events += 1
        return f"event.{self.events}"

    # The whole program

    def pipeline(self, stmt: Stmt) -> Stmt:
        name = self.fresh()
        own = variable(name)
        definition = self.plan.definition
        outputs = [func for func in definition.outputs if func in self.traced.realizations]
        opened = [(func, self.fresh()) for func in outputs]
        parents = {func: variable(event) for func, event in opened}
        self.parents.update(parents)
        self.root = own
        body = self.statement(stmt)
        for func, event in reversed(opened):
            values = self.output_box(func)
            body = self.around("begin_realization", func, values, own, body, event)
        body = block([self.tags(own), body])
        return self.around("begin_pipeline", definition.name.replace("$", "_"), (), _NOBODY, body, name)

    def output_box(self, name: str) -> list[Expr]:
        func = self.plan.funcs[name].definition
        buffer = output_buffers(func)[0]
        return [buffer_symbol(buffer, what, d) for d in range(len(func.args)) for what in ("min", "extent")]

    def tags(self, parent: Expr) -> Stmt:
        """The types and boxes of Funcs and images for viewers of traces, then the user's tags."""
        asked = set(self.plan.queries.get(ROOT_LEVEL, ()))
        stmt = block(self.all_tags(parent))
        # Boxes of the whole run may need queries that the program itself does not.
        for func, query in reversed(self.plan.queries.get(ROOT_LEVEL, {}).items()):
            if func not in asked:
                stmt = query_statement(self.plan, query, stmt, lambda e: e)
        return stmt

    def all_tags(self, parent: Expr) -> list[Stmt]:
        traced = self.traced
        any_way = traced.loads | traced.stores | traced.realizations
        tags: list[Stmt] = []
        for name, image in self.plan.definition.images.items():
            if name in any_way and name in self.plan.input_boxes:
                tags.append(self.shape_tag(name, [image.type], self.plan.input_boxes[name], parent))
        named: list[Stmt] = []
        for name, func in self.plan.funcs.items():
            if name not in any_way:
                continue
            tags.append(self.shape_tag(name, func.definition.types, self.whole_box(name, func), parent))
            for tagged in func.schedule.all(TraceTag):
                named.append(self.report("tag", name, (), parent, tag=tagged.tag))
        return tags + named

    def whole_box(self, name: str, func: FuncPlan) -> Box:
        """The box of a Func in the whole run: what is read, where a C function decides later how much it computes."""
        plan = self.plan
        if func.definition.extern is not None and func.compute_level != ROOT_LEVEL:
            assert plan.required_box is not None
            return plan.required_box(name, ROOT_LEVEL)
        users = [nest for other in plan.funcs.values() for nest in other.nests if name in nest.func_calls]
        return accessed_box(plan, func, ROOT_LEVEL, [nest for nest in users if nest.func != name])

    def shape_tag(self, name: str, types: Sequence[Type], box: Sequence[tuple[Expr | None, ...]], parent: Expr) -> Stmt:
        words = [str(len(types))]
        for kind in types:
            words += [str(int(kind.code().value)), str(kind.nbits), "1"]
        values = []
        for low, high in box:
            assert low is not None and high is not None
            values += [low, build.add(build.sub(high, low), 1)]
        text = f"func_type_and_dim: {' '.join(words)} {len(box)}"
        return self.report("tag", name, [self.plan.simplifier(value) for value in values], parent, tag=text)

    # Statements

    def statement(self, stmt: Stmt) -> Stmt:
        if isinstance(stmt, Block):
            return self.sequence(stmt.stmts)
        if isinstance(stmt, Realize):
            return self.realize(stmt)
        if isinstance(stmt, ProducerConsumer):
            return self.sequence((stmt,))
        if isinstance(stmt, Provide):
            return block([*self.accesses(stmt), stmt])
        if isinstance(stmt, AtomicUpdate) and isinstance(stmt.body, Provide):
            return block([*self.accesses(stmt.body), stmt])
        if isinstance(stmt, IfThenElse):
            otherwise = None if stmt.otherwise is None else self.statement(stmt.otherwise)
            branch = IfThenElse(stmt.condition, self.statement(stmt.then), otherwise)
            return block([*self.loads([stmt.condition]), branch])
        return map_statements(stmt, self.statement)

    def realize(self, stmt: Realize) -> Stmt:
        if stmt.name not in self.traced.realizations:
            return Realize(*[getattr(stmt, field) for field in stmt.FIELDS[:-1]], self.statement(stmt.body))
        name = self.fresh()
        values = [part for bound in stmt.bounds for part in bound]
        body = self.within(stmt.name, name, stmt.body)
        body = self.around("begin_realization", stmt.name, values, self.root, body, name)
        return Realize(*[getattr(stmt, field) for field in stmt.FIELDS[:-1]], body)

    def within(self, func: str, event: str, body: Stmt) -> Stmt:
        """The traced `body`, in which an event is the parent of the events of a Func."""
        before = self.parents.get(func)
        self.parents[func] = variable(event)
        new = self.statement(body)
        if before is None:
            del self.parents[func]
        else:
            self.parents[func] = before
        return new

    def sequence(self, stmts: Sequence[Stmt]) -> Stmt:
        """Traces statements in sequence; those after the production of a Func consume it."""
        for at, stmt in enumerate(stmts):
            if not isinstance(stmt, ProducerConsumer) or stmt.name not in self.traced.realizations:
                continue
            before = [self.part(s) for s in stmts[:at]]
            rest = stmts[at + 1 :]
            box, parent = self.produced_box(stmt.name), self.parents.get(stmt.name, _NOBODY)
            event = self.fresh()
            body = self.within(stmt.name, event, stmt.body)
            body = ProducerConsumer(stmt.name, True, self.around("produce", stmt.name, box, parent, body, event))
            if self.plan.funcs[stmt.name].is_output or not rest:
                return block([*before, body, self.sequence(rest)])
            event = self.fresh()
            consumer = self.within(stmt.name, event, block(list(rest)))
            return block([*before, body, self.around("consume", stmt.name, box, parent, consumer, event)])
        return block([self.part(stmt) for stmt in stmts])

    def part(self, stmt: Stmt) -> Stmt:
        if isinstance(stmt, ProducerConsumer):
            return ProducerConsumer(stmt.name, stmt.is_producer, self.statement(stmt.body))
        return self.statement(stmt)

    def produced_box(self, name: str) -> list[Expr]:
        return [part for interval in produced_box(self.plan, self.plan.funcs[name]) for part in interval]

    # Accesses

    def accesses(self, stmt: Provide) -> list[Stmt]:
        """The loads of each value and then its store, before these happen: nothing else is stored in between."""
        reports = self.loads(stmt.args)
        visited: set[Node] = set()
        for index, value in enumerate(stmt.values):
            reports += self.loads([value], visited)
            if stmt.name in self.traced.stores and not isinstance(value, Undef):
                parent = self.parents.get(stmt.name, _NOBODY)
                reports.append(self.report("store", stmt.name, (*stmt.args, value), parent, index))
        return reports

    def loads(self, roots: Sequence[Expr], visited: set[Node] | None = None) -> list[Stmt]:
        reports: list[Stmt] = []
        for node in postorder(*roots, visited=visited):
            if isinstance(node, (FuncCall, ImageCall)) and node.name in self.traced.loads:
                index = node.value_index if isinstance(node, FuncCall) else 0
                parent = self.root if isinstance(node, ImageCall) else self.parents.get(node.name, _NOBODY)
                reports.append(self.report("load", node.name, (*node.args, node), parent, index))
        return reports


def produced_box(plan: LoweringPlan, func: FuncPlan) -> list[tuple[Expr, Expr]]:
    """Minimum and extent of the region that the pure definition of a Func computes, in each dimension."""
    nest = func.nests[0]
    if nest.extern is not None and not nest.items:
        ends = [Interval(*corners) for corners in zip(nest.args, nest.ends, strict=True)]
    else:
        ends = [bound_symbols(func.definition, func.schedule, 0, var) for var in func.definition.args]
    return [(interval.ends[0], plan.simplifier(interval.extent)) for interval in ends]


def _begins_with_query(stmt: Stmt) -> bool:
    """Whether the statement begins with a bounds query."""
    return isinstance(stmt, Block) and isinstance(stmt.stmts[0], CallExtern)
