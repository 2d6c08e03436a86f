"""Every strategy schedules gradients that scatter, gather and scan, and changes none of their values."""

from __future__ import annotations

import math
import os
from functools import cache

import numpy as np
import pytest
from gradient_programs import PROGRAMS

import pipec as hl
from pipec.autoschedule.li2018.rewriting import rewrite
from pipec.autoschedule.problem import problem_of
from pipec.autoschedule.strategies import FOR_CPU
from pipec.autoschedule.strategies.search_state import Options

x, y = hl.vars("x y")
QUICK = Options(beam=1, rounds=1, refined=1, patience=1, samples=4, states=40)
SOME = ["histogram", "table", "largest_of_four", "integral_image", "bilinear_warp"]
PAIRS = [(name, strategy) for name in SOME for strategy in FOR_CPU]
WIDTH, HEIGHT = 24, 20
Gradients = tuple[list[hl.Func], list[list[int]]]


def bilinear_warp() -> Gradients:
    """Of an image that is read bilinearly at places that a flow moves, and of the flow."""
    random = np.random.default_rng(4)
    image = hl.Buffer(random.random((HEIGHT, WIDTH), np.float32), "image")
    flow = hl.Buffer(random.uniform(-3, 3, (2, HEIGHT, WIDTH)).astype(np.float32), "flow")
    px = hl.clamp(hl.f32(x) + flow[x, y, 0], 0.0, WIDTH - 1.0)
    py = hl.clamp(hl.f32(y) + flow[x, y, 1], 0.0, HEIGHT - 1.0)
    ix, iy = hl.clamp(hl.i32(px), 0, WIDTH - 2), hl.clamp(hl.i32(py), 0, HEIGHT - 2)
    tx, ty = px - hl.f32(ix), py - hl.f32(iy)
    above, below = (hl.lerp(image[ix, iy + k], image[ix + 1, iy + k], tx) for k in (0, 1))
    f = hl.Func("warp")
    f[x, y] = hl.lerp(above, below, ty)
    gradients = hl.grad(f, [image, flow], bounds=[(0, WIDTH), (0, HEIGHT)])
    return gradients, [[WIDTH, HEIGHT], [WIDTH, HEIGHT, 2]]


def gradients_of(name: str) -> Gradients:
    if name == "bilinear_warp":
        return bilinear_warp()
    program = PROGRAMS[name]
    images = [hl.Buffer(image.copy(), f"image{at}") for at, image in enumerate(program.images)]
    seed = np.random.default_rng(5).standard_normal(tuple(reversed(program.sizes))).astype(np.float32)
    return hl.grad(program.make(hl, *images), images, seed), [list(reversed(image.shape)) for image in program.images]


def values(funcs: list[hl.Func], sizes: list[list[int]]) -> list[np.ndarray]:
    outputs = [hl.Buffer(np.zeros(tuple(reversed(size)), np.float32)) for size in sizes]
    hl.Pipeline(funcs).realize(outputs)
    return [output.numpy().copy() for output in outputs]


@cache
def unscheduled(name: str) -> list[np.ndarray]:
    return values(*gradients_of(name))


# All pairs take a minute; by default each strategy meets a third of the programs.
@pytest.mark.part(6)
@pytest.mark.parametrize("name, strategy", PAIRS if os.environ.get("PIPEC_SLOW") else PAIRS[::3])
def test_scheduled_gradients_have_the_same_values(name: str, strategy: str) -> None:
    funcs, sizes = gradients_of(name)
    named = {func.name(): size for func, size in zip(funcs, sizes, strict=True)}
    hl.Pipeline(funcs).autoschedule(sizes=named, strategy=strategy, options=QUICK, search_seconds=30, verify=False)
    for value, reference in zip(values(funcs, sizes), unscheduled(name), strict=True):
        np.testing.assert_allclose(value, reference, rtol=2e-4, atol=1e-4)


@pytest.mark.slow
def test_halides_searches_schedule_a_warp() -> None:
    funcs, sizes = bilinear_warp()
    expected = values(funcs, sizes)
    for func, size in zip(funcs, sizes, strict=True):
        func.set_estimates([(0, extent) for extent in size])
    for name, options in (("Adams2019", {"beam_size": 1}), ("Mullapudi2016", {}), ("Li2018", {})):
        params = hl.AutoschedulerParams(name, {"parallelism": 2, **options})
        hl.Pipeline(funcs).apply_autoscheduler(hl.get_host_target(), params)
        for actual, reference in zip(values(funcs, sizes), expected, strict=True):
            np.testing.assert_allclose(actual, reference, rtol=2e-4, atol=1e-4)


def test_accesses_of_merged_scatters_are_finite() -> None:
    funcs, sizes = bilinear_warp()
    named = {func.name(): size for func, size in zip(funcs, sizes, strict=True)}
    problem, _ = problem_of([func.function for func in funcs], None, named).rewritten(rewrite)
    for func in problem.dag.funcs.values():
        for stage in func.stages:
            for access in (stage.store, *stage.loads, *stage.self_loads):
                assert all(map(math.isfinite, (*access.low, *access.high))), access
        assert len(func.written) == len(func.arguments)
