"""The expressions of a serialized pipeline: each node is built once, when first needed, and checked."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pipec.errors import ArgumentError
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.function import Function
from pipec.func.functions.parameter import Parameter
from pipec.func.math.target_query import fact_named
from pipec.ir.expr import Effect, Expr, ExternValue, FuncCall, ImageCall, ParameterRef, ReductionVariable
from pipec.ir.node_data import NODES, checked_node, node_fields
from pipec.ir.types import INT32, Type
from pipec.serialization.form import SHAPE_WORDS

# The field of a node that holds a live object.
_LIVE: dict[type[Expr], str] = {
    FuncCall: "function",
    ImageCall: "image",
    ParameterRef: "parameter",
    ReductionVariable: "domain",
}
_EFFECTS = ("print", "require")


class NodeTable:
    """Nodes by their number; calls refer to Funcs, images and Parameters that exist when the node is built.

    `extern_functions`: the C functions that extern stages may call; None: any, for data that will not run.
    """

    def __init__(
        self,
        data: Sequence[Any],
        functions: Mapping[str, Function],
        images: Mapping[str, Any],
        extern_functions: Collection[str] | None,
    ) -> None:
        self._data, self._functions, self._images = data, functions, images
        self._extern_functions = extern_functions
        self._nodes: list[Expr] = []

    def node(self, place: Any) -> Expr:
        """Node number `place`."""
        if type(place) is not int or not 0 <= place < len(self._data):
            raise ValueError(f"{place!r} is no node")
        while len(self._nodes) <= place:
            self._nodes.append(self._build(self._data[len(self._nodes)]))
        return self._nodes[place]

    def _earlier(self, place: Any) -> Expr:
        if type(place) is not int or not 0 <= place < len(self._nodes):
            raise ValueError(f"a node refers to {place!r}, which does not come before it")
        return self._nodes[place]

    def _build(self, data: Any) -> Expr:
        word, *rest = data
        kind = NODES[word]
        fields = node_fields(kind, rest, self._earlier)
        if kind is ExternValue:
            self._check_extern(fields["symbol"])
        if kind is Effect:
            _require(fields["kind"] in _EFFECTS, f"{fields['kind']} is no effect")
        if kind in _LIVE:
            live = self._live(kind, fields)
            fields[_LIVE[kind]] = live
            if kind is FuncCall:
                fields["name"] = live.name  # the name in the data may be in use already
        return checked_node(kind, fields)

    def _check_extern(self, symbol: str) -> None:
        """Raises unless the caller allows the pipeline to call this C function."""
        if self._extern_functions is not None and symbol not in self._extern_functions:
            raise ArgumentError(
                f"Error: The serialized pipeline calls the C function {symbol} of this process. Data could name any"
                f" function, so it must be allowed: deserialize_pipeline(..., extern_functions=[{symbol!r}])."
            )

    def _live(self, kind: type[Expr], values: Mapping[str, Any]) -> Any:
        """The object that a call or reference names; raises ValueError where it has other types."""
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
        parameter = self._images.get(name)
        if parameter is not None:
            scalar = isinstance(parameter, Parameter) and not parameter.is_buffer()
            _require(scalar and parameter.type() is kind, f"a reference does not fit Param {name}")
            return parameter
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
