"""Decisions by a value function: the best cost that can be reached from a partial state, learnt while searching.

After Steiner et al., "Value learning for throughput optimization of deep learning workloads" (MLSys 2021). The cost of
a partial state is that of its undecided Funcs as they are at the start, which says little about where it leads. The
value of a partial state is the least cost of all complete states that were reached from it. A linear model predicts the
logarithm of value over cost from what is decided. It is trained on the ancestors of every state that a greedy pass or a
beam has completed. Passes take the decision of the least predicted value. As in Thompson sampling the weights of a pass
are drawn from what is uncertain about them, so that a pass tries what few passes did.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from pipec.autoschedule.space.state import State
from pipec.autoschedule.strategies.deciding import MIN_GAIN, refine
from pipec.autoschedule.strategies.search_state import Options, SearchState

Array = NDArray[np.float64]
COLUMNS = 128
"""Of the features of a state: what is decided is hashed into so many."""
PRIOR, NOISE = 0.15, 0.1
"""Standard deviations: of a weight before training, of the logarithm of a value that a weight does not explain."""
MAX_ANCESTORS = 2000
"""The latest, which the model is trained on."""
BEAM = 4
"""States that a beam by values keeps; every fourth pass is one."""
REFINED = 4
"""Passes, of which the best is refined by local search."""


class ValueFunction:
    """Bayesian linear regression of log(best reachable cost / cost) on what is decided. Its state: X'X and X'y."""

    def __init__(self, search: SearchState) -> None:
        self.search = search
        self.funcs = list(search.space.decided())
        self._columns: dict[tuple[object, ...], int] = {}
        self._best: dict[State, tuple[int, float]] = {}
        self._weights: Array = np.zeros(COLUMNS)

    def predicted(self, states: Sequence[State], depth: int) -> list[float]:
        """Values, in seconds, of states of which the Funcs before `depth` are decided."""
        costs = self.search.costs(states)
        return [
            cost * math.exp(self._weights[self._features(state, depth)].sum())
            for state, cost in zip(states, costs, strict=True)
        ]

    def _features(self, state: State, depth: int) -> list[int]:
        """The columns that are 1: the depth, and where each decided Func is computed and along what its vectors are."""
        keys: list[tuple[object, ...]] = [(depth,)]
        for name in self.funcs[:depth]:
            place = state[name]
            at = None if place.compute is None else (place.compute.func, place.compute.stage)
            keys.append((name, place.where, at, place.store is None, tuple([nest.vector for nest in place.nests])))
        return [self._columns.setdefault(key, len(self._columns) % COLUMNS) for key in keys]

    def reached(self, path: Sequence[State], cost: float) -> None:
        """Records that a state of this cost was reached from the ancestors in `path`, one after each decision."""
        for depth, state in enumerate(path, 1):
            before = self._best.get(state)
            if before is None or cost < before[1]:
                self._best[state] = depth, cost

    def train(self, optimism: float) -> None:
        """Fits the weights to all ancestors; `optimism`: how far they are drawn from the most likely ones."""
        for state in list(self._best)[:-MAX_ANCESTORS]:
            del self._best[state]
        costs = self.search.costs(list(self._best))
        rows, targets = np.zeros((len(self._best), COLUMNS)), np.zeros(len(self._best))
        for number, ((state, (depth, value)), cost) in enumerate(zip(self._best.items(), costs, strict=True)):
            if 0 < cost < math.inf and 0 < value < math.inf:
                rows[number, self._features(state, depth)] = 1
                targets[number] = math.log(value / cost)
        precision = rows.T @ rows / NOISE**2 + np.eye(COLUMNS) / PRIOR**2
        factor = np.linalg.cholesky(precision)
        mean = np.linalg.solve(precision, rows.T @ targets / NOISE**2)
        chance = np.array([self.search.rng.gauss(0.0, 1.0) for _ in range(COLUMNS)])
        self._weights = mean + optimism * np.linalg.solve(factor.T, chance)


def value(search: SearchState, options: Options) -> Iterator[None]:
    """Passes by the value function, which is trained after each, until some have not improved the best."""
    function = ValueFunction(search)
    failed, number = 0, 0
    completed: list[tuple[float, int, State]] = []
    while failed < options.patience:
        before = search.best[0][0]
        paths = yield from one_pass(search, function, BEAM if number % 4 == 3 else 1)
        for path in paths:
            completed.append((search.cost(path[-1]), len(completed), path[-1]))
            function.reached(path, completed[-1][0])
        if number % REFINED == 0:
            cost, _, state = min(completed)
            yield from refine(search, state, options)
            completed = []
        function.train(0.0 if number % 4 == 2 else 1.0)
        failed, number = 0 if search.best[0][0] < before * MIN_GAIN else failed + 1, number + 1


def one_pass(search: SearchState, function: ValueFunction, width: int) -> Generator[None, None, list[list[State]]]:
    """Decides every Func by predicted values. Returns the states after each decision, for each of the last states."""
    paths: list[list[State]] = [[]]
    for depth, func in enumerate(function.funcs, 1):
        longer: dict[State, list[State]] = {}
        for path in paths:
            for child in search.space.children(path[-1] if path else search.start, func):
                longer.setdefault(child, path)
        states = list(longer)
        values = function.predicted(states, depth)
        order = sorted(range(len(states)), key=values.__getitem__)
        paths = [[*longer[states[place]], states[place]] for place in order[:width]]
        yield
    return paths if function.funcs else []
