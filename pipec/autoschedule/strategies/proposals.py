"""States to measure: what a strategy proposes, and the model that learns from their times."""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.cost.fit import Sample, fit
from pipec.autoschedule.cost.model import FeatureBatch
from pipec.autoschedule.cost.network import Network
from pipec.autoschedule.features.rows import GroupFeatures
from pipec.autoschedule.space.state import State
from pipec.autoschedule.strategies.crossover import GroupTimes
from pipec.autoschedule.strategies.dropout import random_mutant
from pipec.autoschedule.strategies.search_state import Options, SearchState

EPOCHS = 200
MIN_SHARE = 0.03
"""Of a group in the time of its state, to be trained on."""
TRAINING_STATES = 24
"""Measured states before the first training; the model is trained again after half as many more."""
MODEL_ERROR, TRAINED_MODEL_ERROR = 0.45, 0.3
"""The standard deviations of the logarithm of the factor on the cost of a Func, before and after training."""
MAX_PASS_SECONDS = 1.0
"""Of the search by one perturbed model: about what compiling and timing its best state takes."""
STATES_OF_A_FUNC = 150
"""States evaluated for each Func in such a search by a strategy that would not end by itself."""
MAX_COST_RATIO = 1.6
"""Mutants whose cost exceeds that of their parent by this factor are left out."""
EPSILON = 0.1
"""The share of proposals that are random mutants of the fastest states (epsilon-greedy)."""
PARENTS = 6
MAX_FAILURES = 8
"""Searches in a row without a new state before a round ends with fewer proposals."""

NO_TIMES: Mapping[str, float] = MappingProxyType({})
Search = Callable[[SearchState, Options], Iterator[None]]


def retrained(evaluator: CpuEvaluator, times: Mapping[State, float], groups: GroupTimes) -> Network:
    """Returns the network trained further on `times`: milliseconds of states; infinite ones are left out. Needs torch.

    `groups`: the times of their groups, which are compared with those that compute the same Funcs. Training begins with
    the weights of the model, or of the network in a blend, else with those that give the roofline's costs.
    """
    model, samples = evaluator.model, []

    def add(name: str, parts: Sequence[GroupFeatures], milliseconds: float) -> None:
        batch = FeatureBatch.of([part.features for part in parts], [part.operations for part in parts])
        samples.append(Sample(name, "", batch.features, batch.operations, milliseconds * 1e-3, model.machine))

    for state, milliseconds in times.items():
        if math.isfinite(milliseconds):
            parts = evaluator.groups(state)
            add("", parts, milliseconds)
            for part, (funcs, own) in zip(parts, groups.of(state), strict=False):
                if MIN_SHARE * milliseconds < own < milliseconds:
                    add(" ".join(sorted(funcs)), [part], own)
    networks = [part for part in (model, *model.parts()) if isinstance(part, Network)]
    start = networks[0].weights if networks else None
    return Network(fit(samples, EPOCHS, start=start), model.machine)


class Proposals(ABC):
    """Proposes states to measure and learns from their times.

    `search`: the search by the best model so far; `measured`: milliseconds of states, infinite where a trial failed;
    `trains`: whether there will be time to train the model, which needs states that differ. `groups`: the times of the
    groups of states; None for GPUs, which have no such clock.
    """

    def __init__(self, search: SearchState, measured: Mapping[State, float] | None = None, trains: bool = True) -> None:
        self.search = search
        self.trains = trains
        self.measured: dict[State, float] = dict(measured or {})
        # Models of GPUs have nothing to train; they stay as they are.
        self.evaluator = search.evaluator if isinstance(search.evaluator, CpuEvaluator) else None
        self.groups = None if self.evaluator is None else GroupTimes(search.dag, search.space)
        self.trained: CpuEvaluator | None = None
        self.first = search
        self._next_training = TRAINING_STATES

    @abstractmethod
    def propose(self, count: int) -> Iterator[State]:
        """Up to `count` states that have not been measured, each as soon as it is found; fewer when nothing new turns
        up."""

    @abstractmethod
    def search_by(self, evaluator: CpuEvaluator, seconds: float) -> SearchState:
        """Searches by a model that was trained on the times."""

    def learn(self, state: State, milliseconds: float, groups: Mapping[str, float] = NO_TIMES) -> None:
        """Records the time of a state, infinity when it failed, and the milliseconds of its groups by their roots."""
        self.measured[state] = milliseconds
        if self.groups is not None:
            self.groups.add(state, groups)

    def improve_model(self, seconds: float) -> None:
        """Trains the model when enough states are new, and searches by it."""
        times = {state: milliseconds for state, milliseconds in self.measured.items() if math.isfinite(milliseconds)}
        evaluator, groups = self.evaluator, self.groups
        if evaluator is not None and groups is not None and self.trains and len(times) >= self._next_training:
            self._next_training = len(times) + max(TRAINING_STATES, len(times) // 2)
            self.trained = evaluator.with_model(retrained(evaluator, times, groups))
            self.search = self.search_by(self.trained, seconds)

    def fastest(self, count: int) -> list[State]:
        """The fastest states that were measured."""
        ok = [state for state, milliseconds in self.measured.items() if math.isfinite(milliseconds)]
        return sorted(ok, key=self.measured.__getitem__)[:count]

    def mutants(self, count: int) -> list[State]:
        """Random small changes of the fastest states, those left out that seem much slower."""
        rng = self.search.rng
        parents = rng.choices(self.fastest(PARENTS) or [self.search.start], k=count)
        pairs = [(parent, random_mutant(self.search, parent, rng.choice((1, 1, 2, 3)))) for parent in parents]
        return [mutant for parent, mutant in pairs if self._is_near(mutant, parent)]

    def _is_near(self, mutant: State, parent: State) -> bool:
        return self.search.cost(mutant) < MAX_COST_RATIO * self.search.cost(parent)

    def perturbed(self) -> CpuEvaluator | None:
        """A model that is as likely to be right: with random factors on the costs of Funcs; None for GPUs.

        Thompson sampling; Russo et al., "A Tutorial on Thompson Sampling", 2018.
        """
        evaluator = self.trained or self.evaluator
        if evaluator is None:
            return None
        rng, spread = self.first.rng, TRAINED_MODEL_ERROR if self.trained else MODEL_ERROR
        factors = {name: math.exp(rng.gauss(0.0, spread)) for name in self.first.dag.funcs}
        return evaluator.with_model(evaluator.model, factors)

    def new_search(self, evaluator: CpuEvaluator) -> SearchState:
        """An empty search from the start state, which has everything at root: single decisions can be forgotten."""
        first = self.first
        return SearchState(first.dag, evaluator, first.start, first.keep, rng=first.rng)


class ProposalsOfSearch(Proposals):
    """A strategy that does not measure proposes what it finds: by the model, by the trained one and by perturbed ones.

    A share of the proposals are random mutants of the fastest states.
    """

    def __init__(
        self,
        strategy: Search,
        search: SearchState,
        measured: Mapping[State, float] | None = None,
        trains: bool = True,
    ) -> None:
        super().__init__(search, measured, trains)
        self.strategy = strategy
        self._options = Options(beam=3, patience=2)

    def propose(self, count: int) -> Iterator[State]:
        """The cheapest states first, then those of perturbed models."""
        chosen: dict[State, None] = {}
        failures = 0
        candidates = [state for _, state in self.search.best]
        while len(chosen) < count and failures < MAX_FAILURES:
            if self.search.rng.random() < EPSILON and self.measured:
                candidates = [*self.mutants(4)[:1], *candidates]
            new = self._unmeasured(candidates, chosen)[: max(1, count // 4)]
            for state in new[: count - len(chosen)]:
                chosen[state] = None
                yield state
            failures = 0 if new else failures + 1
            if len(chosen) < count:
                candidates = self.mutants(16) if failures % 2 else self._of_perturbed_model()

    def _unmeasured(self, states: Iterable[State], chosen: Mapping[State, None]) -> list[State]:
        return [state for state in states if state not in self.measured and state not in chosen]

    def _of_perturbed_model(self) -> list[State]:
        evaluator = self.perturbed()
        if evaluator is None:
            return self.mutants(16)
        search = self.new_search(evaluator)
        self._run(search, MAX_PASS_SECONDS, STATES_OF_A_FUNC * len(search.space.decided()))
        return [state for _, state in search.best[:2]]

    def search_by(self, evaluator: CpuEvaluator, seconds: float) -> SearchState:
        """Runs the strategy by the trained model."""
        search = self.new_search(evaluator)
        search.costs(self.fastest(PARENTS))
        self._run(search, seconds)
        return search

    def _run(self, search: SearchState, seconds: float, states: float = math.inf) -> None:
        search.cost(search.start)
        for _ in self.strategy(search, self._options):
            if time.perf_counter() - search.began > seconds or search.states > states:
                break
