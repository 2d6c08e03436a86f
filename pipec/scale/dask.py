"""Pipelines on dask arrays: lazy results whose blocks read the regions that bounds inference says.

`pipec.dask.apply(pipeline, {"image": array})` builds a graph with one task for each block of the output. A task takes
the blocks of the inputs that overlap its region, whatever their sizes, so no block is exchanged or stored twice.

>>> import dask.array as da
>>> image, x, y = hl.ImageParam(hl.UInt(8), 2, "image"), *hl.vars("x y")
>>> f = hl.Func("f")
>>> f[x, y] = hl.BoundaryConditions.repeat_edge(image)[x + 1, y]
>>> lazy = hl.dask.apply(f, {"image": da.arange(6, dtype=np.uint8, chunks=6).reshape(2, 3).rechunk(2)})
>>> lazy.chunks, lazy.compute(scheduler="synchronous").tolist()
(((2,), (2, 1)), [[1, 2, 2], [4, 5, 5]])
"""

from __future__ import annotations

import bisect
import itertools
import math
import pickle
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pipec.errors import ArgumentError, DimensionError, MissingPackageError, TypeMismatchError
from pipec.func.buffers.arrays import as_array
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.realizable import Realizable
from pipec.pipeline.pipeline import Pipeline
from pipec.pipeline.queries import Box, output_buffers
from pipec.records import dataclass
from pipec.scale.inputs import named_values, output_sizes
from pipec.scale.overlap import RecycledArrays
from pipec.scale.portable import fingerprint
from pipec.scale.storage import Slices
from pipec.scale.windowed_reader import slices_of
from pipec.scale.windows import FrozenPipeline, WindowedPipeline, program_of
from pipec.target import Target


def apply(
    pipeline: Realizable,
    inputs: Mapping[str, Any],
    *,
    sizes: Sequence[int] | None = None,
    chunks: Any = None,
    target: Target | None = None,
) -> Any:
    """Returns the output of a pipeline as a lazy dask array; a tuple of them for several outputs.

    * `inputs`: by the names of ImageParams: dask arrays, or what `dask.array.asarray` takes (numpy, zarr), torch CPU
      tensors and xarray DataArrays; by those of Params: numbers. Axes are rows first.
    * `sizes`: the extents of the output, dimension 0 first; by default those of the first input with as many
      dimensions.
    * `chunks`: those of the output, as dask takes them, rows first; by default those of that input.

    When that first input is a DataArray with the shape of the output, so is the result, with its coordinates. Workers
    compile a pipeline at most once each, from the compile cache where they share one. Raises ArgumentError for inputs
    that do not fit, OutOfBoundsError where they are too small, MissingPackageError without dask.
    """
    array_module = _dask_array()
    whole_pipeline = pipeline._pipeline()
    program = program_of(whole_pipeline, target)
    images, scalars = named_values(program, inputs)
    arrays = {name: _lazy(array_module, name, value) for name, value in images.items()}
    for name, array in arrays.items():
        _check(program, name, array)
    whole = {name: [(0, extent) for extent in reversed(array.shape)] for name, array in arrays.items()}
    box = output_sizes(program, whole, sizes)
    shape = tuple([extent for _, extent in reversed(box)])
    like = next((name for name, array in arrays.items() if array.ndim == len(shape)), None)
    if chunks is None:
        chunks = arrays[like].chunks if like is not None and arrays[like].shape == shape else "auto"
    portable = PortablePipeline(whole_pipeline, arrays, whole, box, scalars, target, fingerprint(program, scalars))
    windowed = portable.windowed()
    first = windowed.output_types[windowed.outputs[0]].numpy()
    grid = array_module.core.normalize_chunks(chunks, shape, dtype=first)
    results = _arrays(portable, windowed, arrays, box, grid)
    wrapped = [_like(images[like], result) for result in results] if like is not None else results
    return wrapped[0] if len(wrapped) == 1 else tuple(wrapped)


def _dask_array() -> Any:
    try:
        import dask.array
    except ImportError as error:
        raise MissingPackageError("pipec.dask.apply()", "dask", "scale", error) from error
    return dask.array


def _lazy(module: Any, name: str, value: Any) -> Any:
    """An input as a dask array."""
    value = getattr(value, "data", value) if _is_data_array(value) else value
    if isinstance(value, module.Array):
        array = value
    elif isinstance(value, Buffer):
        array = module.from_array(value.numpy())
    else:
        numpy = None if hasattr(value, "chunks") else as_array(value)
        array = module.asarray(value if numpy is None else numpy)
    if any(not isinstance(size, int | np.integer) for sizes in array.chunks for size in sizes):
        raise ArgumentError(f"Error: The chunks of input {name} have unknown sizes: call compute_chunk_sizes() first.")
    return array


def _is_data_array(value: Any) -> bool:
    return type(value).__module__.partition(".")[0] == "xarray" and hasattr(value, "dims")


def _like(value: Any, result: Any) -> Any:
    """A result as a DataArray where the input was one of the same shape."""
    if not _is_data_array(value) or value.shape != result.shape:
        return result
    return value.copy(data=result)


def _check(program: FrozenPipeline, name: str, array: Any) -> None:
    image = program.definition.images[name]
    if array.ndim != image.dimensions:
        raise DimensionError(
            f"Error: Input {name} has {image.dimensions} dimensions, but was given shape {array.shape}."
        )
    if array.dtype != image.type.numpy():
        raise TypeMismatchError(f"Error: Input {name} is {image.type}, but was given elements of {array.dtype}.")


# Pipelines in workers

_compiled: dict[str, WindowedPipeline] = {}
_lock = threading.Lock()
_recycled = RecycledArrays()
# Workers keep the machine code of so many pipelines; the compile cache on disk has the others.
MAX_PIPELINES = 64
# Margins of blocks are multiples of this, in elements: usual vectors.
MARGIN_UNIT = 64


class PortablePipeline:
    """A pipeline for windows that is pickled by its definition and compiled once in each process."""

    def __init__(
        self,
        pipeline: Pipeline,
        images: Mapping[str, Any],
        whole: Mapping[str, Box],
        box: Box,
        scalars: Mapping[str, Any],
        target: Target | None,
        digest: str,
    ) -> None:
        self._pipeline, self._target = pipeline, target
        self._images, self._whole, self._box, self._scalars = list(images), dict(whole), list(box), dict(scalars)
        self._key = f"{digest} {sorted(self._whole.items())} {self._box} {target}"

    def windowed(self) -> WindowedPipeline:
        """The pipeline of this process, made at the first call."""
        with _lock:
            windowed = _compiled.get(self._key)
            if windowed is None:
                while len(_compiled) >= MAX_PIPELINES:
                    del _compiled[next(iter(_compiled))]
                windowed = _compiled[self._key] = self._new_windowed()
            return windowed

    def _new_windowed(self) -> WindowedPipeline:
        pipeline = pickle.loads(self._pipeline) if isinstance(self._pipeline, bytes) else self._pipeline
        program = program_of(pipeline, self._target)
        boxes = {**self._whole, **{name: self._box for name, _, _ in output_buffers(program.definition)}}
        return WindowedPipeline(program, self._images, boxes, self._scalars)

    def compiled(self) -> WindowedPipeline:
        """The pipeline of this process with its machine code."""
        windowed = self.windowed()
        if "compiled" not in windowed.__dict__:
            with _lock:
                _ = windowed.compiled
        return windowed

    def __getstate__(self) -> dict[str, Any]:
        data = self._pipeline if isinstance(self._pipeline, bytes) else pickle.dumps(self._pipeline)
        return {**self.__dict__, "_pipeline": data}

    def __dask_tokenize__(self) -> str:
        return self._key


# Blocks


@dataclass(frozen=True)
class WindowPart:
    """A part of a window: the number of the block that has it, and where it lies there and in the window."""

    block: int
    source: Slices
    place: Slices


@dataclass(frozen=True)
class BlockPiece:
    """A box that one call computes: all of a block, or a part of it, with its windows and their parts."""

    boxes: tuple[Box, ...]
    windows: tuple[tuple[str, Box, tuple[WindowPart, ...]], ...]


@dataclass(frozen=True)
class BlockPlan:
    """What a task computes: the box of its block, and the boxes that its calls write in all.

    `whole`: the one call that does; `pieces`: calls of which all but narrow ones read one block of each input.
    """

    box: Box
    computed: tuple[Box, ...]
    whole: BlockPiece
    pieces: tuple[BlockPiece, ...]


def compute_block(portable: PortablePipeline, plan: BlockPlan, blocks: Sequence[Any]) -> Any:
    """The block of a plan, a tuple for several outputs. `blocks`: those of the inputs, as the plan numbers them."""
    windowed = portable.compiled()
    arrays = [np.asarray(block) for block in blocks]
    outputs = [_output(windowed, name, box) for name, box in zip(windowed.outputs, plan.computed, strict=True)]
    views = _views(plan.whole, arrays)
    pieces = [(plan.whole, views)]
    if any(view is None for view in views.values()) and len(plan.pieces) > 1:
        pieces = [(piece, _views(piece, arrays)) for piece in plan.pieces]
    for piece, views in pieces:
        windows: dict[str, Buffer] = {}
        for name, box, parts in piece.windows:
            windows[name] = views[name] or _copy(windowed, name, box, parts, arrays)
        written = [buffer.cropped(box) for buffer, box in zip(outputs, piece.boxes, strict=True)]
        windowed.run(windows, dict(zip(windowed.outputs, written, strict=True)))
    results = []
    for buffer, box in zip(outputs, plan.computed, strict=True):
        array = buffer.numpy()
        results.append(array if box == plan.box else array[slices_of(plan.box, box)])
    return results[0] if len(results) == 1 else tuple(results)


def _output(windowed: WindowedPipeline, name: str, box: Box) -> Buffer:
    """Memory for an output, of results that are no longer in use where the pipeline demands no layout."""
    if name in windowed.program.parameters:
        return windowed.new_window(name, box)
    kind = windowed.output_types[name].numpy()
    buffer = Buffer(_recycled.take([extent for _, extent in reversed(box)], kind))
    buffer.set_min([low for low, _ in box])
    return buffer


def _views(piece: BlockPiece, arrays: Sequence[np.ndarray]) -> dict[str, Buffer | None]:
    """The windows of a piece in the memory of its blocks; None for those that take a copy."""
    return {name: _view(box, parts, arrays) for name, box, parts in piece.windows}


def _view(box: Box, parts: Sequence[WindowPart], arrays: Sequence[np.ndarray]) -> Buffer | None:
    """A window in the memory of its blocks, where these are parts of one array, as from_array makes them."""
    if not parts:
        return None
    first = arrays[parts[0].block][parts[0].source]
    if len(parts) > 1:
        owner, start, strides = _owner(first), _address(first), first.strides
        for part in parts[1:]:
            view = arrays[part.block][part.source]
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
        array[part.place] = arrays[part.block][part.source]
    return buffer


def _arrays(
    portable: PortablePipeline,
    windowed: WindowedPipeline,
    arrays: Mapping[str, Any],
    box: Box,
    grid: tuple[tuple[int, ...], ...],
) -> list[Any]:
    """The dask arrays of the outputs, of which each block is one task."""
    from dask.base import tokenize
    from dask.highlevelgraph import HighLevelGraph

    token = tokenize(portable, *arrays.values(), grid)
    names = [f"{name.partition('$')[0]}-{token}" for name in windowed.outputs]
    several = len(names) > 1
    layer = "+".join([name.partition("$")[0] for name in windowed.outputs]) + f"-{token}" if several else names[0]
    pipeline_key = f"pipeline-{token}"
    graph: dict[Any, Any] = {}
    planner = _Planner(windowed, arrays)
    ends = [_starts(sizes) for sizes in grid]
    for index in itertools.product(*[range(len(sizes)) for sizes in grid]):
        block = _block_box(ends, index, box)
        plan, keys = planner.plan(block)
        graph[(layer, *index)] = (compute_block, pipeline_key, plan, keys)
    dependencies = list(arrays.values())
    whole = HighLevelGraph.from_collections(layer, graph, dependencies=dependencies)
    whole = _with_pipeline(whole, layer, pipeline_key, portable)
    results = []
    for number, name in enumerate(names):
        dtype = windowed.output_types[windowed.outputs[number]].numpy()
        own = whole
        if several:
            picks: dict[Any, Any] = {(name, *key[1:]): (_picked, key, number) for key in graph}
            own = HighLevelGraph({**whole.layers, name: picks}, {**whole.dependencies, name: {layer}})
        results.append(_dask_array().Array(own, name, grid, dtype=dtype))
    return results


def _with_pipeline(graph: Any, layer: str, key: str, portable: PortablePipeline) -> Any:
    """The graph with a layer that holds the pipeline, so that each worker gets it once."""
    from dask.highlevelgraph import HighLevelGraph

    dependencies = {**graph.dependencies, layer: {*graph.dependencies[layer], key}, key: set()}
    return HighLevelGraph({**graph.layers, key: {key: portable}}, dependencies)


def _picked(results: Sequence[Any], number: int) -> Any:
    return results[number]


def _starts(sizes: Sequence[int]) -> list[int]:
    """The first coordinates of the chunks along an axis, and the end of the last."""
    return [0, *itertools.accumulate(map(int, sizes))]


def _block_box(ends: Sequence[Sequence[int]], index: Sequence[int], box: Box) -> Box:
    """The box of a block of the output, dimension 0 first. `ends`: of its chunks, rows first, from `_starts`."""
    result = []
    for starts, number, (low, _) in zip(reversed(ends), reversed(index), box, strict=True):
        result.append((low + starts[number], starts[number + 1] - starts[number]))
    return result


class _Planner:
    """The plans of blocks: which calls compute each, and which blocks of the inputs those take."""

    def __init__(self, windowed: WindowedPipeline, arrays: Mapping[str, Any]) -> None:
        self._windowed = windowed
        self._names = {name: array.name for name, array in arrays.items()}
        self._starts = {name: [_starts(sizes) for sizes in array.chunks] for name, array in arrays.items()}

    def plan(self, block: Box) -> tuple[BlockPlan, list[Any]]:
        """What the task of a block does, and the keys of the blocks that it takes."""
        numbers: dict[Any, int] = {}
        computed = self._windowed.grown({name: block for name in self._windowed.outputs})
        whole = self._piece(computed, numbers)
        pieces = [whole]
        if all(box == block for box in computed.values()):
            inner = self._inner(block, whole)
            if inner is not None:
                boxes = [inner, *_around(block, inner)]
                pieces = [self._piece({name: box for name in self._windowed.outputs}, numbers) for box in boxes]
        return BlockPlan(block, tuple(computed.values()), whole, tuple(pieces)), list(numbers)

    def _piece(self, computed: Mapping[str, Box], numbers: dict[Any, int]) -> BlockPiece:
        windows = []
        for name, window in self._windowed.required(computed).items():
            starts = self._starts[name]
            box = slices_of(window, self._windowed.whole[name])
            parts = []
            spans = [_overlapping(start, part) for start, part in zip(starts, box, strict=True)]
            for index in itertools.product(*spans):
                source, place = [], []
                for number, part, start in zip(index, box, starts, strict=True):
                    low, high = max(part.start, start[number]), min(part.stop, start[number + 1])
                    source.append(slice(low - start[number], high - start[number]))
                    place.append(slice(low - part.start, high - part.start))
                block = numbers.setdefault((self._names[name], *index), len(numbers))
                parts.append(WindowPart(block, tuple(source), tuple(place)))
            windows.append((name, window, tuple(parts)))
        return BlockPiece(tuple(computed.values()), tuple(windows))

    def _inner(self, block: Box, whole: BlockPiece) -> Box | None:
        """The largest part of a block that needs one block of each input, which is then read without a copy."""
        inner = block
        for name, window, parts in whole.windows:
            if len(parts) == 1 or len(window) != len(block):
                continue
            margins = self._margins(name, window)
            inner = [
                (max(low, first + _rounded(before)), min(low + extent, first + size - _rounded(after)))
                for (low, extent), (first, size), (before, after) in zip(inner, block, margins, strict=True)
            ]
            inner = [(low, end - low) for low, end in inner]
        if inner == block or any(extent <= 0 for _, extent in inner):
            return None
        if 2 * math.prod([extent for _, extent in inner]) < math.prod([extent for _, extent in block]):
            return None
        piece = self._piece({name: inner for name in self._windowed.outputs}, {})
        return inner if all(len(parts) <= 1 for _, _, parts in piece.windows) else None

    def _margins(self, name: str, window: Box) -> list[tuple[int, int]]:
        """How far a window reaches before and behind the chunk that has its middle, by dimension."""
        margins = []
        whole = self._windowed.whole[name]
        for (low, extent), (first, _), starts in zip(window, whole, reversed(self._starts[name]), strict=True):
            start = low - first
            number = bisect.bisect_right(starts, start + extent // 2) - 1
            margins.append((max(0, starts[number] - start), max(0, start + extent - starts[number + 1])))
        return margins


def _rounded(margin: int) -> int:
    """A margin in whole vectors, so that the calls for it need no special code."""
    return -(-margin // MARGIN_UNIT) * MARGIN_UNIT


def _around(block: Box, inner: Box) -> list[Box]:
    """The boxes that, with `inner`, make up a block: those of the outermost dimension first."""
    boxes, rest = [], list(block)
    for d in reversed(range(len(block))):
        (low, extent), (first, size) = rest[d], inner[d]
        for start, end in ((low, first), (first + size, low + extent)):
            if end > start:
                boxes.append([*rest[:d], (start, end - start), *rest[d + 1 :]])
        rest[d] = inner[d]
    return boxes


def _overlapping(starts: Sequence[int], part: slice) -> range:
    """The numbers of the chunks along an axis that a slice touches."""
    if part.stop <= part.start:
        return range(0)
    return range(bisect.bisect_right(starts, part.start) - 1, bisect.bisect_left(starts, part.stop))
