"""This machine as LLVM describes it, cached on disk: LLVM takes longer than loading a cached object."""

from __future__ import annotations

import importlib.util
import os
import platform
from functools import cache as once

from pipec.jit.llvm.engine import TargetMachine, engine
from pipec.jit.objects import cache


@once
def host() -> TargetMachine:
    """This machine with all its features."""
    # Not platform.platform(), which starts another process.
    system = f"{platform.system()} {platform.release()} {platform.version()} {platform.machine()}"
    key = cache.key_of("host", llvm_version(), system, _processor())
    cached = cache.load(key)
    if cached is not None:
        try:
            triple, cpu, features, level = cached.decode().split("\n")
            return TargetMachine(triple, cpu, features, int(level))
        except ValueError:
            pass  # written by another version of this file
    machine = engine().host()
    cache.store(key, f"{machine.triple}\n{machine.cpu}\n{machine.features}\n{machine.level}".encode())
    return machine


@once
def llvm_version() -> str:
    """A key for the version of llvmlite, without importing it."""
    spec = importlib.util.find_spec("llvmlite")
    if spec is not None and spec.origin is not None:
        try:
            with open(os.path.join(os.path.dirname(spec.origin), "_version.py"), "rb") as file:
                return cache.key_of(file.read())
        except FileNotFoundError:
            pass
    return str(engine().version)


def _processor() -> str:
    """The first processor's entry in /proc/cpuinfo, without what changes from moment to moment."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            text = file.read().split("\n\n")[0]
    except OSError:
        return platform.processor()
    changing = ("cpu MHz", "bogomips", "processor", "core id", "apicid", "initial apicid", "BogoMIPS")
    return "\n".join([line for line in text.splitlines() if not line.startswith(changing)])
