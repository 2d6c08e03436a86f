"""Tail strategies: for each split the fastest one that is right for every size."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pipec.autoschedule.dag.dag import Access, Dag, FuncInfo, StageInfo
from pipec.autoschedule.space.state import State, Where
from pipec.records import dataclass
from pipec.schedule.split import TailStrategy

GUARD, ROUND_UP, SHIFT = TailStrategy.GuardWithIf, TailStrategy.RoundUp, TailStrategy.ShiftInwards


@dataclass(frozen=True)
class StageTails:
    """The tails of one stage.

    `widths`: for each dimension of the Func None, or, where more points along it would ask more of an input which may
    not have it, how many are computed at once; where an input lacks something, a slow variant of the program runs.
    """

    func: FuncInfo
    stage: StageInfo
    widths: tuple[int | None, ...]

    @property
    def outer_first(self) -> bool:
        """Outputs are seldom smaller than a tile, so their last tile may overlap the one before."""
        return self.func.output and self.stage.number == 0

    def of_tile(self, dim: int, factor: int, around: int | None) -> TailStrategy:
        """Returns the tail strategy of a tile. `around`: the extent of the enclosing tile, None at the outermost."""
        if around is not None and around % factor == 0:
            return ROUND_UP
        if not self.outer_first or self.stage.loops[dim].reduction:
            return GUARD
        return SHIFT if around is None or factor <= around else GUARD

    def of_block(self, dim: int, factor: int, around: int | None) -> TailStrategy:
        """Returns the tail strategy of a register block.

        `around`: the extent of the enclosing tile, None at the outermost.
        """
        if around is not None or self.outer_first or self.stage.loops[dim].reduction:
            return self.of_tile(dim, factor, around)
        width = self.widths[dim]
        if width is None:
            # What nobody observes may be computed beyond its bounds.
            return ROUND_UP if not self.func.output else GUARD
        return SHIFT if self.stage.number == 0 and factor <= width else GUARD


def reaching_out(dag: Dag, state: State) -> Mapping[tuple[str, int], frozenset[int]]:
    """For each stage, by Func and number, the dimensions along which more points ask more of an input.

    A stage reads it at coordinates that are not clamped to it and depend on the dimension, itself or through Funcs that
    are inlined or computed in its loops. The weights of a filter, which only RVars choose, are asked for whatever
    points are computed.
    """
    stages: dict[tuple[str, int], frozenset[int]] = {}
    of_func: dict[str, frozenset[int]] = {}
    for func in reversed(list(dag.funcs.values())):
        for stage in func.stages:
            stages[func.name, stage.number] = _read_beyond(dag, state, func, stage, of_func)
        of_func[func.name] = frozenset().union(*[stages[func.name, stage.number] for stage in func.stages])
    return stages


def _is_inside(state: State, name: str, around: str) -> bool:
    """Whether a Func is inlined, or computed in the loops of another one."""
    placement = state[name]
    if placement.where is Where.INLINE:
        return True
    while placement.compute is not None and placement.compute.func != around:
        placement = state[placement.compute.func]
    return placement.compute is not None


def _read_beyond(
    dag: Dag, state: State, func: FuncInfo, stage: StageInfo, of_func: Mapping[str, frozenset[int]]
) -> frozenset[int]:
    dims: set[int] = set()
    for load in stage.loads:
        if load.boundary:
            continue
        coordinates: Iterable[int] = ()
        if load.name in dag.images:
            coordinates = range(len(load.jacobian))
        elif _is_inside(state, load.name, func.name):
            coordinates = of_func[load.name]
        for row in (load.jacobian[coordinate] for coordinate in coordinates):
            dims |= {d for d in range(len(func.arguments)) if row is None or row[d]}
    return frozenset(dims)


def widths(dag: Dag, state: State, func: FuncInfo) -> tuple[int, ...]:
    """Returns the least number of points of each dimension that are computed at once; 1 where unknown."""
    nest_level = state[func.name].compute
    if nest_level is None:
        return func.extent
    holder = dag.funcs[nest_level.func]
    stage, nest = holder.stages[nest_level.stage], state[nest_level.func].nests[nest_level.stage]
    around = widths(dag, state, holder)
    covered = [min(loop.extent, around[d] if d < len(around) else loop.extent) for d, loop in enumerate(stage.loops)]
    for tile in nest.tiles[: nest_level.level + 1]:
        covered = [min(size, whole) if size else whole for size, whole in zip(tile, covered, strict=True)]
    loads = [load for load in stage.loads if load.name == func.name]
    return tuple([max([_width(load, d, covered) for load in loads], default=1) for d in range(len(func.arguments))])


def _width(load: Access, dim: int, covered: list[int]) -> int:
    row = load.jacobian[dim]
    if row is None:
        return 1
    moved = sum(abs(factor) * (count - 1) for factor, count in zip(row, covered, strict=True))
    return int(moved + load.high[dim] - load.low[dim]) + 1
