"""The best states of several models, and changes of the fastest states: several ways to propose, chosen by a bandit.

A model is wrong about the state that it finds cheapest. So states are searched from the beginning by equally likely
models, which multiply the cost of each Func by a random factor. These states differ enough to train the model on their
times. Of the neighbours of the fastest states those with the greatest expected improvement are measured. Each part of a
blended model proposes its own best states too. The bandit is that of OpenTuner (Ansel et al., PACT 2014). In each round
the fastest groups of several states are put together.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.cost.evaluator import Evaluator
from pipec.autoschedule.space.state import State
from pipec.autoschedule.strategies.beam import beam
from pipec.autoschedule.strategies.deciding import refine
from pipec.autoschedule.strategies.dropout import random_state
from pipec.autoschedule.strategies.evolution import bred, costs_of
from pipec.autoschedule.strategies.improvement import Neighbour, neighbours
from pipec.autoschedule.strategies.proposals import (
    MAX_PASS_SECONDS,
    MODEL_ERROR,
    NO_TIMES,
    PARENTS,
    TRAINED_MODEL_ERROR,
    TRAINING_STATES,
    Proposals,
)
from pipec.autoschedule.strategies.search_state import Options, SearchState
from pipec.tuner.bandit import Bandit

MIN_SEARCH_SECONDS = 2.0
"""A search by another model needs so much time to be better than a look at what was found before."""
RERANKED_STATES = 400
STATES_OF_A_PART = 3
"""States of one part of the model that are measured."""
SAMPLED_OF_A_ROUND = 4
"""States of perturbed models in each round, before the bandit chooses."""
CROSSED_OF_A_ROUND = 2
"""States that are put together from the fastest groups."""
CHILDREN = 16
"""Bred at once from the fastest states."""
Proposer = Callable[["Mixed"], list[State]]


class Mixed(Proposals):
    """Proposals from all of PROPOSERS."""

    def __init__(self, search: SearchState, measured: Mapping[State, float] | None = None, trains: bool = True) -> None:
        super().__init__(search, measured, trains)
        self.bandit = Bandit(tuple(PROPOSERS))
        self._proposed_by: dict[State, str] = {}
        self._unsearched_parts = [] if self.evaluator is None else list(self.evaluator.model.parts())
        self._states_of_part: list[State] = []
        self._neighbours: dict[State, list[Neighbour]] = {}

    def propose(self, count: int) -> Iterator[State]:
        """Up to `count` states that have not been measured, each as soon as it is found; fewer when nothing new turns
        up."""
        states_of_part, self._states_of_part = self._states_of_part, []
        first = [*self._crossed_groups(), *states_of_part]
        chosen = dict.fromkeys([state for state in first if state not in self.measured][:count])
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
        return "sampled" if self.evaluator is not None and due and not failures else self.bandit.choose()

    def _crossed_groups(self) -> Iterator[State]:
        """States that are put together from the fastest groups of those that were measured."""
        if self.groups is not None:
            yield from self.groups.crossed(self.fastest(len(self.measured)), CROSSED_OF_A_ROUND)

    def learn(self, state: State, milliseconds: float, groups: Mapping[str, float] = NO_TIMES) -> None:
        """Records the time of a state and its groups, and whether who proposed it found the best so far."""
        if state not in self.measured:
            best = min(self.measured.values(), default=math.inf)
            self.bandit.reward(self._proposed_by.get(state, "predicted"), milliseconds < best)
        super().learn(state, milliseconds, groups)

    def improve_model(self, seconds: float) -> None:
        """Searches by the next part of the model, or trains the model when enough states are new and searches by it."""
        if self.evaluator is not None and self.measured and self._unsearched_parts:
            evaluator = self.evaluator.with_model(self._unsearched_parts.pop(0))
            states = self._cheapest_by(evaluator, seconds)
            self._states_of_part = [state for state in states if state not in self.measured][:STATES_OF_A_PART]
        else:
            super().improve_model(seconds)

    def search_by(self, evaluator: CpuEvaluator, seconds: float) -> SearchState:
        """Searches by the trained model from the fastest states."""
        self._neighbours.clear()
        return self._searched(evaluator, seconds, self.fastest(PARENTS))

    def _cheapest_by(self, evaluator: CpuEvaluator, seconds: float) -> list[State]:
        """The states that are cheapest by another model; without time for a search, of those that the first one saw."""
        if seconds >= MIN_SEARCH_SECONDS:
            return [state for _, state in self._searched(evaluator, seconds).best]
        states = [state for _, state in self.first.cheapest(RERANKED_STATES)]
        costs = dict(zip(states, evaluator.costs(states), strict=True))
        return sorted(states, key=costs.__getitem__)

    def best_of_parts(self, seconds: float) -> list[State]:
        """The best state of a search by each part of the model, so many seconds each."""
        if self.evaluator is None:
            return []
        parts = [self.evaluator.with_model(part) for part in self.evaluator.model.parts()]
        return [self._cheapest_by(part, seconds)[0] for part in parts]

    def perturbed_search(self) -> SearchState | None:
        """Returns a search by a model with random factors on the costs of Funcs; None for GPUs.

        It begins with the cheapest of the states that were seen before: a greedy pass from the start ends with equal
        costs, but takes twice as long, and longer than compiling and timing what it finds.
        """
        evaluator = self.perturbed()
        if evaluator is None:
            return None
        search = self.new_search(evaluator)
        search.costs([state for _, state in self.search.cheapest(RERANKED_STATES)])
        for _ in refine(search, search.best[0][1], Options(rounds=1)):
            if time.perf_counter() - search.began > MAX_PASS_SECONDS:
                break
        return search

    def _searched(self, evaluator: CpuEvaluator, seconds: float, start_states: Sequence[State] = ()) -> SearchState:
        search = self.new_search(evaluator)
        search.costs(start_states)
        for _ in beam(search, Options(beam=3, patience=2)):
            if time.perf_counter() - search.began > seconds:
                break
        return search

    def _evaluator_at(self, state: State) -> Evaluator[Any]:
        """The evaluator whose costs of a state's groups are their measured times, where these are known."""
        evaluator = self.search.evaluator
        if self.groups is None or not isinstance(evaluator, CpuEvaluator):
            return evaluator
        factors = self.groups.factors(state, evaluator.per_stage(state))
        return evaluator.with_model(evaluator.model, factors) if factors else evaluator

    def promising(self, parents: Sequence[State]) -> list[State]:
        """Neighbours of measured states that have not been measured, by expected improvement."""
        best = min(self.measured.values(), default=math.inf)
        expected: dict[State, float] = {}
        for parent in parents:
            if parent not in self._neighbours:
                relative_error = TRAINED_MODEL_ERROR if self.trained else MODEL_ERROR
                near = self._neighbours[parent] = list(neighbours(self._evaluator_at(parent), parent, relative_error))
                self.search.costs([neighbour.state for neighbour in near])
            own = self.measured[parent]
            for neighbour in self._neighbours[parent]:
                if neighbour.state not in self.measured:
                    improvement = own * neighbour.improvement(best / own)
                    expected[neighbour.state] = max(improvement, expected.get(neighbour.state, 0.0))
        return sorted(expected, key=expected.__getitem__, reverse=True)[:8]


def predicted(mixed: Mixed) -> list[State]:
    """The cheapest of all states that the model has evaluated."""
    return [state for _, state in mixed.search.best]


def refined(mixed: Mixed) -> list[State]:
    """Returns the neighbours of the fastest state with the greatest expected improvement."""
    return mixed.promising(mixed.fastest(1))


def swept(mixed: Mixed) -> list[State]:
    """Returns those of all of the fastest states."""
    return mixed.promising(mixed.fastest(PARENTS))


def mutants(mixed: Mixed) -> list[State]:
    """Returns random small changes of the fastest states."""
    return mixed.mutants(8)


def crossed(mixed: Mixed) -> list[State]:
    """Returns the best children of the fastest states by the model, of one parent or two."""
    population = costs_of(mixed.search, dict.fromkeys(mixed.fastest(PARENTS) or [mixed.search.start]))
    children = [bred(mixed.search, population) for _ in range(CHILDREN)]
    return [state for _, state in mixed.search.ranked([child for child in children if child is not None])[:8]]


def sampled(mixed: Mixed) -> list[State]:
    """Returns states of perturbed models; for GPUs, with some random decisions."""
    search = mixed.perturbed_search()
    if search is None:
        return [random_state(mixed.search, mixed.search.rng.choice((0.5, 0.05))) for _ in range(2)]
    return [search.best[0][1]]


PROPOSERS: Mapping[str, Proposer] = {
    "predicted": predicted,
    "refined": refined,
    "swept": swept,
    "mutants": mutants,
    "crossed": crossed,
    "sampled": sampled,
}
