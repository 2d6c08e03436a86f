"""Estimates: the sizes and numbers that a search assumes. They affect speed, never results."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from pipec.autoschedule.dag.build_dag import Box, Sizes
from pipec.errors import ArgumentError
from pipec.func.buffers.arrays import as_array, constant_strides
from pipec.func.buffers.buffer import Buffer
from pipec.func.buffers.elements import plain_index
from pipec.func.functions.definition import PipelineDef
from pipec.func.functions.freeze import is_buffer
from pipec.func.functions.function import Function
from pipec.func.functions.param import ImageParam
from pipec.func.functions.parameter import Parameter
from pipec.ir.walk import free_variables
from pipec.pipeline.calls.arguments import constraint_number, demanded_strides, number_of
from pipec.pipeline.calls.compiled import box_of, strides_of
from pipec.schedule.bounds import Bound, Estimate
from pipec.schedule.placement import func_schedule
from pipec.schedule.schedule import Schedule

# Extents of dimensions about which nothing is known: width, height, channels, more.
USUAL = (1536, 2560, 3, 4)
Like = Any
"""An array, Buffer or tensor; or a dictionary of them, of sizes, of numbers, by the name of a Func, image or Param."""


def estimated(
    outputs: Sequence[Function],
    definition: PipelineDef,
    bindings: Mapping[str, Any],
    schedule: Schedule,
    like: Like = None,
    sizes: Sequence[int] | Mapping[str, Sequence[int]] | None = None,
) -> Sizes:
    """What is expected of a call.

    In this order: `sizes` (of the outputs), `like`, Buffers that are bound, set_estimates, explicit bounds, the sizes
    of images, and what is usual for photographs. ArgumentError for names that the pipeline does not have and for wrong
    numbers of dimensions.
    """
    like_values = _LikeValues(definition, bindings, like)
    scalars = {name: like_values.number(name, bound) for name, bound in bindings.items() if not is_buffer(bound)}
    images = {}
    for name, bound in bindings.items():
        if is_buffer(bound):
            box = like_values.image(name, bound, scalars)
            if box is not None:
                images[name] = box
    # Without other estimates the result is as large as the largest image.
    picture = max(images.values(), key=lambda box: math.prod([extent for _, extent in box]), default=())
    parameters = {function.name: function.outputs for function in outputs}
    boxes = {}
    for name in definition.outputs:
        box_sizes = sizes.get(name) if isinstance(sizes, Mapping) else sizes
        if box_sizes is not None:
            boxes[name] = _box_of_sizes(name, box_sizes, len(definition.funcs[name].args))
        else:
            boxes[name] = like_values.output(name, schedule, parameters.get(name, []), scalars, picture)
    if isinstance(sizes, Mapping):
        _refuse_unknown("sizes", sizes, definition.outputs)
    used = _used(definition)
    for name in definition.images:
        if name not in images and any(f"{name}.{what}.{d}" in used for what in ("min", "extent") for d in range(16)):
            images[name] = _guessed(definition.images[name].dimensions, boxes[definition.outputs[0]])
    strides = {name: like_values.strides(name, bindings[name], images[name], scalars) for name in images}
    for name, box in boxes.items():
        strides[name] = like_values.strides(name, next(iter(parameters.get(name, ())), None), box, scalars)
    return Sizes(boxes, images, scalars, strides)


class _LikeValues:
    """The values of the argument `like`, by name."""

    def __init__(self, definition: PipelineDef, bindings: Mapping[str, Any], like: Like) -> None:
        self.definition = definition
        self.values: dict[str, Any] = {}
        if like is None:
            return
        if isinstance(like, Mapping):
            _refuse_unknown("like", like, [*definition.outputs, *definition.images, *definition.scalars])
            self.values = dict(like)
            return
        box = _box_of_value("like", like, None)
        fitting = [name for name, image in definition.images.items() if image.dimensions == len(box)]
        # Buffers in the algorithm have sizes of their own; the array stands for an image that may be any.
        free = [name for name in fitting if not isinstance(bindings[name], Buffer)]
        if free or fitting:
            self.values = dict.fromkeys(free or fitting, like)
        else:
            self.values = {name: like for name in definition.outputs if len(definition.funcs[name].args) == len(box)}
        if not self.values:
            raise ArgumentError(
                f"Error: The array given as like= has {len(box)} dimensions; no image or output of {definition.name}"
                " has as many. Give a dictionary: like={name: array or sizes}, with the names"
                f" {', '.join([*definition.outputs, *definition.images])}."
            )

    def number(self, name: str, bound: Parameter) -> float:
        if name in self.values:
            value = self.values[name]
            if isinstance(value, bool | int | float) or hasattr(value, "item") and not getattr(value, "shape", ()):
                return float(value)
            raise ArgumentError(f"Error: like= gives {value!r} for the Param {name}; give a number.")
        for source in (bound.scalar_expr(), bound.estimate(), bound.default_value(), bound.min_value()):
            if source.defined():
                value_of = number_of(source.node, {})
                if value_of is not None:
                    return value_of
        return 1

    def image(self, name: str, bound: Any, scalars: Mapping[str, float]) -> Box | None:
        """Returns the box of an image; None without any estimate."""
        dimensions = self.definition.images[name].dimensions
        if name in self.values:
            return _box_of_value(name, self.values[name], dimensions)
        if isinstance(bound, Buffer):
            return tuple(box_of(bound))
        held = bound.buffer()
        if held is not None:
            return tuple(box_of(held))
        return _estimated_box(bound, dimensions, scalars)

    def strides(self, name: str, bound: Any, box: Box, scalars: Mapping[str, float]) -> dict[int, int]:
        """Returns the strides of an image or output that code is compiled for, by dimension."""
        value = self.values.get(name, bound)
        held = value if isinstance(value, Buffer) else value.buffer() if isinstance(value, Parameter) else None
        array = None if held is not None or value is None else as_array(value)
        if held is not None or array is not None and array.ndim == len(box):
            steps = strides_of(array if held is None else held)
        else:
            steps = demanded_strides(bound, box, scalars)
        return constant_strides(tuple([(*side, step) for side, step in zip(box, steps, strict=True)]))

    def output(
        self, name: str, schedule: Schedule, parameters: Sequence[Any], scalars: Mapping[str, float], picture: Box
    ) -> Box:
        """Returns the box of an output, each dimension from its best estimate."""
        args = self.definition.funcs[name].args
        if name in self.values:
            return _box_of_value(name, self.values[name], len(args))
        demanded = func_schedule(schedule, name)
        own = _estimated_box(parameters[0], len(args), scalars) if parameters else None
        box = []
        for d, var in enumerate(args):
            low, extent = _numbers(demanded.by_dim(Estimate).get(var), scalars)
            bound_low, bound_extent = _numbers(demanded.by_dim(Bound).get(var), scalars)
            usual = picture[d] if d < len(picture) else (0, USUAL[min(d, len(USUAL) - 1)])
            usual = own[d] if own is not None else usual
            start = next((x for x in (low, bound_low) if x is not None), usual[0])
            box.append((start, next((x for x in (extent, bound_extent) if x is not None), usual[1])))
        return tuple(box)


def _numbers(interval: Bound | Estimate | None, scalars: Mapping[str, float]) -> tuple[int | None, ...]:
    ends = (None, None) if interval is None else (interval.minimum, interval.extent)
    values = [None if x is None else number_of(x, scalars) for x in ends]
    return tuple([None if x is None else int(x) for x in values])


def _estimated_box(bound: Parameter, dimensions: int, scalars: Mapping[str, float]) -> Box | None:
    """The box from estimates and constraints of a buffer, when all extents are known."""
    box = []
    for d in range(dimensions):
        low, extent = [_shape_number(bound, kind, d, scalars) for kind in ("min", "extent")]
        if extent is None:
            return None
        box.append((low or 0, extent))
    return tuple(box)


def _shape_number(bound: Parameter, kind: str, d: int, scalars: Mapping[str, float]) -> int | None:
    demanded = constraint_number(bound, kind, d, scalars)
    estimate = bound.shape_estimate(kind, d)
    value = number_of(estimate, scalars) if demanded is None and estimate is not None else demanded
    return None if value is None else int(value)


def _box_of_value(name: str, value: Any, dimensions: int | None) -> Box:
    """The box of an array, Buffer or ImageParam, or from sizes."""
    if isinstance(value, ImageParam) and value.parameter().buffer() is not None:
        value = value.parameter().buffer()
    if isinstance(value, Buffer) or as_array(value) is not None:
        box = tuple(box_of(value))
    elif isinstance(value, list | tuple):
        box = _box_of_sizes(name, value, dimensions)
    else:
        raise ArgumentError(f"Error: {value!r} is no size of {name}: give an array, a Buffer or a list of extents.")
    if dimensions is not None and len(box) != dimensions:
        raise ArgumentError(f"Error: {name} has {dimensions} dimensions; what was given for it has {len(box)}.")
    return box


def _box_of_sizes(name: str, sizes: Sequence[Any], dimensions: int | None) -> Box:
    box = []
    for size in sizes:
        low, extent = size if isinstance(size, list | tuple) and len(size) == 2 else (0, size)
        if (plain_index(extent) or 0) < 1:
            raise ArgumentError(f"Error: The sizes {list(sizes)} given for {name} are not positive whole numbers.")
        box.append((int(low), int(extent)))
    if dimensions is not None and len(box) != dimensions:
        raise ArgumentError(f"Error: {name} has {dimensions} dimensions, but the sizes {list(sizes)} were given.")
    return tuple(box)


def _refuse_unknown(what: str, values: Mapping[str, Any], names: Sequence[str]) -> None:
    for name in values:
        if name not in names:
            raise ArgumentError(
                f"Error: {what}= names {name!r}, which the pipeline does not have. It has: {', '.join(names)}."
            )


def _used(definition: PipelineDef) -> set[str]:
    """The names of all variables in a pipeline."""
    names: set[str] = set()
    for func in definition.funcs.values():
        for stage in func.stages:
            names = names.union(*map(free_variables, stage.expressions))
    return names


def _guessed(dimensions: int, output: Box) -> Box:
    """Returns the box of an image without estimates: that of the output."""
    return tuple([output[d] if d < len(output) else (0, USUAL[min(d, len(USUAL) - 1)]) for d in range(dimensions)])
