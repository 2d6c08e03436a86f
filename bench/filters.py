"""`python -m bench.filters`: ready filters beside OpenCV and scikit-image on a photograph of 1920 x 1080 pixels.

Calls take turns; times are medians in milliseconds, with the result allocated by each call. `--json file` writes them.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from skimage.filters import unsharp_mask

from apps import photos
from pipec import filters

Call = Callable[[], Any]
WIDTH, HEIGHT = 1920, 1080


def images() -> dict[str, Any]:
    """One photograph as grey bytes, bytes of three channels, and grey float32."""
    colour = cv2.resize(np.ascontiguousarray(photos.colour(photos.photo("chelsea"))), (WIDTH, HEIGHT))
    grey = cv2.cvtColor(colour, cv2.COLOR_RGB2GRAY)
    return {"grey": grey, "colour": colour, "float32": grey.astype(np.float32) / 255}


def cases() -> Iterator[tuple[str, str, Call, Call]]:
    """Each filter: its name, the picture's, pipec's call and the library's."""
    pictures = images()
    for kind, image in pictures.items():
        yield from ((name, kind, ours, theirs) for name, ours, theirs in _any_picture(image))
    yield from ((name, "grey", ours, theirs) for name, ours, theirs in _grey(pictures["grey"]))


def _any_picture(a: Any) -> Iterator[tuple[str, Call, Call]]:
    square, sigma = np.ones((15, 15), np.uint8), 30.0 if a.dtype == np.uint8 else 0.1
    axis, top = (2 if a.ndim == 3 else None), (255 if a.dtype == np.uint8 else 1)
    ys, xs = np.mgrid[:HEIGHT, :WIDTH].astype(np.float32)
    maps = xs + 10 * np.sin(ys / 50), ys + 8 * np.cos(xs / 70)
    yield "gaussian 1.5", lambda: filters.gaussian(a, 1.5), lambda: cv2.GaussianBlur(a, (0, 0), 1.5)
    yield "gaussian 5", lambda: filters.gaussian(a, 5), lambda: cv2.GaussianBlur(a, (0, 0), 5)
    yield (
        "unsharp 1.5 (scikit-image)",
        lambda: filters.unsharp(a, 1.5),
        lambda: np.clip(unsharp_mask(a, 1.5, preserve_range=True, channel_axis=axis), 0, top),
    )
    yield "median 3", lambda: filters.median(a, 3), lambda: cv2.medianBlur(a, 3)
    yield "median 5", lambda: filters.median(a, 5), lambda: cv2.medianBlur(a, 5)
    yield "erode 15", lambda: filters.morphology(a, "erode", 15), lambda: cv2.erode(a, square)
    yield (
        "open 5",
        lambda: filters.morphology(a, "open", 5),
        lambda: cv2.morphologyEx(a, cv2.MORPH_OPEN, square[:5, :5]),
    )
    yield "bilateral 9", lambda: filters.bilateral(a, 9, sigma, 3), lambda: cv2.bilateralFilter(a, 9, sigma, 3)
    yield "pyramid, 1 level", lambda: filters.pyramid(a, 1), lambda: cv2.pyrDown(a)
    yield "remap", lambda: filters.remap(a, *maps), lambda: cv2.remap(a, *maps, cv2.INTER_LINEAR)
    for factor in (0.4, 1.5):
        yield from _resizes(a, factor)


def _resizes(a: Any, factor: float) -> Iterator[tuple[str, Call, Call]]:
    height, width = round(HEIGHT * factor), round(WIDTH * factor)
    flags = {"nearest": cv2.INTER_NEAREST, "linear": cv2.INTER_LINEAR, "cubic": cv2.INTER_CUBIC}
    flags |= {"area": cv2.INTER_AREA, "lanczos": cv2.INTER_LANCZOS4}
    for name, flag in flags.items():

        def ours(name: str = name) -> Any:
            return filters.resize(a, (height, width), name)

        def theirs(flag: int = flag) -> Any:
            return cv2.resize(a, (width, height), interpolation=flag)

        yield f"resize {factor}, {name}", ours, theirs


def _grey(a: Any) -> Iterator[tuple[str, Call, Call]]:
    equalizer, ellipse = cv2.createCLAHE(2.0, (8, 8)), cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (9, 9))
    part = np.ascontiguousarray(a[:270, :480])
    yield "median 9", lambda: filters.median(a, 9), lambda: cv2.medianBlur(a, 9)
    yield "dilate, ellipse 9", lambda: filters.morphology(a, "dilate", ellipse), lambda: cv2.dilate(a, ellipse)
    yield "canny 100 200", lambda: filters.canny(a, 100, 200), lambda: cv2.Canny(a, 100, 200)
    yield "canny 20 50", lambda: filters.canny(a, 20, 50), lambda: cv2.Canny(a, 20, 50)
    yield "clahe", lambda: filters.clahe(a, 2.0), lambda: equalizer.apply(a)
    yield "demosaic", lambda: filters.demosaic(a), lambda: cv2.cvtColor(a, cv2.COLOR_BayerBG2RGB)
    yield "nl_means (480 x 270)", lambda: filters.nl_means(part, 10), lambda: cv2.fastNlMeansDenoising(part, None, 10)


def measured(ours: Call, theirs: Call, seconds: float) -> tuple[float, float]:
    """The median milliseconds of both calls, which take turns for so long, at least five times."""
    ours(), theirs()
    times: tuple[list[float], list[float]] = ([], [])
    end = time.perf_counter() + seconds
    while len(times[0]) < 5 or time.perf_counter() < end:
        for call, own in zip((ours, theirs), times, strict=True):
            start = time.perf_counter()
            call()
            own.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times[0]), statistics.median(times[1])


def main() -> None:
    """Measures and prints the table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of names of filters; by default all")
    parser.add_argument("--seconds", type=float, default=0.4, help="for each pair of calls")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rows = []
    print("| filter | picture | pipec, ms | library, ms | ratio |\n|---|---|---|---|---|")
    for name, kind, ours, theirs in cases():
        if options.names and not any(part in name for part in options.names):
            continue
        a, b = measured(ours, theirs, options.seconds)
        rows.append({"filter": name, "picture": kind, "pipec": a, "library": b})
        print(f"| {name} | {kind} | {a:.2f} | {b:.2f} | {a / b:.2f} |", flush=True)
    ratio = statistics.geometric_mean([row["pipec"] / row["library"] for row in rows])
    print(f"\nGeometric mean of the ratios: {ratio:.2f} ({len(rows)} pairs, {cv2.getNumThreads()} threads).")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
