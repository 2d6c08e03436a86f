"""Funcs that end while others live on, and that refer to themselves: Halide's programs about them."""

import gc

import pytest
from helpers import check, grid


def test_the_end_of_a_func_leaves_the_others(hl):
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    f[x, y] = x * y + 1
    xs, ys = grid(8, 6)
    check(f.realize([8, 6]), xs * ys + 1)
    other = hl.Func("other")
    other[x, y] = x * y + 2
    check(other.realize([8, 6]), xs * ys + 2)
    del other
    gc.collect()
    check(f.realize([8, 6]), xs * ys + 1)


def resident():
    """The pages of this process that are in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1])


@pytest.mark.part(2)
def test_funcs_that_refer_to_themselves_are_freed(hl):
    def define():
        x, r, f, g = hl.Var("x"), hl.RDom([(0, 10)]).x, hl.Func("f"), hl.Func("g")
        f[x] = x
        f[r] = f[r - 1] + f[r + 1]
        g[x] = f[x]
        f.in_(g).compute_root()

    for _ in range(100):
        define()
    gc.collect()
    before = resident()
    for _ in range(700):
        define()
    gc.collect()
    assert resident() - before < 1000
