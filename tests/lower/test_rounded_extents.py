"""Constant extents of what is read at coordinates that are rounded floats."""

from __future__ import annotations

import numpy as np
import pytest

import pipec as hl

COORDINATES = {
    "cast": lambda v: hl.i32(hl.f32(v)),
    "floor": lambda v: hl.i32(hl.floor(v / 2.0)),
    "ceil": lambda v: hl.i32(hl.ceil(hl.f64(v) * 0.75)),
    "round": lambda v: hl.i32(hl.round(v * 1.5)),
    "trunc": lambda v: hl.i32(hl.trunc(v - 2.5)),
}


@pytest.mark.parametrize("expected", [False, True], ids=["bound", "expect_bounds"])
@pytest.mark.parametrize("name", COORDINATES)
def test_loops_over_what_is_read_at_rounded_coordinates_can_be_unrolled(name: str, expected: bool) -> None:
    x, y = hl.vars("x y")
    read, out, unscheduled = hl.funcs("read out unscheduled")
    read[x, y] = 10 * x + y
    out[x, y] = read[COORDINATES[name](x), 1] + read[1, y]
    unscheduled[x, y] = 10 * hl.i32(COORDINATES[name](x)) + 1 + 10 + y
    (out.expect_bounds if expected else out.bound)(x, 0, 4)
    read.compute_root().unroll(x)
    np.testing.assert_array_equal(out.realize([4, 3]), unscheduled.realize([4, 3]))
