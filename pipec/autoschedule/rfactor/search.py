"""Searches of a pipeline with and without its reductions factored, of which the best is searched to the end.

An update with a large RDom and few elements (a histogram, the sum of an image, the gradient of weights) has too few
pure points for threads and lanes. Where it is associative, an intermediate Func computes partial results, and its
dimensions over these are as good as any others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pipec.autoschedule.cost.evaluator import Evaluator
from pipec.autoschedule.problem import Problem
from pipec.autoschedule.strategies.search_state import Options, SearchState
from pipec.records import dataclass

QUICK = Options(beam=1, rounds=1, refined=1, patience=0)
QUICK_SHARE = 0.4
"""Of the time of a search, for all quick searches together."""


@dataclass(frozen=True, eq=False)
class Searched:
    """A problem with the factorings of one choice, and the search of its space."""

    problem: Problem
    evaluator: Evaluator[Any]
    search: SearchState

    @property
    def cost(self) -> float:
        """The cost of the best state, in seconds."""
        return self.search.best[0][0]


Searcher = Callable[[Problem, Options, float], Searched]
"""Searches a problem with these options within a time in seconds."""


def search_with_factorings(
    problems: Sequence[Problem], search: Searcher, options: Options, seconds: float
) -> list[Searched]:
    """The searches of a pipeline and of it with reductions factored, the best first, which alone ran to its end.

    `problems`: that of the pipeline as it is, whose reductions are factored, and those of other definitions of it. The
    most expensive updates are decided first, one after the other.
    """
    own, *others = problems
    choices = [own.space.choices(stage) for stage in own.space.targets()]
    if not choices and not others:
        return [search(own, options, seconds)]
    each = seconds * QUICK_SHARE / (len(problems) + sum(map(len, choices)))
    tried = [search(own, QUICK, each)]
    best = tried[0]
    for ways in choices:
        if any(one.search.interrupted for one in tried):
            return [best]
        new = [search(own.factored((*best.problem.factorings, *choice)), QUICK, each) for choice in ways]
        tried += new
        best = min([best, *new], key=lambda one: one.cost)
    tried += [search(other, QUICK, each) for other in others]
    best = min(tried, key=lambda one: one.cost)
    if any(one.search.interrupted for one in tried):
        return [best]
    quick_states = sum([one.search.states for one in tried])
    final = search(best.problem, options, seconds * (1 - QUICK_SHARE))
    final.search.states += quick_states
    return [final, *sorted([other for other in tried if other is not best], key=lambda one: one.cost)]
