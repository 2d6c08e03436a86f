"""Evolution of measured plans: those of models that may be right as well, and mutants of the fastest.

The plan that is cheapest to a model is one that the model is wrong about. So plans are searched from the beginning by
models that are as likely, each of which takes every Func to be dearer or cheaper by chance (Thompson sampling; Russo et
al., "A Tutorial on Thompson Sampling", 2018). They are different enough that much can be learnt from their times: every
so many times the model is trained on them.

As in Ansor (Zheng et al., OSDI 2020) and MetaSchedule (Shao et al., NeurIPS 2022) plans are complete and mutated. Of
the neighbours of the fastest those are measured of which the greatest improvement is to be expected. The models that
the model is made of are asked as well, each for plans of its own.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from pipec.autoschedule.cost.cpu import Evaluator
from pipec.autoschedule.space.plan import Plan
from pipec.autoschedule.strategies.bandit import Bandit
from pipec.autoschedule.strategies.beam import beam, one_pass
from pipec.autoschedule.strategies.dropout import random_mutant, random_plan
from pipec.autoschedule.strategies.improvement import HOPELESS, Neighbour, neighbours
from pipec.autoschedule.strategies.retraining import retrained
from pipec.autoschedule.strategies.search_state import Found, Options

PARENTS = 6
LESSON = 24
"""So many times are learnt at once; later, half as many as are known."""
OPINIONS = 3
"""Plans that are measured of those which one part of the model finds."""
SAMPLED_OF_A_ROUND = 4
"""Plans by models that may be right as well, which come before the bandit chooses."""
DOUBT, DOUBT_TAUGHT = 0.45, 0.3
"""The standard deviations of the logarithms of what the price of a Func is multiplied by, before and after training."""
LONGEST_PASS = 3.0
"""Seconds that the search by one of the models that may be right takes at most."""
Proposer = Callable[["Evolution"], list[Plan]]


class Evolution:
    """Proposes plans to measure and learns from the times. `known`: plans measured before, milliseconds or infinity."""

    def __init__(self, found: Found, known: Mapping[Plan, float] | None = None) -> None:
        self.found = found
        self.measured: dict[Plan, float] = dict(known or {})
        # Models of GPUs have no parts and nothing to train; they stay as they are.
        self._evaluator = found.evaluator if isinstance(found.evaluator, Evaluator) else None
        self._taught: Evaluator | None = None
        self.bandit = Bandit(tuple(PROPOSERS))
        self._proposed_by: dict[Plan, str] = {}
        self._first = found
        self._next_lesson = LESSON
        self._unasked = [] if self._evaluator is None else list(self._evaluator.model.parts())
        self._opinions: list[Plan] = []
        self._neighbours: dict[Plan, list[Neighbour]] = {}

    def propose(self, count: int) -> Iterator[Plan]:
        """Up to `count` plans that have not been measured, each as soon as it is found; fewer when nothing new turns
        up."""
        opinions, self._opinions = self._opinions, []
        chosen = dict.fromkeys([plan for plan in opinions if plan not in self.measured][:count])
        yield from list(chosen)
        failures = 0
        while len(chosen) < count and failures < 4 * len(PROPOSERS):
            arm = self._arm(len(chosen), failures)
            new = [plan for plan in PROPOSERS[arm](self) if plan not in self.measured and plan not in chosen]
            share = max(1, count // 4) if self.measured else count
            for plan in new[: min(share, count - len(chosen))]:
                chosen[plan] = None
                self._proposed_by[plan] = arm
                yield plan
            if not new:
                failures += 1
                self.bandit.reward(arm, False)

    def _arm(self, proposed: int, failures: int) -> str:
        if not self.measured:
            return "predicted"
        # The first lesson should be of plans that differ, and some of each round, unless the space is too small.
        due = len(self.measured) < LESSON or proposed < SAMPLED_OF_A_ROUND
        return "sampled" if self._evaluator is not None and due and not failures else self.bandit.choose()

    def learn(self, plan: Plan, milliseconds: float) -> None:
        """What measuring a proposed plan gave; infinity when it failed."""
        best = min(self.measured.values(), default=math.inf)
        self.measured[plan] = milliseconds
        self.bandit.reward(self._proposed_by.get(plan, "predicted"), milliseconds < best)

    def think(self, seconds: float) -> None:
        """Search for so many seconds by what can say something new: a part of the model, or what it has learnt."""
        if self._evaluator is None or not self.measured:
            return
        times = {plan: milliseconds for plan, milliseconds in self.measured.items() if math.isfinite(milliseconds)}
        if self._unasked:
            found = self._searched(self._evaluator.with_model(self._unasked.pop(0)), seconds)
            self._opinions = [plan for _, plan in found.best if plan not in self.measured][:OPINIONS]
        elif len(times) >= self._next_lesson:
            self._next_lesson = len(times) + max(LESSON, len(times) // 2)
            self._taught = self._evaluator.with_model(retrained(self._evaluator, times))
            self.found = self._searched(self._taught, seconds, self.fastest(PARENTS))
            self._neighbours.clear()

    def doubted(self) -> Found | None:
        """What is found by a model that may be right as well."""
        evaluator = self._taught or self._evaluator
        if evaluator is None:
            return None
        rng, spread = self._first.rng, DOUBT_TAUGHT if self._taught else DOUBT
        factors = {name: math.exp(rng.gauss(0.0, spread)) for name in self._first.dag.funcs}
        found = self._new(evaluator.with_model(evaluator.model, factors))
        for _ in one_pass(found, Options()):
            if time.perf_counter() - found.began > LONGEST_PASS:
                break
        return found

    def _searched(self, evaluator: Evaluator, seconds: float, known: Sequence[Plan] = ()) -> Found:
        found = self._new(evaluator)
        found.prices(known)
        for _ in beam(found, Options(beam=3, patience=2)):
            if time.perf_counter() - found.began > seconds:
                break
        return found

    def _new(self, evaluator: Evaluator) -> Found:
        first = self._first
        # The plan to begin with has everything at root: only then may some decisions be forgotten alone.
        return Found(first.dag, evaluator, first.start, first.keep, rng=first.rng)

    def promising(self, parents: Sequence[Plan]) -> list[Plan]:
        """The neighbours of measured plans that have not been measured, those first of which most is to be expected."""
        best = min(self.measured.values(), default=math.inf)
        expected: dict[Plan, float] = {}
        for parent in parents:
            if parent not in self._neighbours:
                doubt = DOUBT_TAUGHT if self._taught else DOUBT
                self._neighbours[parent] = list(neighbours(self.found, parent, doubt))
            own = self.measured[parent]
            for neighbour in self._neighbours[parent]:
                if neighbour.plan not in self.measured:
                    improvement = own * neighbour.improvement(best / own)
                    expected[neighbour.plan] = max(improvement, expected.get(neighbour.plan, 0.0))
        return sorted(expected, key=expected.__getitem__, reverse=True)[:8]

    def fastest(self, count: int) -> list[Plan]:
        """The fastest plans that were measured."""
        ok = [plan for plan, milliseconds in self.measured.items() if math.isfinite(milliseconds)]
        return sorted(ok, key=self.measured.__getitem__)[:count]


def predicted(state: Evolution) -> list[Plan]:
    """The cheapest of all plans that the model has priced."""
    return [plan for _, plan in state.found.best]


def refined(state: Evolution) -> list[Plan]:
    """The changes of the fastest plan of which most is to be expected."""
    return state.promising(state.fastest(1))


def swept(state: Evolution) -> list[Plan]:
    """The same of all of the fastest plans."""
    return state.promising(state.fastest(PARENTS))


def mutants(state: Evolution) -> list[Plan]:
    """Random small changes of the fastest plans: what the model would not have thought of."""
    found = state.found
    parents = found.rng.choices(state.fastest(PARENTS) or [found.start], k=8)
    made = [(parent, random_mutant(found, parent, found.rng.choice((1, 1, 2, 3)))) for parent in parents]
    return [mutant for parent, mutant in made if found.price(mutant) < HOPELESS * found.price(parent)]


def crossed(state: Evolution) -> list[Plan]:
    """Mutants of which the model prices many and keeps the best few."""
    rng = state.found.rng
    parents = state.fastest(PARENTS) or [state.found.start]
    many = [random_mutant(state.found, rng.choice(parents), rng.choice((1, 2, 3, 4))) for _ in range(48)]
    return [plan for _, plan in state.found.ranked(many)[:8]]


def sampled(state: Evolution) -> list[Plan]:
    """Plans built anew by models that may be right as well; for GPUs, with some decisions made at random."""
    found = state.doubted()
    if found is None:
        return [random_plan(state.found, state.found.rng.choice((0.5, 0.05))) for _ in range(2)]
    return [found.best[0][1]]


PROPOSERS: Mapping[str, Proposer] = {
    "predicted": predicted,
    "refined": refined,
    "swept": swept,
    "mutants": mutants,
    "crossed": crossed,
    "sampled": sampled,
}
