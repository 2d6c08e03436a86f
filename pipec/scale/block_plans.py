"""Plans of the blocks of an output: which calls compute each, and which blocks of the inputs they take."""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

from pipec.pipeline.queries import Box
from pipec.records import dataclass
from pipec.scale.storage import Slices
from pipec.scale.windowed_reader import slices_of
from pipec.scale.windows import WindowedPipeline

# Margins of blocks are multiples of this, in elements: usual vectors.
MARGIN_UNIT = 64


@dataclass(frozen=True)
class WindowPart:
    """A part of a window: the number of the block that has it, and where it lies there and in the window."""

    block: int
    source: Slices
    place: Slices


@dataclass(frozen=True)
class BlockPiece:
    """A box that one call computes: all of a block, or a part of it, with its windows and their parts."""

    boxes: tuple[Box, ...]
    windows: tuple[tuple[str, Box, tuple[WindowPart, ...]], ...]


@dataclass(frozen=True)
class BlockPlan:
    """What a task computes: the box of its block, and the boxes that its calls write in all.

    `whole`: the one call that does; `pieces`: calls of which all but narrow ones read one block of each input.
    """

    box: Box
    computed: tuple[Box, ...]
    whole: BlockPiece
    pieces: tuple[BlockPiece, ...]


class BlockPlanner:
    """The plans of blocks: which calls compute each, and which blocks of the inputs those take."""

    def __init__(self, windowed: WindowedPipeline, arrays: Mapping[str, Any]) -> None:
        self._windowed = windowed
        self._names = {name: array.name for name, array in arrays.items()}
        self._starts = {name: [chunk_starts(sizes) for sizes in array.chunks] for name, array in arrays.items()}

    def plan(self, block: Box) -> tuple[BlockPlan, list[Any]]:
        """What the task of a block does, and the keys of the blocks that it takes."""
        numbers: dict[Any, int] = {}
        computed = self._windowed.grown({name: block for name in self._windowed.outputs})
        whole = self.piece(computed, numbers)
        pieces = [whole]
        if all(box == block for box in computed.values()):
            inner = self._inner(block, whole)
            if inner is not None:
                boxes = [inner, *_around(block, inner)]
                pieces = [self.piece({name: box for name in self._windowed.outputs}, numbers) for box in boxes]
        return BlockPlan(block, tuple(computed.values()), whole, tuple(pieces)), list(numbers)

    def piece(self, computed: Mapping[str, Box], numbers: dict[Any, int]) -> BlockPiece:
        """What of the sources is read for a part of a block. `numbers`: those of the chunks; new ones are added."""
        windows = []
        for name, window in self._windowed.required(computed).items():
            starts = self._starts[name]
            box = slices_of(window, self._windowed.whole[name])
            parts = []
            spans = [_overlapping(start, part) for start, part in zip(starts, box, strict=True)]
            for index in itertools.product(*spans):
                source, place = [], []
                for number, part, start in zip(index, box, starts, strict=True):
                    low, high = max(part.start, start[number]), min(part.stop, start[number + 1])
                    source.append(slice(low - start[number], high - start[number]))
                    place.append(slice(low - part.start, high - part.start))
                block = numbers.setdefault((self._names[name], *index), len(numbers))
                parts.append(WindowPart(block, tuple(source), tuple(place)))
            windows.append((name, window, tuple(parts)))
        return BlockPiece(tuple(computed.values()), tuple(windows))

    def _inner(self, block: Box, whole: BlockPiece) -> Box | None:
        """The largest part of a block that needs one block of each input, which is then read without a copy."""
        inner = block
        for name, window, parts in whole.windows:
            if len(parts) == 1 or len(window) != len(block):
                continue
            margins = self._margins(name, window)
            inner = [
                (max(low, first + _rounded(before)), min(low + extent, first + size - _rounded(after)))
                for (low, extent), (first, size), (before, after) in zip(inner, block, margins, strict=True)
            ]
            inner = [(low, end - low) for low, end in inner]
        if inner == block or any(extent <= 0 for _, extent in inner):
            return None
        if 2 * math.prod([extent for _, extent in inner]) < math.prod([extent for _, extent in block]):
            return None
        piece = self.piece({name: inner for name in self._windowed.outputs}, {})
        return inner if all(len(parts) <= 1 for _, _, parts in piece.windows) else None

    def _margins(self, name: str, window: Box) -> list[tuple[int, int]]:
        """How far a window reaches before and behind the chunk that has its middle, by dimension."""
        margins = []
        whole = self._windowed.whole[name]
        for (low, extent), (first, _), starts in zip(window, whole, reversed(self._starts[name]), strict=True):
            start = low - first
            number = bisect.bisect_right(starts, start + extent // 2) - 1
            margins.append((max(0, starts[number] - start), max(0, start + extent - starts[number + 1])))
        return margins


def _rounded(margin: int) -> int:
    """A margin in whole vectors, so that the calls for it need no special code."""
    return -(-margin // MARGIN_UNIT) * MARGIN_UNIT


def _around(block: Box, inner: Box) -> list[Box]:
    """The boxes that, with `inner`, make up a block: those of the outermost dimension first."""
    boxes, rest = [], list(block)
    for d in reversed(range(len(block))):
        (low, extent), (first, size) = rest[d], inner[d]
        for start, end in ((low, first), (first + size, low + extent)):
            if end > start:
                boxes.append([*rest[:d], (start, end - start), *rest[d + 1 :]])
        rest[d] = inner[d]
    return boxes


def _overlapping(starts: Sequence[int], part: slice) -> range:
    """The numbers of the chunks along an axis that a slice touches."""
    if part.stop <= part.start:
        return range(0)
    return range(bisect.bisect_right(starts, part.start) - 1, bisect.bisect_left(starts, part.stop))


def chunk_starts(sizes: Sequence[int]) -> list[int]:
    """The first coordinates of the chunks along an axis, and the end of the last."""
    return [0, *itertools.accumulate(map(int, sizes))]
