"""Values that the first iteration of a loop computes, and all others use."""

from __future__ import annotations

import numpy as np
import pytest

import pipec as hl


@pytest.mark.parametrize("tail", ["ShiftInwards", "RoundUp", "GuardWithIf"])
@pytest.mark.parametrize("backwards", [False, True])
def test_values_that_all_iterations_share_are_not_overwritten_by_wider_windows(tail, backwards):
    x, y, xi = hl.vars("x y xi")
    image = hl.ImageParam(hl.Int(32), 1, "image")
    first, shared, output = hl.funcs("first shared output")
    first[x] = image[x] * 3
    shared[x] = first[x] + 1
    output[x, y] = shared[31 - x if backwards else x] * (y + 1)
    shared.store_root().compute_at(output, x).split(x, x, xi, 8, getattr(hl.TailStrategy, tail)).vectorize(xi)
    first.compute_at(output, x)
    values = np.arange(32, dtype=np.int32)
    image.set(values)
    result = np.asarray(output.realize([32, 3]))
    row = (values * 3 + 1)[:: -1 if backwards else 1]
    np.testing.assert_array_equal(result, np.arange(1, 4)[:, None] * row)
