"""Pipelines under random schedules for the GPU, run on an OpenCL device: PoCL, or the one that PIPEC_DEVICE names."""

from __future__ import annotations

import json
import os
import tempfile
from functools import cache
from typing import Any

import numpy as np

import pipec
from pipec.errors import BoundsError, NotSupportedError, RequirementError, ScheduleError, StrideError
from tests.fuzz.case import Case, make_case
from tests.fuzz.extern_library import load_extern_functions
from tests.fuzz.programs.builder import Builder
from tests.fuzz.runs import Mismatch, compare, prepare, reference, simpler_case, uses_extern
from tests.fuzz.schedules.directives import apply
from tests.fuzz.schedules.generator import ScheduleGenerator
from tests.fuzz.schedules.makers import TAILS

TARGET = "host-opencl-cl_doubles"


class GpuScheduleGenerator(ScheduleGenerator):
    """Also marks loops as blocks and threads of a GPU."""

    def schedule_stage(self, func: str, stage: int) -> None:
        loops = self.loops[func, stage]
        if self.random.random() < 0.65:
            self.on_gpu(func, stage, loops)
        else:
            super().schedule_stage(func, stage)

    def on_gpu(self, func: str, stage: int, loops: list[str]) -> None:
        """Tiles of threads, threads alone for a Func inside of a block, or one thread for all."""
        r = self.random
        pure = [name for name in loops if not name.startswith("r")]
        kind = r.random()
        if not pure or kind < 0.08:
            self.directives.append([func, stage, "gpu_single_thread"])
        elif kind < 0.25:
            self.directives.append([func, stage, "gpu_threads", *pure[: r.randint(1, 3)]])
        elif kind < 0.32 and len(pure) > 1:
            count = 2 if len(pure) < 4 or r.random() < 0.7 else 4
            self.directives.append([func, stage, "gpu", *pure[-count // 2 :], *pure[: count // 2]])
        else:
            self.tile(func, stage, loops, pure[: r.choice([1, 2, 2, 2, 3])])

    def tile(self, func: str, stage: int, loops: list[str], tiled: list[str]) -> None:
        r = self.random
        blocks, threads = [self.name(name) for name in tiled], [self.name(name) for name in tiled]
        sizes = [r.choice([1, 2, 4, 4, 8]) for _ in tiled]
        self.directives.append([func, stage, "gpu_tile", *tiled, *blocks, *threads, *sizes, r.choice(TAILS)])
        rest = [name for name in loops if name not in tiled]
        loops[:] = [*threads, *rest, *blocks]
        self.split_by.update(zip(threads, sizes, strict=True))
        if r.random() < 0.25:
            inner, outer, factor = self.name(threads[0]), self.name(threads[0]), r.choice([2, 4])
            self.directives.append([func, stage, "split", threads[0], outer, inner, factor, r.choice(TAILS)])
            self.directives.append([func, stage, r.choice(["vectorize", "unroll", "serial"]), inner])
            loops[0:1] = [inner, outer]


def make_gpu_case(seed: int) -> Case:
    return make_case(seed, GpuScheduleGenerator)


@cache
def prepare_device() -> None:
    """Lets PoCL compile for this processor, once for all processes of this machine."""
    os.environ.setdefault("POCL_CACHE_DIR", os.path.join(tempfile.gettempdir(), "pipec-test-pocl"))
    from tests.gpu.pocl import name_processors

    name_processors()


class OnDevice:
    """A case compiled for the device, as much of it as is legal there."""

    def __init__(self, case: Case) -> None:
        self.built = Builder(pipec, case.recipe)
        apply(pipec, self.built, case.directives)
        self.pipeline = pipec.Pipeline(self.built.outputs)
        self.pipeline.compile_jit(pipec.Target(TARGET))

    def run(self, case: Case) -> list[Any] | None:
        """The outputs of a variant, dimension 0 first; None where its sizes are refused."""
        self.built.set_inputs(case.recipe)
        sizes, mins = [n for _, n in case.box], [low for low, _ in case.box]
        target = pipec.Target(TARGET)
        try:
            if not any(mins):
                results = self.pipeline.realize(sizes, target)
                results = list(results) if isinstance(results, tuple | list) else [results]
            else:
                results = self.built.output_buffers(sizes, mins)
                self.pipeline.realize(results, target)
        except (BoundsError, RequirementError, ScheduleError, StrideError):
            # Bounds, storage and tails that need more room, specialize_fail, and strides that kernels cannot follow.
            return None
        return [np.asarray(result).T for result in results]


def check_opencl(case: Case) -> None:
    """What the device computes is what the definitions say."""
    if '"f16"' in json.dumps(case.recipe):
        return
    prepare_device()
    if uses_extern(case):
        load_extern_functions()
    while True:
        try:
            on_device = OnDevice(case)
            break
        except (ScheduleError, BoundsError, NotSupportedError) as refusal:
            simpler = simpler_case(case)
            if simpler is None:
                raise Mismatch(f"The unplaced schedule is refused: {refusal}") from refusal
            case = simpler
    prepared = prepare(case)
    for variant in case.variants():
        results = on_device.run(variant)
        if results is not None:
            expected = reference(prepared, variant)
            compare(f"OpenCL for {variant.box}", dict(zip(expected, results, strict=True)), expected)
