"""Whole dimensions in blocks: which have constant extents, and which bounds of outputs have to be expected for that."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from pipec.autoschedule.dag.dag import Access, Dag, FuncInfo, Interleave, StageInfo
from pipec.autoschedule.emit.compute_levels import LevelExtents, stays_in_place
from pipec.autoschedule.emit.loops import ranges_over, steps_of
from pipec.autoschedule.space.cpu.strided_blocks import interleave_of
from pipec.autoschedule.space.cpu.tensors import tensor_of
from pipec.autoschedule.space.loop_tree import MAX_COPIES, MAX_WRITTEN_OUT
from pipec.autoschedule.space.state import FULL, Nest, NestLevel, State, Where


class Constants:
    """The constant extents in one state. `expected`: the output dimensions whose bounds are to be expected."""

    def __init__(self, dag: Dag, state: State) -> None:
        self.dag, self.state = dag, state
        self.expected: set[tuple[str, int]] = set()
        self._whole: dict[tuple[str, int, NestLevel], bool] = {}
        self.extents = LevelExtents(dag, state, self._constant_extent)
        # Strides of interleaved pixels are numbers in code, as costs have them, where their channels are.
        for func in dag.funcs.values():
            order = () if func.name in state.inlined else state[func.name].storage or dag.order(func.name)
            if order and func.name not in dag.strides and dag.strides_of(func.name, order):
                self.expected |= func.origins[order[0]] or frozenset()

    def of(self, func: FuncInfo, stage: StageInfo, nest: Nest) -> Mapping[int, int]:
        """The dimensions that lie whole in the block and have a constant extent, with these extents."""
        whole, tiled = whole_dimensions(stage, nest), self.at_nest_level(func)
        own = {d: stage.loops[d].extent for d in whole if self._is_constant(func, stage, d)}
        settled = _in_order(stage, own, whole)
        fixed = {d: tiled[d] for d in whole if d in tiled and d not in settled}
        if _copies(stage, nest, settled | fixed) <= MAX_WRITTEN_OUT:
            return settled | fixed
        return settled if _copies(stage, nest, settled) <= MAX_COPIES else {}

    def interleave(self, func: FuncInfo, stage: StageInfo, nest: Nest) -> Interleave | None:
        """Returns the distance of a block's interleaved points, where so many are required for every size."""
        interleave, d = interleave_of(stage, nest), nest.interleaved
        placement = self.state[func.name]
        if interleave is None or d is None or placement.store is not None:
            return None
        if placement.compute is not None and not self._is_whole(func.name, d, placement.compute):
            return None
        self.expected |= interleave.origins
        return interleave

    def at_nest_level(self, func: FuncInfo) -> dict[int, int]:
        """The extents of a Func where it is computed that tiles around fix."""
        if self.state[func.name].where is not Where.AT:
            return {}
        extents = {d: self.extents.of(func.name, d) for d in range(len(func.arguments))}
        return {d: extent for d, extent in extents.items() if extent is not None}

    def _constant_extent(self, func: FuncInfo, stage: StageInfo, dim: int) -> int | None:
        return stage.loops[dim].extent if self._is_constant(func, stage, dim) else None

    def _is_constant(self, func: FuncInfo, stage: StageInfo, dim: int) -> bool:
        if not func.settled(stage, dim):
            return False
        if stage.loops[dim].reduction:
            return True
        placement = self.state[func.name]
        if placement.compute is not None and not self._is_whole(func.name, dim, placement.compute):
            return False
        self.expected |= func.origins[dim] or frozenset()
        return True

    def _is_whole(self, func: str, dim: int, nest_level: NestLevel) -> bool:
        """Whether one iteration of `nest_level` needs all of a dimension: no loop that moves along it is cut.

        Then no window slides along it, and the first iteration computes as much as the others.
        """
        key = func, dim, nest_level
        if key not in self._whole:
            self._whole[key] = self._is_read_whole(func, dim, nest_level)
        return self._whole[key]

    def _is_read_whole(self, func: str, dim: int, nest_level: NestLevel) -> bool:
        info = self.dag.funcs[func]
        resting = touches_a_fixed_range(info, dim)
        for reader, number in self.dag.consumers[func]:
            stage = self.dag.funcs[reader].stages[number]
            for load in stage.loads:
                if load.name != func:
                    continue
                moving = _moving(load, dim, info)
                if moving is None or (resting and any(not stage.loops[j].reduction for j in moving)):
                    return False
                if not all(self._has_all(reader, number, j, nest_level) for j in moving):
                    return False
        return True

    def _has_all(self, reader: str, number: int, loop: int, nest_level: NestLevel) -> bool:
        """Whether no tile around cuts a loop of what reads, so that one iteration of `nest_level` has all of it."""
        placement, around = self.state[reader], nest_level
        if reader == nest_level.func:
            if any(tile[loop] != FULL for tile in placement.nests[number].tiles[: nest_level.level + 1]):
                return False
            if placement.compute is None:
                return True
            around = placement.compute
        if loop >= len(self.dag.funcs[reader].arguments):
            return True
        return self._is_whole(reader, loop, around)


def _in_order(stage: StageInfo, constant: Mapping[int, int], whole: Sequence[int]) -> dict[int, int]:
    """Those of the `constant` extents whose loops may be unrolled. Reduction loops that depend on each other keep their
    order, so none is unrolled that is defined around one without a constant extent, which remains a loop."""
    ordered = [d for d in whole if stage.loops[d].reduction and not stage.loops[d].reorderable]
    remaining = [d for d in ordered if d not in constant]
    return {d: n for d, n in constant.items() if d not in ordered or not remaining or d < remaining[0]}


def _moving(load: Access, dim: int, read: FuncInfo) -> Sequence[int] | None:
    """The loops that move along a dimension of what is read, whose extent is then the same whatever these begin with:
    by whole steps, or all over it as `p % 8` does; None where it may be another."""
    row = load.jacobian[dim]
    if row is not None:
        return None if any(factor != int(factor) for factor in row) else [j for j, factor in enumerate(row) if factor]
    last = read.minimum[dim] + read.extent[dim] - 1
    whole = load.low[dim] <= read.minimum[dim] and load.high[dim] >= last
    return sorted(load.values[dim]) if whole and load.values else None


def touches_a_fixed_range(func: FuncInfo, dim: int) -> bool:
    """Whether updates read or write coordinates that do not move with what is needed, as scans do."""
    accesses = [access for stage in func.stages[1:] for access in (stage.store, *stage.self_loads)]
    return not all(stays_in_place(access, dim) for access in accesses)


def _copies(stage: StageInfo, nest: Nest, constant: Mapping[int, int]) -> int:
    """Returns the number of copies of the body in a block in which these dimensions are fully unrolled."""
    sizes = {d: steps_of(nest, d)[1] for d in range(len(stage.loops)) if ranges_over(stage, d)} | dict(constant)
    if nest.vector in sizes:
        sizes[nest.vector] = -(-sizes[nest.vector] // nest.lanes)
    tensor = tensor_of(stage, nest)
    if tensor is not None:
        sizes[tensor.rvar] = 1
    return math.prod([max(1, size) for size in sizes.values()])


def whole_dimensions(stage: StageInfo, nest: Nest) -> list[int]:
    """The dimensions of which the block has all that the levels around cover."""
    return [d for d in range(len(stage.loops)) if ranges_over(stage, d) and steps_of(nest, d)[1] == FULL]
