"""Gaussian smoothing and unsharp masking: sums over columns, then over rows, of a kernel that is given at the call."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import pipec as hl
from pipec.errors import ArgumentError, NotSupportedError
from pipec.filters.planes import (
    TYPES,
    Array,
    by_rows,
    channels_of,
    check_border,
    columns_extended,
    image_array,
    lanes_of,
    plane,
    result_array,
    rounded,
    rows_extended,
)

# Every tap is an instruction or two of the inner loops; kernels beyond would take seconds to compile.
MAX_RADIUS = 96
# Bits after the point of OpenCV's weights for 8-bit pixels.
WEIGHT_BITS = 8


def gaussian(
    image: Any, sigma: float, *, size: int | None = None, border: str = "reflect", out: Array | None = None
) -> Array:
    """Smooths a picture with a Gaussian, as `cv2.GaussianBlur(image, (size, size), sigma)`.

    `image`: uint8, uint16 or float32 of shape (y, x) or (y, x, c). `size`: of the kernel, odd; by default OpenCV's,
    six times sigma for uint8 and eight times for other types. `border`: as in `numpy.pad`. `out`: array for the result.
    Equal to OpenCV's for uint8; at most 1 from it for uint16, 1e-6 of the largest value for float32.

    >>> spot = np.zeros((5, 5), np.uint8)
    >>> spot[2, 2] = 100
    >>> hl.filters.gaussian(spot, 0.8, size=3)[2].tolist()
    [0, 12, 27, 12, 0]
    """
    array = image_array("gaussian", image)
    radius = kernel_radius(array.dtype, sigma, size)
    weights = gaussian_weights(sigma, radius)
    fixed = array.dtype == np.uint8
    coefficients = fixed_point(weights) if fixed else weights.astype(np.float32)
    border = check_border("gaussian", border)
    run = _separable(array.dtype.name, channels_of(array), radius, border, "fixed" if fixed else "float")
    result = result_array("gaussian", out, array.shape, array.dtype)
    run(plane(array), coefficients, plane(result))
    return result


def unsharp(
    image: Any, sigma: float = 1.0, amount: float = 1.0, *, border: str = "symmetric", out: Array | None = None
) -> Array:
    """Sharpens a picture: adds `amount` times what a Gaussian takes away, as `skimage.filters.unsharp_mask`.

    `image`: uint8, uint16 or float32 of shape (y, x) or (y, x, c); integers are rounded and limited to the range of
    their type, float32 to 0..1. At most 1e-5 from scikit-image's result with `preserve_range=True` for float32, 1 for
    integers.

    >>> step = np.repeat(np.uint8([[50, 50, 100, 100]]), 4, axis=0)
    >>> hl.filters.unsharp(step)[0].tolist()
    [47, 35, 115, 103]
    """
    array = image_array("unsharp", image)
    radius = _checked_radius(int(4 * _positive(sigma) + 0.5))
    weights = gaussian_weights(sigma, radius).astype(np.float32)
    border = check_border("unsharp", border)
    run = _separable(array.dtype.name, channels_of(array), radius, border, "unsharp")
    result = result_array("unsharp", out, array.shape, array.dtype)
    run(plane(array), weights, float(amount), plane(result))
    return result


def kernel_radius(dtype: Any, sigma: float, size: int | None) -> int:
    """Returns the radius of the kernel of `size`; OpenCV's choice for `sigma` when that is None."""
    if size is None:
        size = round(_positive(sigma) * (3 if dtype == np.uint8 else 4) * 2 + 1) | 1
    if size < 1 or size % 2 == 0:
        raise ArgumentError(f"Error: size={size} of gaussian() must be odd and positive.")
    return _checked_radius(size // 2)


def gaussian_weights(sigma: float, radius: int) -> Any:
    """Returns the weights at distances 0 to `radius`; both sides together sum to 1."""
    weights: Any = np.exp(-0.5 * (np.arange(radius + 1) / _positive(sigma)) ** 2)
    return weights / (2 * weights.sum() - weights[0])


def fixed_point(weights: np.ndarray[Any, np.dtype[np.float64]]) -> np.ndarray[Any, np.dtype[np.uint16]]:
    """Rounds weights to WEIGHT_BITS after the point; each error is carried to the next, the rest to the centre."""
    one = 1 << WEIGHT_BITS
    rounded, error = np.zeros(len(weights), np.uint16), 0.0
    for at in range(len(weights) - 1, 0, -1):
        exact = weights[at] * one + error
        rounded[at] = round(exact)
        error = exact - rounded[at]
    rounded[0] = one - 2 * int(rounded[1:].sum())
    return rounded


def _positive(sigma: float) -> float:
    if not sigma > 0:
        raise ArgumentError(f"Error: sigma={sigma} must be above 0.")
    return sigma


def _checked_radius(radius: int) -> int:
    if radius > MAX_RADIUS:
        raise NotSupportedError(
            f"Error: A kernel of {2 * radius + 1} pixels is wider than {2 * MAX_RADIUS + 1}. Shrink the picture first"
            " with filters.resize(), or give a smaller size=."
        )
    return radius


def _symmetric_sum(weight: Callable[[int], Any], radius: int, tap: Callable[[int], Any]) -> Any:
    total = weight(0) * tap(0)
    for k in range(1, radius + 1):
        total += weight(k) * (tap(-k) + tap(k))
    return total


@cache
def _separable(dtype: str, channels: int, radius: int, border: str, kind: str) -> Callable[..., None]:
    """Compiles the sums for one type, number of channels and radius.

    `kind`: "fixed" has integer weights, whose products sum to less than 2^24 and so are exact in float32; "float";
    "unsharp", which takes `amount` after the weights.
    """
    source = hl.ImageParam(TYPES[np.dtype(dtype)], 2, "source")
    weights = hl.ImageParam(hl.UInt(16) if kind == "fixed" else hl.Float(32), 1, "weights")
    amount = hl.Param(hl.Float(32), "amount")
    weights.dim(0).set_bounds(0, radius + 1)
    i, y = hl.vars("i y")
    down, output = hl.Func("down"), hl.Func("smooth")
    rows = rows_extended(source, border)
    number = hl.u16 if kind == "fixed" else hl.f32
    down[i, y] = hl.f32(_symmetric_sum(lambda k: weights[k], radius, lambda k: number(rows[i, y + k])))
    sides = columns_extended(down, source, border, channels, radius)
    total = _symmetric_sum(lambda k: hl.f32(weights[k]), radius, lambda k: sides[i + k * channels, y])
    if kind == "fixed":
        total *= hl.f32(0.5 ** (2 * WEIGHT_BITS))
    if kind == "unsharp":
        centre = hl.f32(source[i, y])
        total = centre + (centre - total) * amount
        total = hl.clamp(total, 0.0, 1.0) if dtype == "float32" else total
    output[i, y] = rounded(total, TYPES[np.dtype(dtype)])
    by_rows(output, [down, sides], lanes_of(hl.Float(32)) * (2 if dtype == "uint8" else 1))
    return output.compile_to_callable([source, weights, *([amount] if kind == "unsharp" else [])])
