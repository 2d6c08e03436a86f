"""The instructions that a node becomes: mostly one; more where the target has none for it."""

from __future__ import annotations

from typing import Any

from pipec.autoschedule.dag.dag import Operation
from pipec.bounds.lane_ranges import LaneRanges
from pipec.bounds.reciprocals import reciprocal
from pipec.ir import expr as e
from pipec.ir.build import constant
from pipec.ir.intrinsics import INTRINSICS, Cost
from pipec.ir.types import Float, Type, UInt
from pipec.jit.llvm.math.arithmetic import are_short
from pipec.jit.llvm.math.emulated import EMULATED, MASK_CHANGE

AVERAGED = (8, 16)
"""Bits of unsigned numbers of which there are averages, halves rounded up."""
_KIND: dict[type, Operation] = {
    e.Add: Operation.ADD,
    e.Sub: Operation.ADD,
    e.Min: Operation.ADD,
    e.Max: Operation.ADD,
    e.Mul: Operation.MULTIPLY,
    e.Select: Operation.COMPARE,
    e.And: Operation.COMPARE,
    e.Or: Operation.COMPARE,
    e.Not: Operation.COMPARE,
    e.ExternValue: Operation.OTHER,
    e.Effect: Operation.OTHER,
}


def instructions_of(node: Any, emulated: bool) -> list[tuple[Operation, Type, float]]:
    """The instructions of a node: kind, type of their lanes, number. `emulated`: for a target without AVX-512."""
    kind, of_type = operation_of(node)
    if kind is None:
        return []
    own = [(kind, of_type, count_of(node))]
    if not emulated:
        return own
    if isinstance(node, e.And | e.Or | e.Not):
        return [(kind, UInt(mask_bits(node)), 1.0)]
    written = _emulation(node, of_type)
    if written:
        return [(Operation.CAST, of_type, float(written))]
    if isinstance(node, e.Select | e.Cast):
        mask, bits = (node.condition if isinstance(node, e.Select) else node.value), node.type.nbits
        if mask.type.boolean and mask_bits(mask) != bits:
            own.append((Operation.CAST, UInt(max(mask_bits(mask), bits)), float(MASK_CHANGE)))
    return own


def count_of(node: Any) -> float:
    """The number of instructions of the node's kind that it costs as much as."""
    return float(INTRINSICS[node.name].count) if isinstance(node, e.Intrinsic) else 1.0


def _emulation(node: Any, of_type: Type) -> int:
    """The number of instructions that are written for one that is missing; 0 where there is one."""
    bits, name = of_type.nbits, ""
    if isinstance(node, e.Intrinsic):
        shifted = node.name in ("shift_left", "shift_right") and constant(node.args[1]) is None
        name = "shift by lanes" if shifted else node.name
    elif isinstance(node, e.Mul) and node.type.integral and bits == node.type.nbits:
        name = "multiply"
    elif isinstance(node, e.Min | e.Max) and node.type.integral:
        name = "minimum"
    elif isinstance(node, e.LT | e.LE | e.GT | e.GE) and node.a.type.integral and not node.a.type.signed:
        name = "unsigned comparison"
    elif isinstance(node, e.Cast) and node.type.floating != node.value.type.floating:
        integer = node.value.type if node.type.floating else node.type
        name, bits = ("to float" if node.type.floating else "from float"), integer.nbits
        if bits == 32 and integer.signed:
            return 0
    return EMULATED.get(name, {}).get(bits, 0)


def mask_bits(condition: e.Expr) -> int:
    """Returns the bits of the lanes that a condition is computed in; of those that are joined the most."""
    most, stack = 8, list[Any]([condition])
    while stack:
        node = stack.pop()
        if isinstance(node, e.Compare):
            most = max(most, node.a.type.nbits)
        elif isinstance(node, e.And | e.Or | e.Not):
            stack += node.children()
    return most


def operation_of(node: Any) -> tuple[Operation | None, Type]:
    """The cost of a node, None for nothing; and the type whose vectors hold its operands."""
    if isinstance(node, e.Compare):
        return Operation.COMPARE, node.a.type
    if isinstance(node, e.Div | e.Mod):
        return _division(node), Float(32) if _divides_floats(node) else node.type
    if averaged(node):
        return Operation.ADD, node.type
    if isinstance(node, e.Mul) and all(_is_widened(factor) for factor in (node.a, node.b)):
        return Operation.MULTIPLY, node.type.with_bits(node.type.nbits // 2)
    if isinstance(node, e.Mul) and all(_is_short(factor) for factor in (node.a, node.b)):
        return Operation.ADD, node.type
    if isinstance(node, e.Cast):
        source = node.value.type
        wider = source if source.nbits > node.type.nbits else node.type
        same = source.nbits == node.type.nbits and source.floating == node.type.floating
        return None if same else Operation.CAST, wider
    if isinstance(node, e.Intrinsic):
        cost = INTRINSICS[node.name].cost
        return (None if cost is Cost.FREE else Operation[cost.name]), node.args[0].type
    return _KIND.get(type(node)), node.type


def _is_widened(factor: e.Expr) -> bool:
    """Whether a 64-bit integer is known to be one of 32 bits: there are instructions for products of such."""
    if not factor.type.integral or factor.type.nbits != 64:
        return False
    if isinstance(factor, e.Cast):
        return bool(factor.value.type.integral and factor.value.type.nbits < 64)
    value = constant(factor)
    return value is not None and -(1 << 31) <= value < 1 << 31


def _is_short(factor: e.Expr) -> bool:
    """Whether a 32-bit integer is known to be one of 16 bits with a sign: products of such are one instruction."""
    if not factor.type.integral or factor.type.nbits != 32:
        return False
    if isinstance(factor, e.Cast):
        source = factor.value.type
        return bool(source.integral and source.nbits <= (16 if source.signed else 15))
    value = constant(factor)
    return value is not None and -(1 << 15) <= value < 1 << 15


def _divides_floats(node: e.Div | e.Mod) -> bool:
    """Whether 32-bit integers are divided as float32."""
    if not node.type.integral or node.type.nbits != 32 or constant(node.b) is not None:
        return False
    return are_short(LaneRanges(), node.a, node.b)


def _division(node: e.Div | e.Mod) -> Operation:
    divisor = constant(node.b)
    if divisor is None:
        return Operation.DIVIDE
    power = divisor > 0 and float(divisor).is_integer() and int(divisor) & (int(divisor) - 1) == 0
    if node.type.floating:
        return Operation.MULTIPLY if power or reciprocal(node) is not None else Operation.DIVIDE
    return Operation.SHIFT if power else Operation.MULTIPLY


def averaged(node: Any) -> tuple[e.Expr, ...]:
    """a and b of uint8((uint16(a) + uint16(b) + 1) / 2), and the same of other widths: one instruction."""
    if not isinstance(node, e.Cast) or node.type.signed or node.type.nbits not in AVERAGED:
        return ()
    total, one = _halved(node.value), 0
    terms: list[e.Expr] = []
    stack = [total] if total is not None else []
    while stack:
        part = stack.pop()
        value = constant(part)
        if isinstance(part, e.Add):
            stack += (part.b, part.a)
        elif value is not None:
            one += int(value)
        elif isinstance(part, e.Cast) and part.value.type is node.type:
            terms.append(part.value)
        else:
            return ()
    return tuple(terms) if len(terms) == 2 and one == 1 else ()


def _halved(value: e.Expr) -> e.Expr | None:
    """The integer of which a value is the half, rounded down."""
    if not value.type.integral:
        return None
    if isinstance(value, e.Div) and constant(value.b) == 2:
        return value.a
    if isinstance(value, e.Intrinsic) and value.name == "shift_right" and constant(value.args[1]) == 1:
        return value.args[0]
    return None
