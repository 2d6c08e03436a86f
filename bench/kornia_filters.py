"""`python -m bench.kornia_filters`: ready filters beside those of Kornia (`pip install kornia`), written in PyTorch.

One photograph of 1920 x 1080 grey float32 pixels; calls take turns, medians in milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import kornia
import numpy as np
import torch

from bench.filters import HEIGHT, WIDTH, Call, images, measured
from pipec import filters


def cases() -> Iterator[tuple[str, Call, Call]]:
    """Each filter: its name, pipec's call and Kornia's."""
    a = images()["float32"]
    t, small = torch.from_numpy(a)[None, None], (round(HEIGHT * 0.4), round(WIDTH * 0.4))
    ys, xs = np.mgrid[:HEIGHT, :WIDTH].astype(np.float32)
    maps = xs + 10 * np.sin(ys / 50), ys + 8 * np.cos(xs / 70)
    tensors = [torch.from_numpy(m)[None] for m in maps]
    blur: Any = kornia.filters
    yield "gaussian 1.5", lambda: filters.gaussian(a, 1.5), lambda: blur.gaussian_blur2d(t, (9, 9), (1.5, 1.5))
    yield "unsharp 1.5", lambda: filters.unsharp(a, 1.5), lambda: blur.unsharp_mask(t, (9, 9), (1.5, 1.5))
    yield "median 3", lambda: filters.median(a, 3), lambda: blur.median_blur(t, (3, 3))
    square = torch.ones(15, 15)
    yield "erode 15", lambda: filters.morphology(a, "erode", 15), lambda: kornia.morphology.erosion(t, square)
    yield (
        "bilateral 9",
        lambda: filters.bilateral(a, 9, 0.1, 3),
        lambda: blur.bilateral_blur(t, (9, 9), 0.1, (3.0, 3.0)),
    )
    yield "pyramid, 1 level", lambda: filters.pyramid(a, 1), lambda: kornia.geometry.pyrdown(t)
    yield "resize 0.4, linear", lambda: filters.resize(a, small), lambda: kornia.geometry.resize(t, small)
    yield "remap", lambda: filters.remap(a, *maps), lambda: kornia.geometry.remap(t, *tensors, align_corners=True)


def main() -> None:
    """Measures and prints the table in Markdown."""
    print("| filter | pipec, ms | Kornia, ms | ratio |\n|---|---|---|---|")
    with torch.inference_mode():
        for name, ours, theirs in cases():
            a, b = measured(ours, theirs, 0.3)
            print(f"| {name} | {a:.2f} | {b:.2f} | {a / b:.2f} |", flush=True)


if __name__ == "__main__":
    main()
