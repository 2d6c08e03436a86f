"""Values chosen by `p // n`: blocks of every n-th p share work, and know what is chosen."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

import pipec as hl
from apps.registry import APPS
from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.cost.model import Roofline
from pipec.autoschedule.emit.emit import apply, emit
from pipec.autoschedule.problem import problem_of
from pipec.autoschedule.space.cpu.legality import problems
from pipec.autoschedule.space.cpu.moves import children, neighbours
from pipec.autoschedule.space.cpu.random_states import random_state
from pipec.autoschedule.space.state import FULL, FuncPlacement, Nest, NestLevel, State, Where
from pipec.autoschedule.space.state_text import from_json, to_json

WIDTH, ROWS, STRIDE = 64, 64, 16
APART = Nest(((FULL, FULL), (16, 4)), (0, 1), 0, 16, interleaved=1)
STRIP = Nest(((16, FULL), (16, 1)), (0, 1), 0, 16, (0,))


class Butterflies:
    """Four points of each column, STRIDE apart, become their transform; the output doubles them."""

    def __init__(self):
        x, p = hl.vars("x p")
        self.source = hl.ImageParam(hl.Float(32), 2, "source")
        self.step, self.output = hl.Func("b_step"), hl.Func("a_output")
        a, b, c, d = [self.source[x, p % STRIDE + STRIDE * k] for k in range(4)]
        results = [a + b + c + d, a - b + c - d, a + b - c - d, a - b - c + d]
        self.step[x, p] = hl.mux(p // STRIDE, results)
        self.output[x, p] = self.step[x, p] * 2.0
        self.dag = problem_of([self.output.function], sizes=[WIDTH, ROWS], threads=2).dag

    def inside(self, nest, strip=STRIP):
        """The step computed for strips of the output."""
        placement = FuncPlacement(Where.AT, NestLevel(self.output.name(), 0, 0), None, (nest,))
        return State({self.output.name(): FuncPlacement(Where.ROOT, nests=(strip,)), self.step.name(): placement})

    def row(self, nest, strip=STRIP):
        return CpuEvaluator(self.dag, Roofline()).rows(self.inside(nest, strip))[self.step.name(), 0]

    def pixels(self, width, rows):
        values = np.random.default_rng(5).random((ROWS, width), dtype=np.float32)
        self.source.set(hl.Buffer(values))
        parts = values.reshape(4, STRIDE, width)
        signs = np.array([[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]], np.float32)
        expected = 2 * np.einsum("ij,jsx->isx", signs, parts).reshape(ROWS, width)[:rows]
        return np.asarray(self.output.realize([width, rows])), expected


def test_loops_whose_quotients_choose_are_recognized():
    stage = Butterflies().dag.funcs["b_step"].stages[0]
    assert {d: (result.stride, result.copies) for d, result in stage.interleaves.items()} == {1: (STRIDE, 4)}


@pytest.mark.parametrize(("width", "rows"), [(WIDTH, ROWS), (40, ROWS), (WIDTH, 50)])
def test_blocks_of_points_that_are_apart_keep_the_pixels(width, rows):
    pipeline = Butterflies()
    apply(emit(pipeline.dag, pipeline.inside(APART)), [pipeline.output.function])
    result, expected = pipeline.pixels(width, rows)
    np.testing.assert_allclose(result, expected, rtol=1e-5)


def test_such_blocks_are_split_by_the_stride_and_unrolled_over_quotients():
    pipeline = Butterflies()
    text = emit(pipeline.dag, pipeline.inside(APART)).to_python()
    assert f".split(p, p, pi, {STRIDE}, hl.TailStrategy.RoundUp)" in text
    assert ".unroll(p)" in text


def test_such_blocks_compute_what_they_share_once():
    pipeline = Butterflies()
    apart, neighbouring = pipeline.row(APART), pipeline.row(replace(APART, interleaved=None))
    assert apart.points == neighbouring.points
    assert apart.cycles_add < 0.5 * neighbouring.cycles_add
    assert apart.cycles_compare == 0 < neighbouring.cycles_compare
    assert apart.loads_dense == neighbouring.loads_dense / 4


def test_where_not_all_is_required_blocks_have_neighbours():
    pipeline = Butterflies()
    strip = Nest(((FULL, 8), (16, 1)), (0, 1), 0, 16, (1,))
    assert pipeline.row(APART, strip) == pipeline.row(replace(APART, interleaved=None), strip)
    text = emit(pipeline.dag, pipeline.inside(APART, strip)).to_python()
    assert f"pi, {STRIDE}" not in text


def test_searches_try_both():
    pipeline = Butterflies()
    name = pipeline.step.name()
    tried = children(pipeline.dag, pipeline.inside(replace(APART, tiles=((16, 1),), interleaved=None)), name)
    apart = next(state for state in tried if state[name].nests and state[name].nests[0].interleaved == 1)
    assert not problems(pipeline.dag, apart)
    around = [state[name].nests for state in neighbours(pipeline.dag, apart, name)]
    assert any(nests[0].interleaved is None for nests in around if nests)


def test_only_dimensions_by_whose_quotients_values_are_chosen_are_apart():
    pipeline = Butterflies()
    output = Nest(((FULL, FULL), (16, 1)), (0, 1), 0, 16, interleaved=1)
    (text,) = problems(pipeline.dag, pipeline.inside(APART, output))
    assert "stage 0: no values are chosen by quotients of dimension 1" in text


def test_states_with_such_blocks_are_stored_as_text():
    state = Butterflies().inside(APART)
    assert from_json(to_json(state)) == state


@pytest.mark.part(8)
@pytest.mark.parametrize("seed", range(4))
def test_random_states_of_a_fourier_transform_keep_its_pixels(seed):
    size = 64
    app = APPS["fft"]
    algorithm = app.build(hl, size)
    dag = problem_of([algorithm.output.function], sizes=[2, size, size], threads=2).dag
    rng = Random(seed)
    state = next(state for state in iter(lambda: random_state(dag, rng), None) if _is_apart(dag, state))
    apply(emit(dag, state), [algorithm.output.function])
    values = np.random.default_rng(seed).random((size, size, 2), dtype=np.float32)
    algorithm.images["source"].set(hl.Buffer(values))
    result = np.asarray(algorithm.output.realize([2, size, size]))
    np.testing.assert_allclose(result, app.reference({"source": values}, {}), atol=1e-3)


def _is_apart(dag, state):
    return "RoundUp).reorder" in emit(dag, state).to_python() and any(
        nest.interleaved is not None for placement in state.placements.values() for nest in placement.nests
    )
