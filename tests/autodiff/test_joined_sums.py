"""Sums at opposite edges of a dimension are one update of the adjoint."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import pipec as hl
from pipec.autodiff.backward import callees_first

x, y, z = hl.vars("x y z")


def near(f: hl.Func) -> hl.Expr:
    return f[x - 2, y] * 0.5 + f[x + 1, y] + f[x, y - 1] * 2.0 + f[x, y + 3]


def chain(length: int, border: str = "repeat_edge") -> tuple[hl.Func, hl.ImageParam]:
    """Stencils, each of the one before with a border."""
    image = hl.ImageParam(hl.Float(32), 2, "image")
    size = [(0, image.width()), (0, image.height())]
    f = image
    for at in range(length):
        bounded = getattr(hl.BoundaryConditions, border)(f, size)
        f = hl.Func(f"stage{at}")
        f[x, y] = near(bounded)
    return f, image


def updates(function: hl.Func) -> int:
    return sum(len(f.stages) - 1 for f in callees_first(function.function))


@pytest.mark.parametrize("border", ["repeat_edge", "mirror_interior", "mirror_image", "repeat_image"])
@pytest.mark.parametrize("length", [1, 2, 5])
@pytest.mark.part(3)
def test_each_stencil_of_a_chain_adds_three_sums(length: int, border: str) -> None:
    f, image = chain(length, border)
    d = hl.grad(f, image, bounds=[(0, image.width()), (0, image.height())])
    assert updates(d) == 3 * length


def test_clamps_of_three_dimensions_give_seven_sums() -> None:
    image = hl.ImageParam(hl.Float(32), 3, "image")
    f, bounded = hl.Func("f"), hl.BoundaryConditions.repeat_edge(image)
    f[x, y, z] = bounded[x - 1, y - 1, z - 1] + bounded[x + 1, y + 1, z + 1]
    size = [(0, image.dim(d).extent()) for d in range(3)]
    assert updates(hl.grad(f, image, bounds=size)) == 7


def expected(adjoint: np.ndarray, low: tuple[int, int], shape: tuple[int, int]) -> np.ndarray:
    """What each element of the adjoint, of which the first is at `low`, adds to the pixels that its stencil reads."""
    result = np.zeros(shape)
    taps = [(-2, 0, 0.5), (1, 0, 1.0), (0, -1, 2.0), (0, 3, 1.0)]
    for (j, i), (dx, dy, factor) in itertools.product(np.ndindex(adjoint.shape), taps):
        column, line = i + low[0] + dx, j + low[1] + dy
        place = min(max(line, 0), shape[0] - 1), min(max(column, 0), shape[1] - 1)
        result[place] += factor * adjoint[j, i]
    return result


# Narrower than the image, wider, beside it on one side or the other, and the same; rows and columns of one pixel.
@pytest.mark.part(3)
@pytest.mark.parametrize("low, extent", [((3, 2), (2, 2)), ((-4, -3), (17, 16)), ((-6, 9), (3, 3)), ((0, 0), (9, 7))])
@pytest.mark.parametrize("shape", [(7, 9), (1, 9), (7, 1), (1, 1), (2, 2)])
def test_adjoints_of_any_region_add_to_the_nearest_pixels(
    shape: tuple[int, int], low: tuple[int, int], extent: tuple[int, int]
) -> None:
    f, image = chain(1)
    adjoint = hl.ImageParam(hl.Float(32), 2, "adjoint")
    region = [(adjoint.dim(d).min(), adjoint.dim(d).extent()) for d in range(2)]
    d = hl.grad(f, image, adjoint, region)
    weights = np.random.default_rng(1).standard_normal(extent[::-1]).astype(np.float32)
    seed = hl.Buffer(weights)
    seed.set_min(list(low))
    adjoint.set(seed)
    image.set(hl.Buffer(np.zeros(shape, np.float32)))
    result = d.realize(list(shape[::-1])).numpy()
    np.testing.assert_allclose(result, expected(weights, low, shape), rtol=1e-5, atol=1e-5)
