"""`python -m pipec.autoschedule.cost.probe`: the rates of this machine as JSON, measured by small pipelines."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

import numpy as np

from pipec.autoschedule.cost.host_machine import MEASURED, shipped, with_caches
from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.dag.dag import TYPE_CLASSES, Operation
from pipec.autoschedule.features.traffic import USABLE_CACHE_FRACTION
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.func import Func
from pipec.func.functions.param import ImageParam
from pipec.func.functions.rdom import RDom
from pipec.func.functions.var import Var
from pipec.func.math.casts import cast
from pipec.func.math.selection import clamp
from pipec.ir.types import Float, Int, Type, UInt
from pipec.jit.runtime.library import default_threads
from pipec.pipeline.pipeline import Pipeline
from pipec.records import replace
from pipec.target import get_host_target

Floats = np.ndarray[Any, Any]
SECONDS = 0.1
"""How long each kernel is repeated."""
CHAIN = 24
DIVISIONS = 12
SERIAL_CYCLES = 4.0
"""Of an integer multiplication and an addition that waits for it, on all processors that are common now."""
TABLE = 1 << 12
TAPS = 8
APART = 3
"""Elements from one tap to the next: two that are neighbours would be read by one gather."""
USUAL_CYCLES = 1.6
"""Within which cores with full-width units load two vectors, add, and store one, over and over."""
USUAL_STEP = 0.6
"""Cycles within which they multiply a vector and add to it."""
PAGE_BYTES = 4096
MAX_MEMORY = 384e6
STEP = math.sqrt(2)
"""From one size of what is moved to the next."""
MINIMAL_BYTES = 64e6
"""That a kernel moves between a cache and its core: milliseconds, beside which a call is short."""


def measured(machine: MachineModel) -> MachineModel:
    """The machine with the rates that can be measured, within half a minute."""
    bandwidths = _bandwidths(machine)
    clock = _clock()
    empty, many = _launch(1), _launch(256)
    task = max(0.0, many - empty) / 256
    gather, extract = _gather_cycles(Float(32), clock)
    insert, _ = _gather_cycles(UInt(8), clock)
    accesses = max(1.0, _access_cycles(machine, clock) / USUAL_CYCLES)
    # Other programs take part of a bandwidth for seconds: what was measured twice, apart, is rarely low both times.
    bandwidths = {name: max(rate, bandwidths[name]) for name, rate in _bandwidths(machine).items()}
    dram_bandwidth = min(bandwidths["l3"], bandwidths["dram"])
    dram_bandwidth_all = max(dram_bandwidth, _memory_bandwidth(_beyond(machine), True))
    return replace(
        machine,
        clock=clock,
        pipes=min(2.0, max(0.25, _mixture(machine) / clock)),
        alone=max(1.0, _step_cycles(clock) / USUAL_STEP),
        divide=max(0.25, _division_cycles(clock) / machine.operations[Operation.DIVIDE][TYPE_CLASSES.index("float32")]),
        load=machine.load * accesses,
        store=machine.store * accesses,
        gather=gather,
        insert=insert,
        extract=extract,
        l2_bandwidth=bandwidths["l2"],
        l3_bandwidth=bandwidths["l3"],
        l3=_last_cache(machine, dram_bandwidth_all),
        dram_bandwidth=dram_bandwidth,
        dram_bandwidth_all=dram_bandwidth_all,
        launch=empty,
        task=task * machine.threads,
    )


def _bandwidths(machine: MachineModel) -> dict[str, float]:
    """Bytes a second between one core and the caches and memory."""
    return {
        "l2": _cache_bandwidth(machine.l2 / 2),
        "l3": _cache_bandwidth(min(machine.l3 / 8, 4 * machine.l2), median),
        "dram": _memory_bandwidth(_beyond(machine), False),
    }


def _beyond(machine: MachineModel) -> float:
    """Bytes that no cache holds."""
    return min(MAX_MEMORY, max(128e6, 2 * machine.l3))


def _seconds(
    call: Callable[[], Any],
    clock: Callable[[], float | Floats] = time.perf_counter,
    choose: Callable[[Sequence[float]], float] = min,
) -> float:
    """The shortest run of a call, repeated for a while: other programs interrupt few of many short runs.

    `clock`: processor time for long ones, but never for the shortest: virtual machines subtract from it what others
    took, now and then from another run than the one that waited, which then looks shorter than it can be. Of several
    clocks that one counts by which a run was longest.
    `choose`: the median where other programs take part of what is measured, as of a cache that cores share.
    """
    call()
    start, runs = time.perf_counter(), list[float]()
    while time.perf_counter() - start < SECONDS or len(runs) < 3:
        before = clock()
        call()
        runs.append(float(np.max(clock() - before)))
    return choose(runs)


def _kernel(size: int, body: Callable[[Any], Any], tile: int, parallel: bool, vectors: int = 4) -> Callable[[], Any]:
    x, inner = Var("x"), Var("inner")
    source, out = ImageParam(Float(32), 1, "source"), Func("out")
    source.set(Buffer(np.ones(size, np.float32)))
    out[x] = body(source[x])
    lanes = get_host_target().natural_vector_size(Float(32))
    out.split(x, x, inner, tile).vectorize(inner, vectors * lanes)
    if parallel:
        out.parallel(x)
    pipeline, destination = Pipeline(out), Buffer(np.zeros(size, np.float32))
    return lambda: pipeline.realize(destination)


def _clock() -> float:
    """Cycles a second: steps that wait for each other."""
    x, steps = Var("x"), RDom([(0, 1 << 18)], "steps")
    chain = Func("chain")
    chain[x] = cast(UInt(32), x)
    chain[x] = chain[x] * cast(UInt(32), 0x9E3779B1) + cast(UInt(32), steps.x)
    pipeline, destination = Pipeline(chain), Buffer(np.zeros(1, np.uint32))
    return SERIAL_CYCLES * (1 << 18) / _seconds(lambda: pipeline.realize(destination))


def _cache_bandwidth(
    footprint: float,
    choose: Callable[[Sequence[float]], float] = min,
    arrays: Callable[[int], tuple[Floats, Floats]] | None = None,
) -> float:
    """Bytes a second that one core reads, and writes over what it read, where two arrays take `footprint` bytes.

    A call goes over them many times: the caches of a core take less time for them than a call. `arrays`: gives the one
    that is read and the one that is written for a number of elements, by default where the system puts them.
    """
    lanes = get_host_target().natural_vector_size(Float(32))
    size = int(footprint / 8) // (4 * lanes) * (4 * lanes)
    passes = math.ceil(MINIMAL_BYTES / (12 * size))
    x, r = Var("x"), RDom([(0, passes)], "r")
    source, out = ImageParam(Float(32), 1, "source"), Func("out")
    read, written = (arrays or _anywhere)(size)
    source.set(Buffer(read))
    out[x] = source[x]
    out[x] = out[x] + source[x] + cast(Float(32), r.x)
    out.vectorize(x, lanes)
    out.update().reorder(x, r.x).vectorize(x, 4 * lanes)
    pipeline, destination = Pipeline(out), Buffer(written)
    # The first pass writes what the others add to.
    return 12 * size * (passes + 1) / _seconds(lambda: pipeline.realize(destination), choose=choose)


def _access_cycles(machine: MachineModel, clock: float) -> float:
    """Cycles in which a core loads two vectors and stores one, all in its first cache."""
    return 3 * machine.vector_bytes * clock / _cache_bandwidth(machine.l1 / 3, arrays=_apart)


def _anywhere(size: int) -> tuple[Floats, Floats]:
    """Two arrays. What was never written would be one page of zeros, whatever the size, so the first one has ones."""
    return np.ones(size, np.float32), np.zeros(size, np.float32)


def _apart(size: int) -> tuple[Floats, Floats]:
    """Two arrays that begin at lines of the caches, of which no two elements that are used together lie whole pages
    apart: cores take such addresses for equal at first, and wait."""
    pages = -(-4 * size // PAGE_BYTES)
    memory = np.ones((2 * pages + 2) * PAGE_BYTES // 4, np.float32)
    start = -memory.ctypes.data % PAGE_BYTES // 4
    second = start + (pages * PAGE_BYTES + PAGE_BYTES // 2) // 4
    return memory[start : start + size], memory[second : second + size]


def _step_cycles(clock: float) -> float:
    """Cycles for a multiplication of a vector of floats and an addition to it, of which eight wait for no other."""

    def chain(value: Any) -> Any:
        for _ in range(CHAIN):
            value = value * 0.25 + 0.5
        return value

    size, lanes = 1 << 15, get_host_target().natural_vector_size(Float(32))
    return _seconds(_kernel(size, chain, 2048, False, vectors=8)) * clock * lanes / (CHAIN * size)


def _memory_bandwidth(footprint: float, parallel: bool) -> float:
    """Bytes a second that are read, and written with what that reads, where two arrays take `footprint` bytes."""
    tile = 4096
    size = int(footprint / 8) // tile * tile
    kernel = _kernel(size, lambda value: value + 1.0, tile, parallel)
    return 12 * size / _seconds(kernel, _time_of_threads if parallel else time.thread_time, median)


def _time_of_threads() -> Floats:
    """Processor time of all threads, divided among them, and of this one, which at times does all the work alone."""
    return np.array([time.process_time() / default_threads(), time.thread_time()])


def _last_cache(machine: MachineModel, memory_bandwidth: float) -> float:
    """Bytes of the last cache that these threads have: other programs and machines may share it.

    Beyond the usable part of a cache ever more is lost (`Cache.lost`), so that the bandwidth falls to that of memory,
    which all threads have together. What they had of the cache follows from where it is between the two.
    """
    number = math.ceil(math.log(2 * machine.l3 / (4 * machine.l2), STEP))
    sizes = [4 * machine.l2 * STEP**step for step in range(max(1, number))]
    bandwidths = [_memory_bandwidth(size, True) for size in sizes]
    middle = math.sqrt(max(bandwidths) * memory_bandwidth)
    # Calls that move little take most of their time to begin.
    last = max([step for step, bandwidth in enumerate(bandwidths) if bandwidth > middle], default=-1)
    if last < 0:
        return machine.l2
    if last == len(sizes) - 1:
        return machine.l3
    slope = math.log(bandwidths[last] / bandwidths[last + 1])
    size = sizes[last] * math.exp(math.log(STEP) * math.log(bandwidths[last] / middle) / slope)
    return min(machine.l3, max(machine.l2, size / (USABLE_CACHE_FRACTION * (1 + memory_bandwidth / middle))))


def _mixture(machine: MachineModel) -> float:
    """How many of the cycles that the machine's operations are said to take one core does in a second, on data in the
    first cache: steps of fixed-point arithmetic, conversion and multiplication of floats."""
    kinds = [
        *((Operation.MULTIPLY, "int32"), (Operation.ADD, "int32"), (Operation.SHIFT, "int32")),
        *((Operation.CAST, "int32"), (Operation.MULTIPLY, "float32"), (Operation.CAST, "float32")),
    ]

    def chain(value: Any) -> Any:
        for _ in range(CHAIN):
            value = cast(Float(32), (cast(Int(32), value) * 5 + 3) >> 2) * 0.5
        return value

    size = 1 << 15
    elapsed = _seconds(_kernel(size, chain, 2048, False, vectors=8))
    cycles = sum([machine.operations[kind][TYPE_CLASSES.index(of_type)] for kind, of_type in kinds])
    return CHAIN * cycles * size * 4 / machine.vector_bytes / elapsed


def _division_cycles(clock: float) -> float:
    """Cycles in which a core divides a vector of floats, where it does little else."""

    def quotients(value: Any) -> Any:
        return sum([1.5 / (value + float(number)) for number in range(1, DIVISIONS)], 1.5 / value)

    size = 1 << 14
    vectors = size * 4 / get_host_target().natural_vector_size(UInt(8))
    return _seconds(_kernel(size, quotients, 2048, False)) * clock / (vectors * DIVISIONS)


def _gather_cycles(kind: Type, clock: float) -> tuple[float, float]:
    """Returns the cycles per element of a gather from the first-level cache, and those for the address of one lane.

    Taps at constant distances share the addresses. There are no gather instructions for elements of fewer than 32 bits:
    each is loaded alone.
    """
    one, many = [_gather_seconds(kind, taps) * clock for taps in (1, TAPS)]
    # Rates are above zero also where other work disturbed one of the two.
    element = max(many - one, one / 2) / (TAPS - 1)
    return element, max(one - element, element / 4)


def _gather_seconds(kind: Type, taps: int) -> float:
    """Returns the seconds for one point that adds elements of a table at constant distances from a computed place."""
    size, x, inner = 1 << 14, Var("x"), Var("inner")
    table, places, out = ImageParam(kind, 1, "table"), ImageParam(Int(32), 1, "places"), Func("out")
    table.set(Buffer(np.ones(TABLE, kind.numpy())))
    places.set(Buffer(np.random.default_rng(0).integers(0, TABLE - TAPS, size).astype(np.int32)))
    place = clamp(places[x], 0, TABLE - APART * TAPS)
    out[x] = sum([table[place + APART * tap] for tap in range(1, taps)], table[place])
    lanes = get_host_target().natural_vector_size(Float(32))
    out.split(x, x, inner, 2048).vectorize(inner, lanes)
    pipeline, destination = Pipeline(out), Buffer(np.zeros(size, kind.numpy()))
    return _seconds(lambda: pipeline.realize(destination)) / size


def _launch(tasks: int) -> float:
    """Seconds that a parallel loop of so many tasks takes beyond a serial one."""
    size = 64 * 4 * tasks
    kernels = [_kernel(size, lambda value: value + 1.0, 64 * 4, parallel) for parallel in (True, False)]
    parallel, serial = [_seconds(kernel, time.perf_counter) for kernel in kernels]
    return max(5e-8, parallel - serial / 2)


def main() -> None:
    """Measures this machine and prints its rates as JSON."""
    machine = measured(with_caches(shipped()))
    print(json.dumps({name: getattr(machine, name) for name in MEASURED}))


if __name__ == "__main__":
    main()
