"""Bounds of coordinates that boundary conditions fold back: what lies inside of an image is not mirrored."""

import numpy as np
import pytest

from pipec.bounds.interval import Interval, IntervalAnalysis
from pipec.bounds.simplify import simplify
from pipec.func.functions.func import Func
from pipec.func.functions.var import Var
from pipec.func.math.boundary import BoundaryConditions
from pipec.ir.build import as_expr, constant
from pipec.ir.expr import Variable
from pipec.ir.types import INT32
from pipec.ir.walk import substitute

WIDTH = 20
KINDS = {"mirror_image": "symmetric", "mirror_interior": "reflect", "repeat_image": "wrap"}


def coordinate(kind):
    x = Var("x")
    source = Func("source")
    source[x] = x
    folded = getattr(BoundaryConditions, kind)(source, [(0, WIDTH)])
    (value,) = folded.function.stages[0].values
    return value.args[0], folded.function.stages[0].args[0].name


def read(kind, low, high):
    """The interval that is found for the coordinate when x is in [low, high]."""
    e, name = coordinate(kind)
    ends = Interval(Variable(INT32, "low"), Variable(INT32, "high"))
    result = IntervalAnalysis(lambda n: ends if n == name else None).of(e)
    values = {"low": as_expr(low, INT32), "high": as_expr(high, INT32)}
    return tuple(constant(simplify(substitute(end, values))) for end in result)


@pytest.mark.parametrize("kind", KINDS)
def test_inside_nothing_is_folded(kind):
    assert read(kind, 3, 9) == (3, 9)
    assert read(kind, 0, WIDTH - 1) == (0, WIDTH - 1)


@pytest.mark.parametrize("kind", ["mirror_image", "mirror_interior"])
def test_a_little_outside_is_mirrored_to_a_little_inside(kind):
    assert read(kind, -5, 2) == (0, 4 if kind == "mirror_image" else 5)
    assert read(kind, 17, 23) == (16 if kind == "mirror_image" else 15, 19)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("low, high", [(-50, -41), (-3, 25), (22, 70), (-21, -20), (19, 20), (40, 40)])
def test_all_that_is_read_lies_within_the_bounds(kind, low, high):
    reach = 80
    places = np.pad(np.arange(WIDTH), reach, mode=KINDS[kind])[reach + low : reach + high + 1]
    least, most = read(kind, low, high)
    assert 0 <= least <= places.min() and places.max() <= most < WIDTH
