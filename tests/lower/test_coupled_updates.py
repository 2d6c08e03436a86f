"""Atomic updates whose numbers depend on other elements or other numbers of a Tuple: their iterations take turns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pipec as hl

x = hl.Var("x")


def maximum_with_its_place(f: hl.Func, r: hl.RDom) -> None:
    f[x] = (-1, -1)
    place, value = r.x % 10, (r.x * 37) % 101
    is_larger = value > f[place][0]
    f[place] = (hl.select(is_larger, value, f[place][0]), hl.select(is_larger, r.x, f[place][1]))


def complex_product(f: hl.Func, r: hl.RDom) -> None:
    f[x] = (x + 1, 1)
    a, b = f[r.x % 10][0], f[r.x % 10][1]
    f[r.x % 10] = (a * r.x - b, a + b * r.x)


def other_elements(f: hl.Func, r: hl.RDom) -> None:
    f[x] = x
    f[r.x % 10] = f[r.x % 10 + 10] + 1


def neighbours(f: hl.Func, r: hl.RDom) -> None:
    f[x] = x
    f[r.x % 10] = f[r.x % 10] + f[(r.x + 1) % 10]


SCHEDULES: dict[str, Any] = {
    "threads": lambda update, r: update.parallel(r.x),
    "strips in threads": lambda update, r: update.parallel(r.x, 8),
    "vectors": lambda update, r: update.vectorize(r.x, 8),
    "threads and vectors": lambda update, r: update.parallel(r.x, 32).vectorize(r.x, 8),
}


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("define", [maximum_with_its_place, complex_product, other_elements, neighbours])
@pytest.mark.part(3)
def test_values_are_those_of_a_serial_loop(define: Any, schedule: str) -> None:
    results = []
    for scheduled in (False, True):
        f, r = hl.Func("f"), hl.RDom([(0, 128)])
        define(f, r)
        if scheduled:
            SCHEDULES[schedule](f.update(0).atomic(True), r)
        result = f.realize([20])
        results.append([np.asarray(buffer) for buffer in (result if isinstance(result, (list, tuple)) else [result])])
    for before, after in zip(*results, strict=True):
        np.testing.assert_array_equal(after, before)


def test_a_gpu_kernel_has_no_lock() -> None:
    f, r = hl.Func("f"), hl.RDom([(0, 128)])
    complex_product(f, r)
    f.update(0).atomic(True).gpu_blocks(r.x)
    with pytest.raises(hl.HalideError, match="atomic is not supported on a GPU for "):
        f.compile_to_lowered_stmt("unused", [], hl.StmtOutputFormat.Text, hl.Target("x86-64-linux-opencl"))
