"""Conditions on one dimension of a kernel's grid do not part it from the others."""

from __future__ import annotations

import pipec as hl
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.jit.opencl.kernels import split
from pipec.lower.lower import lower

TARGET = hl.Target("x86-64-linux-opencl")


def test_a_condition_on_the_outer_blocks_is_no_error() -> None:
    x, y = hl.vars("x y")
    f, limit = hl.Func("limited"), hl.Param(hl.Int(32), "limit")
    r = hl.RDom([(0, 8), (0, 8)], "r")
    r.where(r.y < limit)
    f[x, y] = 0
    f[r.x, r.y] = r.x
    f.update().gpu_blocks(r.x, r.y)
    definition, _ = freeze([f.function])
    device = split(lower(definition, schedule_of([f.function]), TARGET)).device
    assert device is not None
    assert "limit" in device.text
