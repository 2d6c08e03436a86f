"""A photograph as if taken with a large lens: what is not in focus is blurred, by depth from two eyes' pictures."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, pi, sin, sqrt
from types import ModuleType
from typing import Any

import numpy as np

from apps import photos
from apps.app import Algorithm, App, Array, Settings
from apps.gpu import grid
from apps.run import main

SLICES = 32  # depths that are told apart, the farthest first: each a shift of two pixels between the eyes
WINDOW = 6  # pixels each way over which the cost of a depth is summed
REACH = 8  # pixels of the largest blur
SAMPLES = 32  # of the aperture
FINE = 16  # parts of a pixel in which radii are counted
UNIT = 64  # parts of the aperture's radius in which samples' places are counted
# All of the depth is exact in 16 bits: the means of three channels' differences lose a bit and a half, the spread one.
COST_BITS, SPREAD_BITS, SUM_BITS = 3, 1, 4
SETTINGS = {"focus": 24, "aperture": 8}  # the depth in focus; sixteenths of a pixel of blur for each slice beside it


def aperture() -> list[tuple[int, int]]:
    """Points of a disc, evenly along a spiral of golden angles."""
    places = []
    for k in range(SAMPLES):
        radius, angle = UNIT * sqrt((k + 0.5) / SAMPLES), k * pi * (3 - sqrt(5))
        places.append((round(radius * cos(angle)), round(radius * sin(angle))))
    return places


class LensBlur:
    """The stages; `stages` holds them by name."""

    def __init__(self, hl: ModuleType, left: Any, right: Any, focus: Any, aperture: Any) -> None:
        self.hl, self.focus, self.aperture = hl, focus, aperture
        self.x, self.y, self.z, self.c, self.k = hl.vars("x y z c k")
        self.stages: dict[str, Any] = {"x": self.x, "y": self.y, "z": self.z, "c": self.c, "k": self.k}
        self.left, self.right = self.padded("left", left), self.padded("right", right)

    def define(self, name: str, arguments: tuple[Any, ...], value: Any) -> Any:
        func = self.stages[name] = self.hl.Func(name)
        func[arguments] = value
        return func

    def padded(self, name: str, image: Any) -> Any:
        at = (self.x, self.y, self.c)
        return self.define(f"padded_{name}", at, self.hl.BoundaryConditions.repeat_edge(image)[at])

    def weighted(self) -> Any:
        """What speaks against each depth of a pixel, more where depths differ much: flat places have no say."""
        hl, x, y, z = self.hl, self.x, self.y, self.z

        def difference(c: int) -> Any:
            current = self.left[x, y, c]
            near, far = (hl.absd(current, self.right[x - 2 * z - step, y, c]) for step in (0, 1))
            return hl.u16(hl.min(near, far))

        total = difference(0) + difference(1) + difference(2)
        cost = self.define("cost", (x, y, z), total >> COST_BITS)
        depths = hl.RDom([(0, SLICES)], "depths")
        extremes = self.define("extremes", (x, y), hl.Tuple([hl.u16(0), hl.u16(0xFFFF)]))
        total, least = extremes[x, y][0], extremes[x, y][1]
        some = cost[x, y, depths]
        extremes[x, y] = hl.Tuple([total + some, hl.min(least, some)])
        spread = (extremes[x, y][0] // SLICES - extremes[x, y][1]) >> SPREAD_BITS
        return self.define("weighted", (x, y, z), cost[x, y, z] * spread)

    def depth(self) -> Any:
        """The depth that least speaks against, over the window about a pixel."""
        hl, x, y, z = self.hl, self.x, self.y, self.z
        weighted = self.weighted()
        window = range(-WINDOW, WINDOW + 1)
        down = self.define("down", (x, y, z), sum(weighted[x, y + i, z] for i in window) >> SUM_BITS)
        depths = hl.RDom([(0, SLICES)], "slices")
        best = self.define("best", (x, y), hl.Tuple([hl.u16(0xFFFF), hl.u16(0)]))
        cost = sum(down[x + i, y, depths] for i in window)
        better = cost < best[x, y][0]
        new = (cost, hl.u16(depths))
        best[x, y] = hl.Tuple([hl.select(better, new[i], best[x, y][i]) for i in range(2)])
        return best[x, y][1]

    def radius(self, depth: Any) -> Any:
        """How far light of that depth spreads, in sixteenths of a pixel."""
        distance = self.hl.i32(self.hl.absd(depth, self.focus))
        return self.hl.clamp(distance * self.aperture, 0, REACH * FINE)

    def output(self) -> Any:
        """The mean of those of 32 pixels about one whose light reaches it.

        They lie within the largest blur near the pixel. What is behind it lights it only within its own blur.
        """
        hl, x, y, c, k = self.hl, self.x, self.y, self.c, self.k
        colours = [hl.u32(self.left[x, y, channel]) << 8 * channel for channel in range(3)]
        packed = self.define("packed", (x, y), colours[0] | colours[1] | colours[2] | hl.u32(self.depth()) << 24)
        window = range(-REACH, REACH + 1)
        radius = self.define("radius", (x, y), hl.u8(self.radius(hl.i32(packed[x, y] >> 24))))
        widest_y = self.define("widest_y", (x, y), _largest(hl, [radius[x, y + i] for i in window]))
        widest = self.define("widest", (x, y), _largest(hl, [widest_y[x + i, y] for i in window]))
        columns = zip(*aperture(), strict=True)
        places = [self.define(f"place_{axis}", (k,), hl.mux(k, list(at))) for axis, at in enumerate(columns)]

        samples = hl.RDom([(0, SAMPLES)], "samples")
        light = self.define("light", (x, y), hl.Tuple(self.parts(packed[x, y])))
        scale = hl.i32(widest[x, y])
        dx, dy = (
            hl.clamp((scale * place[samples] + UNIT * FINE // 2) // (UNIT * FINE), -REACH, REACH) for place in places
        )
        tap = packed[x + dx, y + dy]
        square = (dx * dx + dy * dy) * FINE**2
        current, there = hl.i32(packed[x, y] >> 24), hl.i32(tap >> 24)
        own, its = ((self.radius(depth) + FINE // 2) for depth in (current, there))
        lit = (square <= its * its) & ((there >= current) | (square <= own * own))
        shares = self.parts(tap)
        light[x, y] = hl.Tuple([light[x, y][i] + hl.select(lit, share, 0) for i, share in enumerate(shares)])
        total, count = hl.mux(c, [light[x, y][i] for i in range(3)]), light[x, y][3]
        return self.define("lens_blur", (x, y, c), hl.f32(total) / hl.f32(count * 255))

    def parts(self, packed: Any) -> list[Any]:
        """Red, green and blue, and that it is one pixel."""
        return [*(packed >> 8 * channel & 255 for channel in range(3)), self.hl.u32(1)]


def _largest(hl: ModuleType, values: list[Any]) -> Any:
    result = values[0]
    for value in values[1:]:
        result = hl.max(result, value)
    return result


def build(hl: ModuleType) -> Algorithm:
    """Find every pixel's depth by the shift at which the eyes' pictures agree; gather the light that reaches it."""
    images = {name: hl.ImageParam(hl.UInt(8), 3, name) for name in ("left", "right")}
    params = {name: hl.Param(hl.Int(32), name, value) for name, value in SETTINGS.items()}
    pipe = LensBlur(hl, *images.values(), *params.values())
    return Algorithm(pipe.output(), images, params, pipe.stages)


def schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """Depth in tiles, all slices of a row together; then strips of the picture, a vector of pixels at a time."""
    stages, output = algorithm.stages, algorithm.output
    x, y, z, c, k = (stages[name] for name in ("x", "y", "z", "c", "k"))
    strip, tile = hl.vars("strip tile")
    lanes = hl.get_host_target().natural_vector_size(hl.UInt(16))
    guard, round_up = hl.TailStrategy.GuardWithIf, hl.TailStrategy.RoundUp

    packed = stages["packed"].compute_root()
    packed.split(y, strip, y, 32, guard).split(x, tile, x, 128, round_up).reorder(x, y, tile, strip)
    packed.vectorize(x, lanes).parallel(strip)
    stages["weighted"].store_at(packed, tile).compute_at(packed, y).vectorize(x, lanes, round_up)
    for name in ("padded_left", "padded_right", "cost", "extremes", "down", "best"):
        stages[name].compute_at(packed, y).vectorize(x, lanes, round_up)
    for name in ("extremes", "best"):
        stages[name].update().vectorize(x, lanes, round_up)
    for place in ("place_0", "place_1"):
        stages[place].compute_root().bound(k, 0, SAMPLES).vectorize(k, SAMPLES)
    output.bound(c, 0, 3).split(y, strip, y, 8).reorder(c, x, y, strip).vectorize(x, lanes // 2).unroll(c).parallel(
        strip
    )
    for name in ("radius", "widest_y"):
        stages[name].store_at(output, strip).compute_at(output, y).vectorize(x, lanes, round_up)
    light = stages["light"].compute_at(output, x).vectorize(x)
    light.update().vectorize(x)


def gpu_schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """Costs by depth as planes of a grid; then a pixel a thread finds its depth, and in a last kernel its light."""
    stages, output = algorithm.stages, algorithm.output
    x, y, z, c, k = (stages[name] for name in ("x", "y", "z", "c", "k"))
    xi = hl.Var("xi")
    extremes, packed = stages["extremes"].compute_root(), stages["packed"].compute_root()
    grid(hl, extremes, x, y)
    grid(hl, extremes.update(), x, y)
    grid(hl, packed, x, y)
    for name in ("weighted", "down"):
        grid(hl, stages[name].compute_root(), x, y, z)
    stages["best"].compute_at(packed, xi)
    for place in ("place_0", "place_1"):
        stages[place].compute_root().bound(k, 0, SAMPLES).gpu_tile(k, xi, SAMPLES)
    grid(hl, output.bound(c, 0, 3).reorder(c, x, y).unroll(c), x, y)
    for name in ("widest_y", "widest"):
        grid(hl, stages[name].compute_root(), x, y)
    stages["light"].compute_at(output, xi)


def reference(images: Mapping[str, Array], settings: Settings) -> Array:
    height, width = images["left"].shape[1:]
    margin = REACH + WINDOW
    rows, columns = (np.arange(-margin, size + margin) for size in (height, width))
    left = _at(images["left"], rows, columns)
    cost = np.stack([_cost(left, images["right"], rows, columns - 2 * z) for z in range(SLICES)])
    spread = (cost.sum(0) // SLICES - cost.min(0)) >> SPREAD_BITS
    weighted = cost * spread
    for axis, bits in ((1, SUM_BITS), (2, 0)):
        weighted = np.lib.stride_tricks.sliding_window_view(weighted, 2 * WINDOW + 1, axis).sum(-1) >> bits
    depth = weighted.argmin(0)
    return _gathered(left[:, WINDOW:-WINDOW, WINDOW:-WINDOW], depth, settings)


def _at(image: Array, rows: Array, columns: Array) -> Array:
    height, width = image.shape[1:]
    inside: Array = image[:, np.clip(rows, 0, height - 1)[:, None], np.clip(columns, 0, width - 1)]
    return inside.astype(np.int64)


def _cost(left: Array, right: Array, rows: Array, columns: Array) -> Array:
    near, far = (abs(left - _at(right, rows, columns - step)) for step in (0, 1))
    return np.minimum(near, far).sum(0) >> COST_BITS


def _gathered(colours: Array, depth: Array, settings: Settings) -> Array:
    """The light that reaches every pixel, of colours and depths with a margin of REACH."""
    radius = np.clip(abs(depth - int(settings["focus"])) * int(settings["aperture"]), 0, REACH * FINE)
    widest = np.lib.stride_tricks.sliding_window_view(radius, (2 * REACH + 1,) * 2).max((2, 3))
    y, x = np.indices(widest.shape) + REACH
    total, count = colours[:, y, x], np.ones(widest.shape, np.int64)
    for across, down in aperture():
        dx, dy = (np.floor(widest * at / (UNIT * FINE) + 0.5).astype(int) for at in (across, down))
        distance = np.hypot(dx, dy) * FINE
        reached = distance <= radius[y + dy, x + dx] + FINE // 2
        lit = reached & ((depth[y + dy, x + dx] >= depth[y, x]) | (distance <= radius[y, x] + FINE // 2))
        total = total + lit * colours[:, y + dy, x + dx]
        count = count + lit
    return (total / (255 * count)).astype(np.float32)


def opencv(images: Mapping[str, Array], settings: Settings) -> Array:
    """Depth by semi-global matching; the picture blurred as much as each depth asks for, put together by depth."""
    import cv2

    left, right = (cv2.merge(list(image)) for image in images.values())
    matcher = cv2.StereoSGBM.create(numDisparities=2 * SLICES, blockSize=5)
    depth = np.clip(matcher.compute(left, right) // (2 * 16), 0, SLICES - 1)
    result = left.copy()
    for z in range(SLICES):
        radius = min(abs(z - settings["focus"]) * settings["aperture"] / FINE, REACH)
        side = 2 * int(radius) + 1
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)).astype(np.float32)
        blurred = cv2.filter2D(left, -1, kernel / kernel.sum())
        cv2.copyTo(blurred, (depth == z).astype(np.uint8), result)
    return photos.planar(result).astype(np.float32) / 255


def inputs(picture: Array) -> dict[str, Array]:
    """A pair as it is; any other picture as if it lay on the ground: lower rows are nearer and shift by more."""
    if picture.ndim == 3 and picture.shape[2] == 6:
        left, right = picture[..., :3], picture[..., 3:]
    else:
        left = photos.colour(picture)
        rows, columns = np.indices(left.shape[:2])
        shift = rows * (2 * SLICES - 1) // len(left)
        right = left[rows, np.minimum(columns + shift, left.shape[1] - 1)]
    return {"left": photos.planar(left), "right": photos.planar(right)}


def before(images: Mapping[str, Array]) -> Array:
    return photos.interleaved(images["left"])


def picture(output: Array) -> Array:
    return photos.to_bytes(photos.interleaved(output))


APP = App(
    name="lens_blur",
    build=build,
    schedule=schedule,
    gpu_schedule=gpu_schedule,
    reference=reference,
    inputs=inputs,
    picture=picture,
    rival=opencv,
    rival_name="OpenCV StereoSGBM, filter2D for each depth",
    photo=photos.PAIR,
    dtype=np.float32,
    bench_size=(704, 480, 3),
    test_size=(150, 90, 3),
    settings=SETTINGS,
    before=before,
    tolerance=1e-6,
)

if __name__ == "__main__":
    main(APP)
