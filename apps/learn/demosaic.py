"""Learned demosaicing: small filters guess green along two directions, and the other colours by their distance to it.

The structure is Hamilton and Adams' (1997), every coefficient of which is learned: two estimates of green, the activity
along each that says which to trust, and the interpolation of the differences to green.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from scipy.ndimage import convolve

import pipec as hl
from apps.learn.training import HELD_OUT, TRAINED, Array, Outcome, collage, photograph, psnr, train

BORDER = 8  # what the filters see around a pixel, and more
GREEN, ACTIVITY, WINDOW, CHROMA = 7, 5, 5, 7  # the filters' sides
EPSILON = 1e-3


def mosaic_of(image: Array) -> Array:
    """What a sensor records of a picture: green red, blue green."""
    result = image[..., 1].copy()
    result[0::2, 1::2] = image[0::2, 1::2, 0]
    result[1::2, 0::2] = image[1::2, 0::2, 2]
    return result


def first_filters() -> dict[str, Array]:
    """Hamilton and Adams' filters, to begin with."""
    green = np.zeros((2, 2, GREEN, GREEN), np.float32)  # [red or blue, direction]
    green[:, 0, GREEN // 2, GREEN // 2 - 2 : GREEN // 2 + 3] = np.array([-1, 2, 2, 2, -1]) / 4
    green[:, 1] = green[:, 0].transpose(0, 2, 1)
    activity = np.zeros((2, 2, ACTIVITY, ACTIVITY), np.float32)  # [which, direction]
    activity[0, 0, ACTIVITY // 2] = [0, 1, 0, -1, 0]
    activity[1, 0, ACTIVITY // 2] = [-1, 0, 2, 0, -1]
    activity[:, 1] = activity[:, 0].transpose(0, 2, 1)
    window = np.ones((2, 2, WINDOW, WINDOW), np.float32)
    chroma = np.zeros((4, 2, CHROMA, CHROMA), np.float32)  # [phase, red or blue]
    tent = np.maximum(0, 1 - abs(np.arange(CHROMA) - CHROMA // 2) / 2)
    y, x = np.indices((CHROMA, CHROMA)) - CHROMA // 2
    for phase in range(4):
        for colour in range(2):
            there = ((x + phase % 2) % 2 == 1 - colour) & ((y + phase // 2) % 2 == colour)
            chroma[phase, colour] = np.outer(tent, tent) * there
    return {"green": green, "activity": activity, "window": window, "chroma": chroma}


def filtered(image: Any, filters: Any, place: Any, rest: tuple[Any, ...]) -> Any:
    """The sum over a square window of image(place(dx, dy)) times a filter; `rest` says which filter."""
    side = filters.dim(0).extent()
    window = hl.RDom([(0, side), (0, side)])
    at = place(window.x - side // 2, window.y - side // 2)
    return hl.sum(image[at] * filters[(window.x, window.y, *rest)])


def build(mosaic: Any, filters: dict[str, Any]) -> Any:
    """The full picture (x, y, c) of a mosaic (x, y). u, v count groups of four sensor pixels."""
    x, y, c, u, v, k, j, s = hl.vars("x y c u v k j s")
    estimate, activity, energy, share, green_there = hl.funcs("estimate activity energy share green_there")
    green, difference, chroma, output = hl.funcs("green difference chroma demosaiced")

    def at_site(dx: Any, dy: Any) -> tuple[Any, Any]:
        """Beside the red (s = 0) or blue pixel of a group."""
        return 2 * u + 1 - s + dx, 2 * v + s + dy

    estimate[u, v, k, s] = filtered(mosaic, filters["green"], at_site, (k, s))
    change = filtered(mosaic, filters["activity"], lambda dx, dy: (x + dx, y + dy), (k, j))
    activity[x, y, k, j] = hl.sqrt(change * change + EPSILON * EPSILON)
    window = hl.RDom([(0, WINDOW), (0, WINDOW), (0, 2)])
    place = at_site(window.x - WINDOW // 2, window.y - WINDOW // 2)
    energy[u, v, k, s] = hl.sum(activity[(*place, k, window.z)] * filters["window"][window.x, window.y, window.z, k])
    share[u, v, s] = 1 / (1 + hl.exp(energy[u, v, 0, s] - energy[u, v, 1, s]))
    across = share[u, v, s]
    green_there[u, v, s] = across * estimate[u, v, 0, s] + (1 - across) * estimate[u, v, 1, s]
    green[x, y] = hl.select((x + y) % 2 == 0, mosaic[x, y], green_there[x / 2, y / 2, y % 2])
    difference[x, y] = mosaic[x, y] - green[x, y]

    def at_phase(dx: Any, dy: Any) -> tuple[Any, Any]:
        return 2 * u + s % 2 + dx, 2 * v + s / 2 + dy

    chroma[u, v, k, s] = filtered(difference, filters["chroma"], at_phase, (k, s))
    other = chroma[x / 2, y / 2, c / 2, x % 2 + 2 * (y % 2)]
    output[x, y, c] = green[x, y] + hl.select(c == 1, 0.0, other)
    return output


def layer(filters: dict[str, Array] | None = None) -> Any:
    """A module from mosaics [y, x] to pictures [c, y, x], smaller by a border; its parameters are the filters."""
    mosaic = hl.ImageParam(hl.Float(32), 2, "mosaic")
    learned = {name: hl.Buffer(array, f"{name}_filters") for name, array in (filters or first_filters()).items()}
    inside = [mosaic.width() - 2 * BORDER, mosaic.height() - 2 * BORDER, 3]
    x, y, shifted = hl.Var("x"), hl.Var("y"), hl.Func("shifted")
    shifted[x, y] = mosaic[x + BORDER, y + BORDER]
    return build(shifted, learned).as_torch([mosaic], inside, parameters=list(learned.values()))


@torch.no_grad()
def demosaic(module: Any, mosaic: Array) -> Array:
    """The picture of a whole mosaic, height x width x 3."""
    height, width = mosaic.shape
    room = [(BORDER, BORDER + size % 2) for size in mosaic.shape]  # whole groups of four
    wide = np.pad(mosaic, room, mode="reflect")  # which keeps the phase
    return np.moveaxis(module(torch.from_numpy(wide)).numpy(), 0, -1)[:height, :width]


def bilinear(mosaic: Array) -> Array:
    """Means of the nearest pixels of each colour."""
    kernels = {0: np.array([[1, 2, 1], [2, 4, 2], [1, 2, 1]]) / 4, 1: np.array([[0, 1, 0], [1, 4, 1], [0, 1, 0]]) / 4}
    masks = _masks(mosaic.shape)
    return np.dstack([convolve(mosaic * masks[c], kernels[c % 2], mode="mirror") for c in range(3)])


def malvar(mosaic: Array) -> Array:
    """H. Malvar, L. He, R. Cutler: High-quality linear interpolation for demosaicing of Bayer patterns (2004)."""
    at_colour = [[0, 0, -1, 0, 0], [0, 0, 2, 0, 0], [-1, 2, 4, 2, -1], [0, 0, 2, 0, 0], [0, 0, -1, 0, 0]]
    in_row = [[0, 0, 0.5, 0, 0], [0, -1, 0, -1, 0], [-1, 4, 5, 4, -1], [0, -1, 0, -1, 0], [0, 0, 0.5, 0, 0]]
    opposite = [[0, 0, -1.5, 0, 0], [0, 2, 0, 2, 0], [-1.5, 0, 6, 0, -1.5], [0, 2, 0, 2, 0], [0, 0, -1.5, 0, 0]]
    kernels = np.array([at_colour, in_row, np.transpose(in_row), opposite]) / 8
    green, along, down, across = (convolve(mosaic, kernel, mode="mirror") for kernel in kernels)
    masks = _masks(mosaic.shape)
    y, x = np.indices(mosaic.shape)
    red_row = y % 2 == 0
    full = np.where(masks[1], mosaic, green)
    red = np.where(masks[0], mosaic, np.where(masks[2], across, np.where(red_row, along, down)))
    blue = np.where(masks[2], mosaic, np.where(masks[0], across, np.where(red_row, down, along)))
    return np.dstack([red, full, blue])


def _masks(shape: tuple[int, ...]) -> list[Array]:
    """Where the sensor sees red, green, blue."""
    y, x = np.indices(shape)
    return [(x % 2 == 1) & (y % 2 == 0), (x + y) % 2 == 0, (x % 2 == 0) & (y % 2 == 1)]


def learn(steps: int = 400, size: int = 64, rate: float = 2e-3) -> tuple[Any, list[float]]:
    """The module after so many steps, each on 16 parts of photographs."""
    rng, images, module = np.random.default_rng(1), [photograph(name) for name in TRAINED], layer()

    def loss() -> Any:
        part = collage(rng, images, size, 4)
        expected = torch.from_numpy(np.moveaxis(part[BORDER:-BORDER, BORDER:-BORDER], -1, 0).copy())
        return (module(torch.from_numpy(mosaic_of(part))) - expected).abs().mean()

    return module, train(module.parameters(), loss, steps, rate)


def run() -> Outcome:
    """Learn on some photographs; figures and pictures of others."""
    first, (module, losses) = layer(), learn()
    ways = {"bilinear": bilinear, "Malvar": malvar}
    ways |= {"first filters": lambda m: demosaic(first, m), "learned": lambda m: demosaic(module, m)}
    figures, pictures = {}, {}
    for name in HELD_OUT:
        image = photograph(name)
        mosaic = mosaic_of(image)
        for way, result in ((way, make(mosaic)) for way, make in ways.items()):
            figures[f"{name}: {way} (dB)"] = psnr(result, image)
            pictures[name, way] = result
        pictures[name, "photograph"] = image
    part = (slice(120, 200), slice(180, 280))
    shown = {way: pictures["coffee", way][part] for way in ("bilinear", "Malvar", "learned", "photograph")}
    return Outcome(losses, figures, shown)
