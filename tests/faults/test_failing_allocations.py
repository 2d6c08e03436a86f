"""Each allocation of a call fails in turn: OutOfMemoryError, all memory is freed, and the next call is right."""

from __future__ import annotations

import ctypes
import itertools
import re
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import pipec as hl
from pipec.jit.runtime.device_memory import pool_of
from pipec.jit.runtime.library import runtime
from tests.faults.allocating_pipelines import PIPELINES, SIZE, stages
from tests.gpu.gpu import TARGET

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


def values(func: hl.Func, target: hl.Target | None = None) -> list[np.ndarray]:
    hl.memoization_cache_clear()
    result = func.realize(SIZE, target=target or hl.Target())
    return [np.array(buffer) for buffer in (result if isinstance(result, tuple | list) else [result])]


def check_each(allocations: Allocations, run: Callable[[], list[np.ndarray]], text: str = "smaller pieces") -> int:
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
            assert re.search(text, str(error))
        assert not allocations.in_use, f"after allocation {failing} had failed, others stayed"
        allocations.begin()
        assert_equal(run(), expected)
    return count


def assert_equal(actual: list[np.ndarray], expected: list[np.ndarray]) -> None:
    for one, other in zip(actual, expected, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("make", PIPELINES)
@pytest.mark.part(3)
def test_the_error_says_so_and_the_next_call_is_right(allocations: Allocations, make: Callable[[], hl.Func]) -> None:
    func = make()
    assert check_each(allocations, lambda: values(func)) > 1


def test_of_profiled_pipelines(allocations: Allocations) -> None:
    func = PIPELINES[1]()
    assert check_each(allocations, lambda: values(func, hl.Target("host-profile"))) > 1


@pytest.mark.opencl
def test_of_pipelines_with_kernels(allocations: Allocations, monkeypatch: pytest.MonkeyPatch) -> None:
    """Allocations of the host and of the device."""
    from pipec.jit.opencl.device import open_device

    device = open_device()
    pool_of(device).clear()  # of memory that nobody has counted
    monkeypatch.setattr(device, "allocate", allocations.allocate(device.allocate))
    monkeypatch.setattr(device, "release", allocations.free(device.release))
    source, first, second, last = stages()
    x, y, xo, yo, xi, yi = hl.vars("x y xo yo xi yi")
    for func in (source, first, last):
        func.gpu_tile(x, y, xo, yo, xi, yi, 8, 8)

    def run() -> list[np.ndarray]:
        pool_of(device).clear()
        try:
            return values(last, TARGET)
        finally:
            pool_of(device).clear()

    assert check_each(allocations, run, "Out of memory|ran out of memory|no room") > 4
