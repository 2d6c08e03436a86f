"""Updates that add over the same domain become one, and the default schedule adds channels as vectors."""

from __future__ import annotations

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.li2018.merging import merge
from pipec.autoschedule.li2018.schedule import default_schedule
from pipec.func.functions.freeze import schedule_of
from pipec.ir.stmt import LoopKind
from pipec.schedule.loops import Mark

x, y, c = hl.vars("x y c")
ROW = hl.Buffer(np.arange(12, dtype=np.float32), "row")


def merged(f: hl.Func) -> int:
    """How many updates are left; the values stay what they were."""
    before = f.realize([8]).numpy().copy()
    merge(f.function)
    np.testing.assert_array_equal(f.realize([8]).numpy(), before)
    return len(f.function.stages) - 1


def test_sums_over_equal_domains_become_one() -> None:
    r, s = hl.RDom([(0, 6)], "r"), hl.RDom([(0, 6)], "s")
    f = hl.Func("f")
    f[x] = ROW[x]
    f[r.x] += ROW[r.x] * 2
    f[s.x + 1] += ROW[s.x + 3]
    f[7 - r.x] += 1.0
    assert merged(f) == 1


def test_other_domains_conditions_and_operators_keep_updates_apart() -> None:
    r, s, t = hl.RDom([(0, 6)], "r"), hl.RDom([(0, 5)], "s"), hl.RDom([(0, 6)], "t")
    t.where(t.x > 2)
    f = hl.Func("f")
    f[x] = ROW[x]
    f[r.x] += ROW[r.x]
    f[s.x] += ROW[s.x]
    f[t.x] += 1.0
    f[r.x] = hl.max(f[r.x], 2.0)
    f[r.x] += f[r.x + 1]
    assert merged(f) == 5


def test_updates_of_a_row_and_of_a_column_stay_apart() -> None:
    r, s = hl.RDom([(0, 8)], "r"), hl.RDom([(0, 8)], "s")
    f, g = hl.Func("f"), hl.Func("g")
    f[x, y] = 0.0
    f[0, y] += ROW[r.x] * y
    f[x, 3] += ROW[s.x] * x
    g[x] = f[x, 3] + f[0, x]
    expected = g.realize([8]).numpy().copy()
    assert not merge(f.function)
    np.testing.assert_array_equal(g.realize([8]).numpy(), expected)


@pytest.mark.parametrize("threads", [1, 2])
def test_sums_into_elements_by_number_are_merged_and_factored(threads: int) -> None:
    random = np.random.default_rng(4)
    image = hl.Buffer(random.standard_normal((40, 300)).astype(np.float32), "image")
    r = hl.RDom([(0, 300), (0, 40)], "r")

    def make() -> hl.Func:
        f = hl.Func("f")
        f[x] = 0.0
        f[2] += image[r.x, r.y]
        f[0] += image[r.x, r.y] * image[r.x, r.y]
        return f

    expected, f = make().realize([3]).numpy(), make()
    default_schedule([f.function], sizes={f.name(): [(0, 3)]}, threads=threads)
    assert len(f.function.stages) == 2
    np.testing.assert_allclose(f.realize([3]).numpy(), expected, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("threads", [1, 2])
def test_many_elements_that_threads_divide_are_merged(threads: int) -> None:
    table = hl.Buffer(np.random.default_rng(5).integers(0, 70, 300, dtype=np.int32), "table")
    r = hl.RDom([(0, 300)], "r")

    def make() -> hl.Func:
        f = hl.Func("f")
        at = hl.clamp(table[r.x], 0, 70)
        f[x, y] = 0.0
        f[at, y] += hl.f32(r.x)
        f[at + 1, y] += 1.0
        return f

    expected, f = make().realize([80, 40]).numpy(), make()
    default_schedule([f.function], sizes={f.name(): [(0, 80), (0, 40)]}, threads=threads)
    np.testing.assert_array_equal(f.realize([80, 40]).numpy(), expected)


@pytest.mark.parametrize("threads", [1, 2])
def test_channels_that_scatter_to_one_place_are_vectors(threads: int) -> None:
    random = np.random.default_rng(3)
    image = hl.Buffer(random.standard_normal((3, 60, 50)).astype(np.float32), "image")
    places = hl.Buffer(random.integers(0, 19, (2, 60, 50), dtype=np.int32), "places")
    r = hl.RDom([(0, 50), (0, 60)], "r")

    def make() -> hl.Func:
        f = hl.Func("f")
        px, py = hl.clamp(places[r.x, r.y, 0], 0, 18), hl.clamp(places[r.x, r.y, 1], 0, 18)
        f[x, y, c] = 0.0
        f[px, py, c] += image[r.x, r.y, c]
        f[px + 1, py, c] += image[r.x, r.y, c] * 0.5
        return f

    expected, f = make().realize([20, 19, 3]).numpy(), make()
    f.bound(c, 0, 3)
    default_schedule([f.function], sizes={f.name(): [(0, 20), (0, 19), (0, 3)]}, threads=threads)
    marks = [d for d in schedule_of([f.function]).directives if isinstance(d, Mark)]
    assert any(d.kind is LoopKind.VECTORIZED and d.var.startswith("c") and d.stage.stage == 1 for d in marks)
    assert "for x" in str(f.function.schedule) or len(f.function.stages) == 2
    np.testing.assert_allclose(f.realize([20, 19, 3]).numpy(), expected, rtol=1e-5, atol=1e-4)
