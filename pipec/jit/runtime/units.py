"""The units of the runtime: LLVM text compiled from C, with what differs between systems."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from pipec.jit.llvm.engine import TargetMachine, engine, object_code
from pipec.jit.llvm.machine import host, llvm_version
from pipec.jit.objects import cache
from pipec.jit.objects.elf import link

FOLDER = os.path.dirname(__file__)
# The units that there are for 32 bits, too: only files hold such code.
FOR_FILES = ("pool", "c_library", "report")
# The room for what tasks of a Fork count, and what `pipec_fork` returns when the system gives no thread (tasks.c).
SEMAPHORE_BYTES, NO_THREAD = 192, -1
# Room for the text of an error of object code (tables.h).
ERROR_BYTES = 1024
# The first word of a mutex and of a condition that nobody has used yet; all other words are 0.
_APPLE_MUTEX, _APPLE_CONDITION = 0x32AAABA7, 0x3CB0B1BB
# What clock_gettime calls the clock that never goes back.
_MONOTONIC, _APPLE_MONOTONIC = 1, 6
# What sysconf calls the number of processors.
_PROCESSORS, _APPLE_PROCESSORS, _ANDROID_PROCESSORS = 84, 58, 97
# The instruction of a thread that spins.
_PAUSE = {
    "x86": ("declare void @llvm.x86.sse2.pause()", "call void @llvm.x86.sse2.pause()"),
    "aarch64": ("declare void @llvm.aarch64.isb(i32)", "call void @llvm.aarch64.isb(i32 15)"),
}


def new_lock_word(machine: TargetMachine) -> int:
    """The first word of a mutex that nobody has used yet."""
    return _APPLE_MUTEX if "apple" in machine.triple else 0


def system_text(machine: TargetMachine) -> str:
    """Returns the system-dependent part of the runtime as LLVM text."""
    apple, android = "apple" in machine.triple, "android" in machine.triple
    declaration, pause = _PAUSE.get(machine.architecture, ("", ""))
    zeros = ", ".join(["i64 0"] * 7)
    mutex, condition = new_lock_word(machine), _APPLE_CONDITION if apple else 0
    # The definitions of what system.h, pool.c and memory.c declare only.
    return f"""
@system_new_lock = constant [8 x i64] [i64 {mutex}, {zeros}], align 64
@system_new_condition = constant [8 x i64] [i64 {condition}, {zeros}], align 64
@pool_lock = global [8 x i64] [i64 {mutex}, {zeros}], align 64
@pool_work = global [8 x i64] [i64 {condition}, {zeros}], align 64
@pool_done = global [8 x i64] [i64 {condition}, {zeros}], align 64
@memory_lock = global [8 x i64] [i64 {mutex}, {zeros}], align 64
@system_monotonic_clock = constant i32 {_APPLE_MONOTONIC if apple else _MONOTONIC}
@system_processors_name = constant i32 {_APPLE_PROCESSORS if apple else _ANDROID_PROCESSORS if android else _PROCESSORS}
{declaration}
define void @system_pause() {{
  {pause}
  ret void
}}
"""


def unit_texts(machine: TargetMachine, *units: str) -> list[str]:
    """The modules of some units for a machine, to be linked together."""
    texts = []
    ending = "" if machine.bits == 64 else ".32"
    for unit in units:
        with open(os.path.join(FOLDER, f"{unit}{ending}.ll"), encoding="utf-8") as file:
            texts.append(file.read())
    return [*texts, system_text(machine)] if any("@system_" in text for text in texts) else texts


def load_units(units: Sequence[str], exports: tuple[str, ...], imports: Mapping[str, int]) -> Any:
    """Links some units into this process; the result gives the addresses of `exports` by name."""
    # The bare architecture: nothing here gains from vectors, and the object serves every machine of its kind.
    machine = TargetMachine(host().triple, "", "")
    texts = unit_texts(machine, *units)
    key = cache.key_of("runtime", *texts, machine.triple, llvm_version())
    return link(object_code(lambda: engine().compile(texts, machine, optimized=True), key), exports, imports)
