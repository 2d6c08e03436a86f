"""Bilinear reads at whole coordinates, between two cells: the slope is that of the cell that the read is made from."""

from __future__ import annotations

import numpy as np
import pytest

import pipec as hl

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.torch
SIZE = 6


def by_pipec() -> torch.nn.Module:
    row, flow = hl.ImageParam(hl.Float(32), 1, "row"), hl.ImageParam(hl.Float(32), 1, "flow")
    x, f = hl.Var("x"), hl.Func("f")
    place = hl.clamp(hl.f32(x) + flow[x], 0.0, SIZE - 1.0)
    cell = hl.clamp(hl.i32(place), 0, SIZE - 2)
    f[x] = hl.lerp(row[cell], row[cell + 1], place - hl.f32(cell))
    return f.as_torch([row, flow], [SIZE])


def by_torch(row: torch.Tensor, flow: torch.Tensor) -> torch.Tensor:
    place = (torch.arange(SIZE) + flow).clamp(0.0, SIZE - 1.0)
    cell = place.detach().floor().clamp(0, SIZE - 2).long()
    return torch.lerp(row[cell], row[cell + 1], place - cell)


@pytest.mark.slow
def test_the_slope_at_cell_borders_is_that_of_floor_and_gather_in_torch() -> None:
    row = torch.tensor(np.random.default_rng(1).random(SIZE, np.float32), requires_grad=True)
    # To the left end, to cells in the middle, to the right end and beyond it.
    flow = torch.tensor([0.0, -1.0, 1.0, -2.0, 1.0, 2.0], requires_grad=True)
    result = torch.autograd.grad(by_pipec()(row, flow).sum(), [row, flow])
    expected = torch.autograd.grad(by_torch(row, flow).sum(), [row, flow])
    torch.testing.assert_close(result, expected)
