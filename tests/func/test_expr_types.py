"""Types of expressions: promotion, literals, and the nodes that operators build."""

import warnings

import numpy as np
import pytest

import pipec as hl
from pipec.errors import DefinitionError
from pipec.ir.expr import Add, Cast, Const, Intrinsic, Not

x, y = hl.vars("x y")


def as_type(kind, name="x"):
    return hl.cast(kind, hl.Var(name))


@pytest.mark.parametrize(
    ("a", "b", "result"),
    [
        (hl.UInt(8), hl.UInt(16), hl.UInt(16)),
        (hl.UInt(32), hl.Int(8), hl.Int(32)),
        (hl.UInt(8), hl.Int(16), hl.Int(16)),
        (hl.Int(64), hl.Float(32), hl.Float(32)),
        (hl.Float(32), hl.Float(64), hl.Float(64)),
        (hl.Bool(), hl.Bool(), hl.Bool()),
        (hl.Bool(), hl.UInt(8), hl.UInt(8)),
    ],
    ids=str,
)
def test_operands_are_promoted_to_one_type(a, b, result):
    for e in (as_type(a) + as_type(b, "y"), as_type(b) + as_type(a, "y")):
        assert e.type() == result
        assert e.node.a.type is e.node.b.type is result
    compared = as_type(a) < as_type(b, "y")
    assert compared.type() == hl.Bool() and compared.node.a.type is result


def test_comparing_int32_with_uint8_casts_only_the_narrow_side():
    node = (x == hl.u8(y)).node
    assert node.a is x.node and isinstance(node.b, Cast) and node.b.type is hl.Int(32)


@pytest.mark.parametrize(
    ("value", "kind"),
    [(1, hl.Int(32)), (2**31, hl.Int(64)), (True, hl.Bool()), (0.5, hl.Float(32)), (np.float64(0.5), hl.Float(32))],
)
def test_a_number_alone_has_its_own_type(value, kind):
    assert hl.Expr(value).type() == kind


@pytest.mark.parametrize("kind", [hl.UInt(8), hl.Int(16), hl.UInt(64), hl.Float(32), hl.Float(64)], ids=str)
def test_an_int_beside_an_expr_takes_its_type(kind):
    for e in (as_type(kind) + 7, 7 + as_type(kind), as_type(kind) + np.uint8(7)):
        assert e.type() == kind
        assert Const(kind, 7) in (e.node.a, e.node.b)


@pytest.mark.parametrize("number", [300, -1, 256])
def test_an_int_that_does_not_fit_the_other_operand_is_refused(number):
    for make in (lambda: hl.u8(x) + number, lambda: number * hl.u8(x), lambda: hl.u8(x) > number):
        with pytest.raises(
            DefinitionError, match=f"Integer constant {number} will be implicitly coerced to type uint8"
        ):
            make()


def test_an_int_beyond_int32_promotes_to_int64():
    assert (x + 2**31).type() == hl.Int(64)
    assert (hl.u8(x) + 2**40).type() == hl.Int(64)


def test_a_float_is_float32_also_beside_float64_and_float16():
    assert (as_type(hl.Float(16)) + 0.5).type() == hl.Float(32)
    assert (as_type(hl.Float(64)) + 0.5).type() == hl.Float(64)
    assert (hl.u8(x) + 0.5).type() == hl.Float(32)
    assert hl.f64(0.1).node is Const(hl.Float(64), 0.1)


@pytest.mark.parametrize("number", [16777217.0, 123456789.0, 1e300, -1e40, 1e-50])
def test_digits_that_float32_loses_are_warned_about(number):
    with pytest.warns(RuntimeWarning, match="lose precision") as caught:
        x + number
    assert caught[0].filename == __file__


@pytest.mark.parametrize("number", [0.75, 0.1, 1e-3, 2 * np.pi, 1 / 3, np.sqrt(2.0), np.exp(-30), 2.0**127, np.inf])
def test_constants_that_are_rounded_as_usual_are_not_warned_about(number):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x * number + hl.f64(1e300)


def test_bit_operations_need_one_signedness():
    assert (hl.u8(x) & 15).node is Intrinsic(hl.UInt(8), "bitwise_and", (hl.u8(x).node, Const(hl.UInt(8), 15)))
    with pytest.raises(DefinitionError, match="must be both be signed or both be unsigned"):
        x & hl.u8(y)
    with pytest.raises(DefinitionError, match="must be an integer or unsigned integer"):
        x ^ 1.5
    assert isinstance((~(x > 3)).node, Not) and ((x > 3) & (y > 3)).type() == hl.Bool()


def test_shift_counts_keep_their_sign_and_take_the_bits_of_the_value():
    node = (hl.u8(x) >> hl.i16(y)).node
    assert node.type is hl.UInt(16) and node.args[1].type is hl.Int(16)
    assert (hl.i8(x) << 2).node.args[1] is Const(hl.UInt(8), 2)
    assert (x << -2).node is (x >> 2).node


def test_power_with_an_int_stays_in_the_type_and_is_pow_otherwise():
    assert (x**3).node is ((x * x) * x).node
    assert (hl.u8(x) ** 2).type() == hl.UInt(8)
    for e in (2**x, x**0.5, x**y, hl.pow(x, 2.0)):
        assert e.type() == hl.Float(32) and e.node.name == "pow"
    assert (x**-2).node is (1 / (x * x)).node


def test_division_of_floats_by_two_slashes_is_floored():
    assert (x // 2).node is (x / 2).node
    assert (x // 2.0).node is hl.floor(x / 2.0).node


def test_constants_are_computed_and_may_not_overflow():
    assert (hl.Expr(7) / -2).node.value == -3 and (hl.Expr(-7) % -3).node.value == 2
    assert (hl.u8(200) + hl.u8(100)).node.value == 44
    assert (hl.i32(5) / 0).node.value == 0
    with pytest.raises(DefinitionError, match="Signed integer overflow occurred during constant-folding"):
        hl.Expr(2**31 - 1) + 1


def test_casts_of_constants():
    assert [hl.u8(v).node.value for v in (300, -1, 3.7)] == [44, 255, 3]
    assert [hl.cast(hl.Bool(), v).node.value for v in (2, 3, 0.5)] == [0, 1, 0]
    assert hl.cast(hl.Int(32), x).node is x.node
    assert hl.u8_sat(hl.Expr(300)).node.value == 255


def test_an_expr_has_no_truth_value_and_no_hash():
    with pytest.raises(ValueError, match="cannot be converted to a bool"):
        bool(x + 1)
    for operand in (x, x + 1):
        with pytest.raises(TypeError, match="unhashable"):
            hash(operand)
    assert bool(x)


def test_numpy_arrays_apply_element_by_element():
    for result in (x + np.array([1, 2]), np.array([1, 2]) + x):
        assert result.shape == (2,) and all(isinstance(e, hl.Expr) for e in result)
    assert isinstance(np.int64(5) * x, hl.Expr) and isinstance(x + np.array(3), hl.Expr)
    assert isinstance((np.float32(0.5) * x).node.a, Const)


def test_other_objects_are_no_operands():
    for other in ("a", None, [1], 1j):
        with pytest.raises(TypeError, match="unsupported operand"):
            x + other


def test_reprs():
    assert repr(x) == "<halide.Var 'x'>"
    assert repr(x > 1) == "<halide.Expr of type bool: x > 1>"
    assert isinstance((x + y).node, Add)
