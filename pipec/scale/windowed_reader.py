"""Reads windows of sources into Buffers: aligned to chunks, and without what the window before it has already."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pipec.errors import DimensionError, TypeMismatchError
from pipec.func.buffers.buffer import Buffer
from pipec.pipeline.queries import Box
from pipec.scale.overlap import BufferPool
from pipec.scale.storage import ArrayStorage, Slices
from pipec.scale.windows import FrozenPipeline, WindowedPipeline

# The window that is computed from, and the one that is read meanwhile.
WINDOWS_IN_USE = 2


def slices_of(box: Sequence[tuple[int, int]], origin: Sequence[tuple[int, int]]) -> Slices:
    """The box of an array, rows first, whose first element has the coordinates of `origin`'s minima."""
    pairs = zip(reversed(box), reversed(origin), strict=True)
    return tuple([slice(low - first, low - first + extent) for (low, extent), (first, _) in pairs])


def check_source(program: FrozenPipeline, name: str, source: ArrayStorage) -> None:
    """Raises DimensionError or TypeMismatchError where a source is not what the ImageParam is declared as."""
    image = program.definition.images[name]
    if len(source.shape) != image.dimensions:
        raise DimensionError(
            f"Error: Input {name} has {image.dimensions} dimensions, but its source has shape {source.shape}."
        )
    if source.dtype != image.type.numpy():
        raise TypeMismatchError(f"Error: Input {name} is {image.type}, but its source holds {source.dtype}.")


class WindowReader:
    """The windows of one run. One thread reads; any may release."""

    def __init__(self, windowed: WindowedPipeline, sources: Mapping[str, ArrayStorage]) -> None:
        self._windowed, self._sources = windowed, sources
        self._pools = {name: BufferPool(self._allocation(name), WINDOWS_IN_USE) for name in windowed.windowed}
        self._last: dict[str, tuple[Box, Buffer]] = {}
        self.bytes_read = 0

    def _allocation(self, name: str) -> Any:
        return lambda extents: self._windowed.new_window(name, [(0, extent) for extent in extents])

    def aligned(self, windows: Mapping[str, Box]) -> dict[str, Box]:
        """The windows enlarged to whole chunks of their sources."""
        return {name: self._aligned(name, box) for name, box in windows.items()}

    def _aligned(self, name: str, box: Box) -> Box:
        chunks = self._sources[name].chunks
        if chunks is None or not self._sources[name].decodes_chunks:
            return box
        result = []
        for (low, extent), (first, size), chunk in zip(box, self._windowed.whole[name], reversed(chunks), strict=True):
            start = (low - first) // chunk * chunk
            end = min(size, -(-(low - first + extent) // chunk) * chunk)
            result.append((first + start, end - start if extent else 0))
        return result

    def bytes_of(self, windows: Mapping[str, Box]) -> int:
        """The bytes of the chunks that hold these windows."""
        return sum(
            [
                self._sources[name].dtype.itemsize * math.prod([extent for _, extent in box])
                for name, box in self.aligned(windows).items()
            ]
        )

    def memory(self, windows: Mapping[str, Box]) -> int:
        """The bytes that a run with windows of such sizes takes."""
        copied = {name: box for name, box in windows.items() if self._view(name, [(low, 0) for low, _ in box]) is None}
        return WINDOWS_IN_USE * self.bytes_of(copied)

    def _view(self, name: str, box: Box) -> np.ndarray | None:
        return self._sources[name].view(slices_of(box, self._windowed.whole[name]))

    def read(self, name: str, box: Box) -> Buffer:
        """A Buffer that covers a box; `release` gives it back."""
        view = self._view(name, box)
        if view is not None:
            buffer = Buffer(view)
            buffer.set_min([low for low, _ in box])
            return buffer
        box = self._aligned(name, box)
        buffer = self._pools[name].acquire(box)
        self._fill(name, box, buffer)
        self._last[name] = box, buffer
        return buffer

    def _fill(self, name: str, box: Box, buffer: Buffer) -> None:
        """Copies what the window before has, and reads the rest."""
        rest = box
        if name in self._last:
            old, before = self._last[name]
            d = _axis_of_overlap(old, box)
            if d is not None and before is not buffer:
                end = old[d][0] + old[d][1]
                buffer.copy_from(before)
                rest = [*box[:d], (end, box[d][0] + box[d][1] - end), *box[d + 1 :]]
        array = buffer.numpy()[slices_of(rest, box)]
        if array.size:
            self._sources[name].read(slices_of(rest, self._windowed.whole[name]), array)
            self.bytes_read += array.nbytes

    def release(self, name: str, buffer: Buffer) -> None:
        """Gives a Buffer of `read` back; its elements stay until two further reads."""
        if name in self._last:
            self._pools[name].release(buffer)

    def close(self) -> None:
        """Ends reads that wait for memory."""
        for pool in self._pools.values():
            pool.close()


def _axis_of_overlap(old: Box, new: Box) -> int | None:
    """The dimension along which `new` starts inside of `old` and ends behind it, all others being equal."""
    changed = [d for d, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]
    if len(changed) != 1:
        return None
    d = changed[0]
    (first, size), (low, extent) = old[d], new[d]
    return d if first <= low < first + size <= low + extent else None
