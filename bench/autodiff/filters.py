"""The filters to differentiate, for pipec and for the halide wheel alike: each makes an output of ImageParams."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

# The photograph: width, height. The grid of the slicing layer: cells across, down and in brightness.
WIDTH, HEIGHT, CHANNELS = 768, 512, 3
CELLS_X, CELLS_Y, BANDS = 24, 16, 8
WINDOW, KERNEL = 2, 7  # of the bilateral filter: pixels each way; of the blur that is undone: taps each way
SPREAD = 2.0
STEP, SMOOTH = 0.2, 1e-3

# A Func, and what it reads.
Filter = tuple[Any, list[Any]]
Make = Callable[[Any], Filter]


class FixedImages:
    """A compiler with the images that a filter is to read, in the place of ImageParams.

    `sizes`: what counts of each image, from 0 on; there may be more of it.
    """

    def __init__(self, hl: ModuleType, images: list[Any], sizes: list[tuple[int, ...]]) -> None:
        self.hl, self.images, self.sizes = hl, images, sizes

    def __getattr__(self, name: str) -> Any:
        return getattr(self.hl, name)


def _images(hl: ModuleType, **dimensions: int) -> list[Any]:
    if isinstance(hl, FixedImages):
        return hl.images
    return [hl.ImageParam(hl.Float(32), count, name) for name, count in dimensions.items()]


def _ends(hl: ModuleType) -> list[list[tuple[int, int]]]:
    """The size of the first image as further arguments of boundary conditions, where the image does not tell it."""
    return [[(0, extent) for extent in hl.sizes[0]]] if isinstance(hl, FixedImages) else []


def convolution(hl: ModuleType) -> Filter:
    """Each channel by the same 5 x 5 weights, where they fit."""
    image, weights = _images(hl, image=3, weights=2)
    x, y, c, r = hl.Var("x"), hl.Var("y"), hl.Var("c"), hl.RDom([(0, 5), (0, 5)], "r")
    f = hl.Func("convolution")
    f[x, y, c] = 0.0
    f[x, y, c] += image[x + r.x, y + r.y, c] * weights[r.x, r.y]
    return f, [image, weights]


def slicing(hl: ModuleType) -> Filter:
    """A 3 x 4 colour matrix for each pixel, from a grid of space and brightness (Gharbi et al., HDRnet, 2017)."""
    grid, guide, image = _images(hl, grid=4, guide=2, image=3)
    x, y, c, k = hl.Var("x"), hl.Var("y"), hl.Var("c"), hl.Var("k")
    column = hl.clamp((hl.f32(x) + 0.5) * (CELLS_X / WIDTH) - 0.5, 0.0, CELLS_X - 1.0)
    line = hl.clamp((hl.f32(y) + 0.5) * (CELLS_Y / HEIGHT) - 0.5, 0.0, CELLS_Y - 1.0)
    band = hl.clamp(guide[x, y] * BANDS - 0.5, 0.0, BANDS - 1.0)
    cx, cy, cz = [hl.clamp(hl.i32(v), 0, n - 2) for v, n in ((column, CELLS_X), (line, CELLS_Y), (band, BANDS))]
    tx, ty, tz = column - hl.f32(cx), line - hl.f32(cy), band - hl.f32(cz)

    def along_x(dy: int, dz: int) -> Any:
        return hl.lerp(grid[cx, cy + dy, cz + dz, k], grid[cx + 1, cy + dy, cz + dz, k], tx)

    def along_y(dz: int) -> Any:
        return hl.lerp(along_x(0, dz), along_x(1, dz), ty)

    matrix, f = hl.Func("matrix"), hl.Func("slicing")
    matrix[x, y, k] = hl.lerp(along_y(0), along_y(1), tz)
    f[x, y, c] = matrix[x, y, 4 * c + 3]
    for channel in range(CHANNELS):
        f[x, y, c] += matrix[x, y, 4 * c + channel] * image[x, y, channel]
    return f, [grid, guide, image]


def bilateral(hl: ModuleType) -> Filter:
    """5 x 5 pixels, weighted by how near they are in place and in brightness; `sharpness` is learned too."""
    image, sharpness = _images(hl, image=2, sharpness=1)
    x, y = hl.Var("x"), hl.Var("y")
    bounded = hl.BoundaryConditions.repeat_edge(image, *_ends(hl))
    size = 2 * WINDOW + 1
    r = hl.RDom([(-WINDOW, size), (-WINDOW, size)], "r")
    near = hl.exp(hl.f32(r.x * r.x + r.y * r.y) * (-0.5 / SPREAD**2))
    difference = bounded[x + r.x, y + r.y] - bounded[x, y]
    weight = near * hl.exp(-difference * difference * sharpness[hl.i32(0)])
    f = hl.Func("bilateral")
    if hl.__name__ == "halide":
        # See WHEEL_NOTES.
        colour, total = hl.Func("colour"), hl.Func("total")
        colour[x, y], total[x, y] = 0.0, 0.0
        colour[x, y] += weight * bounded[x + r.x, y + r.y]
        total[x, y] += weight
        f[x, y] = colour[x, y] / total[x, y]
        return f, [image, sharpness]
    sums = hl.Func("sums")
    sums[x, y] = (0.0, 0.0)
    sums[x, y] = (sums[x, y][0] + weight * bounded[x + r.x, y + r.y], sums[x, y][1] + weight)
    f[x, y] = sums[x, y][0] / sums[x, y][1]
    return f, [image, sharpness]


def demosaic(hl: ModuleType) -> Filter:
    """Colours from a Bayer mosaic by 5 x 5 filters, one for each colour and each of the four places of a cell."""
    mosaic, filters = _images(hl, mosaic=2, filters=4)
    x, y, p, c, r = hl.Var("x"), hl.Var("y"), hl.Var("p"), hl.Var("c"), hl.RDom([(0, 5), (0, 5)], "r")
    cell, f = hl.Func("cell"), hl.Func("demosaic")
    cell[x, y, p, c] = 0.0
    cell[x, y, p, c] += mosaic[2 * x + p % 2 + r.x, 2 * y + p // 2 + r.y] * filters[r.x, r.y, p, c]
    f[x, y, c] = cell[x // 2, y // 2, 2 * (y % 2) + x % 2, c]
    return f, [mosaic, filters]


def warp(hl: ModuleType) -> Filter:
    """An image read at moved places, bilinearly; the flow is learned too."""
    image, flow = _images(hl, image=3, flow=3)
    x, y, c = hl.Var("x"), hl.Var("y"), hl.Var("c")
    px = hl.clamp(hl.f32(x) + flow[x, y, 0], 0.0, WIDTH - 1.0)
    py = hl.clamp(hl.f32(y) + flow[x, y, 1], 0.0, HEIGHT - 1.0)
    ix, iy = hl.clamp(hl.i32(px), 0, WIDTH - 2), hl.clamp(hl.i32(py), 0, HEIGHT - 2)
    tx, ty = px - hl.f32(ix), py - hl.f32(iy)
    f = hl.Func("warp")
    above = hl.lerp(image[ix, iy, c], image[ix + 1, iy, c], tx)
    f[x, y, c] = hl.lerp(above, hl.lerp(image[ix, iy + 1, c], image[ix + 1, iy + 1, c], tx), ty)
    return f, [image, flow]


def deconvolution(hl: ModuleType) -> Filter:
    """A gradient step towards the sharp image whose blur is `blurred`; the blur itself is learned too."""
    image, blurred, kernel = _images(hl, image=2, blurred=2, kernel=2)
    x, y = hl.Var("x"), hl.Var("y")
    bounded, half = hl.BoundaryConditions.constant_exterior(image, 0.0, *_ends(hl)), KERNEL // 2
    r, s = hl.RDom([(0, KERNEL), (0, KERNEL)], "r"), hl.RDom([(0, KERNEL), (0, KERNEL)], "s")
    error, back, f = hl.Func("error"), hl.Func("back"), hl.Func("deconvolution")
    error[x, y] = -blurred[x, y]
    error[x, y] += bounded[x + r.x - half, y + r.y - half] * kernel[r.x, r.y]
    outside = hl.BoundaryConditions.constant_exterior(error, 0.0, [(0, WIDTH), (0, HEIGHT)])
    back[x, y] = 0.0
    back[x, y] += outside[x - s.x + half, y - s.y + half] * kernel[s.x, s.y]
    f[x, y] = image[x, y] - STEP * back[x, y]
    return f, [image, blurred, kernel]


def total_variation(hl: ModuleType) -> Filter:
    """A gradient step towards less total variation, smoothed; the weight of each pixel is learned too."""
    image, weight = _images(hl, image=3, weight=2)
    x, y, c = hl.Var("x"), hl.Var("y"), hl.Var("c")
    bounded = hl.BoundaryConditions.repeat_edge(image, *_ends(hl))
    across, down, f = hl.Func("across"), hl.Func("down"), hl.Func("total_variation")
    dx, dy = bounded[x + 1, y, c] - bounded[x, y, c], bounded[x, y + 1, c] - bounded[x, y, c]
    length = hl.sqrt(dx * dx + dy * dy + SMOOTH)
    across[x, y, c], down[x, y, c] = dx / length, dy / length
    inward = hl.select(x > 0, across[hl.max(x - 1, 0), y, c], 0.0) + hl.select(y > 0, down[x, hl.max(y - 1, 0), c], 0.0)
    f[x, y, c] = image[x, y, c] + STEP * weight[x, y] * (across[x, y, c] + down[x, y, c] - inward)
    return f, [image, weight]


FILTERS: dict[str, Make] = {
    make.__name__: make for make in (convolution, slicing, bilateral, demosaic, warp, deconvolution, total_variation)
}
# What the wheel is given instead, and why.
WHEEL_NOTES = {"bilateral": "sums two Funcs, since its derivative of a Tuple's update is wrong (central differences)"}
