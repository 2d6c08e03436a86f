"""Values that all iterations of a loop need are computed by the first one, and stay in memory for the others."""

import numpy as np
import pytest

import pipec as hl

x, y, z = hl.vars("x y z")


@pytest.mark.parametrize("level", [x, y])
def test_what_all_rows_share_is_not_folded(level):
    f, g = hl.funcs("f g")
    f[x, y] = x * 7 + 3
    g[x, y] = f[x, 0]
    f.store_root().compute_at(g, level)
    np.testing.assert_array_equal(g.realize([4, 3]), np.tile(np.arange(4) * 7 + 3, (3, 1)))


def test_what_all_planes_share_is_not_folded_along_rows():
    f, g = hl.funcs("f g")
    f[x, y] = x * 7 + y
    g[x, y, z] = f[x, y] + f[x, y + 1]
    f.store_root().compute_at(g, y)
    rows, columns = np.mgrid[0:5, 0:4]
    np.testing.assert_array_equal(g.realize([4, 5, 3]), np.stack([columns * 14 + 2 * rows + 1] * 3))


@pytest.mark.parametrize("tail", ["ShiftInwards", "RoundUp", "GuardWithIf"])
@pytest.mark.parametrize("backwards", [False, True])
def test_values_that_all_iterations_share_are_not_overwritten_by_wider_windows(tail, backwards):
    xi = hl.Var("xi")
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
