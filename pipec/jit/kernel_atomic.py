"""Updates of an element that other work-items may be updating as well, in OpenCL C.

f[i] = f[i] + v  -->  atomic_add(&f[i], v)                      (32-bit integers; atom_add for 64-bit ones)
                      a loop that exchanges f[i] for the new value until no other came between   (everything else)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipec.errors import InternalError, NotSupportedError
from pipec.ir import stmt as s
from pipec.ir.expr import Add, And, Expr, Intrinsic, Load, Max, Min, Or, Sub, Variable
from pipec.ir.types import Type
from pipec.ir.walk import postorder, rewrite
from pipec.jit.c_expr import Expressions
from pipec.jit.c_types import value_type

if TYPE_CHECKING:
    from pipec.jit.kernel_thread import ThreadStatements

_OPERATIONS: dict[type[Expr], str] = {Add: "add", Sub: "sub", Min: "min", Max: "max", And: "and", Or: "or"}
_BITWISE = {"bitwise_and": "and", "bitwise_or": "or", "bitwise_xor": "xor"}


def emit_atomic(statements: ThreadStatements, node: s.Atomic) -> list[str]:
    """The lines of an update."""
    store = node.body
    assert isinstance(store, s.Store)
    kind = store.value.type
    if kind.nbits not in (32, 64) or kind.nlanes > 1:
        raise NotSupportedError(
            f"Error: The update of Func {store.buffer.partition('$')[0]} is atomic() on the GPU with elements of"
            f" {kind}, but OpenCL only supports 32 and 64 bit atomics. Give the Func a type of 32 bits, for example"
            " hl.cast(hl.Int(32), ...), or run the update on the CPU."
        )
    loads = {part for part in postorder(store.value) if isinstance(part, Load) and part.buffer == store.buffer}
    if any(load.index is not store.index for load in loads):
        raise InternalError(f"Only a scalar's own old value can be part of an atomic update: {store}")
    old = Variable(kind, f"{store.buffer}.old")
    value: Expr = rewrite(store.value, lambda part: old if part in loads else part)
    found = _operation(value, old)
    if found is not None:
        return _one_step(statements, store, *found)
    return _exchange(statements, store, old, value)


def _operation(value: Expr, old: Variable) -> tuple[str, Expr] | None:
    """The function that makes an update in one step, and its operand; None when there is none."""
    if value.type.floating:
        return None
    sides: Any
    if type(value) in _OPERATIONS:
        name, sides = _OPERATIONS[type(value)], (value.a, value.b)  # type: ignore[attr-defined]
    elif isinstance(value, Intrinsic) and value.name in _BITWISE:
        name, sides = _BITWISE[value.name], value.args
    else:
        return None
    if sides[0] is not old and not isinstance(value, Sub):
        sides = sides[::-1]
    if sides[0] is not old or any(node is old for node in postorder(sides[1])):
        return None
    return name, sides[1]


def _one_step(statements: ThreadStatements, store: s.Store, name: str, operand: Expr) -> list[str]:
    kind = store.value.type
    x = statements._expressions(store.index, operand)
    value, place = x.scalar(operand), _place(statements, x, store, kind)
    prefix = "atomic" if kind.nbits == 32 else "atom"
    line = f"{prefix}_{name}({place}, {value});"
    return ["{", *[f"    {text}" for text in [*x.frame.lines, line]], "}"] if x.frame.lines else [line]


def _exchange(statements: ThreadStatements, store: s.Store, old: Variable, value: Expr) -> list[str]:
    kind = store.value.type
    bits = "uint32_t" if kind.nbits == 32 else "uint64_t"
    prefix = "atomic" if kind.nbits == 32 else "atom"
    as_value = {"int32_t": "as_int", "uint32_t": "as_uint", "int64_t": "as_long", "uint64_t": "as_ulong"}.get(
        value_type(kind), f"as_{value_type(kind)}"
    )
    as_bits = "as_uint" if kind.nbits == 32 else "as_ulong"
    x = statements._expressions(store.index)
    place = statements.fresh("place")
    seen, before, name = statements.fresh("seen"), statements.fresh("before"), statements.name_of(old.name)
    space = statements.spaces.get(store.buffer, "__global")
    inner = statements._expressions(value)
    new = inner.scalar(value)
    return [
        "{",
        *[f"    {line}" for line in x.frame.lines],
        f"    volatile {space} {bits} *const {place} = {_address(statements, x, store, space, bits)};",
        f"    {bits} {seen} = *{place}, {before};",
        "    do {",
        f"        {before} = {seen};",
        f"        const {value_type(kind)} {name} = {as_value}({before});",
        *[f"        {line}" for line in inner.frame.lines],
        f"        {seen} = {prefix}_cmpxchg({place}, {before}, {as_bits}({new}));",
        f"    }} while ({seen} != {before});",
        "}",
    ]


def _place(statements: ThreadStatements, x: Expressions, store: s.Store, kind: Type) -> str:
    space = statements.spaces.get(store.buffer, "__global")
    own = {"int64_t": "long", "uint64_t": "ulong"}.get(value_type(kind), value_type(kind))
    return _address(statements, x, store, space, own)


def _address(statements: ThreadStatements, x: Expressions, store: s.Store, space: str, kind: str) -> str:
    element = f"{statements.name_of(store.buffer)}[{x.scalar(store.index, True)}]"
    return f"(volatile {space} {kind} *)&{element}"
