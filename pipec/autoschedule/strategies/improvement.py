"""The improvement to be expected of neighbours of measured states.

After Jones, Schonlau and Welch, "Efficient Global Optimization of Expensive Black-Box Functions" (1998): of states of
which the model thinks equally well, those are worth measuring of which it knows least. A neighbour is expected to take
the measured time of the state plus what the change costs by the model; that may be wrong the more, the dearer what is
changed. So a change of a dear stage that seems to be none for the better comes before one that can gain little.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from pipec.autoschedule.cost.evaluator import StageName
from pipec.autoschedule.space.state import State
from pipec.autoschedule.strategies.search_state import SearchState
from pipec.records import dataclass

HOPELESS = 1.6
"""By how much dearer than the state a neighbour is by the model that is not looked at."""


@dataclass(frozen=True)
class Neighbour:
    """A state that is one change away from a measured one, whose time is 1 here: it is likely to be within `spread` of
    `time`.
    """

    state: State
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


def neighbours(search: SearchState, state: State, doubt: float) -> Iterator[Neighbour]:
    """All states that are one change away. `doubt`: the relative error that costs of stages usually have."""
    options = {option: None for func in search.space.decided() for option in search.space.neighbours(state, func)}
    options.pop(state, None)
    cost, before = search.cost(state), search.evaluator.per_stage(state)
    for option, other in zip(options, search.costs(list(options)), strict=True):
        if other < HOPELESS * cost:
            changed = _changed(state, option, before, search.evaluator.per_stage(option))
            yield Neighbour(option, other / cost, doubt * changed / cost)


def _changed(state: State, other: State, before: dict[StageName, float], after: dict[StageName, float]) -> float:
    """The seconds of all stages that differ, as the root of the sum of squares.

    Of stages that are scheduled as they were, what changes of their cost, whatever the reason.
    """
    squares = 0.0
    for name in before.keys() | after.keys():
        was, now = before.get(name, 0.0), after.get(name, 0.0)
        same = state[name[0]] == other[name[0]]
        squares += (now - was) ** 2 if same else max(was, now) ** 2
    return math.sqrt(squares)
