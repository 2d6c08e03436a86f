"""Layers made by as_torch are pickled, saved, deep-copied and averaged."""

from __future__ import annotations

import copy
import io
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import pipec as hl

pytestmark = pytest.mark.torch


def _saved(layer: Any) -> Any:
    file = io.BytesIO()
    torch.save(layer, file)
    file.seek(0)
    return torch.load(file, weights_only=False)


COPIES: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda layer: pickle.loads(pickle.dumps(layer)),
    "deepcopy": copy.deepcopy,
    "torch.save": _saved,
}
x, y, c = hl.vars("x y c")


def scaled(sizes: bool = False) -> torch.nn.Module:
    """A convolution whose kernel, offset and gain are learned: an ImageParam, a Buffer and a Param."""
    image, kernel = hl.ImageParam(hl.Float(32), 1, "image"), hl.ImageParam(hl.Float(32), 1, "kernel")
    offset, gain = hl.Buffer(np.array([0.5, 1.5], np.float32), "offset"), hl.Param(hl.Float(32), "gain", 2.0)
    kernel.set(np.array([1, 2, 1], np.float32))
    f, r = hl.Func("f"), hl.RDom([(0, 3)], "r")
    f[x] = offset[x % 2]
    f[x] += image[x + r] * kernel[r] * gain
    extents = [image.width() - 2]
    return f.as_torch([image], [extents] if sizes else extents, parameters=[kernel, offset, gain])


@pytest.mark.part(2)
@pytest.mark.parametrize("duplicate", COPIES.values(), ids=COPIES)
def test_copies_compute_the_same_and_learn_apart(duplicate: Callable[[Any], Any]) -> None:
    layer = scaled()
    row = torch.arange(6.0)
    before = layer(row)
    twin = duplicate(layer)
    assert torch.equal(twin(row), before)
    optimizer = torch.optim.SGD(twin.parameters(), lr=0.1)
    twin(row).sum().backward()
    optimizer.step()
    assert not torch.equal(twin(row), before) and torch.equal(layer(row), before)
    assert [n for n, _ in twin.named_parameters()] == ["kernel", "offset", "gain"]


@pytest.mark.parametrize("duplicate", COPIES.values(), ids=COPIES)
def test_trained_values_and_attributes_go_along(duplicate: Callable[[Any], Any]) -> None:
    layer = scaled()
    with torch.no_grad():
        layer.kernel.mul_(3)
        layer.gain.fill_(5)
    layer.offset.requires_grad_(False)
    layer.eval()
    layer.note = "own"
    twin = duplicate(layer)
    assert twin.note == "own" and not twin.training and not twin.offset.requires_grad
    for name, value in layer.named_parameters():
        assert torch.equal(getattr(twin, name), value)
    assert torch.equal(twin(torch.arange(6.0)), layer(torch.arange(6.0)))
    assert twin.state_dict().keys() == layer.state_dict().keys()


def test_a_layer_inside_of_a_model_is_averaged() -> None:
    model = torch.nn.Sequential(scaled(), torch.nn.Linear(4, 1))
    averaged = torch.optim.swa_utils.AveragedModel(model)
    row = torch.arange(6.0)
    start = model[0].gain.item()
    averaged.update_parameters(model)
    with torch.no_grad():
        model[0].gain.add_(2.0)
    averaged.update_parameters(model)
    assert averaged.module[0].gain.item() == pytest.approx(start + 1.0)
    assert averaged(row).shape == model(row).shape


def test_a_copy_of_a_copy() -> None:
    layer = scaled()
    twin = copy.deepcopy(pickle.loads(pickle.dumps(layer)))
    assert torch.equal(twin(torch.arange(6.0)), layer(torch.arange(6.0)))
