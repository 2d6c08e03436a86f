"""Pipelines as modules of torch: the arguments of `as_torch`, and what torch's operators compile with."""

from __future__ import annotations

from collections import abc
from collections.abc import Sequence
from typing import Any

from pipec.autodiff.derivative import input_of
from pipec.autodiff.program import Source, param_of
from pipec.autodiff.torch_layer import TorchLayer, inputs_of
from pipec.autodiff.torch_operator import Boxes
from pipec.diagnostics import write as write_log
from pipec.errors import ArgumentError, NotSupportedError
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.freeze import Bindings, freeze
from pipec.func.functions.func import Func
from pipec.func.functions.function import Function
from pipec.func.functions.names import local_names
from pipec.func.functions.param import ImageParam, Param
from pipec.func.functions.wrappers import func_of
from pipec.jit.llvm.machine import host
from pipec.jit.objects import cache
from pipec.jit.objects.source_digest import DEFAULT_SCHEDULER, source_digest
from pipec.jit.runtime.library import default_threads
from pipec.pipeline.calls.arguments import inferred
from pipec.pipeline.calls.callable import Callable
from pipec.pipeline.calls.runnable import jit_target, runnable
from pipec.pipeline.pipeline import Pipeline
from pipec.serialization.reader import scheduled_pipeline_in
from pipec.serialization.writer import pipeline_data


def torch_layer(
    functions: tuple[Function, ...],
    inputs: Sequence[Any] | None,
    sizes: Sequence[Any] | None,
    parameters: Sequence[Any],
    autoschedule: bool,
) -> TorchLayer:
    """The module of torch that computes these outputs, with arguments as those of `as_torch`."""
    trained = inputs_of(parameters, "parameters")
    required = _required(functions)
    if inputs is None:
        names = {source.name() for source in trained}
        sources: list[Any] = [source for name, source in required.items() if name not in names]
    else:
        sources = inputs_of(inputs, "inputs")
    _check_sources(functions[0].name, required, [*sources, *trained])
    outputs = [func_of(function) for function in functions]
    layer = TorchLayer(outputs, sources, trained, sizes, JitCompiler(), autoschedule)
    # Copies of embedded Buffers are those inside of the copied pipeline, known by their names.
    named = [[s.name() if isinstance(s, Buffer) else s for s in group] for group in (sources, trained)]
    layer.origin = _rebuilt, (Pipeline._of(*functions), named[0], sizes, named[1], autoschedule)
    return layer


def _rebuilt(
    pipeline: Pipeline, inputs: Sequence[Any], sizes: Any, parameters: Sequence[Any], autoschedule: bool
) -> TorchLayer:
    """The layer of a copied pipeline; texts among `inputs` and `parameters` are names of Buffers."""
    functions = pipeline._checked()
    bindings = freeze(functions)[1]
    inputs, parameters = [[bindings[s] if isinstance(s, str) else s for s in group] for group in (inputs, parameters)]
    return torch_layer(functions, inputs, sizes, parameters, autoschedule)


def _required(functions: tuple[Function, ...]) -> dict[str, ImageParam | Param]:
    """The ImageParams and Params that are read: images first, each by name."""
    _, bindings = freeze(functions)
    return {argument.name: param_of(argument.source) for argument in inferred(bindings)}


def _check_sources(name: str, required: dict[str, Any], sources: Sequence[Any]) -> None:
    """Raises ArgumentError unless `sources` lists all that is read, each once."""
    names = [source.name() for source in sources]
    missing = [source for source in required if source not in names]
    if missing or len(set(names)) != len(names):
        problem = f"{', '.join(missing)} is missing" if missing else "one is listed twice"
        raise ArgumentError(
            f"Error: as_torch() of {name} needs all that it reads among inputs and parameters, each once:"
            f" {', '.join(required)}. It was given {', '.join(names) or 'nothing'}: {problem}."
        )


def _scheduled(data: bytes, bindings: Bindings) -> list[Func]:
    """The outputs of a cached pipeline, with the names that they had, since the key of machine code has these."""
    with local_names():
        return scheduled_pipeline_in(data, bindings).outputs()


class JitCompiler:
    """Machine code and schedules for torch's operators."""

    def compiled(self, outputs: Sequence[Func], inputs: Sequence[str]) -> Callable:
        """A function of these inputs and a buffer for each result."""
        run = runnable(tuple([output.function for output in outputs]), None)
        bound = run.bindings.items()
        constants = {name: value for name, value in bound if isinstance(value, Buffer) and name not in inputs}
        return Callable(run, [*inputs, *run.output_names], constants)

    def identity(self, outputs: Sequence[Func]) -> str:
        """A text that is equal only for equal pipelines, with what users said of sizes; empty where there is none."""
        try:
            return cache.key_of(pipeline_data(Pipeline(list(outputs)), embed_buffers=False))
        except NotSupportedError:  # of C functions of this process
            return ""

    def cached(
        self, key: str, make: abc.Callable[[], Sequence[Func]], origin: Sequence[Func], inputs: Sequence[Source]
    ) -> Sequence[Func]:
        """The scheduled Funcs cached under `key`, else those that `make` makes, which are cached then.

        They read what the Funcs of `origin` read, and `inputs`.
        """
        machine = repr(host()), str(jit_target(None)), str(default_threads())
        key = cache.key_of("scheduled", source_digest(DEFAULT_SCHEDULER), *machine, key)
        _, bindings = freeze([output.function for output in origin])
        bindings |= {source.name(): input_of(source) for source in inputs}
        data = cache.load(key)
        if data is not None:
            try:
                return _scheduled(data, bindings)
            except ArgumentError as error:
                write_log("cache", f"schedule {key} cannot be read ({error}): made again")
        outputs = make()
        if not cache.enabled():
            return outputs
        data = pipeline_data(Pipeline(list(outputs)), embed_buffers=False)
        cache.store(key, data)
        # Read as other processes will, so that they find the machine code.
        return _scheduled(data, bindings)

    def schedule(self, outputs: Sequence[Func], boxes: Boxes, inputs: dict[str, list[int]], search: bool) -> None:
        """Gives the Funcs a schedule for outputs with these boxes and inputs with these extents, by a search or not."""
        # What the cache has needs no scheduler.
        from pipec.autoschedule.li2018.schedule import default_schedule

        functions = [output.function for output in outputs]
        _, bindings = freeze(functions)
        like = {name: extents for name, extents in inputs.items() if name in bindings and 0 not in extents}
        if search:
            Pipeline(list(outputs)).autoschedule(like, boxes)
        else:
            default_schedule(functions, like, boxes)
