"""Verification: the finalists of a search differ in structure, run in children, and the fastest is returned."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.cost.network import Blend
from pipec.autoschedule.measure import Measurer, Status, Trial
from pipec.autoschedule.measure.other_work import STATISTICS, OtherWork, busy_share
from pipec.autoschedule.space.state import State, Where
from pipec.autoschedule.strategies.deciding import structure
from pipec.autoschedule.strategies.finalists import finalists
from pipec.autoschedule.strategies.mixed import Mixed
from pipec.autoschedule.strategies.search import Budget, search
from pipec.autoschedule.strategies.search_state import Options
from pipec.errors import PipecError
from tests.autoschedule.chains import chain, search_by

QUICK = Options(beam=2, rounds=1, refined=1, states=100)
SIZES = [200, 100]


def two_stages() -> hl.Func:
    x, y = hl.vars("x y")
    f, g = hl.funcs("verified_f verified_g")
    f[x, y] = hl.sqrt(hl.f32(x + y))
    g[x, y] = f[x, y] + f[x, y + 1]
    return g


def column_sums() -> hl.Func:
    x, y = hl.vars("x y")
    r = hl.RDom([(0, 50)])
    f, g = hl.funcs("summed_f summed_g")
    f[x, y] = hl.f32(x + y)
    g[x, y] = 0.0
    g[x, y] += f[x, y + r]
    return g


def is_trivial(state: State) -> bool:
    return all(placement.where is Where.ROOT for placement in state.placements.values())


@pytest.fixture
def measurer(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """Children that answer at once; the test sets `milliseconds` by the number of a schedule (None: there was no time
    for it), or an `error`.

    The times are so short that no neighbours are measured.
    """
    behaviour: dict[str, Any] = {"milliseconds": lambda number: (1 + number) / 100, "error": None, "counts": []}

    def measure(self: Any, task: Any, schedules: Iterable[Any], done: Any = None, **options: Any) -> list[Trial]:
        behaviour["schedules"] = list(schedules)
        behaviour["counts"].append(len(behaviour["schedules"]))
        behaviour["definitions"] = options.get("definitions")
        trials = []
        for number, _ in enumerate(behaviour["schedules"]):
            milliseconds = behaviour["milliseconds"](number)
            if milliseconds is None:
                trials.append(Trial(Status.SKIPPED))
                continue
            trials.append(Trial(Status.OK, (milliseconds,)) if milliseconds else Trial(Status.WRONG))
            if done is not None:
                done(number, trials[-1])
            if behaviour["error"] is not None:
                raise behaviour["error"]
        return trials

    monkeypatch.setattr(Measurer, "__enter__", lambda self: self)
    monkeypatch.setattr(Measurer, "measure", measure)
    yield behaviour


def test_the_fastest_finalist_is_returned_and_right() -> None:
    expected = two_stages().realize([40, 30]).numpy()
    output = two_stages()
    result = output.autoschedule(sizes=SIZES, options=QUICK)
    measured = [candidate.measured_ms for candidate in result.top(20) if candidate.measured_ms is not None]
    assert len(measured) == result.trials >= 3 and measured == sorted(measured)
    assert result.measured_ms == measured[0] and 0 < result.verified_seconds < result.search_seconds
    assert any(is_trivial(c.state) for c in result.top(20) if c.measured_ms is not None)
    assert "measured in" in repr(result)
    np.testing.assert_allclose(output.realize([40, 30]).numpy(), expected, rtol=1e-6)


def test_the_trivial_schedule_is_returned_when_it_is_the_fastest(measurer: dict[str, Any]) -> None:
    measurer["milliseconds"] = lambda number: 0.005 if number == 1 else 0.02
    result = two_stages().autoschedule(sizes=SIZES, options=QUICK)
    assert is_trivial(result.state) and result.measured_ms == 0.005


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"budget": "5 s"}])
@pytest.mark.part(2)
def test_the_cheapest_by_the_model_is_timed_although_others_were_compiled_before_it(
    measurer: dict[str, Any], options: dict[str, Any]
) -> None:
    measurer["milliseconds"] = lambda number: None if measurer["counts"][1:] == [] and number == 0 else 0.02
    two_stages().autoschedule(sizes=SIZES, options=QUICK, apply=False, **options)
    several, alone, *_ = measurer["counts"]
    assert several > 1 and alone == 1


def test_finalists_with_wrong_pixels_are_not_returned(measurer: dict[str, Any]) -> None:
    first = two_stages().autoschedule(sizes=SIZES, options=QUICK, verify=False)
    measurer["milliseconds"] = lambda number: 0.0 if number == 0 else 0.02
    result = two_stages().autoschedule(sizes=SIZES, options=QUICK)
    assert first.state not in [candidate.state for candidate in result.top(50)]


def test_li2018_competes_for_pipelines_with_updates(measurer: dict[str, Any]) -> None:
    output = column_sums()
    expected = output.realize([8, 6]).numpy()
    output.autoschedule(sizes=SIZES, options=QUICK, apply=False)
    (number,) = measurer["definitions"]
    measurer["milliseconds"] = lambda other: 0.005 if other == number else 0.02
    result = output.autoschedule(sizes=SIZES, options=QUICK)
    assert result.problem.rewrite is not None
    np.testing.assert_allclose(output.realize([8, 6]).numpy(), expected, rtol=1e-6)


@pytest.mark.parametrize("error", [PipecError("Error: no memory"), OSError("no process"), KeyboardInterrupt()])
@pytest.mark.part(2)
def test_what_was_timed_before_a_failure_counts_and_the_result_names_it(
    measurer: dict[str, Any], error: BaseException
) -> None:
    measurer["error"] = error
    result = two_stages().autoschedule(sizes=SIZES, options=QUICK)
    assert result.trials == 1 and result.measured_ms == 0.01
    assert (str(error).removeprefix("Error: ") or "interrupted") in result.note
    assert result.note in repr(result)


def test_without_children_the_model_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    output = two_stages()
    expected = output.autoschedule(sizes=SIZES, options=QUICK, verify=False)
    monkeypatch.setattr("sys.executable", "/bin/false")
    result = output.autoschedule(sizes=SIZES, options=QUICK)
    assert result.measured_ms is None and result.schedule == expected.schedule
    assert "does not work" in result.note and not expected.note


def test_the_model_decides_where_no_task_can_be_built(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise PipecError("Error: no such input")

    monkeypatch.setattr("pipec.autoschedule.verification.task_of_problem", refused)
    result = two_stages().autoschedule(sizes=SIZES, threads=1, options=QUICK)
    assert result.measured_ms is None and result.note == "no such input"


def test_schedules_for_more_threads_than_there_are_are_not_timed() -> None:
    result = two_stages().autoschedule(sizes=SIZES, options=QUICK, threads=1000)
    assert result.measured_ms is None and "the schedule is for 1000 threads" in result.note


@pytest.mark.parametrize("strategy", ["grouping", "fallback", "trivial", "li2018"])
def test_a_certain_schedule_is_not_exchanged_for_a_faster_one(strategy: str) -> None:
    result = two_stages().autoschedule(sizes=SIZES, strategy=strategy, options=QUICK)
    assert result.measured_ms is None and not result.note


def test_the_trivial_state_inlines_nothing() -> None:
    result = two_stages().autoschedule(sizes=SIZES, strategy="trivial")
    assert is_trivial(result.state)


def test_finalists_differ_in_structure() -> None:
    search = search_by("beam", chain(5))
    chosen = finalists(search, 4)
    costs = [cost for cost, _ in chosen]
    assert len(chosen) == 4 and costs == sorted(costs) and chosen[0] == search.best[0]
    assert len({structure(state) for _, state in chosen}) == 4


@pytest.mark.slow
def test_tuning_begins_with_the_finalists_which_count_among_its_trials(tmp_path: Path) -> None:
    result = two_stages().autoschedule(sizes=SIZES, options=QUICK, trials=6, database=tmp_path / "trials")
    measured = [candidate for candidate in (result, *result.others) if candidate.measured_ms is not None]
    assert result.trials == 6 and len(measured) == 6 and result.verified_seconds > 0
    assert any(is_trivial(candidate.state) for candidate in measured)


def test_short_tunings_look_through_what_was_searched_for_states_of_each_part_of_the_model() -> None:
    dag = chain()
    model = Blend.shipped()
    search_of_blend = search(dag, CpuEvaluator(dag, model), "beam", Options(beam=2), Budget(60.0, 200))
    mixed = Mixed(search_of_blend, {search_of_blend.best[0][1]: 1.0}, trains=False)
    mixed.improve_model(0.0)
    first = next(mixed.propose(4))
    by_part = CpuEvaluator(dag, model.parts()[0])
    examined = [state for _, state in search_of_blend.cheapest(400) if state not in mixed.measured]
    assert by_part.cost(first) == min(by_part.costs(examined))


class Clock:
    def __init__(self) -> None:
        self.now = 0.0


def waited(shares: list[float], patience: float, until: float = 1e9) -> tuple[float, OtherWork]:
    clock, left = Clock(), iter(shares)

    def sample() -> float:
        clock.now += 0.05
        return next(left)

    work = OtherWork(patience, sample, lambda: clock.now)
    work.wait(until)
    return clock.now, work


@pytest.mark.skipif(not STATISTICS.exists(), reason="the system does not say how busy its CPUs are")
def test_the_work_of_others_is_a_share_of_the_cpus() -> None:
    share = busy_share()
    assert share is not None and 0 <= share <= 1
    assert OtherWork().sample is busy_share


def test_timing_waits_for_the_end_of_other_work() -> None:
    seconds, work = waited([0.9, 0.8, 0.1, 0.9], patience=10.0)
    assert seconds == pytest.approx(0.15) and not work.is_busy and not work.note


def test_timing_waits_as_long_as_it_is_allowed_to_and_says_that_the_machine_is_busy() -> None:
    seconds, work = waited([0.9] * 100, patience=1.0)
    assert seconds == pytest.approx(1.0, abs=0.1) and "other processes used 90% of the CPUs" in work.note
    assert waited([0.9] * 100, patience=10.0, until=0.5)[0] == pytest.approx(0.5, abs=0.1)


def test_patience_is_for_all_waits_together() -> None:
    _, work = waited([0.9] * 100, patience=1.0)
    assert work.patience == pytest.approx(0.0, abs=0.06)
