"""What a Measurer does before it measures: it compiles schedules, ahead too, and computes the right pixels."""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable, Iterator

import pytest

import pipec as hl
from pipec.autoschedule.measure import Measurer, Status, Task, TrialLimits, task_of
from pipec.autoschedule.measure.candidate import FIRST, Results, TrialCandidate
from pipec.autoschedule.measure.compiling import Compiling
from pipec.autoschedule.processes.process import Process
from pipec.schedule.fields import ROOT
from pipec.schedule.placement import ComputeAt
from pipec.schedule.schedule import Schedule

LIMITS = TrialLimits(compile_seconds=8.0, run_seconds=1.0, rounds=2, runs_of_a_turn=2)


@pytest.fixture(scope="module")
def measurer() -> Iterator[Measurer]:
    with Measurer(compilers=2, threads=1, limits=LIMITS) as built:
        yield built


def two_stages() -> tuple[Task, Schedule]:
    """A task, and a schedule of it besides that of the reference."""
    x, f, g = hl.Var("x"), hl.Func("ahead_f"), hl.Func("ahead_g")
    f[x] = hl.u16(x) * 3
    g[x] = f[x] + f[x + 1]
    return task_of(hl.Pipeline(g), [64]), Schedule((ComputeAt(f.name(), ROOT),))


def wait_until(fact: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not fact() and time.monotonic() < end:
        time.sleep(0.02)
    assert fact()


@pytest.fixture
def words(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The requests to all children."""
    sent, send = [], Process.send

    def noted(self: Process, word: str, *arguments: object) -> None:
        sent.append(word)
        send(self, word, *arguments)

    monkeypatch.setattr(Process, "send", noted)
    return sent


def test_right_pixels_that_were_computed_ahead_are_not_computed_twice(measurer: Measurer, words: list[str]) -> None:
    task, staged = two_stages()
    measurer.compile_ahead(task, [staged])
    wait_until(lambda: words.count("compile") == 2)
    trials = measurer.measure(task, [Schedule(), staged])
    assert [trial.status for trial in trials] == [Status.OK, Status.OK]
    assert words.count("prepare") == 1


def test_a_schedule_that_is_being_compiled_ahead_is_not_compiled_twice(measurer: Measurer, words: list[str]) -> None:
    task, staged = two_stages()
    measurer.compile_ahead(task, [])
    wait_until(lambda: "compile" in words)
    (trial,) = measurer.measure(task, [staged])
    assert trial.ok
    assert words.count("compile") <= 3, "the schedule, and the reference, which the cache has where it was compiled"


def test_another_task_may_be_measured_than_the_one_compiled_ahead(measurer: Measurer, words: list[str]) -> None:
    other, staged = two_stages()
    measurer.compile_ahead(other, [staged])
    wait_until(lambda: "compile" in words)
    task, staged = two_stages()
    (trial,) = measurer.measure(task, [staged])
    assert trial.ok


def test_what_fails_ahead_is_reported_where_it_is_measured(measurer: Measurer) -> None:
    task, _ = two_stages()
    wrong = Schedule((ComputeAt("no_such_func", ROOT),))
    measurer.compile_ahead(task, [wrong])
    trials = measurer.measure(task, [wrong, Schedule()])
    assert [trial.status for trial in trials] == [Status.FAILED, Status.OK]
    assert "no_such_func" in trials[0].message


def test_where_no_thread_can_be_started_all_is_compiled_when_it_is_measured(
    measurer: Measurer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    task, staged = two_stages()
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", refused)
        measurer.compile_ahead(task, [staged])
    (trial,) = measurer.measure(task, [staged])
    assert trial.ok


def test_a_measurer_can_be_closed_while_it_compiles_ahead(words: list[str]) -> None:
    task, staged = two_stages()
    with Measurer(compilers=2, threads=1, limits=LIMITS) as measurer:
        measurer.compile_ahead(task, [staged])
    assert not measurer.timer.running and not any(process.running for process in measurer.compilers)


class SlowCompiler:
    """In the place of a Process: compiling takes it so many seconds; with none it never ends."""

    def __init__(self, seconds: float | None) -> None:
        self.source, self._sink = os.pipe()
        self.seconds, self.killed, self.ready_for = seconds, False, TASK

    def send(self, *_: object) -> None:
        if self.seconds is not None:
            threading.Timer(self.seconds, os.write, (self._sink, b" ")).start()

    def answer(self, _: float) -> float:
        os.read(self.source, 1)
        return self.seconds or math.inf

    def kill(self) -> None:
        self.killed = True


TASK: object = object()


def compiled_late(latest: float, timing: float = 0.0) -> tuple[list[int], list[bool]]:
    """The numbers of what is compiled of two schedules where the time for all of them is over at once; who is killed.

    `latest`: seconds from now; `timing`: seconds that timing one takes.
    """
    compilers = [SlowCompiler(0.3), SlowCompiler(None)]
    now = time.monotonic()
    compiling = Compiling(compilers, TASK, 60.0, now + 0.1, Results(None), timing, now + latest)  # type: ignore[arg-type]
    compiled = compiling.run([TrialCandidate(number, Schedule()) for number in (FIRST, 1)])
    return [candidate.number for candidate in compiled], [compiler.killed for compiler in compilers]


def test_the_first_schedule_is_waited_for_alone_when_the_time_for_all_is_over() -> None:
    assert compiled_late(60.0) == ([FIRST], [False, True])


def test_the_first_schedule_is_skipped_in_the_end() -> None:
    assert compiled_late(0.1) == ([], [True, True])


def test_the_first_schedule_is_not_waited_for_where_it_could_not_be_timed() -> None:
    assert compiled_late(60.0, timing=100.0) == ([], [True, True])
