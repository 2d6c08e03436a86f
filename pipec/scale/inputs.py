"""What users give by name: the images and numbers of a call, and the sizes of its outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pipec.errors import ArgumentError, DimensionError
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.parameter import exact_value
from pipec.pipeline.calls.arguments import bound_value
from pipec.pipeline.queries import Box
from pipec.scale.windows import FrozenPipeline


def named_values(program: FrozenPipeline, inputs: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The images and the numbers among `inputs`, by the full names of the arguments.

    ImageParams that are bound to Buffers are images too. Raises ArgumentError for other names and for values that are
    missing.
    """
    if not isinstance(inputs, Mapping):
        raise ArgumentError(
            f"Error: Inputs are given by the names of ImageParams and Params, {{'name': array}}, not as {inputs!r:.80}."
        )
    parameters = {name: bound for name, bound in program.bindings.items() if not isinstance(bound, Buffer)}
    short = {name.partition("$")[0]: name for name in reversed(list(parameters))}
    images: dict[str, Any] = {}
    scalars: dict[str, Any] = {}
    for key, value in inputs.items():
        name = key if key in parameters else short.get(key)
        if name is None:
            names = ", ".join(sorted(short)) or "none"
            raise ArgumentError(f"Error: The pipeline has no input {key!r}. Its ImageParams and Params are: {names}.")
        bound = parameters[name]
        if bound.is_buffer():
            images[name] = value
        else:
            scalars[name] = exact_value(value, bound.type(), f"Param {name}")
    for name, bound in parameters.items():
        if bound.is_buffer() and name not in images:
            if bound.buffer() is None:
                raise ArgumentError(f"Error: Input {name} has no array: pass {{'{name.partition('$')[0]}': array}}.")
            images[name] = bound_value(name, bound)
    return images, scalars


def output_sizes(program: FrozenPipeline, whole: Mapping[str, Box], sizes: Sequence[int] | None) -> Box:
    """The box of the outputs: `sizes`, dimension 0 first, or that of the first image with as many dimensions.

    Raises DimensionError, ArgumentError where neither fits.
    """
    counts = {name: len(program.definition.funcs[name].args) for name in program.definition.outputs}
    if len(set(counts.values())) > 1:
        raise DimensionError(
            f"Error: The outputs differ in their dimensions ({counts}); compute each in a run of its own."
        )
    count = next(iter(counts.values()))
    if sizes is None:
        like = next((box for box in whole.values() if len(box) == count), None)
        if like is None:
            raise ArgumentError(
                f"Error: No input has {count} dimensions, as the output has: pass sizes=[width, height, ...]."
            )
        return list(like)
    if len(sizes) != count:
        raise DimensionError(
            f"Error: sizes={list(sizes)!r} must have {count} sizes, as {next(iter(counts))} has dimensions."
        )
    if min(sizes, default=1) < 1:
        raise ArgumentError(f"Error: sizes={list(sizes)!r} must be positive.")
    return [(0, int(size)) for size in sizes]
