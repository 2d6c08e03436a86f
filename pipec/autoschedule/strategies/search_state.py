"""What a search has found so far: the best states, how many were evaluated, how the best cost fell."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Sequence
from typing import Any

from pipec.autoschedule.cost.evaluator import Evaluator
from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.space.space import Space
from pipec.autoschedule.space.state import State
from pipec.records import dataclass, field

NO_LIMIT = 1_000_000
MAX_CACHED, MAX_RANKED = 20_000, 3_000
"""Costs that are cached, and the lowest ones, which stay when there are more."""


@dataclass(frozen=True)
class Options:
    """How hard to look. `workers`: processes that search beside this one with other seeds, where not `states` but time
    limits a search; None: one for each thread but the first, MAX_WORKERS at most. `noise`: how much costs are changed
    in the first pass (the standard deviation of their logarithms). `beam`: states that remain after each decision;
    `rounds`: sweeps of local search over all Funcs; `refined`: states that local search starts from; `patience`:
    attempts without improvement before the search ends; `dropout`: chance that a random search drops nothing at all;
    `samples`: states that it makes; `states`: states that are evaluated at most, which gives the same result on slow
    machines as on fast ones.
    """

    beam: int = 6
    rounds: int = 4
    refined: int = 1
    patience: int = 20
    states: int = NO_LIMIT
    dropout: float = 0.2
    samples: int = 1_000_000
    seed: int = 0
    noise: float = 0.0
    workers: int | None = None


@dataclass
class SearchState:
    """The states of one search, evaluated by one evaluator; the best are stored in order of cost."""

    dag: Dag
    evaluator: Evaluator[Any]
    start: State
    keep: int = 16
    best: list[tuple[float, State]] = field(default_factory=list)
    states: int = 0
    interrupted: bool = False  # by Ctrl-C
    history: list[tuple[float, float]] = field(default_factory=list)
    """(seconds since the start, cost of the best) at every improvement."""
    began: float = field(default_factory=time.perf_counter)
    rng: random.Random = field(default_factory=lambda: random.Random(0))
    _memo: dict[State, float] = field(default_factory=dict, repr=False)

    @property
    def space(self) -> Space:
        """The space that is searched."""
        return self.evaluator.space

    def costs(self, states: Sequence[State]) -> list[float]:
        """The cost of each state; all are offered as results."""
        new = list(dict.fromkeys(state for state in states if state not in self._memo))
        self.states += len(new)
        if new:
            for state, cost in zip(new, self.evaluator.costs(new), strict=True):
                self._memo[state] = cost
                self._offer(cost, state)
        result = [self._memo[state] for state in states]
        if len(self._memo) > MAX_CACHED:
            self._memo = {state: cost for cost, state in self.cheapest(MAX_RANKED)}
        return result

    def cheapest(self, count: int) -> list[tuple[float, State]]:
        """The cheapest of all evaluated states with their costs, at most `count` and at most MAX_RANKED."""
        ranked = sorted([(cost, number) for number, cost in enumerate(self._memo.values())])[:count]
        states = list(self._memo)
        return [(cost, states[number]) for cost, number in ranked]

    def cost(self, state: State) -> float:
        """Returns the cost of a state in seconds and offers it as a result."""
        return self.costs([state])[0]

    def join(self, others: Iterable[tuple[float, State]], count: int) -> None:
        """Offers states of another search of the same space with their costs; `count`: of all that it saw."""
        for cost, state in others:
            if state not in self._memo:
                self._memo[state] = cost
                self._offer(cost, state)
        self.states += count

    def _offer(self, cost: float, state: State) -> None:
        if len(self.best) >= self.keep and cost >= self.best[-1][0]:
            return
        if not self.best or cost < self.best[0][0]:
            self.history.append((time.perf_counter() - self.began, cost))
        place = next((k for k, (other, _) in enumerate(self.best) if cost < other), len(self.best))
        self.best.insert(place, (cost, state))
        del self.best[self.keep :]

    def ranked(self, states: Iterable[State]) -> list[tuple[float, State]]:
        """The states with their costs, the cheapest first."""
        unique = list(dict.fromkeys(states))
        return sorted(zip(self.costs(unique), unique, strict=True), key=lambda item: item[0])
