"""The ways to take a training step of one filter: in torch, pipec's layer included, and as two pipelines on arrays."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from bench.autodiff import filters, torch_filters
from bench.autodiff.pipelines import compiled_pipelines, input_images

Tensor = torch.Tensor


@dataclass(frozen=True)
class Way:
    """A step: `forward()` gives the output, `backward(output)` the gradients of all that learns."""

    forward: Callable[[], Any]
    backward: Callable[[Any], list[Tensor]]
    note: str | None = None


class Task:
    """A filter with its inputs, and with an adjoint of its output."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.inputs: list[Tensor] = torch_filters.example(name)
        self.learned = [at for at, tensor in enumerate(self.inputs) if tensor.requires_grad]
        with torch.no_grad():
            self.shape = torch_filters.FILTERS[name](*self.inputs).shape
        self.seed = torch.rand(self.shape, generator=torch.Generator().manual_seed(1))

    def in_torch(self, f: Callable[..., Tensor]) -> Way:
        learned = [self.inputs[at] for at in self.learned]
        return Way(lambda: f(*self.inputs), lambda output: list(torch.autograd.grad(output, learned, self.seed)))


def eager(task: Task) -> Way:
    return task.in_torch(torch_filters.FILTERS[task.name])


def inductor(task: Task) -> Way:
    return task.in_torch(torch.compile(torch_filters.FILTERS[task.name]))


def layer(task: Task) -> Way:
    f, inputs = filters.FILTERS[task.name](importlib.import_module("pipec"))
    return task.in_torch(f.as_torch(inputs, list(reversed(task.shape))))


def pipelines(module: str) -> Callable[[Task], Way]:
    """The forward pipeline and that of all gradients, called with arrays."""

    def make(task: Task) -> Way:
        hl = importlib.import_module(module)
        output = torch.empty(task.shape)
        gradients = [torch.empty(task.inputs[at].shape) for at in task.learned]
        place, *others = [hl.Buffer(tensor.numpy()) for tensor in (output, *gradients)]

        def way(margin: bool) -> Way:
            images = input_images(hl, [tensor.detach().numpy() for tensor in (*task.inputs, task.seed)], margin)
            forward, backward = compiled_pipelines(hl, task, images)

            def run_forward() -> Tensor:
                forward(place)
                return output

            def run_backward(_: Tensor) -> list[Tensor]:
                backward(*others)
                return gradients

            notes = ["its images have margins, beyond which its schedule reads"] if margin else []
            if module == "halide" and task.name in filters.WHEEL_NOTES:
                notes.append(filters.WHEEL_NOTES[task.name])
            return Way(run_forward, run_backward, "; ".join(notes) or None)

        result = way(False)
        try:
            result.backward(result.forward())
        except (RuntimeError, hl.HalideError) as error:
            if module == "pipec" or "is accessed at" not in str(error):
                raise
            return way(True)
        return result

    return make


WAYS: dict[str, Callable[[Task], Way]] = {
    "pipec": layer,
    "eager": eager,
    "compiled": inductor,
    "pipec pipelines": pipelines("pipec"),
    "wheel pipelines": pipelines("halide"),
}
# What runs in one process, in turn.
IN_TORCH = ("eager", "pipec", "compiled")
IN_ARRAYS = ("pipec pipelines", "wheel pipelines")
