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


@pytest.mark.parametrize("vectors", [0, 16])
def test_rows_may_lie_nearly_2_to_the_31_elements_apart(vectors: int) -> None:
    """Memory that is not touched is not taken: the rows span 6 GB."""
    row_stride = 2**31 - 64
    try:
        memory = np.frombuffer(mmap.mmap(-1, 7 << 30), np.uint8)
    except OSError:
        pytest.skip("so many addresses cannot be had here")
    source, target = (
        np.lib.stride_tricks.as_strided(memory[start:], (4, 16), (row_stride, 1), writeable=True)
        for start in (0, 1 << 20)
    )
    source[...] = np.arange(64).reshape(4, 16)
    image = hl.Buffer(source)
    copy = hl.Func("copy")
    copy[x, y] = image[x, y] + hl.u8(1)
    if vectors:
        copy.vectorize(x, vectors)
    copy.realize(hl.Buffer(target))
    np.testing.assert_array_equal(target, source + 1)
