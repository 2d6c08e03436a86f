"""The machine that pipec runs on: rates measured once and cached in the cache folder, or those that come with pipec."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from functools import cache as once
from pathlib import Path
from typing import Any

from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.measure.database import machine_id
from pipec.autoschedule.processes.process import python_path
from pipec.diagnostics import warn_once
from pipec.ir.types import UInt
from pipec.jit.objects import cache
from pipec.jit.runtime.library import default_threads
from pipec.records import replace
from pipec.target import TargetArch, get_host_target

MEASURED = (
    *("l1", "l1_ways", "l2", "l2_ways", "l3", "clock", "pipes", "alone", "divide", "load", "store"),
    *("gather", "insert", "extract"),
    *("l2_bandwidth", "l3_bandwidth", "dram_bandwidth", "dram_bandwidth_all", "launch", "task"),
)
PROBE = 13
"""The version of what is measured: rates by another one are measured again."""
RATES = ".rates"
"""The suffix of the cache's entries for rates, which `pipec cache clear` leaves."""
SECONDS = 120.0
CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
ENTRIES = ("level", "type", "size", "ways_of_associativity")
UNITS = {"K": 1024.0, "M": 1024.0**2}


def shipped() -> MachineModel:
    """The rates that come with pipec, with this machine's vectors and threads."""
    target = get_host_target()
    lanes = max(16, target.natural_vector_size(UInt(8)))
    registers = 16 if target.arch is TargetArch.X86 and lanes < 64 else 32
    return replace(MachineModel(), threads=default_threads(), vector_bytes=lanes, registers=registers)


def host_machine() -> MachineModel:
    """This machine. Rates are measured at the first call, in a few seconds, and remembered in the cache folder.

    With PIPEC_MACHINE=shipped, or without a cache folder (PIPEC_CACHE=0), those that come with pipec.
    """
    chosen = os.environ.get("PIPEC_MACHINE", "")
    return shipped() if chosen == "shipped" or not cache.enabled() else _measured_once(machine_id())


@once
def _measured_once(name: str) -> MachineModel:
    return cached_machine(name) or measure()


def cached_machine(name: str) -> MachineModel | None:
    """Returns the measured rates of the machine of this name, or None."""
    data = cache.load(_entry(name), RATES)
    rates = None if data is None else _rates_in(data)
    return None if rates is None else replace(shipped(), **rates)


def _rates_in(text: str | bytes) -> dict[str, Any] | None:
    """The rates that the probe printed; None when the text is something else, or lacks what this version measures."""
    try:
        data = json.loads(text)
        rates = {name: float(data[name]) for name in MEASURED}
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None
    # A task may take less time than the clock resolves.
    usable = all(math.isfinite(rate) and (rate > 0 or name == "task") for name, rate in rates.items())
    return rates if usable else None


def rates_of(machine: MachineModel) -> dict[str, float]:
    """Returns the rates that differ between machines, by name."""
    return {name: getattr(machine, name) for name in (*MEASURED, "vector_bytes", "registers")}


def measure() -> MachineModel:
    """Measure this machine in a process of its own, within half a minute, and cache its rates.

    The shipped rates, with a warning, where that process fails.
    """
    try:
        text = _probed()
    except (OSError, subprocess.SubprocessError) as error:
        warn_once(f"The rates of this machine could not be measured ({error}); those that come with pipec are taken.")
        return shipped()
    rates = _rates_in(text)
    if rates is None:
        warn_once("The rates of this machine could not be measured; those that come with pipec are taken.")
        return shipped()
    cache.store(_entry(machine_id()), text.encode(), RATES)
    return replace(shipped(), **rates)


def _probed() -> str:
    command = [sys.executable or "python3", "-m", "pipec.autoschedule.cost.probe"]
    environment = os.environ | {"PYTHONPATH": python_path()}
    process = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=SECONDS)
    return (process.stdout.splitlines() or [""])[-1]


def _entry(name: str) -> str:
    """The key of a machine's rates in the cache."""
    return f"machine-{name}-{PROBE}"


def with_caches(machine: MachineModel) -> MachineModel:
    """The machine with the sizes and ways of this one's caches, where the system reports them."""
    sizes: dict[str, Any] = {}
    for entry in sorted(CACHES.glob("index*")):
        try:
            level, kind, size, ways = [(entry / key).read_text().strip() for key in ENTRIES]
        except OSError:
            continue
        if kind in ("Data", "Unified") and level in "123" and size[-1:] in UNITS:
            sizes[f"l{level}"] = float(size[:-1]) * UNITS[size[-1]]
            if level != "3":
                sizes[f"l{level}_ways"] = float(ways)
    return replace(machine, **sizes)
