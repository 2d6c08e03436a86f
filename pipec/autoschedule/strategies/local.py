"""Local search on complete plans: the dearest Funcs first, one change at a time, as long as the price falls."""

from __future__ import annotations

from collections.abc import Iterator

from pipec.autoschedule.space.plan import Plan, Where
from pipec.autoschedule.strategies.search_state import Found, Options

LEAST_GAIN = 0.999


def refine(found: Found, plan: Plan, options: Options) -> Iterator[None]:
    """Sweep over all Funcs until a sweep changes nothing, `options.rounds` times at most."""
    price = found.price(plan)
    tried: dict[str, Plan] = {}
    for _ in range(options.rounds):
        before = price
        for func in dear_first(found, plan):
            while tried.get(func) != plan:
                tried[func] = plan
                options_here = found.space.neighbours(plan, func)
                if not options_here:
                    break
                best_price, best = found.ranked(options_here)[0]
                yield
                if best_price >= price * LEAST_GAIN:
                    break
                plan, price = best, best_price
        if price >= before * LEAST_GAIN:
            return


def dear_first(found: Found, plan: Plan) -> list[str]:
    """The Funcs that may be changed, those that take most of the time first; inlined ones last."""
    prices: dict[str, float] = {}
    for (func, _), seconds in found.evaluator.per_stage(plan).items():
        prices[func] = prices.get(func, 0.0) + seconds
    return sorted(found.space.decided(), key=lambda name: (plan[name].where is Where.INLINE, -prices.get(name, 0.0)))
