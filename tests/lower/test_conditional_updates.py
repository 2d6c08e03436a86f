"""Updates under `where`: their elements stay in registers, and nothing is read or written that is not theirs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pipec as hl

x, y = hl.Var("x"), hl.Var("y")
WIDTH, HEIGHT, WINDOW = 45, 7, 5
IMAGE = np.random.default_rng(3).integers(0, 100, (HEIGHT + WINDOW, WIDTH + WINDOW)).astype(np.uint8)
COLUMN = np.broadcast_to(np.arange(WIDTH), (HEIGHT, WIDTH))


def disc(i: Any, j: Any, pixel: Any, column: Any) -> Any:
    return (i - 2) * (i - 2) + (j - 2) * (j - 2) <= 5


def bright(i: Any, j: Any, pixel: Any, column: Any) -> Any:
    return pixel > 40


def below_diagonal(i: Any, j: Any, pixel: Any, column: Any) -> Any:
    return i + j <= column % 7


def left(i: Any, j: Any, pixel: Any, column: Any) -> Any:
    return column + 0 * i < 20


CONDITIONS: list[Callable[..., Any]] = [disc, bright, below_diagonal, left]
TAILS = [hl.TailStrategy.GuardWithIf, hl.TailStrategy.PredicateStores, hl.TailStrategy.RoundUp]


def window_sums(condition: Callable[..., Any]) -> Any:
    """The sums of those pixels of each window for which the condition holds, by numpy."""
    total = np.zeros((HEIGHT, WIDTH), np.int32)
    for j in range(WINDOW):
        for i in range(WINDOW):
            pixel = IMAGE[j : j + HEIGHT, i : i + WIDTH].astype(np.int32)
            total += np.where(condition(i, j, pixel, COLUMN), pixel, 0)
    return total


def sums_of(condition: Callable[..., Any]) -> tuple[hl.Func, hl.ImageParam, hl.RDom]:
    image, f, r = hl.ImageParam(hl.UInt(8), 2, "image"), hl.Func("f"), hl.RDom([(0, WINDOW), (0, WINDOW)], "r")
    image.set(hl.Buffer(IMAGE))
    f[x, y] = 0
    pixel = hl.i32(image[x + r.x, y + r.y])
    r.where(condition(r.x, r.y, pixel, x))
    f[x, y] += pixel
    return f, image, r


@pytest.mark.part(3)
@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("order", ["window inside", "window outside"])
def test_vectors_of_conditional_sums_are_right(condition: Callable[..., Any], tail: Any, order: str) -> None:
    f, _, r = sums_of(condition)
    g, xo, xi = hl.Func("g"), hl.Var("xo"), hl.Var("xi")
    g[x, y] = f[x, y]
    f.compute_root().update().split(x, xo, xi, 8, tail).vectorize(xi)
    if order == "window inside":
        f.update().reorder(xi, r.x, r.y, xo, y).parallel(y)
    np.testing.assert_array_equal(np.array(g.realize([WIDTH, HEIGHT])), window_sums(condition))


@pytest.mark.parametrize("condition", CONDITIONS)
def test_vectors_of_conditional_sums_stay_in_registers(condition: Callable[..., Any], tmp_path: Path) -> None:
    f, image, r = sums_of(condition)
    f.compute_root().update().reorder(x, r.x, r.y, y).vectorize(x, 8).reorder(r.x, r.y, x, y)
    f.compile_to_lowered_stmt(tmp_path / "f.stmt", [image])
    inside = (tmp_path / "f.stmt").read_text().split("for f.s1.r$x")[1:]
    assert inside
    for text in inside:
        body = text.split("\n        f[")[0]
        assert ".promoted" in body, f"the sums of a window are in memory:\n{text}"


def test_minima_and_their_places_by_a_condition() -> None:
    f, r, v = hl.Func("f"), hl.RDom([(0, WINDOW), (0, WINDOW)]), hl.Buffer(IMAGE)
    pixel = v[x + r.x, y + r.y]
    f[x, y] = hl.Tuple(hl.u8(255), -1)
    r.where(pixel < f[x, y][0])
    f[x, y] = hl.Tuple(pixel, r.y * WINDOW + r.x)
    f.update().reorder(x, r.x, r.y, y).vectorize(x, 16).reorder(r.x, r.y, x, y)
    least, place = (np.array(b) for b in f.realize([WIDTH, HEIGHT]))
    windows = np.lib.stride_tricks.sliding_window_view(IMAGE, (WINDOW, WINDOW))[:HEIGHT, :WIDTH]
    flat = windows.reshape(HEIGHT, WIDTH, -1)
    np.testing.assert_array_equal(least, flat.min(-1))
    np.testing.assert_array_equal(place, flat.argmin(-1))


def test_rows_summed_in_vectors_under_a_condition_have_accumulators(tmp_path: Path) -> None:
    image, f, r = hl.ImageParam(hl.UInt(8), 2, "image"), hl.Func("f"), hl.RDom([(0, 48), (0, 12)], "r")
    image.set(hl.Buffer(IMAGE))
    f[()] = 0
    r.where((r.x - 20) * (r.x - 20) + (r.y - 5) * (r.y - 5) < 30)
    f[()] += hl.i32(image[r.x, r.y])
    f.update().atomic().vectorize(r.x, 16)
    f.compile_to_lowered_stmt(tmp_path / "f.stmt", [image])
    rows, columns = np.mgrid[0:12, 0:48]
    expected = IMAGE[:12, :48][(columns - 20) ** 2 + (rows - 5) ** 2 < 30].sum()
    assert f.realize([])[()] == expected
    assert ".lanes0" in (tmp_path / "f.stmt").read_text()


def test_elements_beyond_a_condition_are_not_touched() -> None:
    """The place is not that of a pure dimension: where the condition never holds there may be no element."""
    f, r, v = hl.Func("f"), hl.RDom([(0, 5), (0, 20)], "r"), hl.Buffer(np.ones((20, 5), np.int32))
    f[x] = 0
    r.where(r.y + v[0, r.y] <= 10)
    r.where(r.y < 10)
    f[r.y] += v[r.x, r.y] + r.x
    result = np.array(f.realize([10], target=hl.Target("host-checked")))
    np.testing.assert_array_equal(result, np.full(10, 15))


def test_values_that_no_iteration_sets_are_not_read() -> None:
    f, r, v = hl.Func("f"), hl.RDom([(0, 16)], "r"), hl.Buffer(IMAGE)
    g = hl.Func("g")
    f[x, y] = hl.undef(hl.Int(32))
    r.where(v[x + r % 4, y] + 0 * r < 200)
    f[x, y] = hl.i32(v[x, y]) + r
    g[x, y] = f[x, y]
    f.compute_root().update().vectorize(x, 8)
    result = np.array(g.realize([WIDTH, HEIGHT], target=hl.Target("host-checked")))
    np.testing.assert_array_equal(result, IMAGE[:HEIGHT, :WIDTH].astype(np.int32) + 15)


def test_a_sum_into_an_output_without_dimensions_stays_in_a_register(tmp_path: Path) -> None:
    image, f, r = hl.ImageParam(hl.UInt(8), 2, "image"), hl.Func("f"), hl.RDom([(0, 48), (0, 12)], "r")
    f[()] = 0
    f[()] += hl.i32(image[r.x, r.y])
    f.compile_to_lowered_stmt(tmp_path / "f.stmt", [image])
    text = (tmp_path / "f.stmt").read_text()
    assert "f.promoted0" in text.partition("for f.s1.r$x")[2], text


def test_several_updates_in_one_vector_loop_have_names_of_their_own() -> None:
    count, x = hl.Param(hl.Int(32), "count", 3), hl.Var("x")
    outer, pair, lanes, ones = [hl.RVar(name) for name in ("outer", "pair", "lanes", "ones")]
    places, f = hl.Buffer(np.array([2, 0], np.uint8)), hl.Func("f")
    steps = hl.RDom([(0, count), (0, 1)], "steps")
    f[x] = hl.i32(1)
    f[hl.clamp(hl.i32(places[steps[1]]), 0, 2)] += 1
    f.update(0).tile(steps[1], steps[0], outer, pair, lanes, ones, 8, 2, hl.TailStrategy.Predicate).reorder(
        pair, lanes
    ).vectorize(lanes)
    assert np.asarray(f.realize([3])).tolist() == [1, 1, 4]
