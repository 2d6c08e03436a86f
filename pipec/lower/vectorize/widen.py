"""Expressions in the lanes of a vector loop.

    in[2*x + y]*c  with x = ramp(x0, 1, 8)  -->  in[ramp(2*x0 + y, 2, 8)] * broadcast(c, 8)

Values that are equal in all lanes stay scalar and are broadcast where they meet a vector; sums and multiples of ramps
stay ramps, so that dense loads and stores are recognised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pipec.bounds.conditions import is_likely
from pipec.errors import InternalError
from pipec.ir import build
from pipec.ir.build import and_, constant
from pipec.ir.expr import (
    GE,
    GT,
    LE,
    LT,
    TRUE,
    Add,
    Binary,
    Broadcast,
    Cast,
    Div,
    Expr,
    FuncCall,
    ImageCall,
    Intrinsic,
    Load,
    Mod,
    Mul,
    Not,
    Ramp,
    Reinterpret,
    Select,
    Shuffle,
    Sub,
    Variable,
    VectorReduce,
)
from pipec.ir.node import Node
from pipec.ir.types import INT32, INT64, Type
from pipec.lower.vectorize import lane_patterns


class CannotVectorize(Exception):
    """The loop must run lane by lane."""


class Widener:
    """Widens expressions to `lanes` lanes. `values`: the vectors for Variables that differ between lanes.

    `private`: buffers that have one copy for each lane, lane by lane innermost.
    """

    def __init__(self, lanes: int) -> None:
        self.lanes = lanes
        self.values: dict[str, Expr] = {}
        self.private: set[str] = set()
        # The copies of a private buffer that belong to the lanes, and their total number.
        self.copies: tuple[Ramp, int] = Ramp(build.as_expr(0), build.as_expr(1), lanes), lanes
        self._memos: dict[Expr | None, dict[Node, Expr]] = {}
        self._defined: dict[Node, Expr] = {}

    def __call__(self, e: Expr, mask: Expr | None = None) -> Expr:
        """`e` in all lanes: a scalar when they agree. Lanes outside `mask` are undefined, and load nothing."""
        memo = self._memos.setdefault(mask, {})
        stack: list[Any] = [e]
        while stack:
            node = stack[-1]
            if node in memo:
                stack.pop()
                continue
            pending = [child for child in node.children() if child not in memo]
            if pending:
                stack.extend(pending)
                continue
            memo[node] = self._node(node, [memo[child] for child in node.children()], mask)
            stack.pop()
        return memo[e]

    def define(self, vectors: Iterable[tuple[Expr, Expr]]) -> None:
        """Lets expressions, where all lanes are active, be these vectors."""
        self._defined.update(vectors)
        self._memos[None] = dict(self._defined)

    def vector(self, e: Expr) -> Expr:
        """A widened expression as a vector."""
        return e if e.type.nlanes > 1 else Broadcast(e, self.lanes)

    def element(self, buffer: str, index: Expr) -> Expr:
        """The widened index of an element of `buffer`."""
        if buffer not in self.private:
            return index
        type_ = index.type.element_of()
        own, count = self.copies
        own = Ramp(build.cast(type_, own.base), build.cast(type_, own.stride), own.lanes)
        return self.arithmetic(Add, self.arithmetic(Mul, index, build.as_expr(count, type_)), own)

    def lane(self, e: Expr, i: int) -> Expr:
        """Lane `i` of a widened expression, as a scalar."""
        if e.type.nlanes == 1:
            return e
        if isinstance(e, Broadcast):
            return e.value
        if isinstance(e, Ramp):
            return build.add(e.base, build.mul(e.stride, i))
        return Shuffle((e,), (i,))

    def _node(self, node: Expr, children: list[Expr], mask: Expr | None) -> Expr:
        if isinstance(node, Variable):
            return self.values.get(node.name, node)
        if is_likely(node, innermost=True):
            return children[0]
        if isinstance(node, Load):
            return self._load(node, children[0], children[1], mask)
        if isinstance(node, (FuncCall, ImageCall)):
            raise InternalError("vectorize_loops runs after flatten_storage: it widens Loads, not calls of Funcs.")
        if all(child.type.nlanes == 1 for child in children):
            new = iter(children)
            return node.rebuild(lambda _: next(new))  # type: ignore[no-any-return]
        if isinstance(node, (Ramp, Broadcast, Shuffle, VectorReduce)) or node.type.nlanes > 1:
            raise CannotVectorize(f"a vector inside a vector loop: {type(node).__name__}")
        return self._widened(node, children)

    def _widened(self, node: Expr, children: list[Expr]) -> Expr:
        if isinstance(node, Binary):
            return self.arithmetic(type(node), children[0], children[1])
        if isinstance(node, Cast):
            return self._cast(node, children[0])
        vectors = [self.vector(child) for child in children]
        if isinstance(node, Reinterpret):
            return Reinterpret(node.type.with_lanes(self.lanes), vectors[0])
        if isinstance(node, Not):
            return build.not_(vectors[0])
        if isinstance(node, Select):
            chosen = lane_patterns.select(vectors[0], vectors[1], vectors[2])
            return build.select(vectors[0], vectors[1], vectors[2]) if chosen is None else chosen
        if isinstance(node, Intrinsic):
            return Intrinsic(node.type.with_lanes(self.lanes), node.name, tuple(vectors))
        raise InternalError(f"Nothing is known of {type(node).__name__} in vector loops.")

    def _cast(self, node: Cast, value: Expr) -> Expr:
        # int32 arithmetic does not overflow, so a widened ramp is a ramp; a narrowed one wraps in each lane.
        if {value.type.element_of(), node.type} == {INT32, INT64}:
            if isinstance(value, Ramp):
                return _cast_ramp(node.type, value)
            if isinstance(value, Shuffle) and isinstance(value.vectors[0], Ramp) and lane_patterns.of_one_ramp(value):
                return Shuffle((_cast_ramp(node.type, value.vectors[0]),), value.indices)
        return build.cast(node.type, value)

    def _load(self, node: Load, index: Expr, predicate: Expr, mask: Expr | None) -> Expr:
        index = self.element(node.buffer, index)
        if index.type.nlanes == 1 and predicate.type.nlanes == 1:
            # _VectorLoop.masked runs masked code with such loads only when a lane is active.
            return Load(node.type, node.buffer, index, predicate)
        always_on = mask is None and constant(predicate) == 1
        if always_on and isinstance(index, Shuffle) and lane_patterns.of_one_ramp(index):
            (ramp,) = index.vectors
            lanes = ramp.type.nlanes
            return Shuffle((Load(node.type.with_lanes(lanes), node.buffer, ramp, always(lanes)),), index.indices)
        allowed = self.vector(predicate) if mask is None else and_(self.vector(predicate), mask)
        return Load(node.type.with_lanes(self.lanes), node.buffer, self.vector(index), allowed)

    def arithmetic(self, kind: type[Binary], a: Expr, b: Expr) -> Expr:
        """`kind` of two widened operands, as a ramp or a scalar when it is one."""
        if kind is Add or kind is Sub:
            combine = _BUILD[kind]
            result = _ramp_sum(combine, a, b) or lane_patterns.combined(a, b, lambda x, y: _ramp_sum(combine, x, y))
        elif kind is Mul:
            result = _ramp_product(a, b) or lane_patterns.combined(a, b, _ramp_product)
        elif kind is Div or kind is Mod:
            result = _ramp_quotient(kind, a, b)
        else:
            result = None
        if result is None:
            if a.type.nlanes == 1 and b.type.nlanes == 1:
                return _BUILD[kind](a, b) if kind in _BUILD else kind(a, b)
            a, b = self.vector(a), self.vector(b)
            return _BUILD[kind](a, b) if kind in _BUILD else kind(a, b)
        return result.base if isinstance(result, Ramp) and constant(result.stride) == 0 else result


_BUILD: dict[type[Binary], Callable[[Expr, Expr], Expr]] = {
    Add: build.add,
    Sub: build.sub,
    Mul: build.mul,
    Div: build.div,
    Mod: build.mod,
}


def _ramp_sum(combine: Callable[[Expr, Expr], Expr], a: Expr, b: Expr) -> Expr | None:
    if isinstance(a, Ramp) and isinstance(b, Ramp):
        return Ramp(combine(a.base, b.base), combine(a.stride, b.stride), a.lanes)
    if isinstance(a, Ramp) and b.type.nlanes == 1:
        return Ramp(combine(a.base, b), a.stride, a.lanes)
    if isinstance(b, Ramp) and a.type.nlanes == 1:
        zero = build.as_expr(0, b.stride.type)
        return Ramp(combine(a, b.base), combine(zero, b.stride), b.lanes)
    return None


def _ramp_product(a: Expr, b: Expr) -> Expr | None:
    if isinstance(b, Ramp):
        a, b = b, a
    if isinstance(a, Ramp) and b.type.nlanes == 1:
        return Ramp(build.mul(a.base, b), build.mul(a.stride, b), a.lanes)
    return None


def _cast_ramp(type_: Type, ramp: Ramp) -> Ramp:
    return Ramp(build.cast(type_, ramp.base), build.cast(type_, ramp.stride), ramp.lanes)


def _ramp_quotient(kind: type[Binary], a: Expr, b: Expr) -> Expr | None:
    """(base + i*stride) / c is base/c + i*(stride/c) when c divides the stride, and the remainder that of the base."""
    by = constant(b)
    if not isinstance(a, Ramp) or by is None or by <= 0:
        return None
    stride = constant(a.stride)
    if stride is None or int(stride) % int(by):
        return lane_patterns.quotient(kind, a, int(by))
    if kind is Mod:
        return build.mod(a.base, b)
    return Ramp(build.div(a.base, b), build.as_expr(int(stride) // int(by), b.type), a.lanes)


def always(lanes: int) -> Expr:
    """The predicate that holds in all lanes."""
    return TRUE if lanes == 1 else Broadcast(TRUE, lanes)


def any_lane(mask: Expr) -> Expr:
    """Whether a vector of conditions holds in some lane."""
    if isinstance(mask, (LT, LE, GT, GE)):
        small, large = (mask.a, mask.b) if isinstance(mask, (LT, LE)) else (mask.b, mask.a)
        low, high = _extreme_lane(small, -1), _extreme_lane(large, 1)
        # Only one side differs between lanes, so that the extreme lane decides.
        if low is not None and high is not None and not (isinstance(small, Ramp) and isinstance(large, Ramp)):
            return build.lt(low, high) if isinstance(mask, (LT, GT)) else build.le(low, high)
    return VectorReduce("or", mask, 1)


def _extreme_lane(e: Expr, sign: int) -> Expr | None:
    """The largest (sign 1) or smallest (sign -1) lane of a ramp or broadcast; None for a ramp of unknown sign."""
    if isinstance(e, Broadcast):
        return e.value
    if not isinstance(e, Ramp):
        return None
    stride = constant(e.stride)
    if stride is None:
        return None
    return e.base if stride * sign <= 0 else build.add(e.base, build.mul(e.stride, e.lanes - 1))
