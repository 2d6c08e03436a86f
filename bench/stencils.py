"""`python -m bench.stencils [NAME ...]`: stencils, tails of rows and parallel loops beside the `halide` wheel's.

The same definitions with the same schedules in turn, medians of microseconds: CPU time of one thread, for rows with
"threads" wall-clock time of as many as PIPEC_NUM_THREADS and HL_NUM_THREADS say. Pixels are compared first.
"""

from __future__ import annotations

import argparse
import importlib
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from bench.kernels import image_type, placed, random_array

ROUNDS = 25
Size = tuple[int, int]
# The scheduled Func of a front end `hl` and its input `a`.
Build = Callable[[Any, Any], Any]
WIDTH, HEIGHT = 1600, 600


def convolution(rows: int) -> Build:
    """5x5 with constants; `rows` rows of a tile are one straight piece of code."""

    def build(hl: Any, a: Any) -> Any:
        x, y, yi, f = hl.Var("x"), hl.Var("y"), hl.Var("yi"), hl.Func("f")
        weights = np.random.default_rng(0).random(25, np.float32)
        f[x, y] = sum(
            [a[x + i % 5, y + i // 5] * hl.f32(float(weights[i])) for i in range(1, 25)],
            a[x, y] * hl.f32(float(weights[0])),
        )
        return f.vectorize(x, 16).split(y, y, yi, rows).reorder(yi, x, y).unroll(yi)

    return build


def edges(rows: int) -> Build:
    """3x3 of uint16 beyond whose edges the nearest pixel counts."""

    def build(hl: Any, a: Any) -> Any:
        x, y, yi, f = hl.Var("x"), hl.Var("y"), hl.Var("yi"), hl.Func("f")
        b = hl.BoundaryConditions.repeat_edge(a)
        total = b[x, y]
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                total += b[x + dx, y + dy]
        f[x, y] = total / 10
        return f.vectorize(x, 32).split(y, y, yi, rows).reorder(yi, x, y).unroll(yi)

    return build


def tail(name: str) -> Build:
    def build(hl: Any, a: Any) -> Any:
        x, y, xi, f = hl.Var("x"), hl.Var("y"), hl.Var("xi"), hl.Func("f")
        f[x, y] = hl.u8((hl.u16(a[x, y]) + a[x + 1, y]) / 2)
        return f.split(x, x, xi, 32, getattr(hl.TailStrategy, name)).vectorize(xi)

    return build


def blur(threads: bool) -> Build:
    def build(hl: Any, a: Any) -> Any:
        x, y, yo, yi = hl.Var("x"), hl.Var("y"), hl.Var("yo"), hl.Var("yi")
        across, f = hl.Func("across"), hl.Func("f")
        across[x, y] = (a[x, y] + a[x + 1, y] + a[x + 2, y]) / 3
        f[x, y] = (across[x, y] + across[x, y + 1] + across[x, y + 2]) / 3
        f.split(y, yo, yi, 32).vectorize(x, 32)
        across.store_at(f, yo).compute_at(f, yi).vectorize(x, 32)
        return f.parallel(yo) if threads else f

    return build


def tiny(hl: Any, a: Any) -> Any:
    """Hardly more than the parallel loop itself."""
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    f[x, y] = a[x, y]
    return f.parallel(y)


BENCHES: dict[str, tuple[str, Build, Size]] = {
    **{f"5x5 f32, {rows} rows": ("f32", convolution(rows), (WIDTH, HEIGHT)) for rows in (1, 4, 8)},
    **{f"3x3 u16 repeat_edge, {rows} rows": ("u16", edges(rows), (WIDTH, HEIGHT)) for rows in (1, 4)},
    **{
        f"rows of 61 u8, {name}": ("u8", tail(name), (61, 20000))
        for name in ("GuardWithIf", "Predicate", "PredicateStores", "ShiftInwards", "ShiftInwardsAndBlend")
    },
    "blur u16": ("u16", blur(False), (WIDTH, HEIGHT)),
    "blur u16 6400x4800, threads": ("u16", blur(True), (6400, 4800)),
    "2 tasks of a pixel, threads": ("u8", tiny, (1, 2)),
    "64 tasks of a pixel, threads": ("u8", tiny, (1, 64)),
}


def prepared(hl: Any, kind: str, build: Build, size: Size, repeats: int) -> tuple[Callable[[], None], Any]:
    """Calls of the compiled Func `repeats` times, and the array that they write."""
    a = hl.ImageParam(image_type(hl, kind), 2, "a")
    function = build(hl, a).compile_to_callable([a])
    inputs = hl.Buffer(placed(random_array(kind, (size[0] + 8, size[1] + 8)), 1))
    output = placed(np.zeros(size[::-1], random_array(kind, (1,)).dtype), 0)
    result = hl.Buffer(output)

    def call() -> None:
        for _ in range(repeats):
            function(inputs, result)

    return call, output


def measure(name: str, modules: list[Any]) -> tuple[list[float], bool]:
    """Median microseconds of a call for each front end, and whether the pixels are the same."""
    kind, build, size = BENCHES[name]
    repeats = 200 if size[0] * size[1] < 1000 else 1
    clock = time.perf_counter_ns if "threads" in name else time.thread_time_ns
    built = [prepared(hl, kind, build, size, repeats) for hl in modules]
    times: list[list[float]] = [[] for _ in modules]
    for _ in range(ROUNDS):
        for (call, _), result in zip(built, times, strict=True):
            call()  # not counted: whose data lie in the cache should not depend on who ran before
            started = clock()
            call()
            result.append((clock() - started) / repeats / 1000)
    same = all(np.allclose(built[0][1], output, rtol=1e-5) for _, output in built)
    return [statistics.median(result) for result in times], same


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.stencils", description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of names; all without any")
    options = parser.parse_args()
    modules = [importlib.import_module(name) for name in ("pipec", "halide")]
    print(f"{'us':42}{'pipec':>10}{'halide':>10}{'ratio':>8}", flush=True)
    for name in BENCHES:
        if not options.names or any(part in name for part in options.names):
            (own, wheel), same = measure(name, modules)
            print(f"{name:42}{own:10.2f}{wheel:10.2f}{own / wheel:8.2f}{'' if same else '  DIFFERENT'}", flush=True)


if __name__ == "__main__":
    main()
