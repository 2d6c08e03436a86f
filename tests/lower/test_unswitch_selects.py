"""Values that no iteration of an innermost loop chooses are chosen before it, in a loop of their own each."""

from __future__ import annotations

import numpy as np

import pipec as hl
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.ir.expr import Load, Select
from pipec.ir.stmt import For, Stmt
from pipec.ir.walk import instances
from pipec.lower.lower import lower

x, y, c = hl.vars("x y c")


def _innermost(func: hl.Func) -> list[For]:
    program = lower(freeze([func.function])[0], schedule_of([func.function]), hl.get_host_target())
    return [loop for loop in instances(For, program.body) if not any(instances(For, loop.body))]


def _planes(count: int) -> tuple[hl.Func, hl.ImageParam]:
    image, f = hl.ImageParam(hl.Float(32), 3, "image"), hl.Func("f")
    f[x, y, c] = hl.mux(c, [image[x, y, k] * (k + 2) + k for k in range(count)])
    f.vectorize(x, 8)
    return f, image


def _loads(stmt: Stmt) -> int:
    return len([load for load in instances(Load, stmt) if load.buffer.startswith("image")])


def test_each_plane_of_a_mux_has_a_loop_of_its_own() -> None:
    f, image = _planes(5)
    assert {_loads(loop.body) for loop in _innermost(f)} == {1}
    pixels = np.random.default_rng(0).random((5, 6, 43)).astype(np.float32)
    image.set(hl.Buffer(pixels))
    factors = np.arange(2, 7, dtype=np.float32)[:, None, None]
    assert np.allclose(np.asarray(f.realize([43, 6, 5])), pixels * factors + (factors - 2), rtol=1e-6)


def test_planes_beyond_the_last_one_are_the_last_one() -> None:
    f, image = _planes(3)
    image.set(hl.Buffer(np.ones((3, 2, 40), np.float32)))
    assert np.asarray(f.realize([40, 2, 6]))[:, 0, 0].tolist() == [2, 4, 6, 6, 6, 6]


def test_a_filter_with_a_flag_computes_one_of_its_variants() -> None:
    image, flag, f = hl.ImageParam(hl.Float(32), 2, "image"), hl.Param(hl.Bool(), "flag"), hl.Func("f")
    f[x, y] = hl.select(flag, hl.sqrt(image[x, y]) * image[x + 1, y] + 1, image[x + 2, y] * image[x + 3, y] - 2)
    f.vectorize(x, 8)
    assert {_loads(loop.body) for loop in _innermost(f)} == {2}
    pixels = np.random.default_rng(1).random((4, 40)).astype(np.float32)
    image.set(hl.Buffer(pixels))
    for value in (True, False):
        flag.set(value)
        a, b = pixels[:, :37], pixels[:, 1:38]
        expected = np.sqrt(a) * b + 1 if value else pixels[:, 2:39] * pixels[:, 3:40] - 2
        assert np.allclose(np.asarray(f.realize([37, 4])), expected, rtol=1e-5)


def test_what_each_vector_chooses_and_what_takes_no_work_stay_selects() -> None:
    image, limit, f, g = hl.ImageParam(hl.Float(32), 2, "image"), hl.Param(hl.Int(32), "limit"), *hl.funcs("f g")
    f[x, y] = hl.select(x < limit, hl.sqrt(image[x, y]) * 2 + 1, image[x, y + 1] * 3 + 5)
    g[x, y] = image[x, y] * hl.select(y < limit, 2.0, hl.f32(limit))
    for func in (f, g):
        func.vectorize(x, 8)
        assert any(any(instances(Select, loop.body)) for loop in _innermost(func)), func.name()


def test_conditions_that_loads_decide_stay() -> None:
    image, table, f = hl.ImageParam(hl.Float(32), 2, "image"), hl.ImageParam(hl.Int(32), 1, "table"), hl.Func("f")
    f[x, y] = hl.f32(0)
    f[x, y] = hl.select(table[y] > 0, f[x, y] * 2 + image[x, y], f[x, y] * image[x, y + 1] - 3)
    f.update().vectorize(x, 8)
    assert sum(_loads(loop) == 2 for loop in _innermost(f)) == 1
