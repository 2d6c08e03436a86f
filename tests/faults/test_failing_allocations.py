"""Each allocation of a call fails in turn: OutOfMemoryError, all memory is freed, and the next call is right."""

from __future__ import annotations

import ctypes
import itertools
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import pipec as hl
from pipec.jit.runtime.library import runtime

x, y, xo, yo, xi, yi, u = hl.vars("x y xo yo xi yi u")
SIZE = [40, 24]
Block = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_int64)
Release = ctypes.CFUNCTYPE(None, ctypes.c_size_t)


class Allocations:
    """The allocations of a call: their number, which one fails, whether all after it do, and those that are in use."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.in_use: set[int] = set()
        self.begin()

    def begin(self, failing: int = 0, all_after: bool = False) -> None:
        self.count, self.failing, self.all_after = 0, failing, all_after

    def fails(self) -> bool:
        self.count += 1
        return self.count == self.failing or 0 < self.failing < self.count and self.all_after

    def allocate(self, malloc: Callable[..., int]) -> Callable[..., int]:
        def counted(*args: Any) -> int:
            with self.lock:
                if self.fails():
                    return 0
                block = malloc(*args)
                assert block not in self.in_use
                self.in_use.add(block)
                return block

        return counted

    def free(self, free: Callable[[int], object]) -> Callable[[int], None]:
        def counted(block: int) -> None:
            with self.lock:
                self.in_use.remove(block)
                free(block)

        return counted


@pytest.fixture
def allocations(monkeypatch: pytest.MonkeyPatch) -> Iterator[Allocations]:
    """Pipelines that are compiled from here on allocate through the result."""
    result, addresses = Allocations(), dict(runtime().addresses)
    malloc = Block(result.allocate(Block(addresses["pipec_malloc"])))
    free = Release(result.free(Release(addresses["pipec_free"])))
    for name, function in (("pipec_malloc", malloc), ("pipec_free", free)):
        addresses[name] = ctypes.cast(function, ctypes.c_void_p).value or 0
    monkeypatch.setattr(runtime(), "addresses", addresses)
    monkeypatch.setattr(runtime(), "_profiles", None)
    threads = runtime().threads()
    runtime().set_threads(3)
    yield result
    runtime().set_threads(threads)
    monkeypatch.undo()
    runtime()._profiles = None


def stages(count: int = 3, places: int = 1) -> list[hl.Func]:
    """A chain of stages of 3x3 points, of Tuples with so many places."""
    funcs = [hl.Func("source")]
    funcs[0][x, y] = tuple([x * y + place for place in range(places)]) if places > 1 else x * y
    for _ in range(count):
        before, func = funcs[-1], hl.Func("stage")
        values = [
            sum([hl.Expr(before[x + dx, y + dy][place]) if places > 1 else before[x + dx, y + dy]
                 for dx in (-1, 0, 1) for dy in (-1, 0, 1)]) % 1000
            for place in range(places)
        ]  # fmt: skip
        func[x, y] = tuple(values) if places > 1 else values[0]
        funcs.append(func)
    for func in funcs[:-1]:
        func.compute_root().store_in(hl.MemoryType.Heap)
    return funcs


def serial() -> hl.Func:
    _, first, second, last = stages()
    first.compute_at(second, y)
    return last


def parallel() -> hl.Func:
    source, first, second, last = stages()
    source.parallel(y)
    last.tile(x, y, xo, yo, xi, yi, 16, 8).parallel(yo).parallel(xo)
    second.compute_at(last, xo).parallel(y)
    first.compute_at(second, y).vectorize(x, 8)
    return last


def in_threads() -> hl.Func:
    source, first, second, last = stages()
    last.parallel(x)
    second.async_()
    first.store_root().compute_at(second, y).async_()
    source.compute_at(first, y)
    return last


def sliding() -> hl.Func:
    source, first, second, last = stages()
    last.split(y, yo, yi, 8).parallel(yo)
    for func in (source, first, second):
        func.store_at(last, yo).compute_at(last, yi)
    return last


def pairs() -> hl.Func:
    _, first, second, last = stages(places=2)
    first.compute_at(second, y)
    second.parallel(y)
    return last


def updates() -> hl.Func:
    source, _, _, last = stages()
    r, total, merged = hl.RDom([(0, 40), (0, 24)], "r"), hl.Func("total"), hl.Func("merged")
    total[x] = 0
    total[source[r.x, r.y] % 64] += 1
    partial = total.update().rfactor(r.y, u)
    partial.compute_root().store_in(hl.MemoryType.Heap).update().parallel(u)
    total.compute_root().store_in(hl.MemoryType.Heap)
    merged[x, y] = last[x, y] + total[x]
    last.compute_at(merged, y)
    return merged


def memoized() -> hl.Func:
    _, first, second, last = stages()
    first.memoize()
    second.memoize()
    return last


def ring() -> hl.Func:
    source, first, second, last = stages()
    last.split(y, yo, yi, 8)
    second.compute_at(last, yo).hoist_storage_root().ring_buffer(2).async_()
    first.compute_at(second, y)
    return last


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
def store_nothing(first: int, second: int, target: int) -> int:
    return 0


def extern() -> hl.Func:
    _, first, second, last = stages()
    outer, after = hl.Func("outer"), hl.Func("after")
    outer.define_extern(store_nothing, [first, second], hl.Int(32), [x, y])
    outer.compute_root().store_in(hl.MemoryType.Heap)
    after[x, y] = last[x, y] + 0 * outer[x, y]
    last.compute_at(after, y).store_in(hl.MemoryType.Heap)
    return after


PIPELINES = [serial, parallel, in_threads, sliding, pairs, updates, memoized, ring, extern]


def values(func: hl.Func) -> list[np.ndarray]:
    hl.memoization_cache_clear()
    result = func.realize(SIZE)
    return [np.array(buffer) for buffer in (result if isinstance(result, tuple | list) else [result])]


def check_each(allocations: Allocations, run: Callable[[], list[np.ndarray]]) -> int:
    """Lets each allocation of a call fail, alone or with all after it; returns how many there are.

    Where one alone fails the call may still succeed: what a fast call cannot finish is run once more.
    """
    allocations.begin()
    expected = run()
    count = allocations.count
    assert not allocations.in_use
    for failing, all_after in itertools.product(range(1, count + 1), (False, True)):
        allocations.begin(failing, all_after)
        try:
            assert_equal(run(), expected)
            # Threads may take turns in which fewer allocations are needed.
            assert allocations.count < failing or not all_after, f"allocation {failing} failed without an error"
        except hl.OutOfMemoryError as error:
            assert "Compute its Func in smaller pieces" in str(error)
        assert not allocations.in_use, f"after allocation {failing} had failed, others stayed"
        allocations.begin()
        assert_equal(run(), expected)
    return count


def assert_equal(actual: list[np.ndarray], expected: list[np.ndarray]) -> None:
    for one, other in zip(actual, expected, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("make", PIPELINES)
def test_the_error_says_so_and_the_next_call_is_right(allocations: Allocations, make: Callable[[], hl.Func]) -> None:
    func = make()
    assert check_each(allocations, lambda: values(func)) > 1
