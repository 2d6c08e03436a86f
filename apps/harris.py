"""Harris corners of a colour picture: where the gradient turns within every 3x3 window."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from apps import photos
from apps.app import Algorithm, App, Array, Settings
from apps.gpu import grid, staged
from apps.run import main

RED, GREEN, BLUE = (float(np.float32(w)) for w in (0.299, 0.587, 0.114))
SOBEL = float(np.float32(1 / 12))
SENSITIVITY = float(np.float32(0.04))
MARGIN = 6  # rows of input that the response of one row takes, less one
MARKED = 400  # corners shown in the picture


def build(hl: ModuleType) -> Algorithm:
    """The determinant of the windowed gradient products less a part of their squared trace, three pixels inside."""
    x, y = hl.vars("x y")
    source = hl.ImageParam(hl.Float(32), 3, "source")
    stages: dict[str, Any] = {"x": x, "y": y}

    def define(name: str, value: Any) -> Any:
        func = stages[name] = hl.Func(name)
        func[x, y] = value
        return func

    gray = define("gray", RED * source[x, y, 0] + GREEN * source[x, y, 1] + BLUE * source[x, y, 2])
    across, down = define("across", _sobel(gray, x, y, True)), define("down", _sobel(gray, x, y, False))
    xx = define("xx", across[x, y] * across[x, y])
    yy = define("yy", down[x, y] * down[x, y])
    xy = define("xy", across[x, y] * down[x, y])
    window = [define(f"window_{name}", _sum3x3(func, x, y)) for name, func in (("xx", xx), ("yy", yy), ("xy", xy))]
    xx_sum, yy_sum, xy_sum = (func[x, y] for func in window)
    trace = xx_sum + yy_sum
    response = define("response", xx_sum * yy_sum - xy_sum * xy_sum - SENSITIVITY * trace * trace)
    output = define("harris", response[x + MARGIN // 2, y + MARGIN // 2])
    return Algorithm(output, {"source": source}, stages=stages)


def _sobel(gray: Any, x: Any, y: Any, across: bool) -> Any:
    """The smoothed difference of the two neighbours across or down."""

    def tap(along: int, aside: int) -> Any:
        return gray[x + along, y + aside] if across else gray[x + aside, y + along]

    before, after = ((tap(k, -1) + 2 * tap(k, 0) + tap(k, 1)) for k in (-1, 1))
    return (after - before) * SOBEL


def _sum3x3(func: Any, x: Any, y: Any) -> Any:
    rows = [func[x - 1, y + dy] + func[x, y + dy] + func[x + 1, y + dy] for dy in (-1, 0, 1)]
    return rows[0] + rows[1] + rows[2]


def schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """Strips of rows in parallel; luminance and both gradients slide down each strip, a row at a time."""
    stages, output = algorithm.stages, algorithm.output
    x, y, inner = stages["x"], stages["y"], hl.Var("yi")
    lanes = hl.get_host_target().natural_vector_size(hl.Float(32))
    output.split(y, y, inner, 32).parallel(y).vectorize(x, lanes)
    for name in ("gray", "across", "down"):
        stages[name].store_at(output, y).compute_at(output, inner).vectorize(x, lanes)
    stages["across"].compute_with(stages["down"], x)  # both read the same nine neighbours


def gpu_schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """One kernel: luminance and both gradients are staged for each tile."""
    stages, output = algorithm.stages, algorithm.output
    x, y = stages["x"], stages["y"]
    grid(hl, output, x, y)
    for name in ("gray", "across", "down"):
        staged(hl, stages[name], output, x, y)


def reference(images: Mapping[str, Array], settings: Settings) -> Array:
    red, green, blue = images["source"]
    gray = np.float32(RED) * red + np.float32(GREEN) * green + np.float32(BLUE) * blue
    smooth_down, smooth_across = (a[:-2] + 2 * a[1:-1] + a[2:] for a in (gray, gray.T))
    across = (smooth_down[:, 2:] - smooth_down[:, :-2]) * np.float32(SOBEL)
    down = (smooth_across.T[2:] - smooth_across.T[:-2]) * np.float32(SOBEL)
    xx, yy, xy = (_windows(product) for product in (across * across, down * down, across * down))
    response = xx * yy - xy * xy - np.float32(SENSITIVITY) * (xx + yy) ** 2
    return response[1:-1, 1:-1]


def _windows(plane: Array) -> Array:
    """Sums over all 3x3 windows inside the plane."""
    rows = plane[:-2] + plane[1:-1] + plane[2:]
    return rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]


def opencv(images: Mapping[str, Array], settings: Settings) -> Array:
    import cv2

    gray = cv2.transform(cv2.merge(list(images["source"])), np.array([[RED, GREEN, BLUE]], np.float32))
    return cv2.cornerHarris(gray, 3, 3, SENSITIVITY)[3:-3, 3:-3]


def inputs(picture: Array) -> dict[str, Array]:
    return {"source": photos.planar(photos.colour(picture)).astype(np.float32) / 255}


def picture(output: Array) -> Array:
    """The response as brightness: corners light, edges dark, flat parts grey."""
    strength = np.sqrt(abs(output) / max(float(abs(output).max()), 1e-20))
    return photos.to_bytes(0.5 + 0.5 * np.sign(output) * strength)


def corners(response: Array, most: int = MARKED) -> Array:
    """Rows and columns of the strongest local maxima, one per row of the result, strongest first."""
    import cv2

    peak = (response == cv2.dilate(response, np.ones((9, 9), np.uint8))) & (response > 0.01 * response.max())
    rows, columns = np.nonzero(peak)
    strongest = np.argsort(-response[rows, columns], kind="stable")[:most]
    return np.stack([rows[strongest], columns[strongest]], axis=1)


def marked(picture: Array, output: Array) -> Array:
    """The picture with a ring round each corner."""
    import cv2

    height, width = output.shape
    image = picture[MARGIN // 2 : MARGIN // 2 + height, MARGIN // 2 : MARGIN // 2 + width].copy()
    for row, column in corners(output):
        cv2.circle(image, (int(column), int(row)), 4, (90, 255, 90), 1, cv2.LINE_AA)
    return image


APP = App(
    name="harris",
    build=build,
    schedule=schedule,
    gpu_schedule=gpu_schedule,
    reference=reference,
    inputs=inputs,
    picture=picture,
    overlay=marked,
    rival=opencv,
    rival_name="OpenCV transform, cornerHarris",
    photo="rocket",
    dtype=np.float32,
    bench_size=(1530, 2554),
    test_size=(133, 70),
    margin=(MARGIN, MARGIN),
    tolerance=1e-5,
)

if __name__ == "__main__":
    main(APP)
