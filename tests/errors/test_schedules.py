"""Schedules that are refused when the pipeline is compiled or run."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from bad import Bad
from bad import bad as bad_program

import pipec as hl
from pipec.errors import NotSupportedError, PipecError, PlacementError, ScheduleError

PROGRAMS: dict[str, Bad] = {}
bad = partial(bad_program, PROGRAMS)


def xy(hl: Any) -> tuple[Any, Any]:
    return hl.Var("x"), hl.Var("y")


def pair(hl: Any) -> tuple[Any, Any]:
    """g reads three rows of f."""
    x, y = xy(hl)
    f, g = hl.Func("f"), hl.Func("g")
    f[x, y] = x + y
    g[x, y] = f[x, y - 1] + f[x, y] + f[x, y + 1]
    return f, g


@bad(PlacementError, 'Func "f" is computed at the following invalid location:\n  f.compute_at(h, x);', line=True)
def bad_compute_at(hl: Any) -> None:
    x, y = xy(hl)
    f, g = pair(hl)
    h = hl.Func("h")
    h[x, y] = g[x, y] + f[x, y]
    g.compute_root()
    f.compute_at(h, x)
    h.realize([10, 10])


@bad(PlacementError, 'Func "f" is computed at the following invalid location:\n  f.store_at(g, y).compute_root();')
def bad_store_at(hl: Any) -> None:
    f, g = pair(hl)
    f.store_at(g, hl.Var("y")).compute_root()
    g.realize([10, 10])


@bad(
    ScheduleError,
    'Func "f" is scheduled store_at(), but is inlined. Funcs that use store_at must also call compute_at.',
)
def store_at_without_compute_at(hl: Any) -> None:
    f, g = pair(hl)
    f.store_at(g, hl.Var("y"))
    g.realize([10, 10])


@bad(ScheduleError, 'Func "f" is scheduled store_root(), but is inlined.')
def store_root_without_compute_root(hl: Any) -> None:
    f, g = pair(hl)
    f.store_root()
    g.realize([10, 10])


@bad(ScheduleError, "Cannot vectorize dimension", "of function f because the function is scheduled inline.")
def bad_schedule(hl: Any) -> None:
    f, g = pair(hl)
    f.vectorize(hl.Var("x"), 4)
    g.realize([10, 10])


@bad(ScheduleError, "There should be no undefined LoopLevels at the start of lowering.", "LoopLevel::inlined()")
def undefined_loop_level(hl: Any) -> None:
    f, g = pair(hl)
    f.compute_at(hl.LoopLevel())
    g.realize([10, 10])


@bad(
    ScheduleError,
    'Func "f" is scheduled hoist_storage(), but is inlined.',
    "Funcs that use hoist_storage_root must also call compute_at.",
)
def hoist_storage_without_compute_at(hl: Any) -> None:
    f, g = pair(hl)
    f.hoist_storage(g, hl.Var("y"))
    g.realize([10, 10])


@bad(PlacementError, 'Func "f" is computed at the following invalid location:\n  f.compute_root();')
def bad_hoist_storage(hl: Any) -> None:
    f, g = pair(hl)
    f.hoist_storage(g, hl.Var("y")).compute_root()
    g.realize([10, 10])


@bad(PlacementError, "is hoisted outside the parallel/vectorized/gpu_block loop over g", "potential race condition")
def hoisted_out_of_a_parallel_loop(hl: Any) -> None:
    f, g = pair(hl)
    g.parallel(hl.Var("y"))
    f.compute_at(g, hl.Var("y")).hoist_storage_root()
    g.realize([10, 10])


@bad(PlacementError, "is stored outside the parallel/vectorized/gpu_block loop over g", "potential race condition")
def stored_outside_a_parallel_loop(hl: Any) -> None:
    f, g = pair(hl)
    g.parallel(hl.Var("y"))
    f.store_root().compute_at(g, hl.Var("y"))
    g.realize([10, 10])


@bad(ScheduleError, "Can only vectorize for loops over a constant extent.", "v")
def vectorize_dynamic(hl: Any) -> None:
    x, _ = xy(hl)
    xo, xi = hl.Var("xo"), hl.Var("xi")
    f = hl.Func("f")
    f[x] = x
    f.split(x, xo, xi, hl.Param(hl.Int(32), "v", 4)).vectorize(xi)
    f.realize([10])


@bad(ScheduleError, "Can only unroll for loops over a constant extent.")
def unroll_dynamic(hl: Any) -> None:
    f, _ = pair(hl)
    f.unroll(hl.Var("x"))
    f.realize([10, 10])


@bad(ScheduleError, "Can't vectorize the loop over", "of extent 100000", "Split the loop by a smaller factor")
def vectorize_enormous(hl: Any) -> None:
    f, _ = pair(hl)
    f.vectorize(hl.Var("x"), 100000)
    f.realize([10, 10])


@bad(ScheduleError, "Can't unroll the loop over", "of extent 1000000")
def unroll_enormous(hl: Any) -> None:
    f, _ = pair(hl)
    f.unroll(hl.Var("x"), 1000000)
    f.realize([10, 10])


@bad(PipecError, "factor", "v")
def split_by_a_param_of_zero(hl: Any) -> None:
    x, _ = xy(hl)
    f = hl.Func("f")
    f[x] = x
    f.split(x, hl.Var("xo"), hl.Var("xi"), hl.Param(hl.Int(32), "v", 0))
    f.realize([10])


@bad(
    ScheduleError,
    "The fold factor (2) of dimension y of f is too small to store the required region accessed by",
    "(3).",
)
def bad_fold(hl: Any) -> None:
    f, g = pair(hl)
    f.store_root().compute_at(g, hl.Var("y")).fold_storage(hl.Var("y"), 2)
    g.realize([10, 10])


@bad(ScheduleError, "loop", "f")
def compute_at_itself(hl: Any) -> None:
    f, g = pair(hl)
    f.compute_at(f, hl.Var("y"))
    g.realize([10, 10])


@bad(PlacementError, "has no loop", "its loops are: x y", line=True)
def compute_at_a_loop_that_was_split(hl: Any) -> None:
    f, g = pair(hl)
    g.split(hl.Var("y"), hl.Var("yo"), hl.Var("yi"), 4).fuse(hl.Var("yi"), hl.Var("yo"), hl.Var("y"))
    f.compute_at(g, hl.Var("yo"))
    g.realize([10, 10])


@bad(ScheduleError, '"f" is an output of this pipeline', "outputs are computed at root")
def compute_at_on_output(hl: Any) -> None:
    f, g = pair(hl)
    f.compute_at(g, hl.Var("y"))
    hl.Pipeline([f, g]).compile_jit()


@bad(
    ScheduleError,
    "The explicit allocation bound (9) of dimension x of f is too small to store the required region (10).",
)
def bad_bound_storage(hl: Any) -> None:
    x, y = xy(hl)
    f, g = hl.Func("f"), hl.Func("g")
    f[x, y] = x + y
    g[x, y] = f[x, y] + f[x + 1, y]
    f.compute_root().bound_storage(x, 9)
    g.realize([8, 1])
    g.realize([9, 1])


@bad(ScheduleError, "could not find var z to bound the storage of.", "Vars: x y", line=True)
def bound_storage_of_no_dimension(hl: Any) -> None:
    f, _ = pair(hl)
    f.compute_root().bound_storage(hl.Var("z"), 9)


@bad(ScheduleError, "Can't align extent of variable z of function f because z is not one of the pure variables of f.")
def align_extent_of_no_dimension(hl: Any) -> None:
    f, _ = pair(hl)
    f.align_extent(hl.Var("z"), 4)


@bad(ScheduleError, "Can't align the extent of x of f to a multiple of 0")
def align_extent_to_nothing(hl: Any) -> None:
    f, g = pair(hl)
    f.compute_root().align_extent(hl.Var("x"), hl.Param(hl.Int(32), "p", 0))
    g.realize([4, 4])


@bad(ScheduleError, "A schedule specialized with specialize_fail() was chosen: Expected failure")
def specialize_fail(hl: Any) -> None:
    f, g = pair(hl)
    p = hl.Param(hl.Int(32), "p", 1)
    g.specialize(p == 1)
    g.specialize_fail("Expected failure")
    g.realize([4, 4])
    p.set(2)
    g.realize([4, 4])


@bad(ScheduleError, "Cannot add new specializations after specialize_fail().", line=True)
def specialize_after_fail(hl: Any) -> None:
    f, _ = pair(hl)
    p = hl.Param(hl.Int(32), "p", 1)
    f.specialize(p == 1)
    f.specialize_fail("no")
    f.specialize(p == 1).unroll(hl.Var("x"), 2)
    f.specialize(p == 2)


@bad(ScheduleError, "Only one specialize_fail() may be defined per Stage.")
def specialize_fail_twice(hl: Any) -> None:
    f, _ = pair(hl)
    f.specialize_fail("no")
    f.specialize_fail("no")


@bad(ScheduleError, "Argument passed to specialize_fail() must not be empty.")
def specialize_fail_without_words(hl: Any) -> None:
    pair(hl)[0].specialize_fail("")


@bad(ScheduleError, "Argument passed to specialize must be of type bool")
def specialize_a_number(hl: Any) -> None:
    pair(hl)[0].specialize(hl.Param(hl.Int(32), "p"))


@bad(
    ScheduleError,
    "Func f0 is computed inside specialized Funcs, whose versions multiply: it would be compiled 512 times",
    "f0.compute_root()",
    line=True,
)
def versions_that_multiply(hl: Any) -> None:
    x, _ = xy(hl)
    f = [hl.Func(f"f{i}") for i in range(4)]
    f[0][x] = x
    for inner, outer in zip(f, f[1:], strict=False):
        outer[x] = inner[x] + 1
        inner.compute_at(outer, x)
        for i in range(7):
            outer.specialize(hl.Param(hl.Int(32), f"{outer.name()}_{i}", 0) == 1)
    f[3].realize([4])


@bad(
    ScheduleError,
    "Specialization condition (x == 1) for f depends on Var or RVar x. Specialization conditions may not depend on any "
    "Vars or RVars.",
    line=True,
)
def specialize_on_a_var(hl: Any) -> None:
    pair(hl)[0].specialize(hl.Var("x") == 1)


@bad(NotSupportedError, "reads the Func g", line=True)
def specialize_on_a_func(hl: Any) -> None:
    f, g = pair(hl)
    f.specialize(g[0, 0] == 1)


@bad(
    ScheduleError,
    "Function f is scheduled inline, so it must not have any specializations. Specialize on the scheduled function "
    "instead.",
    line=True,
)
def specialize_what_is_inlined(hl: Any) -> None:
    f, g = pair(hl)
    f.specialize(hl.Param(hl.Bool(), "q")).vectorize(hl.Var("x"), 4)
    g.compile_jit()


@bad(PlacementError, 'Func "f" is computed at the following invalid location:', "for g.s0.xo", "for g.s0.x:")
def compute_at_a_loop_of_one_version(hl: Any) -> None:
    f, g = pair(hl)
    g.specialize(hl.Param(hl.Bool(), "q")).split(hl.Var("x"), hl.Var("xo"), hl.Var("xi"), 4)
    f.compute_at(g, hl.Var("xo"))
    g.compile_jit()


@pytest.mark.parametrize("name", PROGRAMS)
def test_fails(name: str) -> None:
    PROGRAMS[name].check()


def test_the_process_goes_on() -> None:
    """After every refusal the same program with a legal schedule runs."""
    import pipec as hl

    for name in ("bad_compute_at", "bad_fold", "vectorize_dynamic"):
        PROGRAMS[name].check()
    f, g = pair(hl)
    f.compute_root()
    assert g.realize([4, 4])[3, 3] == 18


@bad(
    ScheduleError,
    'Func "f" is scheduled with ring_buffer(), but has matching store_at and hoist_storage levels.',
    "Add an explicit hoist_storage directive to the schedule to fix the issue.",
)
def bad_ring_buffer(hl: Any) -> None:
    f, g = pair(hl)
    f.compute_at(g, hl.Var("y")).ring_buffer(2)
    g.realize([10, 10])


@bad(ScheduleError, "In schedule for f, the extent of ring_buffer() is 0, but must be at least 1.")
def empty_ring_buffer(hl: Any) -> None:
    f, _ = pair(hl)
    f.ring_buffer(0)


@bad(PlacementError, 'Func "f" is hoisted outside the parallel/vectorized/gpu_block loop over g')
def ring_buffer_of_concurrent_iterations(hl: Any) -> None:
    f, g = pair(hl)
    g.parallel(hl.Var("y"))
    f.compute_at(g, hl.Var("y")).hoist_storage_root().ring_buffer(2)
    g.realize([10, 10])


@pytest.mark.parametrize("number", [2**31, 2**32 + 4, -(2**40)])
@pytest.mark.parametrize("method", ["split", "bound", "align_storage", "tile_storage", "fold_storage"])
def test_numbers_in_schedules_fit_an_int32(method, number):
    x, f = hl.Var("x"), hl.Func("f")
    f[x] = x
    numbers = {"split": [hl.Var("xo"), hl.Var("xi"), number], "bound": [0, number]}.get(method, [number])
    with pytest.raises(hl.HalideError, match=f"Can't represent {number}, a number in a schedule, in int32"):
        getattr(f, method)(x, *numbers)
