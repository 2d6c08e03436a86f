"""Projections along lines: Hough, Radon and back."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

import numpy as np
from scipy.ndimage import correlate1d, map_coordinates

from apps.app import Algorithm, Array
from bench.zoo.entry import Entry, Sizes, noise
from bench.zoo.images.warps import bilinear, extent

BITS = 14  # of fraction of sines and cosines
STRONG = 140  # the least gradient of a pixel that votes
VOTERS = (640, 480)  # the picture's size


def build_hough_lines(hl: ModuleType) -> Algorithm:
    """Votes of all strong edges for the lines through them, by distance (innermost) and angle, then only local maxima.

    Distances are in half diagonals: the middle of the output is the line through the picture's centre.
    """
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    table = hl.ImageParam(hl.Int(32), 2, "table")  # (angle, cosine or sine) in fixed point
    bins = hl.Param(hl.Int(32), "bins")
    x, y, rho, theta = hl.vars("x y rho theta")
    wide, gradient, votes, lines = hl.funcs("wide gradient votes lines")
    width, height = extent(image)
    edges = hl.BoundaryConditions.repeat_edge(image)
    wide[x, y] = hl.i32(edges[x, y])
    across = wide[x + 1, y - 1] + 2 * wide[x + 1, y] + wide[x + 1, y + 1]
    across -= wide[x - 1, y - 1] + 2 * wide[x - 1, y] + wide[x - 1, y + 1]
    down = wide[x - 1, y + 1] + 2 * wide[x, y + 1] + wide[x + 1, y + 1]
    down -= wide[x - 1, y - 1] + 2 * wide[x, y - 1] + wide[x + 1, y - 1]
    gradient[x, y] = hl.i32(hl.abs(across)) + hl.i32(hl.abs(down))
    r = hl.RDom([(0, width), (0, height)], "r")
    r.where(gradient[r.x, r.y] > STRONG)
    place = (r.x - width // 2) * table[theta, 0] + (r.y - height // 2) * table[theta, 1]
    votes[rho, theta] = 0
    votes[hl.clamp((place >> BITS) + bins // 2, 0, bins - 1), theta] += 1
    bounded = hl.BoundaryConditions.constant_exterior(votes, 0, [(0, bins), (0, table.width())])
    around = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
    most = hl.max(*(bounded[rho + dx, theta + dy] for dx, dy in around))
    lines[rho, theta] = hl.select(votes[rho, theta] >= most, votes[rho, theta], 0)
    stages = {"wide": wide, "gradient": gradient, "votes": votes}
    return Algorithm(lines, {"image": image, "table": table}, {"bins": bins}, stages)


DISTANCES = 801  # bins; odd, and more than the picture's diagonal


def hough_inputs(size: Sizes) -> dict[str, Array]:
    angle = np.arange(size[1]) * np.pi / size[1]
    table = np.rint(np.stack([np.cos(angle), np.sin(angle)]) * (1 << BITS)).astype(np.int32)
    return {"image": noise(VOTERS[::-1], np.uint8, 0, 255), "table": table}


def hough_lines(images: Mapping[str, Array]) -> Array:
    image, (cosine, sine) = images["image"].astype(np.int32), images["table"]
    across, down = (
        correlate1d(correlate1d(image, (-1, 0, 1), axis, mode="nearest"), (1, 2, 1), 1 - axis, mode="nearest")
        for axis in (1, 0)
    )
    y, x = np.nonzero(abs(across) + abs(down) > STRONG)
    x, y = x - image.shape[1] // 2, y - image.shape[0] // 2
    places = [(x * c + y * s >> BITS) + DISTANCES // 2 for c, s in zip(cosine, sine, strict=True)]
    votes = np.stack([np.bincount(place.clip(0, DISTANCES - 1), minlength=DISTANCES) for place in places])
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(votes, 1), (3, 3))
    return np.where(votes == windows.max(axis=(2, 3)), votes, 0).astype(np.int32)


def build_radon(hl: ModuleType) -> Algorithm:
    """Sums along lines through a square picture, bilinear between its pixels: (distance, angle)."""
    image, turns = hl.ImageParam(hl.Float(32), 2, "image"), hl.ImageParam(hl.Float(32), 1, "turns")  # radians
    t, angle = hl.vars("t angle")
    cosine, sine, sinogram = hl.funcs("cosine sine sinogram")
    cosine[angle], sine[angle] = hl.cos(turns[angle]), hl.sin(turns[angle])
    side = image.width()
    r = hl.RDom([(0, side)], "r")
    middle = hl.f32(side - 1) * 0.5
    along, across = r - middle, t - middle
    x = across * cosine[angle] - along * sine[angle] + middle
    y = across * sine[angle] + along * cosine[angle] + middle
    inside = (x >= 0) & (x <= hl.f32(side - 1)) & (y >= 0) & (y <= hl.f32(side - 1))
    sinogram[t, angle] = 0.0
    sinogram[t, angle] += hl.select(inside, bilinear(hl, image, extent(image), x, y), 0.0)
    return Algorithm(sinogram, {"image": image, "turns": turns}, stages={"cosine": cosine, "sine": sine})


def angles(count: int) -> Array:
    """So many angles of half a turn, none along an axis of the picture."""
    return ((np.arange(count) + 0.37) * np.pi / count).astype(np.float32)


def bump(side: int) -> Array:
    """A picture that vanishes at its border, so that rounding of places there does not matter."""
    fade = np.sin(np.linspace(0, np.pi, side, dtype=np.float32))
    return noise((side, side), np.float32, 0, 1) * np.outer(fade, fade)


def radon_inputs(size: Sizes) -> dict[str, Array]:
    return {"image": bump(size[0]), "turns": angles(size[1])}


def radon(images: Mapping[str, Array]) -> Array:
    image = images["image"]
    place = np.arange(len(image)) - (len(image) - 1) / 2
    rows = []
    for turn in images["turns"].astype(np.float64):
        x = place * np.cos(turn) - place[:, None] * np.sin(turn) - place[0]
        y = place * np.sin(turn) + place[:, None] * np.cos(turn) - place[0]
        rows.append(map_coordinates(image, (y, x), order=1, mode="constant").sum(axis=0))
    return np.stack(rows)


RAMP_RADIUS = 24
RAMP = [0.25, *(-1 / (np.pi * k) ** 2 if k % 2 else 0.0 for k in range(1, RAMP_RADIUS + 1))]


def build_backprojection(hl: ModuleType) -> Algorithm:
    """A slice from its projections: rows of the sinogram by the ramp filter, then for each pixel a sum over angles."""
    sinogram, turns = hl.ImageParam(hl.Float(32), 2, "sinogram"), hl.ImageParam(hl.Float(32), 1, "turns")
    x, y, t, angle, k = hl.vars("x y t angle k")
    ramp, filtered, cosine, sine, total, picture = hl.funcs("ramp filtered cosine sine total picture")
    cells, count = extent(sinogram)
    padded = hl.BoundaryConditions.constant_exterior(sinogram, hl.f32(0))
    distance = hl.cast(hl.Int(32), hl.abs(k))
    ramp[k] = hl.select(
        k == 0, hl.f32(0.25), distance % 2 == 1, hl.f32(-1 / np.pi**2) / hl.f32(distance * distance), 0.0
    )
    taps = hl.RDom([(-RAMP_RADIUS, 2 * RAMP_RADIUS + 1)], "taps")
    filtered[t, angle] = 0.0
    filtered[t, angle] += ramp[taps] * padded[t + taps, angle]
    cosine[angle], sine[angle] = hl.cos(turns[angle]), hl.sin(turns[angle])
    r = hl.RDom([(0, count)], "r")
    middle = hl.f32(cells - 1) * 0.5
    place = hl.clamp((x - middle) * cosine[r] + (y - middle) * sine[r] + middle, 0.0, hl.f32(cells - 1))
    cell = hl.min(hl.i32(place), cells - 2)
    total[x, y] = 0.0
    total[x, y] += hl.lerp(filtered[cell, r], filtered[cell + 1, r], place - hl.f32(cell))
    picture[x, y] = hl.max(total[x, y] * (hl.f32(np.pi) / hl.f32(count)), 0.0)
    stages = {"ramp": ramp, "filtered": filtered, "cosine": cosine, "sine": sine, "total": total}
    return Algorithm(picture, {"sinogram": sinogram, "turns": turns}, stages=stages)


PROJECTIONS = 180


def backprojection_inputs(size: Sizes) -> dict[str, Array]:
    sinogram = noise((PROJECTIONS, size[0]), np.float32, 0, 1)
    return {"sinogram": sinogram, "turns": angles(PROJECTIONS)}


def backprojection(images: Mapping[str, Array]) -> Array:
    sinogram, turns = images["sinogram"].astype(np.float64), images["turns"].astype(np.float64)
    cells = np.arange(sinogram.shape[1])
    filtered = correlate1d(sinogram, [*RAMP[:0:-1], *RAMP], mode="constant")
    place, total = cells - (len(cells) - 1) / 2, 0.0
    for row, turn in zip(filtered, turns, strict=True):
        total += np.interp(place * np.cos(turn) + place[:, None] * np.sin(turn) - place[0], cells, row)
    return np.maximum(total * np.pi / len(turns), 0).astype(np.float32)


ENTRIES = (
    Entry(
        name="hough_lines",
        kind="transform",
        source="OpenCV HoughLines on Sobel edges",
        build=build_hough_lines,
        inputs=hough_inputs,
        reference=hough_lines,
        bench_size=(DISTANCES, 180),
        test_size=(DISTANCES, 7),
        settings={"bins": DISTANCES},
    ),
    Entry(
        name="radon",
        kind="transform",
        source="scikit-image radon",
        build=build_radon,
        inputs=radon_inputs,
        reference=radon,
        bench_size=(512, 360),
        test_size=(61, 13),
        tolerance=2e-2,
        differentiable=True,
    ),
    Entry(
        name="backprojection",
        kind="transform",
        source="scikit-image iradon, with Ramachandran and Lakshminarayanan's filter",
        build=build_backprojection,
        inputs=backprojection_inputs,
        reference=backprojection,
        bench_size=(512, 512),
        test_size=(61, 61),
        tolerance=1e-3,
        differentiable=True,
    ),
)
