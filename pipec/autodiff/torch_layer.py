"""TorchLayer: a pipeline as a module of torch, with parameters that learn."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import torch

from pipec.autodiff.program import Region, Source, TensorProgram, TensorResult, region_of, whole
from pipec.autodiff.torch_operator import Compiler, TorchOperator
from pipec.autodiff.torch_tensors import Input, begin_at_zero, dimensions_of, dtype_of
from pipec.errors import ArgumentError
from pipec.func.buffers.arrays import as_array
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.func import Func
from pipec.func.functions.param import ImageParam, Param


class TorchLayer(torch.nn.Module):
    """A pipeline as a module of torch: `layer(*inputs)` gives its outputs, and gradients flow through it.

    Made by `Pipeline.as_torch`. What it learns are its parameters, so `layer.parameters()` is what an optimizer is
    given. `operator` is the operator that it calls, one of `torch.ops.pipec`.
    """

    def __init__(
        self,
        outputs: Sequence[Func],
        inputs: Sequence[Source],
        parameters: Sequence[Source],
        sizes: Any,
        compiler: Compiler,
        searches: bool,
    ) -> None:
        super().__init__()
        # The function, with its arguments, that makes an equal layer: for pickle, copy.deepcopy and torch.save.
        self.origin: tuple[Any, tuple[Any, ...]] = (None, ())
        name = outputs[0].name()
        self.input_names = [source.name() for source in inputs]
        self.learned_names = [self._learn(source) for source in parameters]
        sources = (*inputs, *parameters)
        program = TensorProgram(sources, lambda: tuple(outputs), _results(outputs, sources, sizes))
        self._operator = TorchOperator(program, name, compiler, searches)
        self.operator = self._operator.call

    def forward(self, *inputs: Any, **named: Any) -> Any:
        """The outputs for these inputs, in order or by name: tensors, or numbers for Params."""
        if named or len(inputs) != len(self.input_names):
            inputs = self._in_order(inputs, named)
        learned = [getattr(self, name) for name in self.learned_names]
        specs = self._operator.signature.inputs
        return self.operator(*[_tensor(v, spec) for v, spec in zip(inputs, specs, strict=False)], *learned)

    def __reduce__(self) -> tuple[Any, ...]:
        rebuild, arguments = self.origin
        own = {name: value for name, value in self.__dict__.items() if name not in ("_operator", "operator", "origin")}
        return rebuild, arguments, own

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Takes over values of parameters in place, since they share memory with Buffers, and all other attributes."""
        for name, value in state.pop("_parameters").items():
            parameter = self.get_parameter(name)
            parameter.data.copy_(value.data)
            parameter.requires_grad_(value.requires_grad)
        self.__dict__.update(state)

    def extra_repr(self) -> str:
        """Returns the text that torch prints inside the module's parentheses."""
        return f"{self._operator.name}({', '.join(self.input_names)})"

    def _learn(self, source: Source) -> str:
        """Register a parameter that shares the memory of a Buffer, or begins with the value of a Param."""
        name = re.sub("[^A-Za-z0-9_]+", "_", source.name())
        kind = dtype_of(source.type(), f"The parameter {source.name()}")
        if not kind.is_floating_point:
            raise ArgumentError(
                f"Error: {source.name()} has elements of {source.type()}, which can't be learned; floats can."
            )
        self.register_parameter(name, torch.nn.Parameter(_start(source, kind)))
        return name

    def _in_order(self, inputs: Sequence[Any], named: dict[str, Any]) -> tuple[Any, ...]:
        values = dict(zip(self.input_names, inputs, strict=False)) | named
        twice = [name for name in self.input_names[: len(inputs)] if name in named]
        if len(inputs) > len(self.input_names) or set(values) != set(self.input_names) or twice:
            raise ArgumentError(
                f"Error: {self._operator.name} takes the inputs ({', '.join(self.input_names)}), each once, in order or"
                f" by name; it was given {len(inputs)} in order and ({', '.join(named)}) by name."
            )
        return tuple([values[name] for name in self.input_names])


def _tensor(value: Any, spec: Input) -> Any:
    if isinstance(value, torch.Tensor):
        return value
    if spec.scalar and isinstance(value, int | float):
        return torch.tensor(value, dtype=spec.dtype)
    spec.check(value)
    return value


def _start(source: Source, kind: torch.dtype) -> torch.Tensor:
    """The initial value of a parameter."""
    if isinstance(source, Param):
        value = source.get()
        if value is None:
            raise ArgumentError(f"Error: Param {source.name()} has no value to begin with; give it one with set().")
        return torch.tensor(value, dtype=kind)
    buffer = source if isinstance(source, Buffer) else source.get()
    if not buffer.defined():
        raise ArgumentError(f"Error: ImageParam {source.name()} has no Buffer to begin with; give it one with set().")
    begin_at_zero(buffer)
    array = as_array(buffer.numpy())
    tensor = torch.from_numpy(array)
    return tensor.view(torch.bfloat16) if kind == torch.bfloat16 else tensor


def _results(outputs: Sequence[Func], sources: Sequence[Source], sizes: Any) -> tuple[TensorResult, ...]:
    """The values of all outputs and where they are computed."""
    several = len(outputs) > 1 and sizes is not None
    if several and (not isinstance(sizes, list | tuple) or len(sizes) != len(outputs)):
        raise ArgumentError(
            f"Error: as_torch() needs a list of sizes for each of the {len(outputs)} outputs, not {sizes!r}."
        )
    results = []
    for at, output in enumerate(outputs):
        own = sizes[at] if several else sizes
        region = _like_first(output, sources) if own is None else region_of(own)
        if len(region) != output.dimensions():
            raise ArgumentError(
                f"Error: The output {output.name()} has {output.dimensions()} dimensions, but {len(region)} sizes were"
                " given: one for each, dimension 0 first, an extent or a (min, extent) pair."
            )
        results += [TensorResult(output.name(), kind, region) for kind in output.types()]
    return tuple(results)


def _like_first(output: Func, sources: Sequence[Source]) -> Region:
    """All of the first image of as many dimensions as the output has."""
    count = output.dimensions()
    if not count:
        return ()
    for source in sources:
        if isinstance(source, ImageParam | Buffer) and dimensions_of(source) == count:
            return whole(source)
    raise ArgumentError(
        f"Error: as_torch() can't tell how large the output {output.name()} is: no input has {count} dimensions as it"
        " has. Give sizes=[...]: an extent for each dimension, dimension 0 first, such as image.width() - 4."
    )


def inputs_of(sources: Sequence[Any], what: str) -> list[Source]:
    """The inputs or parameters that a user lists; `what` names them in errors."""
    for source in sources:
        if not isinstance(source, ImageParam | Param | Buffer):
            raise ArgumentError(
                f"Error: as_torch(): {what} are ImageParams, Params and Buffers, not {type(source).__name__}"
                f" {source!r}."
            )
    return list(sources)
