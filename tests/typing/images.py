"""Buffers, arrays, Params, ImageParams and callables."""

from __future__ import annotations

import numpy as np

import pipec as hl


def brighten() -> hl.Callable:
    """A callable of an image and a factor."""
    image = hl.ImageParam(hl.UInt(8), 3, "image")
    factor = hl.Param(hl.Float(32), "factor", 1.5)
    factor.set_range(0.0, 8.0)
    x, y, c = hl.vars("x y c")
    f = hl.Func("brighter")
    value: hl.Expr = hl.f32(image[x, y, c]) * factor
    f[x, y, c] = hl.u8_sat(hl.min(value, 255.0))
    f.reorder(c, x, y).bound(c, 0, 3).unroll(c)
    return f.compile_to_callable([image, factor])


def main() -> None:
    rows = np.full((4, 6, 3), 100, np.uint8)
    named = hl.Buffer(rows, axes="yxc")
    width: int = named.width()
    planes: np.ndarray = named.numpy(axes="cyx").copy()
    out = hl.Buffer(hl.UInt(8), [width, named.height(), named.channels()])
    brighten()(planes, 2.0, out)
    assert out[0, 0, 0] == 200 and out.dtype == np.uint8 and out.ndim == 3
    low: int = out.dim(0).min()
    view = out.cropped(0, low, 2)
    assert view.shape == (3, 4, 2) and hl.imageio.is_interleaved(rows)
