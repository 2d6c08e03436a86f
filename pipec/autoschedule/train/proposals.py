"""Which schedules of a random pipeline are measured: good ones, neighbours of good ones, and random ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.cost.host_machine import host_machine
from pipec.autoschedule.cost.model import CostModel, Roofline
from pipec.autoschedule.emit.emit import emit
from pipec.autoschedule.problem import Problem
from pipec.autoschedule.random_pipelines import RandomPipeline
from pipec.autoschedule.space.state import Factoring, State
from pipec.autoschedule.space.state_text import from_json, to_json
from pipec.autoschedule.strategies.dropout import random_mutant, random_state
from pipec.autoschedule.strategies.search import Budget, search
from pipec.autoschedule.strategies.search_state import Options, SearchState
from pipec.autoschedule.train.archive import read
from pipec.autoschedule.train.samples import Evaluators, problem_of_pipeline, seed_of
from pipec.schedule.schedule import Schedule

# A schedule, and its state as text.
Proposal = tuple[Schedule, str]
Proposer = Callable[[RandomPipeline, int, Random], Sequence[Proposal]]
# Seconds of the search for good states, and how many times the wanted number may be tried for states that differ.
SEARCH_SECONDS = 1.0
ATTEMPTS = 8
# States this many times as expensive as the best take long to measure and add little to the training data.
MAX_COST_RATIO = 20.0


def by_search(model: CostModel | None = None, threads: int | None = None) -> Proposer:
    """What `proposed` gives for random pipelines at their own sizes."""

    def propose(pipeline: RandomPipeline, count: int, rng: Random) -> list[Proposal]:
        return proposed(problem_of_pipeline(pipeline, threads), count, rng, model)

    return propose


def proposed(problem: Problem, count: int, rng: Random, model: CostModel | None = None) -> list[Proposal]:
    """A quarter of the best states under `model`, a quarter of small changes of these, and random ones.

    Where reductions can be factored, half of all are of the problem with some of them factored.
    """
    factored = randomly_factored(problem, rng)
    whole = count if factored is None else count - count // 2
    proposals = _proposed(problem, whole, rng, model)
    return proposals if factored is None else proposals + _proposed(factored, count - whole, rng, model)


def randomly_factored(problem: Problem, rng: Random) -> Problem | None:
    """Returns the problem with a random factoring of each reduction that is worth it; None without any."""
    factorings: list[Factoring] = []
    for stage in problem.space.targets():
        factorings += rng.choice(problem.space.choices(stage))
    return problem.factored(factorings) if factorings else None


def _proposed(problem: Problem, count: int, rng: Random, model: CostModel | None) -> list[Proposal]:
    options = Options(beam=4, rounds=2, refined=1, seed=rng.getrandbits(30))
    evaluator = CpuEvaluator(problem.dag, model or Roofline(host_machine()))
    budget, start = Budget(SEARCH_SECONDS), problem.start()
    searched = search(problem.dag, evaluator, "beam", options, budget, start, keep=2 * count)
    different: dict[Schedule, str] = {}
    for state in _chosen(searched, ATTEMPTS * count, rng):
        different.setdefault(emit(problem.dag, state), to_json(state))
        if len(different) == count:
            break
    return list(different.items())


def _chosen(search: SearchState, attempts: int, rng: Random) -> Iterator[State]:
    """The kinds in turn, so that any number of them is a mixture; two states may make the same schedule."""
    search.rng.seed(rng.getrandbits(30))
    best = [state for _, state in search.best]
    most = MAX_COST_RATIO * search.best[0][0]
    for attempt in range(attempts):
        match attempt % 4:
            case 0:
                state = best[min(attempt // 4, len(best) - 1)]
            case 1:
                state = random_mutant(search, rng.choice(best), rng.choice([1, 2, 4]))
            case _:
                state = random_state(search, rng.choice([1e-3, 0.01, 0.1, 0.3]))
        if search.cost(state) <= most:
            yield state


def recorded(archives: Iterable[Path], version: int) -> Mapping[int, Sequence[str]]:
    """The states of archives by the seeds of their pipelines, of one version, in the order of the archives."""
    states_of: dict[int, dict[str, None]] = {}
    for archive in archives:
        for one in read(archive):
            name = seed_of(one.pipeline)
            if name is not None and name[0] == version:
                states_of.setdefault(name[1], {})[one.decisions] = None
    return {seed: list(states) for seed, states in states_of.items()}


def by_record(states: Mapping[int, Sequence[str]], threads: int | None = None) -> Proposer:
    """The first states that are recorded of each pipeline, and are still legal."""

    def propose(pipeline: RandomPipeline, count: int, rng: Random) -> list[Proposal]:
        evaluators = Evaluators(problem_of_pipeline(pipeline, threads), Roofline(host_machine()))
        proposals = []
        for text in states.get(pipeline.seed, ())[:count]:
            state = from_json(text)
            if (evaluator := evaluators.of(state)) is not None:
                proposals.append((emit(evaluator.dag, state), text))
        return proposals

    return propose
