"""Time on one thread: the processor's clock, which does not run while other work does."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

Call = Callable[[], Any]


def seconds(call: Call, repeats: int) -> float:
    """Processor seconds of one call, as the mean of `repeats` in a row."""
    started = time.thread_time()
    for _ in range(repeats):
        call()
    return (time.thread_time() - started) / repeats
