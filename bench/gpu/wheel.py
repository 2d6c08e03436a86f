"""`python -m bench.gpu.wheel APP SIZE [--anderson UNITS]`: an application by the halide wheel on a GPU.

By CUDA where the wheel finds it, else by OpenCL; with the schedule of the application, or with one that Anderson2021
finds for a device of so many multiprocessors. A process of its own, as a search may never end. Prints a line of JSON.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from apps.app import Algorithm, App
from apps.registry import APPS
from bench.gpu.clock import median, resident_on_device
from pipec.jit.opencl.driver import share_loader

SEARCHER = "Anderson2021"
TARGETS = ("host-cuda", "host-opencl")
# What the wheel's back end and its search may take.
LIMIT = 600


def time_of(app: str, size: tuple[int, ...], units: int | None) -> dict[str, Any]:
    """What the process says: "seconds" and "target", or an "error"."""
    command = [sys.executable, "-m", "bench.gpu.wheel", app, "x".join(map(str, size))]
    command += [] if units is None else ["--anderson", str(units)]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return {"error": f"more than {LIMIT} s"}
    lines = run.stdout.splitlines()
    if run.returncode or not lines:
        return {"error": (run.stderr.strip().splitlines() or [f"ended by signal {-run.returncode}"])[-1]}
    result: dict[str, Any] = json.loads(lines[-1])
    return result


def find_schedule(hl: Any, app: App, algorithm: Algorithm, size: tuple[int, ...], target: Any, units: int) -> None:
    """Let Anderson2021 schedule the algorithm for images of a size."""
    for name, image in app.example(size).items():
        for dimension, extent in enumerate(image.shape[::-1]):
            algorithm.images[name].dim(dimension).set_estimate(0, extent)
    for name, value in app.settings.items():
        algorithm.params[name].set_estimate(value)
    algorithm.output.set_estimates([(0, extent) for extent in size])
    hl.load_plugin(str(Path(hl.__file__).parent / "lib64" / f"libautoschedule_{SEARCHER.lower()}.so"))
    hl.Pipeline(algorithm.output).apply_autoscheduler(
        target, hl.AutoschedulerParams(SEARCHER, {"parallelism": str(units)})
    )


def measured(app: App, size: tuple[int, ...], units: int | None) -> dict[str, Any]:
    """Seconds of a call with all images on the device, and the largest difference from the reference."""
    # The wheel looks among the symbols of the process first.
    share_loader()
    import halide as hl

    targets = [name for name in TARGETS if hl.host_supports_target_device(hl.Target(name))]
    if not targets:
        return {"error": "finds no device"}
    target, algorithm = hl.Target(targets[0]), app.build(hl)
    if units is None:
        app.gpu_schedule(hl, algorithm)
    else:
        find_schedule(hl, app, algorithm, size, target, units)
    function = algorithm.output.compile_to_callable(algorithm.arguments(), target)
    images, output = app.example(size), app.empty_output(size)
    arrays = [np.ascontiguousarray(image) for image in images.values()]
    buffers, result = resident_on_device(hl, arrays, output, target)

    def call() -> None:
        function(*buffers, *app.settings.values(), result)
        result.device_sync()

    actual: dict[str, Any] = {"seconds": median(call), "target": targets[0]}
    result.copy_to_host()
    if size == app.test_size:
        wrong = abs(np.asarray(result).astype("f8") - app.reference(images, app.settings).astype("f8")).max()
        if wrong > app.tolerance:
            actual["error"] = f"wrong by {wrong:g}"
    return actual


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.gpu.wheel", description=__doc__)
    parser.add_argument("app", choices=APPS)
    parser.add_argument("size", type=lambda text: tuple(map(int, text.split("x"))))
    parser.add_argument("--anderson", type=int, metavar="UNITS")
    options = parser.parse_args()
    print(json.dumps(measured(APPS[options.app], options.size, options.anderson)))


if __name__ == "__main__":
    main()
