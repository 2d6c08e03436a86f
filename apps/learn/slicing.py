"""A layer that slices a bilateral grid, inside a network that learns an edit of tones.

As M. Gharbi et al., Deep bilateral learning for real-time image enhancement (2017): a small network looks at a smaller
picture and puts an affine map of colours into each cell of a coarse grid (place, brightness); the layer, a
pipeline, takes each pixel's map out of the grid, guided by a learned curve of its brightness, and applies it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import torch
from torch import nn

import pipec as hl
from apps import photos
from apps.learn.training import HELD_OUT, TRAINED, Array, Outcome, crop, photograph, psnr, train

CELL, DEPTH, QUARTER, MAP, KNOTS = 16, 8, 4, 12, 8


def edit(image: Array) -> Array:
    """The tones to learn: bright and dark places brought nearer to each other, detail stronger, colours warmer.

    What a place is like is the mean around it that keeps edges: K. He, J. Sun, X. Tang, Guided image filtering (2010).
    """
    grey = np.log(image @ np.array([0.3, 0.6, 0.1], np.float32) + np.float32(0.02))
    around = _guided(grey)
    gain = np.exp(0.4 * around + 1.3 * (grey - around) - 0.5 - grey)
    return np.clip(image * gain[..., None] * np.array([1.06, 1.0, 0.9], np.float32), 0, 1)


def _guided(image: Array, radius: int = 24, smooth: float = 0.3) -> Array:
    """Means over squares, but where the variance is larger than `smooth`, which are edges."""

    def mean(values: Array) -> Array:
        side = 2 * radius + 1
        return cv2.blur(values, (side, side), borderType=cv2.BORDER_REFLECT)

    middle = mean(image)
    variance = mean(image * image) - middle * middle
    slope = variance / (variance + smooth)
    return mean(slope) * image + mean(middle - slope * middle)


def build(picture: Any, grid: Any, mix: Any, slopes: Any) -> Any:
    """The edited picture (x, y, c) of a picture, by a grid (x, y, brightness, coefficient)."""
    x, y, c, n = hl.vars("x y c n")
    guide, level, coefficient, output = hl.funcs("guide level coefficient edited")
    wide = hl.BoundaryConditions.repeat_edge(picture)  # the gradient of a cell looks at all of its pixels
    level[x, y] = sum((wide[x, y, k] * mix[k] for k in range(3)), hl.f32(0))
    bends = (slopes[k] * hl.max(level[x, y] - k / KNOTS, 0.0) for k in range(KNOTS))
    guide[x, y] = hl.clamp(sum(bends, hl.f32(0)), 0.0, 1.0) * (DEPTH - 1)
    below = hl.clamp(hl.i32(hl.floor(guide[x, y])), 0, DEPTH - 2)
    shares = _share(x), _share(y), guide[x, y] - hl.f32(below)
    column, row = (x - CELL // 2) / CELL, (y - CELL // 2) / CELL
    cells = hl.BoundaryConditions.repeat_edge(grid, [(0, grid.dim(d).extent()) for d in range(2)])

    def between(corner: tuple[int, ...]) -> Any:
        """The coefficient in between the cells at and after a corner, dimension by dimension."""
        if len(corner) == 3:
            return cells[column + corner[0], row + corner[1], below + corner[2], n]
        return hl.lerp(between((*corner, 0)), between((*corner, 1)), shares[len(corner)])

    coefficient[x, y, n] = between(())
    output[x, y, c] = coefficient[x, y, 4 * c + 3]
    for k in range(3):
        output[x, y, c] += coefficient[x, y, 4 * c + k] * wide[x, y, k]
    return output


def _share(at: Any) -> Any:
    """How far a pixel is on its way from the middle of a cell to the middle of the next."""
    return (hl.f32((at - CELL // 2) % CELL) + 0.5) / CELL


class Editor(nn.Module):
    """The network, from a picture [c, y, x] to an edited one; width and height are multiples of the cells' size."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        kinds = [(3, 16, 1), (16, 32, 2), (32, 32, 2), (32, 32, 1)]
        layers = [(nn.Conv2d(n, m, 3, stride, 1, padding_mode="replicate"), nn.ReLU()) for n, m, stride in kinds]
        self.look = nn.Sequential(*[part for pair in layers for part in pair], nn.Conv2d(32, MAP * DEPTH, 1))
        with torch.no_grad():
            self.look[-1].weight.mul_(0.1)
            self.look[-1].bias.copy_(torch.eye(3, 4).reshape(MAP, 1).expand(MAP, DEPTH).reshape(-1))
        picture, grid = hl.ImageParam(hl.Float(32), 3, "picture"), hl.ImageParam(hl.Float(32), 4, "grid")
        mix = hl.Buffer(np.array([0.3, 0.6, 0.1], np.float32), "mix")
        slopes = hl.Buffer(np.eye(1, KNOTS, dtype=np.float32)[0], "slopes")
        self.slice = build(picture, grid, mix, slopes).as_torch([picture, grid], parameters=[mix, slopes])

    def forward(self, picture: Any) -> Any:
        small = nn.functional.avg_pool2d(picture[None], QUARTER)
        maps = self.look(small)[0]
        return self.slice(picture, maps.reshape(MAP, DEPTH, *maps.shape[-2:]))


@torch.no_grad()
def edited(module: Any, image: Array) -> Array:
    """The edit of a whole picture, height x width x 3."""
    room = [(0, -size % CELL) for size in image.shape[:2]]
    wide = torch.from_numpy(photos.planar(np.pad(image, [*room, (0, 0)], mode="edge")))
    return np.moveaxis(module(wide).numpy(), 0, -1)[: image.shape[0], : image.shape[1]]


def global_map(names: Sequence[str]) -> Array:
    """The best map of colours and their squares that is the same at all pixels, for these photographs."""
    images = [photograph(name) for name in names]
    terms = np.concatenate([_terms(image) for image in images])
    expected = np.concatenate([edit(image).reshape(-1, 3) for image in images])
    return np.linalg.lstsq(terms, expected, rcond=None)[0]


def _mapped(image: Array, names: Sequence[str]) -> Array:
    return (_terms(image) @ global_map(names)).reshape(image.shape)


def _terms(image: Array) -> Array:
    return np.concatenate([image, image**2, np.ones_like(image[..., :1])], axis=-1).reshape(-1, 7)


def learn(steps: int = 800, size: int = 128, rate: float = 6e-3) -> tuple[Any, list[float]]:
    """The network after so many steps, each on a part of one photograph, mirrored or not."""
    rng, module = np.random.default_rng(5), Editor()
    pairs = [np.dstack([image, edit(image)]) for image in map(photograph, TRAINED)]

    def loss() -> Any:
        part = crop(rng, pairs[int(rng.integers(len(pairs)))], size, size)
        both = torch.from_numpy(photos.planar(part[:, :: rng.choice([-1, 1])]))
        return (module(both[:3]) - both[3:]).square().mean()

    return module, train(module.parameters(), loss, steps, rate, clip=1.0)


def run() -> Outcome:
    """Learn on some photographs; figures and pictures of others."""
    module, losses = learn()
    figures, pictures = {}, {}
    for name in reversed(HELD_OUT):
        image = photograph(name)
        expected = edit(image)
        pictures = {
            "photograph": image,
            "global map": _mapped(image, TRAINED),
            "its own global map": _mapped(image, [name]),
            "learned": edited(module, image),
        }
        figures |= {f"{name}: {way} (dB)": psnr(result, expected) for way, result in pictures.items()}
        pictures["wanted"] = expected
    return Outcome(losses, figures, pictures)
