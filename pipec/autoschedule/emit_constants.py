"""Whole dimensions in blocks: which have constant extents, and which bounds of outputs have to be expected for that."""

from __future__ import annotations

import math
from collections.abc import Mapping

from pipec.autoschedule.dag import Dag, FuncInfo, Interleave, StageInfo
from pipec.autoschedule.emit_loops import ranges_over, steps_of
from pipec.autoschedule.emit_sites import SiteExtents, stays_in_place
from pipec.autoschedule.emit_whole import WholeDimensions
from pipec.autoschedule.interleaving import interleave_of
from pipec.autoschedule.plan import FULL, Nest, Plan, Site, Where
from pipec.autoschedule.tree import MOST_COPIES, MOST_WRITTEN_OUT


class Constants:
    """What is constant in one plan. `expected`: the output dimensions whose bounds are to be expected."""

    def __init__(self, dag: Dag, plan: Plan) -> None:
        self.dag, self.plan = dag, plan
        self.expected: set[tuple[str, int]] = set()
        self._in_step: dict[tuple[str, int, Site], bool] = {}
        self.extents = SiteExtents(dag, plan, self._constant_extent)
        self.whole = WholeDimensions(dag, plan, self.extents.inlining)

    def of(self, func: FuncInfo, stage: StageInfo, nest: Nest) -> Mapping[int, int]:
        """The dimensions that lie whole in the block and have a constant extent, with these extents."""
        whole, tiled = whole_dimensions(stage, nest), self.at_site(func)
        found = {d: stage.loops[d].extent for d in whole if d not in tiled and self._is_constant(func, stage, d)}
        fixed = {d: tiled[d] for d in whole if d in tiled}
        if _copies(stage, nest, found | fixed) <= MOST_WRITTEN_OUT:
            return found | fixed
        return found if _copies(stage, nest, found) <= MOST_COPIES else {}

    def interleave(self, func: FuncInfo, stage: StageInfo, nest: Nest) -> Interleave | None:
        """How the points of a block are apart, where that many are required whatever the sizes."""
        found, d = interleave_of(stage, nest), nest.interleaved
        if found is None or d is None or not self.whole.is_required(func.name, d):
            return None
        self.expected |= found.origins
        return found

    def at_site(self, func: FuncInfo) -> dict[int, int]:
        """The extents of a Func where it is computed that tiles around fix."""
        if self.plan[func.name].where is not Where.AT:
            return {}
        found = {d: self.extents.of(func.name, d) for d in range(len(func.arguments))}
        return {d: extent for d, extent in found.items() if extent is not None}

    def _constant_extent(self, func: FuncInfo, stage: StageInfo, dim: int) -> int | None:
        return stage.loops[dim].extent if self._is_constant(func, stage, dim) else None

    def _is_constant(self, func: FuncInfo, stage: StageInfo, dim: int) -> bool:
        if not func.settled(stage, dim):
            return False
        if stage.loops[dim].reduction:
            return True
        placement = self.plan[func.name]
        # The first iteration of a window that slides computes more than the others.
        if placement.store is not None:
            return False
        if placement.compute is not None and not self._read_in_step(func.name, dim, placement.compute):
            return False
        self.expected |= func.origins[dim] or frozenset()
        return True

    def _read_in_step(self, func: str, dim: int, site: Site) -> bool:
        """Whether what is read has the same extent wherever the loops around are: all coefficients are whole."""
        key = func, dim, site
        if key not in self._in_step:
            self._in_step[key] = self._is_read_in_step(func, dim, site)
        return self._in_step[key]

    def _is_read_in_step(self, func: str, dim: int, site: Site) -> bool:
        resting = touches_a_fixed_range(self.dag.funcs[func], dim)
        for reader, number in self.dag.consumers[func]:
            for load in self.dag.funcs[reader].stages[number].loads:
                if load.name != func:
                    continue
                row = load.jacobian[dim]
                if row is None or any(factor != int(factor) for factor in row):
                    return False
                if resting and any(row[: len(self.dag.funcs[reader].arguments)]):
                    return False
                # What stands at the site, or inside, has the extents that its own readers need.
                if self.plan[reader].where is not Where.ROOT and reader != site.func:
                    if self.plan[reader].store is not None:
                        return False  # The first place of its window takes more.
                    arguments = len(self.dag.funcs[reader].arguments)
                    moving = [j for j, factor in enumerate(row) if factor and j < arguments]
                    if not all(self._read_in_step(reader, j, site) for j in moving):
                        return False
        return True


def touches_a_fixed_range(func: FuncInfo, dim: int) -> bool:
    """Whether updates read or write coordinates that do not move with what is needed, as scans do."""
    accesses = [access for stage in func.stages[1:] for access in (stage.store, *stage.self_loads)]
    return not all(stays_in_place(access, dim) for access in accesses)


def _copies(stage: StageInfo, nest: Nest, constant: Mapping[int, int]) -> int:
    """How often the body stands in a block in which these dimensions are unrolled whole."""
    sizes = {d: steps_of(nest, d)[1] for d in range(len(stage.loops)) if ranges_over(stage, d)} | dict(constant)
    if nest.vector in sizes:
        sizes[nest.vector] = -(-sizes[nest.vector] // nest.lanes)
    return math.prod([max(1, size) for size in sizes.values()])


def whole_dimensions(stage: StageInfo, nest: Nest) -> list[int]:
    """The dimensions of which the block has all that the levels around cover."""
    return [d for d in range(len(stage.loops)) if ranges_over(stage, d) and steps_of(nest, d)[1] == FULL]
