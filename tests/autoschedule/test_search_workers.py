"""Processes that search beside the one that asks for a schedule."""

from __future__ import annotations

from itertools import pairwise

import pytest

import pipec as hl
from pipec.autoschedule import search_workers
from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.cost.model import Roofline
from pipec.autoschedule.search_workers import SearchWorkers
from pipec.autoschedule.space.state_text import from_json, to_json
from pipec.autoschedule.strategies.search import Budget, search
from pipec.autoschedule.strategies.search_state import Options, SearchState
from tests.autoschedule.chains import chain

SECONDS = 2.0


@pytest.fixture
def begun():
    """A worker that searches a chain for two seconds, and a search of the same chain that saw one state."""
    dag = chain(3)
    mine = SearchState(dag, CpuEvaluator(dag, Roofline()), CpuEvaluator(dag, Roofline()).space.start())
    mine.cost(mine.start)
    with SearchWorkers(Options(workers=1), None) as workers:
        workers.begin(CpuEvaluator(dag, Roofline()), "beam", Options(), mine.start, SECONDS)
        yield workers, mine


def test_the_best_states_of_a_worker_join_the_search(begun: tuple[SearchWorkers, SearchState], sleep_until_end) -> None:
    workers, mine = begun
    first = mine.best[0][0]
    sleep_until_end(workers)
    workers.join(mine)
    assert mine.best[0][0] < first and mine.states > 100
    cost, state = mine.best[0]
    assert CpuEvaluator(mine.dag, Roofline()).cost(state) == pytest.approx(cost), "costs are the same everywhere"
    same = from_json(to_json(state))
    assert same == state and hash(same) == hash(state), "hashes are those of this process"
    assert all(hash(same[name]) == hash(state[name]) for name in mine.dag.funcs)


def test_a_search_that_ends_before_its_time_stops_its_workers(begun: tuple[SearchWorkers, SearchState]) -> None:
    workers, mine = begun
    workers.join(mine)
    assert mine.states == 1 and not any(process.running for process in workers._processes)


def test_a_worker_that_dies_is_no_loss(begun: tuple[SearchWorkers, SearchState], sleep_until_end) -> None:
    workers, mine = begun
    process = workers._processes[0]._process
    assert process is not None
    process.kill()
    sleep_until_end(workers)
    workers.join(mine)
    assert mine.states == 1


@pytest.fixture
def sleep_until_end(monkeypatch: pytest.MonkeyPatch):
    """Waits as long as a search would take."""
    import time

    return lambda workers: time.sleep(max(0.0, workers._end + 0.01 - time.monotonic()))


def test_workers_search_with_seeds_of_their_own_and_perturb_the_first_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Options] = []
    monkeypatch.setattr(search_workers.Process, "send", lambda self, word, *arguments: asked.append(arguments[2]))
    dag = chain(3)
    with SearchWorkers(Options(workers=3), None) as workers:
        workers.begin(CpuEvaluator(dag, Roofline()), "beam", Options(seed=5), chain_start(dag), SECONDS)
    assert len({options.seed for options in [Options(seed=5), *asked]}) == 4
    assert all(options.noise > 0 for options in asked)


def chain_start(dag):
    return CpuEvaluator(dag, Roofline()).space.start()


def test_a_search_limited_by_states_has_no_workers() -> None:
    assert SearchWorkers(Options(states=100), None).count == 0
    assert SearchWorkers(Options(workers=2), None).count == 2
    assert SearchWorkers(Options(workers=0), None).count == 0


def test_little_time_is_not_worth_a_process() -> None:
    dag = chain(3)
    with SearchWorkers(Options(workers=1), None) as workers:
        workers.begin(CpuEvaluator(dag, Roofline()), "beam", Options(), chain_start(dag), 0.5)
        assert not workers._processes


def test_a_first_pass_at_perturbed_costs_decides_otherwise() -> None:
    dag = chain(6)
    results = [
        search(dag, CpuEvaluator(dag, Roofline()), "beam", Options(noise=noise, patience=0), Budget(60.0, 5_000)).best
        for noise in (0.0, 1.0)
    ]
    assert results[0] != results[1]


@pytest.mark.parametrize("own", [False, True])
def test_workers_are_joined_by_autoschedule(own: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless the cost model is one that other processes need not know."""

    class Own(Roofline):
        pass

    joined: list[int] = []
    join = SearchState.join
    monkeypatch.setattr(
        SearchState, "join", lambda self, others, count: (joined.append(count), join(self, others, count))[1]
    )
    x, y = hl.vars("x y")
    funcs = [hl.Func(f"wide_{number}") for number in range(9)]
    funcs[0][x, y] = hl.f32(x + y)
    for before, func in pairwise(funcs):
        func[x, y] = before[x - 1, y] + before[x + 1, y] * 0.5 + hl.sqrt(before[x, y + 1])
    funcs[-1].set_estimates([(0, 1024), (0, 1024)])
    options = Options(workers=1, patience=1_000)
    funcs[-1].autoschedule(verify=False, search_seconds=2.4, options=options, model=Own() if own else Roofline())
    assert (not joined) if own else joined[0] > 10
