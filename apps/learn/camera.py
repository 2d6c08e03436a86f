"""A camera's pipeline whose parameters are fitted to a look: colour matrix, tone curve, sharpening.

The look is that of a developer unknown to the pipeline: its colours are mixed, bent and sharpened by other formulas.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import torch

import pipec as hl
from apps import photos, raw
from apps.learn.demosaic import malvar
from apps.learn.training import Array, Outcome, crop, psnr, train

KELVIN = 4600.0
KNOTS = 17
RADIUS = 3
BORDER = RADIUS
FITTED, SHOWN = "astronaut", "coffee"


def sensor_colours(name: str) -> Array:
    """What the sensor saw of a photograph, demosaiced: height x width x 3, black 0 and white 1."""
    mosaic = raw.record(photos.photo(name), KELVIN).astype(np.float32)
    colours = (malvar(mosaic) - raw.BLACK) / (raw.WHITE - raw.BLACK)
    return np.clip(colours, 0, None).astype(np.float32)


def look(colours: Array) -> Array:
    """The target: sRGB, made warm, vivid and contrasty as slide film, with a mask of detail added."""
    matrix = raw.blend(raw.colour_matrix(raw.WARM_KELVIN), raw.colour_matrix(raw.COOL_KELVIN), KELVIN)[:, :3]
    linear = np.clip(colours @ matrix.T, 0, 1)
    photo = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)
    grey = (photo @ np.array([0.3, 0.6, 0.1]))[..., None]
    toned = np.clip(grey + 1.25 * (photo - grey), 0, 1) ** np.array([0.92, 1.0, 1.1])
    film = (0.3 * toned + 0.7 * toned * toned * (3 - 2 * toned)).astype(np.float32)
    return np.clip(film + 0.9 * (film - cv2.GaussianBlur(film, (0, 0), 1.1)), 0, 1)


def build(colours: Any, settings: dict[str, Any]) -> Any:
    """The developed picture (x, y, c) of linear sensor colours (x, y, c)."""
    x, y, c = hl.vars("x y c")
    corrected, curved, rows, blurred, output = hl.funcs("corrected curved rows blurred developed")
    matrix, curve, strength, sigma = (settings[name] for name in ("matrix", "curve", "strength", "sigma"))
    mixed = sum((colours[x, y, k] * matrix[k, c] for k in range(3)), matrix[3, c])
    corrected[x, y, c] = hl.sqrt(hl.clamp(mixed, 1e-4, 1.0))  # so that the knots are close where it is dark
    place = corrected[x, y, c] * (KNOTS - 1)
    knot = hl.clamp(hl.i32(hl.floor(place)), 0, KNOTS - 2)
    curved[x, y, c] = hl.lerp(curve[knot], curve[knot + 1], place - hl.f32(knot))
    weights = [hl.exp(-(i * i) / (2 * sigma * sigma)) for i in range(RADIUS + 1)]
    total = weights[0] + 2 * sum(weights[1:], hl.f32(0))

    def smooth(tap: Any) -> Any:
        pairs = ((tap(-i) + tap(i)) * weights[i] for i in range(1, RADIUS + 1))
        return sum(pairs, tap(0) * weights[0]) / total

    rows[x, y, c] = smooth(lambda i: curved[x, y + i, c])
    blurred[x, y, c] = smooth(lambda i: rows[x + i, y, c])
    output[x, y, c] = curved[x, y, c] + strength * (curved[x, y, c] - blurred[x, y, c])
    return output


def layer() -> Any:
    """A module from sensor colours [c, y, x] to pictures, smaller by a border. At first a neutral developer."""
    colours = hl.ImageParam(hl.Float(32), 3, "colours")
    neutral = raw.blend(raw.colour_matrix(raw.WARM_KELVIN), raw.colour_matrix(raw.COOL_KELVIN), KELVIN)
    neutral[:, :3], neutral[:, 3] = np.diag(neutral[:, :3].sum(axis=1)), 0  # white balance alone
    settings = {
        "matrix": hl.Buffer(neutral.astype(np.float32), "matrix"),
        "curve": hl.Buffer(np.linspace(0, 1, KNOTS, dtype=np.float32), "curve"),
        "strength": hl.Param(hl.Float(32), "strength", 0.0),
        "sigma": hl.Param(hl.Float(32), "sigma", 1.5),
    }
    inside = [colours.width() - 2 * BORDER, colours.height() - 2 * BORDER, 3]
    x, y, c = hl.vars("x y c")
    shifted = hl.Func("shifted")
    shifted[x, y, c] = colours[x + BORDER, y + BORDER, c]
    return build(shifted, settings).as_torch([colours], inside, parameters=list(settings.values()))


@torch.no_grad()
def develop(module: Any, colours: Array) -> Array:
    """The picture of all of a sensor's colours, height x width x 3."""
    wide = np.pad(colours, ((BORDER, BORDER), (BORDER, BORDER), (0, 0)), mode="edge")
    return np.moveaxis(module(torch.from_numpy(photos.planar(wide))).numpy(), 0, -1)


def learn(steps: int = 400, size: int = 192, rate: float = 1e-2) -> tuple[Any, list[float]]:
    """The module after so many steps, each on a part of the fitted photograph."""
    rng, module = np.random.default_rng(2), layer()
    both = sensor_colours(FITTED)
    both = np.dstack([both, look(both)])

    def loss() -> Any:
        part = photos.planar(crop(rng, both, size, size))
        expected = torch.from_numpy(part[3:, BORDER:-BORDER, BORDER:-BORDER])
        return (module(torch.from_numpy(part[:3])) - expected).square().mean()

    return module, train(module.parameters(), loss, steps, rate)


def run() -> Outcome:
    """Fit the parameters on one photograph; figures and pictures of both, one of which it has never seen."""
    first, (module, losses) = layer(), learn()
    figures, pictures = {}, {}
    for name in (FITTED, SHOWN):
        colours = sensor_colours(name)
        expected = look(colours)
        for way, built in (("neutral", develop(first, colours)), ("fitted", develop(module, colours))):
            figures[f"{name}: {way} (dB)"] = psnr(built, expected)
            pictures[way] = built
    figures |= {"strength": module.strength.item(), "sigma": abs(module.sigma.item())}
    return Outcome(losses, figures, pictures | {"wanted": expected})
