"""Runs on several threads are timed while the cores of a virtual machine are as near each other as usual."""

from __future__ import annotations

import math
import os

from pipec.autoschedule.measure.core_latency import Nearness, exchange_seconds

_nearness = Nearness()


def wait_for_usual_cores() -> None:
    """Before each run: the compilers that are compared then all have the same machine."""
    if os.environ.get("PIPEC_NUM_THREADS") != "1":
        _nearness.wait(exchange_seconds, math.inf)
