"""Loads a constant step apart, which share the dense vectors that they are picked from, and indices that are regular in
parts of their lanes: in phases (lanes 0, 2, ...; 1, 3, ...) or in runs of neighbours."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from pipec.ir.build import add, as_expr, cast, constant, div, mod, mul
from pipec.ir.expr import Add, Broadcast, Cast, Div, Expr, Load, Max, Min, Mod, Mul, Ramp, Shuffle, Sub
from pipec.ir.lanes import MAX_SHUFFLED_STRIDE, phase_count
from pipec.ir.node import Node
from pipec.ir.stmt import Store
from pipec.ir.types import INT32, INT64
from pipec.ir.walk import postorder
from pipec.jit.llvm.expr import ExprFunction
from pipec.jit.llvm.math.vector import concatenate, shuffle, widened
from pipec.jit.llvm.memory.address import Terms, VectorIndex, vector_index
from pipec.jit.llvm.memory.neighbours import Gather, gather_of, wide_loads
from pipec.jit.llvm.memory.transpose import Square, squares, transposable

WIDEST_REGISTER = 64
_BYTES = {"i1": 1, "i8": 1, "i16": 2, "half": 2, "i32": 4, "float": 4, "i64": 8, "double": 8}

# Strided loads of one buffer that differ by a constant only.
Key = tuple[str, int, int, frozenset[tuple[object, int]]]


def plan_shared_loads(f: ExprFunction, stores: Iterable[Store]) -> None:
    """Group the loads of statements that run one after the other, where they share what is read.

    Strided loads whose first elements are less than a step apart, as f[2*x] and f[2*x + 1] are, read one window: all
    from the first to the last element that any of them needs. As many neighbouring columns as they have lanes are a
    square. Neighbours of which each lane lies anywhere are read by wide loads.
    """
    offsets: dict[Key, set[int]] = {}
    gathers: dict[Gather, set[int]] = {}
    columns: dict[Square, set[int]] = {}
    visited: set[Node] = set()
    for store in stores:
        if store.value.type.nlanes == 1:
            continue
        for node in postorder(store, visited=visited):
            if not isinstance(node, Load) or node.type.nlanes == 1 or constant(node.predicate) != 1:
                continue
            parts = vector_index(f, node.index)
            square = square_of(node, parts)
            if square is not None:
                columns.setdefault(square, set()).add(parts.offset)
            gather = gather_of(node, parts)
            if gather is not None:
                gathers.setdefault(gather, set()).add(parts.offset)
            if parts.vectors or parts.strides or not 2 <= abs(parts.step) <= MAX_SHUFFLED_STRIDE:
                continue
            step, lanes = abs(parts.step), node.type.nlanes
            first = parts.offset if parts.step > 0 else parts.offset + parts.step * (lanes - 1)
            key = (node.buffer, lanes, step, frozenset(parts.terms.items()))
            offsets.setdefault(key, set()).add(first)
    f.windows = {key: _windows(sorted(firsts), key[2], key[1]) for key, firsts in offsets.items()}
    f.squares = {square: squares(starts, square.lanes) for square, starts in columns.items()}
    f.wide_loads = {gather: wide_loads(gather, places) for gather, places in gathers.items()}


def square_of(node: Load, parts: VectorIndex) -> Square | None:
    """The squares of which a load can be a column."""
    lanes = node.type.nlanes
    near = not parts.strides and abs(parts.step) <= MAX_SHUFFLED_STRIDE
    if parts.vectors or near or not transposable(lanes) or node.type.boolean:
        return None
    strides, terms = frozenset(parts.strides.items()), frozenset(parts.terms.items())
    return Square(node.buffer, lanes, parts.step, strides, terms)


def _windows(offsets: Sequence[int], step: int, lanes: int) -> list[tuple[int, int]]:
    """(first, last) element of each window, for loads that begin at `offsets`."""
    windows: list[tuple[int, int]] = []
    for offset in offsets:
        last = offset + step * (lanes - 1)
        if windows and offset < windows[-1][0] + step:
            windows[-1] = (windows[-1][0], last)
        else:
            windows.append((offset, last))
    return windows


def window_of(f: ExprFunction, buffer: str, lanes: int, step: int, terms: Terms, first: int) -> tuple[int, int]:
    """The first and last element that may be read for the load that begins at `first`."""
    last = first + step * (lanes - 1)
    for low, high in f.windows.get((buffer, lanes, step, frozenset(terms.items())), ()):
        if low <= first and last <= high:
            return low, high
    return first, last


def piece_lanes(window: int, lanes: int, element_bytes: int) -> int:
    """Returns the lanes of the vectors that read a window: those of two registers when they hold all of it."""
    if window <= 2 * lanes:
        return lanes
    half = 1 << ((window + 1) // 2 - 1).bit_length()
    return half if half * element_bytes <= WIDEST_REGISTER and half <= window else lanes


def piece_starts(low: int, high: int, width: int, first: int, step: int, lanes: int) -> list[int]:
    """Returns the starts of vectors of `width` lanes that hold `lanes` elements; none reaches past `high`."""
    starts = list(dict.fromkeys(min(start, high + 1 - width) for start in range(low, high + 1, width)))
    used = {max(i for i, start in enumerate(starts) if start <= first + step * lane) for lane in range(lanes)}
    return [start for i, start in enumerate(starts) if i in used]


def _pick_from_halves(
    f: ExprFunction, scalar: str, vectors: Sequence[str], lanes: int, lanes_read: Sequence[tuple[int, int]]
) -> str:
    """As `pick`, from two registers that hold all the vectors: one shuffle, as joining neighbours costs nothing."""
    half = (len(vectors) + 1) // 2
    low, count = concatenate(f, scalar, [(text, lanes) for text in vectors[:half]])
    high, rest = concatenate(f, scalar, [(text, lanes) for text in vectors[half:]])
    high = widened(f, scalar, (high, rest), count)
    return shuffle(f, scalar, low, high, count, [vector * lanes + lane for vector, lane in lanes_read])


def pick(
    f: ExprFunction, scalar: str, vectors: Sequence[str], lanes: int, lanes_read: Sequence[tuple[int, int]]
) -> str:
    """The lanes (vector, lane) of vectors of `lanes` lanes, by shuffles of two operands each: what machines have."""
    used = list(dict.fromkeys(vector for vector, _ in lanes_read))
    first = used[0]
    if len(used) == 1:
        return shuffle(f, scalar, vectors[first], None, lanes, [lane for _, lane in lanes_read])
    if len(used) > 2 and len(used) * lanes * _BYTES[scalar] <= 2 * WIDEST_REGISTER:
        return _pick_from_halves(
            f, scalar, [vectors[i] for i in used], lanes, [(used.index(v), i) for v, i in lanes_read]
        )
    total = ""
    for second in used[1:]:
        indices = []
        for i, (vector, lane) in enumerate(lanes_read):
            if vector == second:
                indices.append(lanes + lane)
            elif not total:
                indices.append(lane if vector == first else -1)
            else:
                # Lanes that are placed already stay; the others come later.
                indices.append(i if used.index(vector) < used.index(second) else -1)
        total = shuffle(f, scalar, total or vectors[first], vectors[second], lanes, indices)
    return total


_INTEGERS = (INT32, INT64)


def phases_of(index: Expr) -> int:
    """Returns the number of phases in each of which the lane pattern of the index is regular; 1 if that is no help."""
    periods = []
    for node in postorder(index):
        if isinstance(node, Div | Mod) and node.type.nlanes > 1:
            step, divisor = step_of(node.a), constant(node.b)
            if step is None or divisor is None or divisor <= 0 or step == 0:
                return 1
            periods.append(int(divisor) // math.gcd(step, int(divisor)))
    return phase_count(periods, index.type.nlanes)


def step_of(node: Expr) -> int | None:
    """The constant distance between lanes of a ramp, or of a sum of a ramp and a broadcast."""
    if isinstance(node, Ramp) and constant(node.stride) is not None:
        return int(constant(node.stride) or 0)
    if isinstance(node, Add | Sub):
        a, b = step_of(node.a), step_of(node.b)
        return None if a is None or b is None else a + b if isinstance(node, Add) else a - b
    return 0 if isinstance(node, Broadcast) else None


MIN_RUN_LANES = 4
"""Shorter runs are not much better than a load for each lane."""


def runs_of(f: ExprFunction, index: Expr) -> list[Expr]:
    """The fewest equal runs of neighbouring lanes in each of which an index is dense, as indices; none where they are
    short."""
    lanes = index.type.nlanes
    count = 2
    while lanes % count == 0 and lanes // count >= MIN_RUN_LANES:
        own = lanes // count
        parts = [sub_index(index, range(first, first + own)) for first in range(0, lanes, own)]
        runs = [part for part in parts if part is not None and _is_dense(f, part)]
        if len(runs) == count:
            return runs
        count *= 2
    return []


def _is_dense(f: ExprFunction, index: Expr) -> bool:
    parts = vector_index(f, index)
    return not parts.vectors and not parts.strides and parts.step == 1


def sub_index(index: Expr, lanes: range) -> Expr | None:
    """The index in some of its lanes; None when it holds something that has no such form."""
    match index:
        case Broadcast():
            return _ramp(index.value, as_expr(0, index.value.type), len(lanes))
        case Ramp():
            return _ramp(add(index.base, mul(index.stride, lanes.start)), mul(index.stride, lanes.step), len(lanes))
        case Shuffle(vectors=(Ramp() as ramp,)):
            picked = [index.indices[lane] for lane in lanes]
            step = picked[1] - picked[0] if len(picked) > 1 else 0
            if picked != [picked[0] + step * number for number in range(len(picked))]:
                return None
            return _ramp(add(ramp.base, mul(ramp.stride, picked[0])), mul(ramp.stride, step), len(lanes))
        case Cast() if {index.type.element_of(), index.value.type.element_of()} <= set(_INTEGERS):
            part, kind = sub_index(index.value, lanes), index.type.element_of()
            if isinstance(part, Ramp):
                # Index arithmetic does not overflow, so a ramp may be widened lane by lane.
                return Ramp(cast(kind, part.base), cast(kind, part.stride), len(lanes))
            return None if part is None else cast(kind, part)
        case Div() | Mod():
            return _sub_division(index, lanes)
        case Add() | Sub() | Mul() | Min() | Max():
            a, b = sub_index(index.a, lanes), sub_index(index.b, lanes)
            if isinstance(a, Broadcast) and isinstance(b, Broadcast):
                return Broadcast(type(index)(a.value, b.value), len(lanes))
            return None if a is None or b is None else type(index)(a, b)
    return None


def _ramp(base: Expr, stride: Expr, lanes: int) -> Expr:
    """A ramp, a broadcast where its stride is zero, or a scalar of one lane."""
    if lanes == 1:
        return base
    return Broadcast(base, lanes) if constant(stride) == 0 else Ramp(base, stride, lanes)


def _sub_division(index: Div | Mod, lanes: range) -> Expr | None:
    """A quotient or remainder in some lanes: regular where these are whole periods apart."""
    step, divisor, part = step_of(index.a), constant(index.b), sub_index(index.a, lanes)
    if step is None or divisor is None or part is None:
        return None
    by, apart = int(divisor), step * lanes.step
    if apart % by:
        divisors = Broadcast(as_expr(by, part.type.element_of()), len(lanes))
        return type(index)(part, divisors) if lanes.step == 1 else None
    first = first_lane(part)
    if isinstance(index, Mod):
        return _ramp(mod(first, by), as_expr(0, first.type), len(lanes))
    base = div(first, by)
    return _ramp(base, as_expr(apart // by, base.type), len(lanes))


def first_lane(node: Expr) -> Expr:
    """The scalar in lane 0 of a ramp, a broadcast, or a sum of these."""
    if isinstance(node, Ramp):
        return node.base
    if isinstance(node, Broadcast):
        return node.value
    if isinstance(node, Add | Sub):
        return type(node)(first_lane(node.a), first_lane(node.b))
    return node
