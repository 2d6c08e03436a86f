"""Reads pipelines from data of unknown origin, with all checks of a user's own program."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from pipec.errors import ArgumentError, InternalError, PipecError
from pipec.func.buffers.buffer import Buffer
from pipec.func.directives.scheduled import replay
from pipec.func.functions.define import define_pure, define_update
from pipec.func.functions.definition import ReductionLoop, user_location
from pipec.func.functions.function import Function
from pipec.func.functions.parameter import Parameter, output_parameters
from pipec.func.functions.rdom import ReductionDomain
from pipec.func.functions.wrappers import func_of
from pipec.func.math.expr import Expr, wrap
from pipec.ir.expr import Expr as Node
from pipec.ir.expr import ReductionVariable, Variable
from pipec.ir.node_data import type_of_data
from pipec.ir.stmt import MemoryType
from pipec.ir.types import INT32
from pipec.ir.walk import postorder, rewrite
from pipec.pipeline.pipeline import Pipeline
from pipec.schedule.directive import directive_from_data
from pipec.schedule.fields import Renaming
from pipec.serialization.form import FORMAT, SCALAR_EXPRESSIONS, SHAPE_WORDS, VERSION, Data
from pipec.serialization.node_table import NodeTable

_MALFORMED = (
    KeyError,
    IndexError,
    TypeError,
    ValueError,
    AttributeError,
    AssertionError,
    OverflowError,
    RecursionError,
    InternalError,
)


def pipeline_in(data: bytes, user_params: Mapping[str, Parameter], extern_functions: Collection[str]) -> Pipeline:
    """The pipeline that `data` holds; `extern_functions`: the C functions that it may call."""
    return _read(data, user_params, extern_functions).pipeline


def scheduled_pipeline_in(data: bytes, bindings: Mapping[str, Any]) -> Pipeline:
    """The pipeline that `data` holds without the contents of Buffers; it reads `bindings`, Parameters and Buffers."""
    parameters = {name: bound for name, bound in bindings.items() if isinstance(bound, Parameter)}
    buffers = {name: bound for name, bound in bindings.items() if isinstance(bound, Buffer)}
    return _read(data, parameters, frozenset(), buffers).pipeline


def parameters_in(data: bytes) -> dict[str, Parameter]:
    """The Parameters of the pipeline that `data` holds, by name."""
    return _read(data, {}, None).parameters


def _read(
    data: bytes,
    user_params: Mapping[str, Parameter],
    extern_functions: Collection[str] | None,
    buffers: Mapping[str, Buffer] | None = None,
) -> _Reader:
    try:
        content = json.loads(data)
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise ArgumentError("Error: The data is no serialized pipeline of pipec.")
        if content.get("version") != VERSION:
            raise ArgumentError(
                f"Error: The pipeline was serialized in version {content.get('version')!r} of the format; this pipec"
                f" reads version {VERSION}."
            )
        return _Reader(content, user_params, extern_functions, buffers or {})
    except PipecError:
        raise
    except _MALFORMED as error:
        raise ArgumentError(
            f"Error: The data is no serialized pipeline of pipec, or is damaged ({type(error).__name__}: {error})."
        ) from None


class _Reader:
    """Builds Funcs, Parameters and Buffers from the data, then the pipeline."""

    def __init__(
        self,
        data: Data,
        user_params: Mapping[str, Parameter],
        extern_functions: Collection[str] | None,
        buffers: Mapping[str, Buffer],
    ) -> None:
        self.parameters: dict[str, Parameter] = {}
        self.functions: dict[str, Function] = {}
        images: dict[str, Any] = {}
        for item in data["parameters"]:
            name = _text(item["name"])
            self.parameters[name] = _parameter(item, name, user_params.get(name))
        for item in data["buffers"]:
            name = _text(item["name"])
            images[name] = _buffer(item) if "data" in item else buffers[name]
        if len(images) + len(self.parameters) != len(data["buffers"]) + len(data["parameters"]):
            raise ValueError("two arguments have the same name")
        images |= self.parameters
        self.table = NodeTable(data["nodes"], self.functions, images, extern_functions)
        for item in data["funcs"]:
            self._func(item)
        outputs = [self.functions[name] for name in data["outputs"]]
        if not outputs:
            raise ValueError("it has no outputs")
        # Constraints on an output buffer may refer to other output buffers.
        for name in data["outputs"]:
            for at, image in enumerate(output_parameters(self.functions[name])):
                count = len(self.functions[name].types)
                images[name if count == 1 else f"{name}.{at}"] = image
        for item in data["parameters"]:
            if item["name"] not in user_params:
                self._constraints(self.parameters[item["name"]], item)
        for item in data["output_parameters"]:
            self._constraints(images[item["name"]], item)
        self._schedule(data["schedule"])
        self.pipeline = Pipeline([func_of(function) for function in outputs])
        for condition, parts in data["requirements"]:
            self.pipeline.add_requirement(self._expr(condition), *[self._part(part) for part in parts])

    def _schedule(self, items: Any) -> None:
        """Applies the directives to the Funcs, with the checks of a user's own program."""
        # The name of a Func in the data may be in use already.
        renaming = Renaming(lambda name: self.functions[name].name if name in self.functions else name)
        functions = {function.name: function for function in self.functions.values()}
        for item in items:
            replay(directive_from_data(item, self.table.node).renamed(renaming), functions)

    def _expr(self, place: Any) -> Expr:
        return wrap(self.table.node(place))

    def _part(self, part: Any) -> Any:
        return part if isinstance(part, str) else self._expr(part)

    def _func(self, item: Data) -> None:
        location = user_location()
        name = _text(item["name"])
        if name in self.functions:
            raise ValueError(f"there are two Funcs {name}")
        function = self.functions[name] = Function(name, location)
        first, *updates = item["stages"]
        args = [_text(arg) for arg in item["args"]]
        values = [self.table.node(place) for place in first["values"]]
        define_pure(function, args, values, location)
        if not values or [type_of_data(kind) for kind in item["types"]] != list(function.types):
            raise ValueError(f"the types of Func {name} are not those of its values")
        for stage in updates:
            self._update(function, stage)

    def _update(self, function: Function, stage: Data) -> None:
        left = [self.table.node(place) for place in stage["args"]]
        values = [self.table.node(place) for place in stage["values"]]
        if len(left) != function.dimensions or any(arg.type is not INT32 for arg in left):
            raise ValueError(f"the left-hand side of an update of {function.name} does not fit it")
        domain = self._domain(stage["rvars"])
        predicate = self.table.node(stage["predicate"])
        if not predicate.type.boolean:
            raise ValueError("a predicate is no bool")
        names = {loop.name for loop in domain.loops} if domain is not None else set()
        for root in (*left, *values, predicate):
            for node in postorder(root):
                if isinstance(node, ReductionVariable) and node.name not in names:
                    raise ValueError(f"{node.name} is no variable of the reduction")
        if domain is not None:
            domain.predicate = predicate
            memo: dict[Any, Any] = {}
            left = [_in_domain(node, domain, memo) for node in left]
            values = [_in_domain(node, domain, memo) for node in values]
        define_update(function, left, values, user_location(), domain)

    def _domain(self, rvars: Any) -> ReductionDomain | None:
        loops = []
        for name, minimum, extent in rvars:
            bounds = self.table.node(minimum), self.table.node(extent)
            for bound in bounds:
                if bound.type is not INT32 or any(
                    isinstance(n, Variable | ReductionVariable) for n in postorder(bound)
                ):
                    raise ValueError(f"the bounds of {name} are not int32 expressions of Params")
            loops.append(ReductionLoop(_text(name), *bounds))
        if len({loop.name for loop in loops}) != len(loops):
            raise ValueError("two variables of a reduction have the same name")
        return ReductionDomain(loops[0].name.partition("$")[0], tuple(loops)) if loops else None

    def _constraints(self, parameter: Parameter, item: Data) -> None:
        """Reads the constraints and estimates of an argument."""
        parameter.set_host_alignment(item["alignment"])
        if item["traced"] is True:
            parameter.traced = True
        if item["memory"] is not None:
            parameter.store_in(MemoryType[item["memory"]])
        if not parameter.is_buffer():
            for word in SCALAR_EXPRESSIONS:
                if item[word] is not None:
                    getattr(parameter, f"set_{word}")(self._expr(item[word]))
            return
        if len(item["constraints"]) != parameter.dimensions() or len(item["estimates"]) != parameter.dimensions():
            raise ValueError(f"what is said of {parameter.name()} does not fit its dimensions")
        for d, (constraints, estimates) in enumerate(zip(item["constraints"], item["estimates"], strict=True)):
            for word, place in zip(SHAPE_WORDS, constraints, strict=True):
                parameter.constrain(word, d, Expr() if place is None else self._expr(place), by_default=True)
            for word, place in zip(SHAPE_WORDS, estimates, strict=True):
                if place is not None:
                    parameter.estimate_shape(word, d, self._expr(place))


def _in_domain(node: Node, domain: ReductionDomain, memo: dict[Any, Any]) -> Node:
    def change(n: Any) -> Any:
        return ReductionVariable(n.type, n.name, domain) if isinstance(n, ReductionVariable) else n

    return rewrite(node, change, memo)


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError(f"{value!r} is no name")
    return value


def _parameter(item: Data, name: str, replacement: Parameter | None) -> Parameter:
    kind, is_buffer, dimensions = type_of_data(item["type"]), item["buffer"], item["dimensions"]
    if type(is_buffer) is not bool or type(dimensions) is not int:
        raise ValueError(f"{name} is no argument")
    if replacement is None:
        return Parameter(kind, is_buffer, dimensions, name)
    if (replacement.type(), replacement.is_buffer(), replacement.dimensions()) != (kind, is_buffer, dimensions):
        raise ArgumentError(
            f"Error: The Parameter given for {name} has type {replacement.type()} and {replacement.dimensions()}"
            f" dimensions; the pipeline needs {'an image' if is_buffer else 'a scalar'} of type {kind} and {dimensions}"
            " dimensions."
        )
    if replacement.name() != name:
        raise ArgumentError(f"Error: The Parameter given for {name} has another name: {replacement.name()}.")
    return replacement


def _buffer(item: Data) -> Buffer:
    kind, extents, order = type_of_data(item["type"]), item["extents"], item["order"]
    contents = base64.b64decode(item["data"], validate=True)
    dtype = kind.numpy()
    if any(type(number) is not int for number in (*extents, *order, *item["mins"])):
        raise ValueError(f"the sizes of buffer {item['name']} are no whole numbers")
    if min(extents, default=0) < 0 or len(contents) != math.prod(extents) * dtype.itemsize:
        raise ValueError(f"the data of buffer {item['name']} does not fit its extents")
    buffer = Buffer(kind, extents, order, _text(item["name"]))
    if contents:
        outermost_first = list(reversed(order))
        array = np.frombuffer(contents, dtype).reshape([extents[d] for d in outermost_first])
        axes = np.argsort(outermost_first)
        np.asarray(buffer).transpose()[...] = array.transpose(axes) if extents else array
    buffer.set_min(item["mins"])
    return buffer
