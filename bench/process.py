"""What is measured in processes of their own: run times by thread count, compile and import time, cost of a call."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent

IMPORT = """
import time; start = time.perf_counter()
import {module}
print(time.perf_counter() - start)
"""

COMPILE = """
import json, sys
from apps import run
from apps.registry import APPS
hl = run.front_end({module!r})
# Modules and libraries that compilers load when they first compile are part of the first picture, measured apart.
loaded = hl.Func("loaded")
loaded[hl.Var("x")] = 0
loaded.compile_to_callable([])
app = APPS[{app!r}]
print(json.dumps(run.compile_app(hl, app)[1]))
"""

FIRST_PICTURE = """
import numpy as np, {module} as hl
x, y = hl.Var("x"), hl.Var("y")
picture = np.zeros((480, 640), np.uint16)
source = hl.BoundaryConditions.repeat_edge(hl.Buffer(picture))
rows, blur = hl.Func("rows"), hl.Func("blur")
rows[x, y] = (source[x - 1, y] + source[x, y] + source[x + 1, y]) / 3
blur[x, y] = (rows[x, y - 1] + rows[x, y] + rows[x, y + 1]) / 3
blur.vectorize(x, 16).parallel(y)
blur.realize([640, 480])
print(0)
"""

CALL = """
import json, time, numpy as np, {module} as hl
x = hl.Var("x")
source, func = hl.ImageParam(hl.Float(32), 1, "source"), hl.Func("tiny")
func[x] = source[x] + 1.0
function = func.compile_to_callable([source])
a, b = np.zeros(16, np.float32), np.zeros(16, np.float32)
best = {{}}
for name, arguments in (("arrays", (a, b)), ("buffers", (hl.Buffer(a), hl.Buffer(b)))):
    times = []
    for _ in range(50):
        start = time.perf_counter()
        for _ in range(200):
            function(*arguments)
        times.append((time.perf_counter() - start) / 200)
    best[name] = min(times)
print(json.dumps(best))
"""


def run_python(*arguments: str, **environment: str) -> Any:
    """The JSON that a Python process prints last."""
    variables = os.environ | {"PYTHONPATH": str(ROOT)} | environment
    done = subprocess.run([sys.executable, *arguments], env=variables, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"benchmark process failed:\n{done.stderr}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def resident_bytes(of_now: bool = False) -> int:
    """The most memory that this process has had, or what it has now.

    `getrusage` counts what its parent had when it was started, too.
    """
    name, status = "VmRSS" if of_now else "VmHWM", Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith(name))


def thread_settings(threads: int) -> dict[str, str]:
    """Environment variables by which every runtime takes that many threads."""
    prefixes = ("PIPEC", "HL", "OMP", "OPENBLAS", "MKL", "NUMBA")
    return {f"{prefix}_NUM_THREADS": str(threads) for prefix in prefixes}


def limits(threads: int) -> dict[str, float]:
    return run_python("-m", "bench.limits", **thread_settings(threads))


def run_seconds(app: str, modules: list[str], threads: int, seconds: float) -> dict[str, Any]:
    """What bench/measure.py prints."""
    arguments = ("-m", "bench.measure", app, "--modules", *modules, "--seconds", str(seconds))
    return run_python(*arguments, **thread_settings(threads))


def import_seconds(module: str, repeats: int = 5) -> float:
    return statistics.median(run_python("-c", IMPORT.format(module=module)) for _ in range(repeats))


def compile_seconds(module: str, app: str) -> tuple[float, float]:
    """In a new process with an empty disk cache, then in another one that finds it filled."""
    with tempfile.TemporaryDirectory() as folder:
        code = COMPILE.format(module=module, app=app)
        first, second = (run_python("-c", code, PIPEC_CACHE_DIR=folder) for _ in range(2))
        return first, second


def first_picture_seconds(module: str, repeats: int = 5) -> dict[str, float]:
    """Seconds of processes that blur one picture, with an empty and a full disk cache, and that only import numpy."""

    def seconds(code: str, **environment: str) -> float:
        start = time.perf_counter()
        run_python("-c", code, **environment)
        return time.perf_counter() - start

    code = FIRST_PICTURE.format(module=module)
    rounds = []
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as folder:
            cold, warm = (seconds(code, PIPEC_CACHE_DIR=folder) for _ in range(2))
        rounds.append((cold, warm, seconds("import numpy; print(0)")))
    return dict(zip(("cold", "warm", "numpy"), map(statistics.median, zip(*rounds, strict=True)), strict=True))


def call_seconds(module: str) -> dict[str, float]:
    """One call of a pipeline of 16 pixels: with numpy arrays, and with Buffers made before."""
    return run_python("-c", CALL.format(module=module))
