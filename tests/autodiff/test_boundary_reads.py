"""Reads through boundary conditions at places that only the inputs know."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pipec as hl

x, y = hl.vars("x y")
BOX = [(0, 6), (0, 5)]
CONDITIONS = ["repeat_edge", "repeat_image", "mirror_image", "mirror_interior", "constant_exterior"]


def inputs() -> tuple[hl.Buffer, hl.Buffer]:
    random = np.random.default_rng(3)
    image, flow = random.random((5, 6), np.float32), random.random((5, 6), np.float32) * 14 - 7
    return hl.Buffer(image, "image"), hl.Buffer(flow.astype(np.float32), "flow")


def extended(condition: str, source: Any, *bounds: Any) -> hl.Func:
    values = [0.25] if condition == "constant_exterior" else []
    return getattr(hl.BoundaryConditions, condition)(source, *values, *bounds)


def warped(source: hl.Func, flow: hl.Buffer) -> hl.Func:
    """The source between two pixels that the flow chooses."""
    f, place = hl.Func("warped"), flow[x, y] + x
    at = hl.i32(hl.floor(place))
    f[x, y] = hl.lerp(source[at, y - 1], source[at + 1, y - 1], place - at)
    return f


@pytest.mark.part(2)
@pytest.mark.parametrize("condition", CONDITIONS)
def test_of_an_image(condition: str) -> None:
    image, flow = inputs()
    f = warped(extended(condition, image), flow)
    assert hl.check_gradient(f, bounds=BOX)
    machine = hl.grad(f, image, bounds=BOX).realize([6, 5]).numpy()
    # With weights of 1 it has the sum of what is read inside of the image.
    assert machine.sum() == pytest.approx(30, rel=0.7) and machine.std() > 0


@pytest.mark.part(4)
@pytest.mark.parametrize("condition", CONDITIONS)
def test_of_a_func_behind_another_one(condition: str) -> None:
    image, flow = inputs()
    square, wide, half = hl.funcs("square wide half")
    square[x, y] = image[x, y] * image[x, y]
    half[x, y] = extended(condition, square, BOX)[x, y] * 0.5
    f = warped(half, flow)
    assert hl.check_gradient(f, bounds=BOX)
    derivative = hl.propagate_adjoints(f, BOX)
    by_square = derivative[square].realize([6, 5]).numpy()
    by_image = derivative[image].realize([6, 5]).numpy()
    np.testing.assert_allclose(by_image, 2 * by_square * image.numpy(), rtol=1e-5)
    with pytest.raises(hl.BoundsError, match="half.* at dimension 0 is not bounded"):
        derivative[half]


def test_two_values_and_updates_as_consumers() -> None:
    image, flow = inputs()
    two, f, r = hl.Func("two"), hl.Func("f"), hl.RDom([(0, 6)])
    two[x, y] = (image[x, y], image[x, y] * 3.0)
    source = hl.BoundaryConditions.mirror_image(two, BOX)
    f[y] = 0.0
    f[y] += source[hl.i32(flow[r, y]), y][1] * source[hl.i32(flow[r, y]) + r, y][0]
    assert hl.check_gradient(f, [image], bounds=[(0, 5)])


def test_shifted_tables_of_places_and_conditions_are_read_inside_of_their_bounds() -> None:
    image = hl.Buffer(np.random.default_rng(4).random((7, 6), np.float32), "image")
    places = hl.Buffer(np.random.default_rng(5).integers(0, 6, (5, 6), np.int32), "places")
    f, g, r = hl.Func("f"), hl.Func("g"), hl.RDom([(0, 6), (0, 5)])
    f[x, y] = image[hl.clamp(places[x, y], 0, 5), y + 2] * image[x, y]
    r.where(places[r.x, r.y] > 2)
    g[x, y] = 0.0
    g[r.x, r.y] += image[r.x, r.y + 2] * image[r.x, r.y]
    for func in (f, g):
        assert hl.check_gradient(func, bounds=BOX)
        assert hl.grad(func, image, bounds=BOX).realize([6, 7]).numpy().std() > 0


@pytest.mark.part(6)
@pytest.mark.parametrize("bounds", [(), ([(0, 6), (0, 5)],)], ids=["sizes", "numbers"])
@pytest.mark.parametrize("condition", CONDITIONS)
def test_layers_have_the_gradient_of_the_linear_map(condition: str, bounds: tuple[Any, ...]) -> None:
    torch = pytest.importorskip("torch")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    around = extended(condition, image, *(bounds or ([(0, image.width()), (0, image.height())],)))
    f = hl.Func("f")
    f[x, y] = around[x - 1, y + 1] - 0.5 * around[x + 2, y - 3]
    layer = f.as_torch()
    torch.manual_seed(1)
    at, step, weights = torch.rand(5, 6, requires_grad=True), torch.rand(5, 6), torch.rand(5, 6)
    (layer(at) * weights).sum().backward()
    forward = ((layer(at + step) - layer(at)) * weights).sum().item()
    assert (at.grad * step).sum().item() == pytest.approx(forward, rel=1e-4)
