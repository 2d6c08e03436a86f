"""`python -m pipec.autoschedule.measure.child`: compiles, checks and times schedules, as its parent asks."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from pipec.autoschedule.measure.core_latency import exchange_seconds
from pipec.autoschedule.measure.pixels import calculates_with_floats, difference
from pipec.autoschedule.measure.task import Task
from pipec.autoschedule.processes.serving import limit_time, serve
from pipec.autoschedule.rfactor.definitions import factored
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.definition import PipelineDef
from pipec.func.functions.substitution import in_float64
from pipec.jit.runtime.library import default_threads, runtime
from pipec.lower.legality.apply_schedule import apply_schedule
from pipec.pipeline.calls.compiled import CompiledPipeline
from pipec.pipeline.observation.group_clock import GroupClock
from pipec.schedule.schedule import Schedule
from pipec.target import Target

SAMPLED_VALUES = 4096
"""Of each output, about, by which machines compare their results."""
# Shorter runs are repeated between two readings of the clock.
MIN_SECONDS = 2e-4


class Bench:
    """One task: its inputs, its outputs, the pixels that are right, and the schedules that were loaded."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.target = Target(task.target)
        self.loaded: dict[int, tuple[Callable[[], Any], GroupClock | None]] = {}
        self.expected: list[np.ndarray] = []
        self._doubles: list[np.ndarray] | None = None

    def compiled(self, schedule: Schedule, definition: PipelineDef | None = None) -> CompiledPipeline:
        """The machine code of a schedule, every directive of which is checked."""
        definition = factored(definition or self.task.definition, schedule)
        clock = GroupClock(definition.funcs) if self.task.clocked else None
        return CompiledPipeline(definition, apply_schedule(definition, schedule), self.target, clock=clock)

    def prepare(self, reference: Schedule) -> float:
        """Makes the inputs and the right pixels, and returns the seconds of the run that computes these."""
        self.inputs = self.task.inputs()
        self.outputs = self.task.outputs()
        self.exact = not calculates_with_floats(self.task.definition)
        self.reference = reference
        compiled = self.compiled(reference)
        values = self.values(compiled)
        started = time.perf_counter()
        compiled(values)
        seconds = time.perf_counter() - started
        self.expected = [output.numpy().copy() for output in self.outputs.values()]
        return seconds

    def values(self, compiled: CompiledPipeline) -> list[Any]:
        """Returns the values of the arguments in the order of a compiled pipeline."""
        named = {**self.inputs, **self.outputs}
        return [named[argument.name] for argument in compiled.arguments]

    @property
    def _extern(self) -> bool:
        return any(func.extern is not None for func in self.task.definition.funcs.values())

    def _precise(self) -> list[np.ndarray]:
        """The outputs with all floats in double precision, calculated once."""
        if self._doubles is None:
            definition = in_float64(factored(self.task.definition, self.reference))
            compiled = CompiledPipeline(definition, apply_schedule(definition, self.reference), self.target)
            outputs = {name: _in_double(output) for name, output in self.outputs.items()}
            named = {name: _in_double(value) for name, value in self.inputs.items()} | outputs
            compiled([named[argument.name] for argument in compiled.arguments])
            self._doubles = [output.numpy() for output in outputs.values()]
        return self._doubles

    def check(self, number: int, schedule: Schedule, definition: PipelineDef | None = None) -> tuple[str, float]:
        """Load a schedule and run it once: what is wrong with its pixels, and the seconds of that run."""
        compiled = self.compiled(schedule, definition)
        values = self.values(compiled)
        for output in self.outputs.values():
            _spoil(output)
        started = time.perf_counter()
        compiled(values)
        seconds = time.perf_counter() - started
        results = [output.numpy() for output in self.outputs.values()]
        wrong = difference(self.expected, results, self.exact, None if self._extern else self._precise)
        self.loaded[number] = self._call(compiled, values), compiled.clock
        return wrong, seconds

    def _call(self, compiled: CompiledPipeline, values: list[Any]) -> Callable[[], Any]:
        run = _fast_call(compiled, values)
        if not self.target.has_gpu_feature():
            return run
        outputs = list(self.outputs.values())

        def call() -> None:
            run()
            for output in outputs:
                output.device_sync()

        return call

    def _keep_on_device(self) -> None:
        """Bring the images to the device, where calls find and leave them: copies take the same for every schedule."""
        if self.target.has_gpu_feature():
            for buffer in (*self.inputs.values(), *self.outputs.values()):
                if isinstance(buffer, Buffer):
                    buffer.copy_to_device(self.target)

    def measure(self, number: int, seconds: float, most: int, warm: bool) -> tuple[list[float], dict[str, float]]:
        """Seconds of single runs, and of each group in one of them on average, where the task is clocked.

        `warm`: after a run that does not count, so that its own data lie in the cache.
        """
        (call, clock), repeats = self.loaded[number], 1
        self._keep_on_device()
        if warm:
            started = time.perf_counter()
            call()
            repeats = max(1, round(MIN_SECONDS / max(time.perf_counter() - started, 1e-7)))
        if clock is not None:
            clock.taken()
        times: list[float] = []
        while not times or (sum(times) * repeats < seconds and len(times) < most):
            started = time.perf_counter()
            for _ in range(repeats):
                call()
            times.append((time.perf_counter() - started) / repeats)
        groups = {} if clock is None else clock.taken()
        return times, {name: total / (len(times) * repeats) for name, total in groups.items()}


def _in_double(value: Any) -> Any:
    """A Buffer of floats with the same values in double precision; anything else as it is."""
    if not isinstance(value, Buffer) or not value.type().floating:
        return value
    converted = Buffer(value.numpy().astype(np.float64))
    converted.set_min([value.dim(d).min() for d in range(value.dimensions())])
    return converted


def _fast_call(compiled: CompiledPipeline, values: list[Any]) -> Callable[[], Any]:
    fast_call = compiled.fast_call(len(values), range(len(values)))
    if fast_call is None:
        return lambda: compiled(values)

    def call() -> None:
        if not fast_call(*values):
            compiled(values)

    return call


def _spoil(output: Buffer) -> None:
    """So that pixels that are not written can't be right."""
    output.numpy().fill(np.nan if output.type().floating else 0x5A)


class Child:
    """Handles the requests of a parent. `bench`: of the task that came last."""

    bench: Bench

    def on_task(self, task: Task) -> None:
        """Handles "task": prepares inputs and outputs of a pipeline."""
        self.bench = Bench(task)
        runtime().set_threads(default_threads())
        gc.collect()

    def on_threads(self, count: int) -> None:
        """Handles "threads": sets the number of threads."""
        runtime().set_threads(count)

    def on_exchange(self) -> float | None:
        """How far the cores are from each other; None where one thread runs alone."""
        return exchange_seconds() if runtime().threads() > 1 else None

    def on_compile(self, schedule: Schedule, definition: PipelineDef | None, most: float) -> float:
        """Handles "compile": compiles a schedule within `most` seconds of processor time, and returns these."""
        started = time.process_time()
        limit_time(most)
        self.bench.compiled(schedule, definition)
        limit_time(math.inf)
        return time.process_time() - started

    def on_prepare(self, reference: Schedule) -> float:
        """Handles "prepare": computes the reference result with this schedule, and returns the seconds of the run."""
        return self.bench.prepare(reference)

    def on_sample(self) -> tuple[list[np.ndarray], bool]:
        """Handles "sample": returns some right values of each output, and whether they are exact."""
        parts = [output.ravel() for output in self.bench.expected]
        return [part[:: max(1, part.size // SAMPLED_VALUES)] for part in parts], self.bench.exact

    def on_check(self, number: int, schedule: Schedule, definition: PipelineDef | None) -> tuple[str, float]:
        """Handles "check": compiles a schedule, compares its result and returns status and seconds."""
        return self.bench.check(number, schedule, definition)

    def on_measure(self, number: int, seconds: float, most: int, warm: bool) -> tuple[list[float], dict[str, float]]:
        """Handles "measure": times a compiled schedule; returns the seconds of its runs and of its groups."""
        return self.bench.measure(number, seconds, most, warm)


if __name__ == "__main__":
    serve(Child(), __doc__)
