"""Samples of running pipelines: what each thread computes at random moments, about a thousand times a second."""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from pipec.jit.runtime.call_table import (
    FIRST_FUNC,
    MAX_SAMPLED_THREADS,
    OVERHEAD_NAME,
    THREAD_SIZE,
    WAITING,
    SamplesHead,
)
from pipec.jit.runtime.library import runtime

INTERVAL_SECONDS = 1e-3
"""Between two samples on average."""
LINGER_SECONDS = 0.2
"""For so long the sampling thread stays after a run: another run often follows."""
MAX_SAMPLES = 1 << 16
"""Of one run, and of all that a profile holds; later ones are dropped."""


class ThreadSample(NamedTuple):
    """What the threads did at one moment.

    time: in seconds of a clock that never goes back; duration: the seconds that the sample stands for; funcs: for each
    thread, the caller first, the Func that it computed, "overhead" for loops of none, and "" where it waited.
    """

    time: float
    duration: float
    funcs: tuple[str, ...]


class Sampling:
    """The states of the threads of one run, and their samples while the context is entered."""

    def __init__(self) -> None:
        # Pages that are never written take no memory.
        self._rows = np.empty((MAX_SAMPLES, 2 + min(runtime().threads(), MAX_SAMPLED_THREADS)), np.int64)
        self._memory = (ctypes.c_int64 * (SamplesHead.THREADS + MAX_SAMPLED_THREADS * THREAD_SIZE))()
        self.address = ctypes.addressof(self._memory)
        head = {SamplesHead.ROWS: self._rows.ctypes.data, SamplesHead.CAPACITY: len(self._rows)}
        for word, value in (head | {SamplesHead.WIDTH: self._rows.shape[1]}).items():
            self._memory[word] = value
        self.seconds = 0.0

    def __enter__(self) -> None:
        if not _functions_of_runtime()["watch"](self.address):
            nanoseconds = int(1e9 * INTERVAL_SECONDS), int(1e9 * LINGER_SECONDS)
            sample = _functions_of_runtime()["sample"]
            threading.Thread(target=sample, args=nanoseconds, name="pipec profiler", daemon=True).start()
        self._started = perf_counter()

    def __exit__(self, *_: object) -> None:
        self.seconds = perf_counter() - self._started
        _functions_of_runtime()["forget"](self.address)

    def samples(self, funcs: Sequence[str]) -> tuple[ThreadSample, ...]:
        """Returns the samples; `funcs`: the names of the entries of Funcs."""
        names = ["", OVERHEAD_NAME, *[""] * (FIRST_FUNC - WAITING), *funcs]
        rows = self._rows[: self._memory[SamplesHead.COUNT]].tolist()
        return tuple([ThreadSample(1e-9 * at, 1e-9 * d, tuple([names[k] for k in row])) for at, d, *row in rows])


_functions: dict[str, Any] = {}


def _functions_of_runtime() -> Mapping[str, Any]:
    if not _functions:
        _functions.update(runtime().sampler())
    return _functions


def _after_fork() -> None:
    if _functions:
        _functions["forked"]()


os.register_at_fork(after_in_child=_after_fork)
