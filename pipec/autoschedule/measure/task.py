"""A task: a pipeline with sizes and inputs, as a value that goes to other processes."""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pipec.autoschedule.dag.roles import at_root, unbounded_funcs
from pipec.errors import ArgumentError
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.definition import PipelineDef
from pipec.func.functions.freeze import freeze, is_buffer
from pipec.func.functions.function import Function
from pipec.func.functions.parameter import Parameter
from pipec.func.math.target_query import for_target
from pipec.ir.types import Type
from pipec.pipeline.calls.arguments import new_buffer, number_of
from pipec.pipeline.calls.runnable import jit_target
from pipec.pipeline.pipeline import Pipeline
from pipec.pipeline.queries import Box, inferred_inputs, output_buffers
from pipec.records import dataclass, field
from pipec.schedule.schedule import Schedule
from pipec.target import Target

if TYPE_CHECKING:
    from pipec.func.buffers.arrays import ArraySource


@dataclass(frozen=True)
class ImageSource:
    """Where a child finds the pixels of an input: in a file that numpy wrote, or drawn at random from a seed."""

    type: Type
    box: tuple[tuple[int, int], ...]  # (min, extent), dimension 0 first
    order: tuple[int, ...]  # of the dimensions in memory, innermost first
    seed: int = 0
    file: Path | None = None

    def buffer(self) -> Buffer:
        """The input, in memory of its own."""
        buffer = Buffer(self.type, [extent for _, extent in self.box], list(self.order))
        array = buffer.numpy()
        array[...] = np.load(self.file) if self.file is not None else self._random(array.shape)
        buffer.set_min([minimum for minimum, _ in self.box])
        return buffer

    def _random(self, shape: tuple[int, ...]) -> np.ndarray:
        generator = np.random.default_rng(self.seed)
        dtype = self.type.numpy()
        if self.type.floating:
            return generator.random(shape, np.float32).astype(dtype)
        if self.type.nbits == 1:
            return generator.integers(0, 2, shape, np.uint8).astype(dtype)
        count = math.prod(shape) * dtype.itemsize
        return np.frombuffer(generator.bytes(count), dtype).reshape(shape)


@dataclass(frozen=True)
class Task:
    """A pipeline for a target, its inputs and Params; of each output buffer its box and the order of its dimensions.

    `schedule`: the user's own directives, which every measured schedule follows; `trusted`: the schedule whose pixels
    are right, None for everything whole, one after the other. `clocked`: the time of each group is measured, too.
    """

    definition: PipelineDef
    target: str
    boxes: Mapping[str, Box]
    orders: Mapping[str, tuple[int, ...]]
    images: Mapping[str, ImageSource | Buffer] = field(default_factory=dict)
    scalars: Mapping[str, float] = field(default_factory=dict)
    schedule: Schedule = Schedule()
    trusted: Schedule | None = None
    clocked: bool = False

    def reference(self) -> Schedule:
        """The schedule whose pixels count."""
        return all_at_root(self.definition) if self.trusted is None else self.schedule + self.trusted

    def inputs(self) -> dict[str, Any]:
        """The values of all arguments but the outputs."""
        images = {n: s if isinstance(s, Buffer) else s.buffer() for n, s in self.images.items()}
        return {**images, **self.scalars}

    def outputs(self) -> dict[str, Buffer]:
        """New memory for each output."""
        buffers = {}
        for name, func, number in output_buffers(self.definition):
            box = self.boxes[name]
            kind = self.definition.funcs[func].types[number]
            buffers[name] = Buffer(kind, [extent for _, extent in box], list(self.orders[name]))
            buffers[name].set_min([minimum for minimum, _ in box])
        return buffers


def all_at_root(definition: PipelineDef) -> Schedule:
    """Returns the schedule that computes every Func whole before its consumers, where lowering can bound it."""
    return at_root(definition, unbounded_funcs(definition))


def task_of(
    pipeline: Pipeline,
    sizes: Sequence[int] | Mapping[str, Sequence[int]],
    *,
    arrays: Mapping[str, ArraySource] | None = None,
    values: Mapping[str, float] | None = None,
    target: Target | None = None,
    folder: Path | None = None,
    seed: int = 0,
) -> Task:
    """The task of computing outputs of these sizes (of all outputs, or by the name of the output Func).

    `arrays`, `values`: images and numbers for ImageParams and Params by name. Others take the Buffer or number that
    was set, then the estimate; pixels that nobody gave are random. Arrays are written to `folder` when one is given, so
    that they need not go along with every message.
    """
    definition, bindings = freeze([func.function for func in pipeline.outputs()])
    chosen = jit_target(target)
    definition = for_target(definition, chosen)
    boxes = _output_boxes(definition, sizes)
    scalars = {n: _number(n, b, values or {}) for n, b in bindings.items() if not is_buffer(b)}
    images: dict[str, ImageSource | Buffer] = {}
    for name, bound in bindings.items():
        if is_buffer(bound):
            source = _image_source(name, bound, arrays or {}, scalars, seed)
            if source is not None:
                images[name] = source if folder is None else _in_file(source, folder)
    missing = {name: bound for name, bound in bindings.items() if is_buffer(bound) and name not in images}
    if missing:
        boxes_of_images = {name: _box_of(source) for name, source in images.items()}
        schedule = all_at_root(definition)
        for name, buffer in inferred_inputs(definition, schedule, boxes, scalars, boxes_of_images, missing).items():
            images[name] = ImageSource(buffer.type(), tuple(_box_of(buffer)), order_of(buffer), _seed_of(name, seed))
    orders = orders_of([func.function for func in pipeline.outputs()], definition, boxes, scalars)
    return Task(definition, str(chosen), boxes, orders, images, scalars)


def _output_boxes(definition: PipelineDef, sizes: Sequence[int] | Mapping[str, Sequence[int]]) -> dict[str, Box]:
    boxes: dict[str, Box] = {}
    for buffer, func, _ in output_buffers(definition):
        extents = sizes[func] if isinstance(sizes, Mapping) else sizes
        dimensions = len(definition.funcs[func].args)
        if len(extents) != dimensions:
            raise ArgumentError(
                f"Error: Output {func} has {dimensions} dimensions, but the sizes {list(extents)} were given."
            )
        boxes[buffer] = [(0, int(extent)) for extent in extents]
    return boxes


def orders_of(
    outputs: Sequence[Function], definition: PipelineDef, boxes: Mapping[str, Box], scalars: Mapping[str, float]
) -> dict[str, tuple[int, ...]]:
    """How outputs lie in memory, where the user demands strides."""
    demands = {image.name(): image for function in outputs for image in function.outputs}
    orders = {}
    for name, func, number in output_buffers(definition):
        kind = definition.funcs[func].types[number]
        orders[name] = order_of(new_buffer(kind, boxes[name], demands.get(name), scalars))
    return orders


def order_of(buffer: Buffer) -> tuple[int, ...]:
    """The dimensions as they lie in memory, innermost first."""
    return tuple(sorted(range(buffer.dimensions()), key=lambda d: (abs(buffer.dim(d).stride()), d)))


def _number(name: str, bound: Parameter, values: Mapping[str, float]) -> float:
    if name in values:
        return values[name]
    for source in (bound.scalar_expr(), bound.estimate(), bound.default_value()):
        number = number_of(source.node, {}) if source.defined() else None
        if number is not None:
            return number
    return 1


def _image_source(
    name: str, bound: Any, arrays: Mapping[str, ArraySource], scalars: Mapping[str, float], seed: int
) -> ImageSource | Buffer | None:
    if name in arrays:
        return Buffer(arrays[name])
    if isinstance(bound, Buffer):
        return bound
    held = bound.buffer()
    if held is not None:
        return Buffer(held)
    box = []
    for d in range(bound.dimensions()):
        extent, minimum = bound.shape_estimate("extent", d), bound.shape_estimate("min", d)
        size = None if extent is None else number_of(extent, scalars)
        low = 0 if minimum is None else number_of(minimum, scalars)
        if size is None or low is None:
            return None
        box.append((int(low), int(size)))
    order = order_of(new_buffer(bound.type(), box, bound, scalars))
    return ImageSource(bound.type(), tuple(box), order, _seed_of(name, seed))


def _in_file(source: ImageSource | Buffer, folder: Path) -> ImageSource:
    if isinstance(source, ImageSource):
        return source
    file = folder / f"{len(list(folder.iterdir()))}.npy"
    np.save(file, source.numpy())
    return ImageSource(source.type(), tuple(_box_of(source)), order_of(source), file=file)


def _box_of(source: ImageSource | Buffer) -> Box:
    if isinstance(source, ImageSource):
        return list(source.box)
    return [(source.dim(d).min(), source.dim(d).extent()) for d in range(source.dimensions())]


def _seed_of(name: str, seed: int) -> int:
    return zlib.crc32(name.encode(), seed)
