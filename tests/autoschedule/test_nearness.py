"""Waiting until the cores of a virtual machine are where they usually are."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator

import pytest

from pipec.autoschedule.measure.core_latency import (
    MAX_SAMPLES,
    MIN_SAMPLES,
    PAUSE_SECONDS,
    Nearness,
    exchange_seconds,
)

PATIENCE_SECONDS = 3.0
NEAR, FAR, ONE_CORE = 40e-9, 180e-9, 16e-9


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def waited(waits: Iterable[float | None], until: float = 1e9) -> tuple[float, Iterator[float | None]]:
    """The seconds of waiting of one that knows NEAR to be usual, and the exchanges that it has not asked for."""
    clock, left = Clock(), iter(waits)
    built = Nearness(lambda: clock.now, clock.sleep, PATIENCE_SECONDS)
    for _ in range(MAX_SAMPLES):
        built.wait(lambda: NEAR, 1e9)
    started = clock.now
    built.wait(lambda: next(left), started + until)
    return clock.now - started, left


def test_nothing_is_waited_for_where_the_cores_are_as_usual() -> None:
    assert waited([1.3 * NEAR])[0] == 0


@pytest.mark.parametrize("unusual", [FAR, ONE_CORE])
def test_it_waits_until_the_cores_are_as_usual_again(unusual: float) -> None:
    seconds, left = waited([unusual] * 5 + [NEAR, FAR])
    assert seconds == pytest.approx(5 * PAUSE_SECONDS) and list(left) == [FAR]


def test_patience_and_time_end() -> None:
    assert waited(itertools.repeat(FAR))[0] == pytest.approx(PATIENCE_SECONDS, rel=0.2)
    assert waited(itertools.repeat(FAR), until=0.5)[0] == pytest.approx(0.5, abs=2 * PAUSE_SECONDS)


def test_what_cannot_be_reported_is_not_waited_for() -> None:
    assert waited([None])[0] == 0


def test_what_stays_becomes_usual() -> None:
    clock = Clock()
    built = Nearness(lambda: clock.now, clock.sleep, 1e9)
    built.wait(lambda: NEAR, 1e9)
    built.wait(lambda: FAR, 1e9)
    assert clock.now < 3 * MIN_SAMPLES * PAUSE_SECONDS


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="threads can't be given CPUs here")
def test_an_exchange_takes_nanoseconds_and_leaves_the_thread_its_cpus() -> None:
    before = os.sched_getaffinity(0)
    result = [seconds for seconds in [exchange_seconds() for _ in range(5)] if seconds is not None]
    assert os.sched_getaffinity(0) == before
    if len(before) == 1:
        assert not result
    assert all(1e-9 < seconds < 1e-5 for seconds in result)
