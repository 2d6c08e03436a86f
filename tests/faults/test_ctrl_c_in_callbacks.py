"""Ctrl-C while machine code calls Python functions, and in loops that call out, launch or sum, ends the call."""

from __future__ import annotations

import ctypes
import os
import signal
import threading
import time
from collections.abc import Callable

import numpy as np
import pytest

import pipec as hl
from pipec.ir.extern_functions import HalideBuffer

x, y, xo, xi = hl.vars("x y xo xi")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are sent")
Stage = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
# A call, and one that gives its result at once.
Calls = tuple[Callable[[], object], Callable[[], object]]


def of_stages(schedule: Callable[[hl.Func, hl.Func], object]) -> Calls:
    seconds = 0.0

    @Stage
    def zeros(target: int) -> int:
        buffer = HalideBuffer.from_address(target)
        if buffer.host:  # else the call asks for bounds
            ctypes.memset(buffer.host, 0, 4 * buffer.dim[0].extent * buffer.dim[1].extent)
            time.sleep(seconds)
        return 0

    inner, outer = hl.funcs("inner outer")
    inner.define_extern(zeros, [], hl.Int(32), [x, y])
    outer[x, y] = inner[x, y] + x
    schedule(inner, outer)

    def run(wait: float) -> list[int]:
        nonlocal seconds
        seconds = wait
        return list(np.asarray(outer.realize([4, 3000])).sum(axis=0))

    return lambda: run(0.05), lambda: run(0)


def stages() -> Calls:
    return of_stages(lambda inner, outer: inner.compute_at(outer, y))


def stages_in_threads() -> Calls:
    return of_stages(lambda inner, outer: (inner.compute_at(outer, y), outer.parallel(y)))


def stages_in_async() -> Calls:
    return of_stages(lambda inner, outer: inner.store_root().compute_at(outer, y).async_())


def rows_of(func: hl.Func, **options: object) -> Calls:
    def run(rows: int) -> list[int]:
        return list(np.asarray(func.realize([16, rows], **options))[0])

    return lambda: run(1 << 24), lambda: run(3)


def memoized() -> Calls:
    inner, outer = hl.funcs("inner outer")
    inner[x, y] = x - y
    outer[x, y] = inner[x, y] + 1
    inner.memoize().compute_at(outer, y)
    return rows_of(outer)


def prints() -> Calls:
    func = hl.Func("printed")
    func[x, y] = hl.print_when(y % 2 == 1, x + y)
    func.function.handlers.print = lambda text: None
    return rows_of(func)


def launches() -> Calls:
    inner, outer = hl.funcs("inner outer")
    inner[x, y] = x + y
    outer[x, y] = inner[x, y] + inner[x, y + 1]
    inner.compute_at(outer, y).gpu_tile(x, xo, xi, 16)
    return rows_of(outer, target=hl.Target("host-opencl"))


def sums_in_vectors() -> Calls:
    count = hl.Param(hl.Int(32), "count", 1)
    r, total = hl.RDom([(0, count)], "r"), hl.Func("total")
    total[x, y] = 0.0
    total[x, y] += hl.sin(hl.f32(x * r.x + y))
    total.update().vectorize(x, 8)

    def run(terms: int) -> list[float]:
        count.set(terms)
        return list(np.asarray(total.realize([16, 4])).flat)

    return lambda: run(1 << 30), lambda: run(3)


def gradient() -> Calls:
    count = hl.Param(hl.Int(32), "count", 1)
    image = hl.Buffer(np.ones((16, 16), np.float32))
    r, all_, f, loss = hl.RDom([(0, count)], "r"), hl.RDom([(0, 16), (0, 16)], "all"), hl.Func("f"), hl.Func("loss")
    f[x, y] = 0.0
    f[x, y] += hl.sin(image[x, y] * r.x)
    loss[()] = 0.0
    loss[()] += f[all_.x, all_.y] ** 2
    pipeline = hl.Pipeline([hl.propagate_adjoints(loss)[image]])
    pipeline.autoschedule(sizes=[16, 16], strategy="fallback")

    def run(terms: int) -> list[float]:
        count.set(terms)
        return list(np.asarray(pipeline.realize([16, 16])).flat)

    return lambda: run(1 << 28), lambda: run(3)


@pytest.mark.part(3)
@pytest.mark.parametrize(
    "make",
    [
        *(stages, stages_in_threads, stages_in_async, memoized, prints, sums_in_vectors, gradient),
        pytest.param(launches, marks=pytest.mark.opencl),
    ],
)
def test_the_call_ends_and_the_next_one_is_right(make: Callable[[], Calls]) -> None:
    run, quick = make()
    expected = quick()
    for _ in range(2):
        timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            run()
        timer.join()
        assert quick() == expected


def test_what_a_stage_raises_ends_the_call() -> None:
    calls = []

    @Stage
    def fail(target: int) -> int:
        calls.append(target)
        raise LookupError("no such row")

    inner, outer = hl.funcs("inner outer")
    inner.define_extern(fail, [], hl.Int(32), [x, y])
    outer[x, y] = inner[x, y] + x
    inner.compute_at(outer, y)
    for _ in range(2):
        calls.clear()
        with pytest.raises(LookupError, match="no such row"):
            outer.realize([4, 100])
        assert len(calls) == 1


def test_exceptions_of_callbacks_outside_calls_are_left_to_the_hook_before(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []
    monkeypatch.setattr("sys.unraisablehook", lambda unraisable: seen.append(unraisable.exc_value))
    func = hl.Func("line")
    func[x] = x
    func.realize([3])
    error = LookupError()

    @Stage
    def fail(target: int) -> int:
        raise error

    fail(None)
    assert seen == [error]
