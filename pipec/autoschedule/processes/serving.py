"""What a child process does: it answers the requests of its parent, in turn, until the parent closes the channel.

A request is (word, arguments...); the answer is ("done", value) or ("failed", what went wrong in words).
"""

from __future__ import annotations

import argparse
import ctypes
import math
import os
import signal
import sys
import time
from typing import Any

from pipec.autoschedule.processes.channel import Channel, Closed
from pipec.autoschedule.processes.process import UNLIMITED
from pipec.deep_stack import age_objects
from pipec.diagnostics import write as write_log

REALTIME_PRIORITY = 10
_PR_SET_PDEATHSIG = 1


def limit_memory(count: int) -> None:
    """Limits the address space to `count` bytes, or to what the user has limited it to, where the system can.

    UNLIMITED: to that alone."""
    try:
        import resource
    except ImportError:
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    if count == UNLIMITED or (hard != resource.RLIM_INFINITY and hard < count):
        count = hard
    resource.setrlimit(resource.RLIMIT_AS, (count, count))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def limit_time(seconds: float) -> None:
    """End this process by SIGXCPU when it has calculated that long from now on; infinity: at the user's limit."""
    try:
        import resource
    except ImportError:
        return
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    soft = hard if math.isinf(seconds) else math.ceil(time.process_time() + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def end_with_parent() -> None:
    """Ends this process, on Linux, when its parent ends, even if it hangs."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


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


def serve(answers: object, description: str | None) -> None:
    """Answers requests on standard input and output by the methods of `answers` that are named on_ and a word."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--memory", type=int, required=True, help="bytes of addresses; -1: as many as the parent")
    parser.add_argument("--realtime", action="store_true", help="before all other processes, if that is allowed")
    options = parser.parse_args()
    end_with_parent()
    limit_memory(options.memory)
    # What pipelines and the compiler print must not come between the answers.
    channel = Channel(os.dup(0), os.dup(1))
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    if options.realtime:
        raise_priority()
    age_objects()
    _answer_all(answers, channel)


def _answer_all(answers: object, channel: Channel) -> None:
    while True:
        try:
            channel.send(_answer(answers, channel))
        except Closed:
            return


def _answer(answers: object, channel: Channel) -> tuple[str, Any]:
    try:
        word, *arguments = channel.receive()
        return "done", getattr(answers, f"on_{word}")(*arguments)
    except Closed:
        raise
    except Exception as error:
        limit_time(math.inf)
        return "failed", f"{type(error).__name__}: {error}"
