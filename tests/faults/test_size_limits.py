"""Deep pipelines and expressions, and elements that lie far apart in memory."""

from __future__ import annotations

import mmap

import numpy as np
import pytest

import pipec as hl

x, y = hl.vars("x y")


@pytest.mark.slow
def test_a_chain_of_3000_stages_that_are_stored() -> None:
    last = hl.Func("first")
    last[x] = x
    for _ in range(3000):
        following = hl.Func("following")
        following[x] = last[x] + 1
        last.compute_root()
        last = following
    assert list(np.asarray(last.realize([3]))) == [3000, 3001, 3002]


@pytest.mark.slow
def test_an_expression_of_depth_10000_is_compiled() -> None:
    value: hl.Expr = x + 0
    for k in range(5000):
        value = (value ^ k) + 1
    deep = hl.Func("deep")
    deep[x] = value
    expected = np.arange(2)
    for k in range(5000):
        expected = (expected ^ k) + 1
    np.testing.assert_array_equal(np.asarray(deep.realize([2])), expected)


def rows_apart(row_stride: int) -> list[np.ndarray]:
    """Two arrays of 4 rows of 16 bytes. Memory that is not touched is not taken: the rows span 6 GB."""
    try:
        memory = np.frombuffer(mmap.mmap(-1, 7 << 30), np.uint8)
    except OSError:
        pytest.skip("so many addresses cannot be had here")
    strides = (row_stride, 1)
    return [np.lib.stride_tricks.as_strided(memory[at:], (4, 16), strides, writeable=True) for at in (0, 1 << 20)]


@pytest.mark.parametrize("vectors", [0, 16])
@pytest.mark.parametrize("row_stride", [2**31 - 64, 2**31 + 64])
def test_rows_may_lie_more_than_2_to_the_31_elements_apart(vectors: int, row_stride: int) -> None:
    source, target = rows_apart(row_stride)
    source[...] = np.arange(64).reshape(4, 16)
    image = hl.Buffer(source)
    copy = hl.Func("copy")
    copy[x, y] = image[x, y] + hl.u8(1)
    if vectors:
        copy.vectorize(x, vectors)
    copy.realize(hl.Buffer(target))
    np.testing.assert_array_equal(target, source + 1)
    copy.realize(target[::-1])
    np.testing.assert_array_equal(target[::-1], source + 1)


def test_strides_that_are_read_as_numbers_fit_32_bits() -> None:
    source, target = rows_apart(2**31 + 64)
    image, demanded = hl.ImageParam(hl.UInt(8), 2, "image"), hl.ImageParam(hl.UInt(8), 2, "demanded")
    read, copy = hl.funcs("read copy")
    read[x, y] = hl.i32(image[x, y]) + image.dim(1).stride()
    copy[x, y] = demanded[x, y]
    demanded.dim(1).set_stride(64)
    for func, parameter in ((read, image), (copy, demanded)):
        parameter.set(hl.Buffer(source))
        with pytest.raises(
            hl.HalideError, match=r"has stride 2147483712 in dimension 1, and the pipeline reads it as a"
        ):
            func.realize([16, 4])
