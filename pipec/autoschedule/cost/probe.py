"""The rates of this machine, measured on request in a few seconds and kept in the user's cache folder."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from pipec.autoschedule.cost.machine import Machine
from pipec.func.buffer import Buffer
from pipec.func.func import Func
from pipec.func.param import ImageParam
from pipec.func.var import Var
from pipec.ir.types import Float, UInt
from pipec.jit.cache import folder
from pipec.jit.runtime import default_threads
from pipec.pipeline.pipeline import Pipeline
from pipec.target import get_host_target

SECONDS = 0.15
"""How long each kernel is repeated."""
CHAIN = 24
OPERATIONS_IN_A_CYCLE = 3.5
"""Additions and multiplications of vectors, half of each, that a core of the default machine starts."""
MEASURED = ("clock", "l2_bandwidth", "l3_bandwidth", "dram_bandwidth", "dram_bandwidth_all", "launch", "task")


def shipped() -> Machine:
    """The rates that come with pipec, with this machine's vectors, caches and threads."""
    lanes = get_host_target().natural_vector_size(UInt(8))
    sizes = {"l1": "SC_LEVEL1_DCACHE_SIZE", "l2": "SC_LEVEL2_CACHE_SIZE", "l3": "SC_LEVEL3_CACHE_SIZE"}
    found = {name: _configured(key) for name, key in sizes.items()}
    known: dict[str, Any] = {name: float(size) for name, size in found.items() if size > 0}
    return replace(Machine(), threads=default_threads(), vector_bytes=max(16, lanes), **known)


def _configured(key: str) -> int:
    return os.sysconf(key) if key in getattr(os, "sysconf_names", {}) else 0


def here() -> Machine:
    """This machine as `measure` found it, or the shipped rates when it was never asked to."""
    try:
        rates = json.loads(_path().read_text())
        known: dict[str, Any] = {name: float(rates[name]) for name in MEASURED}
        return replace(shipped(), **known)
    except (OSError, ValueError, KeyError, TypeError):
        # Never measured, or by another version.
        return shipped()


def measure() -> Machine:
    """Measure this machine, within half a minute, and remember what was found."""
    machine = _measured(shipped())
    path = _path()
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(f".{os.getpid()}")
    partial.write_text(json.dumps({name: getattr(machine, name) for name in MEASURED}, indent=1))
    partial.replace(path)
    return machine


def _path() -> Path:
    return folder() / "machine.json"


def _measured(machine: Machine) -> Machine:
    empty, many = _launch(1), _launch(256)
    task = max(0.0, many - empty) / 256
    return replace(
        machine,
        clock=_operations_a_second(machine) / OPERATIONS_IN_A_CYCLE,
        l2_bandwidth=_bandwidth(machine.l2 / 4, False),
        l3_bandwidth=_bandwidth(min(machine.l3 / 8, 4 * machine.l2), False),
        dram_bandwidth=_bandwidth(4 * machine.l3, False),
        dram_bandwidth_all=_bandwidth(4 * machine.l3, True),
        launch=empty,
        task=task * machine.threads,
    )


def _seconds(call: Callable[[], Any]) -> float:
    """The shortest run of a call, which is repeated often enough for the clock."""
    call()
    start, best, runs = time.perf_counter(), float("inf"), 0
    while time.perf_counter() - start < SECONDS or runs < 3:
        before = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - before)
        runs += 1
    return best


def _kernel(size: int, body: Callable[[Any], Any], tile: int, parallel: bool) -> Callable[[], Any]:
    x, inner = Var("x"), Var("inner")
    source, out = ImageParam(Float(32), 1, "source"), Func("out")
    source.set(Buffer(np.ones(size, np.float32)))
    out[x] = body(source[x])
    lanes = get_host_target().natural_vector_size(Float(32))
    out.split(x, x, inner, tile).vectorize(inner, 4 * lanes)
    if parallel:
        out.parallel(x)
    pipeline, destination = Pipeline(out), Buffer(np.zeros(size, np.float32))
    return lambda: pipeline.realize(destination)


def _bandwidth(footprint: float, parallel: bool) -> float:
    """Bytes a second that are read, and written with what that reads, where two arrays take `footprint` bytes."""
    tile = 4096
    size = max(2 * tile, int(footprint / 8) // tile * tile)
    elapsed = _seconds(_kernel(size, lambda value: value + 1.0, tile, parallel))
    # A call takes some time that is not the cache's.
    overhead = _seconds(_kernel(tile, lambda value: value + 1.0, tile, False))
    return 12 * size / max(elapsed - overhead, elapsed / 4)


def _operations_a_second(machine: Machine) -> float:
    """Vector operations a second of one core on data in the first cache."""

    def chain(value: Any) -> Any:
        for _ in range(CHAIN):
            value = value * 1.0001 + 0.5
        return value

    size = 1 << 18
    elapsed = _seconds(_kernel(size, chain, 2048, False))
    return 2 * CHAIN * size * 4 / machine.vector_bytes / elapsed


def _launch(tasks: int) -> float:
    """Seconds that a parallel loop of so many tasks takes beyond a serial one."""
    size = 64 * 4 * tasks
    kernels = [_kernel(size, lambda value: value + 1.0, 64 * 4, parallel) for parallel in (True, False)]
    parallel, serial = map(_seconds, kernels)
    return max(5e-8, parallel - serial / 2)


def described(machine: Machine) -> str:
    """All numbers of a machine, one a line."""
    names = [entry.name for entry in fields(machine) if entry.name != "operations"]
    return "\n".join(f"{name}: {getattr(machine, name):g}" for name in names)
