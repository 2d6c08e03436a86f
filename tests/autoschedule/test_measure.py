"""Measuring schedules in child processes: what comes back, and what happens to schedules that go wrong."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.measure import Measurer, Status, Trial, TrialLimits, task_of
from pipec.autoschedule.measure.pixels import difference
from pipec.autoschedule.processes.process import Process
from pipec.errors import ArgumentError, PipecError
from pipec.func.functions.freeze import schedule_of
from pipec.records import replace
from pipec.schedule.fields import ROOT, LevelRef
from pipec.schedule.placement import ComputeAt
from pipec.schedule.schedule import Schedule

LIMITS = TrialLimits(compile_seconds=8.0, run_seconds=1.0, rounds=2, runs_of_a_turn=2)


@pytest.fixture(scope="module")
def measurer() -> Iterator[Measurer]:
    with Measurer(compilers=1, threads=1, limits=LIMITS) as built:
        yield built


def two_stages() -> tuple[hl.Pipeline, str, str]:
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.UInt(8), 2, "measured_image")
    f, g = hl.Func("measured_f"), hl.Func("measured_g")
    f[x, y] = hl.u16(image[x, y]) * 3
    g[x, y] = f[x, y] + f[x + 1, y]
    return hl.Pipeline(g), f.name(), g.name()


def at_root(name: str) -> Schedule:
    return Schedule((ComputeAt(name, ROOT),))


def test_every_schedule_gets_a_trial(measurer: Measurer) -> None:
    pipeline, f, g = two_stages()
    reports: dict[int, Trial] = {}
    wrong = Schedule((ComputeAt(f, LevelRef(g, "no_such_loop")),))
    trials = measurer.measure(task_of(pipeline, [64, 32]), [Schedule(), at_root(f), wrong], reports.__setitem__)
    assert [trial.status for trial in trials] == [Status.OK, Status.OK, Status.FAILED]
    assert "no_such_loop" in trials[2].message
    assert all(0 < trial.minimum <= trial.median < 100 for trial in trials[:2])
    assert reports == dict(enumerate(trials))


def test_what_is_compiled_can_be_timed_on_other_numbers_of_threads_too(measurer: Measurer) -> None:
    pipeline, f, _ = two_stages()
    on_two: dict[int, Trial] = {}
    wrong = Schedule((ComputeAt(f, LevelRef(f, "no_such_loop")),))
    schedules = [wrong, Schedule(), at_root(f)]
    trials = measurer.measure(task_of(pipeline, [64, 32]), schedules, also={2: on_two.__setitem__})
    assert [trial.status for trial in trials] == [Status.FAILED, Status.OK, Status.OK]
    assert sorted(on_two) == [1, 2] and all(trial.ok and trial.milliseconds for trial in on_two.values())
    assert all(on_two[number].milliseconds != trials[number].milliseconds for number in on_two)


def test_what_there_is_no_time_for_is_skipped_and_not_reported(measurer: Measurer) -> None:
    pipeline, f, _ = two_stages()
    reports: dict[int, Trial] = {}
    task = task_of(pipeline, [64, 32])
    trials = measurer.measure(task, [Schedule(), at_root(f)], reports.__setitem__, seconds=0.0)
    assert [trial.status for trial in trials] == [Status.SKIPPED, Status.SKIPPED] and not reports
    assert [trial.ok for trial in measurer.measure(task, [Schedule()], seconds=60.0)] == [True]


def test_children_make_ready_for_a_task_once(measurer: Measurer, monkeypatch: pytest.MonkeyPatch) -> None:
    requested: list[str] = []
    send = Process.send
    monkeypatch.setattr(
        Process, "send", lambda self, word, *arguments: (requested.append(word), send(self, word, *arguments))[1]
    )
    pipeline, f, _ = two_stages()
    task = task_of(pipeline, [64, 32])
    for _ in range(3):
        assert all(trial.ok for trial in measurer.measure(task, [Schedule(), at_root(f)]))
    assert requested.count("prepare") == 1, "by the one that times"
    assert requested.count("task") == 2, "by that and by the one that compiles"
    measurer.measure(task_of(pipeline, [32, 32]), [Schedule()])
    assert requested.count("prepare") == 2


def test_groups_are_timed_where_the_task_is_clocked(measurer: Measurer) -> None:
    pipeline, f, g = two_stages()
    task = task_of(pipeline, [640, 320])
    for schedule, roots in ((Schedule(), {g}), (at_root(f), {f, g})):
        (trial,) = measurer.measure(replace(task, clocked=True), [schedule])
        assert trial.groups.keys() == roots
        assert 0.5 * trial.minimum < sum(trial.groups.values()) < 2 * trial.median
    assert measurer.measure(task, [at_root(f)])[0].groups == {}


def test_rfactor_is_measured(measurer: Measurer) -> None:
    x, u = hl.vars("x u")
    image = hl.ImageParam(hl.Int(32), 2, "summed_image")
    total = hl.Func("summed")
    r = hl.RDom([(0, 20), (0, 30)], "r")
    total[x] = 0
    total[x] += image[r.x, r.y] * x
    pipeline = hl.Pipeline(total)
    task = task_of(pipeline, [5])
    intermediate = total.update().rfactor([(r.y, u)])
    intermediate.compute_root().update().parallel(u)
    schedule = schedule_of([total.function])
    assert [trial.status for trial in measurer.measure(task, [schedule])] == [Status.OK]


def test_a_schedule_that_runs_for_ever_is_abandoned_and_the_others_go_on(
    measurer: Measurer, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = hl.Var("x")
    chain = [hl.Func(f"endless_{k}") for k in range(24)]
    chain[0][x] = x
    for before, after in zip(chain, chain[1:], strict=False):
        after[x] = before[x - 1] + before[x + 1]
    names = [func.name() for func in chain]
    # Each point computes three points of the stage before.
    endless = Schedule(
        tuple([ComputeAt(name, LevelRef(user, "x")) for name, user in zip(names, names[1:], strict=False)])
    )
    root = Schedule(tuple([ComputeAt(name, ROOT) for name in names[:-1]]))
    # What may still have to be compiled gets that time too.
    monkeypatch.setattr(measurer, "limits", replace(LIMITS, compile_seconds=2.0))
    trials = measurer.measure(task_of(hl.Pipeline(chain[-1]), [100]), [root, endless, root])
    assert [trial.status for trial in trials] == [Status.OK, Status.TIMEOUT, Status.OK]


def test_a_child_that_dies_loses_the_schedule_it_ran_only(measurer: Measurer, monkeypatch: pytest.MonkeyPatch) -> None:
    send = Process.send

    def dying(self: Process, word: str, *arguments: object) -> None:
        send(self, word, *arguments)
        if word == "check" and arguments[0] == 1:
            assert self._process is not None
            os.kill(self._process.pid, signal.SIGKILL)

    monkeypatch.setattr(Process, "send", dying)
    pipeline, f, _ = two_stages()
    trials = measurer.measure(task_of(pipeline, [64, 32]), [Schedule(), at_root(f), Schedule()])
    assert [trial.status for trial in trials] == [Status.OK, Status.CRASHED, Status.OK]
    assert "SIGKILL" in trials[1].message


def test_a_child_that_dies_between_numbers_of_threads_is_replaced(
    measurer: Measurer, monkeypatch: pytest.MonkeyPatch
) -> None:
    send, killed = Process.send, []

    def dying(self: Process, word: str, *arguments: object) -> None:
        if word == "threads" and not killed:
            assert self._process is not None
            self._process.kill()
            self._process.wait()
            killed.append(word)
        send(self, word, *arguments)

    monkeypatch.setattr(Process, "send", dying)
    pipeline, f, _ = two_stages()
    on_two: dict[int, Trial] = {}
    trials = measurer.measure(task_of(pipeline, [64, 32]), [Schedule(), at_root(f)], also={2: on_two.__setitem__})
    assert killed and all(trial.ok for trial in trials)
    assert sorted(on_two) == [0, 1] and all(trial.ok for trial in on_two.values())


def test_wrong_pixels_are_noticed(measurer: Measurer) -> None:
    x, r = hl.Var("x"), hl.RDom([(1, 63)], "r")
    sums = hl.Func("running_sums")
    sums[x] = x
    sums[r] = sums[r - 1] + sums[r]
    task = task_of(hl.Pipeline(sums), [64])
    sums.update().allow_race_conditions().vectorize(r, 8)  # which is a lie
    (trial,) = measurer.measure(task, [schedule_of([sums.function])])
    assert trial.status is Status.WRONG and trial.milliseconds == ()
    assert "values of output 0 are wrong; the first is at (3,): 5 instead of 6" in trial.message


def test_integers_must_be_exact() -> None:
    expected, got = np.zeros((4, 5), np.uint8), np.zeros((4, 5), np.uint8)
    got[2, 3] = 1
    assert "1 of 20 values of output 0 are wrong; the first is at (3, 2)" in difference([expected], [got], exact=True)


def test_floats_may_differ_by_rounding_only() -> None:
    expected = np.linspace(0, 1, 100, dtype=np.float32)
    assert not difference([expected], [expected * np.float32(1 + 1e-6)], exact=False)
    assert difference([expected], [expected * np.float32(1.01)], exact=False)
    holes = np.full(100, np.nan, np.float32)
    assert not difference([holes], [holes], exact=False) and difference([expected], [holes], exact=False)


def test_a_pipeline_that_cannot_run_is_an_error(measurer: Measurer) -> None:
    x = hl.Var("x")
    image, out = hl.ImageParam(hl.UInt(8), 1, "short_image"), hl.Func("reads_too_much")
    out[x] = image[x + 10]
    task = task_of(hl.Pipeline(out), [8], arrays={"short_image": np.zeros(4, np.uint8)})
    with pytest.raises(ArgumentError, match="can't be measured.*short_image"):
        measurer.measure(task, [Schedule()])


def test_inputs_are_the_users_or_estimated_or_required(tmp_path: Path) -> None:
    x, y, c = hl.vars("x y c")
    arguments = hl.ImageParam(hl.Float(32), 2, "given_image")
    expected = hl.ImageParam(hl.UInt(8), 2, "expected_image")
    needed = hl.ImageParam(hl.UInt(16), 3, "needed_image")
    needed.dim(0).set_stride(3)
    needed.dim(2).set_stride(1)
    expected.set_estimates([(0, 50), (0, 40)])
    out = hl.Func("mixed_inputs")
    edge = hl.BoundaryConditions.repeat_edge(expected)
    out[x, y, c] = arguments[x, y] + edge[x, y] + needed[x + 2, y, c]
    pixels = np.arange(12, dtype=np.float32).reshape(3, 4)
    task = task_of(hl.Pipeline(out), [4, 3, 3], arrays={"given_image": pixels}, folder=tmp_path)
    inputs = task.inputs()
    assert (inputs["given_image"].numpy() == pixels).all()
    assert inputs["expected_image"].numpy().shape == (40, 50)
    image = inputs["needed_image"]
    assert [(image.dim(d).min(), image.dim(d).extent()) for d in range(3)] == [(2, 4), (0, 3), (0, 3)]
    assert [image.dim(d).stride() for d in range(3)] == [3, 12, 1]
    assert (task.inputs()["needed_image"].numpy() == image.numpy()).all()


def test_children_that_cannot_start_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    pipeline, _, _ = two_stages()
    with pytest.raises(PipecError, match="does not work: the process ended with status 1"):
        with Measurer(compilers=1, threads=1, limits=LIMITS) as own:
            own.measure(task_of(pipeline, [64, 32]), [Schedule()])


@pytest.mark.slow
def test_compiling_is_limited_by_the_time_it_calculates() -> None:
    x, outer, inner = hl.vars("x outer inner")
    out = hl.Func("written_out")
    out[x] = hl.sin(x) * hl.exp(x) + hl.sin(x + 1) * hl.log(x + 2)
    task = task_of(hl.Pipeline(out), [9000])
    out.split(x, outer, inner, 4000).unroll(inner)
    with Measurer(compilers=1, threads=1, limits=TrialLimits(compile_seconds=1.0)) as own:
        trials = own.measure(task, [schedule_of([out.function]), Schedule()])
    assert [trial.status for trial in trials] == [Status.TIMEOUT, Status.OK]
    assert trials[0].message == "compiling takes more than 1 s"


def test_ctrl_c_keeps_what_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    send = Process.send

    def interrupted(self: Process, word: str, *arguments: object) -> None:
        if word == "measure" and arguments[0] == 1:
            raise KeyboardInterrupt
        send(self, word, *arguments)

    monkeypatch.setattr(Process, "send", interrupted)
    pipeline, f, _ = two_stages()
    reports: dict[int, Trial] = {}
    with Measurer(compilers=1, threads=1, limits=LIMITS) as own:
        with pytest.raises(KeyboardInterrupt):
            own.measure(task_of(pipeline, [64, 32]), [Schedule(), at_root(f)], reports.__setitem__)
        assert list(reports) == [0] and reports[0].ok
        assert not own.timer.running
    assert not own.folder.exists()


def test_schedules_are_compiled_while_the_next_one_is_searched_for(measurer: Measurer) -> None:
    """With two children the first schedule is done before the third is asked for, if that takes long enough."""
    pipeline, f, _ = two_stages()
    task = task_of(pipeline, [64, 32])
    files: list[int] = []

    def searched() -> Iterator[Schedule]:
        for schedule in (Schedule(), at_root(f), Schedule()):
            yield schedule
            for _ in range(100):
                time.sleep(0.1)
                if len(list(own.folder.iterdir())) > len(files):
                    break
            files.append(len(list(own.folder.iterdir())))

    with Measurer(compilers=2, threads=1, limits=LIMITS) as own:
        trials = own.measure(task, searched())
    assert [trial.status for trial in trials] == [Status.OK] * 3
    assert files[1] > 0, files
