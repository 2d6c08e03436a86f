"""Expression nodes as JSON data: a list of the kind of the node and its fields, checked when read."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from pipec.errors import InternalError
from pipec.ir import expr as nodes
from pipec.ir.expr import Const, Expr
from pipec.ir.types import Type, TypeCode
from pipec.ir.verify import check_type

NODES: dict[str, type[Expr]] = {
    kind.__name__: kind
    for kind in vars(nodes).values()
    if isinstance(kind, type)
    and issubclass(kind, Expr)
    and (kind.FIELDS and kind not in (nodes.Binary, nodes.Compare))
    and kind not in (nodes.Ramp, nodes.Broadcast, nodes.Shuffle, nodes.VectorReduce, nodes.Load, nodes.BufferView)
    and kind is not nodes.TensorCall
}
"""The nodes that definitions and schedules consist of, by their names."""

_BITS = {
    TypeCode.Int: (8, 16, 32, 64),
    TypeCode.UInt: (1, 8, 16, 32, 64),
    TypeCode.Float: (16, 32, 64),
    TypeCode.Handle: (64,),
    TypeCode.BFloat: (16,),
}
# Fields that hold a live object, which the reader looks up by the name of the node.
_LIVE_FIELDS = {"domain", "parameter", "function", "image"}


def type_to_data(kind: Type) -> list[Any]:
    """A scalar type as [code, bits], such as ["UInt", 8]."""
    return [kind.code().name, kind.nbits]


def type_of_data(data: Any) -> Type:
    """The type that `type_to_data` wrote. Raises ValueError for other data."""
    match data:
        case [str(code), int(bits)] if code in TypeCode.__members__ and bits in _BITS[TypeCode[code]]:
            # Types are interned by values that compare equal: True must not become the 1 bit of bool.
            return Type(TypeCode[code], int(bits))
    raise ValueError(f"{data!r:.80} is no type")


def constant_of_data(kind: Type, data: Any) -> Const:
    """A constant of a type: a number that it can hold, or the text of a float. Raises ValueError for other data."""
    value = float.fromhex(data) if isinstance(data, str) and kind.floating else data
    if kind.floating:
        fits = type(value) is float or type(value) is int and abs(value) <= sys.float_info.max
    else:
        fits = type(value) is int and not kind.is_handle() and kind.min_value() <= value <= kind.max_value()
    if not fits:
        raise ValueError(f"{data!r:.80} is no {kind}")
    return Const(kind, value)


def node_data(node: Expr, child: Callable[[Expr], Any]) -> list[Any]:
    """The kind and fields of a node without its live objects; `child` gives the data of an operand."""
    kind = type(node)
    if isinstance(node, Const):
        # JSON has no infinities and NaNs; hexadecimal texts of floats are exact.
        value = node.value.hex() if isinstance(node.value, float) else int(node.value)
        return [kind.__name__, type_to_data(node.type), value]

    def field(value: Any) -> Any:
        if isinstance(value, Expr):
            return child(value)
        if isinstance(value, Type):
            return type_to_data(value)
        return [field(item) for item in value] if isinstance(value, tuple) else value

    return [kind.__name__, *[field(getattr(node, name)) for name in kind.FIELDS if name not in _LIVE_FIELDS]]


def node_fields(kind: type[Expr], data: Sequence[Any], child: Callable[[Any], Expr]) -> dict[str, Any]:
    """The fields of a node of this kind by name, live objects None; `child` gives the operand for data.

    Raises ValueError or TypeError for data that do not fit.
    """

    def field(name: str, value: Any) -> Any:
        if name == "type":
            return type_of_data(value)
        if name in ("args", "operands"):
            return tuple([child(item) for item in value])
        if name == "parts":
            return tuple([item if isinstance(item, str) else child(item) for item in value])
        if name in kind.CHILDREN:
            return child(value)
        if kind is Const:
            return value
        # Nodes are interned by values that compare equal: True must not take the place of 1.
        if type(value) is not (int if name in ("value_index", "index") else str):
            raise ValueError(f"{value!r:.80} is no {name}")
        if isinstance(value, str):
            value.encode()  # Lone surrogates raise a UnicodeEncodeError, which is a ValueError.
        return value

    names = [name for name in kind.FIELDS if name not in _LIVE_FIELDS]
    fields = {name: field(name, value) for name, value in zip(names, data, strict=True)}
    return {name: fields.get(name) for name in kind.FIELDS}


def checked_node(kind: type[Expr], fields: dict[str, Any]) -> Expr:
    """The node with these fields; raises ValueError where its operands have other types than it takes."""
    if kind is Const:
        return constant_of_data(*fields.values())
    try:
        node = kind(*fields.values())
        check_type(node)
    except (AssertionError, InternalError) as error:
        raise ValueError(f"the operands of {kind.__name__} do not fit it: {error}") from None
    return node
