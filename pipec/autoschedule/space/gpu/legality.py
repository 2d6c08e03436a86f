"""Whether kernels can come of a state: what is wrong with it, in words. Limits of a device are another matter."""

from __future__ import annotations

from collections.abc import Iterator

from pipec.autoschedule.dag.dag import Dag, FuncInfo, StageInfo
from pipec.autoschedule.features.gpu.device import GpuDevice
from pipec.autoschedule.space.gpu.compute_levels import ComputeLevels
from pipec.autoschedule.space.gpu.nests import AXES, BLOCK, THREAD, may_slice, on_gpu, sliced, threads_of
from pipec.autoschedule.space.legalize import problems_of_nests, problems_of_state
from pipec.autoschedule.space.state import FULL, FuncPlacement, Nest, State, Where
from pipec.func.functions.definition import FuncDef, PipelineDef
from pipec.ir.expr import Effect, Expr, ExternValue
from pipec.ir.types import Type
from pipec.ir.walk import postorder
from pipec.schedule.observation import DebugToFile, Trace
from pipec.schedule.schedule import Schedule


def cpu_only_funcs(definition: PipelineDef, schedule: Schedule, device: GpuDevice) -> frozenset[str]:
    """The Funcs that stay on the CPU whatever their place."""
    watched = {d.func for d in schedule.directives if isinstance(d, DebugToFile | Trace)}
    return frozenset([name for name, func in definition.funcs.items() if name in watched or not _is_able(func, device)])


def _is_able(func: FuncDef, device: GpuDevice) -> bool:
    if func.extern is not None:
        return False
    if not all(_has_type(kind, device) for kind in func.types):
        return False
    nodes = postorder(*[root for stage in func.stages for root in stage.roots])
    return not any(
        isinstance(node, Effect | ExternValue) or isinstance(node, Expr) and not _has_type(node.type, device)
        for node in nodes
    )


def _has_type(kind: Type, device: GpuDevice) -> bool:
    if not kind.floating:
        return True
    return {64: device.double, 16: device.half, 32: True}.get(kind.nbits, False)


def problems(dag: Dag, state: State, nest_levels: ComputeLevels) -> list[str]:
    """Why `state` can't be carried out; nothing when it can."""
    return problems_of_state(dag, state, lambda func: next(_of_func(state, func, nest_levels), None))


def _of_func(state: State, func: FuncInfo, nest_levels: ComputeLevels) -> Iterator[str]:
    placement = state[func.name]
    if placement.where is Where.INLINE:
        if not func.inlinable or func.name in nest_levels.cpu_only:
            yield "can't be inline"
        return
    if placement.store is not None:
        yield "windows do not slide on a GPU"
    if placement.where is Where.AT and placement.compute not in nest_levels.of(state, func.name):
        yield f"the compute level {placement.compute} is not around all readers, or what they need has no constant size"
    if placement.where is Where.ROOT and placement.compute is not None:
        yield "what is at root has no compute level"
    cpu_only = func.name in nest_levels.cpu_only
    yield from problems_of_nests(func, placement, lambda stage, nest: _of_nest(stage, nest, placement, cpu_only))


def _of_nest(stage: StageInfo, nest: Nest, placement: FuncPlacement, cpu_only: bool) -> Iterator[str]:
    count = len(stage.loops)
    if not 1 <= len(nest.tiles) <= 2 or any(len(tile) != count for tile in nest.tiles):
        yield f"it must have tiles of {count} sizes for blocks and for threads"
        return
    if sorted(nest.order) != list(range(count)):
        yield f"the order {nest.order} does not name every dimension once"
        return
    if cpu_only == on_gpu(nest):
        yield "kernels can't compute it" if cpu_only else "is left on the CPU"
    if not on_gpu(nest):
        return
    for d, loop in enumerate(stage.loops):
        block, points = nest.tiles[BLOCK][d], nest.tiles[THREAD][d]
        if block and placement.where is Where.AT:
            inside = placement.compute is None or placement.compute.level != BLOCK
            if inside or points or d not in may_slice(stage) or len(sliced(nest)) > 1:
                yield "what is computed inside a kernel has no grid of its own, but slices of one reduction in blocks"
            continue
        if block and (not points or block % points):
            yield f"{points} points of {loop.name} a thread do not divide {block}"
        elif (block or points) and not (loop.parallel or nest.atomic):
            yield f"iterations of {loop.name} would race"
        if points != FULL and not block and placement.where is Where.ROOT:
            yield f"{loop.name} has threads and no blocks"
    if nest.atomic and not stage.atomic:
        yield "its partial results can't be combined"
    if placement.where is Where.ROOT and len(threads_of(nest)) > AXES:
        yield f"threads of more than {AXES} dimensions"
