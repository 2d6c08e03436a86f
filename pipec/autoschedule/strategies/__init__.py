"""Ways to look for plans. A strategy is a generator: it offers plans to `Found` and yields between its steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from pipec.autoschedule.strategies.beam import beam
from pipec.autoschedule.strategies.dropout import dropout
from pipec.autoschedule.strategies.grouping import grouping
from pipec.autoschedule.strategies.search_state import Found, Options

Strategy = Callable[[Found, Options], Iterator[None]]


def nothing(found: Found, options: Options) -> Iterator[None]:
    """No search: the plan that always exists."""
    yield from ()


STRATEGIES: Mapping[str, Strategy] = {"beam": beam, "grouping": grouping, "random": dropout, "fallback": nothing}
