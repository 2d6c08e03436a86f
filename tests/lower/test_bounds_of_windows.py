"""bound_storage() and bound_extent() of a Func that is computed once for each iteration of a loop."""

import numpy as np
import pytest

import pipec as hl

x, y = hl.vars("x y")


def test_the_check_stands_outside_of_the_loops_that_share_the_values():
    f, g = hl.funcs("f g")
    f[x, y] = x + y * 3
    g[x, y] = f[x, x]
    f.store_root().compute_at(g, x).bound_storage(x, 32)
    np.testing.assert_array_equal(g.realize([5, 4]), np.tile(np.arange(5) * 4, (4, 1)))
    with pytest.raises(hl.HalideError, match=r"allocation bound \(32\) of dimension x of f"):
        g.realize([50, 4])


@pytest.mark.parametrize("bound", [2, 4])
def test_what_windows_of_a_bounded_extent_read_is_computed_for_all_of_them(bound):
    a, b = hl.vars("a b")
    f, g, h = hl.funcs("f g h")
    f[x] = x + 1
    g[x] = f[x]
    h[x] = g[x]
    h.split(x, a, b, 2, hl.TailStrategy.RoundUp)
    f.compute_root()
    g.compute_at(h, a).bound_extent(x, bound)
    np.testing.assert_array_equal(h.realize([8]), np.arange(1, 9))
