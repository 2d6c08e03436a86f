"""exp, log, pow, tanh, sin and cos of float32 by polynomials, the same for scalars and vectors; within 2 ulp.

The polynomials are minimax fits of the reduced function in its reduced range. All need fused multiply-add: without it
the argument reductions lose bits, and the functions of the system's library are used instead.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from pipec.ir.types import Float, Int, Type
from pipec.jit.llvm_arithmetic import bool_type, call_intrinsic
from pipec.jit.llvm_function import Function
from pipec.jit.llvm_types import constant_text, intrinsic_suffix, value_type

# (e^r - 1 - r) / r^2 for |r| <= ln(2)/2
_EXP = (0.4999999403953552, 0.16666515171527863, 0.04166845604777336, 0.008369418792426586, 0.0013813144760206342)
# (log(1+f) - f + f^2/2) / f^3 for sqrt(1/2) <= 1+f <= sqrt(2)
_LOG = (
    0.3333333134651184,
    -0.2500081956386566,
    0.20001226663589478,
    -0.16623356938362122,
    0.14201758801937103,
    -0.13160182535648346,
    0.12761574983596802,
    -0.07634492963552475,
)
# (sin(r) - r) / r^3 and (cos(r) - 1 + r^2/2) / r^4 as functions of r^2 for |r| <= pi/4
_SIN = (-0.1666666716337204, 0.008333329111337662, -0.00019839232845697552, 2.717366669457988e-06)
_COS = (0.0416666679084301, -0.0013888883404433727, 2.4799372113193385e-05, -2.719862663980166e-07)
# log2(1+f) / f in the range of _LOG, in double
_LOG2 = (
    1.442695041799643,
    -0.7213475156599203,
    0.4808978892092818,
    -0.36067414933485,
    0.2885761734144002,
    -0.2404672080285008,
    0.20504348890826882,
    -0.1789087175492309,
    0.17205686303080858,
    -0.1690633212314841,
    0.09703377395175385,
)
# (2^r - 1) / r for |r| <= 1/2, in double
_EXP2 = (
    0.6931472028551292,
    0.24022647913619938,
    0.05550332471026642,
    0.009618437358256137,
    0.0013398874445433862,
    0.00015353361827458167,
)
# (tanh(x) - x) / x^3 as a function of x^2 for |x| <= 0.625
_TANH = (-0.3333328366279602, 0.13331490755081177, -0.05374349653720856, 0.020650586113333702, -0.005717044696211815)

# Beyond this the three-part reduction of sin and cos loses accuracy.
_TRIGONOMETRIC_LIMIT = 100000.0
_PI_OVER_2 = (1.57079625129699707031, 7.54978941586159635335e-8, 5.39030285815811905290e-15)
_LN_2 = (0.693145751953125, 1.428606765330187045e-06)
_SQRT_HALF_BITS = 0x3F3504F3
_SQRT_HALF_BITS_64 = 0x3FE6A09E667F3BCD


class Lanes:
    """Arithmetic on values of one float type: each method writes an instruction and gives its result."""

    def __init__(self, f: Function, kind: Type) -> None:
        self.f = f
        self.kind = kind
        self.integer = Int(kind.nbits, kind.nlanes)
        self.type = value_type(kind)
        self.integer_type = value_type(self.integer)
        self.truth = bool_type(kind)

    def number(self, value: float) -> str:
        return constant_text(self.kind, value)

    def whole(self, value: int) -> str:
        return constant_text(self.integer, value)

    def fma(self, a: str, b: str, c: str) -> str:
        return call_intrinsic(self.f, "fma", self.kind, a, b, c)

    def op(self, opcode: str, a: str, b: str) -> str:
        return self.f.op(f"{opcode} {self.type} {a}, {b}")

    def bit_op(self, opcode: str, a: str, b: str) -> str:
        return self.f.op(f"{opcode} {self.integer_type} {a}, {b}")

    def test(self, condition: str, a: str, b: str) -> str:
        return self.f.op(f"fcmp {condition} {self.type} {a}, {b}")

    def select(self, condition: str, a: str, b: str) -> str:
        return self.f.op(f"select {self.truth} {condition}, {self.type} {a}, {self.type} {b}")

    def both(self, a: str, b: str) -> str:
        return self.f.op(f"and {self.truth} {a}, {b}")

    def either(self, a: str, b: str) -> str:
        return self.f.op(f"or {self.truth} {a}, {b}")

    def inverted(self, a: str) -> str:
        return self.f.op(f"xor {self.truth} {a}, {'true' if self.kind.nlanes == 1 else 'splat (i1 true)'}")

    def bits(self, a: str) -> str:
        return self.f.op(f"bitcast {self.type} {a} to {self.integer_type}")

    def of_bits(self, a: str) -> str:
        return self.f.op(f"bitcast {self.integer_type} {a} to {self.type}")

    def of_whole(self, a: str) -> str:
        return self.f.op(f"sitofp {self.integer_type} {a} to {self.type}")

    def magnitude(self, a: str) -> str:
        return call_intrinsic(self.f, "fabs", self.kind, a)

    def negated(self, a: str) -> str:
        return self.f.op(f"fneg {self.type} {a}")

    def polynomial(self, coefficients: Sequence[float], x: str) -> str:
        """The sum of coefficients[i] * x^i, in pairs, so that the chain of dependent operations is short."""
        terms = [self.number(c) for c in coefficients]
        power = x
        while len(terms) > 1:
            pairs = [self.fma(terms[i + 1], power, terms[i]) for i in range(0, len(terms) - 1, 2)]
            terms = pairs + terms[len(pairs) * 2 :]
            if len(terms) > 1:
                power = self.op("fmul", power, power)
        return terms[0]

    def nearest(self, x: str, factor: float) -> tuple[str, str]:
        """The whole number nearest to x * factor, as a float and as an integer (any integer for NaN)."""
        # Adding 1.5 * 2^(mantissa bits) leaves the whole number in the low bits.
        magic = 1.5 * 2.0 ** (23 if self.kind.nbits == 32 else 52)
        shifted = self.fma(x, self.number(factor), self.number(magic))
        bits = self.bit_op("sub", self.bits(shifted), self.whole(_bits_of(magic, self.kind)))
        return self.op("fsub", shifted, self.number(magic)), bits

    def clamped(self, x: str, low: float, high: float) -> str:
        """x between limits; NaN stays NaN."""
        x = self.select(self.test("ogt", x, self.number(high)), self.number(high), x)
        return self.select(self.test("olt", x, self.number(low)), self.number(low), x)


def _bits_of(value: float, kind: Type) -> int:
    form = ("<f", "<i") if kind.nbits == 32 else ("<d", "<q")
    return int(struct.unpack(form[1], struct.pack(form[0], value))[0])


def exp(f: Function, kind: Type, x: str) -> str:
    m = Lanes(f, kind)
    x = m.clamped(x, -104.0, 89.0)
    whole, n = m.nearest(x, 1.4426950408889634)
    r = m.fma(whole, m.number(-_LN_2[0]), x)
    r = m.fma(whole, m.number(-_LN_2[1]), r)
    p = m.polynomial(_EXP, r)
    squared = m.op("fmul", r, r)
    value = m.op("fadd", m.fma(p, squared, r), m.number(1.0))
    return _scaled(m, value, n)


def _scaled(m: Lanes, value: str, n: str) -> str:
    """value * 2^n."""
    if m.f.module.can("scale") and m.kind.nlanes > 1:
        name = f"@llvm.ldexp.{intrinsic_suffix(m.kind)}.{intrinsic_suffix(m.integer)}"
        m.f.module.declare(name, f"{m.type} {name}({m.type}, {m.integer_type})")
        return m.f.op(f"call {m.type} {name}({m.type} {value}, {m.integer_type} {n})")
    # Two factors, as 2^n itself may be out of range where the result is not.
    half = m.bit_op("ashr", n, m.whole(1))
    for part in (half, m.bit_op("sub", n, half)):
        exponent = m.bit_op("shl", m.bit_op("add", part, m.whole(127)), m.whole(23))
        value = m.op("fmul", value, m.of_bits(exponent))
    return value


def log(f: Function, kind: Type, x: str) -> str:
    m = Lanes(f, kind)
    zero, infinity = m.number(0.0), m.number(float("inf"))
    small = m.test("olt", x, m.number(2.0**-126))
    normal = m.select(small, m.op("fmul", x, m.number(2.0**23)), x)
    shifted = m.bit_op("sub", m.bits(normal), m.whole(_SQRT_HALF_BITS))
    exponent = m.of_whole(m.bit_op("ashr", shifted, m.whole(23)))
    exponent = m.op("fsub", exponent, m.select(small, m.number(23.0), zero))
    mantissa = m.bit_op("add", m.bit_op("and", shifted, m.whole(0x7FFFFF)), m.whole(_SQRT_HALF_BITS))
    part = m.op("fsub", m.of_bits(mantissa), m.number(1.0))
    squared = m.op("fmul", part, part)
    tail = m.fma(exponent, m.number(_LN_2[1]), m.op("fmul", squared, m.number(-0.5)))
    tail = m.fma(m.op("fmul", squared, part), m.polynomial(_LOG, part), tail)
    value = m.fma(exponent, m.number(_LN_2[0]), m.op("fadd", part, tail))
    outside = m.select(m.test("oeq", x, zero), m.number(float("-inf")), m.number(float("nan")))
    value = m.select(m.test("ogt", x, zero), value, outside)
    return m.select(m.test("oeq", x, infinity), infinity, value)


def tanh(f: Function, kind: Type, x: str) -> str:
    m = Lanes(f, kind)
    magnitude = m.magnitude(x)
    squared = m.op("fmul", x, x)
    near = m.fma(m.op("fmul", squared, x), m.polynomial(_TANH, squared), x)
    grown = exp(f, kind, m.op("fadd", magnitude, magnitude))
    quotient = m.op("fdiv", m.number(2.0), m.op("fadd", grown, m.number(1.0)))
    far = m.op("fsub", m.number(1.0), quotient)
    value = m.select(m.test("olt", magnitude, m.number(0.625)), near, far)
    return call_intrinsic(f, "copysign", kind, value, x)


def pow_(f: Function, kind: Type, x: str, y: str) -> str:
    """x to the power y: the logarithm and its product with y in double precision, rounded once."""
    m = Lanes(f, kind)
    magnitude = m.magnitude(x)
    double = Lanes(f, Float(64, kind.nlanes))
    wide, power = [f.op(f"fpext {m.type} {operand} to {double.type}") for operand in (magnitude, y)]
    value = f.op(f"fptrunc {double.type} {_positive_power(double, wide, power)} to {m.type}")
    return _with_special_powers(m, x, magnitude, y, value)


def _positive_power(m: Lanes, x: str, y: str) -> str:
    """x to the power y for finite x > 0 (the result of a float's range, or far beyond it)."""
    one = m.number(1.0)
    shifted = m.bit_op("sub", m.bits(x), m.whole(_SQRT_HALF_BITS_64))
    exponent = m.of_whole(m.bit_op("ashr", shifted, m.whole(52)))
    mantissa = m.bit_op("add", m.bit_op("and", shifted, m.whole((1 << 52) - 1)), m.whole(_SQRT_HALF_BITS_64))
    part = m.op("fsub", m.of_bits(mantissa), one)
    logarithm = m.fma(part, m.polynomial(_LOG2, part), exponent)
    product = m.clamped(m.op("fmul", logarithm, y), -300.0, 300.0)
    whole, n = m.nearest(product, 1.0)
    r = m.op("fsub", product, whole)
    value = m.fma(m.polynomial(_EXP2, r), r, one)
    # The number is far from the ends of double's range, so the power of 2 may be added to its exponent.
    return m.of_bits(m.bit_op("add", m.bits(value), m.bit_op("shl", n, m.whole(52))))


def _with_special_powers(m: Lanes, x: str, magnitude: str, y: str, value: str) -> str:
    zero, one, infinity, invalid = (m.number(v) for v in (0.0, 1.0, float("inf"), float("nan")))
    # 0 and infinity give 0 or infinity.
    at_zero, at_infinity = m.test("oeq", magnitude, zero), m.test("oeq", magnitude, infinity)
    up = m.test("ogt", y, zero)
    extreme = m.select(m.f.op(f"xor {m.truth} {at_zero}, {up}"), infinity, zero)
    value = m.select(m.either(at_zero, at_infinity), extreme, value)
    # An odd power keeps the sign; powers that are not whole have no value for negative numbers.
    whole = m.test("oeq", call_intrinsic(m.f, "floor", m.kind, y), y)
    half = m.op("fmul", y, m.number(0.5))
    odd = m.both(whole, m.test("une", call_intrinsic(m.f, "floor", m.kind, half), half))
    sign = m.bit_op("and", m.bits(x), m.whole(-(1 << 31)))
    value = m.select(odd, m.of_bits(m.bit_op("or", m.bits(value), sign)), value)
    negative = m.both(m.test("olt", x, zero), m.inverted(m.either(whole, at_infinity)))
    value = m.select(m.either(negative, m.test("uno", x, y)), invalid, value)
    # 1 to any power, anything to the power 0, and -1 to an infinite power, are 1.
    flat = m.both(m.test("oeq", magnitude, one), m.test("oeq", m.magnitude(y), infinity))
    certain = m.either(m.test("oeq", x, one), m.test("oeq", y, zero))
    return m.select(m.either(certain, flat), one, value)


def sin_or_cos(f: Function, kind: Type, x: str, cosine: bool) -> str:
    """sin or cos where |x| is at most the limit; beyond it something finite."""
    m = Lanes(f, kind)
    whole, quadrant = m.nearest(x, 0.6366197723675814)
    r = x
    for part in _PI_OVER_2:
        r = m.fma(whole, m.number(-part), r)
    squared = m.op("fmul", r, r)
    sine = m.fma(m.op("fmul", squared, r), m.polynomial(_SIN, squared), r)
    tail = m.fma(m.op("fmul", squared, squared), m.polynomial(_COS, squared), m.op("fmul", squared, m.number(-0.5)))
    other = m.op("fadd", tail, m.number(1.0))
    if cosine:
        quadrant = m.bit_op("add", quadrant, m.whole(1))
    odd = m.f.op(f"icmp ne {m.integer_type} {m.bit_op('and', quadrant, m.whole(1))}, {m.whole(0)}")
    value = m.select(odd, other, sine)
    sign = m.bit_op("shl", m.bit_op("and", quadrant, m.whole(2)), m.whole(30))
    value = m.of_bits(m.bit_op("xor", m.bits(value), sign))
    return value if cosine else m.select(m.test("oeq", x, m.number(0.0)), x, value)


def exceeds_trigonometric_limit(f: Function, kind: Type, x: str) -> str:
    m = Lanes(f, kind)
    return m.test("ugt", m.magnitude(x), m.number(_TRIGONOMETRIC_LIMIT))
