"""Copies of Pipelines and Callables, for pickle, copy.deepcopy and torch.save: they travel as serialized pipelines.

The Params and ImageParams that a pipeline reads travel beside it as objects, with their values and images. A Param that
is pickled together with the pipeline is therefore the same one afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.parameter import Parameter
from pipec.ir.expr import ExternValue
from pipec.pipeline.calls.callable import Callable
from pipec.pipeline.calls.runnable import Runnable
from pipec.pipeline.pipeline import Pipeline
from pipec.serialization import deserialize_pipeline, serialize_pipeline
from pipec.target import Target


def reduced_pipeline(pipeline: Pipeline) -> tuple[Any, ...]:
    """Returns the value of `Pipeline.__reduce__`."""
    if not pipeline.defined():
        return Pipeline, ()
    data, parameters = serialize_pipeline(pipeline, get_params=True)
    stages = [stage for func in pipeline._runnable_definition().funcs.values() for stage in func.stages]
    values = [value for stage in stages for value in stage.values]
    symbols = tuple(dict.fromkeys([value.symbol for value in values if isinstance(value, ExternValue)]))
    return _restored_pipeline, (data, parameters, symbols)


def _restored_pipeline(data: bytes, parameters: Mapping[str, Parameter], symbols: Sequence[str]) -> Pipeline:
    return deserialize_pipeline(data, parameters, extern_functions=symbols)


def reduced_callable(run: Runnable, inputs: Sequence[str]) -> tuple[Any, ...]:
    """Returns the value of `Callable.__reduce__`; `inputs`: the names of the arguments before the outputs."""
    functions = {function.name: function for function in run.functions}
    pipeline = Pipeline._of(*[functions[name] for name in run.definition.outputs])
    pipeline._requirements = list(run.requirements)
    return _restored_callable, (pipeline, tuple(inputs), run.compiled.target)


def _restored_callable(pipeline: Pipeline, inputs: Sequence[str], target: Target) -> Callable:
    run = pipeline._runnable(target)
    constants = {name: bound for name, bound in run.bindings.items() if isinstance(bound, Buffer)}
    return Callable(run, [*inputs, *run.output_names], constants)
