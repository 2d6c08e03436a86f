"""Random states of all qualities: greedy decisions of which some are dropped at random (Adams et al. 2019)."""

from __future__ import annotations

from collections.abc import Iterator

from pipec.autoschedule.space.state import State
from pipec.autoschedule.strategies.search_state import Options, SearchState


def dropout(search: SearchState, options: Options) -> Iterator[None]:
    """One random state after the other; the caller's budget may end it before all samples are made."""
    for _ in range(options.samples):
        random_state(search, options.dropout)
        yield


def random_state(search: SearchState, dropout: float) -> State:
    """Decide every Func by the cheapest of its children that is not dropped.

    `dropout` is the chance that nothing at all is dropped: 1 gives the greedy state.
    """
    free = search.space.decided()
    keep = dropout ** (1 / max(1, len(free)))
    state = search.start
    for func in free:
        options = search.space.children(state, func)
        if search.rng.random() < keep:
            state = search.ranked(options)[0][1]
        else:
            state = search.rng.choice(options)
    return state


def random_mutant(search: SearchState, state: State, changes: int) -> State:
    """The state after some random small changes."""
    for _ in range(changes):
        state = search.space.mutated(state, search.rng)
    return state
