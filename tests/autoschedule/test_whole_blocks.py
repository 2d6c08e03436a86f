"""Blocks cost what they compute: whole where less is needed, copies of all of a short dimension, free ends."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.cost.model import Roofline
from pipec.autoschedule.dag.dag import Operation
from pipec.autoschedule.features.features import TERMS, StageFeatures, terms
from pipec.autoschedule.problem import problem_of
from pipec.autoschedule.space.cpu.variations import nest_changes
from pipec.autoschedule.space.state import FULL, FuncPlacement, Nest, NestLevel, State, Where

ROOT, AT = Where.ROOT, Where.AT
SIZE = [256, 128]


def dag_of(output, sizes):
    return problem_of([output.function], sizes=sizes, threads=2).dag


def nest(*tiles, order, vector=0, lanes=16):
    return Nest(tiles, order, vector, lanes)


def first_row(dag, *placements):
    """Features of stage 0 of the last Func that is placed."""
    names = list(dag.funcs)[: len(placements)]
    rows = CpuEvaluator(dag, Roofline()).rows(State(dict(zip(names, placements, strict=True))))
    return rows[names[-1], 0]


@pytest.mark.parametrize(("width", "computed"), [(16, 32), (14, 16)])
def test_the_last_vector_of_a_tile_is_computed_whole(width, computed):
    x, y = hl.vars("x y")
    source = hl.ImageParam(hl.Float(32), 2, "source")
    producer, consumer = hl.funcs("producer consumer")
    producer[x, y] = source[x, y] * 2.0
    consumer[x, y] = producer[x, y] + producer[x + 2, y]
    dag = dag_of(consumer, [width * 8, 64])
    outer = nest((width, 1), (2, 1), order=(0, 1), lanes=2)
    inside = FuncPlacement(AT, NestLevel(next(iter(dag.funcs)), 0, 0), None, (nest((16, 1), order=(0, 1)),))
    row = first_row(dag, FuncPlacement(ROOT, nests=(outer,)), inside)
    assert row.points == computed * 8 * 64


def coloured():
    x, y, c = hl.vars("x y c")
    source, output = hl.ImageParam(hl.Float(32), 2, "source"), hl.Func("output")
    output[x, y, c] = hl.mux(c, [source[x, y] * factor for factor in (2.0, 3.0, 4.0)])
    return output


def test_blocks_with_all_colours_of_an_output_have_no_choices_left():
    dag = dag_of(coloured(), [*SIZE, 3])
    rows = [first_row(dag, FuncPlacement(ROOT, nests=(nest((16, 1, c), order=(2, 0, 1)),))) for c in (1, FULL)]
    assert [row.block_points for row in rows] == [16, 48]
    assert rows[0].cycles_compare > 0 == rows[1].cycles_compare


def test_dimensions_as_long_as_those_of_pictures_are_no_copies():
    dag = dag_of(coloured(), [*SIZE, 100])
    row = first_row(dag, FuncPlacement(ROOT, nests=(nest((16, 1, FULL), order=(2, 0, 1)),)))
    assert row.block_points == 16


def counts(*conditions):
    levels, width = hl.ImageParam(hl.UInt(8), 1, "levels"), hl.Param(hl.Int(32), "width")
    width.set_estimate(1000)
    level, total, r = hl.Var("level"), hl.Func("total"), hl.RDom([(0, 1024)], "r")
    for condition in conditions:
        r.where(condition(r.x, width, levels))
    total[level] = 0
    total[hl.i32(levels[r.x])] += 1
    total.set_estimates([(0, 256)])
    levels.dim(0).set_estimate(0, 1024)
    return total


def test_loops_end_where_affine_conditions_do_and_ask_all_others():
    plain, ended, requested = [
        next(iter(dag_of(counts(*conditions), None).funcs.values())).stages[1].operations
        for conditions in ((), (lambda r, width, levels: 2 * r + 1 < width,), (lambda r, width, levels: levels[r] > 9,))
    ]
    assert plain == ended
    assert sum(requested[Operation.COMPARE]) == sum(plain[Operation.COMPARE]) + 1


def test_lanes_that_are_scattered_may_be_taken_one_by_one():
    dag = dag_of(counts(), None)
    func = next(iter(dag.funcs.values()))
    vectors = Nest(((1, 8),), (1, 0), 1, 8, atomic=True)
    result = [other for other, _ in nest_changes(dag, func, func.stages[1], vectors, False)]
    assert Nest(((1, 8),), (1, 0), None, 1) in result


@pytest.mark.parametrize(("lanes", "same"), [(1.0, True), (16.0, False)])
def test_single_values_do_not_wait_for_the_units_of_vectors(lanes, same):
    row = first_row(dag_of(coloured(), [*SIZE, 3]), FuncPlacement(ROOT, nests=(nest((16, 1, 1), order=(2, 0, 1)),)))
    features = np.array([row._replace(lanes=lanes)])
    slow, fast = [
        terms(features, replace(MachineModel(), pipes=pipes))[0][TERMS.index("arithmetic")] for pipes in (0.5, 2)
    ]
    assert (slow == fast) == same


def test_divisions_go_on_beside_other_work():
    plain = StageFeatures(*[1.0] * len(StageFeatures._fields))
    divided, multiplied, both = (
        terms(np.array([plain._replace(cycles_divide=a, cycles_multiply=b)]), MachineModel())[0][
            TERMS.index("arithmetic")
        ]
        for a, b in ((1e6, 1.0), (1.0, 5e5), (1e6, 5e5))
    )
    assert both == divided > multiplied
