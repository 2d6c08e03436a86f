"""Reductions in strips: what a plan's factorings say is done to definitions and to live Funcs alike."""

from __future__ import annotations

import random

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.build_dag import Sizes, build_dag
from pipec.autoschedule.emit import apply, emit
from pipec.autoschedule.factorings import factored_by, intermediate
from pipec.autoschedule.legality import problems
from pipec.autoschedule.plan import Factoring, Nest, Placement, Plan, Where
from pipec.autoschedule.random_plans import random_plan
from pipec.errors import ScheduleError
from pipec.func.freeze import freeze
from pipec.schedule.directive import StageRef

IMAGE = np.random.default_rng(3).integers(0, 16, (37, 53)).astype(np.uint8)


def histogram():
    i = hl.Var("i")
    image = hl.Buffer(IMAGE, "image")
    r = hl.RDom([(0, 53), (0, 37)], "r")
    counts, total = hl.funcs("counts total")
    counts[i] = 0
    counts[hl.i32(image[r.x, r.y])] += 1
    total[i] = counts[i] * 2
    return total, counts


def prepared(factorings):
    output, counts = histogram()
    definition, _ = freeze([output.function])
    made = factored_by(definition, factorings(counts.name()))
    sizes = Sizes({output.name(): ((0, 16),)}, {"image": ((0, 53), (0, 37))})
    return output, counts.name(), build_dag(made, sizes, threads=2)


def _rows(name):
    return (Factoring(name, 1, "r$y", 5),)


def _tiles(name):
    return Factoring(name, 1, "r$x", 7), Factoring(name, 1, "r$y", 5)


@pytest.mark.parametrize("factorings", [_rows, _tiles])
@pytest.mark.parametrize("seed", range(4))
def test_random_plans_of_factored_reductions_keep_the_pixels(factorings, seed):
    output, name, dag = prepared(factorings)
    assert intermediate(StageRef(name, 1)) in dag.funcs
    drawn = random_plan(dag, random.Random(seed))
    plan = Plan(drawn.placements, factorings(name))
    assert problems(dag, plan) == []
    apply(emit(dag, plan), [output.function])
    np.testing.assert_array_equal(output.realize([16]).numpy(), 2 * np.bincount(IMAGE.ravel(), minlength=16))


def test_strips_run_on_many_threads():
    output, name, dag = prepared(_rows)
    strips = intermediate(StageRef(name, 1))
    loops = len(dag.funcs[strips].stages[1].loops)
    pure = Nest(((8, 1),), (0, 1), 0, 8)
    update = Nest(((1,) * loops,), (2, 3, 0, 1), None, 1, (1,))
    merge = Nest(((8, 1),), (0, 1), 0, 8)
    placements = {
        output.name(): Placement(Where.ROOT, nests=(Nest(((8,),), (0,), 0, 8),)),
        name: Placement(Where.ROOT, nests=(Nest(((8,),), (0,), 0, 8), merge)),
        strips: Placement(Where.ROOT, nests=(pure, update)),
    }
    plan = Plan(placements, _rows(name))
    assert problems(dag, plan) == []
    schedule = emit(dag, plan)
    apply(schedule, [output.function])
    assert ".rfactor(" in schedule.to_python()
    np.testing.assert_array_equal(output.realize([16]).numpy(), 2 * np.bincount(IMAGE.ravel(), minlength=16))


def test_a_refused_factoring_leaves_the_funcs_as_they_were():
    i = hl.Var("i")
    r = hl.RDom([(1, 9)], "r")
    f = hl.Func("f")
    f[i] = i
    f[r.x] = f[r.x - 1] * 3 + 1
    definition, _ = freeze([f.function])
    with pytest.raises(ScheduleError):
        factored_by(definition, (Factoring(f.name(), 1, "r$x", 4),))
