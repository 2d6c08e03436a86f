"""Greedy grouping by the analytic cost of the paper.

Mullapudi et al., "Automatically scheduling Halide image processing pipelines" (SIGGRAPH 2016). The cost of a state is
its arithmetic and its loads, each load weighted by how much memory it chooses from: between 1 for a small region and
BALANCE for one that no cache holds. Funcs are inlined while that lowers the cost; then the pair of a group and its only
consumer group with the greatest benefit is merged, again and again. A merged group is computed in tiles of the
consumer, whose sizes are chosen from TILES; a state with fewer tasks than threads is refused.

`grouping` does the same by the cost model of pipec.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.space.cpu.nests import default_nests
from pipec.autoschedule.space.cpu.variations import outer_dim, parallel_over
from pipec.autoschedule.space.edits import at, placed, with_nest
from pipec.autoschedule.space.groups import groups
from pipec.autoschedule.space.legalize import common_path
from pipec.autoschedule.space.state import FULL, INLINED, Nest, NestLevel, State, Where
from pipec.autoschedule.strategies.search_state import Options, SearchState

BALANCE = 40.0
"""The cost of a load that misses all caches, in units of arithmetic."""
TILES = tuple([(width, height) for width in (FULL, 64, 128, 256) for height in (1, 4, 8, 16, 32, 64, 128, 256)])
"""Points along the vectors, and rows."""


def mullapudi2016(search: SearchState, options: Options) -> Iterator[None]:
    """Inlines, then merges groups; the state after every step is offered."""
    model = PublishedCost(search)
    state, cost = search.start, model.cost(search.start)
    for choices in (inlinings, merges):
        while True:
            best, lowest = None, cost
            for candidate in choices(search.dag, state):
                candidate_cost = model.cost(candidate)
                if candidate_cost < lowest:
                    best, lowest = candidate, candidate_cost
                yield
            if best is None:
                break
            state, cost = best, lowest
            search.cost(state)


class PublishedCost:
    """The paper's cost of states, in operations."""

    def __init__(self, search: SearchState) -> None:
        assert isinstance(search.evaluator, CpuEvaluator)
        self.evaluator, self.dag = search.evaluator, search.dag
        self._capacity = search.evaluator.model.machine.l3 / BALANCE
        funcs, images = self.dag.funcs, self.dag.images
        self._whole = {name: float(math.prod(info.extent) * info.bytes_per_point) for name, info in images.items()}
        self._whole |= {name: float(math.prod(info.extent) * info.bytes_per_point) for name, info in funcs.items()}

    def cost(self, state: State) -> float:
        """Operations and weighted loads of all stages; infinite with too few tasks for the threads."""
        rows = self.evaluator.rows(state)
        footprints = dict(self._whole)
        for (name, number), row in rows.items():
            if state[name].where is Where.AT and number == 0:
                footprints[name] = row.bytes_at_production
        of_load = {name: min(1 + footprint / self._capacity, BALANCE) for name, footprint in footprints.items()}
        for name in reversed(tuple(self.dag.funcs)):
            if name in state.inlined:
                of_load[name] = self._of_point(name, 0, of_load)
        total = 0.0
        for (name, number), row in rows.items():
            if state[name].where is Where.ROOT and state[name].nests[number].parallel and row.tasks < self.dag.threads:
                return math.inf
            total += row.points * self._of_point(name, number, of_load)
        return total

    def _of_point(self, name: str, number: int, of_load: Mapping[str, float]) -> float:
        """The cost of one point of a stage; a load of an inlined Func computes it."""
        stage = self.dag.funcs[name].stages[number]
        loads = sum([load.count * of_load[load.name] for load in (*stage.loads, *stage.self_loads)])
        return loads + sum(map(sum, stage.operations))


def inlinings(dag: Dag, state: State) -> Iterator[State]:
    """The states that inline one more pure Func into all of its consumers."""
    for name, info in dag.funcs.items():
        if info.inlinable and not info.fixed and state[name].where is Where.ROOT:
            yield placed(dag, state, name, INLINED)


def merges(dag: Dag, state: State) -> Iterator[State]:
    """The states that compute a group inside tiles of the only group that reads it."""
    for name, members in groups(dag, state).items():
        path = common_path(dag, state, name)
        if dag.funcs[name].fixed or dag.funcs[name].output or not path:
            continue
        host, number = path[0].func, path[0].stage
        nest = state[host].nests[number]
        if not nest.parallel:
            continue
        for tiled in (nest, *tilings(dag, host, number, nest)):
            merged = with_nest(dag, state, host, number, tiled, lambda level: level)
            for member in members:
                nests = default_nests(dag, dag.funcs[member], root=False)
                merged = placed(dag, merged, member, at(NestLevel(host, number, 0), nests))
            yield merged


def tilings(dag: Dag, host: str, number: int, nest: Nest) -> Iterator[Nest]:
    """The nest with each of TILES for what one task computes."""
    stage = dag.funcs[host].stages[number]
    rows, across = outer_dim(stage, nest), nest.vector
    if rows is None or len(nest.tiles) < 2:
        return
    block = nest.tiles[-1]
    for width, height in TILES:
        if 2 * height > stage.loops[rows].extent or height % max(1, block[rows]):
            continue
        tile = [FULL] * len(stage.loops)
        tile[rows] = height
        if width != FULL:
            if (
                across is None
                or block[across] == FULL
                or width % block[across]
                or 2 * width > stage.loops[across].extent
            ):
                continue
            tile[across] = width
        if all(
            inner == FULL or outer == FULL or outer >= inner for outer, inner in zip(tile, nest.tiles[1], strict=True)
        ):
            yield parallel_over(nest, tuple(tile), stage)
