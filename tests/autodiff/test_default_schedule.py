"""The default schedule changes no values and divides what is large."""

from __future__ import annotations

import numpy as np
import pytest
from gradient_programs import PROGRAMS

import pipec as hl
from pipec.autoschedule.li2018.schedule import default_schedule
from pipec.func.functions.freeze import schedule_of
from pipec.ir.stmt import LoopKind
from pipec.schedule.loops import Mark
from pipec.schedule.rfactor import Rfactor

SOME = ["convolution", "repeat_edge", "integral_image", "histogram", "largest_of_four", "bilateral_grid", "tuple_scan"]


@pytest.mark.part(6)
@pytest.mark.parametrize("name", SOME)
def test_scheduled_gradients_have_the_same_values(name: str) -> None:
    program = PROGRAMS[name]
    images = [hl.Buffer(image.copy(), f"image{at}") for at, image in enumerate(program.images)]
    seed = np.random.default_rng(5).standard_normal(tuple(reversed(program.sizes))).astype(np.float32)

    def gradients() -> list[hl.Func]:
        return hl.grad(program.make(hl, *images), images, seed)

    sizes = [list(reversed(image.shape)) for image in program.images]
    expected = [g.realize(size).numpy() for g, size in zip(gradients(), sizes, strict=True)]
    scheduled = gradients()
    estimates = {g.name(): [(0, n) for n in size] for g, size in zip(scheduled, sizes, strict=True)}
    default_schedule([g.function for g in scheduled], sizes=estimates, threads=2)
    for g, size, values in zip(scheduled, sizes, expected, strict=True):
        np.testing.assert_allclose(g.realize(size).numpy(), values, rtol=1e-5, atol=1e-5)


def test_sums_over_an_image_are_factored_and_the_rest_is_vectors_in_parallel() -> None:
    x, y = hl.vars("x y")
    image = hl.Buffer(np.ones((70, 300), np.float32), "image")
    weights = hl.Buffer(np.ones((3, 3), np.float32), "weights")
    f, r = hl.Func("f"), hl.RDom([(0, 3), (0, 3)], "r")
    f[x, y] = 0.0
    f[x, y] += image[x + r.x, y + r.y] * weights[r.x, r.y]
    gradients = hl.grad(f, [image, weights], bounds=[(0, 298), (0, 68)])
    d_image, d_weights = gradients
    default_schedule(
        [g.function for g in gradients], sizes={d_image.name(): [(0, 300), (0, 70)], d_weights.name(): [(0, 3), (0, 3)]}
    )
    directives = [schedule_of([g.function]).directives for g in gradients]
    for result in directives:
        kinds = {directive.kind for directive in result if isinstance(directive, Mark)}
        assert {LoopKind.VECTORIZED, LoopKind.PARALLEL} <= kinds
    factored = [any(isinstance(directive, Rfactor) for directive in result) for result in directives]
    assert factored == [False, True]
    assert np.array_equal(d_weights.realize([3, 3]).numpy(), np.full((3, 3), 298 * 68))
    assert d_image.realize([300, 70]).numpy()[5, 5] == 9


def test_funcs_that_have_a_schedule_keep_it() -> None:
    x = hl.Var("x")
    f, g = hl.Func("f"), hl.Func("g")
    f[x] = x * 2
    g[x] = f[x] + f[x + 1]
    f.compute_root().unroll(x, 2)
    before = f.function.schedule
    default_schedule([g.function], sizes={g.name(): [(0, 100)]})
    assert f.function.schedule == before


def test_sums_that_several_stages_read_through_an_inlined_func_are_shared() -> None:
    x, y = hl.vars("x y")
    image, r = hl.Buffer(np.ones((40, 64), np.float32), "image"), hl.RDom([(0, 3), (0, 3)], "r")
    total, ratio, sums, output = hl.funcs("total ratio sums output")
    padded = hl.BoundaryConditions.repeat_edge(image)
    total[x, y] = hl.sum(padded[x + r.x, y + r.y])
    ratio[x, y] = 9.0 / total[x, y]
    sums[x, y] = hl.sum(ratio[x + r.x, y + r.y])
    output[x, y] = sums[x, y] * total[x, y]
    default_schedule([output.function], sizes={output.name(): [(0, 64), (0, 40)]})
    assert (output.realize([64, 40]).numpy() == 81).all()
