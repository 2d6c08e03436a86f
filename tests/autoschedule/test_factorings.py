"""Factored reductions: a state's factorings change definitions and live Funcs in the same way."""

from __future__ import annotations

import random

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.dag.build_dag import Sizes, build_dag
from pipec.autoschedule.emit.emit import apply, emit
from pipec.autoschedule.problem import problem_of
from pipec.autoschedule.rfactor.choices import cpu_targets
from pipec.autoschedule.rfactor.definitions import factored_by, intermediate, rfactor_directives
from pipec.autoschedule.space.cpu.legality import problems
from pipec.autoschedule.space.cpu.random_states import random_state
from pipec.autoschedule.space.state import Factoring, FuncPlacement, Nest, State, Where
from pipec.autoschedule.strategies.search_state import Options
from pipec.errors import ScheduleError
from pipec.func.functions.freeze import freeze, reachable
from pipec.schedule.fields import StageRef
from pipec.schedule.schedule import Schedule

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
    built = factored_by(definition, factorings(counts.name()))
    sizes = Sizes({output.name(): ((0, 16),)}, {"image": ((0, 53), (0, 37))})
    return output, counts.name(), build_dag(built, sizes, threads=2)


def _rows(name):
    return (Factoring(name, 1, "r$y", 5),)


def _tiles(name):
    return Factoring(name, 1, "r$x", 7), Factoring(name, 1, "r$y", 5)


@pytest.mark.part(3)
@pytest.mark.parametrize("factorings", [_rows, _tiles])
@pytest.mark.parametrize("seed", range(4))
def test_random_states_of_factored_reductions_keep_the_pixels(factorings, seed):
    output, name, dag = prepared(factorings)
    assert intermediate(StageRef(name, 1)) in dag.funcs
    drawn = random_state(dag, random.Random(seed))
    state = State(drawn.placements, factorings(name))
    assert problems(dag, state) == []
    apply(emit(dag, state), [output.function])
    np.testing.assert_array_equal(output.realize([16]).numpy(), 2 * np.bincount(IMAGE.ravel(), minlength=16))


def test_strips_run_on_many_threads():
    output, name, dag = prepared(_rows)
    strips = intermediate(StageRef(name, 1))
    loops = len(dag.funcs[strips].stages[1].loops)
    pure = Nest(((8, 1),), (0, 1), 0, 8)
    update = Nest(((1,) * loops,), (2, 3, 0, 1), None, 1, (1,))
    merge = Nest(((8, 1),), (0, 1), 0, 8)
    placements = {
        output.name(): FuncPlacement(Where.ROOT, nests=(Nest(((8,),), (0,), 0, 8),)),
        name: FuncPlacement(Where.ROOT, nests=(Nest(((8,),), (0,), 0, 8), merge)),
        strips: FuncPlacement(Where.ROOT, nests=(pure, update)),
    }
    state = State(placements, _rows(name))
    assert problems(dag, state) == []
    schedule = emit(dag, state)
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


def test_an_update_that_is_factored_is_not_factored_otherwise():
    output, counts = histogram()
    apply(Schedule(rfactor_directives(_tiles(counts.name()))), [output.function])
    definition, _ = freeze([output.function])
    with pytest.raises(ScheduleError, match=r"could not find split dimension: r\$x"):
        factored_by(definition, _tiles(counts.name()))


def image_sum():
    image = hl.Buffer(np.random.default_rng(0).random((1024, 1024), np.float32), "image")
    r = hl.RDom([(0, 1024), (0, 1024)], "r")
    total, output = hl.funcs("total output")
    total[()] = 0.0
    # Roots keep the CPU busy: sums alone wait for memory, and take as long on one thread as on two.
    total[()] += hl.sqrt(hl.sqrt(image[r.x, r.y]))
    x = hl.Var("x")
    output[x] = total[()] * x
    return output, total, (image.numpy() ** 0.25).sum()


@pytest.mark.parametrize(("order", "interleaved"), [("x y c", True), ("c x y", False)])
def test_sums_of_planes_are_interleaved_along_rows_where_channels_lie_apart(order, interleaved):
    image, r, c = hl.ImageParam(hl.Float(32), 3, "image"), hl.RDom([(0, 64), (0, 64)], "r"), hl.Var("c")
    places = {"x": r.x, "y": r.y, "c": c}
    total = hl.Func("total")
    total[c] = 0.0
    total[c] += image[[places[name] for name in order.split()]]
    for d, name in enumerate(order.split()):
        image.dim(d).set_estimate(0, 32 if name == "c" else 64)
    total.set_estimate(c, 0, 32)
    problem = problem_of([total.function])
    stage = problem.dag.funcs[total.name()].stages[1]
    choices = problem.space.choices(stage)
    assert any(factoring.inner for choice in choices for factoring in choice) == interleaved


FEW = Options(beam=1, rounds=1, states=200)


class TestSearched:
    """Reductions that the search takes apart."""

    def _searched(self, apply=True):
        output, total, expected = image_sum()
        result = output.autoschedule(sizes=[4], threads=2, options=FEW, verify=False, apply=apply)
        assert result.state.factorings, "strips for threads and lanes"
        return output, total, expected, result

    def test_sums_of_images_are_taken_apart(self):
        output, total, expected, result = self._searched()
        assert ".rfactor(" in result.schedule.to_python() and "$strips1" in result.loop_nest()
        np.testing.assert_allclose(output.realize([4]).numpy(), expected * np.arange(4), rtol=1e-4)

    def test_looking_leaves_definitions_alone(self):
        output, total, expected, result = self._searched(apply=False)
        assert len(total.function.stages[1].rvars) == 2 and total.function in output.function.callees
        assert len(reachable([output.function])) == 2

    def test_the_next_search_undoes_it(self):
        output, total, expected, first = self._searched()
        assert len(reachable([output.function])) == 3
        second = output.autoschedule(sizes=[4], threads=2, options=FEW, verify=False)
        assert second.schedule == first.schedule and len(reachable([output.function])) == 3
        output.autoschedule(sizes=[4], strategy="fallback")
        assert len(reachable([output.function])) == 2
        np.testing.assert_allclose(output.realize([4]).numpy(), expected * np.arange(4), rtol=1e-4)
        first.apply()
        np.testing.assert_allclose(output.realize([4]).numpy(), expected * np.arange(4), rtol=1e-4)

    def test_it_is_saved_and_loaded_by_other_names(self, tmp_path):
        output, total, expected, result = self._searched()
        result.save(tmp_path / "sum.json")
        other, _, _ = image_sum()
        saved = hl.load_schedule(tmp_path / "sum.json")
        saved.apply(other)
        assert len(reachable([other.function])) == 3
        np.testing.assert_allclose(other.realize([4]).numpy(), expected * np.arange(4), rtol=1e-4)
        saved.apply(other)
        assert len(reachable([other.function])) == 3

    def test_large_or_ordered_domains_stay_whole(self):
        x = hl.Var("x")
        image = hl.ImageParam(hl.Float(32), 2, "image")
        r = hl.RDom([(1, 9999)], "r")
        rows, recursive = hl.funcs("rows recursive")
        rows[x] = 0.0
        rows[x] += image[x, r]
        assert not cpu_targets(problem_of([rows.function], sizes=[4096], threads=2).dag), "enough pure points"
        recursive[x] = 0.0
        recursive[r] = recursive[r - 1] * 0.5 + image[r, 0]
        assert not cpu_targets(problem_of([recursive.function], sizes=[10000], threads=2).dag), "not associative"
