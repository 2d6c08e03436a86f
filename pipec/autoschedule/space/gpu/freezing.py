"""Freezing (Anderson et al. 2021): most Funcs are decided at once, inline or a kernel of their own, and stay so.

With only these two choices a pass over all Funcs is quick. Of many Funcs the cheap ones have little to gain from more;
the dear ones, the logarithm of their number at least, are decided again in the whole space, and so are those that are
inline in the dearest: what they take is part of their readers' price.
"""

from __future__ import annotations

import math

from pipec.autoschedule.space.gpu.nests import root_placement
from pipec.autoschedule.space.gpu.space import GpuSpace
from pipec.autoschedule.space.plan import INLINED, Plan, Where

FREE = 12
"""Pipelines of so many Funcs are searched whole."""
SHARE = 0.98
"""Of the time of the first pass, that is due to the Funcs that stay free."""
SHARE_OF_DEAREST = 0.75
"""As above, of the Funcs of which what is inline in them stays free as well."""


def freeze_most(space: GpuSpace, start: Plan) -> Plan:
    """Decide between inline and root, freeze the cheapest Funcs so in `space`, and give the plan that comes of it."""
    space.frozen = frozenset()
    free = list(space.decided())
    wish = space.options.freeze
    if wish is False or (wish is None and len(free) <= FREE):
        return start
    plan = start
    for name in free:
        info = space.dag.funcs[name]
        if info.must_inline or name in space.unable:
            continue
        options = [plan, space.placed(plan, name, root_placement(space.dag, info))]
        if space.moves.may_inline(info):
            options.append(space.placed(plan, name, INLINED))
        costs = space.pricing.costs(options)
        plan = options[costs.index(min(costs))]
    space.frozen = _cheapest(space, plan, free) if len(free) > 1 else frozenset()
    return plan


def _cheapest(space: GpuSpace, plan: Plan, free: list[str]) -> frozenset[str]:
    prices = dict.fromkeys(free, 0.0)
    for (func, _), seconds in space.pricing.per_stage(plan).items():
        if func in prices:
            prices[func] += seconds
    ranked = sorted(free, key=lambda name: -prices[name])
    least = math.ceil(math.log2(len(free))) + (0 if space.options.freeze else FREE)
    total, kept = sum(prices.values()), 0.0
    dear: set[str] = set()
    dearest: set[str] = set()
    for name in ranked:
        if len(dear) >= least and kept >= SHARE * total:
            break
        dear.add(name)
        if kept < SHARE_OF_DEAREST * total:
            dearest.add(name)
        kept += prices[name]
    into = space.boxes.into(plan)
    dear.update(*[into[name] for name in dearest])
    return frozenset([name for name in free if name not in dear and plan[name].where is not Where.AT])
