"""One pipeline of the zoo: its algorithm for both front ends, inputs of any size, a reference in numpy."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import ModuleType
from typing import Any

import numpy as np

import pipec
from apps.app import Algorithm, Array, aligned

Sizes = tuple[int, ...]
GRADIENT = "_gradient"
"""How names of gradients end."""


@dataclass(frozen=True)
class Entry:
    """A pipeline. Sizes are those of the output, innermost dimension first; arrays have the dimensions reversed.

    `build`: the unscheduled Funcs, with either front end (`pipec` or `halide`); `Algorithm.stages` holds the Funcs that
    a schedule by hand names.
    `inputs`: for an output of a size, an array for each ImageParam by name; equal sizes give equal arrays.
    `reference`: the output in numpy; `tolerance`: the largest absolute difference from it, zero for integers.
    `bench_size`: what is timed, 0.1 to 50 megapixels; `test_size`: small, dividing no vector or tile.
    `kind`: the subject, such as "denoiser"; `source`: a paper or a library's function that computes the same.
    `differentiable`: its gradient with respect to all images of floats is an entry of its own.
    `hand`: the best schedule by hand that is known, for a dozen of the entries.
    `wheel`: why the `halide` wheel cannot run the algorithm; empty where it can.
    """

    name: str
    kind: str
    source: str
    build: Callable[[ModuleType], Algorithm]
    inputs: Callable[[Sizes], dict[str, Array]]
    reference: Callable[[Mapping[str, Array]], Array]
    bench_size: Sizes
    test_size: Sizes
    tolerance: float = 0.0
    differentiable: bool = False
    hand: Callable[[ModuleType, Algorithm], None] | None = None
    wheel: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)  # values of the Params of `Algorithm.params`
    output_size: Callable[[Sizes], Sizes] = lambda size: size  # of gradients, which have the size of an image

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The type of the output's elements."""
        return np.dtype(str(self.build(pipec).output.type()))

    def example(self, size: Sizes) -> dict[str, Array]:
        """`inputs`, by the name that applications have for it."""
        return self.inputs(size)

    def empty_output(self, size: Sizes) -> Array:
        """Aligned memory for an output."""
        return aligned(self.output_size(size)[::-1], self.dtype)

    @property
    def is_reported(self) -> bool:
        """Whether the entry belongs to the half that chooses nothing."""
        return is_reported(self.name)


def is_reported(name: str) -> bool:
    """Whether an entry of that name belongs to the half that chooses nothing: a bit of a digest of the name.

    A gradient belongs to the half of its pipeline.
    """
    return bool(hashlib.sha256(name.removesuffix(GRADIENT).encode()).digest()[0] & 1)


def noise(shape: tuple[int, ...], dtype: Any, low: float, high: float, seed: int = 0) -> Array:
    """A smooth random picture with noise, from `low` to `high` inclusive; equal arguments give equal arrays."""
    rng = np.random.default_rng(seed)
    waves = [np.sin(np.arange(n) * (0.031 + 0.017 * axis) + axis) for axis, n in enumerate(shape)]
    smooth = sum(np.reshape(w, [-1 if k == axis else 1 for k in range(len(shape))]) for axis, w in enumerate(waves))
    unit = 0.5 + 0.5 * smooth / max(1, len(shape))
    values = low + (high - low) * np.clip(0.8 * unit + 0.2 * rng.random(shape, dtype=np.float32), 0, 1)
    return np.asarray(np.rint(values) if np.issubdtype(np.dtype(dtype), np.integer) else values).astype(dtype)
