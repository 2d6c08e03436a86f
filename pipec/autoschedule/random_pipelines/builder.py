"""The builder of one random pipeline: its layers, its random choices, what its work may amount to."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import numpy as np

from pipec.autoschedule.random_pipelines import language as hl
from pipec.autoschedule.random_pipelines.layer import RANGES, TYPES, Layer, RandomValue
from pipec.records import dataclass

X, Y, C, N = hl.vars("x y c n")
MIN_EXTENT = 32


@dataclass(frozen=True)
class Scale:
    """The sizes of images and the amount of work of a random pipeline.

    `work`: least and most arithmetic operations in a whole run; one transcendental function counts for several.
    `work_of_a_point`: of all stages together, at least. `extents`: of inputs, as exponents of two.
    """

    work: tuple[float, float]
    work_of_a_point: float
    extents: tuple[float, float]
    pixels: tuple[int, int]
    max_points: float
    max_extent: int


USUAL = Scale((5e7, 1.2e9), 60, (8, 11), (65_536, 3_000_000), 6e6, 4096)
# Most of these images do not fit in any cache.
LARGE = Scale((6e8, 2.4e9), 15, (11, 13), (6_000_000, 28_000_000), 3e7, 8192)


class Unsuitable(Exception):
    """A kind of stage that does not fit what there is: another one is tried."""


class PipelineBuilder:
    """The state of a random pipeline while stages are added. `shrink`: divides all sizes, for tests."""

    def __init__(self, random: Random, max_stages: int, shrink: int = 1, scale: Scale = USUAL) -> None:
        self.random, self.max_stages, self.shrink, self.scale = random, max_stages, shrink, scale
        self.layers: list[Layer] = []
        self.unread: list[Layer] = []
        self.images: list[Any] = []
        self.kinds: list[str] = []
        self.stages = 0
        self.work = 0.0
        least, most = scale.work
        self.max_work = least * (most / least) ** random.random()

    # Sizes

    def size(self) -> tuple[int, int]:
        """Width and height of an input."""
        r, scale = self.random, self.scale
        least, most = scale.pixels
        most = min(most, self.max_work / scale.work_of_a_point)
        while True:
            step = r.choice([1, 2, 8, 16, 32, 64])
            width, height = [max(1, round(2 ** r.uniform(*scale.extents) / step)) * step for _ in range(2)]
            if least <= width * height <= most:
                return self.scaled(width), self.scaled(height)

    def scaled(self, extent: int) -> int:
        """Returns an extent divided by the factor that shrinks the pipeline, at least 8."""
        return max(8, extent // self.shrink) if self.shrink > 1 else extent

    def affords(self, extents: Sequence[int], cost: float, points: int = 0) -> None:
        """Account for a stage with this many operations a point; Unsuitable when that is too much."""
        spatial = list(extents[:2])
        count = (points or math.prod(extents)) * self.shrink ** len(spatial)
        small = any(extent * self.shrink < MIN_EXTENT for extent in spatial)
        scale = self.scale
        large = any(extent * self.shrink > scale.max_extent for extent in spatial) or count > scale.max_points
        if small or large or self.work + count * cost > self.max_work:
            raise Unsuitable
        self.work += count * cost

    # What there is

    def image(self, type: str, extents: Sequence[int], interleaved: bool = False) -> Layer:
        """A new input. Some are read through a border, others must be as large as what is read."""
        r = self.random
        image = hl.ImageParam(TYPES[type], len(extents), f"input{len(self.images)}")
        if interleaved:
            image.dim(0).set_stride(extents[2])
            image.dim(2).set_bounds(0, extents[2]).set_stride(1)
        self.images.append(image)
        low, high = (0.0, 1.0) if type == "f32" else RANGES[type]
        if len(extents) > 3 or r.random() < 0.3:
            # The size follows from what is read.
            return self.add_layer(Layer(image, type, tuple(extents), low, high))
        image.set_estimates([(0, extent) for extent in extents])
        if r.random() < 0.5:
            edge = hl.BoundaryConditions.repeat_edge(image, [(0, extents[0]), (0, extents[1])])
        else:
            border = r.choice([hl.BoundaryConditions.repeat_edge, hl.BoundaryConditions.mirror_interior])
            free = [(hl.Expr(), hl.Expr())] * (len(extents) - 2)
            edge = border(image, [*[(image.dim(d).min(), image.dim(d).extent()) for d in range(2)], *free])
        return self.add_layer(Layer(edge, type, tuple(extents), low, high))

    def add_layer(self, layer: Layer) -> Layer:
        """Registers a new layer that later stages may read, and returns it."""
        self.layers.append(layer)
        self.unread.append(layer)
        return layer

    def pick(self, fits: Callable[[Layer], bool] = lambda layer: True) -> Layer:
        """A layer that fits, most likely one of the last; Unsuitable when there is none."""
        candidates = [layer for layer in self.layers if fits(layer)]
        if not candidates:
            raise Unsuitable
        fresh = [layer for layer in candidates if layer in self.unread]
        if fresh and self.random.random() < 0.6:
            candidates = fresh
        back = min(int(self.random.expovariate(1.0)), len(candidates) - 1)
        return self.read(candidates[-1 - back])

    def read(self, layer: Layer) -> Layer:
        """Marks a layer as read and returns it."""
        if layer in self.unread:
            self.unread.remove(layer)
        return layer

    # What is made

    def func(self, kind: str) -> hl.Func:
        """Returns a new Func named after its kind and number."""
        self.stages += 1
        return hl.Func(f"{kind}_{self.stages}")

    def define(self, kind: str, args: Sequence[Any], value: RandomValue, extents: Sequence[int]) -> Layer:
        """A new pure stage."""
        func = self.func(kind)
        func[tuple(args)] = value.expr
        return self.add_layer(Layer(func, value.type, tuple(extents), value.low, value.high))

    def rdom(self, *ranges: tuple[int, int]) -> hl.RDom:
        """Returns a new RDom over (min, extent) ranges."""
        return hl.RDom(list(ranges), f"r{self.stages + 1}")

    def table(self, values: np.ndarray) -> hl.Buffer:
        """Numbers that come with the pipeline; indexed like the array, first axis first."""
        return hl.Buffer(np.ascontiguousarray(values.transpose()))

    def generator(self) -> np.random.Generator:
        """Returns a numpy generator seeded from the builder's random numbers."""
        return np.random.default_rng(self.random.getrandbits(32))


def variables(layer: Layer) -> list[Any]:
    """The Vars of a stage of the same shape."""
    return [X, Y, C, N][: layer.dimensions]


def replaced(args: Sequence[Any], dimension: int, value: Any) -> list[Any]:
    """Returns the arguments with another value in one dimension."""
    return [value if d == dimension else arg for d, arg in enumerate(args)]


def flat(layer: Layer) -> bool:
    """Returns whether a layer has two dimensions."""
    return layer.dimensions == 2


def spatial(layer: Layer) -> bool:
    """Two dimensions, or three of which the last is channels."""
    return layer.dimensions in (2, 3)
