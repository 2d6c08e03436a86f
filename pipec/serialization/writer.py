"""Writes pipelines as data."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from typing import Any

import numpy as np

from pipec.errors import NotSupportedError
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.definition import FuncDef, StageDef
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.func.functions.parameter import Parameter
from pipec.ir.expr import Expr, ExternValue, ParameterRef
from pipec.ir.extern_functions import is_pointer_name
from pipec.ir.node_data import NODES, node_data, type_to_data
from pipec.ir.walk import postorder
from pipec.pipeline.pipeline import Pipeline
from pipec.serialization.form import FORMAT, SCALAR_EXPRESSIONS, SHAPE_WORDS, VERSION, Data


def pipeline_data(pipeline: Pipeline, embed_buffers: bool = True) -> bytes:
    """The pipeline as JSON text in UTF-8; `embed_buffers`: with the contents of its Buffers."""
    functions = pipeline._checked()
    definition, bindings = freeze(functions)
    write = _Writer()
    parameters = list(external_parameters(pipeline).values())
    buffers = [bound for bound in bindings.values() if isinstance(bound, Buffer)]
    outputs = [image for function in functions for image in function.outputs]
    body = {
        "outputs": list(definition.outputs),
        "funcs": [write.func(func) for func in definition.funcs.values()],
        "schedule": [directive.to_data(write.expression) for directive in schedule_of(functions).directives],
        "parameters": [write.parameter(parameter) for parameter in parameters],
        "output_parameters": [write.parameter(parameter) for parameter in outputs],
        "buffers": [write.buffer(buffer, embed_buffers) for buffer in buffers],
        "requirements": [
            [write.expression(condition), [part if isinstance(part, str) else write.expression(part) for part in parts]]
            for condition, parts in pipeline.requirements()
        ],
    }
    data = {"format": FORMAT, "version": VERSION, "nodes": write.nodes, **body}
    return json.dumps(data, separators=(",", ":")).encode()


def external_parameters(pipeline: Pipeline) -> dict[str, Parameter]:
    """The Parameters behind the Params and ImageParams that the pipeline reads, by name."""
    _, bindings = freeze([func.function for func in pipeline.outputs()])
    parameters = {name: bound for name, bound in bindings.items() if isinstance(bound, Parameter)}
    for condition, parts in pipeline.requirements():
        for root in (condition, *[part for part in parts if isinstance(part, Expr)]):
            for node in postorder(root):
                if isinstance(node, ParameterRef) and isinstance(node.parameter, Parameter):
                    parameters.setdefault(node.parameter.name(), node.parameter)
    return parameters


class _Writer:
    """Writes definitions; collects the nodes of their expressions in a table."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.numbers: dict[Any, int] = {}

    def expression(self, root: Expr | None) -> int | None:
        """The number of an expression in the table of nodes."""
        if root is None:
            return None
        for node in postorder(root):
            if node not in self.numbers:
                if type(node).__name__ not in NODES:
                    raise NotSupportedError(f"Error: A {type(node).__name__} can't be serialized: {node}")
                if isinstance(node, ExternValue) and is_pointer_name(node.symbol):
                    raise NotSupportedError(
                        "Error: A stage that calls a C function given as a pointer can't be serialized: other processes"
                        " know no such function. Give define_extern the function's name."
                    )
                assert isinstance(node, Expr)
                self.nodes.append(node_data(node, self.numbers.__getitem__))
                self.numbers[node] = len(self.nodes) - 1
        return self.numbers[root]

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
        dims, memory = range(parameter.dimensions()), parameter.memory_type()
        data: Data = {
            "name": parameter.name(),
            "type": type_to_data(parameter.type()),
            "buffer": parameter.is_buffer(),
            "dimensions": parameter.dimensions(),
            "alignment": parameter.host_alignment(),
            "memory": None if memory is None else memory.name,
            "traced": parameter.traced,
        }
        if parameter.is_buffer():
            data["constraints"] = [[self.expression(parameter.constraint(w, d)) for w in SHAPE_WORDS] for d in dims]
            data["estimates"] = [[self.expression(parameter.shape_estimate(w, d)) for w in SHAPE_WORDS] for d in dims]
            return data
        for word in SCALAR_EXPRESSIONS:
            value = getattr(parameter, word)()
            data[word] = self.expression(value.node) if value.defined() else None
        return data

    def buffer(self, buffer: Buffer, embed: bool) -> Data:
        dims = [buffer.dim(d) for d in range(buffer.dimensions())]
        if not embed:
            shape = [[dim.min(), dim.extent(), dim.stride()] for dim in dims]
            return {"name": buffer.name(), "type": type_to_data(buffer.type()), "shape": shape}
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
