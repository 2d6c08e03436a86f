"""Callables: arguments by position and name, their checks, threads, memory in common."""

import threading

import numpy as np
import pytest

import pipec as hl
from pipec.errors import ArgumentError, BoundsError, HalideError, OverlapError

x, y = hl.vars("x y")
A = np.arange(12, dtype=np.uint8).reshape(3, 4)


@pytest.fixture(scope="module")
def scaled():
    image, factor, f = hl.ImageParam(hl.UInt(8), 2, "image"), hl.Param(hl.Int(32), "factor"), hl.Func("out")
    table = hl.Buffer(np.arange(4, dtype=np.int32) * 100)
    f[x, y] = image[x, y] * factor + table[x]
    return f.compile_to_callable([image, factor])


@pytest.fixture
def out():
    return np.zeros((3, 4), np.int32)


def expected(a, factor):
    return a.astype(np.int32) * factor + np.arange(4) * 100


def test_by_position_and_by_name(scaled, out):
    for call in (
        lambda: scaled(A, 3, out),
        lambda: scaled(A, 3, out=out),
        lambda: scaled(A, out=out, factor=3),
        lambda: scaled(image=hl.Buffer(A), factor=3, out=hl.Buffer(out)),
        lambda: scaled(hl.Buffer(A), np.int64(3), out),
    ):
        out[...] = -1
        assert call() is None
        np.testing.assert_array_equal(out, expected(A, 3))


@pytest.mark.parametrize(
    ("args", "kwargs", "text"),
    [
        ((1, 2, 3, 4), {}, "Expected at most 3 positional arguments, but saw 4."),
        ((1,), {}, "Expected exactly 3 positional arguments, but saw 1."),
        ((1, 2), {"zz": 3}, "Unknown argument 'zz' specified via keyword."),
        ((1, 2), {"image": 3, "out": 4}, "Argument image specified multiple times."),
        ((1,), {"out": 3}, "Argument factor was not specified by either positional or keyword argument."),
    ],
)
def test_arguments_are_matched(scaled, args, kwargs, text):
    with pytest.raises(HalideError, match=text):
        scaled(*args, **kwargs)


@pytest.mark.parametrize("value", [3.5, 3.0, "3", None, A, 1 << 40, [3]])
def test_scalars_must_fit(scaled, out, value):
    with pytest.raises(HalideError, match="Unable to cast Python instance of type"):
        scaled(A, value, out)


@pytest.mark.parametrize("value", [3, [[1]], None, "a"])
def test_images_must_be_arrays(scaled, out, value):
    with pytest.raises(HalideError, match="is not an instance of"):
        scaled(value, 3, out)


def test_types_and_dimensions_must_fit(scaled, out):
    with pytest.raises(
        ArgumentError, match="Input buffer image has type uint8 but type of the buffer passed in is int32"
    ):
        scaled(A.astype(np.int32), 3, out)
    with pytest.raises(
        ArgumentError, match="requires a buffer of exactly 2 dimensions, but the buffer passed in has 1"
    ):
        scaled(A[0], 3, out)
    with pytest.raises(
        ArgumentError, match=r"Output buffer out\S* has type int32 but type of the buffer passed in is float32"
    ):
        scaled(A, 3, out.astype(np.float32))
    with pytest.raises(ArgumentError, match="Input buffer image cannot use .* Unsupported Buffer<> type.*newbyteorder"):
        scaled(A.astype(">i4"), 3, out)


def test_outputs_must_be_writable(scaled, out):
    fixed = A.copy()
    fixed.flags.writeable = False
    scaled(fixed, 1, out)
    out.flags.writeable = False
    for output in (out, hl.Buffer(out)):
        with pytest.raises(ArgumentError, match="read-only"):
            scaled(A, 3, output)


def test_outputs_must_be_aligned(scaled):
    memory = np.zeros(3 * 4 * 4 + 1, np.uint8)
    with pytest.raises((ArgumentError, ValueError), match="multiple of 4"):
        scaled(A, 3, memory[1:].view(np.int32).reshape(3, 4))


def test_images_too_small_tell_so(scaled, out):
    with pytest.raises(BoundsError, match=r"Input buffer image is accessed at 3, which is beyond the max \(1\)"):
        scaled(A[:, :2], 3, out)


def test_bounds_queries_are_answered(scaled, out):
    query = hl.Buffer.make_bounds_query(hl.UInt(8), [1, 1])
    out[...] = -1
    scaled(query, 3, hl.Buffer(out).translated([2, 1]).cropped(0, 2, 2))
    assert [(query.dim(d).min(), query.dim(d).extent()) for d in (0, 1)] == [(2, 2), (1, 3)]
    assert (out == -1).all()


def test_arguments_not_listed_are_an_error():
    p, q, f = hl.Param(hl.Int(32), "p_listed"), hl.ImageParam(hl.Int(32), 1, "q_listed"), hl.Func()
    f[x] = p + q[x]
    with pytest.raises(HalideError, match="refers to parameter p_listed, which was not found in the argument list"):
        f.compile_to_callable([q])
    with pytest.raises(HalideError, match="refers to image parameter q_listed, which was not found"):
        f.compile_to_callable([p])
    with pytest.raises(TypeError, match="incompatible function arguments"):
        f.compile_to_callable([p, 3])


def test_arguments_not_used_are_ignored():
    p, f, o = hl.Param(hl.Int(32)), hl.Func(), np.zeros(2, np.int32)
    f[x] = x
    f.compile_to_callable([p])(7, o)
    assert o.tolist() == [0, 1]


def test_values_set_on_params_do_not_matter():
    p, f, o = hl.Param(hl.Int(32), 5), hl.Func(), np.zeros(2, np.int32)
    f[x] = p
    f.compile_to_callable([p])(7, o)
    assert o.tolist() == [7, 7]


@pytest.mark.parametrize("shift", [0, 1, 9])
def test_an_output_in_the_memory_of_an_input_is_refused(shift):
    image, f = hl.ImageParam(hl.Int(32), 1), hl.Func("f")
    f[x] = hl.BoundaryConditions.repeat_edge(image)[x - 1] * 2
    memory = np.arange(20, dtype=np.int32)
    with pytest.raises(OverlapError, match=r"The output buffer \S+ shares memory with the input buffer"):
        f.compile_to_callable([image])(memory[:10], memory[shift : 10 + shift])
    assert memory.tolist() == list(range(20))


def test_strides_that_interlock_have_nothing_in_common():
    image, f = hl.ImageParam(hl.UInt(8), 1), hl.Func()
    image.dim(0).set_stride(2)
    f[x] = image[x] + 1
    f.output_buffer().dim(0).set_stride(2)
    memory = np.arange(10, dtype=np.uint8)
    f.compile_to_callable([image])(memory[::2], memory[1::2])
    assert memory.tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]


def test_outputs_must_be_apart():
    f, o = hl.Func(), np.zeros(5, np.int32)
    f[x] = (x, x + 1)
    with pytest.raises(OverlapError, match="shares memory with the output"):
        f.compile_to_callable([])(o[:4], o[1:])


def test_many_threads_may_call_at_once():
    image, f = hl.ImageParam(hl.Int(32), 1), hl.Func()
    f[x] = image[x] + x
    run = f.compile_to_callable([image])
    wrong = []

    def work(seed):
        a, o = np.full(100 + seed, seed, np.int32), np.zeros(100 + seed, np.int32)
        for _ in range(200):
            o[...] = 0
            run(a, o)
            if not (o == np.arange(100 + seed) + seed).all():
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_outputs_go_by_the_name_that_the_user_gave():
    for _ in range(2):
        f, o = hl.Func("often_used"), np.zeros(2, np.int32)
        f[x] = x
        f.compile_to_callable([])(often_used=o)
        assert o.tolist() == [0, 1]


def test_texts(scaled):
    assert repr(scaled) == "<halide.Callable (image, factor, out)>"
