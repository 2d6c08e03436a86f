"""Which reductions are taken apart into strips (rfactor) before the search begins: a few alternatives, each looked at.

An update with a large RDom into few elements (a histogram, the sum of an image, the gradient of weights) has too few
pure points for threads and lanes. Where it is associative, strips of the RDom are reduced by a Func of their own, whose
dimensions over the strips are as good as any others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipec.autoschedule.cost.evaluator import Evaluator
from pipec.autoschedule.problem import Problem
from pipec.autoschedule.strategies.search_state import Options, SearchState
from pipec.records import dataclass

QUICK = Options(beam=1, rounds=1, refined=1, patience=0)
QUICK_SHARE = 0.4
"""Of the time of a search, for all alternatives together."""


@dataclass(frozen=True, eq=False)
class Alternative:
    """A problem with the factorings of one choice, and what a search of it found."""

    problem: Problem
    evaluator: Evaluator[Any]
    found: SearchState

    @property
    def cost(self) -> float:
        """The cost of the best state."""
        return self.found.best[0][0]


Look = Callable[[Problem, Options, float], Alternative]
"""Searches a problem with these options for so many seconds."""


def explored(problem: Problem, look: Look, options: Options, seconds: float) -> list[Alternative]:
    """Search the problem, with reductions taken apart where that is cheaper; the best first, which alone was searched
    to the end. The most expensive updates are decided first, one after the other."""
    wanted = problem.space.targets()
    if not wanted:
        return [look(problem, options, seconds)]
    all_choices = [problem.space.choices(stage) for stage in wanted]
    each = seconds * QUICK_SHARE / (1 + sum(map(len, all_choices)))
    tried = [look(problem, QUICK, each)]
    best = tried[0]
    for several in all_choices:
        if any(alternative.found.interrupted for alternative in tried):
            return [best]
        found = [look(problem.factored((*best.problem.factorings, *choice)), QUICK, each) for choice in several]
        tried += found
        best = min([best, *found], key=lambda alternative: alternative.cost)
    quick_states = sum([alternative.found.states for alternative in tried])
    final = look(best.problem, options, seconds * (1 - QUICK_SHARE))
    final.found.states += quick_states
    others = sorted([other for other in tried if other is not best], key=lambda alternative: alternative.cost)
    return [final, *others]
