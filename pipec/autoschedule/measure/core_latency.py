"""How long a line of the cache takes from one core to another: two threads pass a number back and forth."""

from __future__ import annotations

import ctypes
import functools
import math
import os
import threading
import time
from collections.abc import Callable
from string import Template
from typing import Any

from pipec.jit.llvm.engine import Machine, object_code
from pipec.jit.llvm.host import host, llvm_version
from pipec.jit.objects import cache
from pipec.jit.objects.link import link
from pipec.jit.runtime.pool import pause_text

Exchange = Callable[[int, int, int, int], int]
PASSES, ROUNDS = 500, 4
# How often a thread looks before it gives up, as the other one does not run.
_LOOKS = 200_000

_TEXT = Template("""
$declaration

; Adds 1 to a number each time that it is 2 i + which, for i from %first to before %end. Returns where it came to.
define i64 @pipec_exchange(ptr %number, i64 %which, i64 %first, i64 %end) {
start:
  br label %next
next:
  %i = phi i64 [ %first, %start ], [ %i1, %pass ]
  %twice = shl i64 %i, 1
  %turn = add i64 %twice, %which
  br label %look
look:
  %k = phi i64 [ 0, %next ], [ %k1, %wait ]
  %now = load atomic i64, ptr %number acquire, align 64
  %mine = icmp eq i64 %now, %turn
  br i1 %mine, label %pass, label %wait
wait:
  $pause
  %k1 = add i64 %k, 1
  %late = icmp uge i64 %k1, $looks
  br i1 %late, label %given.up, label %look
pass:
  %given = add i64 %turn, 1
  store atomic i64 %given, ptr %number release, align 64
  %i1 = add i64 %i, 1
  %done = icmp eq i64 %i1, %end
  br i1 %done, label %all, label %next
all:
  ret i64 %i1
given.up:
  ret i64 %i
}
""")


def exchange_seconds() -> float | None:
    """Seconds from one of the first two CPUs of this process to the other; None where that can't be told.

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
    own = host()
    machine = Machine(own.triple, "", "")
    pause, declaration = pause_text(own.architecture)
    text = _TEXT.substitute(pause=pause, declaration=declaration, looks=_LOOKS)
    data = object_code(lambda: text, cache.key_of("exchange", text, machine.triple, llvm_version()), machine)
    return link(data, ("pipec_exchange",), {})


@functools.cache
def _exchange() -> Exchange:
    kind = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_size_t, *[ctypes.c_int64] * 3)
    return kind(_library()["pipec_exchange"])
