"""Numerical techniques over vectors of decisions; a bandit divides the states, or the trials, between them.

After OpenTuner (Ansel et al., PACT 2014). A point has a number from 0 to 1 for each Func: 0 takes the cheapest of its
children, 1 the most expensive one. So the origin is the greedy state, and points near it deviate from that a little.
The best states are refined by local search, as in memetic algorithms. With trials the techniques search by measured
times; points that the model finds much slower than the best get the time that it predicts, and no trial.
"""

from __future__ import annotations

import math
import time
from collections.abc import Generator, Iterator, Mapping

from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.space.state import State
from pipec.autoschedule.strategies.deciding import refine
from pipec.autoschedule.strategies.proposals import MAX_COST_RATIO, NO_TIMES, PARENTS, Proposals
from pipec.autoschedule.strategies.search_state import Options, SearchState
from pipec.tuner.ensemble import Ensemble
from pipec.tuner.knobs import KnobSpace, Point, Real

SKEW = 3.0
"""The exponent of the numbers: half of them take one of the eighth of the children that are cheapest."""
MAX_CACHED = 4_000
"""Decisions whose children are cached in the order of their costs."""
POINTS_OF_PATIENCE = 10
"""Points without an improvement that count as one attempt in `Options.patience`."""
PREDICTED_SHARE, MUTATED_SHARE = 0.25, 0.25
"""Of the trials of a round, for the cheapest states by the model, and for mutants of the fastest states."""
MAX_SCREENED = 30
"""Points for each trial that the model may find slow, or that are measured already, before mutants take its place."""


def ensemble(search: SearchState, options: Options) -> Iterator[None]:
    """Offers the states of the points that the techniques propose, and refines those that are the best so far."""
    vectors = _Vectors(search)
    if not vectors.funcs:
        return
    techniques = vectors.techniques()
    point: Point | None = (0.0,) * len(vectors.funcs)
    best, failed = math.inf, 0
    while point is not None and failed < options.patience * POINTS_OF_PATIENCE:
        state = yield from vectors.state(point)
        cost = search.cost(state)
        techniques.tell(point, cost)
        failed += 1
        if cost < best:
            best, failed = cost, 0
            yield from refine(search, state, options)
        point = techniques.ask()


class _Vectors:
    """Points as states: Funcs are decided in order, each by the number that stands for it."""

    def __init__(self, search: SearchState) -> None:
        self.search, self.funcs = search, list(search.space.decided())
        self._children: dict[tuple[State, str], list[State]] = {}

    def techniques(self) -> Ensemble:
        """An ensemble for these vectors."""
        space = KnobSpace({name: Real(0.0, 1.0) for name in self.funcs})
        return Ensemble(space, seed=self.search.rng.randrange(1 << 30))

    def state(self, point: Point) -> Generator[None, None, State]:
        """The state of a point; yields after each decision."""
        state = self.search.start
        for name, number in zip(self.funcs, point, strict=True):
            state = self._child(state, name, number)
            yield
        return state

    def state_at_once(self, point: Point) -> State:
        """The state of a point."""
        state = self.search.start
        for name, number in zip(self.funcs, point, strict=True):
            state = self._child(state, name, number)
        return state

    def _child(self, state: State, name: str, number: float) -> State:
        children = self._ranked(state, name)
        return children[min(int(len(children) * number**SKEW), len(children) - 1)]

    def _ranked(self, state: State, name: str) -> list[State]:
        key = state, name
        if key not in self._children:
            if len(self._children) >= MAX_CACHED:
                self._children.clear()
            ranked = self.search.ranked(self.search.space.children(state, name))
            self._children[key] = [child for _, child in ranked]
        return self._children[key]


class EnsembleProposals(Proposals):
    """Proposes the states of points of the ensemble, the cheapest states by the model, and mutants of the fastest."""

    def __init__(self, search: SearchState, measured: Mapping[State, float] | None = None, trains: bool = True) -> None:
        super().__init__(search, measured, trains)
        self._vectors = _Vectors(search)
        self.techniques = self._vectors.techniques() if self._vectors.funcs else None
        self._points: dict[State, Point] = {}

    def propose(self, count: int) -> Iterator[State]:
        """Up to `count` states that have not been measured."""
        share = PREDICTED_SHARE if self.measured else 1.0
        chosen = dict.fromkeys(self._cheapest(math.ceil(share * count)))
        yield from list(chosen)
        mutants = round(MUTATED_SHARE * count)
        for _ in range(MAX_SCREENED * count if self.techniques else 0):
            if len(chosen) >= count - mutants:
                break
            state = self._next_of_techniques()
            if state is not None and state not in chosen:
                chosen[state] = None
                yield state
        for state in self.mutants(4 * count):
            if len(chosen) < count and state not in chosen and state not in self.measured:
                chosen[state] = None
                yield state

    def learn(self, state: State, milliseconds: float, groups: Mapping[str, float] = NO_TIMES) -> None:
        """Records a time and gives it to the technique that proposed the state."""
        super().learn(state, milliseconds, groups)
        if self.techniques is not None and state in self._points:
            self.techniques.tell(self._points.pop(state), milliseconds)

    def search_by(self, evaluator: CpuEvaluator, seconds: float) -> SearchState:
        """Searches by the trained model, which from now on ranks the children that points choose from."""
        search = self.new_search(evaluator)
        search.costs([search.start, *self.fastest(PARENTS)])
        for _ in ensemble(search, Options()):
            if time.perf_counter() - search.began > seconds:
                break
        self._vectors = _Vectors(search)
        return search

    def _cheapest(self, count: int) -> list[State]:
        return [state for _, state in self.search.best if state not in self.measured][:count]

    def _next_of_techniques(self) -> State | None:
        """The state of the next point that is worth a trial; None where its time is measured or predicted as slow."""
        assert self.techniques is not None
        point = self.techniques.ask()
        if point is None:
            return None
        state = self._vectors.state_at_once(point)
        time_ms = self.measured.get(state, math.nan)
        if math.isnan(time_ms):
            time_ms = self._slow(state)
        if math.isnan(time_ms) and state not in self._points:
            self._points[state] = point
            return state
        self.techniques.tell(point, time_ms)
        return None

    def _slow(self, state: State) -> float:
        """Milliseconds that the model predicts, in proportion to the fastest state; nan where that is not slow."""
        for fastest in self.fastest(1):
            ratio = self.search.cost(state) / self.search.cost(fastest)
            if ratio > MAX_COST_RATIO:
                return ratio * self.measured[fastest]
        return math.nan
