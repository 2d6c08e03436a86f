"""The cache of memoized Funcs, shared by all pipelines of the process."""

from __future__ import annotations

import ctypes
import hashlib
import threading
from collections import OrderedDict
from typing import Any, NamedTuple

import numpy as np

from pipec.ir.extern_functions import MEMO_DIGEST, MEMO_KEEP, MEMO_LOOKUP, HalideBuffer, provide
from pipec.ir.types import Type, TypeCode

Array = np.ndarray[Any, np.dtype[Any]]
DEFAULT_BYTES = 256 << 20
_EVICTION = 16  # bytes of a key that say how it may be evicted; they do not belong to what is looked for


class _Entry(NamedTuple):
    values: Array
    eviction: int | None


class MemoCache:
    """Arrays by key, those used longest ago dropped first when there is no room. Calls may come from any thread."""

    def __init__(self, limit: int = DEFAULT_BYTES) -> None:
        self._limit = limit
        self._size = 0
        self._entries: OrderedDict[bytes, _Entry] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, key: bytes) -> Array | None:
        """The values cached under `key`; they must not be changed."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            self._entries.move_to_end(key)
            return entry.values

    def keep(self, key: bytes, values: Array, eviction: int | None) -> None:
        """Caches `values`, unless they alone exceed the limit."""
        if values.nbytes > self._limit:
            return
        with self._lock:
            self._drop(key)
            self._entries[key] = _Entry(values, eviction)
            self._size += values.nbytes
            self._shrink()

    def evict(self, eviction: int) -> None:
        """Removes the entries with this eviction key."""
        with self._lock:
            for key in [key for key, entry in self._entries.items() if entry.eviction == eviction]:
                self._drop(key)

    def set_limit(self, limit: int) -> None:
        """Sets the limit of the cache in bytes."""
        with self._lock:
            self._limit = limit
            self._shrink()

    def clear(self) -> None:
        """Removes all entries."""
        with self._lock:
            self._entries.clear()
            self._size = 0

    def size(self) -> int:
        """Returns the bytes of all entries."""
        return self._size

    def _drop(self, key: bytes) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._size -= entry.values.nbytes

    def _shrink(self) -> None:
        while self._size > self._limit:
            self._drop(next(iter(self._entries)))


CACHE = MemoCache()


def memoization_cache_set_size(size: int) -> None:
    """Keep at most `size` bytes of the results of memoised Funcs; 0 stands for the default of 256 MiB."""
    CACHE.set_limit(size if size > 0 else DEFAULT_BYTES)


def memoization_cache_evict(eviction_key: int) -> None:
    """Forget the results of Funcs that were memoised with an EvictionKey of this value."""
    CACHE.evict(int(eviction_key))


def memoization_cache_clear() -> None:
    """Forget all results of memoised Funcs, and give their memory back."""
    CACHE.clear()


_Pointer = ctypes.POINTER(HalideBuffer)


def _array(buffer: Any) -> Array:
    """The elements that a halide_buffer_t describes, dimension 0 first, where they are."""
    kind = Type(TypeCode(buffer.code), buffer.bits).numpy()
    dims = [buffer.dim[d] for d in range(buffer.dimensions)]
    shape = [max(dim.extent, 0) for dim in dims]
    if 0 in shape:
        return np.zeros(shape, kind)
    # Strides may be negative: the memory begins at the lowest address.
    low = sum([min(dim.stride, 0) * (dim.extent - 1) for dim in dims])
    high = sum([max(dim.stride, 0) * (dim.extent - 1) for dim in dims])
    memory = (ctypes.c_char * ((high - low + 1) * kind.itemsize)).from_address(buffer.host + low * kind.itemsize)
    strides = [dim.stride * kind.itemsize for dim in dims]
    return np.ndarray(shape, kind, memory, -low * kind.itemsize, strides)


def _key(answer: Any, words: Any, values: Any) -> tuple[bytes, int | None]:
    """The key of some values, and their eviction key."""
    text = ctypes.string_at(words.host, words.dim[0].extent * 8)
    box = [f"{values.dim[d].min} {values.dim[d].extent}" for d in range(values.dimensions)]
    marked = int.from_bytes(text[:8], "little")
    eviction = int.from_bytes(text[8:_EVICTION], "little", signed=True) if marked else None
    return text[_EVICTION:] + f"{answer.dim[0].min}, {', '.join(box)}".encode(), eviction


def _lookup(answer: Any, words: Any, values: Any) -> int:
    key, _ = _key(answer[0], words[0], values[0])
    cached = CACHE.find(key)
    if cached is not None:
        _array(values[0])[...] = cached
        answer[0].dim[0].extent = 1
    return 0


def _keep(answer: Any, words: Any, values: Any) -> int:
    key, eviction = _key(answer[0], words[0], values[0])
    CACHE.keep(key, np.array(_array(values[0]), order="F"), eviction)
    return 0


def _digest(words: Any, image: Any) -> int:
    array = _array(image[0])
    digest = hashlib.blake2b(digest_size=16)
    digest.update(f"{array.dtype} {[(dim.min, dim.extent) for dim in image[0].dim[: image[0].dimensions]]}".encode())
    digest.update(np.ascontiguousarray(array.T).data)
    ctypes.memmove(words[0].host, digest.digest(), 16)
    return 0


for _name, _function, _operands in ((MEMO_LOOKUP, _lookup, 3), (MEMO_KEEP, _keep, 3), (MEMO_DIGEST, _digest, 2)):
    provide(_name, ctypes.CFUNCTYPE(ctypes.c_int, *[_Pointer] * _operands)(_function))
