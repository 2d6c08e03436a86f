"""What profiling costs: times of applications with their hand schedules, plain, sampled and with clocks.

    python -m bench.profiler [APP ...]

Prints for each application the time of a run and the factors of `profile_by_timer` (samples) and `profile` (clocks).
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from unittest.mock import patch

import pipec as hl
from apps.app import App
from apps.registry import APPS
from bench.table import geometric_mean
from pipec.jit.engine import CompiledProgram
from pipec.pipeline.calls.runnable import runnable

DEFAULT = ("blur", "unsharp", "camera_pipe", "harris", "bilateral_grid", "local_laplacian", "resize", "stencil_chain")
FEATURES = {"plain": [], "samples": [hl.TargetFeature.ProfileByTimer], "clocks": [hl.TargetFeature.Profile]}
SECONDS = 3.0
MIN_ROUNDS = 15


def compiled(app: App, features: list[hl.TargetFeature]) -> Callable[[], None]:
    """Returns a call of the application on its example, compiled with these target features."""
    algorithm = app.build(hl)
    app.schedule(hl, algorithm)
    for name, array in app.example(app.bench_size).items():
        algorithm.images[name].set(hl.Buffer(array))
    for name, value in app.settings.items():
        algorithm.params[name].set(value)
    algorithm.output.set_custom_print(lambda text: None)
    target = hl.get_jit_target_from_environment()
    for feature in features:
        target = target.with_feature(feature)
    pipeline = hl.Pipeline(algorithm.output)
    run = runnable((algorithm.output.function,), target)
    values = pipeline._values(run, {run.output_names[0]: app.empty_output(app.bench_size)})
    return lambda: run.compiled(values)


def times_of(app: App) -> dict[str, float]:
    """Medians of the seconds that machine code takes, the kinds in turn."""
    times: dict[str, list[float]] = {name: [] for name in FEATURES}
    original, last = CompiledProgram.call, [0.0]

    def timed(program: CompiledProgram, slots: int) -> int:
        started = time.perf_counter()
        status = original(program, slots)
        last[0] = time.perf_counter() - started
        return status

    with patch.object(CompiledProgram, "call", timed):
        calls = {name: compiled(app, features) for name, features in FEATURES.items()}
        end = time.perf_counter() + SECONDS
        while time.perf_counter() < end or len(times["plain"]) < MIN_ROUNDS:
            for name, call in calls.items():
                call()
                call()
                times[name].append(last[0])
    return {name: statistics.median(values) for name, values in times.items()}


def main(names: list[str]) -> None:
    """Prints a line for each application, then the geometric means of the factors."""
    factors: dict[str, list[float]] = {"samples": [], "clocks": []}
    print(f"{'application':20}{'plain ms':>10}{'samples':>10}{'clocks':>10}")
    for name in names or DEFAULT:
        times = times_of(APPS[name])
        for kind, values in factors.items():
            values.append(times[kind] / times["plain"])
        print(f"{name:20}{1e3 * times['plain']:10.3f}" + "".join([f"{v[-1]:10.3f}" for v in factors.values()]))
    print(f"{'geometric mean':30}" + "".join([f"{geometric_mean(values):10.3f}" for values in factors.values()]))


if __name__ == "__main__":
    main(sys.argv[1:])
