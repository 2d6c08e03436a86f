"""Forward and gradient pipelines on arrays: by pipec's default schedule of gradients, by the wheel's Li2018."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from bench.autodiff.filters import FILTERS, FixedImages

if TYPE_CHECKING:
    from bench.autodiff.ways import Task

# Around images, along x and y and along all other dimensions, for a schedule that reads where the image has none.
MARGIN, THIN_MARGIN = 32, 8


def input_images(hl: ModuleType, arrays: Sequence[Any], margin: bool) -> list[Any]:
    """Buffers of the arrays; with more elements around each, which do not count, when `margin`."""
    if not margin:
        return [hl.Buffer(array) for array in arrays]
    result = []
    for array in arrays:
        border = [THIN_MARGIN] * (array.ndim - 2) + [MARGIN] * min(2, array.ndim)
        buffer = hl.Buffer(np.ascontiguousarray(np.pad(array, [(width, width) for width in border], mode="edge")))
        buffer.set_min([-width for width in reversed(border)])
        result.append(buffer)
    return result


def compiled_pipelines(hl: ModuleType, task: Task, arguments: Sequence[Any]) -> tuple[Any, Any]:
    """Forward and all gradients as functions of output buffers. `arguments`: the inputs, then the output's adjoint."""
    *images, seed = arguments
    shapes = [tuple(reversed(tensor.shape)) for tensor in task.inputs]
    size = tuple(reversed(task.shape))
    compiler = FixedImages(hl, images, shapes)
    f, _ = FILTERS[task.name](compiler)
    forward = _scheduled(hl, [f], [size])
    # Made anew, since a schedule is one of the Funcs.
    f, inputs = FILTERS[task.name](compiler)
    # Outside of these bounds the adjoint is zero; there may be more of the buffer.
    bounds = [(0, extent) for extent in size]
    adjoint = hl.BoundaryConditions.constant_exterior(seed, 0.0, bounds)
    d = hl.propagate_adjoints(f, adjoint, [hl.Range(*pair) for pair in bounds] if hl.__name__ == "halide" else bounds)
    backward = _scheduled(hl, [d[inputs[at]] for at in task.learned], [shapes[at] for at in task.learned])
    return forward.compile_to_callable([]), backward.compile_to_callable([])


def _scheduled(hl: ModuleType, funcs: list[Any], sizes: Sequence[Sequence[int]]) -> Any:
    return (_by_li2018 if hl.__name__ == "halide" else _by_default)(hl, funcs, sizes)


def _by_default(hl: ModuleType, funcs: list[Any], sizes: Sequence[Sequence[int]]) -> Any:
    from pipec.autodiff.copies import unscheduled
    from pipec.autoschedule.li2018.schedule import default_schedule

    funcs = unscheduled(funcs)
    for func, size in zip(funcs, sizes, strict=True):
        for var, extent in zip(func.args(), size, strict=True):
            func.bound(var, 0, extent)
    boxes = {func.name(): list(size) for func, size in zip(funcs, sizes, strict=True)}
    default_schedule([func.function for func in funcs], sizes=boxes, threads=int(os.environ["PIPEC_NUM_THREADS"]))
    return hl.Pipeline(funcs)


def _by_li2018(hl: ModuleType, funcs: list[Any], sizes: Sequence[Sequence[int]]) -> Any:
    for func, size in zip(funcs, sizes, strict=True):
        func.set_estimates([hl.Range(0, extent) for extent in size])
    pipeline = hl.Pipeline(funcs)
    hl.load_plugin(str(Path(str(hl.__file__)).parent / "lib64" / "libautoschedule_li2018.so"))
    parameters = {"parallelism": os.environ["HL_NUM_THREADS"]}
    pipeline.apply_autoscheduler(hl.get_host_target(), hl.AutoschedulerParams("Li2018", parameters))
    return pipeline
