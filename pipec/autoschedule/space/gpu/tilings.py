"""Tilings of a kernel: how many threads a block has in each dimension, and how many points a thread.

Two steps as in Anderson et al., "Efficient automatic scheduling of imaging and vision pipelines for the GPU" (OOPSLA
2021), and their hierarchical sampling: of equivalent tilings only the logarithm of their number is examined.
"""

from __future__ import annotations

import math
import random
from collections.abc import Hashable, Sequence

from pipec.autoschedule.dag.dag import Dag, FuncInfo, StageInfo
from pipec.autoschedule.features.gpu.device import GpuDevice
from pipec.autoschedule.space.gpu.nests import AXES, NEAR, kernel_nest, single_nest, spread_dims, threads_of
from pipec.autoschedule.space.state import FULL, Nest

THREADS = {
    1: ((64,), (128,), (256,), (512,)),
    2: ((16, 16), (16, 8), (32, 4), (32, 8), (32, 16), (32, 32), (64, 4), (64, 8), (128, 2)),
    3: ((8, 8, 4), (16, 4, 4), (32, 4, 2), (32, 2, 4)),
}
POINTS = {
    1: ((1,), (2,), (4,), (8,)),
    2: ((1, 1), (1, 2), (1, 4), (1, 8), (2, 1), (2, 2), (2, 4), (4, 1), (4, 4)),
    3: ((1, 1, 1), (1, 1, 4), (1, 4, 1)),
}
MAX_POINTS = 16


def tilings(dag: Dag, func: FuncInfo, stage: StageInfo, device: GpuDevice) -> list[Nest]:
    """The kernels of a stage that are worth a look; one thread where nothing may run side by side."""
    question = tilings, stage, device
    cached: list[Nest] | None = dag.notes.get(question)
    if cached is not None:
        return cached
    nests: dict[Nest, None] = {}
    dims = spread_dims(dag, func, stage)
    if not dims:
        nests[single_nest(stage)] = None
    for own, whole in _roles(stage, dims):
        several = [d for d in own if stage.loops[d].extent > NEAR] or own[:1]
        axes = min(AXES, len(several))
        for count in range(1, axes + 1):
            for threads in THREADS[count]:
                for points in POINTS[count]:
                    serial = dict(zip(several, points, strict=False)) | {d: stage.loops[d].extent for d in whole}
                    if math.prod(serial.values()) <= MAX_POINTS and math.prod(threads) <= device.max_threads:
                        sizes = dict(zip(several, threads, strict=False))
                        nests[kernel_nest(stage, (*own, *whole), sizes, serial)] = None
    for nest in atomic_nests(dag, func, stage, device):
        nests[nest] = None
    result = dag.notes[question] = list(nests)
    return result


def _roles(stage: StageInfo, dims: Sequence[int]) -> list[tuple[list[int], list[int]]]:
    """Dimensions over grid and threads, and those of which a thread has all: short ones may be either."""
    near = [d for d in dims[1:] if 1 < stage.loops[d].extent <= NEAR and not stage.loops[d].reduction]
    ways: list[tuple[list[int], list[int]]] = [(list(dims), [])] if dims else []
    if near:
        ways.append(([d for d in dims if d not in near], near))
    return ways


def atomic_nests(dag: Dag, func: FuncInfo, stage: StageInfo, device: GpuDevice) -> list[Nest]:
    """Kernels in which threads share the loops over RVars and combine what they find."""
    if not stage.atomic or len(func.types) != 1 or func.types[0].nbits not in (32, 64):
        return []
    if func.types[0].nbits == 64 and not device.atomics64:
        return []
    reduced = [d for d, loop in enumerate(stage.loops) if loop.reduction and loop.extent > 1 and not loop.parallel]
    if not reduced:
        return []
    pure = [d for d in spread_dims(dag, func, stage) if stage.loops[d].extent > 1]
    dims = [*reduced, *pure][:AXES]
    return [
        kernel_nest(stage, dims, {dims[0]: threads}, {dims[0]: points}, atomic=True)
        for threads in (64, 256)
        for points in (1, 4, 16)
    ]


def sampled(nests: Sequence[Nest], rng: random.Random) -> list[Nest]:
    """Returns 1 + log2(n) random nests of each class of n equivalent ones."""
    classes: dict[Hashable, list[Nest]] = {}
    for nest in nests:
        classes.setdefault(equivalence_class(nest), []).append(nest)
    chosen: list[Nest] = []
    for members in classes.values():
        count = min(len(members), 1 + int(math.log2(len(members))))
        chosen += rng.sample(members, count)
    return chosen


def equivalence_class(nest: Nest) -> Hashable:
    """Returns the key of a tiling's class: dimensions that have threads, points per thread, threads in all."""
    points = math.prod([size for size in nest.tiles[1] if size != FULL])
    threads = threads_of(nest)
    return len(threads), math.prod(threads.values()) >= 256, points.bit_length() // 2, nest.atomic
