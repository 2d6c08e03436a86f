"""Warps: pictures read at places that a matrix, a lens, a field of displacements or a ratio of sizes gives."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np
from scipy.ndimage import map_coordinates

from apps.app import Algorithm, Array
from bench.zoo.entry import Entry, Sizes, noise
from bench.zoo.pieces import pictures


def bilinear(hl: ModuleType, image: Any, size: tuple[Any, Any], x: Any, y: Any, *rest: Any) -> Any:
    """The value of `image` between four of its pixels; `x` and `y` are floats, clamped to its width and height."""
    last_x, last_y = (n - 1 for n in size)
    x, y = hl.clamp(x, 0.0, hl.f32(last_x)), hl.clamp(y, 0.0, hl.f32(last_y))
    left, above = hl.i32(x), hl.i32(y)
    right, below = hl.min(left + 1, last_x), hl.min(above + 1, last_y)
    across, down = x - hl.f32(left), y - hl.f32(above)
    upper, lower = (hl.lerp(image[left, row, *rest], image[right, row, *rest], across) for row in (above, below))
    return hl.lerp(upper, lower, down)


def extent(image: Any) -> tuple[Any, Any]:
    return image.width(), image.height()


def sampled(planes: Array, x: Array, y: Array) -> Array:
    """Every plane of a picture (channel, y, x) at these places, bilinear; its edges go on for ever."""
    return np.stack([map_coordinates(plane.astype(np.float32), (y, x), order=1, mode="nearest") for plane in planes])


def pixels(size: Sizes) -> tuple[Array, Array]:
    """The coordinates x and y of all pixels of an output of a size."""
    y, x = np.indices(size[1::-1], np.int32)
    return x, y


AFFINE = {"xx": 62259, "xy": -14090, "x0": 812345, "yx": 13435, "yy": 63570, "y0": -523456}  # 16 bits of fraction


def build_affine_warp(hl: ModuleType) -> Algorithm:
    """Places in fixed point with 5 bits of fraction for the weights; black outside of the picture."""
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    m = {name: hl.Param(hl.Int(32), name) for name in AFFINE}
    x, y = hl.vars("x y")
    place, warped = hl.funcs("place warped")
    padded = hl.BoundaryConditions.constant_exterior(image, hl.u8(0))
    place[x, y] = (m["xx"] * x + m["xy"] * y + m["x0"], m["yx"] * x + m["yy"] * y + m["y0"])
    left, above = (place[x, y][k] >> 16 for k in range(2))
    across, down = (hl.u32((place[x, y][k] >> 11) & 31) for k in range(2))
    upper, lower = (padded[left, row] * (32 - across) + padded[left + 1, row] * across for row in (above, above + 1))
    warped[x, y] = hl.u8((upper * (32 - down) + lower * down + 512) >> 10)
    return Algorithm(warped, {"image": image}, m, {"place": place})


def affine_warp(images: Mapping[str, Array]) -> Array:
    image = images["image"]
    x, y = pixels(image.shape[::-1])
    source_x = AFFINE["xx"] * x + AFFINE["xy"] * y + AFFINE["x0"]
    source_y = AFFINE["yx"] * x + AFFINE["yy"] * y + AFFINE["y0"]
    height, width = image.shape
    total = np.full(image.shape, 512)
    for dx, dy in np.ndindex(2, 2):
        column, row = (source_x >> 16) + dx, (source_y >> 16) + dy
        inside = (column >= 0) & (column < width) & (row >= 0) & (row < height)
        weight = abs((source_x >> 11) % 32 - 32 * (1 - dx)) * abs((source_y >> 11) % 32 - 32 * (1 - dy))
        total += weight * inside * image[row.clip(0, height - 1), column.clip(0, width - 1)]
    return (total >> 10).astype(np.uint8)


def build_perspective_warp(hl: ModuleType) -> Algorithm:
    image = hl.ImageParam(hl.Float(32), 3, "image")
    homography = hl.ImageParam(hl.Float(32), 2, "homography")
    x, y, c = hl.vars("x y c")
    place, warped = hl.funcs("place warped")
    across, down, depth = (homography[0, row] * x + homography[1, row] * y + homography[2, row] for row in range(3))
    place[x, y] = (across / depth, down / depth)
    warped[x, y, c] = bilinear(hl, image, extent(image), place[x, y][0], place[x, y][1], c)
    return Algorithm(warped, {"image": image, "homography": homography}, stages={"place": place})


def perspective_warp_inputs(size: Sizes) -> dict[str, Array]:
    homography = np.array([[0.93, 0.11, 3.1], [-0.07, 1.04, 2.3], [-3e-5, 5e-5, 1]], np.float32)
    return {"image": noise(size[::-1], np.float32, 0, 1), "homography": homography}


def perspective_warp(images: Mapping[str, Array]) -> Array:
    image = images["image"]
    x, y = pixels(image.shape[::-1])
    places = images["homography"] @ np.stack([x, y, np.ones_like(x)]).reshape(3, -1).astype(np.float32)
    return sampled(image, *(places[:2] / places[2]).reshape(2, *x.shape))


def build_flow_warp(hl: ModuleType) -> Algorithm:
    image, flow, target = (hl.ImageParam(hl.Float(32), 3, name) for name in ("image", "flow", "target"))
    x, y, c = hl.vars("x y c")
    warped, residual, loss = hl.funcs("warped residual loss")
    warped[x, y, c] = bilinear(hl, image, extent(image), x + flow[x, y, 0], y + flow[x, y, 1], c)
    residual[x, y, c] = warped[x, y, c] - target[x, y, c]
    loss[x, y] = hl.sqrt(sum((residual[x, y, k] * residual[x, y, k] for k in range(3)), hl.f32(1e-6)))
    images = {"image": image, "flow": flow, "target": target}
    return Algorithm(loss, images, stages={"warped": warped, "residual": residual})


def flow_warp_inputs(size: Sizes) -> dict[str, Array]:
    shape = size[::-1]
    return {
        "image": noise((3, *shape), np.float32, 0, 1),
        "flow": noise((2, *shape), np.float32, -9, 14, seed=1),
        "target": noise((3, *shape), np.float32, 0, 1, seed=2),
    }


def flow_warp(images: Mapping[str, Array]) -> Array:
    x, y = pixels(images["flow"].shape[::-1])
    warped = sampled(images["image"], x + images["flow"][0], y + images["flow"][1])
    return np.sqrt(((warped - images["target"]) ** 2).sum(axis=0) + np.float32(1e-6))


RADIAL, LATERAL = (-0.11, 0.034), (0.9992, 1.0, 1.0009)  # of the lens; magnification of red, green and blue


def build_undistort(hl: ModuleType) -> Algorithm:
    """Radial distortion is shared by the channels, lateral chromatic aberration is not."""
    raw = hl.ImageParam(hl.UInt(16), 3, "raw")
    x, y, c = hl.vars("x y c")
    radius, factor, normalised, undistorted = hl.funcs("radius factor normalised undistorted")
    width, height = hl.f32(raw.width()), hl.f32(raw.height())
    from_centre = (x - 0.5 * width, y - 0.5 * height)
    radius[x, y] = 4.0 * (from_centre[0] * from_centre[0] + from_centre[1] * from_centre[1]) / (width * width)
    factor[x, y] = 1.0 + radius[x, y] * (hl.f32(RADIAL[0]) + radius[x, y] * hl.f32(RADIAL[1]))
    scale = factor[x, y] * hl.mux(c, [hl.f32(s) for s in LATERAL])
    normalised[x, y, c] = hl.f32(raw[x, y, c]) * hl.f32(1 / 65535)
    place = (from_centre[0] * scale + 0.5 * width, from_centre[1] * scale + 0.5 * height)
    undistorted[x, y, c] = bilinear(hl, normalised, extent(raw), *place, c)
    return Algorithm(undistorted, {"raw": raw}, stages={"factor": factor, "normalised": normalised})


def undistort(images: Mapping[str, Array]) -> Array:
    raw = images["raw"]
    _, height, width = raw.shape
    x, y = (at - n / 2 for at, n in zip(pixels((width, height)), (width, height), strict=True))
    squared = (x**2 + y**2) / (width / 2) ** 2
    factor = 1 + RADIAL[0] * squared + RADIAL[1] * squared**2
    planes = [
        sampled(plane[None], x * factor * scale + width / 2, y * factor * scale + height / 2)[0]
        for plane, scale in zip(raw, LATERAL, strict=True)
    ]
    return np.stack(planes) / np.float32(65535)


def build_log_polar(hl: ModuleType) -> Algorithm:
    """A row for each angle, a column for each logarithm of the radius."""
    image = hl.ImageParam(hl.Float(32), 2, "image")
    magnitude, turn = hl.Param(hl.Float(32), "magnitude"), hl.Param(hl.Float(32), "turn")
    rho, phi = hl.vars("rho phi")
    radius, cosine, sine, polar = hl.funcs("radius cosine sine polar")
    radius[rho] = hl.exp(hl.f32(rho) * magnitude)
    cosine[phi] = hl.cos(hl.f32(phi) * turn)
    sine[phi] = hl.sin(hl.f32(phi) * turn)
    x = radius[rho] * cosine[phi] + 0.5 * hl.f32(image.width())
    y = radius[rho] * sine[phi] + 0.5 * hl.f32(image.height())
    polar[rho, phi] = bilinear(hl, image, extent(image), x, y)
    stages = {"radius": radius, "cosine": cosine, "sine": sine}
    return Algorithm(polar, {"image": image}, {"magnitude": magnitude, "turn": turn}, stages)


LOG_POLAR = {"magnitude": 0.0062, "turn": 0.0061}


def log_polar(images: Mapping[str, Array]) -> Array:
    image = images["image"]
    height, width = image.shape
    rho, phi = pixels((width, height))
    radius, angle = np.exp(rho * LOG_POLAR["magnitude"]), phi * LOG_POLAR["turn"]
    return sampled(image[None], radius * np.cos(angle) + width / 2, radius * np.sin(angle) + height / 2)[0]


ANGLE = math.radians(17)
SHEARS = {"along": -math.tan(ANGLE / 2), "across": math.sin(ANGLE)}


def build_shear_rotation(hl: ModuleType) -> Algorithm:
    """A rotation as three shears, each of which moves rows or columns (Paeth, 1986)."""
    image = hl.ImageParam(hl.Float(32), 2, "image")
    along, across = hl.Param(hl.Float(32), "along"), hl.Param(hl.Float(32), "across")
    x, y = hl.vars("x y")
    first, second, rotated = hl.funcs("first second rotated")
    padded = hl.BoundaryConditions.constant_exterior(image, hl.f32(0))
    middle_x, middle_y = hl.f32(image.width()) * 0.5, hl.f32(image.height()) * 0.5

    def sheared(line: Any, at: Any, shift: Any) -> Any:
        whole = hl.floor(shift)
        return hl.lerp(line(at + hl.i32(whole)), line(at + hl.i32(whole) + 1), shift - whole)

    first[x, y] = sheared(lambda at: padded[at, y], x, along * (y - middle_y))
    second[x, y] = sheared(lambda at: first[x, at], y, across * (x - middle_x))
    rotated[x, y] = sheared(lambda at: second[at, y], x, along * (y - middle_y))
    return Algorithm(rotated, {"image": image}, {"along": along, "across": across}, {"first": first, "second": second})


def shear_rotation(images: Mapping[str, Array]) -> Array:
    """The same in a frame that holds all of the sheared picture."""
    image = images["image"]
    margin = max(image.shape) // 4
    frame = np.pad(image, margin)
    middle_y, middle_x = (margin + n / 2 for n in image.shape)
    x, y = pixels(frame.shape[::-1])
    for axis, factor in ((1, SHEARS["along"]), (0, SHEARS["across"]), (1, SHEARS["along"])):
        shift = factor * ((y - middle_y) if axis == 1 else (x - middle_x))
        whole = np.floor(shift).astype(int)
        lines = x if axis == 1 else y
        before, after = (
            np.take_along_axis(frame, (lines + whole + k).clip(0, frame.shape[axis] - 1), axis) for k in (0, 1)
        )
        frame = before + (after - before) * (shift - whole).astype(np.float32)
    return frame[margin:-margin, margin:-margin]


ENTRIES = (
    Entry(
        name="affine_warp",
        kind="warp",
        source="OpenCV warpAffine, INTER_LINEAR",
        build=build_affine_warp,
        inputs=pictures(np.uint8, 0, 255, "image"),
        reference=affine_warp,
        bench_size=(8192, 6144),
        test_size=(131, 77),
        settings=AFFINE,
    ),
    Entry(
        name="perspective_warp",
        kind="warp",
        source="Kornia warp_perspective",
        build=build_perspective_warp,
        inputs=perspective_warp_inputs,
        reference=perspective_warp,
        bench_size=(1280, 720, 3),
        test_size=(61, 43, 3),
        tolerance=1e-3,
        differentiable=True,
    ),
    Entry(
        name="flow_warp",
        kind="warp",
        source="the photometric loss of unsupervised optical flow; OpenCV remap",
        build=build_flow_warp,
        inputs=flow_warp_inputs,
        reference=flow_warp,
        bench_size=(960, 540),
        test_size=(61, 43),
        tolerance=1e-3,
        differentiable=True,
    ),
    Entry(
        name="undistort",
        kind="warp",
        source="OpenCV undistort, with lateral chromatic aberration as in lensfun",
        build=build_undistort,
        inputs=pictures(np.uint16, 0, 65535, "raw"),
        reference=undistort,
        bench_size=(4000, 3000, 3),
        test_size=(61, 43, 3),
        tolerance=1e-3,
    ),
    Entry(
        name="log_polar",
        kind="warp",
        source="OpenCV warpPolar, WARP_POLAR_LOG",
        build=build_log_polar,
        inputs=pictures(np.float32, 0, 1, "image"),
        reference=log_polar,
        bench_size=(1024, 1030),
        test_size=(131, 77),
        tolerance=1e-3,
        settings=LOG_POLAR,
    ),
    Entry(
        name="shear_rotation",
        kind="warp",
        source="Paeth, A fast algorithm for general raster rotation, 1986",
        build=build_shear_rotation,
        inputs=pictures(np.float32, 0, 1, "image"),
        reference=shear_rotation,
        bench_size=(2048, 1536),
        test_size=(93, 77),
        tolerance=1e-3,
        differentiable=True,
        settings=SHEARS,
    ),
)
