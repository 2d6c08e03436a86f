"""Beam search in coarse-to-fine passes, as published; with other limits also the search for kernels of Anderson 2021.

Adams et al., "Learning to optimize Halide with tree search and random programs" (SIGGRAPH 2019). A beam of 32 states
decides all Funcs, five times. States of one structure, by a hash that sees more detail in each pass, are penalized, so
that the beam stays diverse. A later pass also penalizes states whose coarse hash none of the good states of the pass
before had. The best of all passes is the result.

Anderson et al. (OOPSLA 2021) search kernels in the same way, in a space of their own: `space/gpu/` freezes cheap Funcs
and examines a few tilings of each equivalence class.
"""

from __future__ import annotations

import heapq
from collections.abc import Generator, Iterator, Sequence, Set

from pipec.autoschedule.space.state import FuncPlacement, State
from pipec.autoschedule.strategies.search_state import Options, SearchState

BEAM, PASSES = 32, 5
UNBLESSED = 10
"""Added to the penalty of a state whose coarse structure no good state of an earlier pass had."""
BLESSED_RATIO = 1.2
"""Complete states within this factor of the best of a pass bless their structures."""
BATCH = 256


def adams2019(search: SearchState, options: Options) -> Iterator[None]:
    """The passes; the beam of `options` where it is not the usual one, and one pass if that is 1."""
    width = BEAM if options.beam == Options.beam else options.beam
    blessed: Set[int] = frozenset()
    for number in range(PASSES if width > 1 else 1):
        states = yield from one_pass(search, width, number, blessed)
        blessed = blessed | blessings(search, states, number)


def one_pass(search: SearchState, width: int, number: int, blessed: Set[int]) -> Generator[None, None, list[State]]:
    """Decides every Func with a beam. Returns the complete states."""
    states, decided = [search.start], list[str]()
    for func in search.space.decided():
        decided.append(func)
        candidates: dict[State, None] = {}
        for state in states:
            candidates |= dict.fromkeys(search.space.children(state, func))
            if len(candidates) > BATCH:
                search.costs(list(candidates))
                yield
        states = selected(search.ranked(candidates), decided, width, number, blessed)
        yield
    return states


def selected(
    ranked: Sequence[tuple[float, State]], decided: Sequence[str], width: int, number: int, blessed: Set[int]
) -> list[State]:
    """The first `width` states, those of structures that were taken before by their penalized costs."""
    queue = [(cost, place, False) for place, (cost, _) in enumerate(ranked)]
    counts: dict[int, int] = {}
    chosen: list[State] = []
    while queue and len(chosen) < width:
        cost, place, penalized = heapq.heappop(queue)
        state = ranked[place][1]
        if not penalized:
            key = structure(state, decided, number + 1)
            penalty = counts[key] = counts.get(key, 0) + 1
            if number and structure(state, decided, number - 1) not in blessed:
                penalty += UNBLESSED
            if penalty > 1:
                heapq.heappush(queue, (cost * penalty, place, True))
                continue
        chosen.append(state)
    return chosen


def blessings(search: SearchState, states: Sequence[State], number: int) -> Set[int]:
    """The structures of the good complete states of a pass, and of their ancestors."""
    costs = search.costs(states)
    good = [state for cost, state in zip(costs, states, strict=True) if cost <= BLESSED_RATIO * min(costs)]
    funcs = list(search.space.decided())
    return {structure(state, funcs[:depth], number) for state in good for depth in range(1, len(funcs) + 1)}


def structure(state: State, decided: Sequence[str], detail: int) -> int:
    """A hash of how the decided Funcs are scheduled: with more detail, tile levels, vectors, and sizes count, too."""
    return hash(tuple([(name, described(state[name], detail)) for name in decided]))


def described(placement: FuncPlacement, detail: int) -> tuple[object, ...]:
    """What a structure has of one Func."""
    at = None if placement.compute is None else (placement.compute.func, placement.compute.stage)
    parts: list[object] = [placement.where.value, at, placement.store is not None]
    if detail > 0:
        parts += [placement.compute, [len(nest.tiles) for nest in placement.nests]]
    if detail > 1:
        parts += [[(nest.vector, nest.order, nest.parallel) for nest in placement.nests], placement.storage]
    if detail > 2:
        parts.append([[[extent.bit_length() for extent in tile] for tile in nest.tiles] for nest in placement.nests])
    if detail > 3:
        parts.append(placement)
    return tuple([repr(part) if isinstance(part, list) else part for part in parts])
