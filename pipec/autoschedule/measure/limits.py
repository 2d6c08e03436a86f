"""What a child may take: memory, priority, life."""

from __future__ import annotations

import ctypes
import math
import os
import signal
import sys
import time

from pipec.diagnostics import write as write_log

NICENESS = 5
REALTIME_PRIORITY = 10
_PR_SET_PDEATHSIG = 1


def limit_memory(count: int) -> None:
    """No more than so many bytes of addresses; nothing where the system has no such limit."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (count, count))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def limit_time(seconds: float) -> None:
    """End this process by SIGXCPU when it has calculated that long from now on; infinity: never."""
    try:
        import resource
    except ImportError:
        return
    soft = resource.RLIM_INFINITY if math.isinf(seconds) else math.ceil(time.process_time() + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.RLIM_INFINITY))


def end_with_parent() -> None:
    """On Linux a child that hangs is ended when its parent is gone, however that ended."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def lower_priority() -> None:
    """Compile after everybody else."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)


def raise_priority() -> bool:
    """Put this process before all others, so that a busy machine does not disturb it; False: not allowed."""
    if not hasattr(os, "sched_setscheduler"):
        return False
    try:
        for thread in os.listdir("/proc/self/task"):
            os.sched_setscheduler(int(thread), os.SCHED_FIFO, os.sched_param(REALTIME_PRIORITY))
    except (OSError, ProcessLookupError) as error:
        write_log("search", f"timing runs at usual priority: {error}")
        return False
    return True
