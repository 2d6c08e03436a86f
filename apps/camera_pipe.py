"""From the raw mosaic of a camera's sensor to a finished colour picture: about thirty stages, all integer per pixel."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from apps import photos, raw
from apps.app import Algorithm, App, Array, Settings
from apps.gpu import grid
from apps.run import main

STRIP = 32  # rows of the output that one task makes
SETTINGS = {
    "color_temperature": 3700.0,
    "gamma": 2.0,
    "contrast": 50.0,
    "sharpen": 1.0,
    "black_level": float(raw.BLACK),
    "white_level": float(raw.WHITE),
}


def average(a: Any, b: Any) -> Any:
    """Mean of two values of 16 bits, halves rounded up; ten-bit pixels leave room for the sum."""
    return (a + b + 1) // 2


class CameraPipe:
    """The stages, each a Func of the half-resolution or full-resolution grid; `stages` holds them by name."""

    def __init__(self, hl: ModuleType) -> None:
        self.hl = hl
        self.x, self.y, self.c = hl.vars("x y c")
        self.stages: dict[str, Any] = {"x": self.x, "y": self.y, "c": self.c}

    def define(self, name: str, value: Any, *more: Any) -> Any:
        """A Func of (x, y) and the further arguments."""
        func = self.stages[name] = self.hl.Func(name)
        func[(self.x, self.y, *more)] = value
        return func

    def suppress_hot_pixels(self, mosaic: Any) -> Any:
        """No pixel is brighter than the brightest neighbour of its colour."""
        hl, x, y = self.hl, self.x, self.y
        pixel = self.define("shifted", hl.i16(mosaic[x + 16, y + 12]))
        brightest = hl.max(hl.max(pixel[x - 2, y], pixel[x + 2, y]), hl.max(pixel[x, y - 2], pixel[x, y + 2]))
        return self.define("denoised", hl.clamp(pixel[x, y], hl.i16(0), brightest))

    def split_colours(self, pixel: Any) -> list[Any]:
        """The four planes of the mosaic: green beside red, red, blue, green beside blue."""
        x, y, c = self.x, self.y, self.c
        corners = [pixel[2 * x, 2 * y], pixel[2 * x + 1, 2 * y], pixel[2 * x, 2 * y + 1], pixel[2 * x + 1, 2 * y + 1]]
        planes = self.define("planes", self.hl.mux(c, corners), c)
        names = ("green_at_red_row", "red", "blue", "green_at_blue_row")
        return [self.define(name, planes[x, y, k]) for k, name in enumerate(names)]

    def smoother(self, first: tuple[Any, Any], second: tuple[Any, Any]) -> Any:
        """The mean of that pair of neighbours which differs less, here `first` and `second`."""
        hl = self.hl
        return hl.select(hl.absd(*first) < hl.absd(*second), average(*first), average(*second))

    def demosaic(self, gr: Any, r: Any, b: Any, gb: Any) -> Any:
        """All colours at every pixel: green along the smoother direction, the others by their difference to green."""
        x, y, c = self.x, self.y, self.c
        across, down = (gr[x + 1, y], gr[x, y]), (gb[x, y - 1], gb[x, y])
        g_r = self.define("green_at_red", self.smoother(across, down))
        across, down = (gb[x - 1, y], gb[x, y]), (gr[x, y + 1], gr[x, y])
        g_b = self.define("green_at_blue", self.smoother(across, down))

        def beside(name: str, green: Any, colour: Any, at_colour: Any, dx: int, dy: int) -> Any:
            """Colour between (x, y) and a neighbour of its plane, corrected by how green differs from its own mean."""
            correction = green[x, y] - average(at_colour[x, y], at_colour[x + dx, y + dy])
            return self.define(name, correction + average(colour[x, y], colour[x + dx, y + dy]))

        r_gr = beside("red_at_red_row", gr, r, g_r, -1, 0)
        b_gr = beside("blue_at_red_row", gr, b, g_b, 0, -1)
        r_gb = beside("red_at_blue_row", gb, r, g_r, 0, 1)
        b_gb = beside("blue_at_blue_row", gb, b, g_b, 1, 0)
        r_b = self.define("red_at_blue", self.diagonal(g_b, r, g_r, -1, 1))
        b_r = self.define("blue_at_red", self.diagonal(g_r, b, g_b, 1, -1))

        red = self.join("red_full", r_gr, r, r_b, r_gb)
        green = self.join("green_full", gr, g_r, g_b, gb)
        blue = self.join("blue_full", b_gr, b_r, b, b_gb)
        return self.define("demosaiced", self.hl.mux(c, [red[x, y], green[x, y], blue[x, y]]), c)

    def diagonal(self, green: Any, colour: Any, at_colour: Any, dx: int, dy: int) -> Any:
        """Colour in the middle of four diagonal neighbours, from the smoother diagonal."""
        hl, x, y = self.hl, self.x, self.y

        def along(first: tuple[int, int], second: tuple[int, int]) -> tuple[Any, Any]:
            (ax, ay), (bx, by) = first, second
            pair = (colour[x + ax, y + ay], colour[x + bx, y + by])
            correction = green[x, y] - average(at_colour[x + ax, y + ay], at_colour[x + bx, y + by])
            return correction + average(*pair), hl.absd(*pair)

        rising, rising_change = along((0, 0), (dx, dy))
        falling, falling_change = along((dx, 0), (0, dy))
        return hl.select(rising_change < falling_change, rising, falling)

    def join(self, name: str, top_left: Any, top_right: Any, bottom_left: Any, bottom_right: Any) -> Any:
        """One full-resolution plane of four at half the resolution."""
        hl, x, y = self.hl, self.x, self.y

        def pixels(left: Any, right: Any) -> Any:
            return hl.select(x % 2 == 0, left[x // 2, y // 2], right[x // 2, y // 2])

        return self.define(name, hl.select(y % 2 == 0, pixels(top_left, top_right), pixels(bottom_left, bottom_right)))

    def correct_colours(self, colours: Any, warm: Any, cool: Any, kelvin: Any) -> Any:
        """A 3 x 4 matrix in 8.8 fixed point, blended from two by the colour temperature of the light."""
        hl, x, y, c = self.hl, self.x, self.y, self.c
        low, high = hl.f32(1 / raw.WARM_KELVIN), hl.f32(1 / raw.COOL_KELVIN)
        share = (1.0 / kelvin - low) / (high - low)
        blended = warm[x, y] * (1.0 - share) + cool[x, y] * share
        matrix = self.define("matrix", hl.i16(hl.floor(blended * 256.0 + 0.5)))
        rgb = [hl.i32(colours[x, y, k]) for k in range(3)]
        rows = [sum((hl.i32(matrix[k, row]) * rgb[k] for k in range(3)), hl.i32(matrix[3, row])) for row in range(3)]
        return self.define("corrected", hl.mux(c, [hl.i16(row // 256) for row in rows]), c)

    def apply_curve(self, colours: Any, gamma: Any, contrast: Any, black: Any, white: Any) -> Any:
        """Gamma and an S-shaped contrast curve through a table of all ten-bit values."""
        hl, x, y, c = self.hl, self.x, self.y, self.c
        level = hl.clamp((hl.f32(x) - black) / (white - black), 0.0, 1.0)
        bright = hl.pow(level, 1.0 / gamma)
        slope = 2.0 - hl.pow(hl.f32(2.0), contrast / 100.0)
        bend = 2.0 - 2.0 * slope
        dark = 1.0 - bright
        curved = hl.select(
            bright > 0.5, 1.0 - (bend * dark * dark + slope * dark), bend * bright * bright + slope * bright
        )
        curve = self.stages["curve"] = hl.Func("curve")
        curve[x] = hl.u8(hl.clamp(curved * 255.0 + 0.5, 0.0, 255.0))
        return self.define("curved", curve[hl.clamp(colours[x, y, c], 0, 1023)], c)

    def sharpen(self, colours: Any, strength: Any) -> Any:
        """Add a part of what a 3 x 3 smoothing takes away."""
        hl, x, y, c = self.hl, self.x, self.y, self.c

        def mean(a: Any, b: Any) -> Any:
            return hl.u8((hl.u16(a) + hl.u16(b) + 1) // 2)

        def smooth(before: Any, here: Any, after: Any) -> Any:
            return mean(mean(before, after), here)

        down = smooth(colours[x, y - 1, c], colours[x, y, c], colours[x, y + 1, c])
        smooth_y = self.define("smooth_y", down, c)
        across = smooth(smooth_y[x - 1, y, c], smooth_y[x, y, c], smooth_y[x + 1, y, c])
        smooth_x = self.define("smooth_x", across, c)
        detail = hl.i16(colours[x, y, c]) - hl.i16(smooth_x[x, y, c])
        amount = hl.i16(hl.clamp(strength * 32.0, 0.0, 127.0))
        return self.define("camera_pipe", hl.u8_sat(hl.i16(colours[x, y, c]) + detail * amount // 32), c)


def build(hl: ModuleType) -> Algorithm:
    """Hot pixels, mosaic, colours, tone curve, sharpening."""
    mosaic = hl.ImageParam(hl.UInt(16), 2, "mosaic")
    warm, cool = hl.ImageParam(hl.Float(32), 2, "warm"), hl.ImageParam(hl.Float(32), 2, "cool")
    params = {name: hl.Param(hl.Float(32), name, value) for name, value in SETTINGS.items()}
    pipe = CameraPipe(hl)
    colours = pipe.demosaic(*pipe.split_colours(pipe.suppress_hot_pixels(mosaic)))
    corrected = pipe.correct_colours(colours, warm, cool, params["color_temperature"])
    levels = (params["black_level"], params["white_level"])
    curved = pipe.apply_curve(corrected, params["gamma"], params["contrast"], *levels)
    output = pipe.sharpen(curved, params["sharpen"])
    return Algorithm(output, {"mosaic": mosaic, "warm": warm, "cool": cool}, params, pipe.stages)


def schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """Strips of rows in parallel; all full-resolution stages slide down a strip two rows at a time."""
    stages, output = algorithm.stages, algorithm.output
    x, y, c = stages["x"], stages["y"], stages["c"]
    strip, pair, row, xi, yi = hl.vars("strip pair row xi yi")
    lanes = hl.get_host_target().natural_vector_size(hl.UInt(16))
    round_up = hl.TailStrategy.RoundUp

    stages["matrix"].compute_root()
    stages["curve"].compute_root()
    output.bound(c, 0, 3).reorder(c, x, y)
    output.split(y, pair, row, 2, round_up).split(pair, strip, pair, STRIP // 2)
    output.vectorize(x, 2 * lanes, round_up).unroll(c).parallel(strip)

    def slide(name: str, rows: int) -> Any:
        return stages[name].store_at(output, strip).compute_at(output, pair).fold_storage(y, rows)

    slide("denoised", 16).vectorize(x, lanes)
    slide("planes", 8).reorder(c, x, y).vectorize(x, 2 * lanes, round_up).unroll(c)
    for name in ("green_at_red", "green_at_blue"):
        slide(name, 2).vectorize(x, lanes, round_up)
    curved = stages["curved"].store_at(output, strip).compute_at(output, pair)
    curved.align_bounds(x, 2).align_bounds(y, 2)  # so that a tile holds whole groups of four sensor pixels
    curved.reorder(c, x, y).tile(x, y, x, y, xi, yi, 2 * lanes, 2, round_up).vectorize(xi).unroll(yi).unroll(c)
    stages["corrected"].compute_at(stages["curved"], x).reorder(c, x, y).vectorize(x).unroll(c)
    stages["demosaiced"].compute_at(stages["curved"], x).reorder(c, x, y).vectorize(x).unroll(y).unroll(c)
    at_red = ("red_at_red_row", "blue_at_red_row", "red_at_blue_row", "blue_at_blue_row", "red_at_blue", "blue_at_red")
    for name in at_red:
        stages[name].compute_at(stages["curved"], x).vectorize(x)


def gpu_schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """Kernels for hot pixels, for both greens, for four pixels a thread up to the curve, and to sharpen."""
    stages, output = algorithm.stages, algorithm.output
    x, y, c = stages["x"], stages["y"], stages["c"]
    xi, yi, xt, yt = hl.vars("xi yi xt yt")
    stages["matrix"].compute_root()
    stages["curve"].compute_root()
    for name in ("denoised", "green_at_red", "green_at_blue"):
        grid(hl, stages[name].compute_root(), x, y)
    curved = stages["curved"].compute_root().align_bounds(x, 2).align_bounds(y, 2).reorder(c, x, y)
    curved.tile(x, y, xi, yi, 64, 16, hl.TailStrategy.RoundUp).tile(xi, yi, xt, yt, 2, 2)
    curved.reorder(c, xt, yt, xi, yi, x, y)
    curved.unroll(c).unroll(xt).unroll(yt).gpu_blocks(x, y).gpu_threads(xi, yi)
    grid(hl, output.bound(c, 0, 3), x, y, c)


def reference(images: Mapping[str, Array], settings: Settings) -> Array:
    """The same arithmetic on whole arrays; np.roll wraps at the border, which the margin keeps from the output."""
    colours = _demosaic(_without_hot_pixels(images["mosaic"].astype(np.int32)))
    matrix = _matrix(images["warm"], images["cool"], np.float32(settings["color_temperature"]))
    corrected = np.stack([(row[3] + sum(row[k] * colours[k] for k in range(3))) // 256 for row in matrix])
    curved = _curve(settings)[np.clip(corrected, 0, 1023)].astype(np.int32)
    sharp = _sharpened(curved, int(np.clip(settings["sharpen"] * 32, 0, 127)))
    height, width = images["mosaic"].shape
    size = APP.output_size(images["mosaic"])
    assert height >= size[1] + 24 and width >= size[0] + 32
    return sharp[:, 12 : 12 + size[1], 16 : 16 + size[0]].astype(np.uint8)


def _moved(plane: Array, dx: int, dy: int) -> Array:
    """The plane whose pixel (x, y) is the given one's (x + dx, y + dy)."""
    return np.roll(plane, (-dy, -dx), axis=(-2, -1))


def _without_hot_pixels(pixel: Array) -> Array:
    around = [_moved(pixel, dx, dy) for dx, dy in ((-2, 0), (2, 0), (0, -2), (0, 2))]
    return np.clip(pixel, 0, np.maximum.reduce(around))


def _demosaic(pixel: Array) -> Array:
    gr, r, b, gb = pixel[0::2, 0::2], pixel[0::2, 1::2], pixel[1::2, 0::2], pixel[1::2, 1::2]

    def smoother(first: tuple[Array, Array], second: tuple[Array, Array]) -> Array:
        return np.where(abs(first[0] - first[1]) < abs(second[0] - second[1]), average(*first), average(*second))

    g_r = smoother((_moved(gr, 1, 0), gr), (_moved(gb, 0, -1), gb))
    g_b = smoother((_moved(gb, -1, 0), gb), (_moved(gr, 0, 1), gr))

    def between(green: Array, colour: Array, at_colour: Array, *steps: tuple[int, int]) -> Array:
        (ax, ay), (bx, by) = steps
        correction = green - average(_moved(at_colour, ax, ay), _moved(at_colour, bx, by))
        return correction + average(_moved(colour, ax, ay), _moved(colour, bx, by))

    def diagonal(green: Array, colour: Array, at_colour: Array, dx: int, dy: int) -> Array:
        rising, falling = ((0, 0), (dx, dy)), ((dx, 0), (0, dy))
        change = [abs(_moved(colour, *p) - _moved(colour, *q)) for p, q in (rising, falling)]
        means = [between(green, colour, at_colour, *pair) for pair in (rising, falling)]
        return np.where(change[0] < change[1], *means)

    def join(*corners: Array) -> Array:
        full = np.empty_like(pixel)
        for k, corner in enumerate(corners):
            full[k // 2 :: 2, k % 2 :: 2] = corner
        return full

    current = (0, 0)
    r_gr, b_gr = between(gr, r, g_r, current, (-1, 0)), between(gr, b, g_b, current, (0, -1))
    r_gb, b_gb = between(gb, r, g_r, current, (0, 1)), between(gb, b, g_b, current, (1, 0))
    r_b, b_r = diagonal(g_b, r, g_r, -1, 1), diagonal(g_r, b, g_b, 1, -1)
    return np.stack([join(r_gr, r, r_b, r_gb), join(gr, g_r, g_b, gb), join(b_gr, b_r, b, b_gb)])


def _matrix(warm: Array, cool: Array, kelvin: np.float32) -> Array:
    one, low, high = np.float32(1), np.float32(1 / raw.WARM_KELVIN), np.float32(1 / raw.COOL_KELVIN)
    share = (one / kelvin - low) / (high - low)
    return np.floor((warm * (one - share) + cool * share) * np.float32(256) + np.float32(0.5)).astype(np.int32)


def _curve(settings: Settings) -> Array:
    names = ("gamma", "contrast", "black_level", "white_level")
    gamma, contrast, black, white = (np.float32(settings[name]) for name in names)
    level = np.clip((np.arange(1024, dtype=np.float32) - black) / (white - black), 0, 1)
    bright = level ** (np.float32(1) / gamma)
    slope = np.float32(2) - np.float32(2) ** (contrast / np.float32(100))
    bend = np.float32(2) - np.float32(2) * slope
    dark = 1 - bright
    curved = np.where(bright > 0.5, 1 - (bend * dark * dark + slope * dark), bend * bright * bright + slope * bright)
    return np.clip(curved * np.float32(255) + np.float32(0.5), 0, 255).astype(np.uint8)


def _sharpened(colours: Array, strength: int) -> Array:
    def smooth(plane: Array, dx: int, dy: int) -> Array:
        return average(average(_moved(plane, -dx, -dy), _moved(plane, dx, dy)), plane)

    detail = colours - smooth(smooth(colours, 0, 1), 1, 0)
    return np.clip(colours + detail * strength // 32, 0, 255)


def opencv(images: Mapping[str, Array], settings: Settings) -> Array:
    """The brightest neighbour by dilation, OpenCV's own edge-aware demosaicking, then matrix, table and sharpening."""
    import cv2

    neighbours = np.zeros((5, 5), np.uint8)
    neighbours[[0, 4, 2, 2], [2, 2, 0, 4]] = 1
    clean = cv2.min(images["mosaic"], cv2.dilate(images["mosaic"], neighbours))
    colours = cv2.cvtColor(clean, cv2.COLOR_BayerGRBG2RGB_EA)
    matrix = _matrix(images["warm"], images["cool"], np.float32(settings["color_temperature"]))
    corrected = cv2.transform(colours, matrix.astype(np.float32) / 256)
    table = np.concatenate([_curve(settings), np.full(65536 - 1024, 255, np.uint8)])
    curved = table[corrected]
    smooth = cv2.GaussianBlur(curved, (3, 3), 0)
    sharp = cv2.addWeighted(curved, 1 + settings["sharpen"], smooth, -settings["sharpen"], 0)
    width, height, _ = APP.output_size(images["mosaic"])
    return np.moveaxis(sharp[12 : 12 + height, 16 : 16 + width], -1, 0)


def inputs(picture: Array) -> dict[str, Array]:
    """A raw mosaic (16 bits, one channel) as it is; any other picture is turned into what a sensor would record."""
    is_raw = picture.ndim == 2 and picture.dtype == np.uint16
    mosaic = picture if is_raw else raw.record(photos.colour(picture), SETTINGS["color_temperature"])
    warm, cool = raw.colour_matrix(raw.WARM_KELVIN), raw.colour_matrix(raw.COOL_KELVIN)
    return {"mosaic": np.ascontiguousarray(mosaic), "warm": warm, "cool": cool}


def before(images: Mapping[str, Array]) -> Array:
    """The grey mosaic of the sensor."""
    level = (images["mosaic"].astype(np.float64) - raw.BLACK) / (raw.WHITE - raw.BLACK)
    return photos.to_bytes(np.sqrt(np.clip(level, 0, 1)))


APP = App(
    name="camera_pipe",
    build=build,
    schedule=schedule,
    gpu_schedule=gpu_schedule,
    reference=reference,
    inputs=inputs,
    picture=photos.interleaved,
    rival=opencv,
    rival_name="OpenCV dilate, Bayer, transform, table, GaussianBlur",
    photo="astronaut",
    dtype=np.uint8,
    bench_size=(2560, 1920, 3),
    test_size=(128, 64, 3),
    settings=SETTINGS,
    before=before,
    margin=(32, 24),
    granularity=(64, STRIP),
)

if __name__ == "__main__":
    main(APP)
