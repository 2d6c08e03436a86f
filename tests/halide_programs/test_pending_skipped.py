"""Stages whose values are not read this time: Halide's programs about skipped stages."""

import numpy as np
import pytest
from helpers import check


@pytest.fixture
def count(trace):
    def stores(*funcs):
        events = trace()
        return [len(events.stores(f)) for f in funcs]

    return stores


def chosen_sides(hl):
    """A diamond of which a Param chooses one side."""
    x, toggle = hl.Var("x"), hl.Param(hl.Bool(), "toggle")
    a, b, c, d = (hl.Func(name) for name in "abcd")
    a[x] = x
    b[x] = a[x] + 1
    c[x] = a[x] + 2
    d[x] = hl.select(toggle, b[x], c[x])
    for func in (a, b, c):
        func.compute_root()
    return toggle, b, c, d


def test_only_the_side_that_is_chosen_is_computed(hl, count):
    toggle, b, c, d = chosen_sides(hl)
    b.trace_stores(), c.trace_stores()
    for value in (True, False):
        toggle.set(value)
        check(d.realize([10]), np.arange(10) + (1 if value else 2))
        assert count(b, c) == ([10, 0] if value else [0, 10])


def toggles(hl, schedule):
    x, xo, xi = hl.Var("x"), hl.Var("xo"), hl.Var("xi")
    first, second = hl.Param(hl.Bool(), "first"), hl.Param(hl.Bool(), "second")
    a, b, c, d = (hl.Func(name) for name in "abcd")
    a[x] = x
    b[x] = a[x] + 1
    c[x] = a[x] + 1
    d[x] = hl.select(first, b[x], 0) + hl.select(second, c[x], 0)
    if schedule == "root":
        for func in (a, b, c):
            func.compute_root()
    else:
        d.split(x, xo, xi, 5)
        a.compute_at(d, xo)
        b.store_root().compute_at(d, xo)
        c.store_at(d, xo).compute_at(d, xi)
    for func in (a, b, c):
        func.trace_stores()
    return first, second, a, b, c, d


@pytest.mark.parametrize("schedule", ["root", "inside of loops"])
@pytest.mark.parametrize("values", [(True, True), (False, True), (True, False), (False, False)])
def test_what_nobody_reads_is_not_computed(hl, count, schedule, values):
    first, second, a, b, c, d = toggles(hl, schedule)
    first.set(values[0])
    second.set(values[1])
    check(d.realize([10]), (np.arange(10) + 1) * sum(values))
    assert count(a, b, c) == [10 * any(values), 10 * values[0], 10 * values[1]]


@pytest.mark.parametrize("both", [True, False])
def test_all_values_of_a_tuple_or_none(hl, count, both):
    x, toggle = hl.Var("x"), hl.Param(hl.Bool(), "toggle")
    f, g = hl.Func("f"), hl.Func("g")
    f[x] = (x, x + 1)
    g[x] = hl.select(toggle, f[x][0], 0) + (f[x][1] if both else 0)
    f.compute_root().trace_stores()
    for value in (True, False):
        toggle.set(value)
        check(g.realize([10]), np.arange(10) * value + (np.arange(10) + 1) * both)
        assert count(f)[0] == (10 if value or both else 0)
