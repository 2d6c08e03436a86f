"""Greedy grouping: Funcs at root are merged into the tiles of their only reader while that pays.

After Mullapudi et al., "Automatically scheduling Halide image processing pipelines" (SIGGRAPH 2016): first what is
inlined, then which producers are computed inside tiles of their reader's group, one tile level, benefit first.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipec.autoschedule.space.cpu.nests import default_nests
from pipec.autoschedule.space.cpu.variations import outer_tiles
from pipec.autoschedule.space.edits import at, placed, with_nest
from pipec.autoschedule.space.legalize import common_path
from pipec.autoschedule.space.state import INLINED, NestLevel, State, Where
from pipec.autoschedule.strategies.search_state import Options, SearchState


def grouping(search: SearchState, options: Options) -> Iterator[None]:
    """Offer the state after every merge until none is cheaper."""
    state, cost = search.start, search.cost(search.start)
    for candidates in (_inlinings, _merges):
        while True:
            ranked = search.ranked(candidates(search, state))
            yield
            if not ranked or ranked[0][0] >= cost:
                break
            cost, state = ranked[0]


def _inlinings(search: SearchState, state: State) -> list[State]:
    return [
        placed(search.dag, state, name, INLINED)
        for name, info in search.dag.funcs.items()
        if info.inlinable and not info.fixed and state[name].where is Where.ROOT
    ]


def _merges(search: SearchState, state: State) -> list[State]:
    """Returns the states that compute a root Func inside the tiles of the one stage at root that reads it."""
    merged: list[State] = []
    for name, info in search.dag.funcs.items():
        if info.fixed or info.output or state[name].where is not Where.ROOT:
            continue
        path = common_path(search.dag, state, name)
        if not path:
            continue
        host, stage = path[0].func, path[0].stage
        nest = state[host].nests[stage]
        if not nest.parallel:
            continue
        nests = default_nests(search.dag, info, root=False)
        for other in (nest, *outer_tiles(search.dag, search.dag.funcs[host].stages[stage], nest)):
            tiled = with_nest(search.dag, state, host, stage, other, lambda level: level)
            candidate = placed(search.dag, tiled, name, at(NestLevel(host, stage, 0), nests))
            merged.append(candidate)
    return merged
