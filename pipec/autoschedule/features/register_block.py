"""Blocks: their shapes, and what is counted of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pipec.autoschedule.dag.dag import Operation
from pipec.autoschedule.features.distinct_places import Axes

Counts = tuple[float, ...]

COUNTS = (
    *("add", "multiply", "divide", "compare", "shift", "cast", "transcendental", "other"),  # cycles, as Operation
    *("dense", "broadcast", "strided", "gathered", "scalar", "split"),  # loads, and lines more that they touch
    *("stored", "scattered", "stored_scalar"),
    "addresses",  # of lanes, once for loads at constant distances
)
LOADS, STORES = len(Operation), len(Operation) + 6
DENSE, BROADCAST, STRIDED, GATHERED, SCALAR, SPLIT = range(LOADS, LOADS + 6)
STORED, SCATTERED, STORED_SCALAR, ADDRESSES = range(STORES, STORES + 4)


class RegisterBlock(NamedTuple):
    """`each`: COUNTS for every execution; `once`: what moves out of the innermost loop, for each of its runs."""

    each: Counts
    once: Counts
    points: int
    vectors: float  # native vectors of values
    registers: float
    chain: float  # cycles that one execution waits for the one before
    instructions: float
    nodes: float  # of its expressions, but for those of indices, about
    unaligned: tuple[tuple[str, float], ...]  # vectors of each Func or image that no vector was stored as


class BlockShape(NamedTuple):
    """A block: points of each dimension, the dimension of the lanes, and that of the innermost loop around it."""

    extents: tuple[int, ...]
    vector: int | None
    lanes: int
    innermost: int | None
    phases: int = 1  # vectors that the lanes are computed in: lanes 0, 2, 4, ... and 1, 3, 5, ... where x / 2 is read
    tensor: str = ""  # the tensor intrinsic that computes it

    @property
    def width(self) -> int:
        """Lanes of one vector."""
        return self.lanes // self.phases

    def axes(self) -> Axes:
        """Returns the axes of the block: dimension, number of vectors or elements, distance between them."""
        axes = [
            (d, -(-extent // self.lanes), self.lanes) if d == self.vector else (d, extent, 1)
            for d, extent in enumerate(self.extents)
        ]
        if self.phases > 1 and self.vector is not None:
            axes.append((self.vector, self.phases, 1))
        return tuple(axes)


def instructions_of(each: Sequence[float]) -> float:
    """The number of instructions that COUNTS come to."""
    return 2 * sum(each[:LOADS]) + sum(each[LOADS:]) - each[SPLIT] - each[ADDRESSES]
