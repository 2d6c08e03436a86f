"""Carried values: what an iteration of a loop stores and a later one loads stays in registers in between.

    for r in 1..n { f[r] = f[r] + f[r - 1] }
    -->
    if (1 < n) { k[1] = f[0]; for r in 1..n { k[0] = f[r] + k[1]; f[r] = k[0]; k[1] = k[0] } }

Otherwise each iteration waits until the store of the one before it can be loaded. Scans and recursive filters have such
loops.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from pipec.bounds.linear import Linear, linear
from pipec.bounds.simplify import simplify
from pipec.ir.build import as_expr, block, constant, lt, sub
from pipec.ir.expr import TRUE, Broadcast, Cast, Const, Expr, Load, Mul, Ramp, Variable, const
from pipec.ir.node import kinds_of
from pipec.ir.stmt import Allocate, Block, For, IfThenElse, LetStmt, LoopKind, MemoryType, ProducerConsumer, Stmt, Store
from pipec.ir.types import INT64, Type
from pipec.ir.walk import instances, mentions, rewrite, substitute
from pipec.lower.passes.promote_accumulators import MAX_PROMOTED_BYTES, is_plain
from pipec.lower.statements import map_statements, with_body

# Iterations between a store and the load of what it stored.
MAX_DISTANCE = 4


def carry_values(stmt: Stmt) -> Stmt:
    """`stmt` with serial loops that carry the elements which they load some iterations after storing them."""
    return _changed(stmt, {})


def _changed(stmt: Stmt, plain: dict[Stmt, bool]) -> Stmt:
    if isinstance(stmt, For) and stmt.kind is LoopKind.SERIAL:
        chains = list(_carried(stmt))
        size = sum([(1 + chain.distance) * chain.bytes for chain in chains])
        if chains and size <= MAX_PROMOTED_BYTES and is_plain(stmt, plain):
            return _carrying(stmt, chains)
    return map_statements(stmt, lambda child: _changed(child, plain))


class _Carried(NamedTuple):
    """A store, and the loads of its elements in later iterations with their distances; `distance`: the largest."""

    store: Store
    loads: dict[Load, int]

    @property
    def distance(self) -> int:
        return max(self.loads.values())

    @property
    def bytes(self) -> int:
        type_ = self.store.value.type
        return type_.nlanes * type_.bytes()


def _carried(loop: For) -> Iterator[_Carried]:
    """The stores of an element in each iteration that are the only ones to their buffer, and later loads of it."""
    each = list(_in_each_iteration(loop.body))
    stores = list(instances(Store, loop.body)) if each else []
    variable = Variable(loop.minimum.type, loop.name)
    bound = {node.name for node in instances((LetStmt, For), loop.body)} if each else set()
    for store in each:
        # What a place depends on besides the loop must be the same in all iterations.
        if mentions(store.index, bound) or any(instances(Load, store.index)):
            continue
        if sum([other.buffer == store.buffer for other in stores]) > 1 or constant(store.predicate) != 1:
            continue
        step = _step(_base(store.index), variable)
        if step is None:
            continue
        loads: dict[Load, int] = {}
        for load in instances(Load, loop.body):
            if load.buffer == store.buffer and load.type is store.value.type and constant(load.predicate) == 1:
                distance = _distance(load.index, store.index, step)
                if distance is not None:
                    loads[load] = distance
        if loads:
            yield _Carried(store, loads)


def _in_each_iteration(stmt: Stmt) -> Iterator[Store]:
    """The stores of a body that run once in each iteration."""
    if isinstance(stmt, Store):
        yield stmt
    elif isinstance(stmt, Block):
        for child in stmt.stmts:
            yield from _in_each_iteration(child)
    elif isinstance(stmt, (LetStmt, ProducerConsumer)):
        yield from _in_each_iteration(stmt.body)


def _base(index: Expr) -> Expr:
    return index.base if isinstance(index, Ramp) else index


def _step(index: Expr, variable: Variable) -> Linear | None:
    """By how much an index grows in each iteration; None where that is not known, or nothing."""
    step = Linear()
    for atom, factor in linear(index).terms.items():
        if not mentions(atom, {variable.name}):
            continue
        rate = _rate(atom, variable)
        if rate is None:
            return None
        step = step.plus(rate, factor)
    return step if step.terms or step.constant else None


def _rate(atom: Expr, variable: Variable) -> Linear | None:
    """By how much a term grows in each iteration."""
    if (atom.value if isinstance(atom, Cast) else atom) is variable:
        return Linear(1)
    for a, b in ((atom.a, atom.b), (atom.b, atom.a)) if isinstance(atom, Mul) else ():
        if (a.value if isinstance(a, Cast) else a) is variable and not mentions(b, {variable.name}):
            return linear(b)
    return None


def _distance(load: Expr, store: Expr, step: Linear) -> int | None:
    """How many iterations ago the element that is loaded was stored; None where it was not, or long ago."""
    if isinstance(load, Ramp) != isinstance(store, Ramp):
        return None
    if isinstance(load, Ramp) and isinstance(store, Ramp) and load.stride is not store.stride:
        return None
    behind = linear(_base(store)).plus(linear(_base(load)), -1)
    for distance in range(1, MAX_DISTANCE + 1):
        rest = behind.plus(step, -distance)
        if not rest.terms and not rest.constant:
            return distance
    return None


def _carrying(loop: For, chains: list[_Carried]) -> Stmt:
    """The loop with what it stores in memory of its own too, of which code generation makes registers."""
    names = {chain.store.buffer: f"{chain.store.buffer}.carried.{loop.name}" for chain in chains}
    ages = {load: age for chain in chains for load, age in chain.loads.items()}

    def change(node: Any) -> Any:
        if isinstance(node, Load):
            return node if node not in ages else _load(names[node.buffer], ages[node], node.type)
        if isinstance(node, Block):
            return block(node.stmts)
        if not isinstance(node, Store) or node.buffer not in names:
            return node
        name = names[node.buffer]
        current = _load(name, 0, node.value.type)
        return block([_store(name, 0, node.value), Store(node.buffer, current, node.index, node.predicate)])

    body: Stmt = rewrite(loop.body, change, kinds=kinds_of(Load, Store))
    before: list[Stmt] = []
    older: list[Stmt] = []
    for chain in chains:
        name, type_ = names[chain.store.buffer], chain.store.value.type
        for age in range(chain.distance, 0, -1):
            index = simplify(substitute(chain.store.index, {loop.name: sub(loop.minimum, age)}))
            before.append(_store(name, age, Load(type_, chain.store.buffer, index, chain.store.predicate)))
            older.append(_store(name, age, _load(name, age - 1, type_)))
    result: Stmt = block([*before, with_body(loop, block([body, *older]))])
    for chain in chains:
        type_ = chain.store.value.type
        size = Const(INT64, (1 + chain.distance) * type_.nlanes)
        result = Allocate(names[chain.store.buffer], type_.element_of(), MemoryType.Stack, size, result)
    extent = constant(loop.extent)
    return result if extent is not None and extent > 0 else IfThenElse(lt(as_expr(0), loop.extent), result, None)


def _place(age: int, lanes: int) -> tuple[Expr, Expr]:
    """Where the value of so many iterations ago is, and the predicate of all its lanes."""
    start = const(age * lanes)
    return (start, TRUE) if lanes == 1 else (Ramp(start, const(1), lanes), Broadcast(TRUE, lanes))


def _load(name: str, age: int, type_: Type) -> Load:
    return Load(type_, name, *_place(age, type_.nlanes))


def _store(name: str, age: int, value: Expr) -> Store:
    index, predicate = _place(age, value.type.nlanes)
    return Store(name, value, index, predicate)
