"""How much of a Func one iteration of the loops around it needs, where the tiles around fix that for every size."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from pipec.autoschedule.dag.dag import Access, Dag, FuncInfo, StageInfo
from pipec.autoschedule.dag.inlining import InlinedStages
from pipec.autoschedule.emit.loops import ranges_over
from pipec.autoschedule.space.legalize import readers
from pipec.autoschedule.space.loop_tree import last_tile_is_whole
from pipec.autoschedule.space.state import NestLevel, State


class CoordinateInterval(NamedTuple):
    """Coordinates from sum(factors * where the tile begins) + low to ... + high; factors are of the holder's loops."""

    factors: tuple[int, ...]
    low: int
    high: int


def stays_in_place(access: Access, dim: int) -> bool:
    """Whether one coordinate is the stage's own in that dimension."""
    row = access.jacobian[dim]
    own = row is not None and row[dim] == 1 and not any(row[:dim]) and not any(row[dim + 1 :])
    return own and access.low[dim] == access.high[dim] == 0


WholeExtent = Callable[[FuncInfo, StageInfo, int], int | None]
"""The extent of a loop that no tile cuts, when it is constant."""


class LevelExtents:
    """Extents at the compute levels of one state."""

    def __init__(self, dag: Dag, state: State, whole: WholeExtent, inlining: InlinedStages | None = None) -> None:
        self.dag, self.state, self.whole = dag, state, whole
        self.inlining = inlining or InlinedStages(dag)
        self.inlined = state.inlined
        self._memo: dict[tuple[str, int, NestLevel], CoordinateInterval | None] = {}

    def of(self, func: str, dim: int) -> int | None:
        """The constant extent of one dimension of a Func where it is computed, or None."""
        nest_level = self.state[func].compute
        needed = None if nest_level is None else self.interval(func, dim, nest_level)
        # The first iteration of a window that slides computes more than the others.
        return None if needed is None or self._slides(func, needed) else needed.high - needed.low + 1

    def interval(self, func: str, dim: int, nest_level: NestLevel) -> CoordinateInterval | None:
        """What one iteration of `nest_level` needs of a Func."""
        key = func, dim, nest_level
        if key not in self._memo:
            self._memo[key] = self._interval(func, dim, nest_level)
        return self._memo[key]

    def _interval(self, func: str, dim: int, nest_level: NestLevel) -> CoordinateInterval | None:
        united: CoordinateInterval | None = None
        for reader, number in readers(self.dag, self.state, func):
            stage = self.inlining.stage(reader, number, self.inlined)
            for load in stage.loads:
                if load.name != func:
                    continue
                read = self._read(load, dim, stage, nest_level)
                if read is None or (united is not None and united.factors != read.factors):
                    return None
                low, high = (read.low, read.high) if united is None else (united.low, united.high)
                united = CoordinateInterval(read.factors, min(low, read.low), max(high, read.high))
        return None if united is None else self._with_updates(self.dag.funcs[func], dim, united)

    def _with_updates(self, func: FuncInfo, dim: int, needed: CoordinateInterval) -> CoordinateInterval | None:
        """What is needed, and what updates touch besides: a scan computes all that it runs along, wherever that is."""
        for stage in func.stages[1:]:
            for access in (stage.store, *stage.self_loads):
                touched = self._touched(access, dim, stage, needed)
                if touched is None or touched.factors != needed.factors:
                    return None
                needed = CoordinateInterval(
                    needed.factors, min(needed.low, touched.low), max(needed.high, touched.high)
                )
        return needed

    def _touched(
        self, access: Access, dim: int, stage: StageInfo, needed: CoordinateInterval
    ) -> CoordinateInterval | None:
        row = access.jacobian[dim]
        if row is None or not access.is_exact:
            return None
        if stays_in_place(access, dim):
            return needed
        low, high = access.low[dim], access.high[dim]
        nothing = (0,) * len(needed.factors)
        for loop in [loop for loop, factor in enumerate(row) if factor]:
            info = stage.loops[loop]
            if not (info.reduction and info.constant):
                return None
            ends = row[loop] * info.minimum, row[loop] * (info.minimum + info.extent - 1)
            low, high = low + min(ends), high + max(ends)
        return CoordinateInterval(nothing, math.floor(low), math.ceil(high))

    def _read(self, load: Access, dim: int, stage: StageInfo, nest_level: NestLevel) -> CoordinateInterval | None:
        row = load.whole_steps(dim)
        if row is None:
            return None
        factors = [0] * len(self.dag.funcs[nest_level.func].stages[nest_level.stage].loops)
        low, high = load.low[dim], load.high[dim]
        for loop, factor in enumerate(row):
            if not factor:
                continue
            covered = self._covered(stage, loop, nest_level)
            if covered is None:
                return None
            factors = [a + int(factor) * b for a, b in zip(factors, covered.factors, strict=True)]
            ends = factor * covered.low, factor * covered.high
            low, high = low + min(ends), high + max(ends)
        if low != int(low) or high != int(high):
            return None
        return CoordinateInterval(tuple(factors), int(low), int(high))

    def _covered(self, stage: StageInfo, loop: int, nest_level: NestLevel) -> CoordinateInterval | None:
        """The values of a loop of a stage in one iteration of `nest_level`."""
        holder = self.dag.funcs[nest_level.func].stages[nest_level.stage]
        nothing = (0,) * len(holder.loops)
        if (stage.func, stage.number) == (nest_level.func, nest_level.stage):
            size = self._tile(stage, loop, nest_level.level)
            own = tuple([int(d == loop) for d in range(len(nothing))])
            return None if size is None else CoordinateInterval(own, 0, size - 1)
        info = stage.loops[loop]
        if info.reduction:
            return CoordinateInterval(nothing, info.minimum, info.minimum + info.extent - 1) if info.constant else None
        needed = self.interval(stage.func, loop, nest_level) if ranges_over(stage, loop) else None
        return None if needed is None or self._slides(stage.func, needed) else needed

    def _slides(self, func: str, needed: CoordinateInterval) -> bool:
        """Whether a window of a Func moves in the dimension of `needed`: its first place takes more than the others."""
        compute, store = self.state[func].compute, self.state[func].store
        if compute is None or store is None:
            return False
        if (store.func, store.stage) != (compute.func, compute.stage):
            return any(needed.factors)
        tiles = self.state[compute.func].nests[compute.stage].tiles[store.level + 1 : compute.level + 1]
        return any(factor and any(tile[loop] for tile in tiles) for loop, factor in enumerate(needed.factors))

    def _tile(self, stage: StageInfo, loop: int, level: int) -> int | None:
        """The points of a loop that one iteration of a level covers, when that is so for the last one too."""
        nest, reduction = self.state[stage.func].nests[stage.number], stage.loops[loop].reduction
        size = next((tile[loop] for tile in reversed(nest.tiles[: level + 1]) if tile[loop]), None)
        if size is None:
            extent = self.whole(self.dag.funcs[stage.func], stage, loop)
            return self.of(stage.func, loop) if extent is None and not reduction else extent
        if size == 1:
            return size
        is_output = self.dag.funcs[stage.func].output
        around = None if reduction else self.of(stage.func, loop)
        return size if last_tile_is_whole(stage, nest, loop, size, is_output, around) else None
