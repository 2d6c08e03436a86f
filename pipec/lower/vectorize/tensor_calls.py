"""Nests of vector loops that a tensor intrinsic runs become one call of it.

vectorized (x, 0, 16) { vectorized (r, 0, 4) { f[x] = mark(f[x] + int32(a[4*x + r]) * int32(b[4*x + r])) } }
-->
f[ramp(0, 1, 16)] = vpdpbusd(f[ramp(0, 1, 16)], a[ramp(0, 1, 64)], b[ramp(0, 1, 64)])

Where the loops are not whole, as at the end of a split that does not divide its extent, the pattern's arithmetic stays,
and the terms follow each other in vectors of the loops over the result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pipec.ir.build import add, block, constant
from pipec.ir.expr import Const, Expr, Intrinsic, Load, Ramp, Shuffle, TensorCall, Variable
from pipec.ir.stmt import For, LetStmt, LoopKind, Stmt, Store
from pipec.ir.tensor import TensorIntrinsic, mark_of, without_marks
from pipec.ir.unroll import constant_extent
from pipec.ir.walk import instances, substitute
from pipec.lower.statements import map_statements, with_body, with_lets
from pipec.lower.vectorize.nested_lanes import NestedLanes, below
from pipec.lower.vectorize.widen import CannotVectorize, Widener, always


def tensor_calls(stmt: Stmt) -> Stmt:
    """`stmt` without marks: with calls of tensor intrinsics, or the values that were marked."""
    if not any(map(mark_of, instances(Intrinsic, stmt))):
        return stmt

    def visit(node: Stmt) -> Stmt:
        call = _call(node) or _in_turn(node) if isinstance(node, For) and node.kind is LoopKind.VECTORIZED else None
        return map_statements(node, visit) if call is None else call

    result: Stmt = without_marks(visit(stmt))
    return result


def _call(outer: For) -> Stmt | None:
    """The call that does the work of a nest of marked loops, with its stores; None for other loops."""
    loops, lets, stmt = _nest(outer)
    if not isinstance(stmt, Store) or constant(stmt.predicate) != 1 or mark_of(stmt.value) is None:
        return None
    store = substitute(stmt, lets)
    mark = mark_of(store.value)
    assert mark is not None
    intrinsic, variables, operands = mark
    own: dict[str, For] = {}
    for part, variable in zip(intrinsic.loops, variables, strict=True):
        loop = loops.get(variable.name) if isinstance(variable, Variable) else None
        if loop is None or constant_extent(loop) != part.extent:
            return None
        own[part.name] = loop
    if len(own) != len(loops):
        return None
    try:
        return _written(intrinsic, own, store, operands)
    except CannotVectorize:
        return None


def _nest(outer: For) -> tuple[dict[str, For], dict[str, Expr], Stmt]:
    """Vector loops by name, the first outermost, the values that are named between them, and what they hold."""
    lets: dict[str, Expr] = {}
    loops: dict[str, For] = {}
    stmt: Stmt = outer
    while isinstance(stmt, For) and stmt.kind is LoopKind.VECTORIZED:
        loops[stmt.name] = stmt
        stmt = below(stmt, lets)
    return loops, lets, stmt


def _in_turn(outer: For) -> Stmt | None:
    """Marked loops with those over terms outside, one term after the other; None for other loops."""
    loops, lets, stmt = _nest(outer)
    marks = list(filter(None, map(mark_of, instances(Intrinsic, stmt))))
    if not marks:
        return None
    intrinsic, variables, _ = marks[0]
    names = {part.name: v.name for part, v in zip(intrinsic.loops, variables, strict=True) if isinstance(v, Variable)}
    result = [names.get(name) for name in intrinsic.result.dims]
    terms = [loop for name, loop in loops.items() if name not in result]
    if not terms or len(terms) == len(loops):
        return None
    stmt = with_lets(lets.items(), stmt)
    for loop in reversed([loop for name, loop in loops.items() if name in result]):
        stmt = with_body(loop, stmt)
    for loop in reversed(terms):
        stmt = with_body(loop, stmt, LoopKind.SERIAL)
    return stmt


def _written(intrinsic: TensorIntrinsic, loops: Mapping[str, For], store: Store, operands: Sequence[Expr]) -> Stmt:
    """The call for these scalar operands, and the stores of its result, one for each row of the result."""
    result = intrinsic.result
    places = _rows(store.index, [loops[name] for name in result.dims])
    width = places[0].type.nlanes
    old = [Load(result.type.with_lanes(width), store.buffer, place, always(width)) for place in places]
    vectors: list[Expr] = []
    for operand, e in zip(intrinsic.operands, operands, strict=True):
        if operand is result:
            vectors.append(old[0] if len(old) == 1 else Shuffle(tuple(old), tuple(range(width * len(old)))))
        else:
            vectors.append(_vector(e, [loops[name] for name in operand.dims]))
    whole = intrinsic.vector(result)
    call = TensorCall(whole, intrinsic.name, intrinsic.digest, tuple(vectors))
    if len(places) == 1:
        return Store(store.buffer, call, places[0], always(width))
    # Of the name of the loops, which is used once.
    name = f"{store.buffer}.tensor.{'.'.join([loop.name for loop in loops.values()])}"
    rows = [Shuffle((Variable(whole, name),), tuple(range(at * width, (at + 1) * width))) for at in range(len(places))]
    stores = [Store(store.buffer, row, place, always(width)) for row, place in zip(rows, places, strict=True)]
    return LetStmt(name, call, block(stores))


def _vector(e: Expr, loops: Sequence[For]) -> Expr:
    """A scalar expression in all iterations of no, one or two loops, the first one innermost."""
    if not loops:
        return e
    if len(loops) == 2:
        lanes: Widener = NestedLanes(loops[1], loops[0])
    else:
        (loop,) = loops
        lanes = Widener(constant_extent(loop) or 0)
        lanes.values[loop.name] = Ramp(loop.minimum, Const(loop.minimum.type, 1), lanes.lanes)
    return lanes.vector(lanes(e))


def _rows(index: Expr, loops: Sequence[For]) -> list[Expr]:
    """The places of the result's elements: a vector of indices for each iteration of the loops but the innermost."""
    inner, *outer = loops
    indices = [index]
    for loop in outer:
        values = [add(loop.minimum, at) for at in range(constant_extent(loop) or 0)]
        indices = [substitute(e, {loop.name: value}) for value in values for e in indices]
    return [_vector(e, [inner]) for e in indices]
