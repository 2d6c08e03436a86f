"""Reductions whose partial results merge in order, as argmax: they are factored along their outermost RVar only."""

from __future__ import annotations

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.problem import problem_of
from pipec.autoschedule.rfactor.choices import cpu_choices, cpu_targets, gpu_choices, gpu_targets
from pipec.autoschedule.strategies import FOR_CPU, Options
from pipec.func.functions.func import Func

FEW = Options(beam=2, rounds=1, patience=1, states=60, samples=3)
SHAPES = [(1 << 18,), (700, 500), (3, 90000)]
RNG = np.random.default_rng(0)
PICTURES = {shape: RNG.integers(0, 5000, shape[::-1]).astype(np.float32) for shape in SHAPES}


def first_greatest(shape: tuple[int, ...]) -> Func:
    """The place of the first of the greatest elements, in the order of the loops."""
    image, f = hl.ImageParam(hl.Float(32), len(shape), "image"), hl.Func("f")
    image.set(hl.Buffer(PICTURES[shape]))
    r = hl.RDom([(0, extent) for extent in shape], "r")
    place = hl.argmax(r, image[tuple(r[d] for d in range(len(shape)))])
    f[()] = sum((place[d] * int(np.prod(shape[:d])) for d in range(1, len(shape))), place[0])
    return f


def last_greatest(shape: tuple[int, ...]) -> Func:
    """As above, of the last one: an empty part of the iterations must not be merged."""
    image, f, g = hl.ImageParam(hl.Float(32), 1, "image"), hl.Func("f"), hl.Func("g")
    image.set(hl.Buffer(PICTURES[shape]))
    r = hl.RDom([(0, shape[0])], "r")
    g[()] = hl.Tuple(hl.i32(-1), hl.f32(-1))
    g[()] = hl.Tuple(hl.select(image[r] >= g[()][1], r, g[()][0]), hl.max(image[r], g[()][1]))
    f[()] = g[()][0]
    return f


@pytest.mark.part(6)
@pytest.mark.parametrize("strategy", FOR_CPU)
@pytest.mark.parametrize("shape", SHAPES)
def test_schedules_keep_the_order(shape: tuple[int, ...], strategy: str) -> None:
    f = first_greatest(shape)
    hl.Pipeline(f).autoschedule(sizes=[], strategy=strategy, options=FEW, search_seconds=10, verify=False)
    assert int(np.array(f.realize([]))) == PICTURES[shape].argmax()


@pytest.mark.parametrize("strategy", ["beam", "li2018"])
def test_of_equal_ones_the_last_stays(strategy: str) -> None:
    shape = SHAPES[0]
    f = last_greatest(shape)
    hl.Pipeline(f).autoschedule(sizes=[], strategy=strategy, options=FEW, search_seconds=10, verify=False)
    assert int(np.array(f.realize([]))) == shape[0] - 1 - PICTURES[shape][::-1].argmax()


@pytest.mark.parametrize("shape", SHAPES)
def test_gpu_schedules_exist(shape: tuple[int, ...]) -> None:
    f = first_greatest(shape)
    result = hl.Pipeline(f).autoschedule(
        sizes=[], target=hl.Target("host-opencl"), strategy="beam", options=FEW, search_seconds=10, verify=False
    )
    text = result.schedule.to_python()
    assert "gpu_blocks" in text or "gpu_threads" in text or "gpu_tile" in text or "gpu_single_thread" in text, text


def test_blocks_are_of_the_outermost_rvar() -> None:
    dag = problem_of([first_greatest((3, 90000)).function], sizes=[]).dag
    for targets, choices in ((cpu_targets, cpu_choices), (gpu_targets, gpu_choices)):
        (stage,) = targets(dag)
        assert stage.ordered and stage.associative
        factorings = [factoring for choice in choices(dag, stage) for factoring in choice]
        assert factorings and not any(f.inner for f in factorings)
        assert {f.rvar for f in factorings} == {stage.loops[-1].name}


def test_lanes_in_blocks_far_apart_touch_a_line_each() -> None:
    """Their costs were those of the whole image for each vector."""
    costs = {}
    for strategy in ("trivial", "li2018"):
        result = hl.Pipeline(first_greatest(SHAPES[0])).autoschedule(
            sizes=[], strategy=strategy, threads=2, verify=False
        )
        costs[strategy] = result.predicted_ms
    assert costs["li2018"] < costs["trivial"]


@pytest.mark.parametrize("strategy", ["beam", "li2018"])
def test_updates_of_several_places_at_once_are_not_factored(strategy: str) -> None:
    image, f, x = hl.ImageParam(hl.Int(32), 1, "image"), hl.Func("f"), hl.Var("x")
    numbers = RNG.integers(0, 4, 1 << 16).astype(np.int32)
    image.set(hl.Buffer(numbers))
    r = hl.RDom([(0, len(numbers))], "r")
    f[x] = 0
    place = image[r] % 4
    f[hl.scatter([place, place + 4])] += hl.gather([1, 2])
    hl.Pipeline(f).autoschedule(sizes=[8], strategy=strategy, options=FEW, search_seconds=10, verify=False)
    counts = np.bincount(numbers, minlength=4)
    assert np.array(f.realize([8])).tolist() == [*counts, *(2 * counts)]
