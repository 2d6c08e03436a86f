"""Beam search: Funcs are decided one after the other, readers first; the best states are refined, then partly redone.

After Adams et al., "Learning to optimize Halide with tree search and random programs" (SIGGRAPH 2019). Unlike there
every state is complete, so the costs of undecided Funcs are those of a real program. Undecided Funcs stay as in the
state that a pass begins with: the fallback at first, later the best so far. Several narrow passes find better states
than a wide one in the same time, and the first ends soon. Local optima that cost twice as much as the best state are
common; deciding everything from the start with randomly perturbed costs leaves most of them.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain, repeat

from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.space.state import FuncPlacement, State, Where
from pipec.autoschedule.strategies.search_state import Options, SearchState

MIN_GAIN = 0.999


def refine(search: SearchState, state: State, options: Options, only: Set[str] | None = None) -> Iterator[None]:
    """Sweep over all Funcs, or `only` some, until a sweep changes nothing, `options.rounds` times at most."""
    cost = search.cost(state)
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
        if cost >= before * MIN_GAIN:
            return


def most_expensive_first(search: SearchState, state: State) -> list[str]:
    """The Funcs that may be changed, those that take most of the time first; inlined ones last."""
    costs: dict[str, float] = {}
    for (func, _), seconds in search.evaluator.per_stage(state).items():
        costs[func] = costs.get(func, 0.0) + seconds
    return sorted(search.space.decided(), key=lambda name: (state[name].where is Where.INLINE, -costs.get(name, 0.0)))


PER_CLASS = 3
"""States of the beam that differ in sizes only."""
FORGOTTEN = ((0.15, 0.0), (0.3, 0.1), (0.6, 0.1), (1.0, 0.3))
"""Shares of the decisions that are forgotten before a pass, and how much (the standard deviation of their logarithms)
costs are changed in it: otherwise each pass would repeat the decisions that look good before others are made."""
FEW_FUNCS = 5
"""In longer passes costs are changed less at each decision, since what many of them waste adds up."""
ANEW = FORGOTTEN[-1]
"""Everything: how local optima are left."""
RESTARTS = 3
"""Passes that decide everything anew before some only forget a part."""
REGIONS, REGION_FUNCS, REGION_NOISE = 6, 6, 0.1
"""Regions of the best state that are decided anew before each pass at most, their Funcs, and how much costs change."""
FUNCS_OF_REGION = 3
"""For each so many Funcs there is a region: where there are few, a pass is hardly more than one."""


def beam(search: SearchState, options: Options) -> Iterator[None]:
    """Decides all Funcs greedily, a few times; then random ones, as long as that finds cheaper states, and in between
    regions of the best state. Halfway to giving up, a wide beam decides everything once."""
    search.cost(search.start)
    yield from one_pass(search, options)
    failed, passes = 0, chain(repeat(ANEW, RESTARTS), map(search.rng.choice, repeat(FORGOTTEN)))
    beside, regions = neighbours(search.dag), min(REGIONS, len(search.space.decided()) // FUNCS_OF_REGION)
    while failed < options.patience:
        cost = search.best[0][0]
        for _ in range(regions):
            yield from redecided(search, options, beside)
        state = search.best[0][1]
        if options.beam > 1 and failed == options.patience // 2:
            states = yield from decided(search, search.start, options.beam)
        else:
            share, noise = next(passes)
            states = yield from decided(search, forgotten(search, state, share), 1, noise)
        for other in states[: options.refined]:
            yield from refine(search, other, options)
        failed = 0 if search.best[0][0] < cost * MIN_GAIN else failed + 1


def redecided(search: SearchState, options: Options, beside: Mapping[str, Iterable[str]]) -> Iterator[None]:
    """Decides a few Funcs of the best state anew that read each other, beside all others as they are.

    Such decisions depend on each other: Funcs that are forgotten at random have neighbours that hold them in place.
    """
    free, state = search.space.decided(), search.best[0][1]
    chosen = around(beside, search.rng.choice(free), search.rng.randint(2, REGION_FUNCS), set(free))
    region = [name for name in free if name in chosen]
    for name in region:
        state = search.space.placed(state, name, search.start[name])
    (result, *_) = yield from decided(search, state, 1, REGION_NOISE, region)
    yield from refine(search, result, options, chosen.union(*[beside[name] for name in region]))


def neighbours(dag: Dag) -> Mapping[str, Iterable[str]]:
    """For each Func those that it reads and that read it, in the order of the DAG."""
    beside: dict[str, dict[str, None]] = {name: {} for name in dag.funcs}
    for name in dag.funcs:
        for reader, _ in dag.consumers.get(name, ()):
            if reader != name:
                beside[name][reader] = beside[reader][name] = None
    return beside


def around(beside: Mapping[str, Iterable[str]], centre: str, size: int, free: Set[str]) -> set[str]:
    """Up to `size` of the Funcs `free`: those nearest to `centre`, which is one of them."""
    reached, region = [centre], {centre}
    for name in reached:
        for other in beside[name]:
            if len(region) < size and other not in reached:
                reached.append(other)
                region |= {other} & free
    return region


def one_pass(search: SearchState, options: Options) -> Iterator[None]:
    """Decides every Func greedily and refines the result."""
    (state, *_) = yield from decided(search, search.start, 1, options.noise)
    yield from refine(search, state, options)


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


def forgotten(search: SearchState, state: State, share: float) -> State:
    """The state with about that share of its Funcs as they were at the start."""
    for name in search.space.decided():
        if search.rng.random() < share:
            state = search.space.placed(state, name, search.start[name])
    return state


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
