"""Tiles: a box of an output divided into boxes that fit into a memory limit."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterator, Sequence

from pipec.errors import ArgumentError
from pipec.pipeline.queries import Box
from pipec.records import dataclass

_UNITS = {"b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12, "kib": 2**10, "mib": 2**20, "gib": 2**30}
_FORM = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*")
# Sizes that tiles are multiples of where the destination has no chunks; a multiple of all usual split factors.
UNIT = 256
# The smallest tile that is tried, in elements along an axis.
SMALLEST = 16
# What a tile costs beside its elements, as bytes that are read or written meanwhile: some milliseconds.
TILE_OVERHEAD = 8 << 20
# The most splits of one axis that are tried.
MAX_SPLITS = 40
# Tiles of so much less than the largest that fits repeat more work whatever their shape.
MAX_VOLUME_RATIO = 16


def bytes_of(limit: str | int) -> int:
    """Bytes of a number of them, or of a text like "1 GB", "512 MiB".

    >>> from pipec.scale.tiles import bytes_of
    >>> bytes_of("1.5 GB"), bytes_of(4096)
    (1500000000, 4096)
    """
    match = _FORM.fullmatch(limit.lower()) if isinstance(limit, str) else None
    if match is not None and match[2] in _UNITS:
        size = int(float(match[1]) * _UNITS[match[2]])
    elif isinstance(limit, int):
        size = limit
    else:
        raise ArgumentError(f"Error: {limit!r} is no size of memory: write bytes as a number, or '500 MB', '2 GiB'.")
    if size <= 0:
        raise ArgumentError(f"Error: A memory limit of {limit!r} leaves no room for a tile.")
    return size


@dataclass(frozen=True)
class Tiling:
    """The tiles of a box, of `size` but for the last ones along each axis. Dimension 0 first, as in Boxes."""

    whole: tuple[tuple[int, int], ...]
    size: tuple[int, ...]

    def counts(self) -> list[int]:
        """The number of tiles along each dimension."""
        return [-(-extent // size) for (_, extent), size in zip(self.whole, self.size, strict=True)]

    def __len__(self) -> int:
        return math.prod(self.counts())

    def boxes(self) -> Iterator[Box]:
        """The tiles, those along dimension 0 first."""
        for index in itertools.product(*[range(count) for count in reversed(self.counts())]):
            yield self.at(index[::-1])

    def at(self, index: Sequence[int]) -> Box:
        """The tile with these numbers along the dimensions."""
        box = []
        for number, (low, extent), size in zip(index, self.whole, self.size, strict=True):
            box.append((low + number * size, min(size, extent - number * size)))
        return box


@dataclass(frozen=True)
class TileCost:
    """What one tile takes: `memory` in bytes, and `work`, the bytes that are read, stored and written for it."""

    memory: int
    work: int


def choose_tiling(
    whole: Box, units: Sequence[int], limit: int, footprint: Callable[[Box], TileCost]
) -> tuple[Tiling | None, TileCost]:
    """The tiling with the least work for each element among those whose footprint is within `limit` bytes.

    `units`: the sizes that tiles are multiples of, where that is possible. None when not even the smallest fits; its
    footprint is returned then.
    """
    best: tuple[float, Tiling, TileCost] | None = None
    smallest: TileCost | None = None
    largest = 0
    for size in sorted(_candidates(whole, units), key=math.prod, reverse=True):
        if math.prod(size) * MAX_VOLUME_RATIO < largest:
            break
        tiling = Tiling(tuple(whole), size)
        # A tile of full size, with neighbours on all sides where there are any.
        cost = footprint(tiling.at([(count - 1) // 2 for count in tiling.counts()]))
        if smallest is None or cost.memory < smallest.memory:
            smallest = cost
        if cost.memory > limit:
            continue
        largest = largest or math.prod(size)
        # The first read and the last write overlap with nothing.
        score = (cost.work + TILE_OVERHEAD) / math.prod(size) * (1 + 2 / len(tiling))
        if best is None or score < best[0]:
            best = score, tiling, cost
    assert smallest is not None
    return (None, smallest) if best is None else (best[1], best[2])


def _candidates(whole: Box, units: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Sizes of tiles: the two longest dimensions are split, the others are whole or, at last, single elements."""
    extents = [max(1, extent) for _, extent in whole]
    order = sorted(range(len(extents)), key=lambda d: -extents[d])
    split, others = order[:2], order[2:]
    for single in (False, True) if any(extents[d] > 1 for d in others) else (False,):
        choices = []
        for d, extent in enumerate(extents):
            choices.append(_sizes(extent, units[d]) if d in split else [1 if single else extent])
        yield from itertools.product(*choices)


def _sizes(extent: int, unit: int) -> list[int]:
    """The sizes that are tried along one axis, largest first."""
    sizes = [extent]
    count = 2
    while extent // count >= SMALLEST and len(sizes) < MAX_SPLITS:
        size = -(-extent // count)
        size = -(-size // unit) * unit if size >= unit else 1 << (size - 1).bit_length()
        if size < sizes[-1]:
            sizes.append(size)
        count *= 2
    if len(sizes) == 1 and extent > SMALLEST:
        sizes.append(SMALLEST)
    return sizes
