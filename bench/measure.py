"""`python -m bench.measure APP`: times of one application in this process, as JSON on the last line.

All compilers and the library that a user would take instead run in turn, so that a busy moment hurts all of them alike.
How many threads they take stands in the environment (bench/process.py sets it): runtimes read it when they start.
"""

from __future__ import annotations

import argparse
import gc
import importlib.util
import json
import os
import time
from collections.abc import Callable, Mapping
from typing import Any

from apps.app import App, Array
from apps.registry import APPS
from apps.run import compile_app, front_end
from bench.cores import wait_for_usual_cores

LEAST_RUNS = 5
# A library may be slower by far: it gets fewer turns, and one at least.
LIBRARY_RUNS, SLOWEST_LIBRARY_SECONDS = 15, 1.0
# Threads of a library spin that long after its last call (OpenBLAS: 2^26 cycles), on a core that others need.
LIBRARY_SPIN_SECONDS = 0.05

Call = Callable[[], Any]


def prepared(module: str, app: App, images: Mapping[str, Array], output: Array) -> Call:
    """A call without arguments that runs the compiled application once."""
    hl = front_end(module)
    function, _ = compile_app(hl, app)
    arguments = [*(hl.Buffer(image) for image in images.values()), *app.settings.values(), hl.Buffer(output)]
    return lambda: function(*arguments)


def timed(call: Call) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def library_call(app: App, images: Mapping[str, Array]) -> Call:
    import cv2

    cv2.setNumThreads(int(os.environ["PIPEC_NUM_THREADS"]))
    return lambda: app.rival(images, app.settings)


def numba_call(app: App, images: Mapping[str, Array], output: Array) -> Call | None:
    """The application in numba; None where there is no numba, or nobody would write it so."""
    if not importlib.util.find_spec("numba"):
        return None
    from bench.numba_filters import FILTERS

    function = FILTERS.get(app.name)
    return None if function is None else lambda: function(images, app.settings, output)


def enough_of_a_library(runs: list[float]) -> bool:
    return len(runs) >= LIBRARY_RUNS or sum(runs) > SLOWEST_LIBRARY_SECONDS


def time_app(app: App, modules: list[str], seconds: float) -> dict[str, list[float]]:
    """Seconds of single runs of each compiler, until every one has run for that long, of `library`, and of `numba`."""
    images, output = app.example(app.bench_size), app.empty_output(app.bench_size)
    calls = {module: prepared(module, app, images, output) for module in modules}
    calls["library"] = library_call(app, images)
    written = numba_call(app, images, output)
    if written is not None:
        calls["numba"] = written
    runs: dict[str, list[float]] = {name: [] for name in calls}
    for call in calls.values():
        call()
    gc.collect()
    while min(sum(runs[module]) for module in modules) < seconds or len(runs[modules[0]]) < LEAST_RUNS:
        for name, call in calls.items():
            if name not in modules and enough_of_a_library(runs[name]):
                continue
            wait_for_usual_cores()
            if name in modules:
                call()  # not counted: whose data lie in the cache should not depend on who ran before
            runs[name].append(timed(call))
            if name not in modules:
                time.sleep(LIBRARY_SPIN_SECONDS)
    return runs


def data_bytes(app: App) -> int:
    """What a run reads and writes at least: its inputs and its output, once."""
    images = app.example(app.bench_size)
    return sum(image.nbytes for image in images.values()) + app.empty_output(app.bench_size).nbytes


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.measure", description=__doc__)
    parser.add_argument("app", choices=APPS)
    parser.add_argument("--modules", nargs="+", default=["pipec", "halide"])
    parser.add_argument("--seconds", type=float, default=2.0)
    options = parser.parse_args()
    app = APPS[options.app]
    runs = time_app(app, options.modules, options.seconds)
    print(json.dumps({"runs": runs, "bytes": data_bytes(app)}))


if __name__ == "__main__":
    main()
