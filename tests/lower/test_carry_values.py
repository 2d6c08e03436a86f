"""Values that iterations of a loop leave to later ones stay in registers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pipec as hl
from pipec.ir.build import add, block, mul, sub
from pipec.ir.expr import TRUE, Load, Variable, const
from pipec.ir.stmt import For, LetStmt, LoopKind, Stmt, Store
from pipec.ir.types import INT32
from pipec.lower.passes.carry_values import carry_values

x, y = hl.vars("x y")
N, ROWS = 37, 5
SOURCE = np.random.default_rng(5).integers(0, 50, (ROWS, N)).astype(np.int32)


def forward(f: hl.Func, r: hl.RDom, at: Callable[..., Any]) -> None:
    f[at(r + 3)] += f[at(r + 2)]


def second_order(f: hl.Func, r: hl.RDom, at: Callable[..., Any]) -> None:
    f[at(r + 3)] = 2 * f[at(r + 3)] + f[at(r + 2)] - 3 * f[at(r + 1)]


def gap(f: hl.Func, r: hl.RDom, at: Callable[..., Any]) -> None:
    f[at(r + 3)] += f[at(r)] % 7


def backward(f: hl.Func, r: hl.RDom, at: Callable[..., Any]) -> None:
    f[at(N - 4 - r)] += f[at(N - 3 - r)] + f[at(N - 1 - r)]


def backward_and_ahead(f: hl.Func, r: hl.RDom, at: Callable[..., Any]) -> None:
    f[at(r + 1)] += f[at(r)] + f[at(r + 2)]


def in_place(f: hl.Func, r: hl.RDom, at: Callable[..., Any]) -> None:
    f[at(r + 1)] = hl.select(f[at(r)] > 60, f[at(r + 1)], f[at(r)] + 1)


def numbers(step: Callable[..., Any], first: np.ndarray, count: int) -> np.ndarray:
    """What the scan gives, element by element."""
    f = first.astype(np.int64)
    for r in range(count):
        if step is forward:
            f[..., r + 3] += f[..., r + 2]
        elif step is second_order:
            f[..., r + 3] = 2 * f[..., r + 3] + f[..., r + 2] - 3 * f[..., r + 1]
        elif step is gap:
            f[..., r + 3] += f[..., r] % 7
        elif step is backward:
            f[..., N - 4 - r] += f[..., N - 3 - r] + f[..., N - 1 - r]
        elif step is backward_and_ahead:
            f[..., r + 1] += f[..., r] + f[..., r + 2]
        else:
            f[..., r + 1] = np.where(f[..., r] > 60, f[..., r + 1], f[..., r] + 1)
    return f.astype(np.int32)


STEPS = [forward, second_order, gap, backward, backward_and_ahead, in_place]
SCHEDULES: dict[str, Callable[[hl.Func, hl.RDom, hl.Var], Any]] = {
    "as defined": lambda f, r, other: None,
    "lanes of rows": lambda f, r, other: f.update().vectorize(other, 4),
    "loop inside": lambda f, r, other: f.update().reorder(r, other),
    "split": lambda f, r, other: f.update().reorder(r, other).split(r, hl.RVar("ro"), hl.RVar("ri"), 4),
    "unrolled": lambda f, r, other: f.update().reorder(r, other).unroll(r, 4),
    "parallel": lambda f, r, other: f.update().reorder(r, other).parallel(other),
}


@pytest.mark.part(5)
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("along", ["rows", "columns"])
def test_scans_are_right(step: Callable[..., Any], schedule: str, along: str) -> None:
    f, r = hl.Func("f"), hl.RDom([(0, N - 3)], "r")
    source = hl.Buffer(SOURCE) if along == "rows" else hl.Buffer(SOURCE).transposed([1, 0])
    f[x, y] = source[x, y]
    step(f, r, (lambda place: (place, y)) if along == "rows" else (lambda place: (x, place)))
    SCHEDULES[schedule](f, r, y if along == "rows" else x)
    sizes = [N, ROWS] if along == "rows" else [ROWS, N]
    result = np.array(f.realize(sizes))
    np.testing.assert_array_equal(result if along == "rows" else result.T, numbers(step, SOURCE, N - 3))


@pytest.mark.parametrize("step", [forward, second_order, gap, backward, in_place])
def test_scans_read_what_they_stored_from_registers(step: Callable[..., Any], tmp_path: Path) -> None:
    f, r = hl.Func("f"), hl.RDom([(0, N - 3)], "r")
    f[x] = x * x
    step(f, r, lambda place: place)
    f.compile_to_lowered_stmt(tmp_path / "f.stmt", [])
    inside = (tmp_path / "f.stmt").read_text().partition(f"for {f.name()}.s1.{r.x.name()}")[2]
    assert ".carried." in inside


@pytest.mark.parametrize("length", [0, 1, 2, 9])
def test_scans_of_any_length_touch_what_they_should(length: int) -> None:
    f, n = hl.Func("f"), hl.Param(hl.Int(32), "n", length)
    r = hl.RDom([(0, n)], "r")
    f[x] = x + 1
    second_order(f, r, lambda place: place)
    result = np.array(f.realize([12], target=hl.Target("host-checked")))
    np.testing.assert_array_equal(result, numbers(second_order, np.arange(1, 13), length))


def test_values_of_a_tuple_are_carried_together() -> None:
    f, r = hl.Func("f"), hl.RDom([(1, N - 1)], "r")
    source = hl.Buffer(SOURCE)
    f[x, y] = hl.Tuple(source[x, y], x)
    larger = f[r - 1, y][0] > f[r, y][0]
    f[r, y] = hl.Tuple(hl.select(larger, f[r - 1, y][0], f[r, y][0]), hl.select(larger, f[r - 1, y][1], f[r, y][1]))
    maxima, places = (np.array(b) for b in f.realize([N, ROWS]))
    np.testing.assert_array_equal(maxima, np.maximum.accumulate(SOURCE, 1))
    np.testing.assert_array_equal(np.take_along_axis(SOURCE, places, 1), maxima)


def test_values_under_a_condition_are_not_carried() -> None:
    f, r = hl.Func("f"), hl.RDom([(1, N - 1)], "r")
    f[x] = x % 5
    r.where(r % 3 != 0)
    f[r] += f[r - 1]
    expected = np.arange(N) % 5
    for k in range(1, N):
        if k % 3:
            expected[k] += expected[k - 1]
    np.testing.assert_array_equal(np.array(f.realize([N])), expected)


def test_places_that_a_producer_changes_in_each_iteration_are_not_carried() -> None:
    f, shift, r = hl.Func("f"), hl.Func("shift"), hl.RDom([(1, 20)], "r")
    offsets = hl.Buffer(np.random.default_rng(2).integers(0, 5, 32).astype(np.int32))
    shift[x] = offsets[x] + 0
    f[x] = x % 7
    place = r + hl.clamp(shift[r], 0, 4)
    f[place] = f[place - 1] * 3 % 101 + r
    shift.compute_at(f, r)
    expected = np.arange(40) % 7
    for k in range(1, 21):
        at = k + int(np.asarray(offsets)[k])
        expected[at] = expected[at - 1] * 3 % 101 + k
    np.testing.assert_array_equal(np.array(f.realize([40])), expected)


@pytest.mark.parametrize("changing", ["an element", "a let"])
def test_the_place_must_be_the_same_but_for_the_loop(changing: str) -> None:
    r, t = Variable(INT32, "r"), Variable(INT32, "t")
    base = Load(INT32, "k", const(0), TRUE) if changing == "an element" else t
    place = add(base, r)
    step: Stmt = Store("f", add(Load(INT32, "f", sub(place, 1), TRUE), 1), place, TRUE)
    body = block([Store("k", mul(r, r), const(0), TRUE), step])
    if changing == "a let":
        body = LetStmt("t", mul(r, r), step)
    loop = For("r", const(0), const(9), LoopKind.SERIAL, body)
    assert carry_values(loop) is loop
