"""What moves between memory and the levels of the cache while the loops of a stage run."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from pipec.autoschedule.regions import Box, Need
from pipec.autoschedule.tree import StageLoops, StageName

LINE = 64


class Array(NamedTuple):
    """What is known of a Func's or image's memory. `total`: its bytes; `depth`: of the site that stores it, or -1 when
    it outlives the group."""

    extents: tuple[int, ...]
    bytes: int
    inner: int  # the dimension that is innermost in memory
    total: float
    depth: int


class Level(NamedTuple):
    """One loop around a block: what it covers, how often it runs, at which depth it is the last loop (or -1)."""

    cover: Box
    iterations: float
    depth: int


def levels(stage: StageLoops) -> list[Level]:
    """The loops around the block, innermost first, beginning with the block itself."""
    own = len(stage.nest.tiles)
    found = [Level(stage.covers[-1], stage.iterations[-1], stage.depth + own)]
    for level in range(own - 1, -1, -1):
        depth = stage.depth + level
        (first, last), trips = map(list, found[-1].cover), stage.trips[level]
        outer = stage.covers[depth]
        iterations = stage.iterations[depth + 1]
        moving = [d for d in stage.nest.order if trips[d] > 1]
        for number, d in enumerate(moving):
            first[d], last[d] = outer[0][d], outer[1][d]
            iterations /= trips[d]
            inner = number < len(moving) - 1
            found.append(Level((tuple(first), tuple(last)), iterations, -1 if inner else depth))
    for depth in range(stage.depth - 1, -1, -1):
        if stage.iterations[depth] < stage.iterations[depth + 1]:
            found.append(Level(stage.covers[depth], stage.iterations[depth], depth))
    return found


def footprint(need: Need, cover: Box, array: Array) -> float:
    """Bytes of the lines that are touched of an array."""
    first, last = need.box(*cover)
    rows, inner = 1.0, 1.0
    for d, extent in enumerate(array.extents):
        length = last[d] - first[d] + 1
        if d == array.inner:
            inner = length * array.bytes
            if length < extent:
                inner = (math.ceil(inner / LINE) + 0.5) * LINE
        else:
            rows *= length
    return min(rows * inner, array.total + LINE)


class Footprints:
    """Bytes that each array takes at each loop around a stage."""

    def __init__(self, stage: StageLoops, arrays: Mapping[str, Array]) -> None:
        self.stage, self.arrays = stage, arrays
        self.levels = levels(stage)
        self.bytes = {
            name: [footprint(need, level.cover, arrays[name]) for level in self.levels]
            for name, need in stage.needs.items()
        }
        self.working = [sum(sizes) for sizes in zip(*self.bytes.values(), strict=True)]

    def share(self, sites: dict[tuple[StageName, int], dict[str, float]]) -> None:
        """Tells the sites around the stage, its own among them, what an iteration of them touches."""
        for number, level in enumerate(self.levels):
            if level.depth >= 0:
                touched = sites.setdefault(self._site(level.depth), {})
                for name, sizes in self.bytes.items():
                    touched[name] = max(touched.get(name, 0.0), sizes[number])

    def _site(self, depth: int) -> tuple[StageName, int]:
        stage = self.stage
        if depth == 0:
            return ("", 0), 0
        if depth > stage.depth:
            return (stage.info.func, stage.info.number), depth - stage.depth
        around, level = stage.member.sites[depth - 1]
        return (around.info.func, around.info.number), level + 1

    def enlarge(self, sites: Mapping[tuple[StageName, int], Mapping[str, float]]) -> None:
        """Counts what other stages touch in the same iterations."""
        least = 0.0
        for number, level in enumerate(self.levels):
            if level.depth >= 0:
                least = max(least, sum(sites[self._site(level.depth)].values()))
            self.working[number] = max(self.working[number], least)

    def moved(self, size: float, written: str) -> float:
        """Bytes that a cache of some size gets from further out, and gives back, in the whole run."""
        fitting = -1
        for number, working in enumerate(self.working):
            if working > size:
                break
            fitting = number
        total = 0.0
        for name, sizes in self.bytes.items():
            array = self.arrays[name]
            if array.depth >= 0 and fitting >= 0 and self._inside(fitting, array.depth):
                continue
            if fitting == len(self.levels) - 1:
                # All of it fits; it has to come in once unless it still is there from when it was made.
                amount = sizes[-1] if array.total > size / 2 else 0.0
            else:
                amount = sizes[fitting + 1] * self.levels[fitting + 1].iterations
            total += 2 * amount if name == written else amount
        return total

    def _inside(self, number: int, depth: int) -> bool:
        """Whether the loop covers all of one iteration at a depth."""
        level = self.levels[number]
        known = [entry.depth for entry in self.levels[number:] if entry.depth >= 0]
        if level.depth >= 0:
            return level.depth <= depth
        return bool(known) and known[0] < depth
