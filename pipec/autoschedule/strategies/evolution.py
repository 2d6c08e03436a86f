"""Evolution of measured states: the best states of perturbed models, and mutants of the fastest states.

A model is wrong about the state that it finds cheapest. So states are searched from the beginning by equally likely
models, which multiply the cost of each Func by a random factor (Thompson sampling; Russo et al., "A Tutorial on
Thompson Sampling", 2018). These states differ enough to train the model on their times.

As in Ansor (Zheng et al., OSDI 2020) and MetaSchedule (Shao et al., NeurIPS 2022) states are complete and mutated. Of
the neighbours of the fastest those with the greatest expected improvement are measured. Each part of a blended model
proposes its own best states too.

Expected improvement follows Jones, Schonlau and Welch, "Efficient Global Optimization of Expensive Black-Box Functions"
(1998): a neighbour should take the measured time of the state plus the change of its cost; the error of that grows with
the cost of what is changed. So a change of an expensive stage comes before one that can gain little.

A bandit chooses between the ways to propose, as in OpenTuner (Ansel et al., PACT 2014).
"""

from __future__ import annotations

import math
import time
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
from pipec.tuner.bandit import Bandit

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


def neighbours(search: SearchState, state: State, relative_error: float) -> Iterator[Neighbour]:
    """All states that are one change away. `relative_error`: the usual one of the costs of stages."""
    options = {option: None for func in search.space.decided() for option in search.space.neighbours(state, func)}
    options.pop(state, None)
    cost, before = search.cost(state), search.evaluator.per_stage(state)
    for option, other in zip(options, search.costs(list(options)), strict=True):
        if other < MAX_COST_RATIO * cost:
            changed = _changed(state, option, before, search.evaluator.per_stage(option))
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


EPOCHS = 200


def retrained(evaluator: CpuEvaluator, times: Mapping[State, float]) -> Network:
    """Returns the network trained further on `times`: milliseconds of states; infinite ones are left out. Needs torch.

    Training begins with the weights of the model, or of the network in a blend, else with those that give the
    roofline's costs.
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
TRAINING_STATES = 24
"""Measured states before the first training; the model is trained again after half as many more."""
MIN_SEARCH_SECONDS = 2.0
"""A search by another model needs so much time to be better than a look at what was found before."""
RERANKED_STATES = 400
STATES_OF_A_PART = 3
"""States of one part of the model that are measured."""
SAMPLED_OF_A_ROUND = 4
"""States of perturbed models in each round, before the bandit chooses."""
MODEL_ERROR, TRAINED_MODEL_ERROR = 0.45, 0.3
"""The standard deviations of the logarithm of the factor on the cost of a Func, before and after training."""
MAX_PASS_SECONDS = 3.0
"""Of the search by one perturbed model."""
Proposer = Callable[["Evolution"], list[State]]


class Evolution:
    """Proposes states to measure and learns from the times. `measured`: milliseconds of states measured before;
    `trains`: whether there will be time to train the model, which needs states that differ."""

    def __init__(self, search: SearchState, measured: Mapping[State, float] | None = None, trains: bool = True) -> None:
        self.search = search
        self.trains = trains
        self.measured: dict[State, float] = dict(measured or {})
        # Models of GPUs have no parts and nothing to train; they stay as they are.
        self._evaluator = search.evaluator if isinstance(search.evaluator, CpuEvaluator) else None
        self._trained: CpuEvaluator | None = None
        self.bandit = Bandit(tuple(PROPOSERS))
        self._proposed_by: dict[State, str] = {}
        self._first = search
        self._next_training = TRAINING_STATES
        self._unsearched_parts = [] if self._evaluator is None else list(self._evaluator.model.parts())
        self._states_of_part: list[State] = []
        self._neighbours: dict[State, list[Neighbour]] = {}

    def propose(self, count: int) -> Iterator[State]:
        """Up to `count` states that have not been measured, each as soon as it is found; fewer when nothing new turns
        up."""
        states_of_part, self._states_of_part = self._states_of_part, []
        chosen = dict.fromkeys([state for state in states_of_part if state not in self.measured][:count])
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
        # The first training needs states that differ, and each round some, unless the space is too small.
        due = (self.trains and len(self.measured) < TRAINING_STATES) or proposed < SAMPLED_OF_A_ROUND
        return "sampled" if self._evaluator is not None and due and not failures else self.bandit.choose()

    def learn(self, state: State, milliseconds: float) -> None:
        """Records the time of a proposed state; infinity when it failed."""
        best = min(self.measured.values(), default=math.inf)
        self.measured[state] = milliseconds
        self.bandit.reward(self._proposed_by.get(state, "predicted"), milliseconds < best)

    def improve_model(self, seconds: float) -> None:
        """Searches by the next part of the model, or trains the model when enough states are new and searches by it."""
        if self._evaluator is None or not self.measured:
            return
        times = {state: milliseconds for state, milliseconds in self.measured.items() if math.isfinite(milliseconds)}
        if self._unsearched_parts:
            evaluator = self._evaluator.with_model(self._unsearched_parts.pop(0))
            states = self._cheapest_by(evaluator, seconds)
            self._states_of_part = [state for state in states if state not in self.measured][:STATES_OF_A_PART]
        elif len(times) >= self._next_training and self.trains:
            self._next_training = len(times) + max(TRAINING_STATES, len(times) // 2)
            self._trained = self._evaluator.with_model(retrained(self._evaluator, times))
            self.search = self._searched(self._trained, seconds, self.fastest(PARENTS))
            self._neighbours.clear()

    def _cheapest_by(self, evaluator: CpuEvaluator, seconds: float) -> list[State]:
        """The states that are cheapest by another model; without time for a search, of those that the first one saw."""
        if seconds >= MIN_SEARCH_SECONDS:
            return [state for _, state in self._searched(evaluator, seconds).best]
        states = [state for _, state in self._first.cheapest(RERANKED_STATES)]
        costs = dict(zip(states, evaluator.costs(states), strict=True))
        return sorted(states, key=costs.__getitem__)

    def best_of_parts(self, seconds: float) -> list[State]:
        """The best state of a search by each part of the model, so many seconds each."""
        if self._evaluator is None:
            return []
        parts = [self._evaluator.with_model(part) for part in self._evaluator.model.parts()]
        return [self._cheapest_by(part, seconds)[0] for part in parts]

    def perturbed_search(self) -> SearchState | None:
        """Returns one greedy pass by a model with random factors on the costs of Funcs; None for GPUs."""
        evaluator = self._trained or self._evaluator
        if evaluator is None:
            return None
        rng, spread = self._first.rng, TRAINED_MODEL_ERROR if self._trained else MODEL_ERROR
        factors = {name: math.exp(rng.gauss(0.0, spread)) for name in self._first.dag.funcs}
        search = self._new(evaluator.with_model(evaluator.model, factors))
        for _ in one_pass(search, Options()):
            if time.perf_counter() - search.began > MAX_PASS_SECONDS:
                break
        return search

    def _searched(self, evaluator: CpuEvaluator, seconds: float, start_states: Sequence[State] = ()) -> SearchState:
        search = self._new(evaluator)
        search.costs(start_states)
        for _ in beam(search, Options(beam=3, patience=2)):
            if time.perf_counter() - search.began > seconds:
                break
        return search

    def _new(self, evaluator: CpuEvaluator) -> SearchState:
        first = self._first
        # The start state has everything at root, so that single decisions can be forgotten.
        return SearchState(first.dag, evaluator, first.start, first.keep, rng=first.rng)

    def promising(self, parents: Sequence[State]) -> list[State]:
        """Neighbours of measured states that have not been measured, by expected improvement."""
        best = min(self.measured.values(), default=math.inf)
        expected: dict[State, float] = {}
        for parent in parents:
            if parent not in self._neighbours:
                relative_error = TRAINED_MODEL_ERROR if self._trained else MODEL_ERROR
                self._neighbours[parent] = list(neighbours(self.search, parent, relative_error))
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
    return [state for _, state in evolution.search.best]


def refined(evolution: Evolution) -> list[State]:
    """Returns the neighbours of the fastest state with the greatest expected improvement."""
    return evolution.promising(evolution.fastest(1))


def swept(evolution: Evolution) -> list[State]:
    """Returns those of all of the fastest states."""
    return evolution.promising(evolution.fastest(PARENTS))


def mutants(evolution: Evolution) -> list[State]:
    """Returns random small changes of the fastest states."""
    search = evolution.search
    parents = search.rng.choices(evolution.fastest(PARENTS) or [search.start], k=8)
    pairs = [(parent, random_mutant(search, parent, search.rng.choice((1, 1, 2, 3)))) for parent in parents]
    return [mutant for parent, mutant in pairs if search.cost(mutant) < MAX_COST_RATIO * search.cost(parent)]


def crossed(evolution: Evolution) -> list[State]:
    """Returns the best of many mutants by the model."""
    rng = evolution.search.rng
    parents = evolution.fastest(PARENTS) or [evolution.search.start]
    many = [random_mutant(evolution.search, rng.choice(parents), rng.choice((1, 2, 3, 4))) for _ in range(48)]
    return [state for _, state in evolution.search.ranked(many)[:8]]


def sampled(evolution: Evolution) -> list[State]:
    """Returns states of perturbed models; for GPUs, with some random decisions."""
    search = evolution.perturbed_search()
    if search is None:
        return [random_state(evolution.search, evolution.search.rng.choice((0.5, 0.05))) for _ in range(2)]
    return [search.best[0][1]]


PROPOSERS: Mapping[str, Proposer] = {
    "predicted": predicted,
    "refined": refined,
    "swept": swept,
    "mutants": mutants,
    "crossed": crossed,
    "sampled": sampled,
}
