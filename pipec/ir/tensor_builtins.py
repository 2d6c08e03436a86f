"""The tensor intrinsics that pipec declares: of the instruction sets of x86 and ARM.

    c[i] += int32(a[k, i]) * int32(b[k, i])      for k in 0..4   (x86.vpdpbusd.512: i in 0..16)
    c[i] += int32(absd(a[k, i], b[k, i]))        for k in 0..8   (x86.vpsadbw.512.int32: i in 0..8)

An instruction that computes something else than its name suggests is not here: vpmaddubsw saturates its sums of two.
"""

from __future__ import annotations

from pipec.ir.expr import Add, Cast, Expr, Intrinsic, Mul, Variable
from pipec.ir.tensor import TensorIntrinsic, TensorLoop, TensorOperand, declare
from pipec.ir.types import BFloat, Float, Int, Type, UInt


def _dot_product(
    name: str, lanes: int, terms: int, types: tuple[Type, Type, Type], features: tuple[str, ...], implementation: str
) -> TensorIntrinsic:
    """c[i] += a[k, i] * b[k, i], for `lanes` of i and `terms` of k; `types`: those of c, a and b."""
    loops = TensorLoop("i", lanes), TensorLoop("k", terms, reduction=True)
    result, *inputs = [
        TensorOperand(operand, kind, dims)
        for operand, kind, dims in zip("cab", types, (("i",), ("k", "i"), ("k", "i")), strict=True)
    ]
    a, b = [Cast(types[0], Variable(operand.type, operand.name)) for operand in inputs]
    value = Add(Variable(types[0], "c"), Mul(a, b))
    return TensorIntrinsic(name, loops, result, tuple(inputs), value, implementation, None, features)


# The byte 128 in all bytes of 32-bit lanes.
_HIGH_BITS = "splat (i32 -2139062144)"


def _vpdpbusd(size: str, features: tuple[str, ...]) -> list[TensorIntrinsic]:
    """The products of unsigned and signed bytes, and those of equal signs, which differ by a multiple of one factor.

    `size`: the bits of a register, and "vex" where the processor need not have AVX-512: LLVM encodes the same function
    by the features of the target.

    a * b = (a + 128) * b - 128 * b for signed factors, and a * (b - 128) + 128 * a for unsigned ones.
    """
    bits = int(size.partition(".")[0])
    lanes = bits // 32
    bytes_, wide = f"<{bits // 8} x i8>", f"<{lanes} x i32>"
    function = f"@llvm.x86.avx512.vpdpbusd.{bits}"

    def call(total: str, unsigned: str, signed: str) -> str:
        return f"call {wide} {function}({wide} {total}, {wide} {unsigned}, {wide} {signed})"

    def text(*lines: str) -> str:
        operands = [f"%{name}.r = bitcast {bytes_} %{name} to {wide}" for name in "ab"]
        return "\n".join([f"declare {wide} {function}({wide}, {wide}, {wide})", *operands, *lines])

    mixed = text(f"%d = {call('%c', '%a.r', '%b.r')}", f"ret {wide} %d")
    signed = text(
        f"%moved = xor {wide} %a.r, {_HIGH_BITS}",
        f"%more = {call('zeroinitializer', _HIGH_BITS, '%b.r')}",
        f"%d = {call('%c', '%moved', '%b.r')}",
        f"%sum = sub {wide} %d, %more",
        f"ret {wide} %sum",
    )
    unsigned = text(
        f"%moved = xor {wide} %b.r, {_HIGH_BITS}",
        f"%more = {call('zeroinitializer', '%a.r', _HIGH_BITS)}",
        f"%d = {call('%c', '%a.r', '%moved')}",
        f"%sum = sub {wide} %d, %more",
        f"ret {wide} %sum",
    )
    int32 = Int(32)
    return [
        _dot_product(f"x86.vpdpbusd.{size}", lanes, 4, (int32, UInt(8), Int(8)), features, mixed),
        _dot_product(f"x86.vpdpbusd.{size}.signed", lanes, 4, (int32, Int(8), Int(8)), features, signed),
        _dot_product(f"x86.vpdpbusd.{size}.unsigned", lanes, 4, (int32, UInt(8), UInt(8)), features, unsigned),
    ]


def _vpmaddwd(bits: int, function: str, features: tuple[str, ...]) -> TensorIntrinsic:
    lanes = bits // 32
    words, wide = f"<{2 * lanes} x i16>", f"<{lanes} x i32>"
    text = (
        f"declare {wide} @llvm.x86.{function}({words}, {words})\n"
        f"%d = call {wide} @llvm.x86.{function}({words} %a, {words} %b)\n"
        f"%r = add {wide} %c, %d\nret {wide} %r"
    )
    return _dot_product(f"x86.vpmaddwd.{bits}", lanes, 2, (Int(32), Int(16), Int(16)), features, text)


def _vdpbf16ps(bits: int, features: tuple[str, ...]) -> TensorIntrinsic:
    lanes = bits // 32
    narrow, wide = f"<{2 * lanes} x bfloat>", f"<{lanes} x float>"
    function = f"@llvm.x86.avx512bf16.dpbf16ps.{bits}"
    text = (
        f"declare {wide} {function}({wide}, {narrow}, {narrow})\n"
        f"%d = call {wide} {function}({wide} %c, {narrow} %a, {narrow} %b)\nret {wide} %d"
    )
    return _dot_product(f"x86.vdpbf16ps.{bits}", lanes, 2, (Float(32), BFloat(16), BFloat(16)), features, text)


def _vpsadbw(bits: int, function: str, features: tuple[str, ...], kind: Type) -> list[TensorIntrinsic]:
    """Sums of absolute differences of bytes, and of bytes, in the type `kind`."""
    lanes = bits // 64
    bytes_, sums, result = f"<{bits // 8} x i8>", f"<{lanes} x i64>", f"<{lanes} x i{kind.nbits}>"
    loops = TensorLoop("i", lanes), TensorLoop("k", 8, reduction=True)
    c, (a, b) = TensorOperand("c", kind, ("i",)), [TensorOperand(name, UInt(8), ("k", "i")) for name in "ab"]

    def declaration(name: str, inputs: tuple[TensorOperand, ...], value: Expr, second: str) -> TensorIntrinsic:
        text = (
            f"declare {sums} @llvm.x86.{function}({bytes_}, {bytes_})\n"
            f"%s = call {sums} @llvm.x86.{function}({bytes_} %a, {bytes_} {second})\n"
            f"%t = trunc {sums} %s to {result}\n%r = add {result} %c, %t\nret {result} %r"
        )
        total = Add(Variable(kind, "c"), Cast(kind, value))
        return TensorIntrinsic(f"x86.vpsadbw.{bits}.{name}", loops, c, inputs, total, text, None, features)

    one, other = [Variable(UInt(8), operand.name) for operand in (a, b)]
    return [
        declaration(str(kind), (a, b), Intrinsic(UInt(8), "absd", (one, other)), "%b"),
        declaration(f"sum.{kind}", (a,), one, "zeroinitializer"),
    ]


def _arm_dot(name: str, kind: Type, features: tuple[str, ...]) -> TensorIntrinsic:
    function = f"@llvm.aarch64.neon.{name}.v4i32.v16i8"
    text = (
        f"declare <4 x i32> {function}(<4 x i32>, <16 x i8>, <16 x i8>)\n"
        f"%d = call <4 x i32> {function}(<4 x i32> %c, <16 x i8> %a, <16 x i8> %b)\nret <4 x i32> %d"
    )
    return _dot_product(f"arm.{name}", 4, 4, (kind.with_bits(32), kind, kind), features, text)


_SUMS = UInt(16), Int(32), UInt(32)
_VNNI = ("avx512vnni", "avx512vl")
for _intrinsic in (
    *_vpdpbusd("512", ("avx512vnni",)),
    *_vpdpbusd("256", _VNNI),
    *_vpdpbusd("256.vex", ("avxvnni",)),
    _vpmaddwd(512, "avx512.pmaddw.d.512", ("avx512bw",)),
    _vpmaddwd(256, "avx2.pmadd.wd", ("avx2",)),
    *[i for kind in _SUMS for i in _vpsadbw(512, "avx512.psad.bw.512", ("avx512bw",), kind)],
    *[i for kind in _SUMS for i in _vpsadbw(256, "avx2.psad.bw", ("avx2",), kind)],
    _vdpbf16ps(512, ("avx512bf16",)),
    _vdpbf16ps(256, ("avx512bf16", "avx512vl")),
    _arm_dot("sdot", Int(8), ("dotprod",)),
    _arm_dot("udot", UInt(8), ("dotprod",)),
):
    declare(_intrinsic)
