"""Chains of Funcs whose places pay together only: producers fused into one consumer's loops, inlined, or stored.

The first link alone costs more, so that a search by single changes does not begin.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pipec.autoschedule.space.legalize import readers
from pipec.autoschedule.space.state import INLINED, State, Where
from pipec.autoschedule.strategies.deciding import refine
from pipec.autoschedule.strategies.regions import SITES, expensive, root_of
from pipec.autoschedule.strategies.search_state import Options, SearchState

MAX_LINKS = 6


def fused_chain(search: SearchState, options: Options, beside: Mapping[str, Iterable[str]]) -> Iterator[None]:
    """Fuses producers at root into the loops of a root that alone reads them; refines the cheapest of the states."""
    state = search.best[0][1]
    hosts = list(dict.fromkeys(_only_readers(search, state).values()))
    if not hosts:
        return
    host, states = search.rng.choice(hosts), dict[State, float]()
    while len(states) < MAX_LINKS:
        func = next((name for name, reader in _only_readers(search, state).items() if reader == host), None)
        if func is None:
            break
        children = search.space.children(state, func)
        ranked = search.ranked([other for other in children if func != root_of(other, func) == host])
        yield
        if not ranked:
            break
        cost, state = ranked[0] if states else search.rng.choice(_different_loops(ranked, host, func)[:SITES])
        states[state] = cost
    if states:
        changed = {name for name in search.space.decided() if root_of(state, name) == host}
        yield from refine(search, min(states, key=states.__getitem__), options, changed, math.inf)


def inlined_chain(search: SearchState, options: Options, beside: Mapping[str, Iterable[str]]) -> Iterator[None]:
    """Inlines one Func of the best state, then one by one those that it reads; refines the cheapest of the states."""
    state, infos = search.best[0][1], search.dag.funcs
    free = [n for n in search.space.decided() if infos[n].inlinable and state[n].where is not Where.INLINE]
    if not free:
        return
    chain, states = [expensive(search, state, free)], dict[State, float]()
    state = search.space.placed(state, chain[0], INLINED)
    states[state] = search.cost(state)
    while len(chain) < MAX_LINKS:
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
        if func is None or len(chain) >= MAX_LINKS:
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
            roots = {root_of(state, reader) for reader, _ in readers(search.dag, state, name)} - {name}
            if len(roots) == 1:
                (only[name],) = roots
    return only
