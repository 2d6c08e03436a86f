"""The improvement to be expected of neighbours of measured plans.

After Jones, Schonlau and Welch, "Efficient Global Optimization of Expensive Black-Box Functions" (1998): among plans of
which the model thinks equally well, those are worth measuring of which it knows least. A neighbour is expected to take
the measured time of the plan plus what the change costs by the model; that may be wrong the more, the dearer what is
changed. So a change of a dear stage that seems to be none for the better comes before one that can gain little.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from pipec.autoschedule.cost.evaluator import StageName
from pipec.autoschedule.space.plan import Plan
from pipec.autoschedule.strategies.search_state import Found
from pipec.records import dataclass

HOPELESS = 1.6
"""By how much dearer than the plan a neighbour is by the model that is not looked at."""


@dataclass(frozen=True)
class Neighbour:
    """A plan that is one change away from a measured one, whose time is 1 here: it is likely to be within `spread` of
    `time`.
    """

    plan: Plan
    time: float
    spread: float

    def improvement(self, best: float) -> float:
        """The mean of how much less than `best` it takes, where nothing counts if it takes more."""
        gain = best - self.time
        if not self.spread:
            return max(0.0, gain)
        distance = gain / self.spread
        below = (1 + math.erf(distance / math.sqrt(2))) / 2
        density = math.exp(-(distance**2) / 2) / math.sqrt(2 * math.pi)
        return gain * below + self.spread * density


def neighbours(found: Found, plan: Plan, doubt: float) -> Iterator[Neighbour]:
    """All plans that are one change away. `doubt`: the relative error that prices of stages usually have."""
    options = {option: None for func in found.space.decided() for option in found.space.neighbours(plan, func)}
    options.pop(plan, None)
    price, before = found.price(plan), found.evaluator.per_stage(plan)
    for option, other in zip(options, found.prices(list(options)), strict=True):
        if other < HOPELESS * price:
            changed = _changed(plan, option, before, found.evaluator.per_stage(option))
            yield Neighbour(option, other / price, doubt * changed / price)


def _changed(plan: Plan, other: Plan, before: dict[StageName, float], after: dict[StageName, float]) -> float:
    """The seconds of all stages that differ, as the root of the sum of squares.

    Of stages that are scheduled as they were, what changes of their price, whatever the reason.
    """
    squares = 0.0
    for name in before.keys() | after.keys():
        was, now = before.get(name, 0.0), after.get(name, 0.0)
        same = plan[name[0]] == other[name[0]]
        squares += (now - was) ** 2 if same else max(was, now) ** 2
    return math.sqrt(squares)
