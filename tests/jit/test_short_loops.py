"""Loops that the code generator unrolls."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import pipec as hl

x, y = hl.vars("x y")


def window_sums(size: int) -> tuple[hl.Func, hl.ImageParam]:
    image, f, r = hl.ImageParam(hl.Float(32), 2, "image"), hl.Func("f"), hl.RDom([(0, size), (0, size)], "r")
    f[x, y] = 0.0
    f[x, y] += image[x + r.x, y + r.y]
    f.update().reorder(x, r.x, r.y, y).vectorize(x, 8).reorder(r.x, r.y, x, y)
    return f, image


@pytest.mark.parametrize(("size", "unrolled"), [(3, True), (9, True), (40, False)])
def test_the_inner_loop_of_a_sum_is_unrolled_where_it_is_short(size: int, unrolled: bool, tmp_path: Path) -> None:
    f, image = window_sums(size)
    f.compile_to_llvm_assembly(str(tmp_path / "f.ll"), [image], "f")
    additions = (tmp_path / "f.ll").read_text().count(" fadd ")
    assert (additions >= size) == unrolled


@pytest.mark.parametrize("size", [1, 3, 9, 40])
def test_sums_of_windows_are_right(size: int) -> None:
    f, image = window_sums(size)
    pixels = np.random.default_rng(size).integers(0, 99, (60, 80)).astype(np.float32)
    image.set(hl.Buffer(pixels))
    windows = np.lib.stride_tricks.sliding_window_view(pixels, (size, size))
    np.testing.assert_array_equal(np.array(f.realize([33, 17])), windows[:17, :33].sum((2, 3)))
