"""Generators that run ahead in a thread of their own, and memory that is used again."""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

import numpy as np

from pipec.func.buffers.buffer import Buffer

T = TypeVar("T")

# Seconds after which a waiting thread looks whether it shall end.
PATIENCE = 0.1
MAX_RECYCLED = 12
_END = object()


class Ahead(Generic[T]):
    """Iterates `source` in a thread, at most `depth` items ahead; its errors are raised where the items are taken.

    Leaving the `with` block ends the thread after the item that it is at, and closes the source.
    """

    def __init__(self, source: Iterator[T], depth: int = 1, name: str = "pipec") -> None:
        self._source = source
        self._items: queue.Queue[Any] = queue.Queue(depth)
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            for item in self._source:
                if not self._put((item, None)):
                    return
            self._put((_END, None))
        except BaseException as error:
            self._put((_END, error))
        finally:
            close = getattr(self._source, "close", None)
            if close is not None:
                close()

    def _put(self, entry: tuple[Any, BaseException | None]) -> bool:
        while not self._stopped.is_set():
            try:
                self._items.put(entry, timeout=PATIENCE)
                return True
            except queue.Full:
                pass
        return False

    def __iter__(self) -> Iterator[T]:
        while True:
            item, error = self._items.get()
            if error is not None:
                raise error
            if item is _END:
                return
            yield item

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stopped.set()
        self._thread.join()


class RecycledArrays:
    """Arrays whose memory is used again once nobody refers to it: pages that are new cost more than a fast filter.

    At most MAX_RECYCLED arrays are kept for that.
    """

    def __init__(self) -> None:
        self._keys: list[Any] = []
        self._arrays: list[np.ndarray] = []
        self._lock = threading.Lock()

    def take(self, shape: Sequence[int], dtype: Any) -> np.ndarray:
        """An array with any contents."""
        key = tuple(shape), np.dtype(dtype)
        with self._lock:
            for at, other in enumerate(self._keys):
                if other == key and self._is_free(at):
                    return self._arrays[at].view()
            if len(self._keys) >= MAX_RECYCLED:
                # One that is free makes room; else the oldest is freed by whoever uses it.
                free = next((at for at in range(len(self._keys)) if self._is_free(at)), 0)
                del self._keys[free], self._arrays[free]
            self._keys.append(key)
            self._arrays.append(np.empty(*key))
            return self._arrays[-1].view()

    def _is_free(self, at: int) -> bool:
        # The list and the argument of getrefcount refer to an array; each view adds to that.
        return sys.getrefcount(self._arrays[at]) == 2


class BufferPool:
    """Buffers of boxes, at most `limit` in use: who asks for another waits until one is released.

    They are parts of allocations that hold the largest extents so far, so that boxes of other sizes, at the borders of
    an image, use the same memory: pages that are new cost more than a fast filter.
    """

    def __init__(self, allocate: Callable[[Sequence[int]], Buffer], limit: int) -> None:
        self._allocate, self._limit = allocate, limit
        self._extents: list[int] = []
        self._free: list[Buffer] = []
        self._in_use: dict[int, Buffer] = {}
        self._changed = threading.Condition()
        self._closed = False

    def acquire(self, box: Sequence[tuple[int, int]]) -> Buffer:
        """A Buffer with any elements. Raises RuntimeError when the pool is closed meanwhile."""
        with self._changed:
            while len(self._in_use) >= self._limit and not self._closed:
                self._changed.wait()
            if self._closed:
                raise RuntimeError("the pool is closed")
            extents = [extent for _, extent in box]
            largest = [max(pair) for pair in zip(self._extents or extents, extents, strict=True)]
            if largest != self._extents:
                self._extents = largest
                # Smaller ones make room.
                self._free.clear()
            whole = self._free.pop() if self._free else self._allocate(largest)
            part: Buffer = whole.cropped([(0, extent) for extent in extents])
            part.set_min([low for low, _ in box])
            self._in_use[id(part)] = whole
            return part

    def release(self, part: Buffer) -> None:
        """Gives a Buffer of `acquire` back."""
        with self._changed:
            whole = self._in_use.pop(id(part))
            if [whole.dim(d).extent() for d in range(whole.dimensions())] == self._extents:
                self._free.append(whole)
            self._changed.notify()

    def close(self) -> None:
        """Frees the memory; those who wait get an error."""
        with self._changed:
            self._closed = True
            self._free.clear()
            self._changed.notify_all()
