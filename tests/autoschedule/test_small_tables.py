"""Small tables lie in registers: lookups are permutations, of whole registers."""

from __future__ import annotations

import pytest

import pipec as hl
from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.cost.model import Roofline
from pipec.autoschedule.problem import problem_of
from pipec.autoschedule.space.state import FuncPlacement, Nest, State, Where


def row(lanes, entries=1024):
    x, y = hl.vars("x y")
    places, table = hl.ImageParam(hl.UInt(16), 2, "places"), hl.ImageParam(hl.UInt(8), 1, "table")
    table.dim(0).set_bounds(0, entries)
    output = hl.Func("output")
    output[x, y] = table[hl.clamp(places[x, y], 0, entries - 1)]
    dag = problem_of([output.function], sizes=[256, 64], threads=2).dag
    placement = FuncPlacement(Where.ROOT, nests=(Nest(((lanes, 1),), (0, 1), 0, lanes),))
    (result,) = CpuEvaluator(dag, Roofline()).rows(State({output.name(): placement})).values()
    return result


def test_half_a_register_of_places_takes_as_long_as_a_whole_one():
    half, whole = row(32), row(64)
    assert half.loads_gathered == whole.loads_gathered == 0
    assert half.cycles_other == 2 * whole.cycles_other > 0


def test_large_tables_are_gathered_from():
    assert row(64, entries=4096).loads_gathered > 0 == row(64, entries=4096).cycles_other


@pytest.mark.parametrize("by", [3, 10, 16, 64])
def test_loads_at_quotients_are_no_gathers(by):
    x, y = hl.vars("x y")
    image, output = hl.ImageParam(hl.Float(32), 2, "image"), hl.Func("output")
    output[x, y] = image[x / by, y]
    dag = problem_of([output.function], sizes=[256, 64], threads=2).dag
    placement = FuncPlacement(Where.ROOT, nests=(Nest(((16, 1),), (0, 1), 0, 16),))
    (result,) = CpuEvaluator(dag, Roofline()).rows(State({output.name(): placement})).values()
    assert result.loads_gathered == 0 < result.loads_strided


@pytest.mark.parametrize("lanes, dense", [(8, True), (16, False)])
def test_loads_of_blocks_are_no_gathers(lanes, dense):
    x, y = hl.vars("x y")
    blocks, output = hl.ImageParam(hl.Float(32), 3, "blocks"), hl.Func("output")
    blocks.dim(0).set_bounds(0, 8)
    output[x, y] = blocks[x % 8, x / 8, y]
    dag = problem_of([output.function], sizes=[256, 64], threads=2).dag
    placement = FuncPlacement(Where.ROOT, nests=(Nest(((lanes, 1),), (0, 1), 0, lanes),))
    (result,) = CpuEvaluator(dag, Roofline()).rows(State({output.name(): placement})).values()
    assert result.loads_gathered == 0
    assert (result.loads_dense > 0) == dense
    assert (result.loads_strided > 0) == (not dense)


def test_loads_of_blocks_that_no_bounds_are_aligned_to_are_gathers():
    x, y = hl.vars("x y")
    blocks, output = hl.ImageParam(hl.Float(32), 3, "blocks"), hl.Func("output")
    blocks.dim(0).set_bounds(0, 8)
    output[x, y] = blocks[x % 8, x / 8, y]
    dag = problem_of([output.function], sizes=[252, 64], threads=2).dag
    placement = FuncPlacement(Where.ROOT, nests=(Nest(((16, 1),), (0, 1), 0, 16),))
    (result,) = CpuEvaluator(dag, Roofline()).rows(State({output.name(): placement})).values()
    assert result.loads_gathered > 0


def test_loads_at_remainders_beside_other_loops_are_no_gathers():
    x, y = hl.vars("x y")
    taps, output = hl.ImageParam(hl.Float(32), 1, "taps"), hl.Func("output")
    output[x, y] = taps[x % 2 + 2 * y]
    dag = problem_of([output.function], sizes=[256, 64], threads=2).dag
    placement = FuncPlacement(Where.ROOT, nests=(Nest(((16, 1),), (0, 1), 0, 16),))
    (result,) = CpuEvaluator(dag, Roofline()).rows(State({output.name(): placement})).values()
    assert result.loads_gathered == 0 < result.loads_strided
