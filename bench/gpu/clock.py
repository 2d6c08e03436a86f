"""Times of calls on a device."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

CALLS = 11


def median(call: Callable[[], Any]) -> float:
    """Seconds of a call, after two that do not count."""
    times = []
    for _ in range(CALLS + 2):
        started = time.perf_counter()
        call()
        times.append(time.perf_counter() - started)
    return statistics.median(times[2:])


def resident_on_device(module: Any, images: list[Any], output: Any, target: Any) -> tuple[list[Any], Any]:
    """Buffers of `module` (pipec or halide) for arrays, with all of them on the device."""
    buffers, result = [module.Buffer(image) for image in images], module.Buffer(output)
    for buffer in buffers:
        buffer.set_host_dirty()
    for buffer in [*buffers, result]:
        buffer.copy_to_device(target)
    return buffers, result
