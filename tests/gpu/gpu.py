"""Pipelines with a schedule for the GPU against the same ones without any."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import pipec as hl
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.jit.opencl.kernels import split
from pipec.lower.lower import lower

TARGET = hl.Target("host-opencl")


def kernel_text(output: Any, target: Any = TARGET) -> str:
    """The device code of a Func."""
    definition, _ = freeze([output.function])
    device = split(lower(definition, schedule_of([output.function]), target)).device
    assert device is not None
    return device.text


def realized(output: Any, size: Sequence[int], target: Any = None) -> list[np.ndarray]:
    result = output.realize(list(size), target=target) if target else output.realize(list(size))
    return [np.array(buffer) for buffer in (result if isinstance(result, tuple | list) else [result])]


def same_on_gpu(
    make: Callable[[], Any],
    schedule: Callable[[Any], Any],
    sizes: Sequence[Sequence[int]] = ((40, 35),),
    rtol: float = 0.0,
) -> None:
    """`make()` gives Funcs, the last of them the output; `schedule(funcs)` places them. Pixels stay as they are."""
    plain, placed = make(), make()
    schedule(placed)
    for size in sizes:
        expected, actual = realized(plain[-1], size), realized(placed[-1], size, TARGET)
        for want, got in zip(expected, actual, strict=True):
            if rtol:
                np.testing.assert_allclose(got, want, rtol=rtol, err_msg=f"size {size}")
            else:
                np.testing.assert_array_equal(got, want, err_msg=f"size {size}")
