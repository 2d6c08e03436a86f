"""Vectors of Tuple updates: elements that do not depend on each other have an accumulator for each lane."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pipec as hl

SIZE = (203, 9)
PICTURE = np.random.default_rng(0).integers(0, 256, SIZE[::-1], np.uint8)


def limits(old: Any, v: Any) -> tuple[Any, ...]:
    return hl.max(old[0], v), hl.min(old[1], v)


def moments(old: Any, v: Any) -> tuple[Any, ...]:
    return old[0] + hl.i32(v), old[1] + hl.i32(v) * hl.i32(v), old[2] - hl.i64(v)


def flags(old: Any, v: Any) -> tuple[Any, ...]:
    return old[0] | (v > 250), old[1] & (v > 3)


STARTS: dict[Callable[..., Any], tuple[Any, ...]] = {
    limits: (hl.u8(0), hl.u8(255)),
    moments: (hl.i32(1), hl.i32(2), hl.i64(3)),
    flags: (hl.cast(hl.Bool(), False), hl.cast(hl.Bool(), True)),
}


def results(step: Callable[..., Any], schedule: Callable[..., Any] | None, path: Path | None = None) -> list[Any]:
    y, image, f = hl.Var("y"), hl.ImageParam(hl.UInt(8), 2, "image"), hl.Func("f")
    image.set(hl.Buffer(PICTURE))
    r = hl.RDom([(0, SIZE[0])], "r")
    f[y] = hl.Tuple(*STARTS[step])
    f[y] = hl.Tuple(*step(f[y], image[r, y]))
    if schedule is not None:
        schedule(f, r, y)
    if path is not None:
        f.compile_to_lowered_stmt(path, [image])
    return [np.array(b) for b in f.realize([SIZE[1]])]


@pytest.mark.parametrize("step", STARTS)
@pytest.mark.parametrize("lanes", [16, 64])
def test_independent_elements_are_reduced_in_vectors(step: Callable[..., Any], lanes: int, tmp_path: Path) -> None:
    def schedule(f: Any, r: Any, y: Any) -> None:
        f.update().atomic().vectorize(r, lanes)

    expected = results(step, None)
    for got, element in zip(results(step, schedule, tmp_path / "f.stmt"), expected, strict=True):
        np.testing.assert_array_equal(got, element)
    text = (tmp_path / "f.stmt").read_text()
    assert text.count(".lanes") and "reduce_" in text


@pytest.mark.parametrize("step", STARTS)
def test_rows_in_blocks_and_threads_give_the_same(step: Callable[..., Any]) -> None:
    def schedule(f: Any, r: Any, y: Any) -> None:
        inner = hl.Var("inner")
        f.update().atomic().vectorize(r, 32).split(y, y, inner, 4, hl.TailStrategy.GuardWithIf)
        f.update().reorder(inner, r, y).unroll(inner).parallel(y)

    for got, element in zip(results(step, schedule), results(step, None), strict=True):
        np.testing.assert_array_equal(got, element)
