"""`python -m bench.gpu [APP ...]`: times of the applications on the OpenCL device, beside the halide wheel's OpenCL.

Inputs and outputs stay on the device; a time is the median of single calls, each until the device has finished.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import pipec as hl
from apps import run
from apps.app import App
from apps.registry import APPS
from pipec.jit.opencl_device import Device, device
from pipec.jit.opencl_memory import pool_of

COPIED = 256 << 20  # bytes of the buffers by which the device's bandwidth is measured
CALLS = 11


def median(call: Callable[[], Any]) -> float:
    """Seconds of a call, after two that do not count."""
    times = []
    for _ in range(CALLS + 2):
        started = time.perf_counter()
        call()
        times.append(time.perf_counter() - started)
    return statistics.median(times[2:])


def bandwidth(chosen: Device) -> float:
    """Bytes that the device reads and writes a second when it copies a buffer."""
    size = min(COPIED, chosen.largest_buffer)
    a, b = (pool_of(chosen).take(size, "copy") for _ in range(2))
    return 2 * size / median(lambda: chosen.copy(a, b, size))


def on_device(module: Any, app: App, size: tuple[int, ...]) -> tuple[Callable[[], Any], int]:
    """A call of the application with all its images on the device, and how many bytes these have."""
    function, target = run.compile_for_gpu(module, app), module.Target("host-opencl")
    images = [module.Buffer(np.ascontiguousarray(image)) for image in app.example(size).values()]
    output = module.Buffer(app.empty_output(size))
    for buffer in images:
        buffer.set_host_dirty()
    for buffer in [*images, output]:
        buffer.copy_to_device(target)

    def call() -> None:
        function(*images, *app.settings.values(), output)
        output.device_sync()

    return call, sum(buffer.size_in_bytes() for buffer in [*images, output])


def wheel_time(app: App, size: tuple[int, ...]) -> str:
    """The same by the wheel, or why not."""
    try:
        import halide
    except ImportError:
        return "no wheel"
    if not halide.host_supports_target_device(halide.Target("host-opencl")):
        return "no OpenCL"
    try:
        return f"{1e3 * median(on_device(halide, app, size)[0]):.3f}"
    except halide.HalideError as error:
        return f"refused: {str(error).splitlines()[0][:60]}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.gpu", description=__doc__)
    parser.add_argument("apps", nargs="*", metavar="APP", help=f"of {', '.join(APPS)}")
    parser.add_argument("--small", action="store_true", help="at the sizes of the tests")
    parser.add_argument("--wheel", action="store_true", help="also by the halide wheel")
    options = parser.parse_args()
    unknown = set(options.apps) - set(APPS)
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    chosen = device()
    print(f"Device: {chosen.name}, driver {chosen.handle.driver_version}")
    if not chosen.is_gpu:
        print("This device is not a GPU: what follows are NOT figures of a GPU.")
    copy = bandwidth(chosen)
    print(f"Copies {copy / 1e9:.1f} GB/s, read and written\n")
    print(f"{'application':<16}{'pipec ms':>10}{'% of copy':>11}{'  wheel ms' if options.wheel else ''}")
    for name in options.apps or APPS:
        app = APPS[name]
        size = app.test_size if options.small else app.bench_size
        call, moved = on_device(hl, app, size)
        seconds = median(call)
        wheel = f"  {wheel_time(app, size)}" if options.wheel else ""
        print(f"{name:<16}{1e3 * seconds:>10.3f}{100 * moved / seconds / copy:>11.1f}{wheel}", flush=True)


if __name__ == "__main__":
    main()
