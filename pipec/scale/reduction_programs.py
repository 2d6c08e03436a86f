"""Programs that compute a reduction over a whole image stage by stage, and those that read its values.

The values of a reduction take the place of its definition as images, so that the rest of the pipeline can be tiled.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from pipec.func.directives.associativity import operator_of
from pipec.func.directives.polynomials import ReductionOperator, other, own
from pipec.func.functions.definition import FuncDef, ImageDef, PipelineDef, ReductionLoop, StageDef
from pipec.ir.expr import Const, Expr, FuncCall, ImageCall, ParameterRef, Variable
from pipec.ir.types import INT32
from pipec.ir.walk import free_variables, postorder, substitute
from pipec.pipeline.calls.arguments import number_of
from pipec.pipeline.queries import Box
from pipec.records import replace
from pipec.scale.blocking import RootRegions, middle_tile
from pipec.scale.windows import FrozenPipeline, WindowedPipeline
from pipec.schedule.directive import Directive
from pipec.schedule.fields import ROOT
from pipec.schedule.placement import ComputeAt, StoreAt
from pipec.schedule.schedule import Schedule

STRIP_MIN, STRIP_EXTENT = "strip.min", "strip.extent"


def next_reduction(windowed: WindowedPipeline, limit: int) -> str | None:
    """The first Func, producers first, that reduces the whole image to values of at most `limit` bytes, or None.

    Its reduction domain grows with the images, and the smallest tile needs all of its values. The elements of a product
    of matrices, by contrast, belong to tiles.
    """
    candidates = [name for name in windowed.definition.funcs if _reduces_whole(windowed, name)]
    if not candidates:
        return None
    regions, box = RootRegions(windowed), windowed.whole[next(iter(windowed.outputs))]
    whole, small = regions.of(box), regions.of(middle_tile(box))
    for name in candidates:
        size = sum([kind.bytes() for kind in windowed.definition.funcs[name].types])
        if name not in whole or whole[name] != small[name]:
            continue
        if size * math.prod([extent for _, extent in whole[name]]) <= limit:
            return name
    return None


def values_box(windowed: WindowedPipeline, name: str) -> Box:
    """The box of the values of a reduction that the whole output needs."""
    return RootRegions(windowed).of(windowed.whole[next(iter(windowed.outputs))])[name]


def strip_range(windowed: WindowedPipeline, stage: StageDef) -> tuple[int, int]:
    """The minimum and extent of the outermost reduction variable of a stage; those of one iteration without any."""
    if not stage.rvars:
        return 0, 1
    outer = stage.rvars[-1]
    low, extent = [int(number_of(end, windowed.numbers) or 0) for end in (outer.minimum, outer.extent)]
    return low, extent


def _reduces_whole(windowed: WindowedPipeline, name: str) -> bool:
    """Whether the RDom of a Func covers more, the larger the images are."""
    return any(_depends_on_whole(windowed, stage) for stage in windowed.definition.funcs[name].stages)


def _depends_on_whole(windowed: WindowedPipeline, stage: StageDef) -> bool:
    whole = [f"{name}.whole.extent." for name in windowed.whole]
    names = {name for loop in stage.rvars for name in free_variables(loop.extent)}
    return any(name.startswith(prefix) for name in names for prefix in whole)


def state_name(func: str, at: int) -> str:
    """The image that holds element `at` of the values before a strip."""
    return f"{func}.state.{at}"


def part_name(func: str, at: int) -> str:
    """The image that holds element `at` of the values of a strip alone."""
    return f"{func}.part.{at}"


def value_name(func: str, at: int) -> str:
    """The image that holds element `at` of the values in the end."""
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


def stage_program(program: FrozenPipeline, name: str, number: int) -> FrozenPipeline:
    """The program whose output is the Func `name` after stage `number`: over a strip, and from the values before it."""
    func = program.definition.funcs[name]
    start = (_reading(func, state_name),) if number else ()
    images = _images_of(func, state_name) if number else {}
    return _strip_program(program, func, (*start, _over_strip(func.stages[number])), images)


def merging_operator(func: FuncDef, number: int) -> ReductionOperator | None:
    """The operator that merges the values of strips of stage `number`, proved as for rfactor; None without a proof."""
    stage = func.stages[number]
    if not number or not stage.rvars:
        return None
    operator = operator_of(func.name, stage.args, stage.values, stage.predicate)
    return operator if operator is not None and operator.neutral else None


def part_program(program: FrozenPipeline, name: str, number: int) -> FrozenPipeline:
    """The program of stage `number` of `name` over a strip, from the identities of its operator."""
    func = program.definition.funcs[name]
    operator = merging_operator(func, number)
    assert operator is not None
    start = replace(_reading(func, state_name), values=operator.identities)
    return _strip_program(program, func, (start, _over_strip(func.stages[number])), {})


def merging_program(program: FrozenPipeline, name: str, number: int) -> FrozenPipeline:
    """The program that merges the values of a strip into those before it."""
    func = program.definition.funcs[name]
    operator = merging_operator(func, number)
    assert operator is not None
    earlier, later = [_reading(func, name_of).values for name_of in (state_name, part_name)]
    values = {own(k, kind).name: earlier[k] for k, kind in enumerate(func.types)}
    values |= {other(k, kind).name: later[k] for k, kind in enumerate(func.types)}
    merged = tuple([substitute(merge, values) for merge in operator.merge])
    stage = replace(_reading(func, state_name), values=merged)
    return _strip_program(program, func, (stage,), {**_images_of(func, state_name), **_images_of(func, part_name)})


def _over_strip(stage: StageDef) -> StageDef:
    """The stage whose outermost reduction variable runs over a strip."""
    if not stage.rvars:
        return stage
    strip: tuple[Expr, Expr] = ParameterRef(INT32, STRIP_MIN, None), ParameterRef(INT32, STRIP_EXTENT, None)
    return replace(stage, rvars=(*stage.rvars[:-1], ReductionLoop(stage.rvars[-1].name, *strip)))


def _strip_program(
    program: FrozenPipeline, func: FuncDef, stages: tuple[StageDef, ...], images: Mapping[str, ImageDef]
) -> FrozenPipeline:
    funcs = {**program.definition.funcs, func.name: replace(func, stages=stages)}
    return _program(program, (func.name,), funcs, images, {STRIP_MIN: INT32, STRIP_EXTENT: INT32})


def with_value_images(program: FrozenPipeline, name: str) -> FrozenPipeline:
    """The program in which the Func `name` reads its values from images, named by `value_name`."""
    func = program.definition.funcs[name]
    funcs = {**program.definition.funcs, name: replace(func, stages=(_reading(func, value_name),))}
    return _program(program, program.definition.outputs, funcs, _images_of(func, value_name), {})


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
    directives: list[Directive] = list(program.schedule.restricted_to(unchanged).directives)
    if definition.outputs != program.definition.outputs:
        directives = [d for d in directives if not (isinstance(d, ComputeAt | StoreAt) and d.owner in outputs)]
    moved = _without_level(directives, unchanged)
    # Their loops were made for regions inside of their consumers' loops.
    directives = [directive for directive in directives if directive.owner not in moved]
    changed = [name for name in definition.funcs if name not in unchanged and name not in outputs]
    roots = [*moved, *[name for name in changed if len(definition.funcs[name].stages) > 1]]
    return Schedule((*directives, *[ComputeAt(name, ROOT) for name in roots]))


def _without_level(directives: list[Directive], unchanged: frozenset[str]) -> dict[str, None]:
    """The Funcs whose compute or store level is a loop of a Func that is not `unchanged`, or is among the result."""
    moved: dict[str, None] = {}
    count = -1
    while count != len(moved):
        count = len(moved)
        for directive in directives:
            if isinstance(directive, ComputeAt | StoreAt):
                func = directive.level.func
                if func and (func not in unchanged or func in moved):
                    moved[directive.owner] = None
    return moved
