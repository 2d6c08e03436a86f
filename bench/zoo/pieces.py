"""What many pipelines of the zoo share: Funcs by name, boundaries, filters and the inputs' pictures."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import reduce
from operator import add
from types import ModuleType
from typing import Any

import numpy as np

from apps.app import Array
from bench.zoo.entry import Sizes, noise

Taps = Sequence[int] | Sequence[float]


def single(value: float) -> float:
    """The nearest 32-bit float: what a literal becomes in a Func."""
    return float(np.float32(value))


def gaussian(sigma: float, radius: int) -> list[float]:
    """The 2 radius + 1 weights of a Gaussian, which add up to one."""
    weights = [math.exp(-0.5 * (k / sigma) ** 2) for k in range(-radius, radius + 1)]
    return [single(weight / sum(weights)) for weight in weights]


def total(values: Sequence[Any]) -> Any:
    """The sum of expressions, from the left."""
    return reduce(add, values)


class Stages(dict[str, Any]):
    """The Funcs of a pipeline by name, in the order in which they were defined."""

    def __init__(self, hl: ModuleType) -> None:
        super().__init__()
        self.hl = hl

    def define(self, name: str, args: tuple[Any, ...], value: Any) -> Any:
        """The Func of that name; `args` are its Vars, innermost first."""
        func = self[name] = self.hl.Func(name)
        func[args] = value
        return func

    def correlate(self, name: str, source: Any, args: tuple[Any, ...], axis: int, taps: Taps) -> Any:
        """The sum of the neighbours along one of `args`, weighted by an odd number of taps around the middle."""
        hl = self.hl

        def neighbour(offset: int) -> Any:
            return source[tuple(arg + offset if k == axis else arg for k, arg in enumerate(args))]

        middle = len(taps) // 2
        weighted = [(tap, neighbour(k - middle)) for k, tap in enumerate(taps) if tap]
        terms = [
            value if tap == 1 else value * (hl.f32(tap) if isinstance(tap, float) else tap) for tap, value in weighted
        ]
        return self.define(name, args, total(terms))

    def blur(self, name: str, source: Any, args: tuple[Any, ...], taps: Taps) -> Any:
        """A separable filter: down the columns, then along the rows."""
        return self.correlate(name, self.correlate(f"{name}_y", source, args, 1, taps), args, 0, taps)


def repeat_edge(hl: ModuleType, func: Any, width: Any, height: Any) -> Any:
    """A Func whose first two dimensions repeat their edge."""
    return hl.BoundaryConditions.repeat_edge(func, [(0, width), (0, height)])


def pictures(dtype: Any, low: float, high: float, *names: str) -> Callable[[Sizes], dict[str, Array]]:
    """Inputs of the output's size, one for each name ("source" if none), from `low` to `high`."""
    return lambda size: {
        name: noise(size[::-1], dtype, low, high, seed) for seed, name in enumerate(names or ("source",))
    }


def planes(dtype: Any, low: float, high: float, *names: str) -> Callable[[Sizes], dict[str, Array]]:
    """The same without the output's third dimension."""
    return lambda size: pictures(dtype, low, high, *names)(size[:2])


def moved_pair(dtype: Any, high: float, *names: str) -> Callable[[Sizes], dict[str, Array]]:
    """Two pictures of the output's width and height, the second moved by a few pixels, with noise of its own."""

    def inputs(size: Sizes) -> dict[str, Array]:
        width, height = size[:2]
        scene = noise((height, width + 16), np.float32, 0, high)
        rng = np.random.default_rng(1)
        second = scene[:, 5 : 5 + width] + rng.random((height, width), np.float32) * np.float32(0.02 * high)
        pair = (scene[:, :width], np.minimum(second, high))
        return {name: np.ascontiguousarray(image).astype(dtype) for name, image in zip(names, pair, strict=True)}

    return inputs


def pair_params(hl: ModuleType, kind: Any, *names: str) -> tuple[Any, Any, dict[str, Any]]:
    """Two images, their edges repeated, and the ImageParams by name."""
    params = {name: hl.ImageParam(kind, 2, name) for name in names}
    first, second = (hl.BoundaryConditions.repeat_edge(param) for param in params.values())
    return first, second, params


def squares(size: Sizes) -> dict[str, Array]:
    """Squares of different brightness, and noise."""
    y, x = np.indices(size[::-1])
    squares = (x // 11 + 2 * (y // 9)) % 5 * 28
    return {"source": (noise(size[::-1], np.uint8, 0, 120) + squares).astype(np.uint8)}


def sobel(stages: Stages, source: Any, args: tuple[Any, Any]) -> tuple[Any, Any]:
    """The smoothed differences across and down."""
    rows = stages.correlate("rows", source, args, 1, (1, 2, 1))
    columns = stages.correlate("columns", source, args, 0, (1, 2, 1))
    across = stages.correlate("across", rows, args, 0, (-1, 0, 1))
    return across, stages.correlate("down", columns, args, 1, (-1, 0, 1))
