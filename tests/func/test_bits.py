"""extract_bits and concat_bits, for all types and for positions inside and outside of the value."""

import numpy as np
import pytest

import pipec as hl

x, y = hl.vars("x y")
POSITIONS = np.arange(-70, 71)
BITS = np.random.default_rng(0).integers(-(1 << 63), 1 << 63, 40)
TYPES = [hl.UInt(8), hl.UInt(16), hl.Int(16), hl.Int(32), hl.UInt(64), hl.Float(32)]


def with_bits(kind, bits):
    """The lowest bits as a value of this type."""
    return hl.reinterpret(kind, hl.cast(hl.UInt(kind.bits()), bits))


def extracted(bits, width, position, result):
    """Bits of the Python integer `bits`, zero outside of it, as an unsigned integer."""
    bits &= (1 << width) - 1
    return (bits >> position if position >= 0 else bits << -position) & ((1 << result) - 1)


@pytest.mark.part(8)
@pytest.mark.parametrize("lanes", [1, 8])
@pytest.mark.parametrize("position", [hl.Int(8), hl.Int(32), hl.Int(64), hl.UInt(8), hl.UInt(32)], ids=str)
@pytest.mark.parametrize("result", TYPES, ids=str)
@pytest.mark.part(3)
def test_bits_outside_of_the_value_are_zero(result, position, lanes):
    positions = POSITIONS if position.is_int() else POSITIONS[POSITIONS >= 0]
    f = hl.Func()
    start = hl.cast(position, hl.Buffer(positions)[y])
    actual = [hl.extract_bits(result, with_bits(kind, hl.Buffer(BITS)[x]), start) for kind in TYPES]
    f[x, y] = tuple(
        hl.u64(with_bits(hl.UInt(result.bits()), hl.reinterpret(hl.UInt(result.bits()), e))) for e in actual
    )
    f.vectorize(x, lanes)
    for kind, values in zip(TYPES, f.realize([len(BITS), len(positions)]), strict=True):
        expected = [[extracted(int(bits), kind.bits(), int(at), result.bits()) for bits in BITS] for at in positions]
        assert np.asarray(values).tolist() == expected, f"{kind} at {position}"


@pytest.mark.part(3)
@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_positions_that_are_numbers(kind):
    f = hl.Func()
    values = [hl.extract_bits(hl.UInt(16), with_bits(kind, hl.Buffer(BITS)[x]), int(at)) for at in POSITIONS]
    f[x, y] = hl.mux(y, values)
    expected = [[extracted(int(bits), kind.bits(), int(at), 16) for bits in BITS] for at in POSITIONS]
    assert np.asarray(f.realize([len(BITS), len(POSITIONS)])).tolist() == expected


def test_all_bits_come_back():
    halves = [hl.extract_bits(hl.UInt(8), hl.u32(0x12345678), 8 * part) for part in range(4)]
    assert hl.evaluate(hl.concat_bits(halves)) == 0x12345678


@pytest.mark.parametrize("wrong", [0.5, hl.f32(x)])
def test_a_position_is_an_integer(wrong):
    with pytest.raises(hl.HalideError, match="position in extract_bits must be an integer"):
        hl.extract_bits(hl.UInt(8), hl.u32(x), wrong)


def test_brain_floats_have_no_wider_type():
    with pytest.raises(hl.HalideError, match="concat_bits of bfloat16"):
        hl.concat_bits([hl.cast(hl.BFloat(16), x)] * 2)
