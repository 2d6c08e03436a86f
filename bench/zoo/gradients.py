"""Gradients of the differentiable pipelines: pipelines of their own, with respect to the first image of floats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import ModuleType

import numpy as np

from apps.app import Algorithm, Array
from bench.zoo.entry import GRADIENT, Entry, Sizes, noise

ADJOINT = "adjoint"


def gradients(entries: Iterable[Entry]) -> list[Entry]:
    """The gradient of each differentiable entry."""
    return [gradient_of(entry) for entry in entries if entry.differentiable]


def learned_image(entry: Entry) -> str:
    """The image that the gradient is taken of: the first one of floats."""
    images = entry.inputs(entry.test_size)
    return next(name for name, array in images.items() if np.issubdtype(array.dtype, np.floating))


def gradient_of(entry: Entry) -> Entry:
    """The gradient of the output, weighted by the image `adjoint`, with respect to the first image of floats.

    Its output has the size of that image: `bench_size` and `test_size` stay those of the entry's output, which inputs
    are made for, and `Entry.output_size` gives the size of the gradient.
    """
    image = learned_image(entry)

    def build(hl: ModuleType) -> Algorithm:
        algorithm = entry.build(hl)
        output = algorithm.output
        adjoint = hl.ImageParam(output.type(), output.dimensions(), ADJOINT)
        ranges = [(adjoint.dim(d).min(), adjoint.dim(d).extent()) for d in range(output.dimensions())]
        seed = hl.BoundaryConditions.constant_exterior(adjoint, hl.cast(output.type(), 0))
        derivatives = hl.propagate_adjoints(output, seed, ranges)
        gradient = derivatives[algorithm.images[image]]
        return Algorithm(gradient, {**algorithm.images, ADJOINT: adjoint}, algorithm.params)

    def inputs(size: Sizes) -> dict[str, Array]:
        images = entry.inputs(size)
        return {**images, ADJOINT: noise(size[::-1], entry.dtype, -1, 1, seed=1)}

    def reference(images: Mapping[str, Array]) -> Array:
        raise NotImplementedError("gradients are compared with differences of the entry's reference")

    return replace(
        entry,
        name=entry.name + GRADIENT,
        kind="gradient",
        source=f"the derivative of {entry.name}",
        build=build,
        inputs=inputs,
        reference=reference,
        differentiable=False,
        hand=None,
        wheel="gradients are compared with the rules of Li 2018, which pipec has",
        output_size=lambda size: entry.inputs(size)[image].shape[::-1],
    )
