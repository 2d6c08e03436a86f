"""Expected improvement: which neighbours of a measured state are worth measuring.

After Jones, Schonlau and Welch, "Efficient Global Optimization of Expensive Black-Box Functions" (1998): a neighbour
should take the measured time of the state plus the change of its cost; the error of that grows with the cost of what is
changed. So a change of an expensive stage comes before one that can gain little.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from pipec.autoschedule.cost.evaluator import Evaluator, StageName
from pipec.autoschedule.space.state import State
from pipec.records import dataclass

MAX_COST_RATIO = 1.6
"""Neighbours whose cost exceeds that of the state by this factor are left out."""


@dataclass(frozen=True)
class Neighbour:
    """A state that differs in one change from a measured one: its time relative to that, and the standard deviation."""

    state: State
    time: float
    spread: float

    def improvement(self, best: float) -> float:
        """Returns the expected value of max(0, best - time)."""
        gain = best - self.time
        if not self.spread:
            return max(0.0, gain)
        distance = gain / self.spread
        below = (1 + math.erf(distance / math.sqrt(2))) / 2
        density = math.exp(-(distance**2) / 2) / math.sqrt(2 * math.pi)
        return gain * below + self.spread * density


def neighbours(evaluator: Evaluator[Any], state: State, relative_error: float) -> Iterator[Neighbour]:
    """All states that are one change away. `relative_error`: the usual one of the costs of stages."""
    space = evaluator.space
    options = {option: None for func in space.decided() for option in space.neighbours(state, func)}
    options.pop(state, None)
    cost, before = evaluator.cost(state), evaluator.per_stage(state)
    for option, other in zip(options, evaluator.costs(list(options)), strict=True):
        if other < MAX_COST_RATIO * cost:
            changed = _changed(state, option, before, evaluator.per_stage(option))
            yield Neighbour(option, other / cost, relative_error * changed / cost)


def _changed(state: State, other: State, before: dict[StageName, float], after: dict[StageName, float]) -> float:
    """The seconds of all stages that differ, as the root of the sum of squares.

    Of stages that are scheduled as they were, what changes of their cost, whatever the reason.
    """
    squares = 0.0
    for name in {**before, **after}:
        was, now = before.get(name, 0.0), after.get(name, 0.0)
        same = state[name[0]] == other[name[0]]
        squares += (now - was) ** 2 if same else max(was, now) ** 2
    return math.sqrt(squares)
