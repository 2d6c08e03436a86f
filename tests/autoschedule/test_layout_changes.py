"""Orders of storage that follow the lanes of readers: found where rows are read at places of their own, and right."""

from __future__ import annotations

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.cost.model import Roofline
from pipec.autoschedule.dag.dag import Access, ImageInfo
from pipec.autoschedule.dag.regions import Need
from pipec.autoschedule.emit.emit import apply, emit
from pipec.autoschedule.problem import problem_of
from pipec.autoschedule.space.cpu.layout_changes import squared
from pipec.autoschedule.space.cpu.legality import problems
from pipec.autoschedule.space.cpu.nests import default_nest
from pipec.autoschedule.space.edits import root
from pipec.autoschedule.strategies.search import Budget, search
from pipec.autoschedule.strategies.search_state import Options

SIZE, TAPS = 512, 6


def moved_along_rows() -> tuple[hl.Func, hl.Func, hl.Func]:
    """Sums of neighbours, from places in the row that a table tells."""
    x, y = hl.vars("x y")
    smooth, copy, begin, output = hl.funcs("smooth copy begin output")
    smooth[x, y] = hl.sin(hl.f32(x * y))
    copy[x, y] = smooth[x, y]
    begin[x] = hl.clamp(hl.i32(hl.sqrt(hl.f32(x)) * 20.0), 0, SIZE - TAPS)
    taps = hl.RDom([(0, TAPS)], "taps")
    total = hl.Func("total")
    total[x, y] = hl.f32(0.0)
    total[x, y] += copy[begin[x] + taps.x, y] * hl.f32(taps.x + 1)
    output[x, y] = total[x, y]
    return output, total, copy


@pytest.fixture(scope="module")
def changed():
    output, total, copy = moved_along_rows()
    dag = problem_of([output.function], sizes=[SIZE, SIZE], threads=2).dag
    state = search(dag, CpuEvaluator(dag, Roofline()), "beam", Options(beam=2), Budget(60.0, 300)).best[0][1]
    return output, dag, state, total.name(), copy.name()


def test_sums_from_places_of_their_own_have_the_lanes_that_share_them(changed):
    _, dag, state, total, copy = changed
    assert problems(dag, state) == []
    assert state[total].nests[-1].vector == 1
    assert state[copy].storage == (1, 0)


def test_what_is_turned_keeps_its_values(changed):
    output, dag, state, _, _ = changed
    apply(emit(dag, state), [output.function])
    plain = moved_along_rows()[0]
    np.testing.assert_array_equal(np.array(output.realize([70, 50])), np.array(plain.realize([70, 50])))


def test_a_transpose_is_cheaper_in_squares_than_in_rows_and_the_search_finds_no_less():
    x, y = hl.vars("x y")
    image, output = hl.ImageParam(hl.Float(32), 2, "image"), hl.Func("output")
    output[x, y] = image[y, x]
    dag = problem_of([output.function], sizes=[SIZE, SIZE], threads=2).dag
    func, evaluator = dag.funcs[dag.outputs[0]], CpuEvaluator(dag, Roofline())
    rows = default_nest(dag, func, func.stages[0], root=True)
    squares = squared(func.stages[0], rows, 1)
    assert squares is not None
    start = evaluator.space.start()
    costs = evaluator.costs([evaluator.space.placed(start, func.name, root((nest,))) for nest in (rows, squares)])
    assert costs[1] < costs[0]
    assert search(dag, evaluator, "beam", Options(beam=2), Budget(60.0, 500)).best[0][0] <= costs[1]


def test_squares_have_as_many_rows_as_lanes_and_tiles_of_whole_ones():
    x, y = hl.vars("x y")
    image, output = hl.ImageParam(hl.Float(32), 2, "image"), hl.Func("output")
    output[x, y] = image[y, x]
    dag = problem_of([output.function], sizes=[SIZE, SIZE], threads=2).dag
    func = dag.funcs[dag.outputs[0]]
    (stage,) = func.stages
    nest = squared(stage, default_nest(dag, func, stage, root=True), 1)
    assert nest is not None
    assert [size % nest.lanes for tile in nest.tiles for size in tile] == [0] * 2 * len(nest.tiles)
    assert squared(stage, nest, 1) is None


def test_places_that_values_decide_are_no_more_than_the_loops_that_change_them():
    load = Access("image", ((0, 1), (1, 0)), (0, 0), (90, 0), (), 1, values=(frozenset({0}), frozenset()))
    need = Need([load], ImageInfo("image", (0, 0), (100, 100), 4))
    assert need.box([0, 0], [15, 3]) == ((0, 0), (93, 15))
    assert need.distinct(0, [0, 0], [15, 3]) == 16 * 4
    assert need.distinct(0, [0, 0], [0, 3]) == 4
