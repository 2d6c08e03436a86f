"""Steps of searches: Funcs decided one after the other, and local search from a complete state."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence, Set

from pipec.autoschedule.space.state import FuncPlacement, State, Where
from pipec.autoschedule.strategies.search_state import Options, SearchState

MIN_GAIN = 0.999
"""Of costs: by less a state does not become better."""
PER_CLASS = 3
"""States of the beam that differ in sizes only."""
FEW_FUNCS = 5
"""In longer passes costs are changed less at each decision, since what many of them waste adds up."""


HOPEFUL, FEW_STATES = 1.2, 100
"""States that cost more than so many times the best after so many others were evaluated rarely become the best: of 60
that did in searches of ten pipelines 4."""


def refine(
    search: SearchState, state: State, options: Options, only: Set[str] | None = None, hopeful: float = HOPEFUL
) -> Iterator[None]:
    """Sweep over all Funcs, or `only` some, until a sweep changes nothing, `options.rounds` times at most.

    `hopeful`: by how much more than the best it may cost when a few states have been evaluated.
    """
    cost, enough = search.cost(state), search.states + FEW_STATES
    tried: dict[str, State] = {}
    for _ in range(options.rounds):
        before = cost
        funcs = most_expensive_first(search, state)
        for func in funcs if only is None else [name for name in funcs if name in only]:
            while tried.get(func) != state:
                tried[func] = state
                candidates = search.space.neighbours(state, func)
                if not candidates:
                    break
                best_cost, best = search.ranked(candidates)[0]
                yield
                if best_cost >= cost * MIN_GAIN:
                    break
                state, cost = best, best_cost
            if search.states > enough and cost > hopeful * search.best[0][0]:
                return
        if cost >= before * MIN_GAIN:
            return


def most_expensive_first(search: SearchState, state: State) -> list[str]:
    """The Funcs that may be changed, those that take most of the time first; inlined ones last."""
    costs: dict[str, float] = {}
    for (func, _), seconds in search.evaluator.per_stage(state).items():
        costs[func] = costs.get(func, 0.0) + seconds
    return sorted(search.space.decided(), key=lambda name: (state[name].where is Where.INLINE, -costs.get(name, 0.0)))


def decided(
    search: SearchState, start: State, width: int, noise: float = 0.0, only: Sequence[str] | None = None
) -> Generator[None, None, list[State]]:
    """Decide every Func, or `only` some, keeping `width` states; the last of these are returned, the cheapest first."""
    states = [start]
    funcs = search.space.decided() if only is None else only
    noise /= max(1.0, len(funcs) / FEW_FUNCS)
    for func in funcs:
        candidates: dict[State, None] = {}
        for state in states:
            candidates |= dict.fromkeys(search.space.children(state, func))
            if len(candidates) > 64:
                search.costs(list(candidates))
                yield
        states = diverse(noisy(search, search.ranked(candidates), noise), width)
        yield
    return states


def noisy(search: SearchState, ranked: list[tuple[float, State]], noise: float) -> list[tuple[float, State]]:
    """Returns the states in the order of randomly perturbed costs."""
    if not noise:
        return ranked
    changed = [(cost * math.exp(search.rng.gauss(0.0, noise)), number) for number, (cost, _) in enumerate(ranked)]
    return [ranked[number] for _, number in sorted(changed)]


def diverse(ranked: list[tuple[float, State]], width: int) -> list[State]:
    """Returns the first `width` states, at most PER_CLASS of one structure; at least one."""
    classes: dict[int, int] = {}
    chosen: list[State] = []
    for _, state in ranked:
        if len(chosen) >= width:
            break
        shape = structure(state)
        if classes.get(shape, 0) < PER_CLASS:
            classes[shape] = classes.get(shape, 0) + 1
            chosen.append(state)
    return chosen


def structure(state: State) -> int:
    """A hash of where everything is computed and stored, whatever the sizes of tiles."""
    return hash(tuple([(name, structure_of_func(placement)) for name, placement in state.placements.items()]))


def structure_of_func(placement: FuncPlacement) -> tuple[object, ...]:
    """Where a Func is computed and stored, its levels of tiles and vector dimensions."""
    nests = tuple([(len(nest.tiles), nest.vector) for nest in placement.nests])
    return placement.where.value, placement.compute, placement.store, nests
