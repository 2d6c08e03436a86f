"""`python -m bench.gpu.launches`: what a launch costs, beside the same kernels launched by pyopencl alone.

Chains of tiny kernels, each of which reads what the one before wrote, with the output on the device; a time is the
median of calls until the device is done, for each kernel.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import pipec as hl
from pipec.jit.opencl.device import open_device

TARGET = hl.Target("host-opencl")
LENGTHS, CALLS = (1, 10, 100), 200
ELEMENTS, THREADS = 64, 8


def chain(length: int) -> Any:
    """So many kernels, as a Callable."""
    x, xo, xi = hl.vars("x xo xi")
    stages = [hl.Func(f"launch_{number}") for number in range(length)]
    stages[0][x] = x
    for number in range(1, length):
        stages[number][x] = stages[number - 1][x] * 3 + number
    for stage in stages:
        stage.compute_root().gpu_tile(x, xo, xi, THREADS)
    return stages[-1].compile_to_callable([], TARGET)


def bare(program: Any) -> Callable[[], None]:
    """The kernels of a program, launched by pyopencl on buffers of their own until the device is done."""
    import pyopencl as cl

    context, queue = program.device.context, program.device.command_queue
    buffers = [cl.Buffer(context, cl.mem_flags.READ_WRITE, 4 * ELEMENTS) for _ in range(2)]
    handles = [cl.Kernel(handle.program, handle.name) for handle in program.loaded]
    for handle, kernel in zip(handles, program.kernels, strict=True):
        scalars = len(kernel.parameters) - kernel.buffers
        for at, (name, _) in enumerate(kernel.parameters):
            handle.set_arg(at, buffers[at % 2] if at >= scalars else np.int32(0 if ".min" in name else ELEMENTS))

    def call(keep: Any = buffers) -> None:
        for handle in handles:
            cl.enqueue_nd_range_kernel(queue, handle, (ELEMENTS,), (THREADS,))
        queue.finish()

    return call


def seconds(*calls: Callable[[], None]) -> list[float]:
    """Medians; the calls take turns, so that what disturbs them disturbs all."""
    times: list[list[float]] = [[] for _ in calls]
    for number in range(CALLS + 5):
        for call, own in zip(calls, times, strict=True):
            started = time.perf_counter()
            call()
            if number >= 5:
                own.append(time.perf_counter() - started)
    return [statistics.median(own) for own in times]


def main() -> None:
    chosen = open_device()
    print(f"Device: {chosen.name}, driver {chosen.handle.driver_version}")
    for length in LENGTHS:
        run, out = chain(length), hl.Buffer(hl.Int(32), [ELEMENTS])
        out.device_malloc(TARGET)

        def call(run: Any = run, out: Any = out) -> None:
            run(out)
            out.device_sync()

        call()
        program = run._run.compiled.codes()[0].kernels()
        own, others = seconds(call, bare(program))
        each = 1e6 / length
        print(f"{length:4} kernels: {own * each:7.2f} us each, by pyopencl {others * each:7.2f} ({own / others:.2f}x)")


if __name__ == "__main__":
    main()
