"""A whole schedule applied anew to a pipeline, every directive checked: for schedules read from files or searched."""

from __future__ import annotations

from pipec.errors import ScheduleError
from pipec.func.functions.definition import FuncDef, PipelineDef
from pipec.lower.legality.check_schedule import check_schedule
from pipec.lower.planning.stage_shape import stage_shape
from pipec.schedule import apply
from pipec.schedule.directive import (
    AlignBounds,
    AlignExtent,
    AlignStorage,
    AllowRaces,
    Async,
    Atomic,
    Bound,
    BoundStorage,
    ComputeAt,
    ComputeWith,
    Directive,
    Estimate,
    ExpectBounds,
    FoldStorage,
    Fuse,
    HoistStorage,
    Mark,
    Memoize,
    PartitionLoop,
    Prefetch,
    Rename,
    Reorder,
    ReorderStorage,
    Rfactor,
    RingBuffer,
    SingleThread,
    Specialize,
    SpecializeFail,
    Split,
    StageRef,
    StoreAt,
    StoreIn,
    StreamStores,
    Unscheduled,
)
from pipec.schedule.schedule import Schedule
from pipec.schedule.shape import FuncShape, StageShape
from pipec.schedule.specialize import require_version


def apply_schedule(definition: PipelineDef, schedule: Schedule) -> Schedule:
    """`schedule` with every directive checked in turn and TailStrategy.Auto resolved; or a ScheduleError."""
    result = Schedule()
    for directive in schedule.directives:
        stage = getattr(directive, "stage", None)
        if isinstance(directive, Rfactor):
            # The definitions were taken apart by then: the intermediate Func is one of them.
            _func(definition, directive.intermediate)
        if isinstance(stage, StageRef):
            require_version(result, stage)
            result = _apply_to_stage(result, _stage(_func(definition, stage.func), stage), directive)
        else:
            func = _func(definition, directive.func)  # type: ignore[attr-defined]
            result = _apply_to_func(result, FuncShape(func.name, func.args, str(func.location)), directive)
    check_schedule(definition, result)
    return result


def _stage(func: FuncDef, ref: StageRef) -> StageShape:
    number = ref.stage
    if not 0 <= number < len(func.stages):
        raise ScheduleError(
            f'Error: The schedule has directives for update {number - 1} of Func "{func.name}", which has '
            f"{len(func.stages) - 1} update definitions. ({func.location})"
        )
    return stage_shape(func, number, ref.path)


def _func(definition: PipelineDef, name: str) -> FuncDef:
    found = definition.funcs.get(name)
    if found is None:
        raise ScheduleError(
            f'Error: The schedule has directives for Func "{name}", which is not part of this pipeline. '
            f"Its Funcs are: {', '.join(definition.funcs)}."
        )
    return found


# Directives about a stage that say nothing more.
_PLAIN = {
    AllowRaces: apply.allow_race_conditions,
    SingleThread: apply.gpu_single_thread,
    Unscheduled: apply.unscheduled,
}


def _apply_to_stage(schedule: Schedule, stage: StageShape, directive: Directive) -> Schedule:
    plain = _PLAIN.get(type(directive))
    if plain is not None:
        return plain(schedule, stage)
    match directive:
        case Split(old=old, outer=outer, inner=inner, factor=factor, tail=tail):
            return apply.split(schedule, stage, old, outer, inner, factor, tail)
        case Fuse(inner=inner, outer=outer, fused=fused):
            return apply.fuse(schedule, stage, inner, outer, fused)
        case Rename(old=old, new=new):
            return apply.rename(schedule, stage, old, new)
        case Reorder(variables=variables):
            return apply.reorder(schedule, stage, variables)
        case Mark(var=var, kind=kind):
            return apply.mark(schedule, stage, var, kind)
        case ComputeWith(other=other, var=var, starts=starts, ends=ends):
            return apply.compute_with(schedule, stage, other, var, starts, ends)
        case Rfactor():
            return schedule.add(directive)
        case Atomic(override=override):
            return apply.atomic(schedule, stage, override)
        case PartitionLoop(var=var, policy=policy):
            return apply.partition(schedule, stage, var, policy)
        case Prefetch(source=source, at=at, from_=from_, offset=offset):
            return apply.prefetch(schedule, stage, source, at, from_, offset)
        case Specialize(condition=condition):
            return apply.specialize(schedule, stage, condition)[0]
        case SpecializeFail(message=message):
            return apply.specialize_fail(schedule, stage, message)
    raise ScheduleError(f"{type(directive).__name__} is not a directive about the loops of a stage.")


def _apply_to_func(schedule: Schedule, func: FuncShape, directive: Directive) -> Schedule:
    match directive:
        case ComputeAt(level=level):
            return apply.compute_at(schedule, func, level)
        case StoreAt(level=level):
            return apply.store_at(schedule, func, level)
        case StoreIn(memory=memory):
            return apply.store_in(schedule, func, memory)
        case ReorderStorage(variables=variables):
            return apply.reorder_storage(schedule, func, variables)
        case FoldStorage(var=var, factor=factor, forward=forward):
            return apply.fold_storage(schedule, func, var, factor, forward)
        case AlignStorage(var=var, alignment=alignment):
            return apply.align_storage(schedule, func, var, alignment)
        case Bound(var=var, minimum=minimum, extent=extent):
            return apply.bound(schedule, func, var, minimum, extent)
        case ExpectBounds(var=var, minimum=low, extent=size):
            return apply.expect_bounds(schedule, func, var, low, size)
        case AlignBounds(var=var, modulus=modulus, remainder=remainder):
            return apply.align_bounds(schedule, func, var, modulus, remainder)
        case AlignExtent(var=var, modulus=multiple):
            return apply.align_extent(schedule, func, var, multiple)
        case BoundStorage(var=var, extent=room):
            return apply.bound_storage(schedule, func, var, room)
        case Estimate(var=var, minimum=low, extent=size):
            return apply.estimate(schedule, func, var, low, size)
    return _apply_to_memory(schedule, func, directive)


def _apply_to_memory(schedule: Schedule, func: FuncShape, directive: Directive) -> Schedule:
    """What outlives an iteration or a run, and who computes it."""
    match directive:
        case HoistStorage(level=level):
            return apply.hoist_storage(schedule, func, level)
        case RingBuffer(extent=extent):
            return apply.ring_buffer(schedule, func, extent)
        case Async():
            return apply.async_(schedule, func)
        case StreamStores(past_cache=past_cache):
            return apply.stream_stores(schedule, func, past_cache)
        case Memoize(eviction=eviction):
            return apply.memoize(schedule, func, eviction)
    raise ScheduleError(f"{type(directive).__name__} is not a directive about a Func.")
