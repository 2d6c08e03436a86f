"""Beam search: Funcs are decided one after the other, readers first; the best states are refined, then partly redone.

After Adams et al., "Learning to optimize Halide with tree search and random programs" (SIGGRAPH 2019). Unlike there
every state is complete, so the costs of undecided Funcs are those of a real program. Undecided Funcs stay as in the
state that a pass begins with: the fallback at first, later the best so far. Several narrow passes find better states
than a wide one in the same time, and the first ends soon. Local optima that cost twice as much as the best state are
common; deciding everything from the start with randomly perturbed costs leaves most of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat

from pipec.autoschedule.space.state import State
from pipec.autoschedule.strategies.chains import fused_chain, inlined_chain, stored_together
from pipec.autoschedule.strategies.deciding import MIN_GAIN, decided, refine
from pipec.autoschedule.strategies.regions import moved_elsewhere, neighbours, redecided, retiled
from pipec.autoschedule.strategies.search_state import Options, SearchState

FORGOTTEN = ((0.15, 0.0), (0.3, 0.1), (0.6, 0.1), (1.0, 0.3))
"""Shares of the decisions that are forgotten before a pass, and how much (the standard deviation of their logarithms)
costs are changed in it: otherwise each pass would repeat the decisions that look good before others are made."""
ANEW = FORGOTTEN[-1]
"""Everything: how local optima are left."""
RESTARTS = 3
"""Passes that decide everything anew before some only forget a part."""
REGIONS = 8
"""Regions of the best state that are changed before each pass: so many at most, and one for each Func."""
Change = Callable[[SearchState, Options, Mapping[str, Iterable[str]]], Iterator[None]]
CHANGES: Sequence[Change] = (redecided, moved_elsewhere, fused_chain, inlined_chain, stored_together, retiled)
"""Ways to change a region. A chain whose first link costs more, and loops that pay with two changes only, are local
optima that passes rarely leave."""


def beam(search: SearchState, options: Options) -> Iterator[None]:
    """Decides all Funcs greedily, a few times; then random ones, as long as that finds cheaper states, and in between
    regions of the best state. Halfway to giving up, a wide beam decides everything once."""
    search.cost(search.start)
    yield from one_pass(search, options)
    failed, passes = 0, chain(repeat(ANEW, RESTARTS), map(search.rng.choice, repeat(FORGOTTEN)))
    regions, count = RegionChanges(search, options), min(REGIONS, len(search.space.decided()))
    while failed < options.patience:
        cost = search.best[0][0]
        for _ in range(count):
            yield from regions.changed()
        state = search.best[0][1]
        if options.beam > 1 and failed == options.patience // 2:
            states = yield from decided(search, search.start, options.beam)
        else:
            share, noise = next(passes)
            states = yield from decided(search, forgotten(search, state, share), 1, noise)
        for other in states[: options.refined]:
            yield from refine(search, other, options)
        failed = 0 if search.best[0][0] < cost * MIN_GAIN else failed + 1


class RegionChanges:
    """Changes regions of the best state of a search in all ways, which have their turns in random order."""

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


def one_pass(search: SearchState, options: Options) -> Iterator[None]:
    """Decides every Func greedily and refines the result."""
    (state, *_) = yield from decided(search, search.start, 1, options.noise)
    yield from refine(search, state, options)


def forgotten(search: SearchState, state: State, share: float) -> State:
    """The state with about that share of its Funcs as they were at the start."""
    for name in search.space.decided():
        if search.rng.random() < share:
            state = search.space.placed(state, name, search.start[name])
    return state
