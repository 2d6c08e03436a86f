"""Changes of a few Funcs of the best state that pay together only, of which single changes find none.

Most local optima are of four kinds. Decisions about neighbours hold each other in place; one Func should be elsewhere,
but only once its producers are, too; a chain of producers pays in the loops of its consumer as a whole, while its first
link alone costs more there; or loops pay only with two changes, such as smaller tiles of a plane each.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set

from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.space.legalize import readers
from pipec.autoschedule.space.state import INLINED, State, Where
from pipec.autoschedule.strategies.deciding import decided, refine
from pipec.autoschedule.strategies.search_state import Options, SearchState

REGION_FUNCS, REGION_NOISE = 6, 0.1
"""Funcs of a region at most, and how much costs are changed while they are decided anew."""
CHAIN = 6
"""Producers that are fused one after the other."""
SITES = 4
"""Of the ways to begin, the cheapest of which one is taken at random."""
TILINGS = 48
"""Random ones of a nest, of which the cheapest is refined."""


class Regions:
    """Changes regions of the best state of a search in the four ways, which have their turns in random order."""

    def __init__(self, search: SearchState, options: Options) -> None:
        self.search, self.options = search, options
        self.beside = neighbours(search.dag)
        self._turns: list[Change] = []

    def changed(self) -> Iterator[None]:
        """Changes one region, in the next of the ways that finds any to change."""
        states = self.search.states
        for _ in CHANGES:
            self._turns = self._turns or self.search.rng.sample(CHANGES, len(CHANGES))
            yield from self._turns.pop()(self.search, self.options, self.beside)
            if self.search.states > states:
                return


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


def fused_chain(search: SearchState, options: Options, beside: Mapping[str, Iterable[str]]) -> Iterator[None]:
    """Fuses producers at root into the loops of a root that alone reads them; refines the cheapest of the states."""
    state = search.best[0][1]
    hosts = list(dict.fromkeys(_only_readers(search, state).values()))
    if not hosts:
        return
    host, states = search.rng.choice(hosts), dict[State, float]()
    while len(states) < CHAIN:
        func = next((name for name, reader in _only_readers(search, state).items() if reader == host), None)
        if func is None:
            break
        children = search.space.children(state, func)
        ranked = search.ranked([other for other in children if func != _root_of(other, func) == host])
        yield
        if not ranked:
            break
        cost, state = ranked[0] if states else search.rng.choice(_different_loops(ranked, host, func)[:SITES])
        states[state] = cost
    if states:
        changed = {name for name in search.space.decided() if _root_of(state, name) == host}
        yield from refine(search, min(states, key=states.__getitem__), options, changed, math.inf)


def retiled(search: SearchState, options: Options, beside: Mapping[str, Iterable[str]]) -> Iterator[None]:
    """Gives the loops of one Func of the best state random sizes, of which the cheapest are refined with what is in
    them."""
    state = search.best[0][1]
    levelled = [name for name in search.space.decided() if any(len(nest.tiles) > 1 for nest in state[name].nests)]
    if not levelled:
        return
    func = _expensive(search, state, levelled)
    tilings = search.space.random_tilings(state, func, search.rng, TILINGS)
    ranked = [other for _, other in search.ranked(tilings) if other != state]
    yield
    if ranked:
        inside = {name for name in search.space.decided() if _root_of(state, name) == _root_of(state, func)}
        yield from refine(search, ranked[0], options, inside)


def inlined_chain(search: SearchState, options: Options, beside: Mapping[str, Iterable[str]]) -> Iterator[None]:
    """Inlines one Func of the best state, then one by one those that it reads; refines the cheapest of the states."""
    state, infos = search.best[0][1], search.dag.funcs
    free = [n for n in search.space.decided() if infos[n].inlinable and state[n].where is not Where.INLINE]
    if not free:
        return
    chain, states = [_expensive(search, state, free)], dict[State, float]()
    state = search.space.placed(state, chain[0], INLINED)
    states[state] = search.cost(state)
    while len(chain) < CHAIN:
        read = {
            n: search.space.placed(state, n, INLINED) for n in free if n not in chain and _read_by(search, n, chain)
        }
        ranked = search.ranked(read.values())
        yield
        if not ranked:
            break
        cost, state = ranked[0]
        chain += [name for name, other in read.items() if other == state]
        states[state] = cost
    changed = set(chain).union(*[beside[name] for name in chain])
    yield from refine(search, min(states, key=states.__getitem__), options, changed, math.inf)


def stored_together(search: SearchState, options: Options, beside: Mapping[str, Iterable[str]]) -> Iterator[None]:
    """Stores inlined Funcs that are read by the same Funcs, or by each other, one by one at one compute level; refines
    the cheapest of the states."""
    state, infos = search.best[0][1], search.dag.funcs
    free = [n for n in search.space.decided() if not infos[n].must_inline and state[n].where is Where.INLINE]
    if not free:
        return
    chain, states = [search.rng.choice(free)], dict[State, float]()
    ranked = [ranked for ranked in search.ranked(search.space.children(state, chain[0])) if ranked[1][chain[0]].compute]
    yield
    while ranked:
        cost, state = ranked[0] if states else search.rng.choice(ranked[:SITES])
        states[state] = cost
        level = state[chain[0]].compute
        near = {name for member in chain for name in beside[member]}
        func = next((n for n in free if n not in chain and (n in near or near & set(beside[n]))), None)
        if func is None or len(chain) >= CHAIN:
            break
        chain.append(func)
        children = search.space.children(state, func)
        ranked = search.ranked([other for other in children if other[func].compute == level])
        yield
    if states:
        changed = set(chain).union(*[beside[name] for name in chain])
        yield from refine(search, min(states, key=states.__getitem__), options, changed, math.inf)


def _read_by(search: SearchState, func: str, readers: Sequence[str]) -> bool:
    return any(reader in readers for reader, _ in search.dag.consumers.get(func, ()))


Change = Callable[[SearchState, Options, Mapping[str, Iterable[str]]], Iterator[None]]
CHANGES: Sequence[Change] = (redecided, moved_elsewhere, fused_chain, inlined_chain, stored_together, retiled)


def _different_loops(ranked: Sequence[tuple[float, State]], host: str, func: str) -> list[tuple[float, State]]:
    """The cheapest of the states with each outermost tile of the host and level of the Func."""
    classes: dict[object, tuple[float, State]] = {}
    for cost, state in ranked:
        tiles = tuple([nest.tiles[:1] for nest in state[host].nests])
        classes.setdefault((tiles, state[func].compute), (cost, state))
    return list(classes.values())


def _only_readers(search: SearchState, state: State) -> dict[str, str]:
    """The root in whose loops alone each other root is read, for those that have one, consumers first."""
    only: dict[str, str] = {}
    for name in search.space.decided():
        if state[name].where is Where.ROOT and not search.dag.funcs[name].output:
            roots = {_root_of(state, reader) for reader, _ in readers(search.dag, state, name)} - {name}
            if len(roots) == 1:
                (only[name],) = roots
    return only


def _root_of(state: State, func: str) -> str:
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
    centre = _expensive(search, state, free)
    chosen = around(beside, centre, search.rng.randint(2, REGION_FUNCS), set(free))
    return [centre, *[name for name in free if name in chosen and name != centre]]


def _expensive(search: SearchState, state: State, funcs: Sequence[str]) -> str:
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
