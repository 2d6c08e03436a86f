"""Updates of an element that other threads may be updating too.

f[i] = f[i] + v  -->  atomicrmw add of v at f + i            (integers)
                      old = f[i]; until f[i], still old, was exchanged for old + v     (everything else)
"""

from __future__ import annotations

from typing import Any

from pipec.errors import InternalError
from pipec.ir.expr import Add, And, Expr, Intrinsic, Load, Max, Min, Or, Sub, Variable
from pipec.ir.stmt import Store
from pipec.ir.types import Type
from pipec.ir.walk import postorder, rewrite
from pipec.jit.llvm.expr import ExprFunction
from pipec.jit.llvm.function import NO_BUFFERS, FunctionScope
from pipec.jit.llvm.memory.address import element_pointer
from pipec.jit.llvm.types import element_bytes, memory_scalar, scalar_type

_BITWISE = {"bitwise_and": "and", "bitwise_or": "or", "bitwise_xor": "xor"}


def emit_atomic(f: ExprFunction, node: Store) -> None:
    """Write the update of a scalar element at the current point."""
    kind = node.value.type
    loads = {part for part in postorder(node.value) if isinstance(part, Load) and part.buffer == node.buffer}
    if kind.nlanes > 1 or any(load.index is not node.index for load in loads):
        raise InternalError(f"Only a scalar's own old value can be part of an atomic update: {node}")
    old = Variable(kind, f"{node.buffer}.{f.fresh_label('old')}")

    def change(part: Any) -> Any:
        return old if part in loads else part

    value: Expr = rewrite(node.value, change)
    address = element_pointer(f, node.buffer, kind, node.index).text
    step = _operation(value, old)
    if step is not None:
        operation, operand = step
        text = _as_stored(f, kind, f.text(operand))
        place = f"ptr {address}, {memory_scalar(kind)} {text}"
        f.emit(f"atomicrmw {operation} {place} monotonic, align {element_bytes(kind)}")
    else:
        _exchange(f, kind, old, value, address)
    f.invalidate(node.buffer)


def _operation(value: Expr, old: Variable) -> tuple[str, Expr] | None:
    """The instruction that makes an update in one step, and its operand; None when there is none."""
    kind = value.type
    if kind.floating:
        return None
    signed = "" if kind.signed else "u"
    if isinstance(value, (Add, And, Or, Min, Max)):
        names = {Add: "add", And: "and", Or: "or", Min: f"{signed}min", Max: f"{signed}max"}
        name, sides = names[type(value)], (value.a, value.b)
    elif isinstance(value, Sub):
        name, sides = "sub", (value.a, value.b)
    elif isinstance(value, Intrinsic) and value.name in _BITWISE:
        name, sides = _BITWISE[value.name], (value.args[0], value.args[1])
    else:
        return None
    if sides[1] is old and name != "sub":
        sides = (sides[1], sides[0])
    return (name, sides[1]) if sides[0] is old and old not in postorder(sides[1]) else None


def _exchange(f: ExprFunction, kind: Type, old: Variable, value: Expr, address: str) -> None:
    """A loop that ends when no other thread came between reading the old value and writing the new one."""
    size = element_bytes(kind)
    bits = f"i{8 * size}"
    first = f.emit(f"load atomic {bits}, ptr {address} monotonic, align {size}")
    before, body, after = f.label, f.fresh_label("exchange"), f.fresh_label("after")
    f.open_scope(FunctionScope(True, True, NO_BUFFERS))
    f.line(f"br label %{body}")
    f.start_block(body)
    current = f.name()
    head = f.chunks[-1]
    position = len(head)
    head.append("")
    f.record(old, _as_value(f, kind, bits, current), len(f.scopes) - 1)
    new = _as_stored(f, kind, f.text(value))
    if kind.floating:
        new = f.emit(f"bitcast {scalar_type(kind)} {new} to {bits}")
    both = f.emit(f"cmpxchg weak ptr {address}, {bits} {current}, {bits} {new} monotonic monotonic, align {size}")
    now, done = f.emit(f"extractvalue {{ {bits}, i1 }} {both}, 0"), f.emit(f"extractvalue {{ {bits}, i1 }} {both}, 1")
    f.line(f"br i1 {done}, label %{after}, label %{body}")
    head[position] = f"  {current} = phi {bits} [ {first}, %{before} ], [ {now}, %{f.label} ]"
    f.close_scope()
    f.start_block(after)


def _as_stored(f: ExprFunction, kind: Type, text: str) -> str:
    return f.emit(f"zext i1 {text} to i8") if kind.boolean else text


def _as_value(f: ExprFunction, kind: Type, bits: str, text: str) -> str:
    if kind.floating:
        return f.emit(f"bitcast {bits} {text} to {scalar_type(kind)}")
    return f.emit(f"trunc i8 {text} to i1") if kind.boolean else text
