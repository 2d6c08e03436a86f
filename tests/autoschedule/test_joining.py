"""The gradient of a parameter is summed where that of the image evaluates the same functions."""

from __future__ import annotations

import numpy as np

import pipec as hl
from pipec.autodiff.backward import callees_first
from pipec.autoschedule.li2018.schedule import default_schedule
from pipec.func.functions.evaluate import interpret
from pipec.func.functions.freeze import freeze

SIZE = [(0, 40), (0, 30)]
IMAGE = np.random.default_rng(2).random((30, 40), np.float32)


def gradients(weight: str) -> list[hl.Func]:
    """Of an image that is averaged with weights that depend on differences, and of their sharpness."""
    x, y = hl.vars("x y")
    image = hl.Buffer(IMAGE, "image")
    sharpness = hl.Param(hl.Float(32), "sharpness", 3.0)
    near = hl.BoundaryConditions.repeat_edge(image)
    r = hl.RDom([(-1, 3)], "r")
    difference = near[x + r.x, y] - near[x, y]
    square = difference * difference * sharpness
    f = hl.Func("f")
    f[x, y] = 0.0
    f[x, y] += near[x + r.x, y] * (hl.exp(-square) if weight == "exp" else square)
    return hl.grad(f, [image, sharpness], bounds=SIZE)


def scheduled(weight: str) -> list[hl.Func]:
    result = gradients(weight)
    sizes = {result[0].name(): SIZE, result[1].name(): []}
    default_schedule([func.function for func in result], sizes=sizes, threads=2)
    return result


def tuples(funcs: list[hl.Func]) -> int:
    return sum(len(function.types) == 2 for function in callees_first(funcs[1].function))


def test_the_sum_of_a_parameter_is_a_value_of_the_adjoint_of_the_image() -> None:
    assert (tuples(gradients("exp")), tuples(scheduled("exp"))) == (0, 1)


def test_sums_that_take_no_functions_stay_apart() -> None:
    assert tuples(scheduled("square")) == 0


def values(funcs: list[hl.Func]) -> list[np.ndarray]:
    """What the definitions say, whatever the schedule."""
    boxes = {funcs[0].name(): tuple(SIZE), funcs[1].name(): ()}
    definition, bindings = freeze([func.function for func in funcs])
    inputs = {name: (IMAGE.T, (0, 0)) for name, bound in bindings.items() if isinstance(bound, hl.Buffer)}
    result = interpret(definition, inputs, dict.fromkeys(definition.scalars, 3.0), boxes)
    return [result[func.name()] for func in funcs]


def test_joined_gradients_have_the_same_values() -> None:
    for result, expected in zip(values(scheduled("exp")), values(gradients("exp")), strict=True):
        np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-5)
