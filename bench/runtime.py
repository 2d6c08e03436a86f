"""Run times of all applications under several compilers, interleaved so that a busy moment hurts all of them."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from apps.app import App, Array
from apps.run import compile_app, front_end


@dataclass(frozen=True)
class Timing:
    """Seconds: to compile (lowering and machine code), and of single runs."""

    compile_seconds: float
    runs: list[float]

    def median(self) -> float:
        return statistics.median(self.runs)


def prepared(module: str, app: App, images: Mapping[str, Array], output: Array) -> tuple[Callable[[], Any], float]:
    """A call without arguments that runs the compiled application once, and its compile time."""
    hl = front_end(module)
    function, seconds = compile_app(hl, app)
    arguments = [*(hl.Buffer(image) for image in images.values()), *app.settings.values(), hl.Buffer(output)]
    return lambda: function(*arguments), seconds


def time_app(app: App, modules: list[str], seconds: float) -> dict[str, Timing]:
    """All compilers in turn on the same arrays, until every one has run for that long."""
    images, output = app.example(app.bench_size), app.empty_output(app.bench_size)
    calls = {module: prepared(module, app, images, output) for module in modules}
    for call, _ in calls.values():
        call()
    runs: dict[str, list[float]] = {module: [] for module in modules}
    gc.collect()
    while min(sum(times) for times in runs.values()) < seconds or len(runs[modules[0]]) < 5:
        for module, (call, _) in calls.items():
            call()  # not counted: whose data lie in the cache should not depend on who ran before
            start = time.perf_counter()
            call()
            runs[module].append(time.perf_counter() - start)
    return {module: Timing(calls[module][1], runs[module]) for module in modules}
