"""Costs of stages whose coordinates follow from values, or whose predicates bound their loops."""

from __future__ import annotations

import pytest

import pipec as hl
from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.cost.model import Roofline
from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.dag.regions import Need
from pipec.autoschedule.problem import Problem, problem_of
from pipec.autoschedule.space.cpu.moves import children

x, y = hl.vars("x y")


def problem(output: hl.Func, sizes: list[int]) -> Problem:
    return problem_of([output.function], sizes=sizes, threads=2)


def warp() -> Dag:
    """A nearest neighbour at places that two images give."""
    image, dx, dy = [hl.ImageParam(hl.Float(32), 2, name) for name in ("warped_image", "dx", "dy")]
    for one in (image, dx, dy):
        one.set_estimates([(0, 1000), (0, 800)])
    moved = hl.Func("moved_by_values")
    column, row = hl.clamp(x + hl.i32(dx[x, y]), 0, 999), hl.clamp(y + hl.i32(dy[x, y]), 0, 799)
    moved[x, y] = image[column, row]
    return problem(moved, [1000, 800]).dag


def test_a_coordinate_changes_with_the_loops_of_factors_of_values() -> None:
    turns, rows, total = hl.ImageParam(hl.Float(32), 1, "turns"), hl.ImageParam(hl.Float(32), 2, "rows"), hl.Func("t")
    turns.set_estimates([(0, 30)])
    rows.set_estimates([(0, 64), (0, 30)])
    r = hl.RDom([(0, 30)], "r")
    total[x, y] = 0.0
    total[x, y] += rows[hl.clamp(hl.i32(hl.f32(x) * turns[r] + hl.f32(y)), 0, 63), r]
    stage = problem(total, [64, 64]).dag.funcs[total.name()].stages[1]
    (load,) = [load for load in stage.loads if load.name == rows.name()]
    assert load.values[0] == {0, 2}, "the loops over x and r; how it moves with y is known"


def test_the_unknown_part_of_a_sum_changes_with_the_loops_of_that_summand_only() -> None:
    image, shifted, z = hl.ImageParam(hl.Float(32), 1, "image"), hl.Func("shifted"), hl.Var("z")
    image.set_estimates([(0, 108)])
    shifted[x, z] = image[x + z % 9] + image[x * 2 + x % 5]
    one, other = problem(shifted, [50, 27]).dag.funcs[shifted.name()].stages[0].loads
    assert (one.jacobian, one.values) == (((1, 0),), (frozenset({1}),)), "lanes along x read side by side"
    assert (other.jacobian, other.values) == (((2, 0),), (frozenset({0}),)), "x decides the rest as well"


def test_places_that_an_update_leads_to_change_with_its_reduction() -> None:
    field, place, r = hl.ImageParam(hl.Float(32), 1, "field"), hl.Func("place"), hl.RDom([(0, 16)], "r")
    field.set_estimates([(0, 100)])
    place[x, y] = hl.f32(x)
    place[x, y] += field[hl.clamp(hl.i32(place[x, y]), 0, 99)] + 0.0 * hl.f32(r)
    stage = problem(place, [100, 80]).dag.funcs[place.name()].stages[1]
    (load,) = [load for load in stage.loads if load.name == field.name()]
    assert load.values[0] == {0, 1, 2}, "each iteration reads what the one before has stored"


def test_places_that_values_give_do_not_make_the_whole_image_read() -> None:
    dag = warp()
    (load,) = [load for load in dag.funcs["moved_by_values"].stages[0].loads if load.name == "warped_image"]
    need = Need([load], dag.images["warped_image"])
    assert need.box((100, 100), (107, 101)) == ((0, 0), (999, 799)), "they may be anywhere"
    assert need.scattered((100, 100), (107, 101)) == 16, "one for each point"


@pytest.mark.parametrize("step, width, count", [(96, 256, 2.67), (2, 3, 1.5), (1, 5, 5.0)])
def test_predicates_shorten_reductions(step: int, width: int, count: float) -> None:
    frames, f = hl.ImageParam(hl.Float(32), 1, "frames"), hl.Func("f")
    frames.set_estimates([(0, 100)])
    r = hl.RDom([(0, 100)], "r")
    r.where((x - step * r >= 0) & (x - step * r < width))
    f[x] = 0.0
    f[x] += frames[r]
    share = problem(f, [99 * step]).dag.funcs[f.name()].stages[1].share
    assert 100 * share == pytest.approx(count, rel=0.2), "iterations of r for one x"


def test_a_triangle_is_half_of_its_square() -> None:
    f, r = hl.Func("f"), hl.RDom([(0, 64), (0, 64)], "r")
    r.where(r.x <= r.y)
    f[x] = 0
    f[x] += r.x * r.y
    assert problem(f, [16]).dag.funcs[f.name()].stages[1].share == pytest.approx(0.5, rel=0.1)


def test_windows_do_not_slide_where_values_lead_anywhere() -> None:
    first, rows, total = hl.ImageParam(hl.Int(32), 1, "first"), hl.Func("rows"), hl.Func("total")
    first.set_estimates([(0, 400)])
    rows[x, y] = x * y
    j = hl.RDom([(0, 8)], "j")
    total[x, y] = 0
    total[x, y] += rows[x, hl.clamp(first[y] + j, 0, 399)]
    posed = problem(total, [400, 400])
    evaluator = CpuEvaluator(posed.dag, Roofline())
    inside = children(posed.dag, posed.start(), rows.name())
    windows = [state for state in inside if state[rows.name()].store is not None]
    update = 8 * 400 * 400
    assert windows
    for state in windows:
        points = evaluator.batch([state]).column("points").sum()
        assert points > 2 * update, "each iteration computes all rows again"
