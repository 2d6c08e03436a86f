"""How long a line of the cache takes from one core to another: two threads pass a number back and forth."""

from __future__ import annotations

import ctypes
import functools
import math
import os
import statistics
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from pipec.autoschedule.measure.other_work import usual_patience
from pipec.jit.runtime.units import load_units

Exchange = Callable[[int, int, int, int], int]
PASSES, ROUNDS = 500, 4


def exchange_seconds() -> float | None:
    """Seconds from one of the first two CPUs of this process to the other; None where that cannot be measured.

    They are a few 1e-8 where both CPUs share a cache, more than 1e-7 where they don't.
    """
    if not hasattr(os, "sched_setaffinity"):
        return None
    own = os.sched_getaffinity(0)
    if len(own) < 2:
        return None
    first, second, *_ = sorted(own)
    line = (ctypes.c_int64 * 16)()
    number = -(-ctypes.addressof(line) // 64) * 64
    exchange = _exchange()
    other = threading.Thread(target=_pass, args=(exchange, second, number, 1))
    other.start()
    try:
        passed, seconds = _pass(exchange, first, number, 0)
    finally:
        other.join()
        os.sched_setaffinity(0, own)
    return seconds / (2 * PASSES) if passed else None


def _pass(exchange: Exchange, cpu: int, number: int, which: int) -> tuple[bool, float]:
    """Pass a number on from this thread, on one CPU: whether that went well, and the seconds of the quickest round."""
    os.sched_setaffinity(0, {cpu})
    done = exchange(number, which, 0, 1)  # the time until the other one is there does not count
    best = math.inf
    for _ in range(ROUNDS):
        started = time.perf_counter()
        done = exchange(number, which, done, done + PASSES)
        best = min(best, time.perf_counter() - started)
    return done == 1 + ROUNDS * PASSES, best


@functools.cache
def _library() -> Any:
    return load_units(("latency",), ("pipec_exchange",), {})


@functools.cache
def _exchange() -> Exchange:
    kind = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_size_t, *[ctypes.c_int64] * 3)
    return kind(_library()["pipec_exchange"])


MIN_SAMPLES = 24
"""Exchanges by which it is found out what is usual."""
MAX_SAMPLES = 400
PAUSE_SECONDS = 0.015
"""Seconds between two of them."""
MIN_RATIO, MAX_RATIO = 0.6, 2.0
"""Of the usual time of an exchange."""


class Nearness:
    """What is usual on this machine. `clock` and `sleep`: those of the time module, unless a test has others.

    `patience`: seconds of waiting at the beginning; later half of all the time that has gone by may be spent so.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        patience: float | None = None,
    ) -> None:
        self.clock, self.sleep = clock, sleep
        self.patience = usual_patience() if patience is None else patience
        self.samples: deque[float] = deque(maxlen=MAX_SAMPLES)
        self.began: float | None = None
        self.waited = 0.0

    def wait(self, exchange: Callable[[], float | None], until: float) -> None:
        """Return when the time of an exchange is a usual one, at `until` at the latest, or when patience has ended.

        `exchange`: the seconds of one, or None where they do not matter or cannot be measured.
        """
        now = self.clock()
        self.began = now if self.began is None else self.began
        until = min(until, now + self.patience + (now - self.began) / 2 - self.waited)
        while (seconds := exchange()) is not None:
            self.samples.append(seconds)
            if (len(self.samples) >= MIN_SAMPLES and self._usual(seconds)) or self.clock() >= until:
                break
            self.sleep(PAUSE_SECONDS)
        self.waited += self.clock() - now

    def _usual(self, seconds: float) -> bool:
        usual = statistics.median(self.samples)
        return MIN_RATIO * usual <= seconds <= MAX_RATIO * usual
