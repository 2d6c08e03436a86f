"""Collecting training data: what is measured is kept, and a second run goes on where the first one stopped."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import pytest
from simple_proposer import propose

from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.measure import Measurer, Trial, TrialLimits
from pipec.autoschedule.measure.database import Database, machine_id
from pipec.autoschedule.random_pipelines import VERSION, RandomPipeline, random_pipeline
from pipec.autoschedule.space.state_text import from_json
from pipec.autoschedule.train import __main__ as command
from pipec.autoschedule.train import collect as module
from pipec.autoschedule.train import samples as samples_module
from pipec.autoschedule.train.archive import Measured, in_database, machines_in, read, write
from pipec.autoschedule.train.collect import CollectionProgress, collect, key_of_task
from pipec.autoschedule.train.proposals import Proposal, by_record, by_search, recorded
from pipec.autoschedule.train.samples import samples
from pipec.errors import ArgumentError, ScheduleError

LIMITS = TrialLimits(rounds=2, runs_of_a_turn=1)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    for place in (module, samples_module):
        monkeypatch.setattr(place, "random_pipeline", partial(random_pipeline, shrink=16))


def simple(pipeline: RandomPipeline, count: int, rng: Random) -> list[Proposal]:
    return propose(pipeline.task(), count, rng)


@pytest.mark.slow
def test_every_schedule_is_stored_and_none_is_measured_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Database(tmp_path / "data.sqlite") as base, Measurer(compilers=1, threads=1, limits=LIMITS) as measurer:
        first = collect(base, measurer, simple, [17, 1], 2, source="test")
        assert (first.pipelines, first.good, first.failures) == (2, base.count(), []) and base.count() >= 3
        reports = capsys.readouterr().err
        assert "random-2-17" in reports and "in all" in reports
        count = base.count()
        second = collect(base, measurer, simple, [17, 1], 2, source="test")
        assert second.measured == 0 and base.count() == count
        key = key_of_task(random_pipeline(17, shrink=16).task())
        entries = base.entries(key)
        assert {entry.source for entry in entries} == {"test"} and all(entry.decisions for entry in entries)


def test_a_stopped_run_keeps_what_it_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Database.store

    def stopping(self: Database, key: object, schedule: object, trial: Trial, **more: str) -> None:
        store(self, key, schedule, trial, **more)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    with Database(tmp_path / "data.sqlite") as base, Measurer(compilers=1, threads=1, limits=LIMITS) as measurer:
        monkeypatch.setattr(Database, "store", stopping)
        with pytest.raises(KeyboardInterrupt):
            collect(base, measurer, simple, [17], 2, source="test")
        monkeypatch.undo()
        stored = base.count()
        assert stored >= 1
        monkeypatch.setattr(module, "random_pipeline", partial(random_pipeline, shrink=16))
        progress = collect(base, measurer, simple, [17], 2, source="test")
        assert progress.measured == 2 - stored and base.count() == 2


def test_a_pipeline_without_proposals_is_reported_and_the_next_one_taken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def failing(pipeline: RandomPipeline, count: int, rng: Random) -> list[Proposal]:
        if pipeline.seed == 3:
            raise ScheduleError("no state at all")
        return simple(pipeline, count, rng)

    progress = CollectionProgress()
    with Database(tmp_path / "data.sqlite") as base, Measurer(compilers=1, threads=1, limits=LIMITS) as measurer:
        collect(base, measurer, failing, [3, 17], 1, source="test", progress=progress)
    assert progress.failures == ["random-2-3: no state at all"] and progress.pipelines == 1
    assert "random-2-3: ScheduleError: no state at all" in capsys.readouterr().err


@pytest.mark.slow
def test_searched_schedules_become_samples(tmp_path: Path) -> None:
    with Database(tmp_path / "data.sqlite") as base, Measurer(compilers=1, threads=1, limits=LIMITS) as measurer:
        progress = collect(base, measurer, by_search(threads=1), [17], 3, source="test", threads=1, also=[2])
        measured = list(in_database(base))
    machines = {machine_id(): replace(MachineModel(), clock=1e9)}
    assert write(measured, machines, tmp_path / "data.jsonl.xz") == len(measured)
    assert machines_in(tmp_path / "data.jsonl.xz") == machines
    assert sorted(read(tmp_path / "data.jsonl.xz")) == sorted(
        [one._replace(milliseconds=round(one.milliseconds, 5)) for one in measured]
    )
    result, both = list(samples(measured, machines, threads=1)), list(samples(measured, machines))
    assert progress.good == len(result) >= 2
    assert both[0].machine.clock == 1e9
    assert len(both) == 2 * len(result)
    assert len({sample.setting for sample in both}) == 2
    assert {sample.pipeline for sample in result} == {"random-2-17"}
    assert all(0 < sample.seconds < 1 and len(sample.features) == len(sample.operations) > 0 for sample in result)


@pytest.mark.slow
def test_half_of_the_proposals_take_large_sums_apart_and_become_samples() -> None:
    pipeline = random_pipeline(11, shrink=16)
    assert pipeline.theme == "sums"
    proposals = by_search(threads=2)(pipeline, 4, Random(0))
    states = [from_json(decisions) for _, decisions in proposals]
    assert sum(bool(state.factorings) for state in states) == 2
    measured = [Measured(pipeline.name, "here", 2, "test", decisions, 1.0) for _, decisions in proposals]
    result = list(samples(measured, {}))
    rows = [len(sample.features) for sample in result]
    assert len(rows) == 4 and min(rows[2:]) > 1


def test_an_archive_that_is_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("no archive")
    with pytest.raises(ArgumentError, match="no archive of measured schedules"):
        list(read(tmp_path / "data"))


def test_the_command_needs_a_database() -> None:
    with pytest.raises(SystemExit):
        command.main(["collect"])
    with pytest.raises(SystemExit, match="give --database, or --data"):
        command.main(["fit", "weights.npz"])


@pytest.mark.slow
def test_states_of_an_archive_are_measured_again(tmp_path: Path) -> None:
    with Measurer(compilers=1, threads=1, limits=LIMITS) as measurer:
        with Database(tmp_path / "first.sqlite") as base:
            collect(base, measurer, by_search(threads=1), [17], 3, source="first", threads=1)
            before = list(in_database(base))
        write(before, {}, tmp_path / "first.xz")
        states = recorded([tmp_path / "first.xz"], VERSION)
        assert list(states) == [17] and set(states[17]) == {one.decisions for one in before}
        assert not recorded([tmp_path / "first.xz"], VERSION - 1)
        with Database(tmp_path / "again.sqlite") as base:
            collect(base, measurer, by_record(states, 1), states, 9, source="again", threads=1)
            second = list(in_database(base))
    assert before and {one.decisions for one in second} == {one.decisions for one in before}
    assert {one.source for one in second} == {"again"}
