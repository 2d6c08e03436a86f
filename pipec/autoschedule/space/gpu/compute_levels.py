"""Where in the kernels of its readers a Func may be computed, and states made legal after a change."""

from __future__ import annotations

from collections.abc import Set

from pipec.autoschedule.dag.dag import Dag, FuncInfo
from pipec.autoschedule.space.gpu.boxes import Boxes
from pipec.autoschedule.space.gpu.nests import (
    BLOCK,
    THREAD,
    block_nest,
    is_single,
    on_gpu,
    root_placement,
    sliced,
    thread_nest,
)
from pipec.autoschedule.space.gpu.options import GpuOptions
from pipec.autoschedule.space.legalize import common_path, legalized
from pipec.autoschedule.space.state import FuncPlacement, NestLevel, State, Where


class ComputeLevels:
    """The places in kernels. `cpu_only`: Funcs that stay on the CPU."""

    def __init__(self, dag: Dag, boxes: Boxes, cpu_only: Set[str], options: GpuOptions) -> None:
        self.dag, self.boxes, self.cpu_only, self.options = dag, boxes, cpu_only, options

    def of(self, state: State, func: str) -> list[NestLevel]:
        """The compute levels where a Func may be computed, outermost first: around all readers, with constant sizes."""
        info = self.dag.funcs[func]
        if info.output or info.fixed or info.extern or func in self.cpu_only:
            return []
        path = [nest_level for nest_level in common_path(self.dag, state, func) if self._is_offered(nest_level.level)]
        return [
            nest_level
            for nest_level in path
            if _is_place(state, nest_level) and self._is_constant(state, info, nest_level)
        ]

    def _is_offered(self, level: int) -> bool:
        return self.options.thread if level == THREAD else self.options.block

    def at(self, info: FuncInfo, nest_level: NestLevel) -> FuncPlacement:
        """The Func at a compute level, with the loops that are usual there."""
        if nest_level.level == THREAD:
            nests = tuple(map(thread_nest, info.stages))
        else:
            nests = tuple([block_nest(self.dag, info, stage) for stage in info.stages])
        return FuncPlacement(Where.AT, nest_level, None, nests)

    def placed(self, state: State, func: str, placement: FuncPlacement) -> State:
        """The state with another placement for one Func, legalized."""
        return self.legalized(state.placing_all({func: placement}), func)

    def legalized(self, state: State, changed: str) -> State:
        """The state with every Func whose compute level is no longer legal moved outwards, at last to root."""
        return legalized(self.dag, state, changed, self._moved_out)

    def _moved_out(self, dag: Dag, state: State, func: str) -> FuncPlacement:
        placement, allowed = state[func], self.of(state, func)
        if placement.compute in allowed:
            return placement
        outer = [nest_level for nest_level in allowed if nest_level.level == BLOCK]
        info = dag.funcs[func]
        moved = self.at(info, outer[-1]) if outer else root_placement(dag, info)
        return FuncPlacement(moved.where, moved.compute, None, moved.nests, placement.storage)

    def _is_constant(self, state: State, info: FuncInfo, nest_level: NestLevel) -> bool:
        """Whether what is needed there has a size that is known when the kernel is compiled."""
        placed = state.placing_all(
            {info.name: FuncPlacement(Where.AT, nest_level, None, self.at(info, nest_level).nests)}
        )
        root, number = self._kernel(placed, nest_level)
        names = [name for name in self.dag.funcs if self._is_in(placed, name, root)]
        member = self.boxes.members(placed, root, number, names, self.boxes.into(placed)).get(info.name)
        return member is not None and all(member.own.fixed)

    def _kernel(self, state: State, nest_level: NestLevel) -> tuple[str, int]:
        """The kernel that a compute level lies in."""
        around = state[nest_level.func].compute
        return (nest_level.func, nest_level.stage) if around is None else self._kernel(state, around)

    def _is_in(self, state: State, name: str, root: str) -> bool:
        return state[name].where is Where.AT and state.group_of(name) == root


def _is_place(state: State, nest_level: NestLevel) -> bool:
    """Whether a compute level is one of a grid's blocks, of a block's slices, or of threads that run side by side."""
    host = state[nest_level.func]
    nest = host.nests[nest_level.stage]
    if not on_gpu(nest):
        return False
    if host.compute is None:
        return not is_single(nest)
    return host.compute.level == BLOCK and (nest_level.level == THREAD or bool(sliced(nest)))
