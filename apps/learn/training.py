"""What all that learn share: photographs to learn from, the loop of steps, and the figures that say how good it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from apps import photos
from pipec.autoschedule.progress import ProgressLine

Array = NDArray[Any]
TRAINED = ("astronaut", "rocket", photos.PAIR)
HELD_OUT = ("coffee", "chelsea")


@dataclass(frozen=True)
class Outcome:
    """What was learned: the loss of every step, figures by name, and pictures by title (height x width x 3, 0..1)."""

    losses: list[float]
    figures: dict[str, float]
    pictures: dict[str, Array] = field(default_factory=dict)


def photograph(name: str) -> Array:
    """A packaged photograph as height x width x 3 in 0..1."""
    return photos.photo(name)[..., :3].astype(np.float32) / np.float32(255)


def crop(rng: np.random.Generator, image: Array, height: int, width: int) -> Array:
    """A random part of an image, at even coordinates so that mosaics stay in phase."""
    y = 2 * int(rng.integers(0, (image.shape[0] - height) // 2 + 1))
    x = 2 * int(rng.integers(0, (image.shape[1] - width) // 2 + 1))
    return image[y : y + height, x : x + width]


def collage(rng: np.random.Generator, images: list[Array], side: int, count: int) -> Array:
    """A square of count x count random parts of images, each a square."""
    rows = [[crop(rng, images[int(rng.integers(len(images)))], side, side) for _ in range(count)] for _ in range(count)]
    return np.concatenate([np.concatenate(row, axis=1) for row in rows])


def train(
    parameters: Iterable[Any], loss: Callable[[], Any], steps: int, rate: float, clip: float | None = None
) -> list[float]:
    """Adam, with the rate falling to nothing along a cosine; the loss of every step."""
    learned = list(parameters)
    optimizer = torch.optim.Adam(learned, lr=rate)
    falling = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    losses: list[float] = []
    progress = ProgressLine("training")
    for _ in range(steps):
        optimizer.zero_grad()
        value = loss()
        value.backward()
        if clip is not None:
            torch.nn.utils.clip_grad_norm_(learned, clip)
        optimizer.step()
        falling.step()
        losses.append(value.item())
        progress.show(f"step {len(losses)} of {steps}, loss {losses[-1]:.4g}, least {min(losses):.4g}")
    progress.end()
    return losses


def psnr(image: Array, expected: Array, border: int = 8) -> float:
    """Peak signal-to-noise ratio in decibels of values in 0..1, without the border."""
    inside = (slice(border, -border), slice(border, -border))
    error = np.mean((np.clip(image, 0, 1)[inside].astype(np.float64) - expected[inside]) ** 2)
    return float(-10 * np.log10(error))
