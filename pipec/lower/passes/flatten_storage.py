"""Multi-dimensional values become elements of flat buffers.

    realize f[x in 0..w, y in 0..h] { f[x, y] = in[x + 1, y] }
    -->
    allocate f[w * h] { f[y*w + x] = in[((-in.min.0 - in.min.1*in.stride.1) + y*in.stride.1) + x + 1] }

A dimension's stride is the product of the extents of those stored inside it. Folded dimensions are circular:
the coordinate is reduced modulo the fold. Element k of a Tuple Func `f` is stored in the buffer `f.k`. A Func whose
memory is allocated at an outer hoist level is stored there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from pipec.bounds.exact import allocatable
from pipec.bounds.linear import from_linear, sum_of_terms
from pipec.errors import NotSupportedError
from pipec.ir import build
from pipec.ir.build import add, block, constant, div, mod, mul
from pipec.ir.expr import TRUE, BufferView, Const, Expr, FuncCall, ImageCall, Intrinsic, Load, Undef, Variable
from pipec.ir.node import Node, kinds_of
from pipec.ir.placeholders import is_several, value_count, versions
from pipec.ir.stmt import (
    GPU_KINDS,
    Allocate,
    AtomicUpdate,
    Block,
    For,
    IfThenElse,
    LetStmt,
    MemoryType,
    ProducerConsumer,
    Provide,
    Realize,
    Stmt,
    Store,
    Wait,
)
from pipec.ir.types import INT32, INT64
from pipec.ir.walk import free_variables, instances, rewrite
from pipec.lower.passes.linear_index import ONE, ZERO, LoopDepths, element_index, wide
from pipec.lower.passes.partition_loops import original_name
from pipec.lower.planning.assumptions import NO_ASSUMPTIONS
from pipec.lower.planning.names import hoisted_memory
from pipec.lower.statements import with_lets
from pipec.records import dataclass, field
from pipec.target import LINE_BYTES

# Terms of a minimum that is repeated in each index, where it often cancels; longer ones get a name.
_MAX_REPEATED_TERMS = 3
# Places at multiples of 4096 bytes share the 8 to 12 lines of one set of a first-level cache, those at multiples of
# 1024 bytes the lines of four sets. What the cache holds altogether needs no more.
CONFLICT_BYTES = 1024
SPREAD_BYTES = 32 * 1024


@dataclass(frozen=True)
class _Layout:
    """The storage layout of a buffer: for each dimension its minimum, stride and fold factor or None.

    `start`: the index of the first element. `tiles`: by dimension, the elements of a tile and the stride inside it; the
    stride of the dimension is then that between tiles.
    """

    minima: tuple[Expr, ...]
    strides: tuple[Expr, ...]
    folds: tuple[Expr | None, ...]
    start: Expr = Const(INT64, 0)
    tiles: Mapping[int, tuple[int, Expr]] = field(default_factory=dict)


def flatten_storage(stmt: Stmt, strides: Mapping[tuple[str, int], Expr] | None = None) -> Stmt:
    """`stmt` with Provide, Realize, FuncCall and ImageCall turned into Store, Allocate and Load.

    `strides[buffer, dimension]`: known strides of the pipeline's own buffers; without one, dimension 0 has
    stride 1 and the others the variable `buffer.stride.dimension`.
    """
    elements: dict[str, int] = {}
    several = False
    for node in instances((Provide, Realize, BufferView, Intrinsic), stmt):
        if isinstance(node, Provide):
            elements[node.name] = len(node.values)
        elif isinstance(node, Realize):
            elements[node.name] = len(node.types)
        elif isinstance(node, BufferView):
            elements[node.name] = max(elements.get(node.name, 1), node.value_index + 1)
        several = several or is_several(node)
    on_device = any(loop.kind in GPU_KINDS for loop in instances(For, stmt))
    return _Flattener(strides or {}, elements, several, spreads=not on_device).statement(stmt, 0)


class _Flattener:
    def __init__(
        self, strides: Mapping[tuple[str, int], Expr], elements: Mapping[str, int], several: bool, spreads: bool
    ) -> None:
        self.strides = strides
        # The values of each Func: several are stored in a buffer each.
        self.elements = elements
        self.several = several
        # Whether rows may lie further apart than they are long, for the caches of this processor.
        self.spreads = spreads
        self.depths = LoopDepths()
        self.layouts: dict[str, _Layout] = {}
        # The hoisted memory around a statement, by its name in the plan; and the memory of each Func's elements.
        self.claimed: dict[str, str] = {}
        self.hoisted: dict[tuple[str, int], str] = {}
        self.memo: dict[Node, Any] = {}
        self.provided = 0

    def expression(self, e: Expr) -> Expr:
        return rewrite(e, self._access, self.memo, kinds_of(FuncCall, ImageCall, Intrinsic, BufferView))

    def _access(self, node: Any) -> Any:
        if isinstance(node, FuncCall):
            buffer = self.buffer(node.name, node.value_index)
        elif isinstance(node, ImageCall):
            buffer = node.name
        elif isinstance(node, Intrinsic) and node.name == "unsafe_promise_clamped":
            # Only bounds inference reads it.
            return node.args[0]
        elif isinstance(node, BufferView) and node.name and not node.strides:
            return self.view(node)
        else:
            return node
        return Load(node.type, buffer, self.index(node.name, buffer, node.args), TRUE)

    def view(self, node: BufferView) -> BufferView:
        """The view with the strides and place of flat storage."""
        buffer = self.buffer(node.name, node.value_index)
        first = tuple([minimum for minimum, _ in node.box])
        offset = self.index(node.name, buffer, first)
        layout = self.layouts.get(node.name) or self.layouts[buffer]
        return BufferView(node.element, buffer, 0, node.box, layout.strides, offset)

    def buffers_of(self, name: str) -> list[str]:
        """All buffers that hold values of a Func."""
        return [self.buffer(name, k) for k in range(self.elements[name])]

    def buffer(self, name: str, value_index: int) -> str:
        hoisted = self.hoisted.get((name, value_index))
        if hoisted is not None:
            return hoisted
        return f"{name}.{value_index}" if self.elements.get(name, 1) > 1 else name

    def index(self, name: str, buffer: str, args: tuple[Expr, ...]) -> Expr:
        layout = self.layouts.get(name) or self.layouts.get(buffer)
        if layout is None:
            layout = self.layouts[buffer] = self.argument_layout(buffer, len(args))
        coordinates = [
            mod(arg, fold) if fold is not None else arg for arg, fold in zip(args, layout.folds, strict=True)
        ]
        minima, strides = list(layout.minima), list(layout.strides)
        for d, (tile, stride) in layout.tiles.items():
            # Relative to the first element, where a tile begins.
            place = from_linear(sum_of_terms(coordinates[d]).plus(sum_of_terms(minima[d]), -1), INT32)
            coordinates[d], minima[d] = div(place, tile), ZERO
            coordinates.append(mod(place, tile))
            minima.append(ZERO)
            strides.append(stride)
        return add(layout.start, element_index(coordinates, minima, strides, self.depths))

    def argument_layout(self, buffer: str, dimensions: int) -> _Layout:
        minima = tuple([Variable(INT32, f"{buffer}.min.{d}") for d in range(dimensions)])
        strides = []
        for d in range(dimensions):
            default = ONE if d == 0 else Variable(INT32, f"{buffer}.stride.{d}")
            strides.append(self.strides.get((buffer, d), default))
        return _Layout(minima, tuple(strides), (None,) * dimensions)

    def statement(self, stmt: Stmt, depth: int) -> Stmt:
        if isinstance(stmt, Block):
            return block([self.statement(child, depth) for child in stmt.stmts])
        if isinstance(stmt, For):
            self.depths.bind(stmt.name, depth + 1)
            body = self.statement(stmt.body, depth + 1)
            return For(stmt.name, self.expression(stmt.minimum), self.expression(stmt.extent), stmt.kind, body)
        if isinstance(stmt, LetStmt):
            value = self.expression(stmt.value)
            self.depths.bind(stmt.name, self.depths.of(value))
            return LetStmt(stmt.name, value, self.statement(stmt.body, depth))
        if isinstance(stmt, Provide):
            return self.provide(stmt)
        if isinstance(stmt, AtomicUpdate):
            # The elements of a Tuple are updated one by one: none depends on another.
            assert isinstance(stmt.body, Provide)
            if self.several and value_count((*stmt.body.args, *stmt.body.values), stmt.body.name) > 1:
                raise NotSupportedError(
                    f"Error: An update of Func {stmt.body.name} with gather or scatter cannot be atomic: its stores "
                    "belong together. Take atomic() away, or write an update for each of the stores."
                )
            values = [self.expression(value) for value in stmt.body.values]
            return block([AtomicUpdate(store) for store in self.stores(stmt.body, values)])
        if isinstance(stmt, Realize):
            return self.realize(stmt, depth)
        if isinstance(stmt, Wait):
            return Wait(stmt.name, stmt.index, tuple([b for name in stmt.buffers for b in self.buffers_of(name)]))
        if isinstance(stmt, Allocate):
            self.claimed[original_name(stmt.name)] = stmt.name
            size = self.expression(stmt.size)
            return Allocate(stmt.name, stmt.type, stmt.memory, size, self.statement(stmt.body, depth))
        if isinstance(stmt, ProducerConsumer):
            return ProducerConsumer(stmt.name, stmt.is_producer, self.statement(stmt.body, depth))
        if isinstance(stmt, IfThenElse):
            return self.choice(stmt, depth)
        change: Stmt = stmt.rebuild(
            lambda child: self.statement(child, depth) if isinstance(child, Stmt) else self.expression(child)
        )
        return change

    def choice(self, stmt: IfThenElse, depth: int) -> Stmt:
        """A branch, in which a buffer has the strides that the condition implies."""
        condition = self.expression(stmt.condition)
        sides: list[Stmt | None] = []
        for side, holds in ((stmt.then, True), (stmt.otherwise, False)):
            strides = _implied_strides(stmt.condition, holds)
            outer = self.strides, self.layouts, self.memo
            if strides:
                self.strides = {**self.strides, **strides}
                buffers = {buffer for buffer, _ in strides}
                self.layouts = {name: layout for name, layout in self.layouts.items() if name not in buffers}
                self.memo = {}
            sides.append(None if side is None else self.statement(side, depth))
            if strides:
                self.strides, self.layouts, self.memo = outer
        then, otherwise = sides
        assert then is not None
        return IfThenElse(condition, then, otherwise, stmt.speculatable)

    def provide(self, stmt: Provide) -> Stmt:
        """Stores of all values. When there are several, all are computed before the first is stored."""
        stores: list[Store] = []
        for one in _each(stmt) if self.several else (stmt,):
            stores += self.stores(one, [self.expression(value) for value in one.values])
        buffers = {store.buffer for store in stores}
        parts = [part for store in stores for part in (store.value, store.index)]
        if len(stores) == 1 or not any(_reads(part, buffers) for part in parts):
            return block(stores)
        lets: list[tuple[str, Expr]] = []
        named = [self.computed_first(store, lets) for store in stores]
        body = block(named)
        return with_lets(lets, body)

    def computed_first(self, store: Store, lets: list[tuple[str, Expr]]) -> Store:
        """The store with its value, and an index that reads memory, in names that `lets` will bind."""
        self.provided += 1
        index, value = f"{store.buffer}.index.{self.provided}", f"{store.buffer}.value.{self.provided}"
        lets.append((value, store.value))
        place = store.index
        if place.kinds & kinds_of(Load):
            lets.append((index, place))
            place = Variable(place.type, index)
        return Store(store.buffer, Variable(store.value.type, value), place, store.predicate)

    def stores(self, stmt: Provide, values: list[Expr]) -> list[Store]:
        """A store for each element of the value that is not undef."""
        args = tuple([self.expression(arg) for arg in stmt.args])
        buffers = [self.buffer(stmt.name, k) for k in range(len(values))]
        return [
            Store(buffer, value, self.index(stmt.name, buffer, args), TRUE)
            for buffer, value in zip(buffers, values, strict=True)
            if not isinstance(value, Undef)
        ]

    def realize(self, stmt: Realize, depth: int) -> Stmt:
        """Allocations around the body; minima and strides that are not short get names."""
        lets: list[tuple[str, Expr]] = []
        dimensions = len(stmt.bounds)
        minima: list[Expr] = [ZERO] * dimensions
        strides: list[Expr] = [ONE] * dimensions
        folds = tuple([None if fold is None else self.expression(fold) for fold in stmt.folds])
        size: Expr = ONE
        counts: list[Expr] = []
        tiles: dict[int, tuple[int, Expr]] = {}
        tiled = [d for at, (d, _) in enumerate(stmt.layout) if d in [other for other, _ in stmt.layout[at + 1 :]]]
        spreads = self.spreads and not tiled and self.may_spread(stmt)
        for d, alignment in stmt.layout:
            if d in tiled and d not in tiles:
                tiles[d] = alignment, size
                size = mul(size, alignment)
                continue
            minimum, extent = (self.expression(e) for e in stmt.bounds[d])
            fold = folds[d]
            if fold is None:
                minima[d] = self.named(f"{stmt.name}.min.{d}", minimum, lets)
            else:
                extent = fold
            if spreads and size is not ONE:
                size = _spread(size, max([type_.bytes() for type_ in stmt.types]))
            strides[d] = self.named(f"{stmt.name}.stride.{d}", size, lets)
            count = _padded(extent, alignment)
            counts.append(count)
            size = mul(strides[d], wide(div(count, alignment) if d in tiles else count))
        size = allocatable(size, counts)
        start = self.named(f"{stmt.name}.start", self.expression(stmt.start), lets)
        self.layouts[stmt.name] = _Layout(tuple(minima), tuple(strides), folds, start, tiles)
        for k in range(len(stmt.types)):
            claimed = self.claimed.get(hoisted_memory(original_name(stmt.name), k))
            if claimed is not None:
                self.hoisted[stmt.name, k] = claimed
        body = self.statement(stmt.body, depth)
        for k, type_ in reversed(list(enumerate(stmt.types))):
            if (stmt.name, k) in self.hoisted:
                continue
            body = Allocate(self.buffer(stmt.name, k), type_, stmt.memory, size, body)
        return with_lets(lets, body)

    def may_spread(self, stmt: Realize) -> bool:
        """Whether rows may lie further apart than they are long: in memory of their own that a cache may not hold."""
        if stmt.memory not in (MemoryType.Auto, MemoryType.Heap):
            return False
        if any(hoisted_memory(original_name(stmt.name), k) in self.claimed for k in range(len(stmt.types))):
            return False
        extents = [constant(extent) for _, extent in stmt.bounds]
        sizes = [extent for extent in extents if extent is not None]
        bytes_each = max([type_.bytes() for type_ in stmt.types])
        return len(sizes) < len(extents) or bytes_each * math.prod(sizes) > SPREAD_BYTES

    def named(self, name: str, value: Expr, lets: list[tuple[str, Expr]]) -> Expr:
        """`value`, or a variable that `lets` will bind to it when it is long."""
        terms = sum_of_terms(value).terms
        if len(terms) <= _MAX_REPEATED_TERMS and all(isinstance(symbol, Variable) for symbol in terms):
            return value
        lets.append((name, value))
        self.depths.bind(name, self.depths.of(value))
        return Variable(value.type, name)


def _spread(stride: Expr, element: int) -> Expr:
    """A stride in elements of so many bytes, or a line of the cache more where many strides would fall on few lines."""
    line = max(1, LINE_BYTES // element)
    conflicts = build.eq(mod(mul(stride, element), CONFLICT_BYTES), 0)
    return add(stride, build.select(conflicts, build.as_expr(line, INT64), build.as_expr(0, INT64)))


def _each(stmt: Provide) -> list[Provide]:
    """A Provide of several values as one for each."""
    count = len(stmt.args)
    return [Provide(stmt.name, exprs[count:], exprs[:count]) for exprs in versions((*stmt.args, *stmt.values))]


def _reads(e: Expr, buffers: set[str]) -> bool:
    return any(load.buffer in buffers for load in instances(Load, e))


def _implied_strides(condition: Expr, holds: bool) -> dict[tuple[str, int], Expr]:
    """The strides of buffers that follow from the condition, or from its negation."""
    if not any(".stride." in name for name in free_variables(condition)):
        return {}
    strides: dict[tuple[str, int], Expr] = {}
    for name, value in NO_ASSUMPTIONS.assume(condition, holds).values.items():
        buffer, what, dimension = [*name.rsplit(".", 2), "", ""][:3]
        if what == "stride":
            strides[buffer, int(dimension)] = value
    return strides


def _padded(extent: Expr, alignment: int) -> Expr:
    """`extent` rounded up to a multiple of `alignment`."""
    return extent if alignment <= 1 else mul(div(add(extent, alignment - 1), alignment), alignment)
