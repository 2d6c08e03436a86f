"""This machine as LLVM describes it, remembered on disk: asking LLVM takes longer than loading a kept object."""

from __future__ import annotations

import importlib.util
import json
import platform
from dataclasses import asdict
from functools import cache as once
from pathlib import Path

from pipec.jit.llvm.engine import Machine, engine
from pipec.jit.objects import cache


@once
def host() -> Machine:
    """This machine with all its features."""
    # Not platform.platform(), which starts another process.
    system = f"{platform.system()} {platform.release()} {platform.version()} {platform.machine()}"
    key = cache.key_of("host", llvm_version(), system, _processor())
    kept = cache.load(key)
    if kept is not None:
        try:
            return Machine(**json.loads(kept))
        except (ValueError, TypeError):
            pass  # written by another version of this file: asked anew
    found = engine().host()
    cache.store(key, json.dumps(asdict(found)).encode())
    return found


@once
def llvm_version() -> str:
    """What changes with every version of llvmlite, found without importing it."""
    found = importlib.util.find_spec("llvmlite")
    if found is not None and found.origin is not None:
        path = Path(found.origin).parent / "_version.py"
        if path.is_file():
            return cache.key_of(path.read_bytes())
    return str(engine().version)


def _processor() -> str:
    """The first processor's entry in /proc/cpuinfo, without what changes from moment to moment."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").split("\n\n")[0]
    except OSError:
        return platform.processor()
    changing = ("cpu MHz", "bogomips", "processor", "core id", "apicid", "initial apicid", "BogoMIPS")
    return "\n".join([line for line in text.splitlines() if not line.startswith(changing)])
