"""Applications as a user of numba would write them: plain loops over arrays, rows in parallel, compiled at first use.

Each function takes an application's images, settings and output. Stages go through whole arrays, as in numpy: what a
schedule says in a line, such as to keep a window of a few rows, would be a program of its own here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numba import njit, prange

from apps import harris as harris_app
from apps import hist as hist_app
from apps import nl_means as nl_means_app
from apps import unsharp as unsharp_app
from apps.app import Array, Settings

compiled = njit(parallel=True, fastmath=True, cache=True)


@compiled
def _blur(source: Array, output: Array) -> None:
    height, width = output.shape
    for strip in prange((height + 31) // 32):
        across = np.empty((34, width), np.uint16)
        rows = min(32, height - strip * 32)
        for y in range(rows + 2):
            row = source[strip * 32 + y]
            for x in range(width):
                across[y, x] = np.uint16(row[x] + row[x + 1] + row[x + 2]) // np.uint16(3)
        for y in range(rows):
            for x in range(width):
                total = np.uint16(across[y, x] + across[y + 1, x] + across[y + 2, x])
                output[strip * 32 + y, x] = total // np.uint16(3)


def blur(images: Mapping[str, Array], settings: Settings, output: Array) -> None:
    _blur(images["source"], output)


@compiled
def _unsharp(source: Array, weights: Array, luma: Array, gray: Array, down: Array, output: Array) -> None:
    _, height, width = source.shape
    for y in prange(height):
        for x in range(width):
            gray[y, x] = luma[0] * source[0, y, x] + luma[1] * source[1, y, x] + luma[2] * source[2, y, x]
    radius = len(weights) - 1
    for y in prange(height):
        for x in range(width):
            total = weights[0] * gray[y, x]
            for i in range(1, radius + 1):
                total += weights[i] * (gray[max(y - i, 0), x] + gray[min(y + i, height - 1), x])
            down[y, x] = total
    for y in prange(height):
        for x in range(width):
            total = weights[0] * down[y, x]
            for i in range(1, radius + 1):
                total += weights[i] * (down[y, max(x - i, 0)] + down[y, min(x + i, width - 1)])
            ratio = (np.float32(2) * gray[y, x] - total) / gray[y, x]
            for c in range(3):
                output[c, y, x] = ratio * source[c, y, x]


def unsharp(images: Mapping[str, Array], settings: Settings, output: Array) -> None:
    gray, down = np.empty((2, *output.shape[1:]), np.float32)
    luma = np.array([unsharp_app.RED, unsharp_app.GREEN, unsharp_app.BLUE], np.float32)
    _unsharp(images["source"], np.array(unsharp_app.WEIGHTS, np.float32), luma, gray, down, output)


@compiled
def _harris(source: Array, numbers: Array, gray: Array, products: Array, output: Array) -> None:
    _, height, width = source.shape
    red, green, blue, sobel, sensitivity = numbers
    for y in prange(height):
        for x in range(width):
            gray[y, x] = red * source[0, y, x] + green * source[1, y, x] + blue * source[2, y, x]
    for y in prange(1, height - 1):
        for x in range(1, width - 1):
            left = gray[y - 1, x - 1] + 2 * gray[y, x - 1] + gray[y + 1, x - 1]
            right = gray[y - 1, x + 1] + 2 * gray[y, x + 1] + gray[y + 1, x + 1]
            above = gray[y - 1, x - 1] + 2 * gray[y - 1, x] + gray[y - 1, x + 1]
            under = gray[y + 1, x - 1] + 2 * gray[y + 1, x] + gray[y + 1, x + 1]
            across, down = (right - left) * sobel, (under - above) * sobel
            products[0, y, x] = across * across
            products[1, y, x] = down * down
            products[2, y, x] = across * down
    for y in prange(output.shape[0]):
        for x in range(output.shape[1]):
            xx = yy = xy = np.float32(0)
            for dy in range(2, 5):
                for dx in range(2, 5):
                    xx += products[0, y + dy, x + dx]
                    yy += products[1, y + dy, x + dx]
                    xy += products[2, y + dy, x + dx]
            output[y, x] = xx * yy - xy * xy - sensitivity * (xx + yy) * (xx + yy)


def harris(images: Mapping[str, Array], settings: Settings, output: Array) -> None:
    source, app = images["source"], harris_app
    gray, products = np.empty(source.shape[1:], np.float32), np.empty(source.shape, np.float32)
    numbers = np.array([app.RED, app.GREEN, app.BLUE, app.SOBEL, app.SENSITIVITY], np.float32)
    _harris(source, numbers, gray, products, output)


@compiled
def _count(source: Array, weights: Array, half: int, bits: int, luma: Array, counts: Array) -> None:
    _, height, width = source.shape
    for y in prange(height):
        for x in range(width):
            total = weights[0] * source[0, y, x] + weights[1] * source[1, y, x] + weights[2] * source[2, y, x]
            level = (total + half) >> bits
            luma[y, x] = level
            counts[y, level] += 1


@compiled
def _recolour(source: Array, luma: Array, table: Array, factors: Array, half: int, bits: int, output: Array) -> None:
    _, height, width = source.shape
    for y in prange(height):
        for x in range(width):
            grey = np.int32(luma[y, x])
            cr = ((source[0, y, x] - grey) * factors[0] + half) >> bits
            cb = ((source[2, y, x] - grey) * factors[1] + half) >> bits
            new = table[grey]
            red = new + ((cr * factors[2] + half) >> bits)
            green = new + ((cb * factors[4] + cr * factors[3] + half) >> bits)
            blue = new + ((cb * factors[5] + half) >> bits)
            output[0, y, x] = min(max(red, 0), 255)
            output[1, y, x] = min(max(green, 0), 255)
            output[2, y, x] = min(max(blue, 0), 255)


def hist(images: Mapping[str, Array], settings: Settings, output: Array) -> None:
    app, source = hist_app, images["source"]
    half, bits = np.int32(1 << app.BITS - 1), np.int32(app.BITS)
    luma, counts = np.empty(source.shape[1:], np.uint8), np.zeros((source.shape[1], 256), np.int32)
    _count(source, np.array([app.RED, app.GREEN, app.BLUE], np.int32), half, bits, luma, counts)
    below = counts.sum(0).cumsum()
    first = below[below > 0][0]
    most = luma.size - first
    table = ((510 * (below - first) + most) // (2 * most) if most else np.arange(256)).astype(np.int32)
    factors = (app.TO_CR, app.TO_CB, app.CR_TO_RED, app.CR_TO_GREEN, app.CB_TO_GREEN, app.CB_TO_BLUE)
    _recolour(source, luma, table, np.array(factors, np.int32), half, bits, output)


@compiled
def _iir_blur(source: Array, share: float, output: Array) -> None:
    channels, height, width = source.shape
    rest = np.float32(1) - share
    for strip in prange(channels * ((width + 63) // 64)):
        c, begin = strip % channels, strip // channels * 64
        end = min(begin + 64, width)
        for x in range(begin, end):
            output[c, 0, x] = source[c, 0, x]
        for y in range(1, height):
            for x in range(begin, end):
                output[c, y, x] = rest * output[c, y - 1, x] + share * source[c, y, x]
        for y in range(height - 2, -1, -1):
            for x in range(begin, end):
                output[c, y, x] = rest * output[c, y + 1, x] + share * output[c, y, x]
    for line in prange(channels * height):
        row = output[line % channels, line // channels]
        for x in range(1, width):
            row[x] = rest * row[x - 1] + share * row[x]
        for x in range(width - 2, -1, -1):
            row[x] = rest * row[x + 1] + share * row[x]


def iir_blur(images: Mapping[str, Array], settings: Settings, output: Array) -> None:
    _iir_blur(images["source"], np.float32(settings["share"]), output)


@compiled
def _nl_means(padded: Array, scale: float, patch: int, search: int, output: Array) -> None:
    _, height, width = output.shape
    margin = patch + search
    for y in prange(height):
        across, weight = np.empty(width + 2 * patch, np.float32), np.empty(width, np.float32)
        total = np.zeros((4, width), np.float32)
        for dy in range(-search, search + 1):
            for dx in range(-search, search + 1):
                across[:] = 0
                for c in range(3):
                    for py in range(-patch, patch + 1):
                        current, near = padded[c, y + margin + py], padded[c, y + margin + py + dy]
                        for x in range(width + 2 * patch):
                            difference = current[x + search] - near[x + search + dx]
                            across[x] += difference * difference
                for x in range(width):
                    distance = np.float32(0)
                    for px in range(2 * patch + 1):
                        distance += across[x + px]
                    weight[x] = np.exp(distance * scale)
                    total[3, x] += weight[x]
                for c in range(3):
                    near = padded[c, y + margin + dy]
                    for x in range(width):
                        total[c, x] += weight[x] * near[x + margin + dx]
        for c in range(3):
            for x in range(width):
                output[c, y, x] = min(max(total[c, x] / total[3, x], np.float32(0)), np.float32(1))


def nl_means(images: Mapping[str, Array], settings: Settings, output: Array) -> None:
    patch, search = nl_means_app.PATCH // 2, nl_means_app.SEARCH // 2
    margin = patch + search
    padded = np.pad(images["source"], ((0, 0), (margin, margin), (margin, margin)), mode="edge")
    scale = np.float32(-1 / (settings["strength"] ** 2 * 3 * nl_means_app.PATCH**2))
    _nl_means(padded, scale, patch, search, output)


FILTERS: dict[str, Callable[[Mapping[str, Array], Settings, Array], None]] = {
    "blur": blur,
    "unsharp": unsharp,
    "harris": harris,
    "hist": hist,
    "iir_blur": iir_blur,
    "nl_means": nl_means,
}
