"""`python -m pipec.autoschedule.search_child`: searches beside its parent, as that asks."""

from __future__ import annotations

import time
from typing import Any

from pipec.autoschedule.cost.evaluator import Evaluator
from pipec.autoschedule.processes.serving import serve
from pipec.autoschedule.space.state import State
from pipec.autoschedule.strategies.search import Budget, search
from pipec.autoschedule.strategies.search_state import Options

MAX_RETURNED = 400
"""States of which the parent chooses finalists."""


class SearchChild:
    """Handles the requests of a parent."""

    def on_search(
        self, evaluator: Evaluator[Any], strategy: str, options: Options, start: State, end: float
    ) -> tuple[list[tuple[float, State]], int]:
        """Handles "search": returns the cheapest states, and how many it saw until `end` by the monotonic clock."""
        budget = Budget(end - time.monotonic())
        searched = search(evaluator.dag, evaluator, strategy, options, budget, start)
        return searched.cheapest(MAX_RETURNED), searched.states


if __name__ == "__main__":
    serve(SearchChild(), __doc__)
