"""Loads at indices that are computed from coordinates, or read from tables by them: lanes are neighbours as a rule.

16 lanes of a[int(x * 0.3f)]  -->  two vectors and a permutation of their elements where all lanes lie within 32 of
                                   them; else a scalar for each lane

Whether they do is seen when the code runs: scales may be parameters, and float32 rounds large coordinates.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from pipec.ir.build import constant
from pipec.ir.expr import Add, Broadcast, Cast, Div, Expr, Intrinsic, Load, Max, Min, Mod, Mul, Ramp, Sub
from pipec.ir.lanes import MAX_LANE_BYTES
from pipec.ir.types import INT32, INT64
from pipec.ir.walk import compute_bottom_up, instances
from pipec.jit.llvm.expr import ExprFunction, Outside
from pipec.jit.llvm.function import LlvmValue, ModuleWriter
from pipec.jit.llvm.math.vector import gather_lanes, splat
from pipec.jit.llvm.memory.address import VectorIndex, vector_index
from pipec.jit.llvm.memory.masked import masked_read
from pipec.jit.llvm.memory.table_lookup import Permutation, look_up, permutation_of
from pipec.jit.llvm.types import element_bytes, memory_scalar, memory_suffix, vector_of

_SMOOTH = ("floor", "ceil", "round", "trunc", "abs")
MAX_INLINE_LOADS = 64
"""Loads of single elements, for lanes that lie far apart, in the code of each place that loads such a vector."""


class Near(NamedTuple):
    """A load whose lanes lie at `distance` times the lanes of `numbers`, a vector of INT32, from a common base."""

    numbers: Expr
    distance: int
    permutation: Permutation


def near_of(f: ExprFunction, node: Load, parts: VectorIndex) -> Near | None:
    """The load as one whose lanes may lie near each other; None for others, and where no instruction permutes them."""
    permutation = permutation_of(f, node.type)
    if permutation is None or parts.strides or parts.step or len(parts.vectors) != 1:
        return None
    ((index, distance),) = parts.vectors.items()
    while isinstance(index, Cast) and index.type.element_of() is INT64 and index.value.type.integral:
        index = index.value
    if index.type.element_of() is not INT32 or distance < 1:
        return None
    if not all(_is_of_table(f, load) for load in instances(Load, index) if load.type.nlanes > 1):
        return None
    step = step_of(index)
    if step is None:
        return None
    apart = distance / (node.type.nlanes - 1) if math.isnan(step) else abs(step) * distance
    return Near(index, distance, permutation) if within_reach(apart, node.type.nlanes, permutation.stretch) else None


def _is_of_table(f: ExprFunction, load: Load) -> bool:
    """Whether a load within an index is dense and of a table of one dimension, as resampling has them.

    Pixels, which choose anything, are seldom INT32, and their rows are a stride apart.
    """
    parts = vector_index(f, load.index)
    dense = not parts.vectors and not parts.strides and parts.step == 1
    return dense and load.type.element_of() is INT32 and not any(isinstance(_narrow(a), Mul) for a in parts.terms)


def _narrow(atom: Expr) -> Expr:
    return atom.value if isinstance(atom, Cast) else atom


def within_reach(apart: float, lanes: int, stretch: int) -> bool:
    """Whether a permutation reaches all lanes and their neighbours, if lanes lie so many elements apart."""
    return apart * (lanes - 1) + MAX_LANE_BYTES < stretch


def step_of(index: Expr) -> float | None:
    """About how far apart neighbouring lanes are, nan where a scalar decides it; None where they may lie anywhere."""
    steps: dict[Expr, float | None] = {}

    def compute(node: Expr) -> None:
        steps[node] = _step(node, steps)

    compute_bottom_up(index, lambda node: node in steps, compute, _operands)
    return steps[index]


def _operands(node: Expr) -> Sequence[Expr]:
    """What the step of a node follows from."""
    match node:
        case Cast():
            return (node.value,)
        case Intrinsic() if node.name in _SMOOTH:
            return node.args
        case Add() | Sub() | Min() | Max():
            return node.a, node.b
        case Mul() | Div() | Mod() if isinstance(node.b, Broadcast):
            return (node.a,)
    return ()


def _step(node: Expr, steps: Mapping[Expr, float | None]) -> float | None:
    match node:
        case Broadcast():
            return 0.0
        case Ramp():
            return _value(node.stride)
        case Load():
            return math.nan
    operands = [steps[operand] for operand in _operands(node)]
    numbers = [step for step in operands if step is not None]
    if not numbers or len(numbers) < len(operands):
        return None
    first, *others = numbers
    match node:
        case Add():
            return first + others[0]
        case Sub():
            return first - others[0]
        case Min() | Max():
            return max(first, others[0], key=abs)
        case Mul():
            return first * _value(node.b)
        case Div():
            divisor = _value(node.b)
            return first / divisor if divisor else None
    return first


def _value(scalar: Expr) -> float:
    value = constant(scalar)
    return math.nan if value is None else float(value)


def load_near(
    f: ExprFunction, node: Load, near: Near, base: LlvmValue, length: int
) -> tuple[list[LlvmValue], Callable[[], str]]:
    """What the load is computed from, and what writes it: an array of vectors of `length` elements from each place on.

    `base`: the address from which the lanes lie at their distances.
    """
    index = f.value(near.numbers)
    code = _Code(f.module, node, near, length)

    def write() -> str:
        lanes = f"<{node.type.nlanes} x i32>"
        return f.op(f"call {code.result} {code.function()}(ptr {base.text}, {lanes} {index.text})")

    return [base, index], write


class _Code:
    """The function that loads such vectors of one type from one buffer."""

    def __init__(self, module: ModuleWriter, node: Load, near: Near, length: int) -> None:
        self.module, self.permutation, self.distance, self.length = module, near.permutation, near.distance, length
        self.kind, self.buffer = node.type, node.buffer
        self.scalar, self.lanes = memory_scalar(node.type), node.type.nlanes
        self.result = f"[{length} x {vector_of(self.scalar, self.lanes)}]"
        self.places = f"<{self.lanes} x i32>"

    def function(self) -> str:
        """Its name; it is written when it is first needed."""
        alias = self.module.alias_type(self.buffer).lstrip("!")
        name = f"@pipec.load.near.{memory_suffix(self.kind)}.{alias}.{self.distance}.{self.length}"
        if name in self.module.internal:
            return name
        self.module.internal.add(name)
        f = ExprFunction(self.module, Outside())
        for intrinsic in ("smin", "smax", "umin"):
            self.module.declare(f"@llvm.{intrinsic}.i32", f"i32 @llvm.{intrinsic}.i32(i32, i32)")
        ends = [f.op(f"extractelement {self.places} %index, i64 {lane}") for lane in (0, self.lanes - 1)]
        low, high = [f.op(f"call i32 @llvm.{end}.i32(i32 {ends[0]}, i32 {ends[1]})") for end in ("smin", "smax")]
        most = (self.permutation.stretch - self.length) // self.distance
        last = f.op(f"call i32 @llvm.umin.i32(i32 {f.op(f'sub i32 {high}, {low}')}, i32 {most})")
        numbers = f.op(f"sub {self.places} %index, {splat(f, 'i32', low, self.lanes)}")
        inside = f.op(f"icmp ule {self.places} {numbers}, {splat(f, 'i32', last, self.lanes)}")
        bits = f.op(f"bitcast <{self.lanes} x i1> {inside} to i{self.lanes}")
        outside = f.op(f"icmp ne i{self.lanes} {bits}, -1")
        f.line(f'br i1 {outside}, label %far, label %near, !prof !{{!"branch_weights", i32 1, i32 1048576}}')
        f.start_block("near")
        self._return(f, self._permuted(f, low, last, numbers))
        f.start_block("far")
        self._return(f, self._one_by_one(f))
        head = f"define internal {self.result} {name}(ptr %base, {self.places} %index)"
        inline = "alwaysinline " if self.lanes * self.length <= MAX_INLINE_LOADS else ""
        self.module.functions.append(f"{head} {inline}nounwind memory(argmem: read) {{\n{f.body()}\n}}\n")
        return name

    def _return(self, f: ExprFunction, vectors: Sequence[str]) -> None:
        whole, type_ = "poison", vector_of(self.scalar, self.lanes)
        for number, vector in enumerate(vectors):
            whole = f.op(f"insertvalue {self.result} {whole}, {type_} {vector}, {number}")
        f.line(f"ret {self.result} {whole}")

    def _permuted(self, f: ExprFunction, low: str, last: str, numbers: str) -> list[str]:
        """The elements at the numbers from the lowest place: those from there to the last are read."""
        width = self.permutation.lanes
        start = _times(f, "i64", f.op(f"sext i32 {low} to i64"), self.distance)
        first = f.op(f"getelementptr {self.scalar}, ptr %base, i64 {start}")
        end = f.op(f"add i32 {_times(f, 'i32', last, self.distance)}, {self.length - 1}")
        both = f"i{2 * width}"
        unread = f.op(f"sub i32 {2 * width - 1}, {end}")
        wide = unread if width == 16 else f.op(f"zext i32 {unread} to {both}")
        bits = f.op(f"lshr {both} -1, {wide}")
        table = []
        for skipped in (0, width):
            own = f.op(f"lshr {both} {bits}, {skipped}") if skipped else bits
            is_read = f.op(f"bitcast i{width} {f.op(f'trunc {both} {own} to i{width}')} to <{width} x i1>")
            address = f.op(f"getelementptr {self.scalar}, ptr {first}, i64 {skipped}")
            table.append(masked_read(f, self.buffer, self.kind.with_lanes(width), address, is_read))
        at = f.op(f"mul {self.places} {numbers}, {splat(f, 'i32', str(self.distance), self.lanes)}")
        index_type = INT32.with_lanes(self.lanes)
        vectors = []
        for number in range(self.length):
            own = f.op(f"add {self.places} {at}, {splat(f, 'i32', str(number), self.lanes)}")
            vectors.append(look_up(f, self.kind, index_type, own, table))
        return vectors

    def _one_by_one(self, f: ExprFunction) -> list[str]:
        alias, size = self.module.alias_type(self.buffer), element_bytes(self.kind)
        lanes: list[list[str]] = [[] for _ in range(self.length)]
        for lane in range(self.lanes):
            place = f.op(f"sext i32 {f.op(f'extractelement {self.places} %index, i64 {lane}')} to i64")
            at = f.op(f"getelementptr {self.scalar}, ptr %base, i64 {_times(f, 'i64', place, self.distance)}")
            for number, loads in enumerate(lanes):
                own = f.op(f"getelementptr {self.scalar}, ptr {at}, i64 {number}")
                loads.append(f.op(f"load {self.scalar}, ptr {own}, align {size}, !tbaa {alias}"))
        return [gather_lanes(f, self.scalar, loads) for loads in lanes]


def _times(f: ExprFunction, scalar: str, text: str, factor: int) -> str:
    return text if factor == 1 else f.op(f"mul {scalar} {text}, {factor}")
