"""Beam search: Funcs are decided one after the other, readers first; the best plans are refined, then partly redone.

After Adams et al., "Learning to optimize Halide with tree search and random programs" (SIGGRAPH 2019). Unlike there
every state is a complete plan, so prices of undecided Funcs are those of a real program rather than hopes. What is
undecided stays as in the plan that a pass begins with: the fallback at first, later the best so far. Several narrow
passes of that kind find better plans than a wide one in the same time, and the first is done soon. A local optimum that
is twice as dear as the best is common, and mostly left by deciding everything anew at prices that chance has changed.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from itertools import chain, repeat

from pipec.autoschedule.space.plan import Plan
from pipec.autoschedule.strategies.local import LEAST_GAIN, refine
from pipec.autoschedule.strategies.search_state import Found, Options

PER_CLASS = 3
"""At most so many plans of the beam differ in sizes only."""
FORGOTTEN = ((0.15, 0.0), (0.3, 0.1), (0.6, 0.1), (1.0, 0.3))
"""Shares of the decisions that are forgotten before a pass, and how much (the standard deviation of their logarithms)
prices are changed in it: else decisions that look good before others are taken would be taken again and again."""
ANEW = FORGOTTEN[-1]
"""Everything: how local optima are left."""
RESTARTS = 3
"""Passes that decide everything anew before some only forget a part."""


def beam(found: Found, options: Options) -> Iterator[None]:
    """Decide greedily; anew a few times; then some Funcs again at random, as long as that finds cheaper plans. Halfway
    to giving up everything is decided once more with a wide beam."""
    found.price(found.start)
    yield from one_pass(found, options)
    failed, passes = 0, chain(repeat(ANEW, RESTARTS), map(found.rng.choice, repeat(FORGOTTEN)))
    while failed < options.patience:
        price, plan = found.best[0]
        if options.beam > 1 and failed == options.patience // 2:
            plans = yield from decided(found, found.start, options.beam)
        else:
            share, noise = next(passes)
            plans = yield from decided(found, forgotten(found, plan, share), 1, noise)
        for other in plans[: options.refined]:
            yield from refine(found, other, options)
        failed = 0 if found.best[0][0] < price * LEAST_GAIN else failed + 1


def one_pass(found: Found, options: Options) -> Iterator[None]:
    """Decide every Func greedily and refine what comes of it."""
    (plan, *_) = yield from decided(found, found.start, 1)
    yield from refine(found, plan, options)


def decided(found: Found, start: Plan, width: int, noise: float = 0.0) -> Generator[None, None, list[Plan]]:
    """Decide every Func, keeping `width` plans; the last of these are returned, the cheapest first."""
    plans = [start]
    for func in found.space.decided():
        candidates: dict[Plan, None] = {}
        for plan in plans:
            candidates |= dict.fromkeys(found.space.children(plan, func))
            if len(candidates) > 64:
                found.prices(list(candidates))
                yield
        plans = diverse(noisy(found, found.ranked(candidates), noise), width)
        yield
    return plans


def noisy(found: Found, ranked: list[tuple[float, Plan]], noise: float) -> list[tuple[float, Plan]]:
    """In the order of prices that chance has changed."""
    if not noise:
        return ranked
    changed = [(price * math.exp(found.rng.gauss(0.0, noise)), number) for number, (price, _) in enumerate(ranked)]
    return [ranked[number] for _, number in sorted(changed)]


def forgotten(found: Found, plan: Plan, share: float) -> Plan:
    """The plan with about that share of its Funcs as they were at the start."""
    for name in found.space.decided():
        if found.rng.random() < share:
            plan = found.space.placed(plan, name, found.start[name])
    return plan


def diverse(ranked: list[tuple[float, Plan]], width: int) -> list[Plan]:
    """The first `width` plans, not too many of them alike; at least one."""
    classes: dict[int, int] = {}
    kept: list[Plan] = []
    for _, plan in ranked:
        if len(kept) >= width:
            break
        shape = structure(plan)
        if classes.get(shape, 0) < PER_CLASS:
            classes[shape] = classes.get(shape, 0) + 1
            kept.append(plan)
    return kept


def structure(plan: Plan) -> int:
    """A hash of where everything is computed and stored, whatever the sizes of tiles."""
    return hash(
        tuple(
            [
                (name, p.where.value, p.compute, p.store, tuple([(len(nest.tiles), nest.vector) for nest in p.nests]))
                for name, p in plan.placements.items()
            ]
        )
    )
