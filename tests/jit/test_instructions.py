"""Integer idioms of image code reach the instructions made for them, written out or by their operators."""

import numpy as np
import pytest

import pipec as hl
from pipec.jit.llvm.machine import host

pytestmark = pytest.mark.skipif("+avx512bw" not in host().features, reason="the names are those of AVX-512")

U8, I8, U16, I16, I32 = hl.UInt(8), hl.Int(8), hl.UInt(16), hl.Int(16), hl.Int(32)

# What is computed of a and b (of one type), and the instruction that it must come to.
IDIOMS = {
    "saturating sum": (U8, lambda a, b: hl.saturating_add(a, b), "vpaddusb"),
    "saturating sum, written out": (U8, lambda a, b: hl.u8(hl.min(hl.u16(a) + hl.u16(b), 255)), "vpaddusb"),
    "saturating sum of i16": (I16, lambda a, b: hl.i16_sat(hl.i32(a) + hl.i32(b)), "vpaddsw"),
    "saturating difference": (U8, lambda a, b: hl.saturating_sub(a, b), "vpsubusb"),
    "saturating difference, written out": (U8, lambda a, b: hl.u8(hl.max(hl.i16(a) - hl.i16(b), 0)), "vpsubusb"),
    "saturating cast": (I16, lambda a, b: hl.u8_sat(a), "vpmovuswb|vpackuswb"),
    "saturating cast to i8": (I16, lambda a, b: hl.i8_sat(a), "vpmovswb|vpacksswb"),
    "mean, rounded up": (U8, lambda a, b: hl.rounding_halving_add(a, b), "vpavgb"),
    "mean, rounded up, written out": (U8, lambda a, b: hl.u8((hl.u16(a) + hl.u16(b) + 1) >> 1), "vpavgb"),
    "mean of u16": (U16, lambda a, b: hl.u16((hl.u32(a) + hl.u32(b) + 1) / 2), "vpavgw"),
    "absolute difference": (U8, lambda a, b: hl.absd(a, b), "vpsubusb|vpminub"),
    "absolute difference, written out": (U8, lambda a, b: hl.u8(hl.abs(hl.i16(a) - hl.i16(b))), "vpsubusb|vpminub"),
    "upper half of products": (U16, lambda a, b: hl.mul_shift_right(a, b, 16), "vpmulhuw"),
    "upper half of products, written out": (I16, lambda a, b: hl.i16((hl.i32(a) * hl.i32(b)) >> 16), "vpmulhw"),
    "product of fractions": (I16, lambda a, b: hl.rounding_mul_shift_right(a, b, 15), "vpmulhrsw"),
    "sum of two products": (I16, lambda a, b: hl.i32(a) * 25 + hl.i32(b) * -7, "vpmaddwd"),
    "u8 * 3 in 16 bits": (U8, lambda a, b: hl.u8((hl.i32(a) * 3 + hl.i32(b)) / 4), "vpaddw|vpmullw"),
    "quotient by a constant": (U16, lambda a, b: a / 3, "vpmulhuw"),
}


def assembly(func, arguments, folder):
    path = folder / "f.s"
    func.compile_to_assembly(str(path), arguments, "f")
    return path.read_text()


@pytest.mark.part(3)
@pytest.mark.parametrize("name", IDIOMS)
def test_an_idiom_reaches_its_instruction(name, tmp_path):
    kind, value, expected = IDIOMS[name]
    a, b, x, func = hl.ImageParam(kind, 1, "a"), hl.ImageParam(kind, 1, "b"), hl.Var("x"), hl.Func("f")
    func[x] = value(a[x], b[x])
    func.vectorize(x, 64)
    text = assembly(func, [a, b], tmp_path)
    assert any(instruction in text for instruction in expected.split("|")), text
    assert "vpmulld" not in text and "vpgather" not in text


@pytest.mark.part(3)
@pytest.mark.parametrize("tail", ["GuardWithIf", "ShiftInwards", "PredicateStores"])
@pytest.mark.parametrize("channels", [2, 3, 4])
def test_interleaved_channels_are_not_touched_one_by_one(channels, tail, tmp_path):
    x, xi, c, apart, woven = hl.Var("x"), hl.Var("xi"), hl.Var("c"), hl.Func("apart"), hl.Func("woven")
    a, b = hl.ImageParam(U8, 2, "a"), hl.ImageParam(U8, 2, "b")
    a.dim(0).set_bounds(0, channels)
    a.dim(1).set_stride(channels)
    apart[x, c] = a[c, x]
    woven[c, x] = b[x, c]
    woven.output_buffer().dim(0).set_bounds(0, channels)
    woven.output_buffer().dim(1).set_stride(channels)
    for func, image in ((apart, a), (woven, b)):
        func.bound(c, 0, channels).unroll(c).split(x, x, xi, 32, getattr(hl.TailStrategy, tail))
        func.reorder(c, xi, x).vectorize(xi)
        text = assembly(func, [image], tmp_path)
        for alone in ("gather", "scatter", "vpinsrb", "vpextrb"):
            assert alone not in text


def test_a_constant_number_of_lanes_at_the_end_takes_no_mask(tmp_path):
    x, xi, func = hl.Var("x"), hl.Var("xi"), hl.Func("f")
    a = hl.ImageParam(hl.Float(32), 1, "a")
    func[x] = a[x] * 2.0
    func.bound(x, 0, 28).split(x, x, xi, 16, hl.TailStrategy.GuardWithIf).vectorize(xi).unroll(x)
    text = assembly(func, [a], tmp_path)
    assert "{%k" not in text, text
    image = np.arange(40, dtype=np.float32)
    a.set(hl.Buffer(image))
    assert (np.asarray(func.realize([28])) == 2 * image[:28]).all()
