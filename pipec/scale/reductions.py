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
from pipec.func.functions.definition import FuncDef, ImageDef, PipelineDef, ReductionLoop, StageDef
from pipec.ir.expr import Const, Expr, FuncCall, ImageCall, ParameterRef, Variable
from pipec.ir.types import INT32
from pipec.ir.walk import free_variables, postorder
from pipec.lower.planning.names import output_buffers as value_names
from pipec.pipeline.calls.arguments import number_of
from pipec.pipeline.queries import Box
from pipec.records import replace
from pipec.scale.blocking import RootRegions
from pipec.scale.journal import Journal
from pipec.scale.storage import ArrayStorage
from pipec.scale.windowed_reader import WindowReader
from pipec.scale.windows import FrozenPipeline, WindowedPipeline
from pipec.schedule.directive import Directive
from pipec.schedule.fields import ROOT
from pipec.schedule.placement import ComputeAt, StoreAt
from pipec.schedule.schedule import Schedule

# The share of the memory limit that the values of one reduction may take.
VALUES_SHARE = 8
STRIP_MIN, STRIP_EXTENT = "strip.min", "strip.extent"


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
        candidates = [name for name in windowed.definition.funcs if _reduces_whole(windowed, name)]
        if not candidates:
            return program, names
        name = _first_small(windowed, candidates, limit // VALUES_SHARE)
        if name is None:
            return program, names
        values = _values(windowed, name, sources, limit, journal)
        program = _with_values(program, name, values)
        names.append(name)


def _reduces_whole(windowed: WindowedPipeline, name: str) -> bool:
    """Whether the RDom of a Func covers more, the larger the images are."""
    return any(_depends_on_whole(windowed, stage) for stage in windowed.definition.funcs[name].stages)


def _depends_on_whole(windowed: WindowedPipeline, stage: StageDef) -> bool:
    whole = [f"{name}.whole.extent." for name in windowed.whole]
    names = {name for loop in stage.rvars for name in free_variables(loop.extent)}
    return any(name.startswith(prefix) for name in names for prefix in whole)


def _first_small(windowed: WindowedPipeline, candidates: list[str], limit: int) -> str | None:
    """The first of the Funcs, producers first, whose values for the whole output fit into `limit` bytes."""
    output = next(iter(windowed.outputs))
    regions = RootRegions(windowed).of(windowed.whole[output])
    for name in candidates:
        size = sum([kind.bytes() for kind in windowed.definition.funcs[name].types])
        if name in regions and size * math.prod([extent for _, extent in regions[name]]) <= limit:
            return name
    return None


def _values(
    windowed: WindowedPipeline, name: str, sources: Mapping[str, ArrayStorage], limit: int, journal: Journal
) -> list[Buffer]:
    """The values of a reduction, one Buffer for each element of its Tuple."""
    func = windowed.definition.funcs[name]
    box = RootRegions(windowed).of(windowed.whole[next(iter(windowed.outputs))])[name]
    recorded = journal.reduction(name)
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
    journal.finish_reduction(name, [value.numpy() for value in state])
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
    program = _stage_program(windowed.program, func.name, number)
    images = [name for name in program.definition.images if name in sources]
    whole = {**windowed.whole, **{buffer: box for buffer in value_names(program.definition.funcs[func.name])}}
    part = WindowedPipeline(program, images, whole, windowed.inputs)
    reader = WindowReader(part, {name: sources[name] for name in images})
    low, extent = 0, 1
    if stage.rvars:
        outer = stage.rvars[-1]
        low, extent = [int(number_of(end, windowed.numbers) or 0) for end in (outer.minimum, outer.extent)]
    step = _strip_extent(part, reader, func, box, low, extent, limit, splits=bool(stage.rvars))
    buffers = value_names(program.definition.funcs[func.name])
    for start in range(low, low + extent, step):
        part.numbers.update({STRIP_MIN: start, STRIP_EXTENT: min(step, low + extent - start)})
        outputs = {buffer: part.new_window(buffer, box) for buffer in buffers}
        windows = {name: reader.read(name, window) for name, window in part.required({b: box for b in buffers}).items()}
        before = {} if state is None else {_state_name(func.name, at): value for at, value in enumerate(state)}
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


# Programs


def _state_name(func: str, at: int) -> str:
    return f"{func}.state.{at}"


def _value_name(func: str, at: int) -> str:
    return f"{func}.value.{at}"


def _images_of(func: FuncDef, name_of: Any) -> dict[str, ImageDef]:
    """Dense images with the types and dimensions of a Func's values."""
    constraints = ((None, None, Const(INT32, 1)),) if func.args else ()
    names = [name_of(func.name, at) for at in range(len(func.types))]
    return {
        name: ImageDef(name, kind, len(func.args), constraints) for name, kind in zip(names, func.types, strict=True)
    }


def _reading(func: FuncDef, name_of: Any) -> StageDef:
    """The pure definition that reads each value from an image."""
    args = tuple([Variable(INT32, arg) for arg in func.args])
    values = [ImageCall(kind, name_of(func.name, at), args, None) for at, kind in enumerate(func.types)]
    return StageDef(args, tuple(values), location=func.location)


def _stage_program(program: FrozenPipeline, name: str, number: int) -> FrozenPipeline:
    """The program whose output is the Func `name` after stage `number`: over a strip, and from the values before it."""
    definition = program.definition
    func = definition.funcs[name]
    stage = func.stages[number]
    if stage.rvars:
        strip: tuple[Expr, Expr] = ParameterRef(INT32, STRIP_MIN, None), ParameterRef(INT32, STRIP_EXTENT, None)
        stage = replace(stage, rvars=(*stage.rvars[:-1], ReductionLoop(stage.rvars[-1].name, *strip)))
    images = _images_of(func, _state_name) if number else {}
    stages = (_reading(func, _state_name), stage) if number else (stage,)
    funcs = {**definition.funcs, name: replace(func, stages=stages)}
    return _program(program, (name,), funcs, images, {STRIP_MIN: INT32, STRIP_EXTENT: INT32})


def _with_values(program: FrozenPipeline, name: str, values: list[Buffer]) -> FrozenPipeline:
    """The program in which the Func `name` reads these values."""
    func = program.definition.funcs[name]
    funcs = {**program.definition.funcs, name: replace(func, stages=(_reading(func, _value_name),))}
    images = _images_of(func, _value_name)
    changed = _program(program, program.definition.outputs, funcs, images, {})
    return replace(changed, bindings={**changed.bindings, **dict(zip(images, values, strict=True))})


def _program(
    program: FrozenPipeline,
    outputs: tuple[str, ...],
    funcs: Mapping[str, FuncDef],
    images: Mapping[str, ImageDef],
    scalars: Mapping[str, Any],
) -> FrozenPipeline:
    """The program of other outputs and definitions, with what they reach and the directives that still apply."""
    reached = _reachable(outputs, funcs)
    reached_funcs = {name: func for name, func in funcs.items() if name in reached}
    definition = program.definition
    mentioned = {
        node.name
        for func in reached_funcs.values()
        for s in func.stages
        for node in postorder(*s.expressions)
        if isinstance(node, ImageCall)
    }
    bound = {
        name
        for func in reached_funcs.values()
        for s in func.stages
        for e in s.expressions
        for name in free_variables(e)
    }
    for name in definition.images:
        if any(variable.startswith(f"{name}.") for variable in bound):
            mentioned.add(name)
    every = {**definition.images, **images}
    changed: PipelineDef = replace(
        definition,
        outputs=outputs,
        funcs=reached_funcs,
        images={name: image for name, image in every.items() if name in mentioned or name in images},
        scalars={**definition.scalars, **scalars},
        output_constraints={n: c for n, c in definition.output_constraints.items() if outputs == definition.outputs},
    )
    bindings = {n: b for n, b in program.bindings.items() if n in changed.images or n in changed.scalars}
    return replace(program, definition=changed, schedule=_schedule(program, changed, outputs), bindings=bindings)


def _reachable(outputs: tuple[str, ...], funcs: Mapping[str, FuncDef]) -> set[str]:
    reached: set[str] = set()
    pending = list(outputs)
    while pending:
        name = pending.pop()
        if name not in reached:
            reached.add(name)
            nodes = postorder(*[e for stage in funcs[name].stages for e in stage.expressions])
            pending += [node.name for node in nodes if isinstance(node, FuncCall)]
    return reached


def _schedule(program: FrozenPipeline, definition: PipelineDef, outputs: tuple[str, ...]) -> Schedule:
    """The directives about Funcs whose definitions are unchanged; those without their compute level go to root."""
    before = program.definition.funcs
    unchanged = frozenset([name for name, func in definition.funcs.items() if func is before.get(name)])
    directives: list[Directive] = []
    for directive in program.schedule.restricted_to(unchanged).directives:
        if isinstance(directive, ComputeAt | StoreAt):
            func = directive.level.func
            if directive.owner in outputs and definition.outputs != program.definition.outputs:
                continue
            if func and (func not in unchanged or func not in definition.funcs):
                if isinstance(directive, ComputeAt):
                    directives.append(ComputeAt(directive.owner, ROOT))
                continue
        directives.append(directive)
    changed = [name for name in definition.funcs if name not in unchanged and name not in outputs]
    directives += [ComputeAt(name, ROOT) for name in changed if len(definition.funcs[name].stages) > 1]
    return Schedule(tuple(directives))
