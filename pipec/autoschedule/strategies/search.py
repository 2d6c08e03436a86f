"""One search: a strategy run within a budget of time, states and memory; whatever ends it, the best so far stands."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from pipec.autoschedule.cost.evaluator import Evaluator
from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.space.state import State
from pipec.autoschedule.strategies import STRATEGIES
from pipec.autoschedule.strategies.search_state import Options, SearchState
from pipec.deep_stack import gc_paused
from pipec.records import dataclass

Progress = Callable[[SearchState, float], None]
"""Told between steps: what has been found, and the seconds left."""


@dataclass(frozen=True)
class Budget:
    """`seconds` of wall time and `states` evaluated, whichever is used up first."""

    seconds: float = 8.0
    states: int = 1_000_000


def search(
    dag: Dag,
    evaluator: Evaluator[Any],
    strategy: str = "beam",
    options: Options | None = None,
    budget: Budget | None = None,
    start: State | None = None,
    progress: Progress | None = None,
    keep: int = 16,
) -> SearchState:
    """Run one strategy. KeyboardInterrupt ends the search, not the program: the best states found are returned."""
    options, budget = options or Options(), budget or Budget()
    found = SearchState(dag, evaluator, start or evaluator.space.start(), keep=keep)
    found.rng.seed(options.seed)
    deadline = time.perf_counter() + budget.seconds
    with gc_paused():
        try:
            found.cost(found.start)
            for _ in STRATEGIES[strategy](found, options):
                left = deadline - time.perf_counter()
                if progress is not None:
                    progress(found, left)
                if left <= 0 or found.states >= budget.states:
                    break
        except KeyboardInterrupt:
            if not found.best:
                raise
            found.interrupted = True
    return found
