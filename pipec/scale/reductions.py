"""Reductions over a whole image: computed first, strip by strip, so that the rest of the pipeline can be tiled.

A reduction over an image larger than memory is run over strips of its outermost reduction variable. Each strip goes on
from the values that the strips before it gave. So the iterations run in the order of the definition, and the result is
the same to the bit, for sums of floats and for updates that do not associate too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from pipec.errors import NotSupportedError
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.definition import FuncDef
from pipec.ir.expr import FuncCall, ImageCall
from pipec.ir.walk import postorder
from pipec.lower.planning.names import output_buffers as value_names
from pipec.pipeline.queries import Box
from pipec.records import replace
from pipec.scale.journal import Journal
from pipec.scale.reduction_programs import (
    STRIP_EXTENT,
    STRIP_MIN,
    next_reduction,
    stage_program,
    state_name,
    strip_range,
    value_name,
    values_box,
    with_value_images,
)
from pipec.scale.storage import ArrayStorage
from pipec.scale.windowed_reader import WindowReader
from pipec.scale.windows import FrozenPipeline, WindowedPipeline

# The share of the memory limit that the values of one reduction may take.
VALUES_SHARE = 8


def with_whole_reductions(
    program: FrozenPipeline,
    sources: Mapping[str, ArrayStorage],
    boxes: Mapping[str, Box],
    scalars: Mapping[str, Any],
    limit: int,
    journal: Journal,
) -> tuple[FrozenPipeline, list[str]]:
    """The program with the values of its whole-image reductions in the place of their definitions; their names.

    `boxes`: those of the sources and outputs as a whole. Raises NotSupportedError where a reduction needs too much.
    """
    names: list[str] = []
    while True:
        windowed = WindowedPipeline(program, sources, boxes, scalars)
        name = next_reduction(windowed, limit // VALUES_SHARE)
        if name is None:
            return program, names
        # Names of Funcs may have other numbers in another process.
        own = name.partition("$")[0]
        values = _values(windowed, name, sources, limit, journal, f"{len(names)} {own}")
        program = _with_values(program, name, values)
        names.append(own)


def _with_values(program: FrozenPipeline, name: str, values: list[Buffer]) -> FrozenPipeline:
    """The program in which the Func `name` reads these values."""
    changed = with_value_images(program, name)
    images = [value_name(name, at) for at in range(len(values))]
    return replace(changed, bindings={**changed.bindings, **dict(zip(images, values, strict=True))})


def _values(
    windowed: WindowedPipeline,
    name: str,
    sources: Mapping[str, ArrayStorage],
    limit: int,
    journal: Journal,
    key: str,
) -> list[Buffer]:
    """The values of a reduction, one Buffer for each element of its Tuple. `key`: its name in the journal."""
    func = windowed.definition.funcs[name]
    box = values_box(windowed, name)
    recorded = journal.reduction(key)
    if recorded is not None and len(recorded) == len(func.types):
        values = [Buffer(array) for array in recorded]
        for value in values:
            value.set_min([low for low, _ in box])
        return values
    state: list[Buffer] | None = None
    for number in range(len(func.stages)):
        state = _run_stage(windowed, func, number, box, state, sources, limit)
    assert state is not None
    journal.start()
    journal.finish_reduction(key, [value.numpy() for value in state])
    return state


def _run_stage(
    windowed: WindowedPipeline,
    func: FuncDef,
    number: int,
    box: Box,
    state: list[Buffer] | None,
    sources: Mapping[str, ArrayStorage],
    limit: int,
) -> list[Buffer]:
    """The values after stage `number`, from those before it."""
    stage = windowed.definition.funcs[func.name].stages[number]
    program = stage_program(windowed.program, func.name, number)
    images = [name for name in program.definition.images if name in sources]
    whole = {**windowed.whole, **{buffer: box for buffer in value_names(program.definition.funcs[func.name])}}
    part = WindowedPipeline(program, images, whole, windowed.inputs)
    reader = WindowReader(part, {name: sources[name] for name in images})
    low, extent = strip_range(windowed, stage)
    step = _strip_extent(part, reader, func, box, low, extent, limit, splits=bool(stage.rvars))
    buffers = value_names(program.definition.funcs[func.name])
    for start in range(low, low + extent, step):
        part.numbers.update({STRIP_MIN: start, STRIP_EXTENT: min(step, low + extent - start)})
        outputs = {buffer: part.new_window(buffer, box) for buffer in buffers}
        windows = {name: reader.read(name, window) for name, window in part.required({b: box for b in buffers}).items()}
        before = {} if state is None else {state_name(func.name, at): value for at, value in enumerate(state)}
        part.run({**windows, **before}, outputs)
        for name, window in windows.items():
            reader.release(name, window)
        state = list(outputs.values())
    if state is None:
        raise NotSupportedError(f"Error: The pure definition of {func.name} was not computed.")
    return state


def _strip_extent(
    part: WindowedPipeline,
    reader: WindowReader,
    func: FuncDef,
    box: Box,
    low: int,
    extent: int,
    limit: int,
    splits: bool,
) -> int:
    """The largest number of iterations of the outermost RVar, a power of 2, for which a run fits into `limit` bytes."""
    step = 1 << max(0, extent - 1).bit_length()
    buffers = value_names(part.definition.funcs[func.name])
    while True:
        size = min(step, extent)
        part.numbers.update({STRIP_MIN: low + (extent - size) // 2, STRIP_EXTENT: size})
        boxes = {buffer: box for buffer in buffers}
        needed = reader.memory(part.required(boxes)) + part.intermediate_bytes(boxes)
        needed += 2 * sum([kind.bytes() for kind in func.types]) * math.prod([extent for _, extent in box])
        if needed <= limit or extent == 0:
            return max(1, size)
        if step <= 1 or not splits:
            raise NotSupportedError(_too_large(part, func, limit, needed))
        step //= 2


def _too_large(part: WindowedPipeline, func: FuncDef, limit: int, needed: int) -> str:
    stage = part.definition.funcs[func.name].stages[-1]
    loops = f" over {', '.join([loop.name for loop in stage.rvars])}" if stage.rvars else ""
    reads = [str(n) for n in postorder(*stage.roots) if isinstance(n, FuncCall | ImageCall) and n.name != func.name]
    shortest = "one iteration of its outermost loop" if stage.rvars else "its definition"
    return (
        f"Error: The reduction {func.name}{loops} cannot be computed in strips within {limit / 1e6:.4g} MB: {shortest}"
        f" takes {needed / 1e6:.4g} MB, since it reads {', '.join(reads[:3])}. Raise memory=, or let the outermost"
        " reduction variable run over the rows of the image."
    )
