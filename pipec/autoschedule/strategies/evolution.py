"""Evolution of measured states: those of models that may be right as well, and mutants of the fastest.

The state that is cheapest to a model is one that the model is wrong about. So states are searched from the beginning by
models that are as likely, each of which takes every Func to be dearer or cheaper by chance (Thompson sampling; Russo et
al., "A Tutorial on Thompson Sampling", 2018). They are different enough that much can be learnt from their times: every
so many times the model is trained on them.

As in Ansor (Zheng et al., OSDI 2020) and MetaSchedule (Shao et al., NeurIPS 2022) states are complete and mutated. Of
the neighbours of the fastest those are measured of which the greatest improvement is to be expected. The models that
the model is made of are asked as well, each for states of its own.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence

from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.cost.evaluator import StageName
from pipec.autoschedule.cost.fit import Sample, fit
from pipec.autoschedule.cost.network import Network
from pipec.autoschedule.space.state import State
from pipec.autoschedule.strategies.beam import beam, one_pass
from pipec.autoschedule.strategies.dropout import random_mutant, random_state
from pipec.autoschedule.strategies.search_state import Options, SearchState
from pipec.records import dataclass

WINDOW = 500
EXPLORATION = 0.05


class Bandit:
    """Chooses among `arms` by what `reward` was told of their last uses."""

    def __init__(self, arms: Sequence[str]) -> None:
        self.arms = tuple(arms)
        self._uses: deque[tuple[str, bool]] = deque(maxlen=WINDOW)

    def choose(self) -> str:
        """The arm with the best score; one that was never used comes first."""
        return max(self.arms, key=self._score)

    def reward(self, arm: str, improved: bool) -> None:
        """One use of `arm`, and whether it brought a new best."""
        self._uses.append((arm, improved))

    def _score(self, arm: str) -> float:
        outcomes = [improved for used, improved in self._uses if used == arm]
        if not outcomes:
            return math.inf
        # Late successes count for more: the area under the curve of the number of successes.
        total = len(outcomes) * (len(outcomes) + 1) / 2
        area = sum(place for place, improved in enumerate(outcomes, 1) if improved)
        return area / total + EXPLORATION * math.sqrt(2 * math.log2(len(self._uses)) / len(outcomes))


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


EPOCHS = 200


def retrained(evaluator: CpuEvaluator, times: Mapping[State, float]) -> Network:
    """A model that has learnt `times`: milliseconds of states, infinite ones are left out. Needs torch.

    A network begins with its own weights, the blend with those of its network, any other model as the network that
    gives the roofline's costs.
    """
    model, samples = evaluator.model, []
    for state, milliseconds in times.items():
        if math.isfinite(milliseconds):
            batch = evaluator.batch([state])
            samples.append(Sample("", "", batch.features, batch.operations, milliseconds * 1e-3, model.machine))
    networks = [part for part in (model, *model.parts()) if isinstance(part, Network)]
    start = networks[0].weights if networks else None
    return Network(fit(samples, EPOCHS, start=start), model.machine)


PARENTS = 6
LESSON = 24
"""So many times are learnt at once; later, half as many as are known."""
OPINIONS = 3
"""States that are measured of those which one part of the model finds."""
SAMPLED_OF_A_ROUND = 4
"""States by models that may be right as well, which come before the bandit chooses."""
DOUBT, DOUBT_TAUGHT = 0.45, 0.3
"""The standard deviations of the logarithms of what the cost of a Func is multiplied by, before and after training."""
LONGEST_PASS = 3.0
"""Seconds that the search by one of the models that may be right takes at most."""
Proposer = Callable[["Evolution"], list[State]]


class Evolution:
    """Proposes states to measure and learns from the times. `known`: milliseconds of states measured before."""

    def __init__(self, search: SearchState, known: Mapping[State, float] | None = None) -> None:
        self.found = search
        self.measured: dict[State, float] = dict(known or {})
        # Models of GPUs have no parts and nothing to train; they stay as they are.
        self._evaluator = search.evaluator if isinstance(search.evaluator, CpuEvaluator) else None
        self._taught: CpuEvaluator | None = None
        self.bandit = Bandit(tuple(PROPOSERS))
        self._proposed_by: dict[State, str] = {}
        self._first = search
        self._next_lesson = LESSON
        self._unasked = [] if self._evaluator is None else list(self._evaluator.model.parts())
        self._opinions: list[State] = []
        self._neighbours: dict[State, list[Neighbour]] = {}

    def propose(self, count: int) -> Iterator[State]:
        """Up to `count` states that have not been measured, each as soon as it is found; fewer when nothing new turns
        up."""
        opinions, self._opinions = self._opinions, []
        chosen = dict.fromkeys([state for state in opinions if state not in self.measured][:count])
        yield from list(chosen)
        failures = 0
        while len(chosen) < count and failures < 4 * len(PROPOSERS):
            arm = self._arm(len(chosen), failures)
            new = [state for state in PROPOSERS[arm](self) if state not in self.measured and state not in chosen]
            share = max(1, count // 4) if self.measured else count
            for state in new[: min(share, count - len(chosen))]:
                chosen[state] = None
                self._proposed_by[state] = arm
                yield state
            if not new:
                failures += 1
                self.bandit.reward(arm, False)

    def _arm(self, proposed: int, failures: int) -> str:
        if not self.measured:
            return "predicted"
        # The first lesson should be of states that differ, and some of each round, unless the space is too small.
        due = len(self.measured) < LESSON or proposed < SAMPLED_OF_A_ROUND
        return "sampled" if self._evaluator is not None and due and not failures else self.bandit.choose()

    def learn(self, state: State, milliseconds: float) -> None:
        """What measuring a proposed state gave; infinity when it failed."""
        best = min(self.measured.values(), default=math.inf)
        self.measured[state] = milliseconds
        self.bandit.reward(self._proposed_by.get(state, "predicted"), milliseconds < best)

    def think(self, seconds: float) -> None:
        """Search for so many seconds by what can say something new: a part of the model, or what it has learnt."""
        if self._evaluator is None or not self.measured:
            return
        times = {state: milliseconds for state, milliseconds in self.measured.items() if math.isfinite(milliseconds)}
        if self._unasked:
            found = self._searched(self._evaluator.with_model(self._unasked.pop(0)), seconds)
            self._opinions = [state for _, state in found.best if state not in self.measured][:OPINIONS]
        elif len(times) >= self._next_lesson:
            self._next_lesson = len(times) + max(LESSON, len(times) // 2)
            self._taught = self._evaluator.with_model(retrained(self._evaluator, times))
            self.found = self._searched(self._taught, seconds, self.fastest(PARENTS))
            self._neighbours.clear()

    def doubted(self) -> SearchState | None:
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

    def _searched(self, evaluator: CpuEvaluator, seconds: float, known: Sequence[State] = ()) -> SearchState:
        found = self._new(evaluator)
        found.costs(known)
        for _ in beam(found, Options(beam=3, patience=2)):
            if time.perf_counter() - found.began > seconds:
                break
        return found

    def _new(self, evaluator: CpuEvaluator) -> SearchState:
        first = self._first
        # The state to begin with has everything at root: only then may some decisions be forgotten alone.
        return SearchState(first.dag, evaluator, first.start, first.keep, rng=first.rng)

    def promising(self, parents: Sequence[State]) -> list[State]:
        """Neighbours of measured states that have not been measured, by expected improvement."""
        best = min(self.measured.values(), default=math.inf)
        expected: dict[State, float] = {}
        for parent in parents:
            if parent not in self._neighbours:
                doubt = DOUBT_TAUGHT if self._taught else DOUBT
                self._neighbours[parent] = list(neighbours(self.found, parent, doubt))
            own = self.measured[parent]
            for neighbour in self._neighbours[parent]:
                if neighbour.state not in self.measured:
                    improvement = own * neighbour.improvement(best / own)
                    expected[neighbour.state] = max(improvement, expected.get(neighbour.state, 0.0))
        return sorted(expected, key=expected.__getitem__, reverse=True)[:8]

    def fastest(self, count: int) -> list[State]:
        """The fastest states that were measured."""
        ok = [state for state, milliseconds in self.measured.items() if math.isfinite(milliseconds)]
        return sorted(ok, key=self.measured.__getitem__)[:count]


def predicted(evolution: Evolution) -> list[State]:
    """The cheapest of all states that the model has evaluated."""
    return [state for _, state in evolution.found.best]


def refined(evolution: Evolution) -> list[State]:
    """The changes of the fastest state of which most is to be expected."""
    return evolution.promising(evolution.fastest(1))


def swept(evolution: Evolution) -> list[State]:
    """The same of all of the fastest states."""
    return evolution.promising(evolution.fastest(PARENTS))


def mutants(evolution: Evolution) -> list[State]:
    """Random small changes of the fastest states: what the model would not have thought of."""
    found = evolution.found
    parents = found.rng.choices(evolution.fastest(PARENTS) or [found.start], k=8)
    made = [(parent, random_mutant(found, parent, found.rng.choice((1, 1, 2, 3)))) for parent in parents]
    return [mutant for parent, mutant in made if found.cost(mutant) < HOPELESS * found.cost(parent)]


def crossed(evolution: Evolution) -> list[State]:
    """Mutants of which the model costs many and keeps the best few."""
    rng = evolution.found.rng
    parents = evolution.fastest(PARENTS) or [evolution.found.start]
    many = [random_mutant(evolution.found, rng.choice(parents), rng.choice((1, 2, 3, 4))) for _ in range(48)]
    return [state for _, state in evolution.found.ranked(many)[:8]]


def sampled(evolution: Evolution) -> list[State]:
    """States built anew by models that may be right as well; for GPUs, with some decisions made at random."""
    found = evolution.doubted()
    if found is None:
        return [random_state(evolution.found, evolution.found.rng.choice((0.5, 0.05))) for _ in range(2)]
    return [found.best[0][1]]


PROPOSERS: Mapping[str, Proposer] = {
    "predicted": predicted,
    "refined": refined,
    "swept": swept,
    "mutants": mutants,
    "crossed": crossed,
    "sampled": sampled,
}
