"""One search: a strategy run within a budget of time, states and memory; however it ends, the best states so far are
its result.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from pipec.autoschedule.cost.evaluator import Evaluator
from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.space.state import State
from pipec.autoschedule.strategies import STRATEGIES
from pipec.autoschedule.strategies.search_state import NO_LIMIT, Options, SearchState
from pipec.deep_stack import gc_paused
from pipec.records import dataclass

Progress = Callable[[SearchState, float], None]
"""Called between steps with the state of the search and the seconds that are left."""


@dataclass(frozen=True)
class Budget:
    """`seconds` of wall time and `states` evaluated, whichever is used up first."""

    seconds: float = 8.0
    states: int = NO_LIMIT


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
    state = SearchState(dag, evaluator, start or evaluator.space.start(), keep=keep)
    state.rng.seed(options.seed)
    deadline = time.perf_counter() + budget.seconds
    with gc_paused():
        try:
            state.cost(state.start)
            for _ in STRATEGIES.named(strategy).search(state, options):
                left = deadline - time.perf_counter()
                if progress is not None:
                    progress(state, left)
                if left <= 0 or state.states >= budget.states:
                    break
        except KeyboardInterrupt:
            if not state.best:
                raise
            state.interrupted = True
    return state
