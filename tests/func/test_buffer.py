"""Buffer: construction, elements, exchange with numpy and others."""

import array
import copy
import pickle

import numpy as np
import pytest

from pipec.errors import ArgumentError, OutOfMemoryError, PipecError
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.var import Var, _
from pipec.ir.types import Bool, Float, Int, UInt, type_of_numpy


@pytest.fixture
def rows():
    return np.arange(12, dtype=np.uint8).reshape(3, 4)


def test_an_array_is_shared_with_axes_reversed(rows):
    b = Buffer(rows)
    assert (b.width(), b.height(), b.channels()) == (4, 3, 1)
    assert b[3, 1] == rows[1, 3]
    b[3, 1] = 99
    assert rows[1, 3] == 99
    assert np.shares_memory(np.asarray(b), rows)
    np.testing.assert_array_equal(np.asarray(b), rows)


def test_axes_can_keep_their_order(rows):
    b = Buffer(rows, "q", False)
    assert b.name() == "q" and b[1, 3] == rows[1, 3]
    assert Buffer(buffer=rows, reverse_axes=False).height() == 4


def test_the_text_tells_the_shape(rows):
    assert repr(Buffer(rows)) == "<halide.Buffer of type uint8 shape:[[0,4,1],[0,3,4]]>"
    assert repr(Buffer()) == "<undefined halide.Buffer>"
    assert repr(Buffer.make_scalar(Int(32))) == "<halide.Buffer of type int32 shape:[]>"


def test_negative_strides_are_shared(rows):
    b = Buffer(rows[::-1, ::-1])
    assert repr(b) == "<halide.Buffer of type uint8 shape:[[0,4,-1],[0,3,-4]]>"
    assert b[0, 0] == 11
    np.testing.assert_array_equal(np.asarray(b), rows[::-1, ::-1])


def test_read_only_arrays_can_be_read(rows):
    rows.flags.writeable = False
    b = Buffer(rows)
    assert b[1, 0] == 1
    for write in (lambda: b.fill(1), lambda: b.__setitem__((0, 0), 1), lambda: b.copy_from(b)):
        with pytest.raises(ValueError, match="read-only"):
            write()
    assert not np.asarray(b).flags.writeable


def test_broadcast_arrays_have_stride_zero():
    b = Buffer(np.broadcast_to(np.float32(2), (3, 5)))
    assert b.dim(0).stride() == 0 and b[4, 2] == 2


@pytest.mark.parametrize(
    "dtype", "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64".split()
)
def test_every_element_type(dtype):
    a = np.array([[0, 1], [1, 0]], dtype)
    b = Buffer(a)
    assert b.type() == type_of_numpy(a.dtype) and b.dtype == a.dtype
    assert b[1, 0] == 1 and type(b[1, 0]) is type(a.item(0))
    c = Buffer(b.type(), [2, 2])
    c.fill(1)
    assert c.all_equal(1) and np.asarray(c).dtype == a.dtype


@pytest.mark.parametrize("dtype", [">i4", object, np.complex64, "M8[s]"])
def test_other_element_types_are_refused(dtype):
    with pytest.raises(ValueError, match="Unsupported Buffer<> type"):
        Buffer(np.zeros(3, dtype))


def test_strides_must_be_whole_elements():
    with pytest.raises(ValueError, match="Unsupported Buffer<> type.*ascontiguousarray"):
        Buffer(np.zeros(3, [("a", "u1"), ("b", "<i4")])["b"])


def test_foreign_memory_is_shared():
    data = bytearray(b"abc")
    Buffer(data)[1] = ord("x")
    assert data == b"axc"
    numbers = array.array("f", [1, 2])
    assert Buffer(numbers)[1] == 2 and Buffer(b"abc")[0] == ord("a")


class _OnlyDlpack:
    def __init__(self, a):
        self.a = a

    def __dlpack__(self, **kwargs):
        return self.a.__dlpack__(**kwargs)

    def __dlpack_device__(self):
        return self.a.__dlpack_device__()


def test_dlpack_both_ways(rows):
    assert np.shares_memory(np.asarray(Buffer(_OnlyDlpack(rows))), rows)
    assert np.shares_memory(np.from_dlpack(Buffer(rows)), rows)


def test_sizes_are_a_list():
    for wrong in ((UInt(8), 4), (UInt(8), 4, 5), (UInt(8), [4.0]), ([[1, 2]],), (7,), (None,)):
        with pytest.raises(TypeError, match="incompatible constructor arguments"):
            Buffer(*wrong)


def test_new_memory_has_dimension_zero_innermost():
    assert repr(Buffer(UInt(8), [4, 5, 3])) == "<halide.Buffer of type uint8 shape:[[0,4,1],[0,5,4],[0,3,20]]>"
    assert repr(Buffer(UInt(8), (4, 0), "n")) == "<halide.Buffer of type uint8 shape:[[0,4,1],[0,0,4]]>"
    assert Buffer(UInt(8), [1], "n").name() == "n"


def test_storage_order():
    interleaved = "<halide.Buffer of type uint8 shape:[[0,4,3],[0,5,12],[0,3,1]]>"
    assert repr(Buffer(UInt(8), [4, 5, 3], [2, 0, 1])) == interleaved
    built = Buffer.make_interleaved(UInt(8), 4, 5, 3)
    assert repr(built) == interleaved
    assert repr(Buffer.make_with_shape_of(built)) == interleaved and repr(built.copy()) == interleaved
    for wrong in ([2, 0], [2, 0, 0], [3, 0, 1]):
        with pytest.raises(ArgumentError, match="storage order"):
            Buffer(UInt(8), [4, 5, 3], wrong)


def test_impossible_sizes_are_errors():
    with pytest.raises(ArgumentError):
        Buffer(UInt(8), [4, -5])
    with pytest.raises(ArgumentError):
        Buffer(UInt(8), [1 << 31])
    with pytest.raises(OutOfMemoryError):
        Buffer(UInt(8), [1 << 30] * 3)


def test_large_extents_of_arrays_are_refused():
    with pytest.raises(ValueError, match="Out of range dimensions in buffer conversion"):
        Buffer(np.broadcast_to(np.uint8(0), (1 << 31,)))


def test_a_scalar_has_one_element():
    s = Buffer.make_scalar(Int(32))
    s[()] = 5
    assert s[()] == 5 and np.asarray(s) == 5 and s.dimensions() == 0


def test_indices_are_absolute_and_checked(rows):
    b = Buffer(rows)
    with pytest.raises(IndexError, match="index -1 is out of bounds for axis 0 with min=0, extent=4"):
        b[-1, 0]
    with pytest.raises(IndexError, match="index 3 is out of bounds for axis 1 with min=0, extent=3"):
        b[0, 3] = 1
    with pytest.raises(ValueError, match="Incorrect number of dimensions."):
        b[1]
    b.set_min([10, 20])
    assert b[np.int32(10), 20] == 0 and b[[11, 20]] == 1


def test_slices_are_refused(rows):
    b = Buffer(rows)
    for index in (slice(0, 1), ..., "a"):
        with pytest.raises(TypeError, match="incompatible function arguments"):
            b[index, 0]


@pytest.mark.parametrize("value", [256, -1, 1.5, "a", None, np.int64(256)])
def test_elements_must_fit(rows, value):
    b = Buffer(rows)
    for write in (lambda: b.fill(value), lambda: b.__setitem__((0, 0), value)):
        with pytest.raises(ArgumentError):
            write()


def test_floats_are_rounded_and_bools_are_truth_values():
    f, t = Buffer(Float(32), [1]), Buffer(Bool(), [1])
    f[0] = 3
    assert f[0] == 3.0 and type(f[0]) is float
    f[0] = 1e300
    assert f[0] == np.inf
    t[0] = 2
    assert t[0] is True


def test_expr_indices_make_an_expr(rows):
    x, y = Var("x"), Var("y")
    b = Buffer(rows, "img")
    assert str(b[x, y + 1].node) == str(b[_, y + 1].node).replace("_0", "x")
    assert b[x, 1].type() == UInt(8) and b[x, 1].node.image is b
    with pytest.raises(PipecError, match="Dimensionality mismatch accessing Buffer img"):
        b[x]
    with pytest.raises(PipecError, match="must be representable as 32-bit integers"):
        b[x, 1.5]


def test_elements_are_visited_with_dimension_zero_fastest():
    events = []
    Buffer(np.zeros((2, 2), np.uint8)).translated([5, 0]).for_each_element(lambda p: events.append(p))
    assert events == [[5, 0], [6, 0], [5, 1], [6, 1]]


def test_undefined_buffers_say_so():
    b = Buffer()
    assert not b.defined() and b.name() == ""
    for call in (b.width, b.dimensions, b.type, b.copy, lambda: b.dim(0), lambda: b[0], lambda: b.fill(0)):
        with pytest.raises(ArgumentError, match="Undefined buffer calling const method"):
            call()


def test_bounds_queries_have_no_elements():
    q = Buffer.make_bounds_query(UInt(8), [4, 5])
    assert q.defined() and (q.width(), q.height()) == (4, 5)
    for use in (lambda: q[0, 0], lambda: np.asarray(q), lambda: q.fill(0)):
        with pytest.raises(ArgumentError, match="bounds query"):
            use()


def test_pickled_buffers_keep_shape_and_contents(rows):
    b = Buffer.make_interleaved(UInt(8), 4, 5, 3, "name")
    np.asarray(b)[...] = np.arange(60).reshape(3, 5, 4)
    b.set_min([1, 2, 3])
    c = pickle.loads(pickle.dumps(b))
    assert repr(c) == repr(b) and c.name() == "name" and c[2, 3, 4] == b[2, 3, 4]
    d = pickle.loads(pickle.dumps(Buffer(rows[::-1])))
    np.testing.assert_array_equal(np.asarray(d), rows[::-1])


def test_copies_are_deep_and_views_share(rows):
    b = Buffer(rows)
    c, v = copy.deepcopy(b), copy.copy(b)
    b[0, 0] = 77
    assert c[0, 0] == 0 and v[0, 0] == 77


def test_numpy_asks_for_types_and_copies(rows):
    b = Buffer(rows)
    assert np.asarray(b, np.float32).dtype == np.float32
    assert not np.shares_memory(np.array(b), rows)
    assert (b.shape, b.strides, b.ndim, b.dtype) == (rows.shape, rows.strides, 2, rows.dtype)


def test_identity_is_equality(rows):
    a, b = Buffer(rows), Buffer(rows)
    assert a == a and a != b and a.same_as(a) and len({a, b}) == 2


def test_named_axes_give_x_y_c_whatever_the_layout():
    rows = np.arange(2 * 3 * 4, dtype=np.uint8).reshape(2, 3, 4)[..., :3]
    b = Buffer(rows, axes="yxc")
    assert (b.width(), b.height(), b.channels()) == (3, 2, 3) and b[2, 1, 0] == rows[1, 2, 0]
    assert np.shares_memory(b.numpy(axes="yxc"), rows)
    np.testing.assert_array_equal(b.numpy(axes="yxc"), rows)
    assert b.numpy().shape == (3, 2, 3)
    c = Buffer(rows, axes="yxc->cyx")
    assert c[0, 1, 2] == rows[1, 2, 0]
    np.testing.assert_array_equal(c.numpy(axes="yxc->cyx"), rows)
    assert Buffer(rows[..., 0], axes="yx")[2, 1] == rows[1, 2, 0]


@pytest.mark.parametrize(
    "axes, words",
    [
        ("yx", "names 2 axes, but the array of shape"),
        ("yxx", "names an axis twice"),
        ("hwc", "unknown letter 'h'"),
        ("yxc->xyz", "same letters"),
        ("", "names 0 axes"),
    ],
)
def test_axes_that_do_not_fit_are_refused(axes, words):
    with pytest.raises(ArgumentError, match=words):
        Buffer(np.zeros((2, 3, 4)), axes=axes)


def test_axes_exclude_reverse_axes(rows):
    with pytest.raises(ArgumentError, match="either axes= or reverse_axes="):
        Buffer(rows, "b", True, axes="yx")
    with pytest.raises(TypeError, match="must be a text"):
        Buffer(rows, axes=("y", "x"))


def test_dlpack_tells_what_is_read_only_and_refuses_negative_strides(rows):
    with pytest.raises(BufferError, match="negative strides"):
        np.from_dlpack(Buffer(rows[::-1]))
    rows.flags.writeable = False
    assert not np.from_dlpack(Buffer(rows)).flags.writeable
    with pytest.raises(BufferError, match="read-only"):
        Buffer(rows).__dlpack__()
    assert np.from_dlpack(Buffer(rows > 3)).dtype == np.bool_


def test_masked_arrays_are_refused(rows):
    with pytest.raises(ValueError, match="masked"):
        Buffer(np.ma.masked_array(rows, rows > 3))


def test_memory_outlives_its_owners():
    view = np.asarray(Buffer(UInt(8), [1 << 20]))
    view[...] = 7
    b = Buffer(np.full(1 << 20, 9, np.uint8)[::2])
    stored = b.cropped(0, 5, 3)
    del b
    assert view.min() == 7 and stored[5] == 9


def test_names_are_generated_when_asked_for(rows):
    from pipec.func.functions import names

    before = len(names._process.used)
    for width in range(4):
        Buffer(rows).cropped(0, 0, width)
    assert len(names._process.used) == before


@pytest.mark.parametrize("shape", [(30, 40), (3, 30, 40), (30, 40, 3), (4, 30, 40), (1, 900, 40)])
@pytest.mark.parametrize("dtype", ["u1", "u2", "f4", "f8", "?"])
def test_images_show_themselves(shape, dtype):
    b = Buffer(np.ones(shape, dtype))
    assert b._repr_png_().startswith(b"\x89PNG\r\n")
    page = b._repr_html_()
    assert "data:image/png" in page and "white" in page and len(page) < 100_000


def test_other_buffers_show_their_facts():
    for b in (Buffer(np.zeros(5)), Buffer(np.zeros((0, 3))), Buffer(np.full((2, 2, 2, 2), np.nan)), Buffer()):
        assert b._repr_png_() is None and "<img" not in b._repr_html_()
    assert "<th>NaN</th><td>3</td>" in Buffer(np.full(3, np.nan))._repr_html_()
    assert "0 ... 2" in Buffer(np.arange(3))._repr_html_()
