"""Pipelines as modules of torch: gradients of any order, batches, parameters, torch.compile, and what is refused."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

import pipec as hl
from pipec.autodiff.copies import is_scheduled
from pipec.autodiff.program import TensorProgram
from pipec.func.functions.names import local_names

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.torch
F32, F64 = hl.Float(32), hl.Float(64)


def convolution(kind: hl.Type) -> Any:
    """A layer of (image, weights, gain): valid convolution with 3 x 2 weights, times the gain squared."""
    image, weights = hl.ImageParam(kind, 2, "image"), hl.ImageParam(kind, 2, "weights")
    gain, x, y, r = hl.Param(kind, "gain", 1.5), hl.Var("x"), hl.Var("y"), hl.RDom([(0, 3), (0, 2)], "r")
    f = hl.Func("convolution")
    f[x, y] = hl.cast(kind, 0)
    f[x, y] += image[x + r.x, y + r.y] * weights[r.x, r.y] * gain * gain
    return f.as_torch([image, weights, gain], [image.width() - 2, image.height() - 1])


def by_torch(image: Any, weights: Any, gain: Any) -> Any:
    result = torch.nn.functional.conv2d(image.reshape(-1, 1, *image.shape[-2:]), weights[None, None])
    return result.reshape(*image.shape[:-2], *result.shape[-2:]) * gain * gain


def inputs(*shape: int, dtype: Any = torch.float64) -> list[Any]:
    torch.manual_seed(3)
    built = torch.rand(shape, dtype=dtype), torch.rand((2, 3), dtype=dtype), torch.tensor(1.5, dtype=dtype)
    return [tensor.requires_grad_() for tensor in built]


def gradients(f: Callable[..., Any], tensors: list[Any]) -> list[Any]:
    return list(torch.autograd.grad(f(*tensors).sin().sum(), tensors))


@pytest.mark.parametrize("shape", [(5, 6), (3, 5, 6), (1, 2, 3)])
def test_values_and_gradients_are_those_of_torch(shape: tuple[int, ...]) -> None:
    layer, arguments = convolution(F32), inputs(*shape, dtype=torch.float32)
    torch.testing.assert_close(layer(*arguments), by_torch(*arguments))
    torch.testing.assert_close(gradients(layer, arguments), gradients(by_torch, arguments))


@pytest.mark.parametrize("shape", [(4, 5), (2, 3, 4)])
@pytest.mark.part(2)
def test_gradcheck_passes_twice(shape: tuple[int, ...]) -> None:
    layer, arguments = convolution(F64), inputs(*shape)
    assert torch.autograd.gradcheck(layer, arguments)
    assert torch.autograd.gradgradcheck(layer, arguments)


def test_the_cache_has_schedules_of_gradients(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PIPEC_CACHE_DIR", str(tmp_path))
    with local_names():
        first = gradients(convolution(F32), inputs(5, 6, dtype=torch.float32))
    refuse = Mock(side_effect=AssertionError("not from the cache"))
    monkeypatch.setattr(TensorProgram, "_gradients", refuse)
    monkeypatch.setattr("pipec.autoschedule.li2018.schedule.default_schedule", refuse)
    monkeypatch.setattr("pipec.lower.lower.lower", refuse)
    with local_names():
        torch.testing.assert_close(gradients(convolution(F32), inputs(5, 6, dtype=torch.float32)), first)


def test_embedded_buffers_are_those_of_the_program_not_of_the_cache() -> None:
    for value in (2.0, 3.0):
        with local_names():
            image, table, x = (
                hl.ImageParam(F32, 1, "image"),
                hl.Buffer(np.full(4, value, np.float32), "table"),
                hl.Var("x"),
            )
            f = hl.Func("scaled")
            f[x] = image[x] * table[x % 4]
            row = torch.ones(8, requires_grad=True)
            assert gradients(lambda row, f=f, image=image: f.as_torch([image])(row).cos(), [row])[0].isfinite().all()
            assert f.as_torch([image])(row).tolist() == [value] * 8


@pytest.mark.slow
def test_calls_without_compile_do_not_import_dynamo() -> None:
    code = """
import sys, torch, pipec as hl
image, x = hl.ImageParam(hl.Float(32), 1, "image"), hl.Var("x")
f = hl.Func("twice")
f[x] = image[x] * 2
f.as_torch([image])(torch.ones(4, requires_grad=True)).sum().backward()
assert "torch._dynamo" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.slow
def test_opcheck_passes() -> None:
    layer = convolution(F64)
    for arguments in (inputs(4, 5), inputs(2, 4, 5)):
        assert set(torch.library.opcheck(layer.operator, arguments).values()) == {"SUCCESS"}


@pytest.mark.slow
def test_compiled_programs_differentiate_it() -> None:
    layer, arguments = convolution(F32), inputs(3, 5, 6, dtype=torch.float32)
    compiled = torch.compile(lambda *tensors: layer(*tensors) * 2, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(gradients(compiled, arguments), gradients(lambda *t: by_torch(*t) * 2, arguments))
    wider = inputs(3, 9, 8, dtype=torch.float32)
    torch.testing.assert_close(gradients(compiled, wider), gradients(lambda *t: by_torch(*t) * 2, wider))


@pytest.mark.slow  # inductor compiles C++
def test_inductor_compiles_what_is_around_it() -> None:
    layer, arguments = convolution(F32), inputs(3, 5, 6, dtype=torch.float32)
    compiled = torch.compile(lambda *tensors: torch.relu(layer(*tensors)) * 2, fullgraph=True)
    torch.testing.assert_close(
        gradients(compiled, arguments), gradients(lambda *t: torch.relu(by_torch(*t)) * 2, arguments)
    )


def test_only_what_needs_a_gradient_gets_one() -> None:
    layer, arguments = convolution(F32), inputs(5, 6, dtype=torch.float32)
    image = arguments[0].detach()
    (result,) = torch.autograd.grad(layer(image, *arguments[1:]).sum(), arguments[1])
    (expected,) = torch.autograd.grad(by_torch(image, *arguments[1:]).sum(), arguments[1])
    torch.testing.assert_close(result, expected)


def test_tensors_may_be_views() -> None:
    layer, arguments = convolution(F32), inputs(9, 12, dtype=torch.float32)
    for view in (
        arguments[0][1:8, 2:9],
        arguments[0].t(),
        arguments[0][::2],
        arguments[0][:, ::3],
        arguments[0][:1].expand(4, 12),
    ):
        torch.testing.assert_close(layer(view, *arguments[1:]), by_torch(view, *arguments[1:]))


def test_numbers_serve_for_params() -> None:
    layer, arguments = convolution(F32), inputs(5, 6, dtype=torch.float32)
    torch.testing.assert_close(layer(arguments[0], gain=2, weights=arguments[1]), by_torch(*arguments[:2], 2))


def test_batches_of_params_are_one_number_each() -> None:
    layer, arguments = convolution(F64), inputs(3, 4, 5)
    gains = torch.tensor([0.5, 1.0, 2.0], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(layer, (*arguments[:2], gains))
    torch.testing.assert_close(layer(*arguments[:2], gains), by_torch(*arguments[:2], gains[:, None, None]))


def test_parameters_learn_in_the_memory_of_their_buffers() -> None:
    image, weights, bias = hl.ImageParam(F32, 2, "image"), np.zeros((3, 3), np.float32), hl.Param(F32, "bias", 0.0)
    learned, x, y = hl.Buffer(weights, "weights"), hl.Var("x"), hl.Var("y")
    f, r = hl.Func("f"), hl.RDom([(0, 3), (0, 3)], "r")
    f[x, y] = bias
    f[x, y] += image[x + r.x, y + r.y] * learned[r.x, r.y]
    layer = f.as_torch([image], [image.width() - 2, image.height() - 2], parameters=[learned, bias])
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.2)
    torch.manual_seed(0)
    expected = torch.tensor([[0.0, 1, 0], [1, -4, 1], [0, 1, 0]])
    photos = torch.randn(4, 12, 12)
    goal = torch.nn.functional.conv2d(photos[:, None], expected[None, None])[:, 0] + 0.25
    for _ in range(120):
        optimizer.zero_grad()
        loss = (layer(photos) - goal).square().mean()
        loss.backward()
        optimizer.step()
    assert loss.item() < 1e-4
    np.testing.assert_allclose(weights, expected, atol=0.02)
    assert abs(layer.bias.item() - 0.25) < 0.02 and set(layer.state_dict()) == {"weights", "bias"}


def test_several_outputs_tuples_and_integers() -> None:
    image, table, x = hl.ImageParam(F64, 1, "image"), hl.ImageParam(hl.Int(32), 1, "table"), hl.Var("x")
    f, g, total, r = hl.Func("f"), hl.Func("g"), hl.Func("total"), hl.RDom([(0, 3)], "r")
    f[x] = image[hl.clamp(table[x], 0, image.width() - 1)] * image[x]
    g[x] = (hl.sin(f[x]), f[x + 1] * 2)
    total[()] = hl.f64(0)
    total[()] += f[r]
    layer = hl.Pipeline([g, total]).as_torch([image, table], [[table.width() - 1], []])
    values, places = torch.tensor([0.5, 2.0, 3.0, 1.0], dtype=torch.float64), torch.tensor([1, 0, 0], dtype=torch.int32)
    values.requires_grad_()

    def expected(values: Any) -> Any:
        f = values[places.long()] * values[:3]
        return f[:2].sin(), f[1:] * 2, f.sum()

    torch.testing.assert_close(layer(values, places), expected(values))
    assert torch.autograd.gradcheck(lambda v: layer(v, places), values)
    assert torch.autograd.gradgradcheck(lambda v: layer(v, places), values)


def test_results_may_begin_anywhere() -> None:
    image, x = hl.ImageParam(F64, 1, "image"), hl.Var("x")
    f = hl.Func("f")
    f[x] = image[x - 1] * image[x + 1]
    layer = f.as_torch(sizes=[(1, image.width() - 2)])
    values = torch.arange(5, dtype=torch.float64, requires_grad=True)
    torch.testing.assert_close(layer(values), values[:-2] * values[2:])
    assert torch.autograd.gradcheck(layer, values)


def test_gradients_of_results_that_begin_anywhere_stay_inside_their_adjoints() -> None:
    """What a tap reads is x + r: the second gradient knows x only as the place minus r."""
    image, r, x, y = hl.ImageParam(F64, 2, "image"), hl.RDom([(-1, 3)], "r"), hl.Var("x"), hl.Var("y")
    f = hl.Func("f")
    f[x, y] = hl.f64(0)
    f[x, y] += image[x + r, y] * image[x, y - 1] * hl.f64(r + 2)
    layer = f.as_torch(sizes=[(1, image.width() - 2), (1, image.height() - 1)])
    values = torch.rand(2, 3, 4, dtype=torch.float64, requires_grad=True)
    rows = sum(values[:, 1:, at : at + 2] * (at + 1) for at in range(3))
    torch.testing.assert_close(layer(values), rows * values[:, :-1, 1:-1])
    assert torch.autograd.gradgradcheck(layer, values)


def test_a_scan_that_reads_two_elements_back_has_torchs_second_gradients() -> None:
    image, x, r = hl.ImageParam(F64, 1, "image"), hl.Var("x"), hl.RDom([(2, 4)], "r")
    f = hl.Func("f")
    f[x] = image[x]
    f[r] = image[r] * f[r - 1] + f[r - 2] * f[r - 2]
    layer = f.as_torch()

    def expected(values: Any) -> Any:
        rows = list(values[:2])
        for value in values[2:]:
            rows.append(value * rows[-1] + rows[-2] * rows[-2])
        return torch.stack(rows)

    def second(f: Callable[..., Any]) -> Any:
        values = torch.linspace(0.5, 1.5, 6, dtype=torch.float64, requires_grad=True)
        (first,) = torch.autograd.grad(f(values).sin().sum(), values, create_graph=True)
        return torch.autograd.grad(first.cos().sum(), values)[0]

    torch.testing.assert_close(second(layer), second(expected))


@pytest.mark.parametrize("batch", [0, 2])
def test_nothing_in_gives_nothing_out(batch: int) -> None:
    layer = convolution(F32)
    image = torch.zeros(batch, 1 if batch else 5, 6, requires_grad=True)
    weights = torch.ones(2, 3, requires_grad=True)
    layer(image, weights, 1.0).sum().backward()
    assert image.grad.shape == image.shape and not image.grad.any() and not weights.grad.any()


def test_the_users_schedule_serves_forward_and_stays() -> None:
    image, x, y = hl.ImageParam(F32, 2, "image"), hl.Var("x"), hl.Var("y")
    g, f = hl.Func("g"), hl.Func("f")
    g[x, y] = image[x, y] * image[x, y]
    f[x, y] = g[x, y] * g[x, y]
    g.compute_at(f, y)
    before = f.function.schedule, g.function.schedule
    layer = f.as_torch()
    values = torch.rand(4, 5, requires_grad=True)
    layer(values).sum().backward()
    torch.testing.assert_close(values.grad, 4 * values.detach() ** 3)
    assert (f.function.schedule, g.function.schedule) == before


def test_bounds_and_estimates_are_no_schedule_but_heeded() -> None:
    image, x = hl.ImageParam(F32, 1, "image"), hl.Var("x")
    f, g = hl.Func("f"), hl.Func("g")
    g[x] = image[x] * image[x]
    f[x] = g[x] + g[x]
    f.bound(x, 0, 4).set_estimates([(0, 4)])
    layer = f.as_torch([image])
    assert not is_scheduled([f])
    torch.testing.assert_close(layer(torch.ones(4)), torch.full((4,), 2.0))
    with pytest.raises(hl.PipecError, match="Bounds given for f.* do not cover"):
        layer(torch.ones(5))
    g.compute_root()
    assert is_scheduled([f])


@pytest.mark.slow
def test_schedules_may_be_searched() -> None:
    image, x, y = hl.ImageParam(F32, 2, "image"), hl.Var("x"), hl.Var("y")
    f = hl.Func("f")
    f[x, y] = image[x, y] * image[x, y]
    layer = f.as_torch(autoschedule=True)
    values = torch.rand(2, 40, 50, requires_grad=True)
    layer(values).sum().backward()
    torch.testing.assert_close(values.grad, 2 * values.detach())
    assert not f.function.schedule.directives


REFUSED = [
    ((torch.zeros(5, 6).double(), torch.zeros(2, 3), 1.0), r"image .*float32 .*\[batch, y, x\], not one of .*float64"),
    ((torch.zeros(6), torch.zeros(2, 3), 1.0), r"input image .* 1 dimensions, of shape \[6\]"),
    ((np.zeros((5, 6), np.float32), torch.zeros(2, 3), 1.0), "input image .* not ndarray"),
    ((torch.zeros(5, 6).to_sparse(), torch.zeros(2, 3), 1.0), "call .to_dense"),
    ((torch.zeros(2, 5, 6), torch.zeros(3, 2, 3), 1.0), "image and weights .* batches of 2 and 3"),
    ((torch.zeros(5, 1), torch.zeros(2, 3), 1.0), "extent -1: the inputs are too small"),
    ((torch.zeros(5, 6), torch.zeros(2, 2), 1.0), "weights is accessed at 2"),
    ((torch.zeros(5, 6), torch.zeros(2, 3)), r"takes the inputs \(image, weights, gain\)"),
]


@pytest.mark.parametrize("wrong, words", REFUSED, ids=range(len(REFUSED)))
def test_wrong_inputs_are_named(wrong: tuple[Any, ...], words: str) -> None:
    with pytest.raises(hl.PipecError, match=words):
        convolution(F32)(*wrong)


def test_wrong_lists_of_inputs_are_refused() -> None:
    image, other, x = hl.ImageParam(F32, 1, "image"), hl.ImageParam(F32, 2, "other"), hl.Var("x")
    f, whole = hl.Func("f"), hl.Func("whole")
    f[x] = image[x] * other[x, x]
    whole[x] = hl.i32(other[x, 0])
    moved, placed_image = hl.Buffer(np.ones(4, np.float32), "moved"), hl.ImageParam(F32, 1, "placed_image")
    moved.set_min([2])
    placed_image.dim(0).set_min(3)
    shifted, placed = hl.Func("shifted"), hl.Func("placed")
    shifted[x] = image[x] * moved[x + 2]
    placed[x] = placed_image[x]
    for make, words in (
        (lambda: f.as_torch([image]), "other is missing"),
        (lambda: f.as_torch([image, other, image]), "listed twice"),
        (lambda: f.as_torch([f, image, other]), "inputs are ImageParams"),
        (lambda: whole.as_torch(), "can't tell how large"),
        (lambda: f.as_torch(sizes=[3, 4]), "1 dimensions, but 2 sizes"),
        (lambda: f.as_torch([image], parameters=[other]), "has no Buffer to begin with"),
        (lambda: shifted.as_torch([image, moved]), "moved begins at 2; tensors begin at 0"),
        (lambda: placed.as_torch(), "placed_image begins at 3; tensors begin at 0"),
        (lambda: f.as_torch(sizes=[hl.select(image.width() > 2, 1, 2)])(torch.ones(3), torch.ones(3, 3)), "A size of"),
    ):
        with pytest.raises(hl.PipecError, match=words):
            make()


def test_what_has_no_derivative_is_refused_at_backward() -> None:
    image, x, r = hl.ImageParam(F32, 1, "image"), hl.Var("x"), hl.RDom([(0, 3)], "r")
    f = hl.Func("f")
    f[x] = image[x]
    f[r] = f[2 - r] * f[r] + image[r]
    values = torch.rand(3, requires_grad=True)
    result = f.as_torch()(values)
    with pytest.raises(hl.PipecError, match="can't be differentiated"):
        result.sum().backward()
