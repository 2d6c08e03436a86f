"""Loads of neighbouring elements whose lanes lie far apart: one wide load for each lane reads all of them.

a[i], a[i + 1], vectors of float32  -->  a vector of 64-bit integers at a[i], of which the even and the odd lanes
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from pipec.ir.expr import Load
from pipec.ir.lanes import MAX_LANE_BYTES, MAX_SHUFFLED_STRIDE
from pipec.ir.types import Type
from pipec.jit.llvm.memory.address import VectorIndex
from pipec.jit.llvm.types import element_bytes


class Gather(NamedTuple):
    """Loads of a scalar for each lane that differ by a constant only."""

    buffer: str
    type: Type
    terms: frozenset[tuple[object, int]]
    strides: frozenset[tuple[object, int]]
    step: int
    vectors: frozenset[tuple[object, int]]


class WideLoad(NamedTuple):
    """`length` elements from offset `start` on, which one load reads."""

    start: int
    length: int


def gather_of(node: Load, parts: VectorIndex) -> Gather | None:
    """The loads that a load is one of; None where its lanes are near each other: these are picked out of vectors."""
    near = not parts.vectors and not parts.strides and abs(parts.step) <= MAX_SHUFFLED_STRIDE
    if near or node.type.boolean:
        return None
    terms, strides, vectors = [frozenset(part.items()) for part in (parts.terms, parts.strides, parts.vectors)]
    return Gather(node.buffer, node.type, terms, strides, parts.step, vectors)


def wide_loads(gather: Gather, offsets: Collection[int]) -> list[WideLoad]:
    """The loads of several elements among those at `offsets`."""
    size = element_bytes(gather.type)
    result = []
    rest = set(offsets)
    while rest:
        start = min(rest)
        count = MAX_LANE_BYTES // size
        while count > 1 and not rest.issuperset(range(start, start + count)):
            count //= 2
        rest.difference_update(range(start, start + max(count, 1)))
        if count > 1:
            result.append(WideLoad(start, count))
    return result
