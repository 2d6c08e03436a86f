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


def complex_product(columns: int) -> tuple[hl.Func, list[hl.ImageParam]]:
    """Of matrices; in blocks of two rows and `columns`, the elements of a Tuple wait for each other's old values."""
    a, b = hl.ImageParam(hl.Float(32), 3, "a"), hl.ImageParam(hl.Float(32), 3, "b")
    f, k, yi, xo = hl.Func("f"), hl.RDom([(0, 6)], "k"), hl.Var("yi"), hl.Var("xo")
    f[x, y] = (0.0, 0.0)
    real = a[k, y, 0] * b[x, k, 0] - a[k, y, 1] * b[x, k, 1]
    imaginary = a[k, y, 0] * b[x, k, 1] + a[k, y, 1] * b[x, k, 0]
    f[x, y] = (f[x, y][0] + real, f[x, y][1] + imaginary)
    f.bound(x, 0, 16).bound(y, 0, 8)
    f.update().split(x, xo, x, columns).split(y, y, yi, 2).reorder(x, yi, k, xo, y).vectorize(x)
    return f, [a, b]


def test_the_inner_loops_of_a_tuple_are_unrolled_where_they_are_short(tmp_path: Path) -> None:
    f, arguments = complex_product(8)
    f.compile_to_llvm_assembly(str(tmp_path / "f.ll"), arguments, "f")
    assert (tmp_path / "f.ll").read_text().count(" fmul ") == 2 * 4, "both rows"


def test_tuples_of_short_loops_are_right() -> None:
    f, (a, b) = complex_product(8)
    rng = np.random.default_rng(0)
    first, second = (rng.integers(-9, 9, shape).astype(np.float32) for shape in ((2, 8, 6), (2, 6, 16)))
    a.set(hl.Buffer(first))
    b.set(hl.Buffer(second))
    expected = (first[0] + 1j * first[1]) @ (second[0] + 1j * second[1])
    real, imaginary = (np.asarray(part) for part in f.realize([16, 8]))
    np.testing.assert_array_equal(real, expected.real)
    np.testing.assert_array_equal(imaginary, expected.imag)
