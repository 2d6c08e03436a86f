"""Squares of memory that are read or written across their rows: dense rows, transposed in registers.

for i: f[ramp(a + i, s, n)], i = 0 .. n - 1   -->   n vectors f[a + s * i], ..., then n * log2(n) shuffles
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import NamedTuple, TypeVar

from pipec.jit.llvm.memory.address import Terms

BLOCK = 16  # bytes inside which machines interleave two registers cheaply
Row = TypeVar("Row")


class Square(NamedTuple):
    """`lanes` rows, `stride` and `step` elements apart, that begin at terms + first."""

    buffer: str
    lanes: int
    step: int
    strides: frozenset[tuple[object, int]]
    terms: frozenset[tuple[object, int]]


class Crossing(NamedTuple):
    """A row made of two: lanes `indices` of rows `a` and `b`, one after the other."""

    a: int
    b: int
    indices: tuple[int, ...]


def squares(offsets: Iterable[int], lanes: int) -> list[int]:
    """Where squares begin whose columns all are among `offsets`."""
    starts: list[int] = []
    run: list[int] = []
    for offset in sorted(offsets):
        run = [*run, offset] if run and offset == run[-1] + 1 else [offset]
        if len(run) == lanes:
            starts.append(run[0])
            run = []
    return starts


def transposable(lanes: int) -> bool:
    """Returns whether squares with this many lanes can be transposed in registers: powers of two from 4."""
    return lanes >= 4 and lanes & (lanes - 1) == 0


@cache
def network(lanes: int, element_bytes: int) -> tuple[tuple[tuple[Crossing, ...], ...], tuple[int, ...]]:
    """The stages that transpose a square, and which row holds each column after the last.

    First rows are interleaved inside blocks, by one, two, ... elements; then every other block of two rows is taken.
    Each stage exchanges one bit of the number of a row with one of the number of a lane.
    """
    block = min(lanes, max(BLOCK // element_bytes, 1))
    stages = []
    for bit in range(lanes.bit_length() - 1):
        unit, distance = 1 << bit, 1 << bit
        halves = _interleaved(lanes, block, unit) if unit < block else _every_other(lanes, block)
        stages.append(tuple([Crossing(i & ~distance, i | distance, halves[bool(i & distance)]) for i in range(lanes)]))
    held = crossed([[(row, lane) for lane in range(lanes)] for row in range(lanes)], stages, _pick_lanes)
    columns = {content[0][1]: row for row, content in enumerate(held)}
    return tuple(stages), tuple([columns[column] for column in range(lanes)])


def _interleaved(lanes: int, block: int, unit: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Units of the lower, and of the upper halves of all blocks, in turn from the first row and the second."""

    def half(upper: bool) -> tuple[int, ...]:
        starts = [start + (block // 2 if upper else 0) for start in range(0, lanes, block)]
        units = [start + at for start in starts for at in range(0, block // 2, unit)]
        return tuple([row + at + i for at in units for row in (0, lanes) for i in range(unit)])

    return half(False), half(True)


def _every_other(lanes: int, block: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The even blocks of the first row and the second, and the odd ones."""

    def chosen(odd: bool) -> tuple[int, ...]:
        starts = range(block if odd else 0, 2 * lanes, 2 * block)
        return tuple([start + i for start in starts for i in range(block)])

    return chosen(False), chosen(True)


def _pick_lanes(a: list[tuple[int, int]], b: list[tuple[int, int]], indices: Sequence[int]) -> list[tuple[int, int]]:
    both = a + b
    return [both[index] for index in indices]


def crossed(
    rows: list[Row], stages: Iterable[Sequence[Crossing]], take: Callable[[Row, Row, Sequence[int]], Row]
) -> list[Row]:
    """The rows after all stages."""
    for stage in stages:
        rows = [take(rows[crossing.a], rows[crossing.b], crossing.indices) for crossing in stage]
    return rows


def transposed(rows: list[Row], element_bytes: int, take: Callable[[Row, Row, Sequence[int]], Row]) -> list[Row]:
    """The columns of a square; `take` picks lanes of two rows."""
    stages, order = network(len(rows), element_bytes)
    held = crossed(rows, stages, take)
    return [held[row] for row in order]


def moved(terms: Terms, strides: Terms, count: int) -> Terms:
    """The terms of the row `count` rows on."""
    total = dict(terms)
    for atom, factor in strides.items():
        total[atom] = total.get(atom, 0) + factor * count
    return {atom: factor for atom, factor in total.items() if factor}
