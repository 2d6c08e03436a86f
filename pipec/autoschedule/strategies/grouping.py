"""Greedy grouping: Funcs at root are merged into the tiles of their only reader while that pays.

After Mullapudi et al., "Automatically scheduling Halide image processing pipelines" (SIGGRAPH 2016): first what is
inlined, then which producers are computed inside tiles of their reader's group, one tile level, benefit first.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipec.autoschedule.space.cpu.nests import default_nests
from pipec.autoschedule.space.cpu.variations import outer_tiles
from pipec.autoschedule.space.edits import at, placed, with_nest
from pipec.autoschedule.space.legalize import readers
from pipec.autoschedule.space.plan import INLINED, Plan, Site, Where
from pipec.autoschedule.strategies.search_state import Found, Options


def grouping(found: Found, options: Options) -> Iterator[None]:
    """Offer the plan after every merge until none is cheaper."""
    plan, price = found.start, found.price(found.start)
    for candidates in (_inlinings, _merges):
        while True:
            ranked = found.ranked(candidates(found, plan))
            yield
            if not ranked or ranked[0][0] >= price:
                break
            price, plan = ranked[0]


def _inlinings(found: Found, plan: Plan) -> list[Plan]:
    return [
        placed(found.dag, plan, name, INLINED)
        for name, info in found.dag.funcs.items()
        if info.inlinable and not info.fixed and plan[name].where is Where.ROOT
    ]


def _merges(found: Found, plan: Plan) -> list[Plan]:
    """The group of each root Func computed inside the tiles of the one group that reads it, for several tiles."""
    merged: list[Plan] = []
    for name, info in found.dag.funcs.items():
        if info.fixed or info.output or plan[name].where is not Where.ROOT:
            continue
        hosts = {plan.group_of(reader) for reader, _ in readers(found.dag, plan, name)}
        if len(hosts) != 1 or found.dag.funcs[(host := hosts.pop())].fixed:
            continue
        stage = len(plan[host].nests) - 1
        nest = plan[host].nests[stage]
        if not nest.parallel:
            continue
        nests = default_nests(found.dag, info, root=False)
        for other in (nest, *outer_tiles(found.dag, found.dag.funcs[host].stages[stage], nest)):
            tiled = with_nest(found.dag, plan, host, stage, other, lambda level: level)
            candidate = placed(found.dag, tiled, name, at(Site(host, stage, 0), nests))
            merged.append(candidate)
    return merged
