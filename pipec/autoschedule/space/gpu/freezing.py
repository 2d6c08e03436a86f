"""Freezing (Anderson et al. 2021): most Funcs are decided at once, inline or a kernel of their own, and stay so.

With only these two choices a pass over all Funcs is quick. Of many Funcs the cheap ones have little to gain from more;
the expensive ones, the logarithm of their number at least, are decided again in the whole space, and so are those
inlined into the most expensive: their time is part of their readers' cost.
"""

from __future__ import annotations

import math

from pipec.autoschedule.space.gpu.nests import root_placement
from pipec.autoschedule.space.gpu.space import GpuSpace
from pipec.autoschedule.space.state import INLINED, State, Where

FREE = 12
"""Pipelines of so many Funcs are searched whole."""
SHARE = 0.98
"""Of the time of the first pass, that is due to the Funcs that stay free."""
SHARE_OF_MOST_EXPENSIVE = 0.75
"""As above, of the Funcs of which what is inline in them stays free as well."""


def freeze_most(space: GpuSpace, start: State) -> State:
    """Decide between inline and root, freeze the cheapest Funcs so in `space`, and give the state that comes of it."""
    space.frozen = frozenset()
    free = list(space.decided())
    wish = space.options.freeze
    if wish is False or (wish is None and len(free) <= FREE):
        return start
    state = start
    for name in free:
        info = space.dag.funcs[name]
        if info.must_inline or name in space.unable:
            continue
        options = [state, space.placed(state, name, root_placement(space.dag, info))]
        if space.moves.may_inline(info):
            options.append(space.placed(state, name, INLINED))
        costs = space.evaluator.costs(options)
        state = options[costs.index(min(costs))]
    space.frozen = _cheapest(space, state, free) if len(free) > 1 else frozenset()
    return state


def _cheapest(space: GpuSpace, state: State, free: list[str]) -> frozenset[str]:
    costs = dict.fromkeys(free, 0.0)
    for (func, _), seconds in space.evaluator.per_stage(state).items():
        if func in costs:
            costs[func] += seconds
    ranked = sorted(free, key=lambda name: -costs[name])
    least = math.ceil(math.log2(len(free))) + (0 if space.options.freeze else FREE)
    total, kept = sum(costs.values()), 0.0
    expensive: set[str] = set()
    most_expensive: set[str] = set()
    for name in ranked:
        if len(expensive) >= least and kept >= SHARE * total:
            break
        expensive.add(name)
        if kept < SHARE_OF_MOST_EXPENSIVE * total:
            most_expensive.add(name)
        kept += costs[name]
    into = space.boxes.into(state)
    expensive.update(*[into[name] for name in most_expensive])
    return frozenset([name for name in free if name not in expensive and state[name].where is not Where.AT])
