"""The machine that pipec runs on: rates measured once and kept in the cache folder, or those that come with pipec."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from pipec.autoschedule.cost.machine import Machine
from pipec.autoschedule.measure.database import machine_id
from pipec.autoschedule.measure.process import python_path
from pipec.diagnostics import warn_once
from pipec.ir.types import UInt
from pipec.jit.objects.cache import enabled, folder
from pipec.jit.runtime.library import default_threads
from pipec.records import replace
from pipec.target import TargetArch, get_host_target

MEASURED = (
    *("l1", "l1_ways", "l2", "l2_ways", "l3", "clock", "pipes", "gather"),
    *("l2_bandwidth", "l3_bandwidth", "dram_bandwidth", "dram_bandwidth_all", "launch", "task"),
)
PROBE = 2
"""The version of what is measured: rates by another one are measured again."""
SECONDS = 120.0
CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
ENTRIES = ("level", "type", "size", "ways_of_associativity")
UNITS = {"K": 1024.0, "M": 1024.0**2}


def shipped() -> Machine:
    """The rates that come with pipec, with this machine's vectors and threads."""
    target = get_host_target()
    lanes = max(16, target.natural_vector_size(UInt(8)))
    registers = 16 if target.arch is TargetArch.X86 and lanes < 64 else 32
    return replace(Machine(), threads=default_threads(), vector_bytes=lanes, registers=registers)


def here() -> Machine:
    """This machine. Rates are measured at the first call, in a few seconds, and remembered in the cache folder.

    With PIPEC_MACHINE=shipped, or without a cache folder (PIPEC_CACHE=0), those that come with pipec.
    """
    chosen = os.environ.get("PIPEC_MACHINE", "")
    return shipped() if chosen == "shipped" or not enabled() else _measured_once(machine_id())


@cache
def _measured_once(name: str) -> Machine:
    return remembered(name) or measure()


def remembered(name: str) -> Machine | None:
    """What was measured of the machine of this name, or None."""
    try:
        rates = json.loads(_path(name).read_text())
        known: dict[str, Any] = {key: float(rates[key]) for key in MEASURED}
        return replace(shipped(), **known)
    except (OSError, ValueError, KeyError, TypeError):
        # Never measured, or by another version.
        return None


def rates_of(machine: Machine) -> dict[str, float]:
    """What differs from machine to machine, by name."""
    return {name: getattr(machine, name) for name in (*MEASURED, "vector_bytes", "registers")}


def measure() -> Machine:
    """Measure this machine in a process of its own, within half a minute, and remember what was found.

    The shipped rates, with a warning, where that process fails.
    """
    try:
        text = _probed()
    except (OSError, subprocess.SubprocessError) as error:
        warn_once(f"The rates of this machine could not be measured ({error}); those that come with pipec are taken.")
        return shipped()
    # Where the folder cannot be written, every process measures for itself.
    with suppress(OSError):
        _keep(text, _path(machine_id()))
    return replace(shipped(), **json.loads(text))


def _keep(text: str, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(f".{os.getpid()}")
    partial.write_text(text)
    partial.replace(path)


def _probed() -> str:
    command = [sys.executable or "python3", "-m", "pipec.autoschedule.cost.probe"]
    environment = os.environ | {"PYTHONPATH": python_path()}
    found = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=SECONDS)
    return found.stdout.splitlines()[-1]


def _path(name: str) -> Path:
    return folder() / f"machine-{name}-{PROBE}.json"


def with_caches(machine: Machine) -> Machine:
    """The machine with the sizes and ways of this one's caches, where the system tells."""
    found: dict[str, Any] = {}
    for entry in sorted(CACHES.glob("index*")):
        try:
            level, kind, size, ways = [(entry / key).read_text().strip() for key in ENTRIES]
        except OSError:
            continue
        if kind in ("Data", "Unified") and level in "123" and size[-1:] in UNITS:
            found[f"l{level}"] = float(size[:-1]) * UNITS[size[-1]]
            if level != "3":
                found[f"l{level}_ways"] = float(ways)
    return replace(machine, **found)
