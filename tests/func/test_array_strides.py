"""Strides of arrays with axes of extent 1, where numpy may leave any number."""

from __future__ import annotations

import numpy as np
import pytest

import pipec as hl


def planar(height: int, width: int) -> np.ndarray:
    """Planes of an interleaved picture; for a single pixel numpy keeps strides of 16 bytes."""
    return np.ascontiguousarray(
        np.moveaxis(np.arange(4 * height * width, dtype=np.float32).reshape(height, width, 4), -1, 0)
    )


def test_one_pixel_in_planes_is_dense() -> None:
    pixel = planar(1, 1)
    assert pixel.strides == (4, 16, 16)
    assert [hl.Buffer(pixel).dim(d).stride() for d in range(3)] == [1, 1, 1]


@pytest.mark.parametrize("wrap", [hl.Buffer, lambda array: array])
def test_a_pipeline_takes_one_pixel_in_planes(wrap) -> None:
    x, y, c = hl.vars("x y c")
    source, f = hl.ImageParam(hl.Float(32), 3, "source"), hl.Func("f")
    f[x, y, c] = source[x, y, c] + 1.0
    output = np.zeros((4, 1, 1), np.float32)
    f.compile_to_callable([source])(wrap(planar(1, 1)), wrap(output))
    assert output.ravel().tolist() == [1, 2, 3, 4]


def test_strides_of_views_stay() -> None:
    image = np.zeros((6, 1, 3), np.uint8)
    assert [hl.Buffer(np.moveaxis(image, -1, 0)).dim(d).stride() for d in range(3)] == [3, 3, 1]


ROWS, COLUMNS, CHANNELS = 12, 37, 3
# Views of h x w x 3 elements in all layouts that numpy has, each from the shape and type of a dense array.
LAYOUTS = {
    "interleaved": lambda a: a.copy(),
    "planar": lambda a: np.ascontiguousarray(a.transpose(2, 0, 1)).transpose(1, 2, 0),
    "Fortran": lambda a: np.asfortranarray(a),
    "transposed": lambda a: np.ascontiguousarray(a.transpose(1, 0, 2)).transpose(1, 0, 2),
    "every second pixel": lambda a: np.repeat(a, 2, axis=1)[:, ::2],
    "planar, every third": lambda a: np.repeat(np.ascontiguousarray(a.transpose(2, 0, 1)), 3, 2)[:, :, ::3].transpose(
        1, 2, 0
    ),
    "mirrored": lambda a: np.ascontiguousarray(a[:, ::-1])[:, ::-1],
    "upside down": lambda a: np.ascontiguousarray(a[::-1])[::-1],
    "reversed channels": lambda a: np.ascontiguousarray(a[:, :, ::-1])[:, :, ::-1],
    "three of four channels": lambda a: np.concatenate([a, a[:, :, :1]], axis=2)[:, :, :3],
}
SCHEDULES = {
    "none": lambda f, x, y, c: None,
    "vectors": lambda f, x, y, c: f.vectorize(x, 8),
    "vectors of rows": lambda f, x, y, c: f.vectorize(y, 4).parallel(c),
    "channels inside": lambda f, x, y, c: f.reorder(c, x, y).bound(c, 0, 3).unroll(c).vectorize(x, 16),
}


def pixels(dtype: type = np.uint8) -> np.ndarray:
    return np.arange(ROWS * COLUMNS * CHANNELS).reshape(ROWS, COLUMNS, CHANNELS).astype(dtype)


def shifted(schedule: str, kind: hl.Type) -> tuple[hl.ImageParam, hl.Func]:
    """The image moved by a pixel, plus 1."""
    x, y, c = hl.vars("x y c")
    source, f = hl.ImageParam(kind, 3, "source"), hl.Func("f")
    f[x, y, c] = source[x + 1, y, c] + hl.cast(kind, 1)
    SCHEDULES[schedule](f, x, y, c)
    return source, f


def pairs() -> list[tuple[str, str, str]]:
    """All layouts of an input with all of an output, and each of both under every schedule."""
    schedules = list(SCHEDULES)
    return [
        (layout, into, schedules[(i + j + i // len(schedules)) % len(schedules)])
        for i, layout in enumerate(LAYOUTS)
        for j, into in enumerate(LAYOUTS)
    ]


@pytest.mark.part(5)
@pytest.mark.parametrize(("layout", "into", "schedule"), pairs())
def test_inputs_and_outputs_take_all_layouts_without_declared_strides(layout: str, into: str, schedule: str) -> None:
    source, f = shifted(schedule, hl.UInt(8))
    image, out = LAYOUTS[layout](pixels()), LAYOUTS[into](np.zeros((ROWS, COLUMNS - 1, CHANNELS), np.uint8))
    source.set(hl.Buffer(image, axes="yxc"))
    f.realize(hl.Buffer(out, axes="yxc"))
    assert (out == pixels()[:, 1:] + np.uint8(1)).all()


@pytest.mark.parametrize("kind", [hl.UInt(16), hl.Float(32), hl.Int(64)])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.part(3)
def test_callables_take_all_layouts_one_after_another(layout: str, kind: hl.Type) -> None:
    source, f = shifted("vectors", kind)
    run = f.compile_to_callable([source])
    dtype = kind.numpy()
    for order in ("planar", layout, "planar", layout):
        image = LAYOUTS[order](pixels(dtype)).transpose(2, 0, 1)
        out = LAYOUTS[order](np.zeros((ROWS, COLUMNS - 1, CHANNELS), dtype)).transpose(2, 0, 1)
        run(image, out)
        assert (out == (pixels(dtype)[:, 1:] + dtype.type(1)).transpose(2, 0, 1)).all()


def test_dense_calls_compile_no_code_for_strides() -> None:
    source, f = shifted("vectors", hl.UInt(8))
    source.set(np.ascontiguousarray(pixels().transpose(2, 0, 1)))
    f.realize([COLUMNS - 1, ROWS, CHANNELS])
    assert f.jit_statistics().variants == 1
    for _ in range(2):
        source.set(hl.Buffer(pixels(), axes="yxc"))
        f.realize([COLUMNS - 1, ROWS, CHANNELS])
    assert f.jit_statistics().variants == 2


def test_many_layouts_share_code() -> None:
    x = hl.Var("x")
    source, f = hl.ImageParam(hl.Int(32), 1, "source"), hl.Func("f")
    f[x] = source[x] * 2
    for step in range(2, 30):
        source.set(np.arange(step * 10, dtype=np.int32)[::step])
        assert np.asarray(f.realize([10])).tolist() == [2 * step * k for k in range(10)]
    # Strides of 1, 2, 3 and 4, and any other.
    assert f.jit_statistics().variants == 5


def test_a_declared_stride_is_still_checked() -> None:
    source, f = shifted("none", hl.UInt(8))
    source.dim(0).set_stride(1)
    source.set(hl.Buffer(pixels(), axes="yxc"))
    with pytest.raises(hl.ArgumentError, match="source.stride.0 .* == 1"):
        f.realize([COLUMNS - 1, ROWS, CHANNELS])


def test_a_serialized_pipeline_takes_strides_as_well() -> None:
    source, f = shifted("vectors", hl.UInt(8))
    copy = hl.deserialize_pipeline(hl.serialize_pipeline(hl.Pipeline(f)))
    (argument,) = copy.infer_arguments()
    run = copy.compile_to_callable([argument])
    out = np.zeros((ROWS, COLUMNS - 1, CHANNELS), np.uint8)
    run(hl.Buffer(pixels(), axes="yxc"), hl.Buffer(out, axes="yxc"))
    assert (out == pixels()[:, 1:] + np.uint8(1)).all()


def test_several_values_and_inputs_have_strides_of_their_own() -> None:
    x = hl.Var("x")
    a, b = hl.ImageParam(hl.Int(32), 1, "a"), hl.ImageParam(hl.Int(32), 1, "b")
    f = hl.Func("f")
    f[x] = (a[x] + b[x], a[x] - b[x])
    f.vectorize(x, 4)
    a.set(np.arange(10, dtype=np.int32)[::-1])
    b.set(np.broadcast_to(np.int32(5), (10,)))
    sums, differences = np.zeros(20, np.int32)[::2], np.zeros(10, np.int32)
    f.realize([sums, differences])
    assert sums.tolist() == [14 - k for k in range(10)] and differences.tolist() == [4 - k for k in range(10)]


EMPTY = {
    "no rows": (0, 5),
    "no columns": (5, 0),
    "neither": (0, 0),
}


@pytest.mark.parametrize("schedule", ["none", "vectors"])
@pytest.mark.parametrize("shape", EMPTY.values(), ids=EMPTY)
@pytest.mark.parametrize("extended", [False, True])
def test_empty_images_give_empty_images(shape: tuple[int, int], extended: bool, schedule: str) -> None:
    x, y = hl.vars("x y")
    image, f = hl.ImageParam(hl.UInt(8), 2, "image"), hl.Func("f")
    source = hl.BoundaryConditions.repeat_edge(image) if extended else image
    f[x, y] = source[x, y] + 1
    if schedule == "vectors":
        f.vectorize(x, 8)
    for array in (
        np.zeros(shape, np.uint8),
        np.zeros((5, 5), np.uint8)[: shape[0], : shape[1]],
        np.zeros(shape, np.uint8).T.T,
    ):
        image.set(array)
        assert f.realize(list(shape[::-1])).numpy().shape == shape
        f.realize(np.zeros(shape, np.uint8))
        f.compile_to_callable([image])(array, np.zeros(shape, np.uint8))
    assert f.jit_statistics().variants == 1


def test_a_sum_over_an_empty_image_is_0() -> None:
    image, f = hl.ImageParam(hl.UInt(8), 2, "image"), hl.Func("f")
    r = hl.RDom(image)
    f[()] = hl.i32(0)
    f[()] += hl.i32(image[r.x, r.y])
    image.set(np.zeros((0, 5), np.uint8))
    assert f.realize([])[()] == 0


def test_a_tuple_of_one_value_or_of_the_values_of_a_func() -> None:
    x = hl.Var("x")
    f, g, h = hl.funcs("f g h")
    f[x] = x * 2
    g[x] = (x, x + 1)
    h[x] = hl.Tuple(f[x])
    assert len(hl.Tuple(f[x])) == 1 and len(hl.Tuple(g[x])) == 2 and h.realize([3]).numpy().tolist() == [0, 2, 4]
