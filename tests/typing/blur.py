"""The README's example, in a function with types."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import pipec as hl


def blur(photo: npt.NDArray[np.uint16]) -> npt.NDArray[np.uint16]:
    """A box of 3 x 3 pixels."""
    x, y = hl.vars("x y")
    source = hl.BoundaryConditions.repeat_edge(hl.Buffer(photo))
    blur_x, blur_y = hl.funcs("blur_x blur_y")
    blur_x[x, y] = (source[x - 1, y] + source[x, y] + source[x + 1, y]) / 3
    blur_y[x, y] = (blur_x[x, y - 1] + blur_x[x, y] + blur_x[x, y + 1]) / 3
    yo, yi = hl.vars("yo yi")
    blur_y.split(y, yo, yi, 8).parallel(yo).vectorize(x, 8)
    blur_x.store_at(blur_y, yo).compute_at(blur_y, x).vectorize(x, 8)
    result: hl.Buffer = blur_y.realize([photo.shape[1], photo.shape[0]])
    return np.asarray(result)


def main() -> None:
    photo = np.random.default_rng(0).integers(0, 1 << 14, (20, 30), np.uint16)
    assert blur(photo).shape == (20, 30)
