"""async_: a thread of its own computes a Func while its consumers run, and both wait for each other."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pipec as hl
from pipec.errors import InternalError
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.ir.build import as_expr, constant
from pipec.ir.interp import run
from pipec.ir.stmt import Fork, Post, Realize, Wait
from pipec.ir.types import INT64
from pipec.ir.walk import postorder
from pipec.lower.lower import lower
from pipec.schedule.schedule import Schedule

x, y, xo, yo, xi, yi = hl.vars("x y xo yo xi yi")
WIDTH, HEIGHT = 37, 41


class Program:
    """Two blurs and what uses both: h, f of h, g of f, o of g and h."""

    def __init__(self) -> None:
        self.h, self.f, self.g, self.o = hl.funcs("h f g o")
        self.h[x, y] = x * 3 + y * y
        self.f[x, y] = self.h[x - 1, y] + self.h[x + 1, y]
        self.g[x, y] = self.f[x, y - 1] + self.f[x, y + 1]
        self.o[x, y] = self.g[x, y] + self.h[x, y]

    def tiled(self) -> Program:
        self.o.tile(x, y, xo, yo, xi, yi, 16, 8)
        return self


def expected(width: int = WIDTH, height: int = HEIGHT) -> Any:
    rows, columns = np.mgrid[-1 : height + 1, -1 : width + 1].astype(np.int32)
    h = columns * 3 + rows * rows
    f = h[:, :-2] + h[:, 2:]
    return f[:-2] + f[2:] + h[1:-1, 1:-1]


SCHEDULES: dict[str, Callable[[Program], Any]] = {
    "everything at the root": lambda p: [func.compute_root().async_() for func in (p.h, p.f, p.g)],
    "a window that slides": lambda p: p.f.store_root().compute_at(p.o, y).async_().vectorize(x, 8),
    "a ring of rows": lambda p: p.f.store_root().compute_at(p.o, y).fold_storage(y, 8).async_(),
    "one buffer": lambda p: p.f.compute_at(p.o, y).hoist_storage_root().ring_buffer(1).async_(),
    "two buffers": lambda p: p.f.compute_at(p.o, y).hoist_storage_root().ring_buffer(2).async_(),
    "buffers of tiles": lambda p: p.tiled().f.compute_at(p.o, xo).hoist_storage_root().ring_buffer(3).async_(),
    "buffers of windows": lambda p: (
        p.tiled().f.compute_at(p.o, yi).store_at(p.o, xo).hoist_storage(p.o, yo).ring_buffer(2).async_()
    ),
    "loops that do not slide": lambda p: p.tiled().f.store_root().compute_at(p.o, yi).async_(),
    "inside parallel loops": lambda p: (
        p.o.split(y, yo, yi, 8).parallel(yo),
        p.f.store_at(p.o, yo).compute_at(p.o, yi).async_(),
    ),
    "with parallel loops inside": lambda p: (
        p.o.split(y, yo, yi, 8).parallel(yo),
        p.f.compute_at(p.o, yo).async_().parallel(y),
        p.h.compute_at(p.o, yo).async_().parallel(y),
    ),
    "one inside another": lambda p: (
        p.tiled().g.compute_at(p.o, xo).async_(),
        p.f.store_at(p.o, xo).compute_at(p.g, y).async_(),
    ),
    "two in one loop": lambda p: (
        p.f.store_root().compute_at(p.o, y).async_(),
        p.g.store_root().compute_at(p.o, y),
        p.h.compute_root().async_().vectorize(x, 8),
    ),
    "two threads that read a third": lambda p: [
        func.store_root().compute_at(p.o, y).fold_storage(y, 8).async_() for func in (p.g, p.h)
    ],
    "unrolled": lambda p: p.o.unroll(y, 4) and p.f.store_root().compute_at(p.o, y).async_(),
    "in lanes": lambda p: p.o.vectorize(x, 4) and p.f.compute_at(p.o, x).async_(),
    "inlined": lambda p: p.f.async_(),
    "specialized consumers": lambda p: (
        p.o.specialize(hl.Param(hl.Int(32), "wide", 1) > 0).vectorize(x, 8),
        p.f.store_root().compute_at(p.o, y).async_(),
    ),
}


@pytest.mark.parametrize("name", SCHEDULES)
@pytest.mark.part(3)
def test_pixels_stay_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIPEC_VERIFY", "1")
    p = Program()
    SCHEDULES[name](p)
    for _ in range(5):
        np.testing.assert_array_equal(np.asarray(p.o.realize([WIDTH, HEIGHT])), expected())


def lowered(output: hl.Func) -> Any:
    definition, _ = freeze([output.function])
    return lower(definition, schedule_of([output.function]), hl.get_jit_target_from_environment())


@pytest.mark.parametrize("name", ["a window that slides", "two buffers", "two threads that read a third"])
def test_any_order_of_the_threads_gives_the_same(name: str) -> None:
    p = Program()
    SCHEDULES[name](p)
    program = lowered(p.o)
    assert any(isinstance(node, Fork) for node in postorder(program.body))
    outputs = {p.o.name(): np.zeros((8, 6), np.int32)}
    for seed in range(4):
        result = run(program, outputs, order=random.Random(seed))[p.o.name()]
        np.testing.assert_array_equal(result.T, expected(8, 6))


def test_one_thread_is_enough() -> None:
    code = (
        "import numpy as np, pipec as hl\n"
        "x, y = hl.vars('x y')\n"
        "f, g = hl.funcs('f g')\n"
        "f[x, y] = x + y\n"
        "g[x, y] = f[x, y] + f[x, y + 1]\n"
        "f.store_root().compute_at(g, y).fold_storage(y, 2).async_()\n"
        "print(np.asarray(g.realize([9, 9])).sum())\n"
    )
    environment = {"PIPEC_NUM_THREADS": "1", "PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "1377", done.stderr


@pytest.mark.parametrize("place", ["producer", "consumer"])
def test_an_error_on_either_side_ends_both(place: str) -> None:
    f, g = hl.funcs("f g")
    most = hl.Param(hl.Int(32), "most", 50)
    f[x, y] = hl.require(x + y < most, x + y, "too far") if place == "producer" else x + y
    used = f[x, y] + f[x, y - 1]
    g[x, y] = hl.require(x + y < most, used, "too far") if place == "consumer" else used
    f.compute_at(g, y).hoist_storage_root().ring_buffer(2).async_()
    for _ in range(3):
        with pytest.raises(hl.HalideError, match="Requirement Failed"):
            g.realize([40, 40])
    most.set(100)
    assert np.asarray(g.realize([40, 40]))[39, 39] == 78 + 77


def chain() -> list[hl.Func]:
    stages = list(hl.funcs("a b c d"))
    stages[0][x, y] = x + 2 * y
    for before, after in zip(stages, stages[1:], strict=False):
        after[x, y] = before[x, y - 1] + before[x + 1, y + 1]
    return stages


CHAINS: dict[str, Callable[[hl.Func, hl.Func], Any]] = {
    "windows": lambda stage, last: stage.store_root().compute_at(last, y).async_(),
    "rings": lambda stage, last: stage.store_root().compute_at(last, y).fold_storage(y, 8).async_(),
    "buffers": lambda stage, last: stage.compute_at(last, y).hoist_storage_root().ring_buffer(2).async_(),
}


@pytest.mark.parametrize("name", CHAINS)
def test_threads_in_a_chain(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIPEC_VERIFY", "1")
    *_, plain = chain()
    target_value = np.asarray(plain.realize([19, 23]))
    *producers, last = chain()
    for stage in producers:
        CHAINS[name](stage, last)
    for _ in range(5):
        np.testing.assert_array_equal(np.asarray(last.realize([19, 23])), target_value)
    program = lowered(last)
    result = run(program, {last.name(): np.zeros((5, 4), np.int32)}, order=random.Random(1))[last.name()]
    np.testing.assert_array_equal(result.T, target_value[:4, :5])


@pytest.mark.parametrize(("rows", "ahead"), [(3, 1), (4, 2), (8, 6)])
def test_a_ring_of_rows_bounds_how_far_the_thread_runs_ahead(rows: int, ahead: int) -> None:
    p = Program()
    p.f.store_root().compute_at(p.o, y).fold_storage(y, rows).async_()
    (fork,) = [node for node in postorder(lowered(p.o).body) if isinstance(node, Fork)]
    assert [count.value for count in fork.counts] == [0, ahead, 0, 0]  # type: ignore[attr-defined]


def test_what_the_thread_needs_must_not_be_computed_beside_it() -> None:
    p = Program()
    p.g.store_root().compute_at(p.o, y).async_()
    p.h.store_root().compute_at(p.o, y)
    with pytest.raises(hl.HalideError) as caught:
        p.o.realize([8, 8])
    text = f"The Func {p.h.name()} is consumed by async Func {p.g.name()} and has a compute_at location in between the"
    assert text in str(caught.value)
    assert "This is only legal when" in str(caught.value)


def test_an_async_func_keeps_all_its_rows_unless_its_storage_is_folded_explicitly() -> None:
    p = Program()
    SCHEDULES["a window that slides"](p)
    assert not any(node.index == 1 for node in postorder(lowered(p.o).body) if isinstance(node, Wait))


def test_text_of_the_schedule_makes_it_again() -> None:
    p = Program()
    SCHEDULES["two buffers"](p)
    schedule = schedule_of([p.o.function])
    assert ".async_()" in schedule.to_python()
    assert Schedule.from_json(schedule.to_json()) == schedule


def test_the_interpreter_finds_threads_that_wait_for_each_other() -> None:
    zero = as_expr(0, INT64)
    both = Fork("f", (zero, zero, zero), Wait("f", 0, ()), Wait("f", 1, ()))
    with pytest.raises(InternalError, match="All threads of the program wait for each other"):
        run(both, {})
    assert run(Fork("f", (zero, zero, zero), Wait("f", 0, ()), Post("f", 0)), {}) == {}


def test_storage_is_around_the_fork() -> None:
    p = Program()
    SCHEDULES["a window that slides"](p)
    assert not any(isinstance(node, Realize) for node in postorder(lowered(p.o).body))


def computed_together(level: Any, threads: str, updates: bool, rows: int) -> tuple[list[hl.Func], np.ndarray]:
    """Two Funcs in common loops, of which those named in `threads` are async, and their sum; its 21 x 9 pixels."""
    first, second, total = hl.funcs("first second total")
    first[x, y] = x + y
    second[x, y] = 3 * x + 2 * y
    if updates:
        first[x, y] += 5
        second[x, y] += 5
    total[x, y] = first[x, y - 1] + first[x, y + 1] + second[x, y - 1] + second[x, y]
    for func in (first, second):
        func.compute_root()
        if rows:
            func.compute_at(total, y).store_root().fold_storage(y, rows)
        if func.name().split("$")[0] in threads:
            func.async_()
    second.compute_with(first, level)
    if updates:
        second.update().compute_with(first.update(), level)
    ys, xs = np.mgrid[:9, :21].astype(np.int32)
    return [first, second, total], 8 * xs + 6 * ys - 2 + 20 * updates


@pytest.mark.part(3)
@pytest.mark.parametrize("threads", ["first", "second", "first second"])
@pytest.mark.parametrize("rows", [0, 4])
@pytest.mark.parametrize("updates", [False, True])
@pytest.mark.parametrize("level", ["outermost", "y", "x"])
def test_funcs_that_are_computed_together_have_one_thread(level: str, threads: str, rows: int, updates: bool) -> None:
    levels = {"outermost": hl.Var.outermost(), "y": y, "x": x}
    (*_, total), pixels = computed_together(levels[level], threads, updates, rows)
    program = lowered(total)
    assert sum(isinstance(node, Fork) for node in postorder(program.body)) == 1
    for seed in range(3):
        outputs = {total.name(): np.zeros((5, 6), np.int32)}
        result = run(program, outputs, order=random.Random(seed))[total.name()]
        np.testing.assert_array_equal(result.T, pixels[:6, :5])
    if level == "y":
        np.testing.assert_array_equal(np.asarray(total.realize([21, 9])), pixels)


@pytest.mark.part(3)
@pytest.mark.parametrize("threads", ["first", "second"])
@pytest.mark.parametrize("updates", [False, True])
@pytest.mark.parametrize("rings", [(2, 2), (3, 1), (0, 2), (2, 0)])
def test_rings_of_funcs_that_are_computed_together(rings: tuple[int, int], updates: bool, threads: str) -> None:
    (*funcs, total), pixels = computed_together(y, threads, updates, 0)
    for func, extent in zip(funcs, rings, strict=True):
        func.compute_at(total, y)
        if extent:
            func.hoist_storage_root().ring_buffer(extent)
    program = lowered(total)
    forks = [node for node in postorder(program.body) if isinstance(node, Fork)]
    # Without a ring of its own a Func has one storage in each iteration, in which both threads run.
    assert [constant(fork.counts[2]) for fork in forks] == [min(rings) if all(rings) else 0]
    for seed in range(3):
        outputs = {total.name(): np.zeros((5, 6), np.int32)}
        result = run(program, outputs, order=random.Random(seed))[total.name()]
        np.testing.assert_array_equal(result.T, pixels[:6, :5])
    np.testing.assert_array_equal(np.asarray(total.realize([21, 9])), pixels)


@pytest.mark.parametrize("levels", [(xo, xo), (yo, xo), (xo, yo)])
@pytest.mark.part(2)
def test_rings_of_tiles_of_funcs_that_are_computed_together(levels: tuple[hl.Var, hl.Var]) -> None:
    (*funcs, total), pixels = computed_together(y, "first", False, 0)
    total.tile(x, y, xo, yo, xi, yi, 8, 4)
    for func, level in zip(funcs, levels, strict=True):
        func.compute_at(total, xo).store_at(total, level)
        if level is xo:
            func.hoist_storage(total, yo).ring_buffer(2)
    program = lowered(total)
    for seed in range(3):
        outputs = {total.name(): np.zeros((21, 9), np.int32)}
        result = run(program, outputs, order=random.Random(seed))[total.name()]
        np.testing.assert_array_equal(result.T, pixels)
    np.testing.assert_array_equal(np.asarray(total.realize([21, 9])), pixels)


@pytest.mark.parametrize("values", [1, 2])
def test_an_output_may_be_computed_with_a_func_in_a_thread(values: int) -> None:
    f, beside, reader = hl.funcs("f beside reader")
    f[x] = x + 1
    beside[x, y] = hl.Tuple(*[x + y + k for k in range(values)]) if values > 1 else x + y
    reader[x, y] = f[x + y] * 2
    beside.compute_with(f, hl.Var.outermost())
    f.compute_root().async_()
    *first, last = hl.Pipeline([beside, reader]).realize([7, 5])
    j, i = np.mgrid[0:5, 0:7]
    assert all(np.array_equal(np.asarray(first[k]), i + j + k) for k in range(values))
    assert np.array_equal(np.asarray(last), (i + j + 1) * 2)
