"""Updates in place become part of the pure definition, and their sums Funcs of their own."""

from __future__ import annotations

import numpy as np

import pipec as hl
from pipec.autoschedule.li2018.folding import fold

x, y, r = hl.Var("x"), hl.Var("y"), hl.RDom([(0, 3)], "r")
ROW = hl.Buffer(np.arange(12, dtype=np.float32), "row")


def folded(f: hl.Func) -> int:
    """How many sums there are; the values stay what they were."""
    before = f.realize([8]).numpy().copy()
    sums = fold(f.function, lambda number: True)
    np.testing.assert_array_equal(f.realize([8]).numpy(), before)
    return len(sums)


def test_updates_without_loops_are_written_into_the_definition() -> None:
    f = hl.Func("f")
    f[x] = ROW[x]
    f[x] = f[x] * f[x] + 1
    f[x] += ROW[x + 1]
    assert folded(f) == 0
    assert len(f.function.stages) == 1


def test_sums_with_conditions_are_funcs_of_their_own() -> None:
    f, positive = hl.Func("f"), hl.RDom([(0, 3)], "positive")
    positive.where(x >= positive.x)
    f[x] = ROW[x]
    f[x] += ROW[x + r.x] * 2
    f[x] += ROW[hl.max(x - positive.x, 0)]
    assert folded(f) == 2
    assert len(f.function.stages) == 1


def test_sums_pass_other_sums_but_nothing_else() -> None:
    f = hl.Func("f")
    f[x] = ROW[x]
    f[2] += ROW[r.x]
    f[x] += ROW[x + r.x]
    assert folded(f) == 1
    assert len(f.function.stages) == 2
    g = hl.Func("g")
    g[x] = ROW[x]
    g[2] = ROW[r.x]
    g[x] += ROW[x + r.x]
    assert folded(g) == 0
    assert len(g.function.stages) == 3


def test_values_of_tuples_are_summed_together() -> None:
    f, g = hl.Func("f"), hl.Func("g")
    f[x] = (ROW[x], 1.0)
    f[x] = (f[x][0] + ROW[x + r.x] * ROW[x], f[x][1] + ROW[x + r.x])
    g[x] = f[x][0] / f[x][1]
    before = g.realize([8]).numpy().copy()
    assert len(fold(f.function, lambda number: True)) == 1
    np.testing.assert_allclose(g.realize([8]).numpy(), before, rtol=1e-6)


def test_reads_of_other_elements_and_sums_of_few_stay() -> None:
    f = hl.Func("f")
    f[x] = ROW[x]
    f[r.x] += f[r.x + 1]
    assert folded(f) == 0
    g = hl.Func("g")
    g[x] = 0.0
    g[x] += ROW[x + r.x]
    assert fold(g.function, lambda number: False) == []
    assert len(g.function.stages) == 2
