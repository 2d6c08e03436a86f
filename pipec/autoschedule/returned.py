"""What `autoschedule` returns: the best candidate that can be compiled, and the others after it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence, Set
from itertools import chain

from pipec.autoschedule.result import Candidate
from pipec.autoschedule.rfactor.search import Searched
from pipec.autoschedule.space.state import INLINED, State
from pipec.autoschedule.strategies.tune import Tuned
from pipec.deep_stack import gc_paused


def predicted(searched: Searched) -> list[Candidate]:
    """The best states of a search, the cheapest first."""
    return [Candidate(searched.problem, searched.evaluator, state, cost * 1e3) for cost, state in searched.search.best]


def fastest_of(searched: Searched, tuning: Tuned) -> list[Candidate]:
    """The states that a tuning has measured, the fastest first."""
    times = tuning.times
    states = sorted([state for state, ms in times.items() if math.isfinite(ms)], key=times.__getitem__)
    costs = searched.evaluator.costs(states) if states else []
    return [
        Candidate(searched.problem, searched.evaluator, state, cost * 1e3, times[state])
        for state, cost in zip(states, costs, strict=True)
    ]


def best_and_others(searched: Searched, candidates: Sequence[Candidate]) -> tuple[Candidate, Sequence[Candidate]]:
    """Returns the first candidate that can be compiled, and those after it; what was measured has been compiled.

    After the candidates the start state and all Funcs inlined are tried. Raises the error of the first candidate when
    none can be compiled.
    """
    errors = []
    with gc_paused():
        for candidate in chain(candidates, _simple_candidates(searched, {candidate.state for candidate in candidates})):
            if candidate.measured_ms is not None or candidate.lowering_error is None:
                return candidate, candidates[candidates.index(candidate) + 1 :] if candidate in candidates else ()
            errors.append(candidate.lowering_error)
    raise errors[0]


def _simple_candidates(searched: Searched, tried: Set[State]) -> Iterator[Candidate]:
    space, start = searched.evaluator.space, searched.search.start
    inlinable = [name for name in space.decided() if searched.problem.dag.funcs[name].inlinable]
    states = dict.fromkeys([start, searched.problem.fallback(), start.placing_all(dict.fromkeys(inlinable, INLINED))])
    for state in [state for state in states if state not in tried]:
        yield Candidate(searched.problem, searched.evaluator, state, searched.evaluator.cost(state) * 1e3)
