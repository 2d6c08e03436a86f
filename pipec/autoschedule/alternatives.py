"""Which reductions are taken apart into strips (rfactor) before the search begins: a few alternatives, each looked at.

An update with a large RDom into few elements (a histogram, the sum of an image, the gradient of weights) has too few
pure points for threads and lanes. Where it is associative, strips of the RDom are reduced by a Func of their own, whose
dimensions over the strips are as good as any others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from pipec.autoschedule.dag import Dag, FuncInfo, LoopInfo, StageInfo
from pipec.autoschedule.evaluate import Evaluator
from pipec.autoschedule.nests import natural_lanes
from pipec.autoschedule.plan import Factoring
from pipec.autoschedule.problem import Problem
from pipec.autoschedule.strategies.found import Found, Options

LEAST_WORK = 1 << 14
"""Updates of fewer iterations are done before threads have woken up."""
LEAST_ITERATIONS = 64
"""Of the RDom for each strip: fewer are merged in the same time as they are reduced."""
TASKS = (1, 4)
"""Strips for each thread that are tried."""
WAYS = 4
"""Strips across an update at places that pixels decide, so that no count waits for the one before."""
MOST_TARGETS = 4
QUICK = Options(beam=1, rounds=1, refined=1, patience=0)
QUICK_SHARE = 0.4
"""Of the time of a search, for all alternatives together."""

Choice = tuple[Factoring, ...]


@dataclass(frozen=True, eq=False)
class Alternative:
    """A problem with the factorings of one choice, and what a search of it found."""

    problem: Problem
    evaluator: Evaluator
    found: Found

    @property
    def price(self) -> float:
        return self.found.best[0][0]


Look = Callable[[Problem, Options, float], Alternative]
"""Searches a problem with these options for so many seconds."""


def explored(problem: Problem, look: Look, options: Options, seconds: float) -> list[Alternative]:
    """Search the problem, with reductions taken apart where that is cheaper; the best first, which alone was searched
    to the end. The dearest updates are decided first, one after the other."""
    wanted = targets(problem.dag)
    if not wanted:
        return [look(problem, options, seconds)]
    all_choices = [choices(problem.dag, stage) for stage in wanted]
    each = seconds * QUICK_SHARE / (1 + sum(map(len, all_choices)))
    tried = [look(problem, QUICK, each)]
    best = tried[0]
    for several in all_choices:
        if any(alternative.found.interrupted for alternative in tried):
            return [best]
        found = [look(problem.factored((*best.problem.factorings, *choice)), QUICK, each) for choice in several]
        tried += found
        best = min([best, *found], key=lambda alternative: alternative.price)
    quick_states = sum([alternative.found.states for alternative in tried])
    final = look(best.problem, options, seconds * (1 - QUICK_SHARE))
    final.found.states += quick_states
    others = sorted([other for other in tried if other is not best], key=lambda alternative: alternative.price)
    return [final, *others]


def targets(dag: Dag) -> list[StageInfo]:
    """Updates that are worth being taken apart, those with most iterations first."""
    stages = [stage for func in dag.funcs.values() for stage in func.stages[1:] if _is_target(dag, func, stage)]
    return sorted(stages, key=lambda stage: -math.prod([loop.extent for loop in stage.loops]))[:MOST_TARGETS]


def _is_target(dag: Dag, func: FuncInfo, stage: StageInfo) -> bool:
    if func.fixed or func.extern or not stage.associative:
        return False
    iterations = math.prod([loop.extent for loop in _reductions(stage)])
    pure = math.prod([loop.extent for loop in stage.loops if not loop.reduction])
    if iterations < 2 * LEAST_ITERATIONS or iterations * pure < LEAST_WORK:
        return False
    return pure < 2 * dag.threads * natural_lanes(dag, stage)


def _reductions(stage: StageInfo) -> list[LoopInfo]:
    return [loop for loop in stage.loops if loop.reduction]


def choices(dag: Dag, stage: StageInfo) -> list[Choice]:
    """Ways to take an update apart: strips for threads, strips across for lanes, both."""
    threaded = list(_strips(dag, stage))
    ways = _ways(dag, stage)
    if ways is None:
        return [(strip,) for strip in threaded]
    both = [_together(stage, strip, ways) for strip in threaded]
    return [choice for choice in ((ways,), *both, *[(strip,) for strip in threaded]) if _pays(dag, stage, choice)]


def _strips(dag: Dag, stage: StageInfo) -> Iterator[Factoring]:
    """Strips of the outermost RVar that has enough values."""
    loops = [loop for loop in _reductions(stage) if loop.extent >= 2 * dag.threads]
    if dag.threads == 1 or not loops:
        return
    sizes = [math.ceil(loops[-1].extent / (dag.threads * tasks)) for tasks in TASKS]
    for size in dict.fromkeys(sizes):
        yield Factoring(stage.func, stage.number, loops[-1].name, size)


def _ways(dag: Dag, stage: StageInfo) -> Factoring | None:
    """Strips across the innermost RVar, for lanes; None where pure dimensions give vectors."""
    lanes = natural_lanes(dag, stage)
    if any(loop.extent >= lanes for loop in stage.loops if not loop.reduction):
        return None
    ways = WAYS if scatters(stage) else lanes
    loop = next((loop for loop in _reductions(stage) if loop.extent >= 2 * ways), None)
    return None if loop is None else Factoring(stage.func, stage.number, loop.name, ways, True)


def scatters(stage: StageInfo) -> bool:
    """Whether RVars or pixels decide what is updated."""
    reduced = [d for d, loop in enumerate(stage.loops) if loop.reduction]
    return any(row is None or any(row[d] for d in reduced) for row in stage.store.jacobian)


def _together(stage: StageInfo, strip: Factoring, ways: Factoring) -> Choice:
    """Both; of one RVar, the strips across are of what one strip for a thread has."""
    if strip.rvar != ways.rvar:
        return ways, strip
    return strip, replace(ways, rvar=f"{strip.rvar}$i")


def _pays(dag: Dag, stage: StageInfo, choice: Choice) -> bool:
    """Whether merging is little work beside reducing."""
    trips = {loop.name: loop.extent for loop in _reductions(stage)}
    strips = [f.size if f.inner else math.ceil(trips[f.rvar] / f.size) for f in choice]
    merged = math.prod(strips) * math.prod(dag.funcs[stage.func].extent)
    return merged * 2 <= math.prod([loop.extent for loop in stage.loops])
