"""Gradients against torch.autograd: convolutions, pooling, resampling, gathers, scans, reductions, normalisation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gradient_programs import PROGRAMS

import pipec as hl

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.torch
Forward = Callable[..., Any]


def indices(width: int, height: int) -> Any:
    return torch.meshgrid(torch.arange(height), torch.arange(width), indexing="ij")


def convolution(b: Any, weights: Any) -> Any:
    return torch.nn.functional.conv2d(b[None, None], weights[None, None, :5, :5])[0, 0]


def arithmetic(b: Any) -> Any:
    return (b - 0.5) * b / (1 + b) - 2 / b


def functions(b: Any) -> Any:
    v = b
    return v.sqrt() * v.exp() + v.log() * v.sin() - v.cos() * v.tan() + (v - 0.6).abs() + v**2.5


def selects(b: Any) -> Any:
    extremes = b.clamp(min=0.7) * torch.minimum(b, b.flip(1)) + b.clamp(0.3, 0.8)
    return torch.where(b > 0.5, (b - 0.4).clamp(min=1e-3).log(), b * b) + extremes


def repeat_edge(b: Any) -> Any:
    y, x = indices(10, 8)

    def at(dx: int, dy: int) -> Any:
        return b[(y + dy).clamp(0, 7), (x + dx).clamp(0, 9)]

    return at(-2, 0) * at(1, 3) + at(0, -1)


def enlarged(b: Any) -> Any:
    y, x = indices(18, 16)
    return b[y // 2, x // 2] * b[y // 2, (x + 1) // 2] * (1 + x % 3)


def diagonal(b: Any) -> Any:
    x = torch.arange(7)
    return b[x, x] * b[x + 1, x]


def table(b: Any, lut: Any) -> Any:
    return lut[(b * 10).long().clamp(0, 10)] * b


def running_sum(b: Any) -> Any:
    return b.cumsum(1)


def integral_image(b: Any) -> Any:
    rows = [b[0]]
    for at in range(1, 8):
        row = [b[at, 0]]
        for x in range(1, 10):
            row.append(b[at, x] + row[x - 1] + rows[at - 1][x] - rows[at - 1][x - 1])
        rows.append(torch.stack(row))
    return torch.stack(rows)


def histogram(b: Any) -> Any:
    return torch.zeros(5).index_add(0, (b * 5).long().clamp(0, 4).flatten(), b.flatten())


def largest_of_four(b: Any) -> Any:
    return torch.nn.functional.max_pool2d(b[None, None], 2)[0, 0]


def products(b: Any) -> Any:
    return b.prod(0)


def extremes(b: Any) -> Any:
    return (b * b.flip(1)).max() + b.min()


FORWARD: dict[str, Forward] = {
    f.__name__: f
    for f in (
        convolution,
        arithmetic,
        functions,
        selects,
        repeat_edge,
        enlarged,
        diagonal,
        table,
        running_sum,
        integral_image,
        histogram,
        largest_of_four,
        products,
    )
}


@pytest.mark.part(2)
@pytest.mark.parametrize("name", FORWARD)
def test_values_and_gradients_are_those_of_torch(name: str) -> None:
    program = PROGRAMS[name]
    seed = np.random.default_rng(5).standard_normal(tuple(reversed(program.sizes))).astype(np.float32)
    images = [hl.Buffer(image.copy(), f"image{at}") for at, image in enumerate(program.images)]
    tensors = [torch.tensor(image, requires_grad=True) for image in program.images]
    f, expected = program.make(hl, *images), FORWARD[name](*tensors)
    np.testing.assert_allclose(np.asarray(f.realize(list(program.sizes))), expected.detach(), rtol=1e-4, atol=1e-5)
    expected.backward(torch.tensor(seed))
    for image, tensor, g in zip(program.images, tensors, hl.grad(f, images, seed), strict=True):
        result = np.asarray(g.realize(list(reversed(image.shape))))
        np.testing.assert_allclose(result, tensor.grad, rtol=2e-4, atol=1e-4)
