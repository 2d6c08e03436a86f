"""Forecasts of the applications on more cores, beside what one and two cores take here."""

from __future__ import annotations

import time

import numpy as np

import pipec as hl
from bench.limits import COPY_BYTES, copy_bandwidth
from bench.scale.pictures import scheduled
from pipec.scale.task_graph import CoreModel, measured_task_graph

APPS = ("blur", "camera_pipe", "local_laplacian")
HERE, FORECAST = (1, 2), (8, 64, 192)
# A server's memory has about this many times the bandwidth that one of its cores reaches.
BANDWIDTH_IN_CORES = 12
REPEATS = 10


def measured_seconds(output: hl.Func, array: np.ndarray, threads: int) -> float:
    """The fastest of some runs with so many threads."""
    best = float("inf")
    for _ in range(REPEATS + 1):
        started = time.perf_counter()
        output.realize(array, threads=threads)
        best = min(best, time.perf_counter() - started)
    return best


def report() -> dict[str, dict[str, float]]:
    """Prints a line for each application; milliseconds by the number of cores."""
    core_bandwidth = copy_bandwidth(1)
    server = CoreModel(core_bandwidth, core_bandwidth * BANDWIDTH_IN_CORES)
    results = {}
    for name in APPS:
        app, algorithm = scheduled(name)
        for key, array in app.example(app.bench_size).items():
            algorithm.images[key].set(hl.Buffer(array))
        graph = measured_task_graph(algorithm.output, app.bench_size)
        # Arrays that the last cache holds do not pass through memory in each run.
        copied = min(COPY_BYTES, int(graph.memory) // 2)
        here = CoreModel(copy_bandwidth(1, copied), copy_bandwidth(2, copied))
        array = app.empty_output(app.bench_size)
        times = {f"measured {n}": measured_seconds(algorithm.output, array, n) * 1e3 for n in HERE}
        times |= {f"forecast {n}": graph.seconds(n, here) * 1e3 for n in HERE}
        times |= {f"forecast {n}": graph.seconds(n, server) * 1e3 for n in FORECAST}
        print(f"{name:16}" + ", ".join([f"{what} {value:.2f} ms" for what, value in times.items()]), flush=True)
        results[name] = times
    return results
