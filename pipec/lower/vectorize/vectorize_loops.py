"""Vectorized loops become vector statements; runs on flat storage.

    vectorized (xi, 0, 8) { if (likely(8*x + xi < w)) f[8*x + xi] = in[8*x + xi] + c }
    -->
    f[ramp(8*x, 1, 8)] = in[ramp(8*x, 1, 8)] + broadcast(c, 8)   where ramp(8*x, 1, 8) < broadcast(w, 8)

Conditions that differ between lanes become predicates of loads and stores, so that inactive lanes do not access
memory. Storage allocated inside gets one copy a lane. Updates at computed indices run lane by lane
(vector_reductions.py). Where lanes cannot run in lockstep otherwise (a shared accumulator, a scatter into a buffer that
is read) the loop stays a loop. Of nested vector loops the innermost is the vector; when it is a reduction, both are
(nested_lanes.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipec.ir import build
from pipec.ir.build import NOTHING, and_, block, constant, max_, mul, not_
from pipec.ir.expr import (
    LT,
    Add,
    Const,
    Expr,
    Intrinsic,
    Load,
    Ramp,
    Variable,
    VectorReduce,
)
from pipec.ir.node import kinds_of
from pipec.ir.stmt import (
    Allocate,
    Assert,
    AtomicUpdate,
    Block,
    Evaluate,
    For,
    IfThenElse,
    LetStmt,
    LoopKind,
    PrefetchLoad,
    ProducerConsumer,
    Report,
    Stmt,
    Store,
)
from pipec.ir.types import INT32
from pipec.ir.unroll import constant_extent, unrolled
from pipec.ir.walk import instances, postorder, rewrite, substitute
from pipec.lower.statements import with_body, with_lets
from pipec.lower.vectorize.clamped_loads import make_clamped_loads_dense
from pipec.lower.vectorize.guarded_loads import load_taken_lanes
from pipec.lower.vectorize.lane_phases import with_phases
from pipec.lower.vectorize.nested_lanes import nested_reduction
from pipec.lower.vectorize.tensor_calls import tensor_calls
from pipec.lower.vectorize.vector_reductions import LaneReduction, accumulated, lane_by_lane, reduction_of, separated
from pipec.lower.vectorize.widen import CannotVectorize, Widener, always, any_lane


def vectorize_loops(stmt: Stmt) -> Stmt:
    """`stmt` without vectorized loops."""
    return make_clamped_loads_dense(load_taken_lanes(_walk(tensor_calls(stmt))[0]))


def _walk(stmt: Stmt) -> tuple[Stmt, bool]:
    """The new statement, and whether it has vectors."""
    vectors = False
    if isinstance(stmt, For) and stmt.kind is LoopKind.VECTORIZED:
        nest = nested_reduction(stmt)
        if nest is not None:
            return nest, True

    def child(node: Any) -> Any:
        nonlocal vectors
        if not isinstance(node, Stmt):
            return node
        new, has_vectors = _walk(node)
        vectors = vectors or has_vectors
        return new

    if isinstance(stmt, Block):
        stmt = block([child(s) for s in stmt.stmts])
    else:
        stmt = stmt.rebuild(child)
    if isinstance(stmt, For) and stmt.kind is LoopKind.SERIAL and vectors:
        return accumulated(stmt) or stmt, True
    if not isinstance(stmt, For) or stmt.kind is not LoopKind.VECTORIZED:
        return stmt, vectors
    count = constant_extent(stmt)
    if count is None:
        return with_body(stmt, stmt.body, LoopKind.SERIAL), vectors
    if count <= 1:
        return (substitute(stmt.body, {stmt.name: stmt.minimum}) if count == 1 else NOTHING), vectors
    if vectors:
        return unrolled(stmt), True
    try:
        return _VectorLoop(stmt, count).statement(separated(stmt), None), True
    except CannotVectorize:
        return with_body(stmt, stmt.body, LoopKind.SERIAL), False


class _VectorLoop:
    """The body of one vector loop in all lanes. `mask`: the lanes that are active, None for all.

    `places`: the lanes whose elements may be stored with their old values, None for all.
    """

    def __init__(self, loop: For, lanes: int) -> None:
        self.name = loop.name
        self.lanes = lanes
        self.masks = 0
        # Updates lane by lane, whose vectors have names of their own.
        self.updates = 0
        self.places: Expr | None = None
        self.widen = Widener(lanes)
        self.widen.values[loop.name] = Ramp(loop.minimum, Const(loop.minimum.type, 1), lanes)
        self.stores = [store.buffer for store in instances(Store, loop.body)]
        # The values of lets that are vectors of index arithmetic.
        self.indices: dict[str, Expr] = {}
        # Buffers read by the lets around the current statement, which a store may not change under them.
        self.let_loads: list[set[str]] = []

    def statement(self, stmt: Stmt, mask: Expr | None) -> Stmt:
        """Returns the statement for all lanes, or for those of `mask`."""
        method = _METHODS.get(type(stmt))
        if method is None:
            raise CannotVectorize(type(stmt).__name__)
        return method(self, stmt, mask)

    def sequence(self, stmt: Block, mask: Expr | None) -> Stmt:
        return block([self.statement(child, mask) for child in stmt.stmts])

    def atomic(self, stmt: AtomicUpdate, mask: Expr | None) -> Stmt:
        body = self.statement(stmt.body, mask)
        if not isinstance(body, Store) or body.value.type.nlanes > 1:
            raise CannotVectorize("memory updates one element at a time")
        return AtomicUpdate(body)

    def production(self, stmt: ProducerConsumer, mask: Expr | None) -> Stmt:
        return ProducerConsumer(stmt.name, stmt.is_producer, self.statement(stmt.body, mask))

    def store(self, stmt: Store, mask: Expr | None) -> Stmt:
        index = self.widen.element(stmt.buffer, self.widen(stmt.index, mask))
        if index.type.nlanes == 1 and self._only_updated(stmt):
            reduction = reduction_of(stmt)
            if reduction is not None:
                return self.reduce(stmt, reduction, index, mask)
        value = self.widen(stmt.value, mask)
        predicate = self.widen(stmt.predicate, mask)
        if mask is not None:
            predicate = and_(self.widen.vector(predicate), mask)
        if not isinstance(index, Ramp) and self._reads(stmt):
            if index.type.nlanes > 1 and self._only_updated(stmt):
                reduction = reduction_of(stmt)
                if reduction is not None:
                    rest = self.widen.vector(self.widen(reduction.rest, mask))
                    self.updates += 1
                    name = self.name if self.updates == 1 else f"{self.name}.update{self.updates}"
                    return lane_by_lane(name, stmt, reduction, index, rest, mask)
            raise CannotVectorize("lanes may add to the same element")
        if index.type.nlanes == 1:
            if predicate.type.nlanes > 1:
                raise CannotVectorize("the last active lane decides")
            return Store(stmt.buffer, self.widen.lane(value, self.lanes - 1), index, predicate)
        if mask is None and constant(predicate) == 1:
            value = with_phases(substitute(stmt.value, self.indices), self.widen)
        vector = self.widen.vector
        if mask is not self.places and isinstance(index, Ramp) and constant(stmt.predicate) == 1:
            return self.blend(stmt.buffer, vector(value), index, mask)
        return Store(stmt.buffer, vector(value), vector(index), vector(predicate))

    def blend(self, buffer: str, value: Expr, index: Ramp, mask: Expr | None) -> Stmt:
        """A store of all lanes with elements: of the old values in those that are not active.

        A masked store, and the load after it, would be in memory and not in registers.
        """
        assert mask is not None
        predicate = always(self.lanes) if self.places is None else self.places
        old = Load(value.type, buffer, index, predicate)

        def change(node: Any) -> Any:
            own = isinstance(node, Load) and node.buffer == buffer and node.index is index
            return old if own else node

        value = rewrite(value, change, kinds=kinds_of(Load))
        return Store(buffer, build.select(mask, value, old), index, predicate)

    def prefetch(self, stmt: PrefetchLoad, mask: Expr | None) -> Stmt:
        """The prefetches of all lanes."""
        read = stmt.read
        assert isinstance(read, Load)
        index = self.widen.element(read.buffer, self.widen(read.index, mask))
        lanes = range(self.lanes if index.type.nlanes > 1 else 1)
        return block([PrefetchLoad(Load(read.type, read.buffer, self.widen.lane(index, i), always(1))) for i in lanes])

    def reduce(self, stmt: Store, reduction: LaneReduction, index: Expr, mask: Expr | None) -> Stmt:
        """One update of the element that all lanes share."""
        rest = self.widen.vector(self.widen(reduction.rest, mask))
        if mask is not None:
            rest = build.select(mask, rest, self.widen.vector(reduction.identity()))
        old = self.widen(reduction.old, mask)
        value = reduction.kind(old, VectorReduce(reduction.operator, rest, 1))
        return Store(stmt.buffer, value, index, always(1))

    def _only_updated(self, stmt: Store) -> bool:
        """Whether nothing else in the loop stores to the buffer, and no let around holds a value of it."""
        once = self.stores.count(stmt.buffer) == 1
        return once and constant(stmt.predicate) == 1 and not self._read_by_lets(stmt.buffer)

    def _read_by_lets(self, buffer: str) -> bool:
        return any(buffer in loads for loads in self.let_loads)

    def _reads(self, stmt: Store) -> bool:
        """Whether the value stored depends on the same buffer."""
        if self._read_by_lets(stmt.buffer):
            return True
        return any(load.buffer == stmt.buffer for load in instances(Load, stmt.value))

    def let(self, stmt: LetStmt, mask: Expr | None) -> Stmt:
        value = self.widen(stmt.value, mask)
        lets: list[tuple[str, Expr]] = []
        if isinstance(value, Ramp):
            base = self._named(f"{stmt.name}.base", value.base, lets)
            stride = self._named(f"{stmt.name}.step", value.stride, lets)
            self.widen.values[stmt.name] = Ramp(base, stride, self.lanes)
        else:
            lets.append((stmt.name, value))
            if value.type.nlanes > 1:
                self.widen.values[stmt.name] = Variable(value.type, stmt.name)
                if value.type.element_of() is INT32 and not stmt.value.kinds & kinds_of(Load):
                    self.indices[stmt.name] = substitute(stmt.value, self.indices)
        self.let_loads.append({load.buffer for load in instances(Load, stmt.value)})
        body = self.statement(stmt.body, mask)
        self.let_loads.pop()
        return with_lets(lets, body)

    def _named(self, name: str, value: Expr, lets: list[tuple[str, Expr]]) -> Expr:
        if isinstance(value, (Const, Variable)):
            return value
        lets.append((name, value))
        return Variable(value.type, name)

    def branch(self, stmt: IfThenElse, mask: Expr | None) -> Stmt:
        condition = self.widen(stmt.condition, mask)
        if condition.type.nlanes == 1:
            otherwise = None if stmt.otherwise is None else self.statement(stmt.otherwise, mask)
            return IfThenElse(condition, self.statement(stmt.then, mask), otherwise, stmt.speculatable)
        # The condition is evaluated once, before the statement changes a value that it depends on.
        lets: list[tuple[str, Expr]] = []
        if condition.kinds & kinds_of(Load):
            self.masks += 1
            condition = self._named(f"{self.name}.mask{self.masks}", condition, lets)
        sides = [self.masked(stmt.then, condition, mask, stmt.speculatable)]
        if stmt.otherwise is not None:
            sides.append(self.masked(stmt.otherwise, not_(condition), mask))
        body = block(sides)
        for name, value in lets:
            body = LetStmt(name, value, body)
        return body

    def masked(self, stmt: Stmt, condition: Expr, mask: Expr | None, speculatable: bool = False) -> Stmt:
        """`stmt` in the lanes of `mask` where `condition` holds; `speculatable`: as of IfThenElse."""
        active = condition if mask is None else and_(mask, condition)
        places = self.places
        if not speculatable:
            self.places = active if places is mask else condition if places is None else and_(places, condition)
        body = self.statement(stmt, active)
        self.places = places
        needs_lane = any(_acts_once(node) for node in postorder(body))
        return IfThenElse(any_lane(active), body, None, speculatable) if needs_lane else body

    def loop(self, stmt: For, mask: Expr | None) -> Stmt:
        minimum = self.widen(stmt.minimum, mask)
        extent = self.widen(stmt.extent, mask)
        if minimum.type.nlanes == 1 and extent.type.nlanes == 1:
            return For(stmt.name, minimum, extent, stmt.kind, self.statement(stmt.body, mask))
        step = Variable(stmt.minimum.type, stmt.name)
        self.widen.values[stmt.name] = self.widen.arithmetic(Add, minimum, step)
        if extent.type.nlanes == 1:
            return For(stmt.name, _ZERO, extent, stmt.kind, self.statement(stmt.body, mask))
        body = self.masked(stmt.body, LT(self.widen.vector(step), extent), mask)
        return For(stmt.name, _ZERO, self.largest(extent, mask), LoopKind.SERIAL, body)

    def largest(self, e: Expr, mask: Expr | None) -> Expr:
        """The largest lane of a vector, as a scalar."""
        if isinstance(e, Ramp):
            stride = constant(e.stride)
            if stride is not None:
                return e.base if stride <= 0 else self.widen.lane(e, self.lanes - 1)
            return max_(e.base, self.widen.lane(e, self.lanes - 1))
        # Inactive lanes have no extent.
        if mask is not None:
            e = build.select(mask, e, build.as_expr(0, e.type))
        return VectorReduce("max", e, 1)

    def allocate(self, stmt: Allocate, mask: Expr | None) -> Stmt:
        size = self.widen(stmt.size, mask)
        if size.type.nlanes > 1:
            size = self.largest(size, mask)
        self.widen.private.add(stmt.name)
        body = self.statement(stmt.body, mask)
        return Allocate(stmt.name, stmt.type, stmt.memory, mul(size, self.lanes), body)

    def check(self, stmt: Assert, mask: Expr | None) -> Stmt:
        condition = self.widen(stmt.condition, mask)
        values = [self.widen(value, mask) for value in stmt.values]
        if mask is None and all(e.type.nlanes == 1 for e in [condition, *values]):
            return Assert(condition, stmt.code, tuple(values))
        checks: list[Stmt] = []
        for i in range(self.lanes):
            own: Stmt = Assert(self.widen.lane(condition, i), stmt.code, tuple([self.widen.lane(v, i) for v in values]))
            checks.append(own if mask is None else IfThenElse(self.widen.lane(mask, i), own, None))
        return block(checks)

    def report(self, stmt: Report, mask: Expr | None) -> Stmt:
        """One Report for all lanes; values that do not vary with them are reported once, if all are active."""
        if any(isinstance(value, Intrinsic) and value.name == "address_of" for value in stmt.values):
            raise CannotVectorize("each lane has storage of its own")
        values = [self.widen(value, mask) for value in stmt.values]
        predicate = self.widen(stmt.predicate, mask)
        if any(e.type.nlanes > 1 for e in [predicate, *values]) or (mask is not None and not stmt.name):
            values, predicate = [self.widen.vector(value) for value in values], self.widen.vector(predicate)
            predicate = predicate if mask is None else and_(predicate, mask)
        return Report(stmt.code, tuple(values), predicate, stmt.name, self.statement(stmt.body, mask))


_METHODS: dict[type[Stmt], Callable[[_VectorLoop, Any, Expr | None], Stmt]] = {
    Block: _VectorLoop.sequence,
    Store: _VectorLoop.store,
    AtomicUpdate: _VectorLoop.atomic,
    LetStmt: _VectorLoop.let,
    IfThenElse: _VectorLoop.branch,
    For: _VectorLoop.loop,
    Allocate: _VectorLoop.allocate,
    Assert: _VectorLoop.check,
    ProducerConsumer: _VectorLoop.production,
    Report: _VectorLoop.report,
    PrefetchLoad: _VectorLoop.prefetch,
    Evaluate: lambda self, stmt, mask: NOTHING,
}


_ZERO = build.as_expr(0)


def _acts_once(node: Any) -> bool:
    """Whether a node of masked code has an effect, or takes time, when no lane is active."""
    if isinstance(node, Load):
        return node.index.type.nlanes == 1
    return isinstance(node, (For, Allocate, Report))
