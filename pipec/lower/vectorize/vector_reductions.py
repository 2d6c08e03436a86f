"""Updates of one element by all lanes of a vector loop.

    vectorized (r, 0, 8) { f[0] = f[0] + in[r] }  -->  f[0] = f[0] + reduce_add(in[ramp(0, 1, 8)])

and in a loop around that one:

    for r in 0..n { f[0] = f[0] + reduce_add(v) }
    -->
    allocate a[8] { a[ramp(0, 1, 8)] = 0; for r in 0..n { a[...] = a[...] + v }; f[0] = f[0] + reduce_add(a[...]) }

The lanes may be combined in any order: the schedule has said so by letting them run together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from pipec.ir import build
from pipec.ir.build import block
from pipec.ir.expr import (
    REDUCTIONS,
    TRUE,
    Add,
    Binary,
    Broadcast,
    Cast,
    Const,
    Expr,
    Load,
    Mul,
    Ramp,
    Sub,
    Variable,
    VectorReduce,
    const,
)
from pipec.ir.node import kinds_of
from pipec.ir.stmt import Allocate, AtomicUpdate, Block, For, IfThenElse, LetStmt, LoopKind, MemoryType, Stmt, Store
from pipec.ir.types import INT32, INT64, Type
from pipec.ir.unroll import constant_extent, unrolled
from pipec.ir.walk import instances, mentions, postorder, rewrite
from pipec.lower.passes.promote_accumulators import MAX_PROMOTED_BYTES
from pipec.lower.statements import with_body, with_lets

_OPERATORS: dict[type[Binary], str] = {kind: name for name, kind in REDUCTIONS.items()}

# Lanes of an accumulator.
_MIN_LANES = 4


class LaneReduction(NamedTuple):
    """An update: the stored value is `kind` of the element's old value and `rest`, which does not read the buffer."""

    kind: type[Binary]
    rest: Expr
    old: Load

    @property
    def operator(self) -> str:
        """The name of the operator in a VectorReduce."""
        return _OPERATORS[self.kind]

    def identity(self) -> Expr:
        """The neutral element of the operator."""
        return identity(self.operator, self.rest.type.element_of())


def reduction_of(stmt: Store) -> LaneReduction | None:
    """The update by an associative operator that a store makes of its element; None when it makes none."""
    value = stmt.value
    kind: type[Binary] | None = Add if isinstance(value, Sub) else type(value) if isinstance(value, Binary) else None
    if kind not in _OPERATORS:
        return None
    olds: list[Load] = []
    rest: Expr | None = None
    stack = [(value, False)]
    while stack:
        e, negative = stack.pop()
        if isinstance(e, kind):
            stack += [(e.b, negative), (e.a, negative)]
        elif kind is Add and isinstance(e, Sub):
            stack += [(e.b, not negative), (e.a, negative)]
        elif isinstance(e, Load) and e.buffer == stmt.buffer and e.index is stmt.index and not negative:
            olds.append(e)
        elif any(isinstance(node, Load) and node.buffer == stmt.buffer for node in postorder(e)):
            return None
        elif negative:
            rest = Sub(rest if rest is not None else build.as_expr(0, e.type), e)
        else:
            rest = e if rest is None else kind(rest, e)
    return LaneReduction(kind, rest, olds[0]) if len(olds) == 1 and rest is not None else None


def separated(loop: For) -> Stmt:
    """The body of a loop without the lets of a Tuple's new values, where each element depends on no other element.

    let a = max(f.0[x], v); let b = min(f.1[x], v); f.0[x] = a; f.1[x] = b
    -->
    f.0[x] = max(f.0[x], v); f.1[x] = min(f.1[x], v)

    Elements that iterations do not share keep their lets.
    """

    def change(node: Any) -> Any:
        return _separated(node, loop.name) if isinstance(node, LetStmt) else node

    result: Stmt = rewrite(loop.body, change, kinds=kinds_of(LetStmt))
    return result


def _separated(outer: LetStmt, loop: str) -> Stmt:
    """The statement without the lets that are one store's value, which reads that store's buffer only."""
    lets: list[LetStmt] = []
    body: Stmt = outer
    while isinstance(body, LetStmt):
        lets.append(body)
        body = body.body
    statements = body.stmts if isinstance(body, Block) else (body,)
    stores = [s for s in statements if isinstance(s, Store) and not mentions(s.index, {loop})]
    if len(stores) < len(statements):
        return outer
    buffers = {store.buffer for store in stores}
    values = {let.name: let.value for let in lets}
    names = [store.value.name if isinstance(store.value, Variable) else "" for store in stores]
    others = [*values.values(), *[e for store in stores for e in (store.index, store.predicate)]]
    distinct = len(buffers) == len(stores) == len(values.keys() & set(names))
    if not distinct or any(mentions(e, set(names)) for e in others):
        return outer
    alone = [Store(s.buffer, values[name], s.index, s.predicate) for s, name in zip(stores, names, strict=True)]
    if any(load.buffer in buffers - {s.buffer} for s in alone for load in instances(Load, s.value)):
        return outer
    return with_lets([(let.name, let.value) for let in lets if let.name not in names], block(alone))


class _Update(NamedTuple):
    """One statement of a loop: `store` combines one element with a vector's reduction.

    `around`: the lets and branches around it, outermost first.
    """

    around: tuple[LetStmt | IfThenElse, ...]
    store: Store
    atomic: bool

    @property
    def reduced(self) -> VectorReduce:
        assert isinstance(self.store.value, Binary) and isinstance(self.store.value.b, VectorReduce)
        return self.store.value.b

    @property
    def old(self) -> Expr:
        assert isinstance(self.store.value, Binary)
        return self.store.value.a

    def combined(self, a: Expr, b: Expr) -> Expr:
        assert isinstance(self.store.value, Binary)
        return type(self.store.value)(a, b)

    def inside(self, store: Stmt) -> Stmt:
        for node in reversed(self.around):
            if isinstance(node, LetStmt):
                store = LetStmt(node.name, node.value, store)
            else:
                store = IfThenElse(node.condition, store, None)
        return store


def accumulated(loop: For) -> Stmt | None:
    """A loop that reduces vectors into elements, with an accumulator for each lane; None for other loops.

    Each statement has accumulators of its own, so that none waits for the one before it.
    """
    updates = _updates(loop.body, (), False)
    if not updates or not _independent(updates, loop.name):
        return None
    vectors = [_partly_reduced(update.reduced) for update in updates]
    if len(updates) > 1 and sum([vector.type.nlanes * vector.type.bytes() for vector in vectors]) > MAX_PROMOTED_BYTES:
        return None
    starts: list[Stmt] = []
    steps: list[Stmt] = []
    accumulators: list[Load] = []
    for number, (update, vector) in enumerate(zip(updates, vectors, strict=True)):
        lanes, name = vector.type.nlanes, f"{update.store.buffer}.lanes{number}.{loop.name}"
        ramp, always = Ramp(const(0), const(1), lanes), Broadcast(TRUE, lanes)
        start = identity(update.reduced.operator, vector.type.element_of())
        accumulators.append(Load(vector.type, name, ramp, always))
        starts.append(Store(name, Broadcast(start, lanes), ramp, always))
        steps.append(update.inside(Store(name, update.combined(accumulators[-1], vector), ramp, always)))
    run = with_body(loop, block(steps))
    result = block([*starts, run, *_totals(updates, accumulators)])
    for one in reversed(accumulators):
        size = Const(INT64, one.type.nlanes)
        result = Allocate(one.buffer, one.type.element_of(), MemoryType.Stack, size, result)
    return result


def _updates(stmt: Stmt, around: tuple[LetStmt | IfThenElse, ...], atomic: bool) -> list[_Update]:
    """The updates of a loop's body; none when it is anything else."""
    if isinstance(stmt, LetStmt):
        return _updates(stmt.body, (*around, stmt), atomic)
    if isinstance(stmt, IfThenElse):
        return _updates(stmt.then, (*around, stmt), atomic) if stmt.speculatable else []
    if isinstance(stmt, AtomicUpdate):
        return _updates(stmt.body, around, True)
    if isinstance(stmt, For) and stmt.kind is LoopKind.UNROLLED and constant_extent(stmt):
        return _updates(unrolled(stmt), around, atomic)
    if isinstance(stmt, Block):
        parts = [_updates(child, around, atomic) for child in stmt.stmts]
        return [update for part in parts for update in part] if all(parts) else []
    if not isinstance(stmt, Store) or not isinstance(stmt.value, Binary) or type(stmt.value) not in _OPERATORS:
        return []
    old, reduced = stmt.value.a, stmt.value.b
    if not isinstance(old, Load) or not isinstance(reduced, VectorReduce) or reduced.type.nlanes != 1:
        return []
    same = old.buffer == stmt.buffer and old.index is stmt.index
    return [_Update(around, stmt, atomic)] if same and _OPERATORS[type(stmt.value)] == reduced.operator else []


def _independent(updates: Sequence[_Update], loop: str) -> bool:
    """Whether indices are the same in all iterations, and no combined value depends on a stored one."""
    kinds: dict[str, str] = {}
    around = [node for update in updates for node in update.around]
    names = {loop, *[node.name for node in around if isinstance(node, LetStmt)]}
    for update in updates:
        store = update.store
        if mentions(store.index, names) or mentions(store.predicate, names):
            return False
        if any(isinstance(node, Load) for node in postorder(store.index)):
            return False
        if kinds.setdefault(store.buffer, update.reduced.operator) != update.reduced.operator:
            return False
    read: list[Expr] = [update.reduced for update in updates]
    read += [node.value if isinstance(node, LetStmt) else node.condition for node in around]
    return not any(isinstance(node, Load) and node.buffer in kinds for e in read for node in postorder(e))


def _totals(updates: Sequence[_Update], accumulators: Sequence[Load]) -> list[Stmt]:
    """The stores of the accumulated values, one for each element."""
    totals: dict[tuple[str, Expr, Expr, Type], tuple[_Update, Expr]] = {}
    for update, load in zip(updates, accumulators, strict=True):
        key = update.store.buffer, update.store.index, update.store.predicate, load.type
        before = totals.get(key)
        totals[key] = update, load if before is None else update.combined(before[1], load)
    stores: list[Stmt] = []
    for update, vector in totals.values():
        store = update.store
        total = update.combined(update.old, VectorReduce(update.reduced.operator, vector, 1))
        end: Stmt = Store(store.buffer, total, store.index, store.predicate)
        stores.append(AtomicUpdate(end) if update.atomic else end)
    return stores


def _partly_reduced(reduced: VectorReduce) -> Expr:
    """The vector that is added in each iteration, with neighbouring narrow terms summed where an instruction does that.

    Such sums take as many registers as the loaded vectors, not as many as the widened ones.
    """
    vector = reduced.value
    type_ = vector.type
    group = terms_per_lane(vector) if reduced.operator == "add" else 1
    if group == 1 or type_.nlanes % group or type_.nlanes // group < _MIN_LANES:
        return vector
    return VectorReduce("add", vector, type_.nlanes // group)


def terms_per_lane(term: Expr) -> int:
    """The number of neighbouring terms of a sum of 32-bit integers or floats that one instruction adds up."""
    if term.type.nbits != 32:
        return 1
    factors = [e.value if isinstance(e, Cast) else e for e in ((term.a, term.b) if isinstance(term, Mul) else (term,))]
    kinds = [factor.type.element_of() for factor in factors]
    if term.type.floating:
        return 2 if len(kinds) == 2 and all(kind.is_bfloat() for kind in kinds) else 1
    if any(kind.floating or kind.boolean or kind.nbits > 16 for kind in kinds):
        return 1
    if all(kind.nbits == 8 for kind in kinds) and (len(kinds) == 1 or kinds[0] is not kinds[1]):
        return 4
    # Without a factor, widening and adding 16-bit integers is faster than multiplying them by one.
    return 2 if len(kinds) == 2 and all(kind.signed or kind.nbits == 8 for kind in kinds) else 1


def identity(operator: str, type_: Type) -> Expr:
    """The neutral element of an operator."""
    if operator in ("add", "or"):
        # Negative zero, so that a sum of negative zeros stays one.
        return Const(type_, -0.0 if type_.floating else 0)
    if operator in ("mul", "and"):
        return Const(type_, 1)
    return Const(type_, type_.max_value() if operator == "min" else type_.min_value())


# Unrolled updates: the overhead of a loop over fewer would be as large as the updates.
_UNROLLED_LANES = 16


def lane_by_lane(
    loop: str, stmt: Store, reduction: LaneReduction, places: Expr, parts: Expr, mask: Expr | None
) -> Stmt:
    """The updates of the lanes' elements, one after the other, for vectors of indices and terms.

    vectorized (x, 0, 8) { h[t[x]] = h[t[x]] + v[x] }
    -->
    places[ramp(0, 1, 8)] = t[ramp(0, 1, 8)];  parts[ramp(0, 1, 8)] = v[ramp(0, 1, 8)]
    h[places[0]] = h[places[0]] + parts[0];  h[places[1]] = h[places[1]] + parts[1];  ...

    Several lanes may update the same element. `mask`: the active lanes, None for all.
    """
    vectors = {f"{stmt.buffer}.places.{loop}": places, f"{stmt.buffer}.parts.{loop}": parts}
    if mask is not None:
        vectors[f"{stmt.buffer}.active.{loop}"] = mask
    lanes = places.type.nlanes
    unrolled_lanes = _UNROLLED_LANES if lanes % _UNROLLED_LANES == 0 else 1
    group, within = Variable(INT32, f"{loop}.lanes"), Variable(INT32, f"{loop}.lane")
    lane = build.add(build.mul(group, unrolled_lanes), within)
    own = [Load(vector.type.element_of(), name, lane, TRUE) for name, vector in vectors.items()]
    place = Variable(own[0].type, f"{stmt.buffer}.place.{loop}")
    value = reduction.kind(Load(own[1].type, stmt.buffer, place, TRUE), own[1])
    update: Stmt = LetStmt(place.name, own[0], Store(stmt.buffer, value, place, TRUE))
    if mask is not None:
        update = IfThenElse(own[2], update, None)
    updates: Stmt = For(within.name, const(0), const(unrolled_lanes), LoopKind.UNROLLED, update)
    updates = For(group.name, const(0), const(lanes // unrolled_lanes), LoopKind.SERIAL, updates)
    ramp, always = Ramp(const(0), const(1), lanes), Broadcast(TRUE, lanes)
    result = block([*[Store(name, vector, ramp, always) for name, vector in vectors.items()], updates])
    for name, vector in vectors.items():
        result = Allocate(name, vector.type.element_of(), MemoryType.Stack, Const(INT64, lanes), result)
    return result
