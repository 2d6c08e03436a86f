"""Numerical techniques over vectors of decisions; a bandit divides the states between them.

After OpenTuner (Ansel et al., PACT 2014). A point has a number from 0 to 1 for each Func: 0 takes the cheapest of its
children, 1 the most expensive one. So the origin is the greedy state, and points near it deviate from that a little.
The best states are refined by local search, as in memetic algorithms.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from pipec.autoschedule.space.state import State
from pipec.autoschedule.strategies.beam import refine
from pipec.autoschedule.strategies.search_state import Options, SearchState
from pipec.tuner.ensemble import Ensemble
from pipec.tuner.knobs import KnobSpace, Point, Real

SKEW = 3.0
"""The exponent of the numbers: half of them take one of the eighth of the children that are cheapest."""
MAX_CACHED = 4_000
"""Decisions whose children are cached in the order of their costs."""
POINTS_OF_PATIENCE = 10
"""Points without an improvement that count as one attempt in `Options.patience`."""


def ensemble(search: SearchState, options: Options) -> Iterator[None]:
    """Offers the states of the points that the techniques propose, and refines those that are the best so far."""
    funcs = list(search.space.decided())
    if not funcs:
        return
    space = KnobSpace({name: Real(0.0, 1.0) for name in funcs})
    techniques = Ensemble(space, seed=search.rng.randrange(1 << 30))
    decoder = _Decoder(search, funcs)
    point: Point | None = (0.0,) * len(funcs)
    best, failed = float("inf"), 0
    while point is not None and failed < options.patience * POINTS_OF_PATIENCE:
        state = yield from decoder.state(point)
        cost = search.cost(state)
        techniques.tell(point, cost)
        failed += 1
        if cost < best:
            best, failed = cost, 0
            yield from refine(search, state, options)
        point = techniques.ask()


class _Decoder:
    """Points as states: Funcs are decided in order, each by the number that stands for it."""

    def __init__(self, search: SearchState, funcs: list[str]) -> None:
        self.search, self.funcs = search, funcs
        self._children: dict[tuple[State, str], list[State]] = {}

    def state(self, point: Point) -> Generator[None, None, State]:
        """The state of a point."""
        state = self.search.start
        for name, number in zip(self.funcs, point, strict=True):
            children = self._ranked(state, name)
            state = children[min(int(len(children) * number**SKEW), len(children) - 1)]
            yield
        return state

    def _ranked(self, state: State, name: str) -> list[State]:
        key = state, name
        if key not in self._children:
            if len(self._children) >= MAX_CACHED:
                self._children.clear()
            ranked = self.search.ranked(self.search.space.children(state, name))
            self._children[key] = [child for _, child in ranked]
        return self._children[key]
