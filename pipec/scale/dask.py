"""Pipelines on dask arrays: lazy results whose blocks read the regions that bounds inference says.

`pipec.dask.apply(pipeline, {"image": array})` builds a graph with one task for each block of the output. A task takes
the blocks of the inputs that overlap its region, whatever their sizes, so no block is exchanged or stored twice.
"""

from __future__ import annotations

import bisect
import itertools
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
# Workers keep the machine code of so many pipelines; the compile cache on disk has the others.
MAX_PIPELINES = 64


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
    """A piece of a window: where it lies in the block of an input, and in the window."""

    source: Slices
    place: Slices


@dataclass(frozen=True)
class BlockPlan:
    """What a task computes: the box of its block, the boxes computed for it, and its windows with their pieces."""

    box: tuple[tuple[int, int], ...]
    computed: tuple[tuple[tuple[int, int], ...], ...]
    windows: tuple[tuple[str, tuple[tuple[int, int], ...], tuple[WindowPart, ...]], ...]


def compute_block(portable: PortablePipeline, plan: BlockPlan, blocks: Sequence[Any]) -> Any:
    """The block of a plan, a tuple for several outputs. `blocks`: those of the inputs, as the plan lists them."""
    windowed = portable.compiled()
    rest = iter(blocks)
    windows = {name: _window(windowed, name, box, parts, rest) for name, box, parts in plan.windows}
    outputs = {}
    for name, box in zip(windowed.outputs, plan.computed, strict=True):
        outputs[name] = windowed.new_window(name, list(box))
    windowed.run(windows, outputs)
    results = []
    for buffer, box in zip(outputs.values(), plan.computed, strict=True):
        array = buffer.numpy()
        results.append(array if box == plan.box else array[slices_of(plan.box, box)])
    return results[0] if len(results) == 1 else tuple(results)


def _window(
    windowed: WindowedPipeline, name: str, box: Sequence[tuple[int, int]], parts: Sequence[WindowPart], blocks: Any
) -> Buffer:
    if len(parts) == 1:
        buffer = Buffer(np.asarray(next(blocks))[parts[0].source])
        buffer.set_min([low for low, _ in box])
        return buffer
    buffer = windowed.new_window(name, list(box))
    array = buffer.numpy()
    for part in parts:
        array[part.place] = np.asarray(next(blocks))[part.source]
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
    starts = {name: [_starts(sizes) for sizes in array.chunks] for name, array in arrays.items()}
    ends = [_starts(sizes) for sizes in grid]
    for index in itertools.product(*[range(len(sizes)) for sizes in grid]):
        block = _block_box(ends, index, box)
        plan, keys = _plan(windowed, block, arrays, starts)
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


def _plan(
    windowed: WindowedPipeline, block: Box, arrays: Mapping[str, Any], starts: Mapping[str, list[list[int]]]
) -> tuple[BlockPlan, list[Any]]:
    """What the task of a block does, and the keys of the blocks that it takes."""
    computed = windowed.grown({name: block for name in windowed.outputs})
    windows, keys = [], []
    for name, window in windowed.required(computed).items():
        parts = []
        box = slices_of(window, windowed.whole[name])
        spans = [_overlapping(start, part) for start, part in zip(starts[name], box, strict=True)]
        for index in itertools.product(*spans):
            source, place = [], []
            for number, part, start in zip(index, box, starts[name], strict=True):
                low, high = max(part.start, start[number]), min(part.stop, start[number + 1])
                source.append(slice(low - start[number], high - start[number]))
                place.append(slice(low - part.start, high - part.start))
            parts.append(WindowPart(tuple(source), tuple(place)))
            keys.append((arrays[name].name, *index))
        windows.append((name, tuple(window), tuple(parts)))
    boxes = tuple([tuple(computed[name]) for name in windowed.outputs])
    return BlockPlan(tuple(block), boxes, tuple(windows)), keys


def _overlapping(starts: Sequence[int], part: slice) -> range:
    """The numbers of the chunks along an axis that a slice touches."""
    if part.stop <= part.start:
        return range(0)
    return range(bisect.bisect_right(starts, part.start) - 1, bisect.bisect_left(starts, part.stop))
