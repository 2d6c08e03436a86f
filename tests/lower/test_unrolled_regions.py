"""Regions whose ends follow from conditions have a largest extent, so that loops over them can be unrolled."""

from __future__ import annotations

import pytest

import pipec as hl

x, xo, xi = hl.vars("x xo xi")
CONDITIONS = {
    "one place": lambda p: (x == 5, x != 5),
    "a half": lambda p: (x < 5, x >= 5),
    "a Param": lambda p: (p < 3, p >= 3),
    "a place by a Param": lambda p: (x < p, x >= p),
    "remainders": lambda p: (x % 4 == 0, x % 4 != 0),
    "several": lambda p: ((x < 5) & (p < 3), x > p),
}
READERS = {
    "nested": lambda f, a, b: hl.select(a, f[x], hl.select(f[x + 2] > 7, 1, x)),
    "apart": lambda f, a, b: hl.select(a, f[x], 0) + hl.select(b, f[x + 3], 1),
    "both": lambda f, a, b: hl.select(a, f[x - 1], f[x + 1] * f[x]),
}


@pytest.mark.part(2)
@pytest.mark.parametrize("loop", ["xi", "xo"])
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_region_that_conditions_choose_is_unrolled(condition: str, reader: str, loop: str) -> None:
    p, f, g = hl.Param(hl.Int(32), 4), hl.Func("f"), hl.Func("g")
    f[x] = x * 3
    f[x] += 1
    g[x] = READERS[reader](f, *CONDITIONS[condition](p))
    expected = g.realize([21]).numpy().tolist()
    g.split(x, xo, xi, 8, hl.TailStrategy.GuardWithIf)
    f.compute_at(g, xi if loop == "xi" else xo).vectorize(x, 4, hl.TailStrategy.GuardWithIf).unroll(x)
    f.update().vectorize(x, 4, hl.TailStrategy.GuardWithIf).unroll(x)
    assert g.realize([21]).numpy().tolist() == expected
