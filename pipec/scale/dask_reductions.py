"""Reductions over whole images as tasks of dask, whose values are then inputs of all blocks."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

from pipec.lower.planning.names import output_buffers as value_names
from pipec.pipeline.queries import Box
from pipec.scale.block_plans import BlockPiece, BlockPlanner, chunk_starts
from pipec.scale.block_tasks import StripPlan, compute_strip, merge_strips
from pipec.scale.reduction_programs import (
    STRIP_EXTENT,
    STRIP_MIN,
    merging_operator,
    next_reduction,
    strip_range,
    value_name,
    values_box,
)
from pipec.scale.worker_pipelines import PortablePipeline

# The most bytes that the values of a reduction may have: each task takes them all.
MAX_VALUES_BYTES = 64 << 20


def with_reduced_values(
    portable: PortablePipeline, arrays: Mapping[str, Any]
) -> tuple[PortablePipeline, dict[str, Any]]:
    """The pipeline that reads the values of its reductions over whole images; its inputs with these as dask arrays."""
    arrays = dict(arrays)
    while True:
        windowed = portable.windowed()
        name = next_reduction(windowed, MAX_VALUES_BYTES)
        if name is None:
            return portable, arrays
        box = values_box(windowed, name)
        values = _values(portable, arrays, name, box)
        portable = portable.with_values(name, box)
        arrays.update({value_name(name, at): value for at, value in enumerate(values)})


def _values(portable: PortablePipeline, arrays: Mapping[str, Any], name: str, box: Box) -> list[Any]:
    """The values of a reduction as dask arrays of one chunk, one for each element of its Tuple."""
    import dask.array as dask_array
    from dask.base import tokenize
    from dask.highlevelgraph import HighLevelGraph

    func = portable.windowed().definition.funcs[name]
    token = tokenize(portable, name, *arrays.values())
    layer = f"{name.partition('$')[0]}-{token}"
    graph: dict[Any, Any] = {}
    last: Any = None
    for number in range(len(func.stages)):
        last = _add_stage(graph, layer, portable, arrays, name, number, box, last)
    whole = HighLevelGraph.from_collections(layer, graph, dependencies=list(arrays.values()))
    results = []
    for at, kind in enumerate(func.types):
        key = f"{name.partition('$')[0]}-{at}-{token}"
        picked: dict[Any, Any] = {(key, *[0] * len(box)): (operator.getitem, last, at)}
        own = HighLevelGraph({**whole.layers, key: picked}, {**whole.dependencies, key: {layer}})
        chunks = tuple([(extent,) for _, extent in reversed(box)])
        array_type: Any = dask_array.Array
        results.append(array_type(own, key, chunks, dtype=kind.numpy()))
    return results


def _add_stage(
    graph: dict[Any, Any],
    layer: str,
    portable: PortablePipeline,
    arrays: Mapping[str, Any],
    name: str,
    number: int,
    box: Box,
    before: Any,
) -> Any:
    """Adds the tasks of a stage, that go on from the values of the task `before`; returns the key of its values."""
    windowed = portable.windowed()
    func = windowed.definition.funcs[name]
    merges = merging_operator(func, number) is not None
    strips = _strips(arrays, *strip_range(windowed, func.stages[number]))
    merges = merges and len(strips) > 1
    program = portable.of_strip("part" if merges else "strip", name, number, box)
    part = program.windowed()
    planner = BlockPlanner(part, {image: arrays[image] for image in part.windowed})
    graph[(layer, "pipeline", number)] = program
    keys = []
    for at, (low, extent) in enumerate(strips):
        part.numbers.update({STRIP_MIN: low, STRIP_EXTENT: extent})
        blocks: dict[Any, int] = {}
        piece = planner.piece({buffer: box for buffer in value_names(func)}, blocks)
        plan = StripPlan(name, box, low, extent, piece)
        key = (layer, number, at)
        graph[key] = (compute_strip, (layer, "pipeline", number), plan, list(blocks), None if merges else before)
        before = before if merges else key
        keys.append(key)
    if not merges:
        return before
    graph[(layer, "merging", number)] = portable.of_strip("merge", name, number, box)
    plan = StripPlan(name, box, *strips[0], BlockPiece((), ()))
    merged = (layer, "merged", number)
    graph[merged] = (merge_strips, (layer, "merging", number), plan, before, keys)
    return merged


def _strips(arrays: Mapping[str, Any], low: int, extent: int) -> list[tuple[int, int]]:
    """The parts of a reduction variable, each with its minimum and extent: as many as the first image has rows of
    blocks, and the same where it runs over these rows."""
    first = max(arrays.values(), key=lambda array: array.size)
    starts = chunk_starts(first.chunks[0]) if first.ndim else [0, 1]
    if starts[-1] != extent:
        count = max(1, min(extent, len(starts) - 1))
        starts = [extent * number // count for number in range(count + 1)]
    return [(low + start, end - start) for start, end in zip(starts, starts[1:], strict=False) if end > start]
