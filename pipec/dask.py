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

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pipec.errors import ArgumentError, DimensionError, MissingPackageError, TypeMismatchError
from pipec.func.buffers.arrays import as_array
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.realizable import Realizable
from pipec.pipeline.calls.thread_limit import checked_threads
from pipec.pipeline.queries import Box
from pipec.scale.block_plans import BlockPlanner, chunk_starts
from pipec.scale.block_tasks import NamedSource, compute_block
from pipec.scale.dask_reductions import with_reduced_values
from pipec.scale.inputs import named_values, output_sizes
from pipec.scale.portable import fingerprint
from pipec.scale.windows import FrozenPipeline, WindowedPipeline, program_of
from pipec.scale.worker_pipelines import PortablePipeline
from pipec.target import Target


def apply(
    pipeline: Realizable,
    inputs: Mapping[str, Any],
    *,
    sizes: Sequence[int] | None = None,
    chunks: Any = None,
    threads: int | None = None,
    target: Target | None = None,
) -> Any:
    """Returns the output of a pipeline as a lazy dask array; a tuple of them for several outputs.

    * `inputs`: by the names of ImageParams: dask arrays, or what `dask.array.asarray` takes (numpy, zarr), torch CPU
      tensors and xarray DataArrays; by those of Params: numbers. Axes are rows first.
    * `sizes`: the extents of the output, dimension 0 first; by default those of the first input with as many
      dimensions.
    * `chunks`: those of the output, as dask takes them, rows first; by default those of that input.
    * `threads`: the most that each task uses. By default all tasks of a process together use its CPUs, those of a
      worker of dask.distributed the threads that it was given, and those of a pool of processes one each.

    Reductions over a whole image whose values are few (a histogram, a mean) are computed once, in strips. The values of
    strips are merged where the operator is proved to be associative, as for rfactor; else each strip goes on from the
    values before it.

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
    portable = PortablePipeline(
        whole_pipeline,
        arrays,
        whole,
        box,
        scalars,
        target,
        fingerprint(program, scalars),
        checked_threads(threads),
    )
    portable, arrays = with_reduced_values(portable, arrays)
    windowed = portable.windowed()
    first = windowed.output_types[windowed.outputs[0]].numpy()
    grid = array_module.core.normalize_chunks(chunks, shape, dtype=first)
    if 0 in shape:
        types = [windowed.output_types[name].numpy() for name in windowed.outputs]
        results = [array_module.zeros(shape, dtype=dtype, chunks=grid) for dtype in types]
    else:
        # Arrays that were filtered have empty chunks, which need no task.
        grid = tuple([tuple([size for size in sizes if size]) for sizes in grid])
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
    elif type(value).__module__.partition(".")[0] == "zarr":
        array = module.from_array(NamedSource(name, value), chunks=value.chunks)
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
    planner = BlockPlanner(windowed, arrays)
    ends = [chunk_starts(sizes) for sizes in grid]
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


def _block_box(ends: Sequence[Sequence[int]], index: Sequence[int], box: Box) -> Box:
    """The box of a block of the output, dimension 0 first. `ends`: of its chunks, rows first, from `chunk_starts`."""
    result = []
    for starts, number, (low, _) in zip(reversed(ends), reversed(index), box, strict=True):
        result.append((low + starts[number], starts[number + 1] - starts[number]))
    return result
