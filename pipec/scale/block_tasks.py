"""The tasks of dask: what workers compute of the blocks of an output, and of reductions over whole images."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from pipec.errors import TileError
from pipec.func.buffers.buffer import Buffer
from pipec.ir.expr import Const
from pipec.pipeline.calls.thread_limit import limited_threads
from pipec.pipeline.queries import Box
from pipec.records import dataclass
from pipec.scale.block_plans import BlockPiece, BlockPlan, WindowPart
from pipec.scale.overlap import RecycledArrays
from pipec.scale.reduction_programs import STRIP_EXTENT, STRIP_MIN, part_name, state_name
from pipec.scale.storage import part_of
from pipec.scale.windowed_reader import slices_of
from pipec.scale.windows import WindowedPipeline
from pipec.scale.worker_pipelines import PortablePipeline

_recycled = RecycledArrays()


class NamedSource:
    """An array on disk that is an input of a pipeline: errors while it is read name the input and the part."""

    def __init__(self, name: str, array: Any) -> None:
        self.name, self.array = name, array
        self.shape, self.dtype, self.ndim = array.shape, array.dtype, array.ndim

    def __dask_tokenize__(self) -> Any:
        from dask.base import normalize_token

        return "pipec.NamedSource", self.name, normalize_token(self.array)

    def __getitem__(self, part: tuple[slice, ...]) -> Any:
        try:
            return self.array[part]
        except Exception as error:
            ranges = ", ".join([f"{one.start} to {one.stop - 1}" for one in part])
            raise TileError(
                f"Error: Input {self.name} (rows first: {ranges}) could not be read: {type(error).__name__}: {error}"
            ) from error


def compute_block(portable: PortablePipeline, plan: BlockPlan, blocks: Sequence[Any]) -> Any:
    """The block of a plan, a tuple for several outputs. `blocks`: those of the inputs, as the plan numbers them."""
    windowed = portable.compiled()
    arrays = [np.asarray(block) for block in blocks]
    outputs = [_output(windowed, name, box) for name, box in zip(windowed.outputs, plan.computed, strict=True)]
    views = _views(windowed, plan.whole, arrays)
    pieces = [(plan.whole, views)]
    if any(view is None for view in views.values()) and len(plan.pieces) > 1:
        pieces = [(piece, _views(windowed, piece, arrays)) for piece in plan.pieces]
    for piece, views in pieces:
        windows: dict[str, Buffer] = {}
        for name, box, parts in piece.windows:
            windows[name] = views[name] or _copy(windowed, name, box, parts, arrays)
        written = [buffer.cropped(box) for buffer, box in zip(outputs, piece.boxes, strict=True)]
        with _named_errors(windowed, plan.box), limited_threads(portable.threads):
            windowed.run(windows, dict(zip(windowed.outputs, written, strict=True)))
    results = []
    for buffer, box in zip(outputs, plan.computed, strict=True):
        array = buffer.numpy()
        results.append(array if box == plan.box else array[slices_of(plan.box, box)])
    return results[0] if len(results) == 1 else tuple(results)


@contextlib.contextmanager
def _named_errors(windowed: WindowedPipeline, box: Box) -> Iterator[None]:
    """Errors inside name the block."""
    try:
        yield
    except Exception as error:
        names = ", ".join([name.partition("$")[0] for name in windowed.outputs])
        ranges = ", ".join([f"{low} to {low + extent - 1}" for low, extent in reversed(box)])
        raise TileError(
            f"Error: The block of {names} (rows first: {ranges}) failed: {type(error).__name__}: {error}"
        ) from error


def _output(windowed: WindowedPipeline, name: str, box: Box) -> Buffer:
    """Memory for an output, of results that are no longer in use where the pipeline demands no layout."""
    if name in windowed.program.parameters:
        return windowed.new_window(name, box)
    kind = windowed.output_types[name].numpy()
    buffer = Buffer(_recycled.take([extent for _, extent in reversed(box)], kind))
    buffer.set_min([low for low, _ in box])
    return buffer


def _views(windowed: WindowedPipeline, piece: BlockPiece, arrays: Sequence[np.ndarray]) -> dict[str, Buffer | None]:
    """The windows of a piece in the memory of its blocks; None for those that take a copy."""
    views = {}
    for name, box, parts in piece.windows:
        view = _view(box, parts, arrays)
        views[name] = view if view is not None and _has_demanded_strides(windowed, name, view) else None
    return views


def _has_demanded_strides(windowed: WindowedPipeline, name: str, view: Buffer) -> bool:
    image = windowed.definition.images.get(name)
    strides = [] if image is None else [stride for _, _, stride in image.constraints]
    return all(not isinstance(s, Const) or view.dim(d).stride() == s.value for d, s in enumerate(strides))


def _view(box: Box, parts: Sequence[WindowPart], arrays: Sequence[np.ndarray]) -> Buffer | None:
    """A window in the memory of its blocks, where these are parts of one array, as from_array makes them."""
    if not parts:
        return None
    first = part_of(arrays[parts[0].block], parts[0].source)
    if len(parts) > 1:
        owner, start, strides = _owner(first), _address(first), first.strides
        for part in parts[1:]:
            view = part_of(arrays[part.block], part.source)
            at = sum([place.start * stride for place, stride in zip(part.place, strides, strict=True)])
            if view.strides != strides or _address(view) != start + at or _owner(view) is not owner:
                return None
        shape = [extent for _, extent in reversed(box)]
        first = np.lib.stride_tricks.as_strided(first, shape, strides, writeable=False)
    buffer = Buffer(first)
    buffer.set_min([low for low, _ in box])
    return buffer


def _address(array: np.ndarray) -> int:
    """The address of the first element."""
    address: int = array.__array_interface__["data"][0]
    return address


def _owner(array: np.ndarray) -> Any:
    """The object whose memory an array shows."""
    owner: Any = array
    while isinstance(owner, np.ndarray) and owner.base is not None:
        owner = owner.base
    return owner


def _copy(
    windowed: WindowedPipeline, name: str, box: Box, parts: Sequence[WindowPart], arrays: Sequence[np.ndarray]
) -> Buffer:
    buffer = windowed.new_window(name, box)
    array = buffer.numpy()
    for part in parts:
        part_of(array, part.place)[...] = part_of(arrays[part.block], part.source)
    return buffer


# Reductions over whole images


@dataclass(frozen=True)
class StripPlan:
    """What a task computes of a reduction: the box of the values, and the strip with its windows.

    `low`, `extent`: the part of the outermost reduction variable.
    """

    func: str
    box: Box
    low: int
    extent: int
    windows: BlockPiece


def compute_strip(
    portable: PortablePipeline, plan: StripPlan, blocks: Sequence[Any], state: Sequence[Any] | None
) -> tuple[np.ndarray, ...]:
    """The values of a reduction after a strip: from those before it, or of the strip alone where `state` is None."""
    windowed = portable.compiled()
    arrays = [np.asarray(block) for block in blocks]
    views = _views(windowed, plan.windows, arrays)
    windows: dict[str, Buffer] = {}
    for name, box, parts in plan.windows.windows:
        windows[name] = views[name] or _copy(windowed, name, box, parts, arrays)
    windows.update(_values(plan, state_name, state or ()))
    return _run(portable, plan, windows)


def merge_strips(
    portable: PortablePipeline, plan: StripPlan, state: Sequence[Any], parts: Sequence[Sequence[Any]]
) -> tuple[np.ndarray, ...]:
    """The values of a reduction from those before it and those of each strip, in the order of the strips."""
    merged = tuple(state)
    for part in parts:
        windows = {**_values(plan, state_name, merged), **_values(plan, part_name, part)}
        merged = _run(portable, plan, windows)
    return merged


def _values(plan: StripPlan, name_of: Any, values: Sequence[Any]) -> dict[str, Buffer]:
    buffers = {}
    for at, value in enumerate(values):
        buffer = buffers[name_of(plan.func, at)] = Buffer(np.ascontiguousarray(value).reshape(np.shape(value)))
        buffer.set_min([low for low, _ in plan.box])
    return buffers


def _run(portable: PortablePipeline, plan: StripPlan, windows: Mapping[str, Buffer]) -> tuple[np.ndarray, ...]:
    windowed = portable.compiled()
    outputs = {name: windowed.new_window(name, plan.box) for name in windowed.outputs}
    with limited_threads(portable.threads):
        windowed.run(windows, outputs, {STRIP_MIN: plan.low, STRIP_EXTENT: plan.extent})
    return tuple([output.numpy() for output in outputs.values()])
