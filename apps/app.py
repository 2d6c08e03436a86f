"""What every application offers, so that the demo, the benchmark and the tests treat all alike."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps import photos

Array = NDArray[Any]
Settings = Mapping[str, float]
ALIGNMENT = 128


def aligned(shape: tuple[int, ...], dtype: Any) -> Array:
    """Memory for an array, at an address that vectors like, as both compilers' own Buffers have it."""
    item = np.dtype(dtype).itemsize
    memory = np.empty(math.prod(shape) * item + ALIGNMENT, np.uint8)
    start = -memory.ctypes.data % ALIGNMENT
    return memory[start : start + math.prod(shape) * item].view(dtype).reshape(shape)


@dataclass(frozen=True)
class Algorithm:
    """The unscheduled Funcs of an application, built with one front end (`pipec` or `halide`)."""

    output: Any
    images: Mapping[str, Any]
    params: Mapping[str, Any] = field(default_factory=dict)
    stages: Mapping[str, Any] = field(default_factory=dict)  # what the schedule names, by name

    def arguments(self) -> list[Any]:
        return [*self.images.values(), *self.params.values()]


def scaled(size: int, factor: float) -> int:
    """The nearest whole number to size * factor; of two the smaller, so that all pixels' centres lie inside."""
    return max(1, math.ceil(size * factor - 0.5 - 1e-6))


@dataclass(frozen=True)
class App:
    """An application. Sizes are those of the output, innermost dimension first; arrays have the dimensions reversed."""

    name: str
    build: Callable[[ModuleType], Algorithm]
    schedule: Callable[[ModuleType, Algorithm], None]
    gpu_schedule: Callable[[ModuleType, Algorithm], None]
    reference: Callable[[Mapping[str, Array], Settings], Array]
    inputs: Callable[[Array], dict[str, Array]]  # from a picture
    picture: Callable[[Array], Array]  # the output as 8-bit height x width x 3 or height x width
    rival: Callable[[Mapping[str, Array], Settings], Array]  # the same filter by a library, as its users would write it
    rival_name: str
    photo: str  # the photograph it is shown on
    dtype: Any
    bench_size: tuple[int, ...]
    test_size: tuple[int, ...]
    settings: Settings = field(default_factory=dict)
    before: Callable[[Mapping[str, Array]], Array] | None = None  # the inputs as a picture, when not the photograph
    margin: tuple[int, int] = (0, 0)  # how much larger than the output a picture has to be
    granularity: tuple[int, int] = (1, 1)  # width and height of the output are multiples of these
    axes: tuple[int, int] = (0, 1)  # which dimensions of the output are its width and its height
    fixed: bool = False  # the output has the benchmark's size, whatever the picture's
    tolerance: float = 0.0  # largest difference from the reference; zero for integers
    scale: float = 1.0  # width and height of the output for one pixel of the input
    overlay: Callable[[Array, Array], Array] | None = None  # the output drawn onto the picture, for a person to look at

    def output_size(self, picture: Array) -> tuple[int, ...]:
        """The size of the output for a picture, innermost dimension first."""
        size = list(self.bench_size)
        if not self.fixed:
            room = (picture.shape[1] - self.margin[0], picture.shape[0] - self.margin[1])
            for axis, have, step in zip(self.axes, room, self.granularity, strict=True):
                size[axis] = scaled(have, self.scale) // step * step
        return tuple(size)

    def extent(self, size: tuple[int, ...]) -> tuple[int, int]:
        """Width and height of an output of that size."""
        return size[self.axes[0]], size[self.axes[1]]

    def example(self, size: tuple[int, ...]) -> dict[str, Array]:
        """Inputs for an output of that size, made of the packaged photograph."""
        axes = zip(self.extent(size), self.margin, strict=True)
        width, height = (math.ceil(length / self.scale) + more for length, more in axes)
        return self.inputs(photos.mirrored(photos.photo(self.photo), width, height))

    def shown(self, picture: Array, output: Array) -> Array:
        """What to show of the output for that picture."""
        return self.picture(output) if self.overlay is None else self.overlay(photos.colour(picture), output)

    def empty_output(self, size: tuple[int, ...]) -> Array:
        """Memory for the output."""
        return aligned(size[::-1], self.dtype)
