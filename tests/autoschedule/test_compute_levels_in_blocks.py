"""What is computed inside a block is computed once for all copies that the block consists of."""

from __future__ import annotations

import pytest

import pipec as hl
from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.cost.model import Roofline
from pipec.autoschedule.problem import problem_of
from pipec.autoschedule.space.state import FULL, FuncPlacement, Nest, NestLevel, State, Where

WIDTH, HEIGHT = 256, 128


def rows(output, *placements):
    dag = problem_of([output.function], sizes=[WIDTH, HEIGHT, 3][: len(output.args())], threads=2).dag
    state = State(dict(zip(dag.funcs, placements, strict=True)))
    return [row for _, row in sorted(CpuEvaluator(dag, Roofline()).rows(state).items())]


@pytest.mark.parametrize(("colours", "times"), [(FULL, 1), (1, 3)])
def test_blocks_with_all_colours_need_their_common_part_once(colours, times):
    x, y, c = hl.vars("x y c")
    source = hl.ImageParam(hl.Float(32), 2, "source")
    common, output = hl.Func("a_common"), hl.Func("b_output")
    common[x, y] = hl.sqrt(source[x, y])
    output[x, y, c] = hl.mux(c, [common[x, y] * factor for factor in (2.0, 3.0, 4.0)])
    block = Nest(((FULL, 8, FULL), (16, 1, colours)), (2, 0, 1), 0, 16, (1,))
    inside = FuncPlacement(Where.AT, NestLevel(output.name(), 0, 1), None, (Nest(((FULL, FULL),), (0, 1), 0, 16),))
    row, _ = rows(output, FuncPlacement(Where.ROOT, nests=(block,)), inside)
    assert row.points == times * WIDTH * HEIGHT


def test_windows_that_slide_down_have_blocks_of_all_colours():
    x, y, c = hl.vars("x y c")
    source = hl.ImageParam(hl.Float(32), 2, "source")
    window, output = hl.Func("a_window"), hl.Func("b_output")
    window[x, y, c] = hl.mux(c, [source[x, y] * factor for factor in (2.0, 3.0, 4.0)])
    output[x, y, c] = window[x, y, c] + window[x, y + 1, c]
    lines = Nest(((FULL, 8, FULL), (FULL, 1, FULL), (16, 1, FULL)), (2, 0, 1), 0, 16, (1,))
    nest_level, store = NestLevel(output.name(), 0, 1), NestLevel(output.name(), 0, 0)
    sliding = FuncPlacement(Where.AT, nest_level, store, (Nest(((16, FULL, FULL),), (2, 0, 1), 0, 16),))
    row, _ = rows(output, FuncPlacement(Where.ROOT, nests=(lines,)), sliding)
    assert row.block_points == 16 * 3


@pytest.mark.parametrize(("mosaic", "computed"), [(True, 8), (False, 16)])
def test_tiles_of_a_mosaic_begin_where_its_pattern_begins(mosaic, computed):
    x, y = hl.vars("x y")
    source = hl.ImageParam(hl.Float(32), 2, "source")
    half, full, output = hl.Func("a_half"), hl.Func("b_full"), hl.Func("c_output")
    half[x, y] = source[x, y] * 2.0
    full[x, y] = hl.select(x % 2 == 0, half[x // 2, y], 1.0) if mosaic else half[x // 2, y]
    output[x, y] = full[x - 1, y] + full[x + 1, y]
    lines = Nest(((FULL, 8), (16, 1)), (0, 1), 0, 16, (1,))
    line = FuncPlacement(Where.AT, NestLevel(output.name(), 0, 0), None, (Nest(((16, 1),), (0, 1), 0, 16),))
    inside = FuncPlacement(Where.AT, NestLevel(full.name(), 0, 0), None, (Nest(((FULL, FULL),), (0, 1), 0, 8),))
    row, *_ = rows(output, FuncPlacement(Where.ROOT, nests=(lines,)), line, inside)
    assert row.points == computed * row.productions
