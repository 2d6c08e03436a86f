"""Splits that compute more than their interval: fused variables, sliding windows, updates, folded storage."""

import numpy as np
import pytest

import pipec as hl

T = hl.TailStrategy
x, y, a, b, c, d = hl.vars("x y a b c d")
TAILS = [T.RoundUp, T.ShiftInwards, T.GuardWithIf, T.Predicate, T.ShiftInwardsAndBlend, T.RoundUpAndBlend]


def pixels(schedule=None, update=True):
    """A window of three columns; its producer may have an update that must be done once."""
    f, g = hl.Func("f"), hl.Func("g")
    f[x, y] = x * x * 3 + y
    if update:
        f[x, y] = f[x, y] * 2 + 1
    g[x, y] = f[x - 2, y] + f[x, y]
    if schedule is not None:
        schedule(f, g)
    return np.array(g.realize([12, 3]))


@pytest.mark.parametrize("update", [False, True])
@pytest.mark.parametrize("tail", TAILS, ids=lambda tail: tail.name)
def test_a_producer_split_along_the_window(tail, update):
    def schedule(f, g):
        f.split(x, a, b, 4, tail).compute_at(g, x).store_at(g, y)

    np.testing.assert_array_equal(pixels(schedule, update), pixels(update=update))


@pytest.mark.parametrize("update", [False, True])
def test_a_split_of_a_split_along_the_window(update):
    def schedule(f, g):
        f.split(x, a, b, 4, T.Predicate).split(a, c, d, 3, T.ShiftInwards).compute_at(g, x).store_at(g, y)

    np.testing.assert_array_equal(pixels(schedule, update), pixels(update=update))


def test_an_update_split_along_the_window():
    def schedule(f, g):
        f.update(0).split(x, a, b, 4, T.RoundUp)
        f.compute_at(g, x).store_at(g, y)

    np.testing.assert_array_equal(pixels(schedule), pixels())


@pytest.mark.parametrize("tail", [T.ShiftInwards, T.GuardWithIf, T.RoundUp], ids=lambda tail: tail.name)
def test_a_consumer_split_along_the_window(tail):
    def schedule(f, g):
        g.split(x, a, b, 5, tail)
        f.compute_at(g, a).store_at(g, y)

    np.testing.assert_array_equal(pixels(schedule), pixels())


@pytest.mark.parametrize("size", [(1, 1), (2, 3), (5, 1), (7, 4)])
@pytest.mark.parametrize("tail", TAILS, ids=lambda tail: tail.name)
def test_a_split_of_a_fused_variable(tail, size):
    f = hl.Func("f")
    f[x, y] = x + 10 * y
    f.fuse(x, y, c).split(c, a, b, 3, tail)
    expected = np.arange(size[0]) + 10 * np.arange(size[1])[:, None]
    np.testing.assert_array_equal(np.asarray(f.realize(list(size))), expected)


@pytest.mark.parametrize("tail", TAILS, ids=lambda tail: tail.name)
def test_a_split_of_a_variable_fused_twice(tail):
    f, g, z = hl.Func("f"), hl.Func("g"), hl.Var("z")
    g[x, y, z] = x + 10 * y + 100 * z
    f[x, y, z] = g[x, y, z] + 1
    f.fuse(x, y, c).fuse(c, z, d).split(d, a, b, 4, tail)
    g.compute_at(f, a)
    result = np.asarray(f.realize([3, 2, 3]))
    expected = np.arange(3) + 10 * np.arange(2)[:, None] + 100 * np.arange(3)[:, None, None] + 1
    np.testing.assert_array_equal(result, expected)


def test_a_mirrored_read_at_the_only_point_of_a_reduction():
    image = hl.Buffer(np.arange(6, dtype=np.int32).reshape(2, 3))
    mirrored = hl.BoundaryConditions.mirror_image(image)
    r = hl.RDom([(0, 2), (1, 1)])
    f = hl.Func("f")
    f[x] = 0
    f[x] += mirrored[x + r.x, r.y]
    np.testing.assert_array_equal(np.asarray(f.realize([3])), [3 + 4, 4 + 5, 5 + 5])


def test_a_split_of_the_outer_part_of_an_even_split():
    f, g = hl.Func("f"), hl.Func("g")
    f[x, y] = x + 10 * y
    g[x, y] = f[1, 1]
    f.split(x, a, b, 1).split(a, c, d, 5, T.ShiftInwards).compute_at(g, x)
    assert np.asarray(g.realize([1, 1])).tolist() == [[11]]


@pytest.mark.parametrize("outer", [T.GuardWithIf, T.RoundUp, T.ShiftInwards, T.Auto], ids=lambda tail: tail.name)
@pytest.mark.parametrize("inner", [T.RoundUp, T.ShiftInwards, T.GuardWithIf, T.Auto], ids=lambda tail: tail.name)
@pytest.mark.parametrize("loop", ["vectorize", "unroll"])
@pytest.mark.part(3)
def test_a_block_computes_nothing_of_the_next_one(outer, inner, loop):
    """The producer holds what the block reads, and blocks run at the same time."""
    f, g = hl.Func("f"), hl.Func("g")
    f[x] = 5 * x + 1
    g[x] = f[x] + 1
    g.split(x, a, b, 16, outer).parallel(a)
    getattr(g, loop)(b, 3, inner)
    f.compute_at(g, a)
    np.testing.assert_array_equal(np.array(g.realize([40_000])), 5 * np.arange(40_000) + 2)
