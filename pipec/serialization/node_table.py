"""The expressions of a serialized pipeline: each node is built once, when first needed, and checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.function import Function
from pipec.func.functions.parameter import Parameter
from pipec.func.math.target_query import fact_named
from pipec.ir.expr import Const, Expr, FuncCall, ImageCall, ParameterRef, ReductionVariable
from pipec.ir.types import INT32, Type, TypeCode
from pipec.ir.verify import check_type
from pipec.serialization.form import LIVE_FIELDS, NODES, SHAPE_WORDS

_BITS = {
    TypeCode.Int: (8, 16, 32, 64),
    TypeCode.UInt: (1, 8, 16, 32, 64),
    TypeCode.Float: (16, 32, 64),
    TypeCode.Handle: (64,),
    TypeCode.BFloat: (16,),
}


def scalar_type(data: Any) -> Type:
    """The type that [code, bits] stands for."""
    code, bits = data
    if bits not in _BITS[TypeCode[code]]:
        raise ValueError(f"there is no type {code}({bits})")
    return Type(TypeCode[code], bits)


class NodeTable:
    """Nodes by their number; calls refer to Funcs, images and Parameters that exist when the node is built."""

    def __init__(self, data: Sequence[Any], functions: Mapping[str, Function], images: Mapping[str, Any]) -> None:
        self._data, self._functions, self._images = data, functions, images
        self._nodes: list[Expr] = []

    def node(self, place: Any) -> Expr:
        """Node number `place`."""
        if not isinstance(place, int) or isinstance(place, bool) or not 0 <= place < len(self._data):
            raise ValueError(f"{place!r} is no node")
        while len(self._nodes) <= place:
            self._nodes.append(self._build(self._data[len(self._nodes)]))
        return self._nodes[place]

    def _earlier(self, place: Any) -> Expr:
        if not isinstance(place, int) or not 0 <= place < len(self._nodes):
            raise ValueError(f"a node refers to {place!r}, which does not come before it")
        return self._nodes[place]

    def _build(self, data: Any) -> Expr:
        word, *rest = data
        kind = NODES[word]
        names = [name for name in kind.FIELDS if name not in LIVE_FIELDS]
        values = dict(zip(names, rest, strict=True))
        for name, value in values.items():
            values[name] = self._field(kind, name, value)
        live: Any = self._live(kind, values) if len(names) < len(kind.FIELDS) else None
        if kind is FuncCall:
            values["name"] = live.name  # the Func may have got another name than in the data
        made = kind(*[values.get(name, live) for name in kind.FIELDS])
        check_type(made)
        return made

    def _field(self, kind: type[Expr], name: str, value: Any) -> Any:
        if name == "type":
            return scalar_type(value)
        if name in ("args", "operands"):
            return tuple([self._earlier(place) for place in value])
        if name == "parts":
            return tuple([place if isinstance(place, str) else self._earlier(place) for place in value])
        if name in kind.CHILDREN:
            return self._earlier(value)
        if kind is Const:
            return float.fromhex(value) if isinstance(value, str) else int(value)
        if not isinstance(value, int if name in ("value_index", "index") else str):
            raise ValueError(f"{value!r} is no {name}")
        return value

    def _live(self, kind: type[Expr], values: Mapping[str, Any]) -> Any:
        """The object that a call or reference is about; the types must be those of the object."""
        if kind is ReductionVariable:
            _require(values["type"] is INT32, "a reduction variable is an int32")
            return None
        name = values["name"]
        if kind is FuncCall:
            function = self._functions[name]
            index = values["value_index"]
            _require(0 <= index < len(function.types), f"Func {name} has no value number {index}")
            fits = function.types[index] is values["type"] and len(values["args"]) == function.dimensions
            _require(fits, f"a call does not fit Func {name}")
            return function
        if kind is ImageCall:
            image: Buffer | Parameter = self._images[name]
            fits = image.type() is values["type"] and len(values["args"]) == image.dimensions()
            _require(fits and (isinstance(image, Buffer) or image.is_buffer()), f"a call does not fit image {name}")
            return image
        assert kind is ParameterRef
        return self._parameter(name, values["type"])

    def _parameter(self, name: str, kind: Type) -> Any:
        found = self._images.get(name)
        if found is not None:
            scalar = isinstance(found, Parameter) and not found.is_buffer()
            _require(scalar and found.type() is kind, f"a reference does not fit Param {name}")
            return found
        fact = fact_named(name)
        if fact is not None:
            _require(fact.type() is kind, f"{name} has another type")
            return fact
        owner, word, dimension = name.rsplit(".", 2)
        image = self._images[owner]
        fits = word in SHAPE_WORDS and 0 <= int(dimension) < image.dimensions() and kind is INT32
        _require(fits, f"{name} is no property of an image")
        return image


def _require(condition: bool, problem: str) -> None:
    if not condition:
        raise ValueError(problem)
