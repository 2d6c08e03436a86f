"""Specialised stages compute what the definitions say in every version; so do aligned extents and bounded storage."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import halide
import numpy as np
import pytest
from differential import same

import pipec
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.lower.loop_nest_text import loop_nest_text
from pipec.lower.lower import lower
from pipec.target import get_host_target

IMAGE = np.random.default_rng(5).integers(0, 200, (19, 23)).astype(np.uint16)
Schedule = Callable[[Any, Any], None]
SCHEDULES: dict[str, Schedule] = {}


class Pipeline:
    """A producer, and a consumer with an update, whose definitions and schedules depend on two Params."""

    def __init__(self, hl: Any) -> None:
        self.x, self.y, self.xo, self.xi, self.yo, self.yi = hl.vars("x y xo xi yo yi")
        self.p, self.q = hl.Param(hl.Int(32), "p"), hl.Param(hl.Bool(), "q")
        self.f, self.g, self.h = hl.funcs("f g h")
        self.r = hl.RDom([(0, 3)], "r")
        self.image = hl.ImageParam(hl.UInt(16), 2, "image")
        source = hl.BoundaryConditions.repeat_edge(self.image)
        x, y = self.x, self.y
        self.f[x, y] = hl.i32(source[x, y - 1]) + source[x, y + self.p] * self.p
        self.h[x, y] = hl.i32(source[x, y]) - self.f[x, y]
        self.g[x, y] = hl.select(self.q, self.f[x, y - 1] + self.f[x, y + 1], self.h[x + self.p, y])
        self.g[x, y] += self.f[x + self.r.x, y] * hl.select(self.p == 2, 3, self.r.x)


def schedule(function: Schedule) -> Schedule:
    SCHEDULES[function.__name__.replace("_", " ")] = function
    return function


@schedule
def producer_in_loops_of_the_versions(hl: Any, s: Pipeline) -> None:
    s.f.compute_at(s.g, s.y)
    s.g.specialize(s.q).split(s.x, s.xo, s.xi, 8).vectorize(s.xi).parallel(s.y)
    s.g.specialize(s.p == 2).split(s.x, s.xo, s.xi, 4, hl.TailStrategy.GuardWithIf).unroll(s.xi)
    s.g.update(0).specialize(s.p == 1).vectorize(s.x, 4, hl.TailStrategy.GuardWithIf)
    s.h.compute_at(s.g, s.y)


@schedule
def sliding_windows_in_each_version(hl: Any, s: Pipeline) -> None:
    s.f.store_root().compute_at(s.g, s.y).vectorize(s.x, 4)
    s.g.specialize(s.p >= 2).vectorize(s.x, 8)
    s.g.specialize(s.q & (s.p != 0)).specialize(s.p == 1).unroll(s.y, 2)
    s.h.compute_at(s.g, s.y).specialize(s.image.width() > 20).parallel(s.x)


@schedule
def specialised_producers(hl: Any, s: Pipeline) -> None:
    s.g.split(s.y, s.yo, s.yi, 4)
    s.f.store_at(s.g, s.yo).compute_at(s.g, s.yi)
    s.f.specialize(s.p == 1).vectorize(s.x, 8, hl.TailStrategy.RoundUp)
    s.f.specialize(s.p == 2).reorder(s.y, s.x).unroll(s.y, 2, hl.TailStrategy.GuardWithIf)
    s.g.update(0).split(s.y, s.yo, s.yi, 4)
    s.h.compute_at(s.g, s.yi)


@schedule
def producer_needed_in_one_version(hl: Any, s: Pipeline) -> None:
    s.f.compute_root()
    s.h.compute_root().vectorize(s.x, 4)
    s.g.specialize(s.q)
    s.g.update(0).specialize(s.q).reorder(s.y, s.x)


@schedule
def aligned_extents_and_bounded_storage(hl: Any, s: Pipeline) -> None:
    s.f.compute_root().align_extent(s.x, 8).align_extent(s.y, 3).vectorize(s.x, 8, hl.TailStrategy.RoundUp)
    s.h.compute_at(s.g, s.y).bound_storage(s.x, 64).align_storage(s.x, 8).align_bounds(s.x, 4).align_extent(s.x, 6)


@pytest.mark.part(4)
@pytest.mark.parametrize("name", SCHEDULES)
def test_every_version_gives_the_pixels_of_the_definition(name: str) -> None:
    def program(hl: Any, apply: bool) -> list[np.ndarray]:
        s = Pipeline(hl)
        s.image.set(hl.Buffer(IMAGE))
        if apply:
            SCHEDULES[name](hl, s)
        results = []
        for p, q, size in ((0, False, [11, 6]), (1, True, [23, 19]), (2, False, [1, 1]), (2, True, [9, 4])):
            s.p.set(p)
            s.q.set(q)
            results.append(np.asarray(s.g.realize(size)).copy())
        return results

    expected, actual = program(halide, False), program(pipec, True)
    for number, (want, got) in enumerate(zip(expected, actual, strict=True)):
        assert (want == got).all(), number


def test_a_demanded_stride_makes_loads_of_that_version_dense() -> None:
    image = pipec.ImageParam(pipec.UInt(8), 1, "image")
    image.dim(0).set_stride(pipec.Expr())
    x, f = pipec.Var("x"), pipec.Func("f")
    f[x] = image[x] + 1
    f.vectorize(x, 16)
    f.specialize(image.dim(0).stride() == 1)
    definition, _ = freeze([f.function])
    text = str(lower(definition, schedule_of([f.function]), get_host_target()).body)
    dense, _, strided = text.partition("else:")
    assert "image.stride.0 * " not in dense and "image.stride.0" in strided
    for step in (1, 3):
        pixels = np.arange(200, dtype=np.uint8)[::step]
        image.set(pipec.Buffer(pixels))
        assert (np.asarray(f.realize([len(pixels)])) == pixels + 1).all()


def test_facts_of_the_condition_fold_the_body() -> None:
    p, x, f = pipec.Param(pipec.Int(32), "p"), pipec.Var("x"), pipec.Func("f")
    f[x] = pipec.select(p == 1, x * 3, (p > 4) | (p == 7), x * 5, x * p)
    f.specialize((p < 3) & (p >= 1)).specialize(p == 1)
    f.specialize(p > 4)
    definition, _ = freeze([f.function])
    text = str(lower(definition, schedule_of([f.function]), get_host_target()).body)
    *facts, rest = text.split("else:")
    assert len(facts) == 3 and not any("select" in version for version in facts)
    assert rest.count("select") == 1 and "p > 4" not in rest
    for value in (1, 2, 3, 5, 7, -2):
        p.set(value)
        assert list(f.realize([3])) == [x * (3 if value == 1 else 5 if value > 4 else value) for x in range(3)]


def test_an_input_is_asked_for_by_the_versions_that_read_it() -> None:
    image, q = pipec.ImageParam(pipec.Int(32), 1, "image"), pipec.Param(pipec.Bool(), "q")
    x, f, g = pipec.Var("x"), pipec.Func("f"), pipec.Func("g")
    g[x] = image[x] + 1
    f[x] = pipec.select(q, g[x + 100], x)
    g.compute_root()
    f.specialize(q)
    image.set(pipec.Buffer(np.zeros(10, np.int32)))
    q.set(False)
    assert list(f.realize([3])) == [0, 1, 2]
    q.set(True)
    with pytest.raises(pipec.HalideError, match="Input buffer image is accessed at"):
        f.realize([3])


def test_a_failure_counts_where_it_is_reached() -> None:
    def program(hl: Any) -> list[Any]:
        x, p, q = hl.Var("x"), hl.Param(hl.Int(32), "p"), hl.Param(hl.Int(32), "q")
        f, g = hl.funcs("f g")
        g[x] = x
        f[x] = hl.select(p == 1, g[x], 7)
        g.compute_at(f, x)
        f.specialize(p == 1)
        g.specialize(q == 1)
        g.specialize_fail("inner")
        results = []
        for values in ((2, 2), (1, 1), (1, 2)):
            p.set(values[0])
            q.set(values[1])
            try:
                results.append(np.array(f.realize([3])))
            except hl.HalideError as error:
                assert "inner" in str(error)
                results.append(np.array(-1))
        return results

    same(program)


def test_versions_inside_a_version_are_those_that_can_run_there() -> None:
    p, x, f, g = pipec.Param(pipec.Int(32), "p"), pipec.Var("x"), pipec.Func("f"), pipec.Func("g")
    g[x] = x * p
    f[x] = g[x] + 1
    g.compute_at(f, x).specialize(p == 1)
    f.specialize(p == 1).unroll(x, 2)
    definition, _ = freeze([f.function])
    assert loop_nest_text(definition, schedule_of([f.function])).count(f"{g.name()}(...) = ...") == 2


def test_bounds_are_inferred_for_dense_inputs() -> None:
    image, x, f = pipec.ImageParam(pipec.Int(32), 1, "image"), pipec.Var("x"), pipec.Func("f")
    image.dim(0).set_stride(pipec.Expr())
    f[x] = pipec.select(image.dim(0).stride() == 1, image[x + 1], image[x])
    f.specialize(image.dim(0).stride() == 1).vectorize(x, 4)
    f.infer_input_bounds([10])
    assert (image.get().dim(0).min(), image.get().dim(0).extent()) == (1, 10)


def test_sizes_that_a_condition_fixes_are_constants() -> None:
    """So whole loops may be unrolled or become vectors."""

    def program(hl: Any) -> list[np.ndarray]:
        x, y, xo, xi = hl.vars("x y xo xi")
        p = hl.Param(hl.Int(32), "p")
        f, g = hl.funcs("f g")
        f[x, y] = x + y
        g[x, y] = f[x, y] + f[x, y + 1] * p
        width = g.output_buffer().width()
        f.compute_root().specialize(width == 8).vectorize(x)
        g.specialize((p == 4) & (width == 8)).unroll(x).specialize(g.output_buffer().height() == 2).unroll(y)
        g.specialize(p == 4).split(x, xo, xi, p).vectorize(xi)
        results = []
        for value, width in ((4, 8), (4, 11), (2, 8), (3, 5)):
            p.set(value)
            results.append(np.array(g.realize([width, 2])))
        return results

    same(program)


def test_what_was_not_computed_is_not_cached_for_later_runs() -> None:
    def program(hl: Any) -> list[np.ndarray]:
        x, q = hl.Var("x"), hl.Param(hl.Bool(), "q")
        f, g = hl.funcs("f g")
        g[x] = x * 3
        f[x] = hl.select(q, g[x], 5)
        g.compute_root().memoize()
        f.specialize(q)
        results = []
        for value in (False, True, False, True):
            q.set(value)
            results.append(np.array(f.realize([7])))
        return results

    same(program)


def test_floats_that_are_equal_may_differ() -> None:
    p, x, f = pipec.Param(pipec.Float(32), "p"), pipec.Var("x"), pipec.Func("f")
    f[x] = 1.0 / p
    f.specialize(p == 0.0)
    p.set(-0.0)
    assert f.realize([1])[0] == -np.inf


def test_a_boolean_of_a_size_and_a_constant_condition() -> None:
    def program(hl: Any) -> list[np.ndarray]:
        x, y = hl.vars("x y")
        f = hl.Func("f")
        f[x, y] = x * 10 + y
        width = f.output_buffer().dim(0).extent()
        f.specialize(width % 8 == 0).vectorize(x, 8, hl.TailStrategy.RoundUp)
        f.specialize(True).unroll(y, 2, hl.TailStrategy.GuardWithIf)
        f.parallel(y)
        results = []
        for shape in ((8, 3), (11, 2)):
            buffer = hl.Buffer(hl.Int(32), list(shape))
            f.realize(buffer)
            results.append(np.array(buffer))
        return results

    same(program)


def test_specializations_of_versions_that_do_not_exist_are_refused() -> None:
    from pipec.ir.stmt import LoopKind
    from pipec.lower.legality.apply_schedule import apply_schedule
    from pipec.schedule.fields import StageRef
    from pipec.schedule.loops import Mark
    from pipec.schedule.schedule import Schedule as Directives

    x, f = pipec.Var("x"), pipec.Func("f")
    f[x] = x
    definition, _ = freeze([f.function])
    mark = Mark(StageRef(f.name(), 0, (0,)), "x", LoopKind.PARALLEL)
    with pytest.raises(pipec.HalideError, match="specialization 0 of .*, which has 0"):
        apply_schedule(definition, Directives((mark,)))


def test_each_version_prefetches():
    x, y = pipec.vars("x y")
    f, g = pipec.funcs("f g")
    f[x, y] = x + y
    g[x, y] = f[x, y] * 2
    f.compute_root()
    g.prefetch(f, y, y, 2)
    g.specialize(g.output_buffer().dim(0).extent() > 3).vectorize(x, 4)
    np.testing.assert_array_equal(np.asarray(g.realize([5, 3])), 2 * np.add.outer(np.arange(3), np.arange(5)))


@pytest.mark.parametrize("holds", [True, False])
def test_a_decided_condition_makes_no_version_of_an_inlined_func(holds):
    def program(hl):
        x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
        f[x] = x * 3
        g[x] = f[x] + 1
        f.specialize(hl.Expr(1) == (1 if holds else 2))
        return g.realize([9])

    same(program)
