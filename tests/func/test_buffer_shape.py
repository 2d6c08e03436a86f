"""Buffer: crops, translations, transpositions, slices and embeddings keep the memory."""

import numpy as np
import pytest

from pipec.errors import ArgumentError
from pipec.func.buffers.buffer import Buffer
from pipec.ir.types import UInt


@pytest.fixture
def b():
    return Buffer(np.arange(12, dtype=np.uint8).reshape(3, 4))


def shape(buffer):
    return repr(buffer).split("shape:")[1][:-1]


def test_crop(b):
    c = b.cropped(0, 1, 2)
    assert shape(c) == "[[1,2,1],[0,3,4]]" and c[1, 0] == 1
    assert shape(b.cropped([(1, 2), (0, 1)])) == "[[1,2,1],[0,1,4]]"
    assert shape(b.cropped([(1, 2)])) == "[[1,2,1],[0,3,4]]"
    assert shape(b.cropped(dimension=1, min=1, extent=0)) == "[[0,4,1],[1,0,4]]"
    b.crop(1, 2, 1)
    assert shape(b) == "[[0,4,1],[2,1,4]]" and b[0, 2] == 8


@pytest.mark.parametrize("rect", [(0, 1, 20), (0, -1, 2), (0, 1, -1), (2, 0, 1)])
def test_crops_stay_inside(b, rect):
    with pytest.raises(ArgumentError):
        b.cropped(*rect)


def test_translate(b):
    assert shape(b.translated(0, 5)) == "[[5,4,1],[0,3,4]]"
    assert shape(b.translated([5, -2])) == "[[5,4,1],[-2,3,4]]"
    assert shape(b.translated(delta=[5])) == "[[5,4,1],[0,3,4]]"
    b.translate(1, 2)
    b.translate(1, 2)
    assert b[0, 4] == 0
    with pytest.raises(ValueError, match="Too many arguments"):
        b.translate([1, 2, 3])


def test_set_min(b):
    b.set_min([3, 4])
    assert shape(b) == "[[3,4,1],[4,3,4]]"
    assert (b.left(), b.right(), b.top(), b.bottom()) == (3, 6, 4, 6)
    d = b.dim(0)
    assert (d.min(), d.max(), d.extent(), d.stride()) == (3, 6, 4, 1)
    with pytest.raises(ValueError, match="Too many arguments"):
        b.set_min([3, 1, 2])
    with pytest.raises(ArgumentError, match="int32"):
        b.set_min([2**31 - 3])


def test_transpose(b):
    assert shape(b.transposed(0, 1)) == "[[0,3,4],[0,4,1]]"
    assert b.transposed([1, 0])[2, 3] == b[3, 2]
    assert b.reverse_axes()[2, 3] == b[3, 2]
    for wrong in ((0, 7), ([0, 0],), ([0],)):
        with pytest.raises(ArgumentError):
            b.transposed(*wrong)


def test_slice(b):
    s = b.sliced(0, 1)
    assert shape(s) == "[[0,3,4]]" and s[2] == 9
    s[2] = 50
    assert b[1, 2] == 50
    assert shape(b.sliced(1)) == "[[0,4,1]]"
    with pytest.raises(ArgumentError, match="Cannot slice dimension 0"):
        b.sliced(0, 9)


def test_a_slice_of_one_dimension_is_a_scalar(b):
    s = b.sliced(0, 1).sliced(0, 1)
    s[()] = 7
    assert b[1, 1] == 7


def test_embed(b):
    assert shape(b.embedded(0, 3)) == "[[3,1,12],[0,4,1],[0,3,4]]"
    assert b.embedded(1, -3)[2, -3, 1] == b[2, 1]
    b.add_dimension()
    assert shape(b) == "[[0,4,1],[0,3,4],[0,1,12]]"
    with pytest.raises(ArgumentError):
        b.embedded(5)


def test_copies_have_dense_strides(b):
    assert shape(b.cropped(0, 1, 2).copy()) == "[[1,2,1],[0,3,2]]"
    assert shape(Buffer(np.asarray(b)[:, ::2]).copy()) == "[[0,2,1],[0,3,2]]"


def test_copy_from_copies_what_both_have(b):
    a = Buffer(UInt(8), [4, 3])
    a.fill(0)
    a.copy_from(b.cropped([(1, 2), (2, 1)]))
    np.testing.assert_array_equal(np.asarray(a), [[0] * 4, [0] * 4, [0, 9, 10, 0]])
    a.copy_from(b.translated(0, 100))
    assert a[1, 2] == 9


def test_copy_from_needs_the_same_type(b):
    for other in (Buffer(np.zeros((3, 4), np.int32)), Buffer(np.zeros(3, np.uint8))):
        with pytest.raises(ArgumentError, match="copy_from needs"):
            b.copy_from(other)


def test_contains_and_sizes(b):
    b.set_min([3, 4])
    assert b.contains([3, 4]) and not b.contains([0, 0]) and not b.contains([1])
    assert (b.number_of_elements(), b.size_in_bytes()) == (12, 12)


def test_dimensions_are_checked(b):
    for d in (2, -1, "x"):
        with pytest.raises(ArgumentError, match="has 2 dimensions"):
            b.dim(d)


def test_memory_can_be_released(b):
    b.deallocate()
    with pytest.raises(ArgumentError):
        b[0, 0]
    b.set_min([5])
    b.allocate()
    b[5, 0] = 1
    assert shape(b) == "[[5,4,1],[0,3,4]]"
