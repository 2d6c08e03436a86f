"""Small names of the API: VarOrRVar, ArgumentEstimates, install_dir."""

from pathlib import Path

import halide
import numpy as np
import pytest

import pipec


@pytest.fixture(params=[halide, pipec], ids=["wheel", "pipec"])
def hl(request):
    return request.param


def test_a_var_or_rvar_names_a_loop(hl):
    x, r = hl.Var("x"), hl.RDom([(0, 8)], "r")
    both = [hl.VarOrRVar(x), hl.VarOrRVar(r.x), hl.VarOrRVar(r), hl.VarOrRVar("q", True), hl.VarOrRVar("q", False)]
    assert [(v.name(), v.is_rvar) for v in both] == [
        ("x", False),
        ("r$x", True),
        ("r$x", True),
        ("q", True),
        ("q", False),
    ]
    assert both[0].var.name() == "x" and both[1].rvar.name() == "r$x"
    f = hl.Func("f")
    f[x] = x
    f[x] += r
    f.vectorize(both[0], 8).update().unroll(both[1], 2)
    assert np.asarray(f.realize([8])).tolist() == [x + 28 for x in range(8)]
    with pytest.raises(TypeError, match="incompatible constructor arguments"):
        hl.VarOrRVar("q")


def test_arguments_tell_estimates(hl):
    image, factor = hl.ImageParam(hl.Int(32), 2, "image"), hl.Param(hl.Int(32), "factor")
    factor.set_range(1, 9)
    factor.set_estimate(4)
    image.set_estimates([(0, 640), (2, 480)])
    f, x, y = hl.Func("f"), hl.Var("x"), hl.Var("y")
    f[x, y] = image[x, y] * factor
    of_image, of_factor = [argument.argument_estimates for argument in f.infer_arguments()]
    ends = [hl.evaluate(expr) for r in of_image.buffer_estimates for expr in (r.min, r.extent)]
    assert ends == [0, 640, 2, 480]
    numbers = [hl.evaluate(expr) for expr in (of_factor.scalar_min, of_factor.scalar_max, of_factor.scalar_estimate)]
    assert numbers == [1, 9, 4]


def test_install_dir_is_that_of_the_package(hl):
    assert Path(hl.install_dir()) == Path(hl.__file__).parent
