"""select, mux, min, max, clamp and lerp."""

import numpy as np
import pytest

import pipec as hl
from pipec.errors import DefinitionError

x, y = hl.vars("x y")


def test_select_takes_the_first_condition_that_holds():
    f = hl.Func("f")
    f[x] = hl.select(x < 1, 10, x < 2, 20, 30)
    assert list(f.realize([3])) == [10, 20, 30]


def test_only_constant_ints_adapt_in_select():
    assert hl.select(x > 3, hl.u8(x), 5).type() == hl.select(x > 3, 5, hl.u8(x)).type() == hl.UInt(8)
    for other in (y, 5.5):
        with pytest.raises(DefinitionError, match="do not have a matching type"):
            hl.select(x > 3, hl.u8(x), other)


def test_select_of_tuples():
    assert [e.type() for e in hl.select(x > 3, (x, 0.5), (y, 1.5))] == [hl.Int(32), hl.Float(32)]
    a, b = hl.select((x > 3, y > 3), (x, y), (y, x))
    assert str(a.node.condition) == "x > 3" and str(b.node.condition) == "y > 3"
    with pytest.raises(DefinitionError, match="may not mix Expr and Tuple for the condition elements"):
        hl.select(x > 3, (x, y), (y > 3, x > 3), (y, x), (x, x))
    with pytest.raises(DefinitionError, match="requires all Tuples to have identical sizes"):
        hl.select(x > 3, (x, y), (y,))


def test_mux_picks_the_last_value_when_out_of_range():
    cases = [(count, kind) for count in (1, 3, 5, 9) for kind in (hl.Int(32), hl.Int(64), hl.UInt(8))]
    f = hl.Func("f")
    f[x] = tuple(hl.mux(hl.cast(kind, x - 2), [7 * i for i in range(count)]) for count, kind in cases)
    for (count, _), result in zip(cases, f.realize([14]), strict=True):
        # -2 and -1 are out of range as well, also when an unsigned type wraps them.
        expected = [i if 0 <= i < count else count - 1 for i in range(-2, 12)]
        assert np.asarray(result).tolist() == [7 * i for i in expected]


def test_extremes_promote_and_take_two_or_more():
    assert hl.min(hl.u8(x), 3).type() == hl.Int(32) and hl.max(x, 2.5, y).type() == hl.Float(32)
    with pytest.raises(ValueError, match="at least 2 arguments"):
        hl.min(x)


def test_clamp_keeps_the_type_of_its_first_argument():
    assert hl.clamp(hl.u8(x), 0, 10).type() == hl.UInt(8)
    assert hl.clamp(x, hl.u8(0), hl.i64(y)).type() == hl.Int(32)
    assert hl.clamp(hl.Expr(5), 7, 3).node.value == 7
    with pytest.raises(DefinitionError, match="Type mismatch in call to clamp"):
        hl.clamp(hl.i8(x), 0, 255)


def test_lerp_of_bytes_is_rounded_to_nearest():
    a, b, w = np.meshgrid(np.arange(0, 256, 5), np.arange(0, 256, 17), np.arange(256), indexing="ij")
    buffers = [hl.Buffer(np.ascontiguousarray(v, np.uint8).ravel()) for v in (a, b, w)]
    f = hl.Func("f")
    f[x] = hl.lerp(*[buffer[x] for buffer in buffers])
    exact = (a * (255 - w) + b * w) / 255
    assert np.array_equal(np.asarray(f.realize([a.size])), np.rint(exact).ravel())


def test_lerp_of_signed_values():
    f = hl.Func("f")
    f[x] = hl.lerp(hl.i8(-128), hl.i8(127), hl.u8(x))
    assert np.asarray(f.realize([256])).tolist() == list(range(-128, 128))


def test_lerp_refuses_unfit_operands():
    for wrong, words in (
        ((hl.u8(x), hl.u16(y), hl.u8(x)), "Can't lerp between"),
        ((hl.u8(x), hl.u8(y), hl.i8(x)), "A lerp weight must be an unsigned integer or a float"),
        ((hl.u8(x), hl.u8(y), 1.5), "not in the range"),
    ):
        with pytest.raises(DefinitionError, match=words):
            hl.lerp(*wrong)
