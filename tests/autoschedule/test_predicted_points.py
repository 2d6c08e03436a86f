"""The points that the model counts for a schedule are those that its loops compute."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

import pipec as hl
from bench.autoschedule.state_of import state_of
from pipec.autoschedule.api import model_of
from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.emit.emit import emit
from pipec.autoschedule.problem import problem_of
from pipec.autoschedule.space.state_text import from_json, to_json
from pipec.func.functions.freeze import schedule_of
from pipec.inspect.execution import executed

SIZE = 512
x, y, xi, yi = hl.vars("x y xi yi")


def predicted_and_computed(output: hl.Func, func: hl.Func) -> tuple[float, float]:
    """Points of a Func by the model, and by walking the loops of its schedule."""
    schedule = schedule_of([output.function])
    problem = problem_of([output.function], sizes=[SIZE, SIZE], threads=2)
    rows = CpuEvaluator(problem.dag, model_of(None)).rows(state_of(problem.dag, schedule))
    walked = executed(problem.definition, schedule, problem.sizes, 2)
    return rows[func.name(), 0].points, walked.evaluations_of(func.name())


def padded() -> hl.Func:
    image = hl.ImageParam(hl.Float(32), 2, "image")
    image.dim(0).set_estimate(0, SIZE)
    image.dim(1).set_estimate(0, SIZE)
    return hl.BoundaryConditions.constant_exterior(image, 0.0)


def sheared(before: hl.Func) -> hl.Expr:
    """Rows that move with the columns."""
    return before[x, y + hl.i32(hl.floor(0.25 * hl.f32(x)))] + before[x, y + 1 + hl.i32(hl.floor(0.25 * hl.f32(x)))]


def wrapped(before: hl.Func) -> hl.Expr:
    around = hl.BoundaryConditions.repeat_image(before, [(0, SIZE), (0, SIZE)])
    return around[x, y - 1] + around[x, y + 1]


def mirrored(before: hl.Func) -> hl.Expr:
    around = hl.BoundaryConditions.mirror_image(before, [(0, SIZE), (0, SIZE)])
    return around[x, y - 1] + around[x, y + 1]


def blurred(before: hl.Func) -> hl.Expr:
    return before[x, y - 1] + before[x, y + 1]


@pytest.mark.parametrize("read", [blurred, wrapped, mirrored, sheared])
def test_of_a_window_stored_outside_of_its_loop(read: Callable[[hl.Func], hl.Expr]) -> None:
    source = padded()
    before, output = hl.Func("before"), hl.Func("output")
    before[x, y] = source[x, y] * 2.0
    output[x, y] = read(before)
    output.split(y, y, yi, 32).reorder(x, yi, y).vectorize(x, 16).parallel(y)
    before.store_at(output, y).compute_at(output, yi).vectorize(x, 16)
    predicted, computed = predicted_and_computed(output, before)
    assert predicted == pytest.approx(computed, rel=0.15)


def test_of_a_window_beside_loops_that_move_it_along_a_diagonal() -> None:
    source = padded()
    before, middle, output = hl.funcs("before middle output")
    before[x, y] = source[x, y] * 2.0
    middle[x, y] = sheared(before)
    output[x, y] = middle[x, y] + 1.0
    output.tile(x, y, xi, yi, 128, 32).vectorize(xi, 16).parallel(y)
    middle.compute_at(output, x).vectorize(x, 16, hl.TailStrategy.RoundUp)
    before.store_at(output, x).compute_at(middle, x).vectorize(x, 16, hl.TailStrategy.RoundUp)
    predicted, computed = predicted_and_computed(output, before)
    assert predicted == pytest.approx(computed, rel=0.15)


@pytest.mark.parametrize("tile", [8, 32])
def test_blocks_hold_dimensions_that_tiles_cut_as_schedules_do(tile: int) -> None:
    c, ci, size = hl.Var("c"), hl.Var("ci"), [112, 112, 32]
    k = hl.RDom([(0, 16)], "k")

    def layer() -> tuple[hl.Func, hl.Func]:
        source, weights = hl.ImageParam(hl.Float(32), 3, "source"), hl.ImageParam(hl.Float(32), 2, "weights")
        total, output = hl.Func(f"total_{tile}"), hl.Func(f"output_{tile}")
        total[x, y, c] = 0.0
        total[x, y, c] += source[x, y, k] * weights[c, k]
        output[x, y, c] = hl.max(total[x, y, c], 0.0)
        return total, output

    total, output = layer()
    output.split(y, y, yi, 2).split(c, c, ci, tile).reorder(x, ci, yi, y, c).vectorize(x, 16).parallel(y)
    total.compute_at(output, y).vectorize(x, 16)
    # All channels and rows of a tile: 16 or 64 vectors, which is too many.
    total.update(0).reorder(c, y, x, k.x).vectorize(x, 16).unroll(c).unroll(y)
    scheduled = problem_of([output.function], sizes=size, threads=2)
    text = to_json(state_of(scheduled.dag, schedule_of([output.function])))
    others = layer()
    for func, other in zip((total, output), others, strict=True):
        text = text.replace(f'"{func.name()}"', f'"{other.name()}"')
    problem = problem_of([others[1].function], sizes=size, threads=2)
    state, update = from_json(text), (others[0].name(), 1)
    row = CpuEvaluator(problem.dag, model_of(None)).rows(state)[update]
    walked = executed(problem.definition, emit(problem.dag, state), problem.sizes, 2).stages[update]
    loops = [loop.trips for loop in walked.loops if loop.loop not in ("vectorized", "unrolled")]
    assert row.blocks == math.prod(loops)
