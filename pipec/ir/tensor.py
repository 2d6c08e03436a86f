"""Tensor intrinsics: small fixed loop nests that one instruction computes, each with its pattern and implementation.

    c[i] += int32(a[k, i]) * int32(b[k, i])   for i in 0..16, k in 0..4   -->   vpdpbusd

A pattern is an expression over one Variable for each operand, whose `dims` are the loops that its elements differ in.
The vectors of operands hold these elements, the first of `dims` innermost. `pipec.ir.tensor_builtins` declares those
that pipec brings.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from math import prod
from typing import Any

from pipec.errors import InternalError
from pipec.ir import build
from pipec.ir.expr import (
    REDUCTIONS,
    Binary,
    Cast,
    Const,
    Expr,
    Intrinsic,
    Reinterpret,
    Select,
    Shuffle,
    TensorCall,
    Variable,
    VectorReduce,
)
from pipec.ir.node import Node, kinds_of
from pipec.ir.types import INT64, Type
from pipec.ir.walk import instances, mentions, postorder, rewrite
from pipec.records import dataclass

MARK = "tensor_operation"
"""The Intrinsic that marks an update between its schedule and vectorization.

Its operands: the value, the digest of the tensor intrinsic, the loop variables, and the scalar operands of the pattern.
"""


@dataclass(frozen=True)
class TensorLoop:
    """A loop of a pattern; `reduction`: all its iterations update the same elements."""

    name: str
    extent: int
    reduction: bool = False


@dataclass(frozen=True)
class TensorOperand:
    """What an intrinsic takes or gives: elements of `type` that differ in the loops `dims`, the first one innermost."""

    name: str
    type: Type
    dims: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.name}[{', '.join(self.dims)}]: {self.type}"


@dataclass(frozen=True)
class TensorIntrinsic:
    """A declaration: `result` becomes `value`, an expression over Variables that are named after the operands.

    `loops`: those over elements of the result, the innermost first, then the reduction's. `implementation`: the
    instructions of LLVM for operands of the same names, ending with `ret`; or `formula`, an expression over vectors.
    `features`: the features of a processor, by LLVM's names, without which only the pattern can be used.
    """

    name: str
    loops: tuple[TensorLoop, ...]
    result: TensorOperand
    inputs: tuple[TensorOperand, ...]
    value: Expr
    implementation: str
    formula: Expr | None
    features: tuple[str, ...]
    location: str = ""

    @cached_property
    def operands(self) -> tuple[TensorOperand, ...]:
        """What the instruction takes: the old values of the result, where the pattern reads them, and the inputs."""
        return (self.result, *self.inputs) if mentions(self.value, {self.result.name}) else self.inputs

    @cached_property
    def digest(self) -> int:
        """A number that is the same, in every process, for equal declarations only."""
        nodes = [node.digest() for node in (self.value, self.formula) if node is not None]
        parts = self.name, self.loops, self.result, self.inputs, nodes, self.implementation, self.features
        return int.from_bytes(hashlib.blake2b(repr(parts).encode(), digest_size=8).digest()) >> 1

    def extent(self, dims: Iterable[str]) -> int:
        """The number of elements that differ in these loops."""
        extents = {loop.name: loop.extent for loop in self.loops}
        return prod([extents[name] for name in dims])

    def vector(self, operand: TensorOperand) -> Type:
        """The type of an operand with all its elements."""
        return operand.type.with_lanes(self.extent(operand.dims))

    def pattern(self) -> str:
        """The pattern as text."""
        loops = ", ".join([f"{loop.name} < {loop.extent}" for loop in self.loops])
        inputs = ", ".join(map(str, self.inputs))
        return f"{self.result} = {self.value} with {inputs} for {loops}"


_declared: dict[str, TensorIntrinsic] = {}
_by_digest: dict[int, TensorIntrinsic] = {}


def declare(intrinsic: TensorIntrinsic) -> None:
    """Adds a declaration, or replaces the one of the same name."""
    _declared[intrinsic.name] = _by_digest[intrinsic.digest] = intrinsic


def tensor_intrinsics() -> Mapping[str, TensorIntrinsic]:
    """All declarations by name."""
    import_module("pipec.ir.tensor_builtins")
    return _declared


def with_digest(digest: int) -> TensorIntrinsic:
    """The declaration that a mark or a TensorCall names by its digest; InternalError where there is none."""
    intrinsic = _by_digest.get(digest)
    if intrinsic is None:
        raise InternalError(f"No tensor intrinsic has the digest {digest}.")
    return intrinsic


def marked(value: Expr, intrinsic: TensorIntrinsic, loops: Sequence[Expr], operands: Sequence[Expr]) -> Expr:
    """`value`, marked as what an iteration of a tensor intrinsic's loops computes from these scalar operands."""
    return Intrinsic(value.type, MARK, (value, Const(INT64, intrinsic.digest), *loops, *operands))


def mark_of(e: Node) -> tuple[TensorIntrinsic, tuple[Expr, ...], tuple[Expr, ...]] | None:
    """The tensor intrinsic, the loop variables and the operands that a mark holds; None for other nodes."""
    if not isinstance(e, Intrinsic) or e.name != MARK:
        return None
    _, digest, *rest = e.args
    intrinsic = with_digest(int(build.constant(digest) or 0))
    count = len(intrinsic.loops)
    return intrinsic, tuple(rest[:count]), tuple(rest[count:])


def without_marks(root: Any) -> Any:
    """A statement or expression with the values that are marked in place of the marks."""
    return rewrite(root, lambda node: node.args[0] if mark_of(node) else node, kinds=kinds_of(Intrinsic))


def tensor_calls_of(root: Node) -> list[TensorCall]:
    """The calls of tensor intrinsics in a statement or expression."""
    return list(instances(TensorCall, root))


def expand_tensor_calls(root: Any, excluded: frozenset[str] = frozenset()) -> Any:
    """A statement or expression with the arithmetic of patterns in place of tensor calls, but those `excluded`."""
    if all(call.name in excluded for call in tensor_calls_of(root)):
        return root
    return rewrite(
        root, lambda node: expanded(node) if isinstance(node, TensorCall) and node.name not in excluded else node
    )


def expanded(call: TensorCall) -> Expr:
    """The value of a tensor intrinsic by the arithmetic of its pattern."""
    intrinsic = with_digest(call.declaration)
    vectors = {operand.name: vector for operand, vector in zip(intrinsic.operands, call.operands, strict=True)}
    pure = tuple([loop for loop in intrinsic.loops if not loop.reduction])
    reductions = tuple([loop for loop in intrinsic.loops if loop.reduction])
    value, own = intrinsic.value, intrinsic.result.name
    term = value.b if isinstance(value, Binary) and _is_variable(value.a, own) else None
    lanes = intrinsic.vector(intrinsic.result).nlanes
    if reductions and term is not None and type(value) in REDUCTIONS.values() and not mentions(term, {own}):
        operator = next(name for name, kind in REDUCTIONS.items() if kind is type(value))
        wide = _in_lanes(intrinsic, term, vectors, (*reductions, *pure), {})
        return type(value)(vectors[own], VectorReduce(operator, wide, lanes))
    for iteration in range(prod([loop.extent for loop in reductions])):
        fixed: dict[str, int] = {}
        for loop in reductions:
            iteration, fixed[loop.name] = divmod(iteration, loop.extent)
        vectors[own] = _in_lanes(intrinsic, value, vectors, pure, fixed)
    return vectors[own]


def _is_variable(e: Expr, name: str) -> bool:
    return isinstance(e, Variable) and e.name == name


def _in_lanes(
    intrinsic: TensorIntrinsic,
    value: Expr,
    vectors: Mapping[str, Expr],
    loops: Sequence[TensorLoop],
    fixed: Mapping[str, int],
) -> Expr:
    """An expression of the pattern in the iterations of `loops`, the first one innermost; others are `fixed`."""
    lanes = prod([loop.extent for loop in loops])
    extents = {loop.name: loop.extent for loop in intrinsic.loops}
    values: dict[str, Expr] = {}
    for operand in (intrinsic.result, *intrinsic.inputs):
        vector = vectors.get(operand.name)
        if vector is None:
            continue
        indices = []
        for lane in range(lanes):
            at, place = lane, dict(fixed)
            for loop in loops:
                at, place[loop.name] = divmod(at, loop.extent)
            index = 0
            for name in reversed(operand.dims):
                index = index * extents[name] + place[name]
            indices.append(index)
        whole = indices == list(range(vector.type.nlanes))
        values[operand.name] = vector if whole else Shuffle((vector,), tuple(indices))
    return widened(value, values, lanes)


def widened(value: Expr, values: Mapping[str, Expr], lanes: int) -> Expr:
    """An expression over scalars in all lanes, with vectors in place of its Variables."""
    memo: dict[Node, Any] = {}
    for node in postorder(value):
        children = [memo[child] for child in node.children()]
        if isinstance(node, Variable):
            memo[node] = values[node.name]
        elif isinstance(node, Const):
            memo[node] = build.as_expr(node.value, node.type.with_lanes(lanes))
        elif isinstance(node, (Cast, Reinterpret)):
            memo[node] = type(node)(node.type.with_lanes(lanes), children[0])
        elif isinstance(node, Intrinsic):
            memo[node] = Intrinsic(node.type.with_lanes(lanes), node.name, tuple(children))
        else:
            memo[node] = node.rebuild(dict(zip(node.children(), children, strict=True)).__getitem__)
    result: Expr = memo[value]
    return result


WIDENED = (Variable, Const, Cast, Reinterpret, Intrinsic, Binary, Select)
"""The nodes that patterns may have."""
