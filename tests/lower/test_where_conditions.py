"""Conditions of reduction domains that read what the loops inside them change."""

import numpy as np
import pytest

import pipec as hl
from pipec.errors import DefinitionError

x, y, u, xo, xi = hl.vars("x y u xo xi")
ro, ri = hl.RVar("ro"), hl.RVar("ri")


def array(buffer):
    return np.asarray(buffer).tolist()


def conditional_sum():
    """f(x) = x, then f(x) += r as long as f(x) < 7."""
    f, r = hl.Func("f"), hl.RDom([(0, 10)], "r")
    f[x] = x
    r.where(f[x] < 7)
    f[x] += r
    return f, r


def conditional_sums():
    result = []
    for total in range(9):
        for step in range(10):
            total += step if total < 7 else 0
        result.append(total)
    return result


SCHEDULES = {
    "none": lambda f, r: f,
    "vectors": lambda f, r: f.update().vectorize(x, 4),
    "vectors inside": lambda f, r: f.update().reorder(x, r.x).vectorize(x, 4),
    "unrolled": lambda f, r: f.update().unroll(r.x, 2).vectorize(x, 4),
    "threads": lambda f, r: f.update().parallel(x),
    "split": lambda f, r: f.update().split(r.x, ro, ri, 3),
    "split twice": lambda f, r: f.update().split(r.x, ro, ri, 3).split(x, xo, xi, 2).reorder(ri, xi, ro, xo),
    "specialized": lambda f, r: f.update().specialize(f.output_buffer().dim(0).extent() > 3).vectorize(x, 4),
}


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_a_condition_on_the_updated_func_is_asked_in_each_iteration(schedule):
    f, r = conditional_sum()
    SCHEDULES[schedule](f, r)
    assert array(f.realize([9])) == conditional_sums()


@pytest.mark.opencl
def test_a_condition_on_the_updated_func_in_a_kernel():
    f, r = conditional_sum()
    f.update().gpu_tile(x, xo, xi, 4)
    assert array(f.realize([9], hl.Target("host-opencl"))) == conditional_sums()


def test_a_condition_on_the_updated_func_computed_inside_a_consumer():
    f, _ = conditional_sum()
    g = hl.Func("g")
    g[x] = f[x] + f[x + 1]
    f.compute_at(g, x)
    sums = conditional_sums()
    assert array(g.realize([8])) == [a + b for a, b in zip(sums, sums[1:], strict=False)]


def test_a_condition_on_the_updated_func_in_shared_loops():
    (f, _), (g, _) = conditional_sum(), conditional_sum()
    h = hl.Func("h")
    h[x] = 100 * f[x] + g[x]
    f.compute_root(), g.compute_root()
    g.update().compute_with(f.update(), x)
    assert array(h.realize([9])) == [101 * value for value in conditional_sums()]


def test_conditions_on_elements_of_a_tuple_and_of_several_updates():
    f, r, q = hl.Func("f"), hl.RDom([(0, 10)], "r"), hl.RDom([(0, 10)], "q")
    f[x] = (0, 5)
    r.where(f[x][1] < 9)
    f[x] = (r + 1, f[x][1] + x)
    q.where(f[x][0] < 7)
    f[x] = (f[x][0] + q, f[x][1])
    expected = []
    for at in range(4):
        a, b = 0, 5
        for step in range(10):
            a, b = (step + 1, b + at) if b < 9 else (a, b)
        for step in range(10):
            a += step if a < 7 else 0
        expected.append((a, b))
    assert list(zip(*map(array, f.realize([4])), strict=True)) == expected


def test_a_condition_on_one_element_of_the_updated_func():
    f, r = hl.Func("f"), hl.RDom([(0, 10), (0, 4)], "r")
    f[x] = 0
    r.where(f[0] < 7)
    f[r.y] += 1
    assert array(f.realize([5])) == [7, 0, 0, 0, 0]


PLACES = {
    "root": lambda f, g, r: g.compute_root(),
    "where it is used": lambda f, g, r: g.compute_at(f, r.x),
    "outer RVar": lambda f, g, r: g.compute_at(f, r.y),
    "pure variable": lambda f, g, r: g.compute_at(f, x),
    "stored outside": lambda f, g, r: g.store_at(f, y).compute_at(f, r.y),
    "vectors": lambda f, g, r: (f.update().vectorize(x, 4, hl.TailStrategy.GuardWithIf), g.compute_at(f, r.y)),
    "threads": lambda f, g, r: (f.update().parallel(y), g.compute_at(f, r.y)),
    "split": lambda f, g, r: (f.update().split(r.x, ro, ri, 4), g.compute_at(f, ro)),
    "unrolled": lambda f, g, r: (f.update().unroll(r.x, 3), g.compute_at(f, r.x)),
    "reordered": lambda f, g, r: (f.update().reorder(x, r.x, y, r.y), g.compute_at(f, r.x)),
    "specialized": lambda f, g, r: (
        f.update().specialize(f.output_buffer().dim(0).extent() > 3).unroll(r.x, 2), g.compute_at(f, r.y)
    ),
    "none": lambda f, g, r: None,
}  # fmt: skip


@pytest.mark.parametrize("with_update", [False, True], ids=["pure", "updated"])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.part(3)
def test_a_func_that_only_a_condition_reads_is_computed_before_it(place, with_update):
    f, g, r = hl.Func("f"), hl.Func("g"), hl.RDom([(0, 6), (0, 4)], "r")
    g[x, y] = (x + 2 * y) % 5
    if with_update:
        g[x, y] += 1
    f[x, y] = 0
    r.where(g[x, r.y] > 2)
    r.where(f[x, y] < 11)
    f[x, y] += r.x + r.y
    PLACES[place](f, g, r)
    expected = np.zeros((5, 7), int)
    for row, column, b, a in np.ndindex(5, 7, 4, 6):
        if (column + 2 * b) % 5 + with_update > 2 and expected[row, column] < 11:
            expected[row, column] += a + b
    assert array(f.realize([7, 5])) == expected.tolist()


def test_a_condition_that_reads_comes_after_those_that_keep_its_coordinates_in_bounds():
    f, g, r = hl.Func("f"), hl.Func("g"), hl.RDom([(0, 10), (0, 10)], "r")
    g[x] = x
    g.compute_root()
    f[x] = 0
    r.where(g[r.x * r.x + r.y] > 4)
    r.where(r.y < r.x)
    f[x] += r.y
    assert array(f.realize([2])) == [sum(b for a in range(10) for b in range(a) if a * a + b > 4)] * 2


def test_bounds_of_a_domain_do_not_call_funcs():
    g = hl.Func("g")
    g[x] = 3
    with pytest.raises(DefinitionError, match="These depend on a call to the Func g"):
        hl.RDom([(0, g[0])], "r")


TABLE = np.arange(100, dtype=np.int32) % 7 + 1


def test_a_clamp_to_the_updated_func_stays_in_the_loop():
    f, r = hl.Func("f"), hl.RDom([(0, 50)], "r")
    f[x] = 60
    f[0] -= hl.Buffer(TABLE)[hl.clamp(r, 0, hl.clamp(f[0], 0, 99))]
    total = 60
    for step in range(50):
        total -= int(TABLE[min(step, max(total, 0))])
    assert array(f.realize([2])) == [total, 60]


def test_a_likely_comparison_with_the_updated_func_stays_in_the_loop():
    f, r = hl.Func("f"), hl.RDom([(0, 50)], "r")
    f[x] = 60
    f[0] -= hl.select(hl.likely(r < f[0]), r, 1)
    total = 60
    for step in range(50):
        total -= step if step < total else 1
    assert array(f.realize([2])) == [total, 60]


def test_a_likely_comparison_with_what_the_loop_computes_stays_in_it():
    f, g = hl.Func("f"), hl.Func("g")
    g[x] = x * 5 % 7 + 3
    f[x, y] = hl.select(y < g[0], hl.likely(x), -x)
    g.compute_at(f, y)
    assert array(f.realize([3, 7])) == [[0, 1, 2] if row < 3 else [0, -1, -2] for row in range(7)]
