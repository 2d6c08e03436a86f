"""Register promotion: elements that every iteration of a loop updates stay in registers while it runs.

    for r in 0..n { f[x] = f[x] + in[r] }
    -->
    if (0 < n) { k = f[x]; for r in 0..n { k = k + in[r] }; f[x] = k }

Otherwise each iteration waits for the store of the one before it. Short inner loops over updated elements are unrolled
for it. The loop may read other elements of the same buffer, as recurrences do: f[x, t] = f[x, t] + f[r, t - 1].
"""

from __future__ import annotations

import math
from typing import Any

from pipec.bounds.linear import Linear, linear
from pipec.ir.build import as_expr, block, constant, lt
from pipec.ir.expr import TRUE, Broadcast, Cast, Const, Expr, Load, Ramp, Variable, const
from pipec.ir.lanes import first_lanes
from pipec.ir.node import Node, kinds_of
from pipec.ir.stmt import (
    Allocate,
    Assert,
    AtomicUpdate,
    Block,
    CallExtern,
    For,
    Fork,
    IfThenElse,
    LetStmt,
    LoopKind,
    MemoryType,
    Post,
    ProducerConsumer,
    Report,
    Stmt,
    Store,
    Wait,
)
from pipec.ir.types import INT64, Type
from pipec.ir.unroll import is_short, nest, unrolled
from pipec.ir.walk import instances, mentions, rewrite
from pipec.lower.passes.simplify_statement import simplify_statement
from pipec.lower.statements import map_statements, with_body
from pipec.records import dataclass, replace

# The size of AVX-512's registers; more would not stay there.
MAX_PROMOTED_BYTES = 2048


def promote_accumulators(stmt: Stmt) -> Stmt:
    """`stmt` with serial loops working on local copies of the elements that every iteration loads and stores."""
    small = {node.name for node in instances(Allocate, stmt) if constant(node.size) is not None}
    facts = _Facts(small - _not_promoted_by_llvm(stmt), _ranges(stmt))
    return _promoted(stmt, facts, {})


@dataclass(frozen=True)
class _Facts:
    """`small`: the buffers that LLVM may keep in registers. `ranges`: the first and last value of loop variables."""

    small: set[str]
    ranges: dict[str, tuple[int, int]]


def _ranges(stmt: Stmt) -> dict[str, tuple[int, int]]:
    """The values of loops with constant ends, of all loops of a name together."""
    ranges: dict[str, tuple[int, int]] = {}
    varying = set()
    for loop in instances(For, stmt):
        first, extent = constant(loop.minimum), constant(loop.extent)
        if first is None or extent is None:
            varying.add(loop.name)
            continue
        low, high = ranges.get(loop.name, (int(first), int(first)))
        ranges[loop.name] = min(low, int(first)), max(high, int(first) + int(extent) - 1)
    return {name: ends for name, ends in ranges.items() if name not in varying}


def _not_promoted_by_llvm(stmt: Stmt) -> set[str]:
    """The buffers that LLVM keeps in memory: accessed by vectors of different lengths, or at an index that varies."""
    widths: dict[str, int] = {}
    result = set()
    for node in instances((Load, Store), stmt):
        lanes = node.type.nlanes if isinstance(node, Load) else node.value.type.nlanes
        if widths.setdefault(node.buffer, lanes) != lanes or not _is_constant(node.index):
            result.add(node.buffer)
    return result


def _promoted(stmt: Stmt, facts: _Facts, plain: dict[Stmt, bool]) -> Stmt:
    if isinstance(stmt, For) and stmt.kind is LoopKind.SERIAL and is_plain(stmt, plain):
        loop = stmt
        elements = _promotable_elements(loop, facts)
        if not elements and (body := _short_updates_written_out(loop.body)) is not loop.body:
            loop = with_body(loop, simplify_statement(body))
            elements = _promotable_elements(loop, facts)
        if elements:
            return _in_registers(loop, elements, facts)
    if isinstance(stmt, For) and _is_short_sum(stmt):
        return stmt  # written out as a whole it computes once what only some of its loops change
    return map_statements(stmt, lambda child: _promoted(child, facts, plain))


def _is_short_sum(loop: For) -> bool:
    """Whether code generation writes out a nest of several loops, in which each element is added to by itself."""
    loops = nest(loop)
    if len(loops) == 1 or not is_short(loops):
        return False
    places = {store.buffer: store.index for store in instances(Store, loops[-1].body)}
    return all(load.index is places.get(load.buffer, load.index) for load in instances(Load, loops[-1].body))


def _short_updates_written_out(stmt: Stmt) -> Stmt:
    """`stmt` with the short loops unrolled of which each iteration updates other elements."""
    if not isinstance(stmt, For):
        return map_statements(stmt, _short_updates_written_out)
    loops = nest(stmt)
    names = {loop.name for loop in loops}
    if not any(mentions(store.index, names) for store in instances(Store, loops[-1].body)) or not is_short(loops):
        return stmt
    result: Stmt = rewrite(stmt, lambda node: unrolled(node) if isinstance(node, For) else node, kinds=kinds_of(For))
    return result


def is_plain(stmt: Stmt, memo: dict[Stmt, bool]) -> bool:
    """Whether elements may stay in registers across `stmt` and all below it. `memo`: earlier answers."""
    plain = memo.get(stmt)
    if plain is None:
        across = isinstance(stmt, For) and stmt.kind is not LoopKind.SERIAL
        plain = not across and not isinstance(stmt, (Assert, AtomicUpdate, CallExtern, Report, Fork, Wait, Post))
        plain = plain and all([is_plain(child, memo) for child in stmt.below if isinstance(child, Stmt)])
        memo[stmt] = plain
    return plain


@dataclass(frozen=True)
class _Element:
    """Elements of a buffer at an index that is invariant in the loop, in the lanes where `predicate` holds."""

    buffer: str
    index: Expr
    type: Type
    predicate: Expr

    def lanes(self) -> int:
        """An upper bound of the number of active lanes, counted from the first."""
        if constant(self.predicate) == 1:
            return self.type.nlanes
        count = first_lanes(self.predicate)
        return self.type.nlanes if count is None else count


def _promotable_elements(loop: For, facts: _Facts) -> list[_Element]:
    """The elements that a plain loop loads and stores at invariant indices, of buffers of which it stores only such."""
    nodes = list(instances((For, LetStmt, IfThenElse, Allocate, Load, Store), loop.body))
    names = {loop.name, *[node.name for node in nodes if isinstance(node, (For, LetStmt))]}
    branches = [node for node in nodes if isinstance(node, IfThenElse) and not node.speculatable]
    excluded = {node.name for node in nodes if isinstance(node, Allocate)}
    excluded.update(node.buffer for branch in branches for node in instances(Store, branch))
    accesses = [node for node in nodes if isinstance(node, (Load, Store))]
    read = {node.buffer for node in accesses if isinstance(node, Load)}
    stores = {(node.buffer, node.index) for node in accesses if isinstance(node, Store)}
    stored = {buffer for buffer, _ in stores}
    masked = {node.buffer for node in accesses if constant(node.predicate) != 1}
    places: dict[str, dict[Expr, _Element]] = {}
    for node in accesses:
        type_ = node.type if isinstance(node, Load) else node.value.type
        element = _Element(node.buffer, node.index, type_, node.predicate)
        if places.setdefault(node.buffer, {}).setdefault(node.index, element) != element:
            excluded.add(node.buffer)
    elements: list[_Element] = []
    for buffer in (read & stored) - excluded:
        others = [e for e in places[buffer].values() if (buffer, e.index) not in stores]
        own = [e for e in places[buffer].values() if (buffer, e.index) in stores]
        # LLVM keeps small arrays whose indices are constants in registers, but none that is accessed under masks.
        indexed = buffer in masked or buffer not in facts.small or not any(_is_constant(e.index) for e in own)
        if not (indexed and all(_fixed(e, names, stored) for e in own) and _apart(own)):
            continue
        if all(_never_same(a, b, facts.ranges) for a in others for b in own):
            elements += own
    size = sum(e.type.nlanes * e.type.bytes() for e in elements)
    return sorted(elements, key=lambda e: (e.buffer, e.index.order())) if size <= MAX_PROMOTED_BYTES else []


def _fixed(e: _Element, names: set[str], stored: set[str]) -> bool:
    """Whether the index is the same in all iterations, and its lanes are different elements."""
    base = e.index.base if isinstance(e.index, Ramp) else e.index
    if base.type.nlanes > 1 or mentions(e.index, names) or mentions(e.predicate, names):
        return False
    if isinstance(e.index, Ramp) and constant(e.index.stride) in (None, 0):
        return False
    return not any(load.buffer in stored for load in instances(Load, e.index, e.predicate))


def _is_constant(index: Expr) -> bool:
    return constant(index.base if isinstance(index, Ramp) else index) is not None


def _apart(elements: list[_Element]) -> bool:
    """Whether elements of one buffer certainly do not overlap."""
    if len(elements) == 1:
        return True
    rows: dict[frozenset[tuple[Expr, int]], list[tuple[int, int]]] = {}
    origin: Linear | None = None
    for e in elements:
        if isinstance(e.index, Ramp) and constant(e.index.stride) != 1:
            return False
        place = linear(e.index.base if isinstance(e.index, Ramp) else e.index)
        origin = origin or place
        beyond = place.plus(origin, -1)
        # Other multiples of a stride are other coordinates, thus other elements: no buffer overlaps itself.
        if not all(_is_stride(atom, e.buffer) for atom in beyond.terms):
            return False
        rows.setdefault(frozenset(beyond.terms.items()), []).append((beyond.constant, e.lanes()))
    return all(
        start + lanes <= following
        for row in map(sorted, rows.values())
        for (start, lanes), (following, _) in zip(row, row[1:], strict=False)
    )


def _never_same(a: _Element, b: _Element, ranges: dict[str, tuple[int, int]]) -> bool:
    """Whether two elements of a buffer are different ones in all iterations of all loops."""
    indices = [(e.index.base, constant(e.index.stride)) if isinstance(e.index, Ramp) else (e.index, 1) for e in (a, b)]
    if any(base.type.nlanes > 1 or stride is None for base, stride in indices):
        return False
    (first, _), (second, _) = indices
    beyond = linear(first).plus(linear(second), -1)
    # A constant number of rows apart; lanes, whose distance is a number, lie along another dimension.
    for atom in beyond.terms:
        if _is_stride(atom, a.buffer):
            names = {variable.name for variable in instances(Variable, atom)}
            if not any(mentions(other, names) for other in beyond.terms if other is not atom):
                return True
    if any(stride != 1 for _, stride in indices):
        return False
    ends = [_ends(atom, factor, ranges) for atom, factor in beyond.terms.items()]
    low = beyond.constant + sum([pair[0] for pair in ends])
    high = beyond.constant + sum([pair[1] for pair in ends])
    return low >= b.lanes() or high <= -a.lanes()


def _ends(atom: Expr, factor: int, ranges: dict[str, tuple[int, int]]) -> tuple[float, float]:
    inner = atom.value if isinstance(atom, Cast) else atom
    ends = ranges.get(inner.name) if isinstance(inner, Variable) else None
    if ends is None:
        return -math.inf, math.inf
    low, high = sorted((factor * ends[0], factor * ends[1]))
    return low, high


def _is_stride(e: Expr, buffer: str) -> bool:
    inner = e.value if isinstance(e, Cast) else e
    func, _, element = buffer.rpartition(".")
    # The elements of a Tuple share the strides of their Func.
    owners = (buffer, func) if element.isdigit() else (buffer,)
    return isinstance(inner, Variable) and inner.name.startswith(tuple([f"{owner}.stride." for owner in owners]))


def _begins_with_store(stmt: Stmt, element: _Element) -> bool:
    """Whether each iteration stores the element before it reads it, so that its initial value is not needed."""
    while not isinstance(stmt, Store):
        if isinstance(stmt, LetStmt):
            if _mentions_buffer(stmt.value, element.buffer):
                return False
            stmt = stmt.body
        elif isinstance(stmt, (ProducerConsumer, Allocate)):
            stmt = stmt.body
        elif isinstance(stmt, Block):
            first = next((s for s in stmt.stmts if _mentions_buffer(s, element.buffer)), None)
            if first is None:
                return False
            stmt = first
        else:
            return False
    own = stmt.buffer == element.buffer and stmt.index is element.index
    return own and not _mentions_buffer(stmt.value, element.buffer)


def _mentions_buffer(root: Node, buffer: str) -> bool:
    return any(node.buffer == buffer for node in instances((Load, Store), root))


def _always(type_: Type) -> Expr:
    return TRUE if type_.nlanes == 1 else Broadcast(TRUE, type_.nlanes)


def _in_registers(loop: For, elements: list[_Element], facts: _Facts) -> Stmt:
    copies: dict[tuple[str, Expr], tuple[str, Expr]] = {}
    for k, e in enumerate(elements):
        place: Expr = const(0) if e.type.nlanes == 1 else Ramp(const(0), const(1), e.type.nlanes)
        copies[e.buffer, e.index] = (f"{e.buffer}.promoted{k}.{loop.name}", place)

    def change(node: Any) -> Any:
        if not isinstance(node, (Load, Store)) or (node.buffer, node.index) not in copies:
            return node
        name, place = copies[node.buffer, node.index]
        if isinstance(node, Load):
            return Load(node.type, name, place, _always(node.type))
        return Store(name, node.value, place, _always(node.value.type))

    body: Stmt = rewrite(loop.body, change, kinds=kinds_of(Load, Store))
    before: list[Stmt] = []
    after: list[Stmt] = []
    for e in elements:
        name, place = copies[e.buffer, e.index]
        if not _begins_with_store(loop.body, e):
            before.append(Store(name, Load(e.type, e.buffer, e.index, e.predicate), place, _always(e.type)))
        after.append(Store(e.buffer, Load(e.type, name, place, _always(e.type)), e.index, e.predicate))
    body = _promoted(body, replace(facts, small=facts.small | {name for name, _ in copies.values()}), {})
    result = block([*before, with_body(loop, body), *after])
    for e in reversed(elements):
        name, _ = copies[e.buffer, e.index]
        result = Allocate(name, e.type.element_of(), MemoryType.Stack, Const(INT64, e.type.nlanes), result)
    extent = constant(loop.extent)
    if extent is not None and extent > 0:
        return result
    return IfThenElse(lt(as_expr(0), loop.extent), result, None)
