"""What a search has found so far: the best plans, how many were priced, how the best price fell."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Sequence
from typing import Any

from pipec.autoschedule.cost.evaluator import Pricing
from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.space.plan import Plan
from pipec.autoschedule.space.space import Space
from pipec.records import dataclass, field


@dataclass(frozen=True)
class Options:
    """How hard to look. `beam`: plans kept after each decision; `rounds`: sweeps of local search over all Funcs;
    `refined`: plans that local search starts from; `patience`: fruitless attempts to decide some Funcs again before
    the search ends; `dropout`: chance that a random search drops nothing at all; `samples`: plans that it makes;
    `states`: plans that are priced at most, which gives the same result on slow machines as on fast ones.
    """

    beam: int = 6
    rounds: int = 4
    refined: int = 1
    patience: int = 20
    states: int = 1_000_000
    dropout: float = 0.2
    samples: int = 1_000_000
    seed: int = 0


@dataclass
class Found:
    """The plans of one search, priced by one evaluator; the best are kept in order of price."""

    dag: Dag
    evaluator: Pricing[Any]
    start: Plan
    keep: int = 16
    best: list[tuple[float, Plan]] = field(default_factory=list)
    states: int = 0
    interrupted: bool = False  # by Ctrl-C
    history: list[tuple[float, float]] = field(default_factory=list)
    """(seconds since the start, price of the best) at every improvement."""
    began: float = field(default_factory=time.perf_counter)
    rng: random.Random = field(default_factory=lambda: random.Random(0))
    _seen: dict[Plan, float] = field(default_factory=dict, repr=False)

    @property
    def space(self) -> Space:
        return self.evaluator.space

    def prices(self, plans: Sequence[Plan]) -> list[float]:
        """The price of each plan; all are offered as results."""
        new = list(dict.fromkeys(plan for plan in plans if plan not in self._seen))
        self.states += len(new)
        if new:
            for plan, price in zip(new, self.evaluator.costs(new), strict=True):
                self._seen[plan] = price
                self._offer(price, plan)
        found = [self._seen[plan] for plan in plans]
        if len(self._seen) > 20_000:
            self._seen = {plan: self._seen[plan] for _, plan in self.best}
        return found

    def price(self, plan: Plan) -> float:
        return self.prices([plan])[0]

    def _offer(self, price: float, plan: Plan) -> None:
        if len(self.best) >= self.keep and price >= self.best[-1][0]:
            return
        if not self.best or price < self.best[0][0]:
            self.history.append((time.perf_counter() - self.began, price))
        place = next((k for k, (other, _) in enumerate(self.best) if price < other), len(self.best))
        self.best.insert(place, (price, plan))
        del self.best[self.keep :]

    def ranked(self, plans: Iterable[Plan]) -> list[tuple[float, Plan]]:
        """The plans with their prices, the cheapest first."""
        unique = list(dict.fromkeys(plans))
        return sorted(zip(self.prices(unique), unique, strict=True), key=lambda item: item[0])
