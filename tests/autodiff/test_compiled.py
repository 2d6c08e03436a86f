"""Gradients as machine code: as the definitions say, as the halide wheel's, inside the image and around it."""

from __future__ import annotations

from typing import Any

import halide
import numpy as np
import pytest
from gradient_programs import PROGRAMS, Program

import pipec as hl
from pipec.func.functions.evaluate import interpret
from pipec.func.functions.freeze import freeze

# The wheel takes seconds to compile these; central differences look at them as at all others.
LONG = {"repeat_image", "mirror_image", "mirror_interior"}
WHEEL = [name for name, program in PROGRAMS.items() if program.wheel and name not in LONG]


def seed_of(program: Program) -> np.ndarray:
    return np.random.default_rng(5).standard_normal(tuple(reversed(program.sizes))).astype(np.float32)


def gradients(hl: Any, program: Program) -> list[np.ndarray]:
    """The gradients of a program with respect to its images, over the images."""
    images = [hl.Buffer(image).copy() for image in program.images]
    f = program.make(hl, *images)
    if program.sizes:
        weights, r = hl.Buffer(seed_of(program)).copy(), hl.RDom([(0, size) for size in program.sizes], "all")
        place = tuple([r[at] for at in range(len(program.sizes))])
        loss = hl.Func("loss")
        loss[()] = 0.0
        loss[()] += f[place] * weights[place]
        f = loss
    d = hl.propagate_adjoints(f)
    return [np.asarray(d[b].realize(list(reversed(i.shape)))) for b, i in zip(images, program.images, strict=True)]


@pytest.mark.part(5)
@pytest.mark.filterwarnings("ignore:The floating-point value")
@pytest.mark.parametrize("name", WHEEL)
def test_the_gradient_is_that_of_the_wheel(name: str) -> None:
    program = PROGRAMS[name]
    for mine, theirs in zip(gradients(hl, program), gradients(halide, program), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=2e-4, atol=2e-4)


SOME = ["pooled", "repeat_edge", "tuple_scan", "largest_of_four", "sheared"]


@pytest.mark.parametrize("name", SOME)
@pytest.mark.part(3)
def test_machine_code_computes_what_the_definitions_say(name: str) -> None:
    """Also around the image, where the gradient is zero."""
    program = PROGRAMS[name]
    images = [hl.Buffer(image.copy(), f"image{at}") for at, image in enumerate(program.images)]
    f = program.make(hl, *images)
    adjoint = hl.Buffer(seed_of(program), "seed")
    for image, g in zip(images, hl.grad(f, images, adjoint), strict=True):
        definition, bindings = freeze([g.function])
        inputs = {key: (np.asarray(buffer).T, (0,) * buffer.dimensions()) for key, buffer in bindings.items()}
        box = [(-2, image.dim(d).extent() + 4) for d in range(image.dimensions())]
        out = hl.Buffer(hl.Float(32), [extent for _, extent in box])
        out.set_min([low for low, _ in box])
        try:
            g.realize(out)
        except hl.PipecError as error:
            # Only the image itself may be read at the place of its gradient.
            assert image.name() in str(error)
            box = [(0, image.dim(d).extent()) for d in range(image.dimensions())]
            out = g.realize([extent for _, extent in box])
        expected = interpret(definition, inputs, {}, {g.name(): tuple(box)})[g.name()]
        np.testing.assert_allclose(np.asarray(out).T, expected, rtol=1e-4, atol=1e-5)
