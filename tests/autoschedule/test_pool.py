"""A pool of measurers: jobs survive workers that die, hang or disagree; times of other machines are not mixed."""

from __future__ import annotations

import math
import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from itertools import count
from typing import Any

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.measure import Measurer, Status, Trial, TrialLimits, task_of
from pipec.autoschedule.measure.database import compiler, machine_id
from pipec.autoschedule.measure.pool import MeasurerPool
from pipec.autoschedule.measure.worker import Greeting, Outcome, greet
from pipec.autoschedule.processes import serving
from pipec.autoschedule.processes.channel import dumps, loads
from pipec.autoschedule.processes.process import UNLIMITED
from pipec.autoschedule.strategies.search_state import Options
from pipec.errors import NotSupportedError, PipecError
from pipec.schedule.fields import ROOT, LevelRef
from pipec.schedule.placement import ComputeAt
from pipec.schedule.schedule import Schedule

NUMBERS = count()
LIMITS = TrialLimits(compile_seconds=20.0, run_seconds=2.0, rounds=2, runs_of_a_turn=2)
TARGET = hl.get_host_target().to_string()


def two_stages():
    x, y = hl.vars("x y")
    f, g = hl.Func("pooled_f"), hl.Func("pooled_g")
    f[x, y] = x * 3 + y
    g[x, y] = f[x, y] + f[x + 1, y]
    wrong = Schedule((ComputeAt(f.name(), LevelRef(g.name(), "no_such_loop")),))
    return task_of(hl.Pipeline(g), [64, 32]), [Schedule(), Schedule((ComputeAt(f.name(), ROOT),)), wrong]


class Scripted:
    """A worker that answers without running anything: `behave` gives the Outcome of each job, or raises."""

    remote = True

    def __init__(self, name: str, behave: Any, machine: str = "", version: str = "") -> None:
        self.name, self.behave, self.jobs, self.is_there = name, behave, [], True
        self.greeting = Greeting(machine or machine_id(), version or compiler(), TARGET)

    def call(self, function: Any, *arguments: bytes) -> Future[bytes]:
        future: Future[bytes] = Future()
        if function is greet:
            future.set_result(dumps(self.greeting))
            return future
        self.jobs.append(loads(arguments[0]))
        try:
            answer = self.behave(self, self.jobs[-1])
        except OSError as error:
            future.set_exception(error)
            return future
        if answer is not None:
            future.set_result(dumps(answer))
        return future

    def alive(self) -> bool:
        return self.is_there

    def close(self) -> None:
        self.is_there = False


RIGHT = np.add.outer(2 * np.arange(32), 6 * np.arange(64) + 3).astype(np.int32).ravel()


def timed(worker: Scripted, job: Any, milliseconds: float = 1.0, error: int = 0) -> Outcome:
    numbers = [number for number, _, _ in job.candidates]
    trials = {number: Trial(Status.OK, (milliseconds * (1 + abs(number)),)) for number in numbers}
    return Outcome({None: trials}, sample=[RIGHT + error], exact=True)


PRESENT: list[Scripted] = []


@pytest.fixture(scope="module")
def pool() -> Iterator[MeasurerPool]:
    """A pool of the workers in PRESENT; one for all tests, since starting a process that compiles takes a second."""
    with MeasurerPool(lambda: PRESENT, compilers=1, limits=LIMITS) as built:
        yield built


def pool_of(*workers: Scripted) -> MeasurerPool:
    return MeasurerPool(lambda: workers, compilers=1, limits=LIMITS)


def measured(pool: MeasurerPool, *workers: Scripted) -> list[Trial]:
    PRESENT[:] = workers
    task, schedules = two_stages()
    return pool.measure(task, schedules[:2])


def test_code_and_task_are_sent_once_and_times_of_workers_are_scaled_to_each_other(pool):
    quick, slow = (
        Scripted(f"quick {next(NUMBERS)}", timed),
        Scripted(f"slow {next(NUMBERS)}", lambda w, job: timed(w, job, 3.0)),
    )
    PRESENT[:] = quick, slow
    task, schedules = two_stages()
    trials = pool.measure(task, schedules)
    assert [trial.status for trial in trials] == [Status.OK, Status.OK, Status.FAILED]
    assert {trial.minimum for trial in trials[:2]} in ({1.0, 2.0}, {3.0, 6.0})
    pool.measure(task, schedules[:1])
    jobs = quick.jobs + slow.jobs
    assert all([job.files for job in (quick.jobs[0], slow.jobs[0])]) and sum([job.task is None for job in jobs]) == 1
    assert len(jobs) == 3


@pytest.mark.parametrize("way", ("raises", "ends", "hangs"))
def test_the_job_of_a_lost_worker_goes_to_another(way, monkeypatch, pool):
    def lost(worker, job):
        if way == "raises":
            raise OSError("connection closed")
        worker.is_there = way != "ends"
        return None

    monkeypatch.setattr("pipec.autoschedule.measure.distribution.job_seconds", lambda *arguments: 0.0)
    broken, good = Scripted(f"broken {next(NUMBERS)}", lost), Scripted(f"good {next(NUMBERS)}", timed)
    trials = measured(pool, broken, good)
    assert [trial.ok for trial in trials] == [True, True]
    assert len(broken.jobs) == 1 and len(good.jobs) == 2


def test_a_schedule_whose_process_dies_is_tried_elsewhere_before_it_counts_as_crashed(pool):
    def crash(worker, job):
        outcome = timed(worker, job)
        crashed = {number: Trial(Status.CRASHED, message="killed") for number, _, _ in job.candidates}
        return Outcome({None: crashed}, sample=outcome.sample, exact=True)

    first, good = Scripted(f"first {next(NUMBERS)}", crash), Scripted(f"good {next(NUMBERS)}", timed)
    assert [trial.ok for trial in measured(pool, first, good)] == [True, True]
    everywhere = measured(pool, Scripted(f"a {next(NUMBERS)}", crash), Scripted(f"b {next(NUMBERS)}", crash))
    assert {trial.status for trial in everywhere} == {Status.CRASHED}


def test_workers_that_compute_other_values_are_left_out(pool):
    wrong = Scripted(f"wrong {next(NUMBERS)}", lambda w, job: timed(w, job, error=1))
    good = Scripted(f"good {next(NUMBERS)}", timed)
    trials = measured(pool, wrong, good)
    assert all([trial.ok for trial in trials]) and len(good.jobs) == 2 and len(wrong.jobs) == 1


def test_machines_of_another_kind_and_other_versions_are_left_out():
    workers = [
        Scripted(f"a {next(NUMBERS)}", timed),
        Scripted(f"b {next(NUMBERS)}", timed, machine="other"),
        Scripted(f"c {next(NUMBERS)}", timed, version="old"),
    ]
    with pool_of(*workers) as pool:
        assert pool.workers() == [workers[0].name] and pool.machine == machine_id()
    with pool_of(workers[2]) as pool, pytest.raises(PipecError, match="no worker that can be used"):
        pool.workers()
    foreign = Scripted(f"d {next(NUMBERS)}", timed, machine="other")
    foreign.greeting = Greeting("other", compiler(), "x86-64-linux-sse41")
    with pytest.raises(NotSupportedError, match="Search with target="):
        with pool_of(foreign) as elsewhere:
            elsewhere.measure(*two_stages())


def test_a_pipeline_that_fails_everywhere_and_a_pool_without_workers_are_errors(pool):
    with pytest.raises(PipecError, match="computed stage by stage it fails: no memory"):
        measured(pool, Scripted(f"a {next(NUMBERS)}", lambda w, job: Outcome(failure="no memory")))
    with pytest.raises(PipecError, match="no worker that can be used"):
        measured(pool, Scripted(f"a {next(NUMBERS)}", lambda w, job: w.close()))


def test_several_processes_time_schedules_and_one_that_is_killed_in_mid_run_costs_nothing():
    task, schedules = two_stages()
    with MeasurerPool.local(2, compilers=1, threads=1, limits=LIMITS, patience=0.0) as pool:
        trials = pool.measure(task, schedules)
        assert [trial.status for trial in trials] == [Status.OK, Status.OK, Status.FAILED]
        process = pool._connections()[0]._worker._process
        ended = threading.Event()

        def kill():
            while not ended.wait(0.005):
                if process._process is not None:
                    os.kill(process._process.pid, signal.SIGKILL)
                    return

        killer = threading.Thread(target=kill)
        killer.start()
        repeated = pool.measure(task, schedules[:2])
        ended.set()
        killer.join()
    assert [trial.ok for trial in repeated] == [True, True]


def test_autoschedule_measures_by_a_pool(pool, tmp_path):
    x, y = hl.vars("x y")
    f = hl.Func("f")
    f[x, y] = hl.sqrt(hl.f32(x * y))
    PRESENT[:] = [worker := Scripted(f"autoschedule {next(NUMBERS)}", timed)]
    worker.remote = False  # its values are those of another pipeline
    options = Options(beam=1, rounds=1, patience=1, states=40)
    result = f.autoschedule(sizes=[64, 64], trials=3, measurer=pool, options=options, database=tmp_path / "a.sqlite")
    assert result.trials and result.measured_ms and worker.jobs


@pytest.mark.slow
def test_workers_of_a_cluster_time_schedules_and_one_that_is_killed_in_mid_run_is_replaced():
    distributed = pytest.importorskip("distributed")
    options = dict(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)
    task, schedules = two_stages()
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        with MeasurerPool.dask(client, compilers=1, threads=1, limits=LIMITS) as pool:
            assert len(pool.workers()) == 2
            before = set(pool.workers())
            pids = client.run(os.getpid)
            threading.Timer(0.3, lambda: os.kill(next(iter(pids.values())), signal.SIGKILL)).start()
            many = [Schedule(), schedules[1]] * 6
            trials = pool.measure(task, many)
            assert all([trial.ok for trial in trials])
            deadline = time.monotonic() + 60.0
            while not set(pool.workers()) - before and time.monotonic() < deadline:
                time.sleep(0.5)
            assert set(pool.workers()) - before, "the worker that was started in its place takes part"
    with Measurer(compilers=1, threads=1, limits=LIMITS) as measurer:
        (alone, _) = measurer.measure(task, many[:2])
    assert 0.1 < trials[0].minimum / alone.minimum < 10 and math.isfinite(alone.minimum)


def test_the_limit_of_memory_respects_that_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    limits: dict[int, tuple[int, int]] = {}
    monkeypatch.setattr(resource, "setrlimit", limits.__setitem__)
    unlimited, some = resource.RLIM_INFINITY, 1 << 30
    for hard, requested, expected in (
        (unlimited, some, some),
        (1 << 20, some, 1 << 20),
        (1 << 40, some, some),
        (1 << 20, UNLIMITED, 1 << 20),
        (unlimited, UNLIMITED, unlimited),
    ):
        monkeypatch.setattr(resource, "getrlimit", lambda kind, hard=hard: (hard, hard))
        serving.limit_memory(requested)
        assert limits[resource.RLIMIT_AS] == (expected, expected)


@pytest.mark.skipif(os.name != "posix", reason="needs RLIMIT_CPU")
@pytest.mark.parametrize(
    ("seconds", "users", "expected"), [(math.inf, 500, 500), (1e6, 500, 500), (math.inf, -1, -1), (1e6, -1, None)]
)
def test_the_time_of_a_child_is_never_more_than_the_user_allows(
    monkeypatch: pytest.MonkeyPatch, seconds: float, users: int, expected: int | None
) -> None:
    resource = pytest.importorskip("resource")
    limits: dict[int, tuple[int, int]] = {}
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (users, users))
    monkeypatch.setattr(resource, "setrlimit", limits.__setitem__)
    serving.limit_time(seconds)
    soft, hard = limits[resource.RLIMIT_CPU]
    assert hard == users
    assert soft == expected or (expected is None and soft >= 1e6)
