"""A blur with its result, and files of arrays, for the tests of tiles, dask and streams."""

from __future__ import annotations

import numpy as np

import pipec as hl

SIZE = (700, 460)


class Blur:
    """A 3x3 blur with mirrored borders, and its result for a picture of SIZE."""

    def __init__(self) -> None:
        x, y = hl.vars("x y")
        self.image = hl.ImageParam(hl.UInt(8), 2, "image")
        source = hl.BoundaryConditions.mirror_image(self.image)
        rows, self.output = hl.funcs("rows blurred")
        rows[x, y] = hl.u16(source[x - 1, y]) + source[x, y] + source[x + 1, y]
        self.output[x, y] = hl.u8((rows[x, y - 1] + rows[x, y] + rows[x, y + 1]) / 9)
        rows.compute_root().vectorize(x, 16)
        self.output.vectorize(x, 16)
        self.picture = np.random.default_rng(7).integers(0, 256, SIZE[::-1], np.uint8)
        self.image.set(hl.Buffer(self.picture))
        self.result = self.output.realize(SIZE).numpy()
        self.image.reset()


def histogram_equalisation() -> tuple[hl.ImageParam, hl.Func]:
    """A pipeline whose elements depend on the histogram of the whole image."""
    x, y, b = hl.vars("x y b")
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    hist, cdf, output = hl.funcs("whole_hist cdf equalised")
    r = hl.RDom([(0, image.width()), (0, image.height())], "r")
    steps = hl.RDom([(1, 255)], "steps")
    hist[b] = hl.u32(0)
    hist[hl.i32(image[r.x, r.y])] += hl.u32(1)
    cdf[b] = hist[b]
    cdf[steps.x] = cdf[steps.x - 1] + hist[steps.x]
    output[x, y] = hl.u8(cdf[hl.i32(image[x, y])] * 255 / hl.u32(image.width() * image.height()))
    hist.compute_root()
    cdf.compute_root()
    return image, output


def loaded(path: str) -> np.ndarray:
    """The array in a file."""
    if path.endswith(".npy"):
        return np.load(path)
    if path.endswith(".zarr"):
        import zarr

        return np.asarray(zarr.open_array(path, mode="r")[...])
    import tifffile

    return np.asarray(tifffile.imread(path))
