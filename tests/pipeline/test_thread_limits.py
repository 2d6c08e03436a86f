"""Threads: a limit for one call, several callers at once, and the quotas of cgroups."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import pipec as hl
from pipec.jit.runtime.library import cpu_quota, default_threads, runtime

TASK = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_int64)
ENTRY = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_size_t)
LOOP = ctypes.CFUNCTYPE(ctypes.c_int32, TASK, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)


class Crowd:
    """Counts how many threads are inside at once, after so many tasks and before the first caller has ended."""

    def __init__(self, first: int = 0) -> None:
        self.inside = self.most = self.tasks = 0
        self.first, self.ended = first, False
        self._lock = threading.Lock()

    def work(self) -> None:
        with self._lock:
            self.inside += 1
            self.tasks += 1
            if self.tasks > self.first and not self.ended:
                self.most = max(self.most, self.inside)
        time.sleep(0.002)
        with self._lock:
            self.inside -= 1


def parallel_loop(slots: int, count: int, task: Callable[[int], None]) -> None:
    """A parallel loop as machine code runs it: its closure begins with the slots of the call."""
    closure = ctypes.c_size_t(slots)
    run = LOOP(runtime().addresses["pipec_parallel_for"])

    def call(_: object, index: int) -> int:
        task(index)
        return 0

    assert run(TASK(call), ctypes.addressof(closure), 0, count) == 0


@pytest.fixture(params=[2, 4])
def threads(request: pytest.FixtureRequest) -> Iterator[int]:
    before = runtime().threads()
    runtime().set_threads(request.param)
    yield request.param
    runtime().set_threads(before)


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_a_call_is_limited_with_the_loops_inside_of_its_loops(threads: int, limit: int) -> None:
    crowd = Crowd()

    def entry(slots: int) -> int:
        parallel_loop(slots, 6, lambda _: parallel_loop(slots, 6, lambda _: crowd.work()))
        return 0

    function = ENTRY(entry)
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None and runtime().run_limited(address, 1000, limit) == 0
    assert crowd.most <= min(limit, threads)
    parallel_loop(1000, 60, lambda _: crowd.work())
    assert crowd.most == threads


@pytest.mark.parametrize("callers", [2, 5])
def test_callers_and_workers_are_no_more_than_threads_while_there_are_fewer_callers(threads: int, callers: int) -> None:
    # Workers that came before the last caller have left after their first tasks.
    crowd, barrier = Crowd(first=6 * (threads + callers)), threading.Barrier(callers)

    def call(slots: int) -> None:
        barrier.wait()
        parallel_loop(slots, 60, lambda _: crowd.work())
        crowd.ended = True

    started = [threading.Thread(target=call, args=(16 * n + 16,)) for n in range(callers)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    assert 0 < crowd.most <= max(threads, callers)


def test_realize_takes_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = hl.vars("x y")
    f = hl.Func("f")
    f[x, y] = x + 10 * y
    f.parallel(y)
    expected = np.arange(3) + 10 * np.arange(8)[:, None]
    for threads in (None, 1, 2, 100):
        np.testing.assert_array_equal(f.realize([3, 8], threads=threads).numpy(), expected)
        result = np.zeros((8, 3), np.int32)
        hl.Pipeline(f).realize(result, threads=threads)
        np.testing.assert_array_equal(result, expected)
    limits: list[int] = []
    original = runtime().run_limited

    def run_limited(entry: int, slots: int, threads: int) -> int:
        limits.append(threads)
        return int(original(entry, slots, threads))

    monkeypatch.setattr(runtime(), "run_limited", run_limited)
    for _ in range(4):
        f.realize(result, threads=2)
    f.realize(result)
    assert limits == [2] * 4
    # So do programs that report while they run.
    f.trace_realizations()
    f.realize(result, threads=3)
    assert limits[4:] == [3]
    for wrong in (0, -1, 1.5, "2"):
        with pytest.raises(hl.HalideError, match="must be a positive number"):
            f.realize([3, 8], threads=wrong)  # type: ignore[arg-type]


def written(root: Path, files: dict[str, str]) -> str:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return str(root)


@pytest.mark.parametrize(
    ("files", "quota"),
    [
        ({}, None),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "max 100000\n"}, None),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "150000 100000\n"}, 2),
        ({"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/cpu.max": "300000 100000\n"}, 3),
        (
            {
                "proc/self/cgroup": "0::/a/b\n",
                "sys/fs/cgroup/a/cpu.max": "300000 100000\n",
                "sys/fs/cgroup/a/b/cpu.max": "50000 100000\n",
            },
            1,
        ),
        (
            {
                "proc/self/cgroup": "9:name=systemd:/\n4:cpu,cpuacct:/job\n",
                "sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us": "400000\n",
                "sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us": "100000\n",
            },
            4,
        ),
        (
            {
                "proc/self/cgroup": "1:cpu:/\n",
                "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n",
                "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
            },
            None,
        ),
    ],
)
def test_the_quota_of_a_cgroup_counts(tmp_path: Path, files: dict[str, str], quota: int | None) -> None:
    assert cpu_quota(written(tmp_path, files)) == quota


def test_the_default_is_what_the_process_may_use(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PIPEC_NUM_THREADS", "HL_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(12)))
    monkeypatch.setattr("pipec.jit.runtime.library.cpu_quota", lambda: 3)
    assert default_threads() == 3
    monkeypatch.setattr("pipec.jit.runtime.library.cpu_quota", lambda: None)
    assert default_threads() == 12
