"""Param, ImageParam and OutputImageParam: values, properties, constraints."""

import numpy as np
import pytest

from pipec.errors import ArgumentError, PipecError
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.param import ImageParam, OutputImageParam, Param, Parameter
from pipec.func.functions.var import Var, _
from pipec.func.math.expr import Expr
from pipec.ir.expr import ImageCall
from pipec.ir.types import Bool, Float, Handle, Int, UInt


def test_forms():
    assert repr(Param(Int(32), "p")) == "<halide.Param 'p' type int32>"
    assert Param(Int(32), "p", 3).get() == 3 and Param(Int(32), 3).get() == 3
    assert Param(Int(32)).get() is None and Param(Handle(), "h").type() == Handle()
    assert repr(Param(Bool(), "p", True)) == "<halide.Param 'p' type bool>"
    for wrong in ((Int(32), "p", "q"), (Int(32), "p", 3, 0, 10), ("p",), (Int(32), "p", Var("x"))):
        with pytest.raises(TypeError, match="incompatible constructor arguments"):
            Param(*wrong)


@pytest.mark.parametrize(
    ("kind", "value"),
    [(UInt(8), 300), (UInt(8), -1), (Int(32), 0.5), (Float(32), 2**24 + 1), (Bool(), 2), (UInt(64), 2**64)],
)
def test_values_must_be_exact(kind, value):
    with pytest.raises(ArgumentError, match="cannot be losslessly converted to type"):
        Param(kind, "p", value)


def test_floats_are_rounded_and_whole_numbers_converted():
    assert Param(Float(32), 0.1).get() == np.float32(0.1)
    assert Param(Float(64), 0.1).get() == 0.1
    assert Param(Float(16), 0.5).get() == 0.5
    p = Param(Int(32), 1.0)
    assert p.get() == 1 and isinstance(p.get(), int)
    p.set(np.int64(7))
    assert p.get() == 7


def test_a_param_is_an_operand():
    p = Param(Int(32), "p")
    assert str((p + 1).node) == "p + 1" and (1 - p).type() == Int(32)
    assert bool(p) and p.parameter().name() == "p"
    with pytest.raises(TypeError):
        hash(p)


def test_ranges_are_exprs():
    p = Param(Int(32), "p")
    assert not p.min_value().defined()
    p.set_range(0, 10)
    assert str(p.min_value().node) == "0" and str(p.max_value().node) == "10"
    with pytest.raises(ArgumentError, match="cannot be losslessly converted"):
        p.set_estimate(3.5)


def test_image_params_make_exprs():
    x, y = Var("x"), Var("y")
    image = ImageParam(UInt(8), 2, "i")
    e = image[x, y + 1]
    assert isinstance(e.node, ImageCall) and e.node.image is image.parameter() and e.type() == UInt(8)
    assert image[_].node is image[Var("_0"), Var("_1")].node
    with pytest.raises(PipecError, match="was called with 1 arguments, but was defined with 2"):
        image[x]
    with pytest.raises(PipecError, match="Implicit cast from float32 to int in argument 1"):
        image[1.5, x]


def test_properties_are_exprs():
    image = ImageParam(UInt(8), 2, "i")
    assert [str(e.node) for e in (image.width(), image.height(), image.left(), image.top())] == [
        "i.extent.0",
        "i.extent.1",
        "i.min.0",
        "i.min.1",
    ]
    assert str(image.right().node) == "i.min.0 + i.extent.0 - 1"
    assert str(image.dim(1).stride().node) == "i.stride.1"
    with pytest.raises(ArgumentError, match="channels of an image with fewer than three dimensions"):
        image.channels()
    with pytest.raises(ArgumentError, match="Can't access dimension 5 of a 2-dimensional"):
        image.dim(5)


def texts(image):
    return [tuple(None if c is None else str(c) for c in triple) for triple in image.parameter().constraints()]


def test_constraints():
    image, p = ImageParam(UInt(8), 2), Param(Int(32), "p")
    assert texts(image) == [(None, None, "1"), (None, None, None)]
    image.dim(0).set_stride(3).set_bounds(0, p * 2).dim(1).set_min(4)
    assert texts(image) == [("0", "p * 2", "3"), ("4", None, None)]
    image.dim(0).set_stride(Expr())
    assert texts(image)[0][2] is None


def test_constraints_depend_on_params_only():
    image = ImageParam(UInt(8), 1)
    with pytest.raises(PipecError, match="may depend on Params and constants only"):
        image.dim(0).set_extent(Var("x"))
    with pytest.raises(PipecError, match="must be an int32"):
        image.dim(0).set_extent(0.5)


def test_buffers_are_set_and_got():
    image, b = ImageParam(UInt(8), 2, "i"), Buffer(UInt(8), [2, 2])
    assert not image.get().defined()
    image.set(b)
    assert image.get() is b
    image.set(np.zeros((3, 4), np.uint8))
    assert image.get().width() == 4
    image.reset()
    assert not image.get().defined()
    with pytest.raises(ArgumentError, match="Can't bind ImageParam i of type uint8 to Buffer .* of type int32"):
        image.set(Buffer(Int(32), [2, 2]))
    with pytest.raises(TypeError, match="incompatible function arguments"):
        image.set([[1, 2]])


def test_estimates():
    image = ImageParam(UInt(8), 2, "i")
    image.set_estimates([(0, 10), (1, 20)])
    assert str(image.parameter().shape_estimate("extent", 1)) == "20"
    with pytest.raises(ArgumentError, match="ImageParam i has 2 dimensions, but the estimates"):
        image.set_estimates([(0, 10)])


def test_host_alignment_is_a_power_of_two():
    image = ImageParam(UInt(8), 1)
    assert image.host_alignment() == 1 and image.set_host_alignment(16).host_alignment() == 16
    with pytest.raises(ArgumentError, match="power of two"):
        image.set_host_alignment(3)


def test_texts():
    assert repr(ImageParam()) == "<halide.ImageParam ImageParam()>"
    assert repr(OutputImageParam()) == "<halide.OutputImageParam OutputImageParam()>"
    assert repr(ImageParam(UInt(16), 2, "input")) == "<halide.ImageParam 'input', dims: 2, type: uint16>"
    assert not ImageParam().defined()


def test_parameters_can_be_constructed_by_hand():
    p = Parameter(UInt(8), True, 2, "p")
    assert (p.name(), p.type(), p.dimensions(), p.is_buffer()) == ("p", UInt(8), 2, True)
    assert Parameter(p).same_as(p) and not Parameter().defined()
    q = Parameter(Int(32), False, 0)
    q.set_scalar(5)
    assert q.scalar() == 5 and str(q.scalar_expr().node) == "5"
