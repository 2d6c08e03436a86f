"""The ways to a schedule that are compared: by hand and by search, with either compiler."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

MEMORY_LIMIT = 8 << 30  # address space of a process that searches
BEST = "best"  # the cost model that pipec takes when none is named
SEARCH_LIMIT = 300  # processor seconds of a search that does not measure


@dataclass(frozen=True)
class Way:
    """`module`: the front end. `searcher`: who finds the schedule, None for the hand schedule."""

    name: str
    module: str
    searcher: str | None = None
    measures: bool = False  # the search runs candidates, for as long as it is told to
    verifies: bool = False  # the search runs its finalists

    def options(self, budget: str) -> dict[str, Any]:
        """What pipec's `Pipeline.autoschedule` is given."""
        model = None if self.searcher == BEST else self.searcher
        return {"model": model, "verify": self.verifies} | ({"budget": budget} if self.measures else {})


WAYS = {
    way.name: way
    for way in (
        Way("manual", "halide"),
        Way("Mullapudi2016", "halide", "Mullapudi2016"),
        Way("Adams2019", "halide", "Adams2019"),
        Way("Li2018", "halide", "Li2018"),
        Way("hand", "pipec"),
        Way("blend", "pipec", "blend"),
        Way("roofline", "pipec", "roofline"),
        Way("network", "pipec", "network"),
        Way("default", "pipec", BEST, verifies=True),
        Way("tuned", "pipec", BEST, measures=True, verifies=True),
    )
}


def usual(measuring: bool) -> list[str]:
    """The ways that are compared unless others are named."""
    return [way.name for way in WAYS.values() if measuring or not way.measures]
