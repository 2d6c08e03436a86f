"""The same filters as one writes them in PyTorch, and what they are given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.nn import functional

from bench.autodiff.filters import (
    BANDS,
    CELLS_X,
    CELLS_Y,
    CHANNELS,
    HEIGHT,
    KERNEL,
    SMOOTH,
    SPREAD,
    STEP,
    WIDTH,
    WINDOW,
)

Tensor = torch.Tensor


def convolution(image: Tensor, weights: Tensor) -> Tensor:
    return functional.conv2d(image[:, None], weights[None, None])[:, 0]


def slicing(grid: Tensor, guide: Tensor, image: Tensor) -> Tensor:
    x = (torch.arange(WIDTH) + 0.5) * (2.0 / WIDTH) - 1.0
    y = (torch.arange(HEIGHT) + 0.5) * (2.0 / HEIGHT) - 1.0
    place = torch.stack([x.expand(HEIGHT, WIDTH), y[:, None].expand(HEIGHT, WIDTH), guide * 2.0 - 1.0], -1)
    matrix = functional.grid_sample(grid[None], place[None, None], padding_mode="border", align_corners=False)
    matrix = matrix.view(CHANNELS, CHANNELS + 1, HEIGHT, WIDTH)
    return (matrix[:, :CHANNELS] * image).sum(1) + matrix[:, CHANNELS]


def bilateral(image: Tensor, sharpness: Tensor) -> Tensor:
    size = 2 * WINDOW + 1
    padded = functional.pad(image[None, None], (WINDOW,) * 4, mode="replicate")
    patches = functional.unfold(padded, size).view(size * size, HEIGHT, WIDTH)
    offsets = torch.arange(-WINDOW, WINDOW + 1, dtype=torch.float32) ** 2
    near = torch.exp((offsets[:, None] + offsets) * (-0.5 / SPREAD**2)).view(-1, 1, 1)
    weight = near * torch.exp(-((patches - image) ** 2) * sharpness)
    return (weight * patches).sum(0) / weight.sum(0)


def demosaic(mosaic: Tensor, filters: Tensor) -> Tensor:
    result = functional.conv2d(mosaic[None, None], filters.reshape(4 * CHANNELS, 1, 5, 5))[0]
    result = result.view(CHANNELS, 2, 2, HEIGHT // 2, 2, WIDTH // 2, 2)
    lines = [torch.stack([result[:, i, j, :, i, :, j] for j in range(2)], -1) for i in range(2)]
    return torch.stack(lines, 2).reshape(CHANNELS, HEIGHT, WIDTH)


def warp(image: Tensor, flow: Tensor) -> Tensor:
    x = (torch.arange(WIDTH) + flow[0]) * (2.0 / (WIDTH - 1)) - 1.0
    y = (torch.arange(HEIGHT)[:, None] + flow[1]) * (2.0 / (HEIGHT - 1)) - 1.0
    place = torch.stack([x, y], -1)
    return functional.grid_sample(image[None], place[None], padding_mode="border", align_corners=True)[0]


def deconvolution(image: Tensor, blurred: Tensor, kernel: Tensor) -> Tensor:
    weights, half = kernel[None, None], KERNEL // 2
    error = functional.conv2d(image[None, None], weights, padding=half) - blurred
    back = functional.conv_transpose2d(error, weights, padding=half)
    return image - STEP * back[0, 0]


def total_variation(image: Tensor, weight: Tensor) -> Tensor:
    dx = functional.pad(image[:, :, 1:] - image[:, :, :-1], (0, 1))
    dy = functional.pad(image[:, 1:] - image[:, :-1], (0, 0, 0, 1))
    length = torch.sqrt(dx * dx + dy * dy + SMOOTH)
    across, down = dx / length, dy / length
    inward = functional.pad(across[:, :, :-1], (1, 0)) + functional.pad(down[:, :-1], (0, 0, 1, 0))
    return image + STEP * weight * (across + down - inward)


FILTERS: dict[str, Callable[..., Tensor]] = {
    f.__name__: f for f in (convolution, slicing, bilateral, demosaic, warp, deconvolution, total_variation)
}

# Shapes of the inputs; all of them want gradients but what `DATA` names.
SHAPES: dict[str, dict[str, tuple[int, ...]]] = {
    "convolution": {"image": (CHANNELS, HEIGHT, WIDTH), "weights": (5, 5)},
    "slicing": {
        "grid": (CHANNELS * (CHANNELS + 1), BANDS, CELLS_Y, CELLS_X),
        "guide": (HEIGHT, WIDTH),
        "image": (CHANNELS, HEIGHT, WIDTH),
    },
    "bilateral": {"image": (HEIGHT, WIDTH), "sharpness": (1,)},
    "demosaic": {"mosaic": (HEIGHT + 4, WIDTH + 4), "filters": (CHANNELS, 4, 5, 5)},
    "warp": {"image": (CHANNELS, HEIGHT, WIDTH), "flow": (2, HEIGHT, WIDTH)},
    "deconvolution": {"image": (HEIGHT, WIDTH), "blurred": (HEIGHT, WIDTH), "kernel": (KERNEL, KERNEL)},
    "total_variation": {"image": (CHANNELS, HEIGHT, WIDTH), "weight": (HEIGHT, WIDTH)},
}
DATA = {"mosaic", "blurred"}


def example(name: str) -> list[Any]:
    """Inputs: images like photographs, small filters, flows of some pixels."""
    random = torch.Generator().manual_seed(7)
    built = []
    for key, shape in SHAPES[name].items():
        values = torch.rand(shape, generator=random)
        if key == "flow":
            values = functional.avg_pool2d(values[None], 15, 1, 7)[0] * 12.0 - 6.0
        elif key in ("weights", "filters", "kernel"):
            values /= values.shape[-1] ** 2
        elif key == "sharpness":
            values = values * 0 + 20.0
        built.append(values.requires_grad_(key not in DATA))
    return built
