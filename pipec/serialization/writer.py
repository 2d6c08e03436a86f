"""From a pipeline to data."""

from __future__ import annotations

import base64
import enum
import json
from collections.abc import Iterable
from typing import Any

import numpy as np

from pipec.errors import NotSupportedError
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.definition import FuncDef, StageDef
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.func.functions.parameter import Parameter
from pipec.ir.expr import Const, Expr, ExternValue, ParameterRef
from pipec.ir.extern_functions import is_pointer_name
from pipec.ir.type_data import type_to_data
from pipec.ir.types import Type
from pipec.ir.walk import postorder
from pipec.pipeline.pipeline import Pipeline
from pipec.records import fields
from pipec.schedule.directive import Directive, LoopLevel, StageRef
from pipec.serialization.form import (
    FORMAT,
    LIVE_FIELDS,
    NODES,
    SCALAR_EXPRESSIONS,
    SHAPE_WORDS,
    VERSION,
    Data,
)
from pipec.serialization.replay import REPLAYED


def pipeline_data(pipeline: Pipeline) -> bytes:
    """The pipeline as JSON text in UTF-8."""
    functions = [func.function for func in pipeline.outputs()]
    definition, bindings = freeze(functions)
    write = _Writer()
    demands = pipeline.requirements()
    parameters = list(external_parameters(pipeline).values())
    buffers = [bound for bound in bindings.values() if isinstance(bound, Buffer)]
    outputs = [image for function in functions for image in function.outputs]
    body = {
        "outputs": list(definition.outputs),
        "funcs": [write.func(func) for func in definition.funcs.values()],
        "schedule": [write.directive(directive) for directive in schedule_of(functions).directives],
        "parameters": [write.parameter(parameter) for parameter in parameters],
        "output_parameters": [write.parameter(parameter) for parameter in outputs],
        "buffers": [write.buffer(buffer) for buffer in buffers],
        "requirements": [
            [write.expression(condition), [write.value(part) for part in parts]] for condition, parts in demands
        ],
    }
    data = {"format": FORMAT, "version": VERSION, "nodes": write.nodes, **body}
    return json.dumps(data, separators=(",", ":")).encode()


def external_parameters(pipeline: Pipeline) -> dict[str, Parameter]:
    """The Parameters behind the Params and ImageParams that the pipeline reads, by name."""
    _, bindings = freeze([func.function for func in pipeline.outputs()])
    found = {name: bound for name, bound in bindings.items() if isinstance(bound, Parameter)}
    for condition, parts in pipeline.requirements():
        for root in (condition, *[part for part in parts if isinstance(part, Expr)]):
            for node in postorder(root):
                if isinstance(node, ParameterRef) and isinstance(node.parameter, Parameter):
                    found.setdefault(node.parameter.name(), node.parameter)
    return found


class _Writer:
    """Writes definitions; collects the nodes of their expressions in a table."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.numbers: dict[Any, int] = {}

    def expression(self, root: Expr | None) -> int | None:
        """The place of an expression in the table of nodes."""
        if root is None:
            return None
        for node in postorder(root):
            if node not in self.numbers:
                self.nodes.append(self._node(node))
                self.numbers[node] = len(self.nodes) - 1
        return self.numbers[root]

    def _node(self, node: Any) -> list[Any]:
        kind = type(node).__name__
        if kind not in NODES:
            raise NotSupportedError(f"Error: A {kind} can't be serialized: {node}")
        if isinstance(node, ExternValue) and is_pointer_name(node.symbol):
            raise NotSupportedError(
                "Error: A stage that calls a C function given as a pointer can't be serialized: other processes know no"
                " such function. Give define_extern the function's name."
            )
        if isinstance(node, Const):
            return [kind, type_to_data(node.type), _number(node.value)]
        fields = [name for name in node.FIELDS if name not in LIVE_FIELDS]
        return [kind, *[self._field(getattr(node, name)) for name in fields]]

    def _field(self, value: Any) -> Any:
        if isinstance(value, Expr):
            return self.numbers[value]
        if isinstance(value, Type):
            return type_to_data(value)
        return [self._field(item) for item in value] if isinstance(value, tuple) else value

    def value(self, value: Any) -> Any:
        """A field of a directive, or a part of a requirement."""
        match value:
            case Expr():
                return ["Expr", self.expression(value)]
            case StageRef():
                return ["StageRef", value.func, value.stage, *value.path]
            case LoopLevel():
                return ["LoopLevel", value.func, value.var, value.stage]
            case Directive():
                return ["Directive", self.directive(value)]
            case enum.Enum():
                return ["Enum", type(value).__name__, value.name]
            case tuple():
                return ["tuple", *map(self.value, value)]
            case None | bool() | int() | str():
                return value
        raise NotSupportedError(f"Error: {value!r} can't be serialized.")

    def directive(self, directive: Any) -> Data:
        word = type(directive).__name__
        if word not in REPLAYED:
            raise NotSupportedError(f"Error: A schedule with {word} can't be serialized: {directive}.")
        values = {field.name: self.value(getattr(directive, field.name)) for field in fields(directive)}
        return {"do": word, **values}

    def func(self, func: FuncDef) -> Data:
        types = [type_to_data(kind) for kind in func.types]
        return {
            "name": func.name,
            "args": list(func.args),
            "types": types,
            "stages": [self.stage(stage) for stage in func.stages],
        }

    def stage(self, stage: StageDef) -> Data:
        return {
            "args": self._all(stage.args),
            "values": self._all(stage.values),
            "rvars": [[loop.name, self.expression(loop.minimum), self.expression(loop.extent)] for loop in stage.rvars],
            "predicate": self.expression(stage.predicate),
        }

    def _all(self, expressions: Iterable[Expr]) -> list[int | None]:
        return [self.expression(e) for e in expressions]

    def parameter(self, parameter: Parameter) -> Data:
        dims = range(parameter.dimensions())
        data: Data = {
            "name": parameter.name(),
            "type": type_to_data(parameter.type()),
            "buffer": parameter.is_buffer(),
            "dimensions": parameter.dimensions(),
            "alignment": parameter.host_alignment(),
            "memory": self.value(parameter.memory_type()),
            "traced": parameter.traced,
        }
        if parameter.is_buffer():
            data["constraints"] = [[self.expression(parameter.constraint(w, d)) for w in SHAPE_WORDS] for d in dims]
            data["estimates"] = [[self.expression(parameter.shape_estimate(w, d)) for w in SHAPE_WORDS] for d in dims]
            return data
        for word in SCALAR_EXPRESSIONS:
            found = getattr(parameter, word)()
            data[word] = self.expression(found.node) if found.defined() else None
        return data

    def buffer(self, buffer: Buffer) -> Data:
        dims = [buffer.dim(d) for d in range(buffer.dimensions())]
        # Innermost first, so that the data come back in the same layout.
        order = sorted(range(len(dims)), key=lambda d: (abs(dims[d].stride()), d))
        array = np.asarray(buffer).transpose()
        dense = np.ascontiguousarray(array.transpose(order[::-1]))
        return {
            "name": buffer.name(),
            "type": type_to_data(buffer.type()),
            "mins": [dim.min() for dim in dims],
            "extents": [dim.extent() for dim in dims],
            "order": order,
            "data": base64.b64encode(dense.tobytes()).decode(),
        }


def _number(value: Any) -> Any:
    # JSON has no infinities and NaNs; texts of hexadecimal floats are exact.
    return value.hex() if isinstance(value, float) else int(value)
