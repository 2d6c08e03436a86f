"""Search strategies. A strategy is a generator: it offers states to a `SearchState` and yields between its steps.

In: a space with an evaluator, and Options. Out: the best states so far, in the `SearchState`, whenever the search ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from pipec.autoschedule.strategies.beam import beam
from pipec.autoschedule.strategies.dropout import dropout
from pipec.autoschedule.strategies.grouping import grouping
from pipec.autoschedule.strategies.search_state import Options, SearchState

Strategy = Callable[[SearchState, Options], Iterator[None]]


def nothing(search: SearchState, options: Options) -> Iterator[None]:
    """No search: the state that always exists, or the one that rules chose."""
    yield from ()


STRATEGIES: Mapping[str, Strategy] = {
    "beam": beam,
    "grouping": grouping,
    "random": dropout,
    "fallback": nothing,
    "trivial": nothing,
    "li2018": nothing,
}
