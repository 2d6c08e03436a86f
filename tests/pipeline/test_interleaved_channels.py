"""Arrays of interleaved channels, in any order of dimensions, run in code that knows their strides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pipec as hl
from pipec.func.buffers.arrays import constant_strides

x, y, c = hl.vars("x y c")
PIXELS = np.random.default_rng(0).integers(0, 256, (9, 70, 3)).astype(np.uint8)
AXES = {"cxy": (0, 1, 2), "xyc": (2, 0, 1), "xcy": (1, 0, 2), "ycx": (2, 1, 0)}


@pytest.mark.parametrize(
    "dims, strides",
    [
        (((0, 3, 1), (0, 70, 3), (0, 9, 210)), {0: 1, 1: 3}),
        (((0, 70, 3), (0, 9, 210), (0, 3, 1)), {2: 1, 0: 3}),
        (((0, 70, 1), (0, 9, 70), (0, 3, 630)), {0: 1}),
        (((0, 5, 1), (0, 70, 5), (0, 9, 350)), {0: 1}),  # more than the channels of a pixel
        (((0, 3, 1), (0, 3, 3)), {0: 1}),  # a small table
        (((0, 35, 2), (0, 9, 70)), {0: 2}),
        (((0, 35, 70), (0, 9, 1)), {1: 1}),
        (((0, 3, 630), (0, 70, 1), (0, 9, 70)), {1: 1}),
        (((0, 35, 70), (0, 9, 5)), {}),
        (((0, 0, 0),), {}),
        ((), {}),
    ],
)
def test_small_strides_are_constants(dims: Any, strides: dict[int, int]) -> None:
    assert constant_strides(dims) == strides


def seen(order: str) -> hl.Buffer:
    """The pixels as a Buffer with dimensions in this order, in the same memory."""
    return hl.Buffer(PIXELS).transposed([order.index(letter) for letter in "cxy"])


@pytest.mark.parametrize("order", AXES)
@pytest.mark.parametrize("source", ["Buffer", "ImageParam"])
@pytest.mark.part(3)
def test_all_layouts_of_channels_give_the_same_pixels(order: str, source: str) -> None:
    dims = {"c": c, "x": x, "y": y}
    image: Any = seen(order)
    if source == "ImageParam":
        image = hl.ImageParam(hl.UInt(8), 3)
        image.set(seen(order))
    f = hl.Func("f")
    at = [dims[letter] for letter in order]
    f[tuple(at)] = image[tuple(at)] // 2 + hl.u8(c)
    f.bound(c, 0, 3).reorder(c, x, y).unroll(c).vectorize(x, 16)
    expected = PIXELS // 2 + np.arange(3, dtype=np.uint8)
    axes = ["yxc".index(letter) for letter in reversed(order)]
    for _ in range(3):
        result = f.realize([{"c": 3, "x": 70, "y": 9}[letter] for letter in order])
        np.testing.assert_array_equal(np.array(result), expected.transpose(axes))
        packed = np.zeros_like(PIXELS)
        f.realize(hl.Buffer(packed).transposed([order.index(letter) for letter in "cxy"]))
        np.testing.assert_array_equal(packed, expected)


def test_calls_with_interleaved_channels_are_fast_from_the_second_on() -> None:
    image, f = hl.ImageParam(hl.UInt(8), 3), hl.Func("f")
    f[c, x, y] = image[c, x, y] + 1
    image.set(hl.Buffer(PIXELS))
    pipeline, out = hl.Pipeline(f), hl.Buffer(hl.UInt(8), [3, 70, 9])
    for _ in range(4):
        pipeline.realize(out)
    run = pipeline._runnable(None)
    assert run.compiled.layouts == 2
    before = run.compiled._calls + sum(variant._calls for variant in run.compiled._variants())
    pipeline.realize(out)
    slow = run.compiled._calls + sum(variant._calls for variant in run.compiled._variants()) - before
    assert slow == 0 and run.compiled.calls == 5
    np.testing.assert_array_equal(np.array(out), PIXELS + 1)


def test_planar_and_interleaved_images_take_turns() -> None:
    image, f = hl.ImageParam(hl.UInt(8), 3), hl.Func("f")
    f[c, x, y] = image[c, x, y] + 1
    wide = np.random.default_rng(1).integers(0, 200, (9, 70, 6)).astype(np.uint8)
    for _ in range(4):
        for array in (PIXELS, wide):
            image.set(hl.Buffer(array))
            np.testing.assert_array_equal(np.array(f.realize([array.shape[2], 70, 9])), array + 1)


def test_searches_know_interleaved_channels() -> None:
    packed = np.random.default_rng(2).integers(0, 256, (1000, 1500, 3)).astype(np.uint8)
    planes = np.ascontiguousarray(packed.transpose(2, 0, 1)).transpose(1, 2, 0)
    costs = {}
    for name, array in (("packed", packed), ("planar", planes)):
        f, source = hl.Func("f"), hl.Buffer(array)
        f[x, y] = source[0, x, y] // 4 + source[1, x, y] // 2 + source[2, x, y] // 4
        costs[name] = f.autoschedule(sizes=[1500, 1000], verify=False, search_seconds=1).predicted_ms
    assert costs["planar"] <= costs["packed"] < 3 * costs["planar"]


def test_searches_store_all_channels_of_a_pixel_together() -> None:
    costs = []
    for args, sizes in (((c, x, y), [3, 1500, 1000]), ((x, y, c), [1500, 1000, 3])):
        f = hl.Func("f")
        f[args] = hl.u8(x + y * c)
        costs.append(f.autoschedule(sizes=sizes, verify=False, search_seconds=1).predicted_ms)
    packed, planar = costs
    assert packed < 3 * planar


@pytest.mark.parametrize("view", [np.s_[:, ::2, 0], np.s_[..., 1], np.s_[::-1, ::3, 2]])
@pytest.mark.part(4)
def test_searches_measure_with_views_of_some_elements(view: Any) -> None:
    f, source = hl.Func("f"), hl.Buffer(np.repeat(np.repeat(PIXELS, 8, 0), 4, 1)[view])
    f[x, y] = source[x, y] // 2
    sizes = [source.width(), source.height()]
    result = f.autoschedule(sizes=sizes, search_seconds=1)
    assert result.measured_ms is not None, result.note
    np.testing.assert_array_equal(np.array(f.realize(sizes)), np.array(source) // 2)


def test_a_stride_that_was_declared_is_checked_in_all_layouts() -> None:
    image, f = hl.ImageParam(hl.UInt(8), 3), hl.Func("f")
    image.dim(1).set_stride(4)
    f[c, x, y] = image[c, x, y] + 1
    image.set(hl.Buffer(PIXELS))
    with pytest.raises(hl.HalideError, match="stride"):
        f.realize([3, 70, 9])
