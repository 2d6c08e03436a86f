"""Local search on complete states: the most expensive Funcs first, one change at a time, as long as the cost falls."""

from __future__ import annotations

from collections.abc import Iterator

from pipec.autoschedule.space.state import State, Where
from pipec.autoschedule.strategies.search_state import Options, SearchState

MIN_GAIN = 0.999


def refine(search: SearchState, state: State, options: Options) -> Iterator[None]:
    """Sweep over all Funcs until a sweep changes nothing, `options.rounds` times at most."""
    cost = search.cost(state)
    tried: dict[str, State] = {}
    for _ in range(options.rounds):
        before = cost
        for func in most_expensive_first(search, state):
            while tried.get(func) != state:
                tried[func] = state
                options_here = search.space.neighbours(state, func)
                if not options_here:
                    break
                best_cost, best = search.ranked(options_here)[0]
                yield
                if best_cost >= cost * MIN_GAIN:
                    break
                state, cost = best, best_cost
        if cost >= before * MIN_GAIN:
            return


def most_expensive_first(search: SearchState, state: State) -> list[str]:
    """The Funcs that may be changed, those that take most of the time first; inlined ones last."""
    costs: dict[str, float] = {}
    for (func, _), seconds in search.evaluator.per_stage(state).items():
        costs[func] = costs.get(func, 0.0) + seconds
    return sorted(search.space.decided(), key=lambda name: (state[name].where is Where.INLINE, -costs.get(name, 0.0)))
