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
from typing import NamedTuple

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
    VectorReduce,
    const,
)
from pipec.ir.stmt import Allocate, Atomic, Block, For, LetStmt, LoopKind, MemoryType, Stmt, Store
from pipec.ir.types import INT64, Type
from pipec.ir.unroll import constant_extent, unrolled
from pipec.ir.walk import mentions, postorder
from pipec.lower.passes.promote_accumulators import MAX_PROMOTED_BYTES

_OPERATORS: dict[type[Binary], str] = {kind: name for name, kind in REDUCTIONS.items()}

# An accumulator is at least as long.
_LEAST_LANES = 4


class Reduction(NamedTuple):
    """The stored value is `kind` of the element's old value and `rest`, which does not depend on the buffer."""

    kind: type[Binary]
    rest: Expr
    old: Load

    @property
    def operator(self) -> str:
        return _OPERATORS[self.kind]

    def identity(self) -> Expr:
        """What changes nothing when it is combined."""
        return identity(self.operator, self.rest.type.element_of())


def reduction_of(stmt: Store) -> Reduction | None:
    """The update that a store makes of the element it stores; None when it is none of an associative operator."""
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
    return Reduction(kind, rest, olds[0]) if len(olds) == 1 and rest is not None else None


class _Update(NamedTuple):
    """One of the statements of a loop: `store` combines one element with what lanes are reduced to."""

    lets: tuple[LetStmt, ...]
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
        for let in reversed(self.lets):
            store = LetStmt(let.name, let.value, store)
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
    kept: list[Load] = []
    for number, (update, vector) in enumerate(zip(updates, vectors, strict=True)):
        lanes, name = vector.type.nlanes, f"{update.store.buffer}.lanes{number}.{loop.name}"
        ramp, always = Ramp(const(0), const(1), lanes), Broadcast(TRUE, lanes)
        start = identity(update.reduced.operator, vector.type.element_of())
        kept.append(Load(vector.type, name, ramp, always))
        starts.append(Store(name, Broadcast(start, lanes), ramp, always))
        steps.append(update.inside(Store(name, update.combined(kept[-1], vector), ramp, always)))
    run = For(loop.name, loop.minimum, loop.extent, loop.kind, block(steps))
    result = block([*starts, run, *_totals(updates, kept)])
    for one in reversed(kept):
        size = Const(INT64, one.type.nlanes)
        result = Allocate(one.buffer, one.type.element_of(), MemoryType.Stack, size, result)
    return result


def _updates(stmt: Stmt, lets: tuple[LetStmt, ...], atomic: bool) -> list[_Update]:
    """The updates of a loop's body; none when it is anything else."""
    if isinstance(stmt, LetStmt):
        return _updates(stmt.body, (*lets, stmt), atomic)
    if isinstance(stmt, Atomic):
        return _updates(stmt.body, lets, True)
    if isinstance(stmt, For) and stmt.kind is LoopKind.UNROLLED and constant_extent(stmt):
        return _updates(unrolled(stmt), lets, atomic)
    if isinstance(stmt, Block):
        parts = [_updates(child, lets, atomic) for child in stmt.stmts]
        return [update for part in parts for update in part] if all(parts) else []
    if not isinstance(stmt, Store) or not isinstance(stmt.value, Binary) or type(stmt.value) not in _OPERATORS:
        return []
    old, reduced = stmt.value.a, stmt.value.b
    if not isinstance(old, Load) or not isinstance(reduced, VectorReduce) or reduced.type.nlanes != 1:
        return []
    same = old.buffer == stmt.buffer and old.index is stmt.index
    return [_Update(lets, stmt, atomic)] if same and _OPERATORS[type(stmt.value)] == reduced.operator else []


def _independent(updates: Sequence[_Update], loop: str) -> bool:
    """Whether places are the same in all iterations, and what is combined does not depend on what is there."""
    kinds: dict[str, str] = {}
    names = {loop, *[let.name for update in updates for let in update.lets]}
    for update in updates:
        store = update.store
        if mentions(store.index, names) or mentions(store.predicate, names):
            return False
        if any(isinstance(node, Load) for node in postorder(store.index)):
            return False
        if kinds.setdefault(store.buffer, update.reduced.operator) != update.reduced.operator:
            return False
    read = [update.reduced for update in updates] + [let.value for update in updates for let in update.lets]
    return not any(isinstance(node, Load) and node.buffer in kinds for e in read for node in postorder(e))


def _totals(updates: Sequence[_Update], kept: Sequence[Load]) -> list[Stmt]:
    """The stores of what has been accumulated, one for each element."""
    found: dict[tuple[str, Expr, Expr, Type], tuple[_Update, Expr]] = {}
    for update, load in zip(updates, kept, strict=True):
        key = update.store.buffer, update.store.index, update.store.predicate, load.type
        before = found.get(key)
        found[key] = update, load if before is None else update.combined(before[1], load)
    stores: list[Stmt] = []
    for update, vector in found.values():
        store = update.store
        total = update.combined(update.old, VectorReduce(update.reduced.operator, vector, 1))
        end: Stmt = Store(store.buffer, total, store.index, store.predicate)
        stores.append(Atomic(end) if update.atomic else end)
    return stores


def _partly_reduced(reduced: VectorReduce) -> Expr:
    """What is added in each iteration. Of narrow terms neighbours are summed first: machines have instructions for it.

    Such sums take as many registers as what is loaded, not as many as what it is widened to.
    """
    vector = reduced.value
    type_ = vector.type
    group = terms_per_lane(vector) if reduced.operator == "add" else 1
    if group == 1 or type_.nlanes % group or type_.nlanes // group < _LEAST_LANES:
        return vector
    return VectorReduce("add", vector, type_.nlanes // group)


def terms_per_lane(term: Expr) -> int:
    """How many neighbouring terms of a sum, integers of 32 bits or floats, one instruction of some machine sums up."""
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
    # Words alone are widened and added more quickly than multiplied by one.
    return 2 if len(kinds) == 2 and all(kind.signed or kind.nbits == 8 for kind in kinds) else 1


def identity(operator: str, type_: Type) -> Expr:
    """The value that changes nothing when it is combined with another."""
    if operator in ("add", "or"):
        # Negative zero, so that a sum of negative zeros stays one.
        return Const(type_, -0.0 if type_.floating else 0)
    if operator in ("mul", "and"):
        return Const(type_, 1)
    return Const(type_, type_.max_value() if operator == "min" else type_.min_value())
