"""Forecasts of a pipeline's time on more cores: its tasks, measured here on one core, replayed on others.

Assumptions: the cores are like the one that measured, each with caches of its own; a loop's tasks begin in order, each
on the core that is free first, as the thread pool gives them out; a loop ends with its last task; what is outside of
parallel loops runs on one core. The bytes of inputs, outputs and stored Funcs pass through memory once for each write
and read; a loop takes at least the time of its share of them at the bandwidth that so many cores reach.
"""

from __future__ import annotations

import ctypes
import heapq
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.realizable import Realizable
from pipec.jit.runtime.library import runtime
from pipec.pipeline.calls.arguments import new_buffer
from pipec.pipeline.queries import output_buffers
from pipec.records import dataclass
from pipec.scale.windows import WindowedPipeline, program_of
from pipec.target import Target

_TASK = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_int64)
_LOOP = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)


@dataclass(frozen=True)
class CoreModel:
    """Cores that share memory: bytes a second that one core reaches, that all reach, and seconds to start a loop."""

    core_bandwidth: float
    bandwidth: float
    loop_seconds: float = 5e-6


@dataclass(frozen=True)
class TaskGraph:
    """One run of a pipeline: the seconds of each task of each parallel loop, one after the other, and of the rest.

    `memory`: the bytes that pass through memory.
    """

    loops: tuple[tuple[float, ...], ...]
    serial: float
    memory: float

    def seconds(self, cores: int, model: CoreModel) -> float:
        """The forecast for so many cores."""
        work = sum(map(sum, self.loops)) or 1.0
        reachable = min(cores * model.core_bandwidth, model.bandwidth)
        total = self.serial
        for tasks in self.loops:
            least = self.memory * sum(tasks) / work / reachable
            total += max(makespan(tasks, cores), least) + (model.loop_seconds if cores > 1 else 0)
        return total


def makespan(tasks: Sequence[float], cores: int) -> float:
    """Seconds until the last of some tasks ends, when each begins on the core that is free first."""
    free = [0.0] * min(cores, max(1, len(tasks)))
    for task in tasks:
        heapq.heapreplace(free, free[0] + task)
    return max(free)


def measured_task_graph(
    pipeline: Realizable, sizes: Sequence[int], *, target: Target | None = None, repeats: int = 5
) -> TaskGraph:
    """Runs a pipeline, whose inputs are bound, on one core, and returns the tasks of the fastest run.

    `sizes`: the extents of the outputs, dimension 0 first. A parallel loop inside a task belongs to the task.
    """
    program = program_of(pipeline._pipeline(), target)
    box = [(0, extent) for extent in sizes]
    boxes = {name: box for name, _, _ in output_buffers(program.definition)}
    windowed = WindowedPipeline(program, (), boxes)
    computed = windowed.grown(boxes)
    outputs = {name: new_buffer(windowed.output_types[name], part, None, {}) for name, part in computed.items()}
    memory = windowed.output_bytes(computed) + 2 * windowed.intermediate_bytes(computed)
    memory += sum([value.numpy().nbytes for value in windowed.inputs.values() if isinstance(value, Buffer)])
    best: TaskGraph | None = None
    with _recording(windowed) as loops:
        windowed.run({}, outputs)
        for _ in range(repeats):
            loops.clear()
            started = time.perf_counter()
            windowed.run({}, outputs)
            seconds = time.perf_counter() - started
            serial = max(0.0, seconds - sum(map(sum, loops)))
            graph = TaskGraph(tuple(map(tuple, loops)), serial, memory)
            if best is None or seconds < best.serial + sum(map(sum, best.loops)):
                best = graph
    assert best is not None
    return best


@contextmanager
def _recording(windowed: WindowedPipeline) -> Iterator[list[list[float]]]:
    """The pipeline's code is linked with a parallel loop that runs and measures one task after the other."""
    loops: list[list[float]] = []
    depth = 0

    def parallel_for(task: int, closure: int, minimum: int, count: int) -> int:
        nonlocal depth
        run, times, status = _TASK(task), [], 0
        depth += 1
        for index in range(minimum, minimum + count):
            started = time.perf_counter()
            status = run(closure, index)
            times.append(time.perf_counter() - started)
            if status:
                break
        depth -= 1
        if depth == 0:
            loops.append(times)
        return status

    callback = _LOOP(parallel_for)
    address = ctypes.cast(callback, ctypes.c_void_p).value
    before = runtime().addresses
    assert address is not None
    runtime().addresses = {**before, "pipec_parallel_for": address}
    try:
        _ = windowed.compiled
    finally:
        runtime().addresses = before
    yield loops
