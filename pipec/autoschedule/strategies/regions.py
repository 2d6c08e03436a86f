"""Changes of a region of the best state that pay together only, of which single changes find none.

Decisions about neighbours hold each other in place; one Func should be elsewhere, but only once its producers are, too;
or loops pay only with two changes, such as smaller tiles of a plane each.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.space.state import State
from pipec.autoschedule.strategies.deciding import decided, refine
from pipec.autoschedule.strategies.search_state import Options, SearchState

REGION_FUNCS, REGION_NOISE = 6, 0.1
"""Funcs of a region at most, and how much costs are changed while they are decided anew."""
SITES = 4
"""Of the ways to begin, the cheapest of which one is taken at random."""
TILINGS = 48
"""Random ones of a nest, of which the cheapest is refined."""


def redecided(search: SearchState, options: Options, beside: Mapping[str, Iterable[str]]) -> Iterator[None]:
    """Decides a few Funcs of the best state anew that read each other, beside all others as they are."""
    state = search.best[0][1]
    chosen = _region(search, state, beside)
    region = [name for name in search.space.decided() if name in chosen]
    yield from _decided_anew(search, options, beside, state, region, REGION_NOISE)


def moved_elsewhere(search: SearchState, options: Options, beside: Mapping[str, Iterable[str]]) -> Iterator[None]:
    """Computes one Func of the best state at another level, or in other vectors, although that costs more, and decides
    its region anew."""
    state = search.best[0][1]
    first, *region = _region(search, state, beside)
    kinds: dict[object, State] = {}
    for _, other in search.ranked(search.space.children(state, first)):
        kinds.setdefault(_kind(other, first), other)
    yield
    kinds.pop(_kind(state, first), None)
    if kinds:
        state = search.rng.choice(list(kinds.values())[:SITES])
        yield from _decided_anew(search, options, beside, state, region, 0.0, first)


def retiled(search: SearchState, options: Options, beside: Mapping[str, Iterable[str]]) -> Iterator[None]:
    """Gives the loops of one Func of the best state random sizes, of which the cheapest are refined with what is in
    them."""
    state = search.best[0][1]
    levelled = [name for name in search.space.decided() if any(len(nest.tiles) > 1 for nest in state[name].nests)]
    if not levelled:
        return
    func = expensive(search, state, levelled)
    tilings = search.space.random_tilings(state, func, search.rng, TILINGS)
    ranked = [other for _, other in search.ranked(tilings) if other != state]
    yield
    if ranked:
        inside = {name for name in search.space.decided() if root_of(state, name) == root_of(state, func)}
        yield from refine(search, ranked[0], options, inside)


def root_of(state: State, func: str) -> str:
    """The Func in whose loops another is computed: itself at root."""
    around = state[func].compute
    while around is not None:
        func = around.func
        around = state[func].compute
    return func


def _kind(state: State, func: str) -> object:
    placement = state[func]
    return placement.where, placement.compute, tuple([nest.vector for nest in placement.nests])


def _decided_anew(
    search: SearchState,
    options: Options,
    beside: Mapping[str, Iterable[str]],
    state: State,
    region: Sequence[str],
    noise: float,
    *changed: str,
) -> Iterator[None]:
    for name in region:
        state = search.space.placed(state, name, search.start[name])
    (result, *_) = yield from decided(search, state, 1, noise, region)
    yield from refine(search, result, options, {*changed, *region}.union(*[beside[name] for name in region]))


def _region(search: SearchState, state: State, beside: Mapping[str, Iterable[str]]) -> list[str]:
    """Two to REGION_FUNCS Funcs, the first of which is likely to take much of the time; the others follow in order."""
    free = search.space.decided()
    centre = expensive(search, state, free)
    chosen = around(beside, centre, search.rng.randint(2, REGION_FUNCS), set(free))
    return [centre, *[name for name in free if name in chosen and name != centre]]


def expensive(search: SearchState, state: State, funcs: Sequence[str]) -> str:
    """One of the Funcs at random, half by their shares of the time."""
    costs, into = dict.fromkeys(search.dag.funcs, 0.0), search.evaluator.into(state)
    for (func, _), seconds in search.evaluator.per_stage(state).items():
        for name in (func, *into[func]):
            costs[name] += seconds
    mean = sum([costs[name] for name in funcs]) / len(funcs)
    if not 0 < mean < math.inf:
        return search.rng.choice(funcs)
    (chosen,) = search.rng.choices(funcs, [costs[name] + mean for name in funcs])
    return chosen


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
