"""Gradients are Funcs: they are differentiated again."""

from __future__ import annotations

import numpy as np
import pytest
from gradient_programs import PROGRAMS

import pipec as hl

SOME = ["arithmetic", "functions", "selects", "convolution", "pooled", "repeat_edge", "enlarged", "diagonal", "table"]
OTHERS = ["running_sum", "upward_scan", "tuple_scan", "tuples", "products", "largest_of_four", "histogram"]
SCANS = ["nonlinear_scan", "integral_image", "both_sides", "predicated_scan"]


@pytest.mark.parametrize("name", [*SOME, *OTHERS, *SCANS])
def test_the_gradient_of_the_gradient_is_that_of_central_differences(name: str) -> None:
    program = PROGRAMS[name]
    images = [hl.Buffer(image.copy(), f"image{at}") for at, image in enumerate(program.images)]
    seed = hl.Buffer(np.random.default_rng(5).uniform(0.5, 1, tuple(reversed(program.sizes))), "seed")
    g = hl.grad(program.make(hl, *images), images[0], seed)
    bounds = [(0, extent) for extent in reversed(program.images[0].shape)]
    # With respect to all images that it reads, the adjoint that the first gradient started from among them.
    assert hl.check_gradient(g, None, bounds, tolerance=1e-6)


def test_the_hessian_of_a_sum_of_squares_is_right_where_the_gradient_is_zero() -> None:
    x, image, r = hl.Var("x"), hl.Buffer(np.array([1, 2, 3], np.float32), "image"), hl.RDom([(0, 3)])
    loss, probe = hl.Func("loss"), hl.Func("probe")
    loss[()] = 0.0
    error = image[r] / 2 - image[r] * image[r] / 2
    loss[()] += error * error
    g = hl.grad(loss, image)
    probe[x] = g[x]
    hessian = np.asarray(hl.grad(probe, image, bounds=[(0, 3)]).realize([3]))
    # (v/2 - v²/2)²: the second derivative is 2 (1/2 - v)² - 2 (v/2 - v²/2).
    v = np.array([1.0, 2.0, 3.0])
    np.testing.assert_allclose(hessian, 2 * (0.5 - v) ** 2 - 2 * (v / 2 - v * v / 2), rtol=1e-6)
