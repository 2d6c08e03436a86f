"""Arithmetic on floats of one type, scalars and vectors: what the mathematical functions are written with."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import NamedTuple

from pipec.ir.types import Int, Type
from pipec.jit.llvm.function import FunctionWriter
from pipec.jit.llvm.math.arithmetic import bool_type, call_intrinsic
from pipec.jit.llvm.math.coefficients import POLYNOMIALS
from pipec.jit.llvm.math.vector import concatenate, shuffle, widened
from pipec.jit.llvm.types import constant_text, scalar_type, value_type, vector_of


class Usual(NamedTuple):
    """A value that is right but for `rare` arguments; `mend` gives the right one for all, else the library does."""

    value: str
    rare: str
    mend: Callable[[], str] | None = None


class Lanes:
    """Arithmetic on values of one float type: each method writes an instruction and gives its result."""

    def __init__(self, f: FunctionWriter, kind: Type) -> None:
        self.f = f
        self.kind = kind
        self.nbits = kind.nbits
        self.mantissa = 23 if kind.nbits == 32 else 52
        self.bias = 127 if kind.nbits == 32 else 1023
        self.integer = Int(kind.nbits, kind.nlanes)
        self.type = value_type(kind)
        self.integer_type = value_type(self.integer)
        self.truth = bool_type(kind)

    def number(self, value: float) -> str:
        """Returns a float constant."""
        return constant_text(self.kind, value)

    def whole(self, value: int) -> str:
        """Returns an integer constant of the same width."""
        return constant_text(self.integer, value)

    def add(self, a: str, b: str) -> str:
        """Emits a + b."""
        return self.f.op(f"fadd {self.type} {a}, {b}")

    def sub(self, a: str, b: str) -> str:
        """Emits a - b."""
        return self.f.op(f"fsub {self.type} {a}, {b}")

    def mul(self, a: str, b: str) -> str:
        """Emits a * b."""
        return self.f.op(f"fmul {self.type} {a}, {b}")

    def div(self, a: str, b: str) -> str:
        """Emits a / b."""
        return self.f.op(f"fdiv {self.type} {a}, {b}")

    def fma(self, a: str, b: str, c: str) -> str:
        """Emits a * b + c with one rounding."""
        return call_intrinsic(self.f, "fma", self.kind, a, b, c)

    def negated(self, a: str) -> str:
        """Emits -a."""
        return self.f.op(f"fneg {self.type} {a}")

    def magnitude(self, a: str) -> str:
        """Emits the absolute value of a."""
        return call_intrinsic(self.f, "fabs", self.kind, a)

    def root(self, a: str) -> str:
        """Emits the square root of a."""
        return call_intrinsic(self.f, "sqrt", self.kind, a)

    def signed_as(self, a: str, sign: str) -> str:
        """|a| with the sign of another number."""
        return call_intrinsic(self.f, "copysign", self.kind, a, sign)

    # Truths

    def test(self, condition: str, a: str, b: str) -> str:
        """Emits a float comparison; `condition` as LLVM's fcmp names it."""
        return self.f.op(f"fcmp {condition} {self.type} {a}, {b}")

    def bit_test(self, condition: str, a: str, b: str) -> str:
        """Emits an integer comparison; `condition` as LLVM's icmp names it."""
        return self.f.op(f"icmp {condition} {self.integer_type} {a}, {b}")

    def select(self, condition: str, a: str, b: str) -> str:
        """Emits a where the mask is set, else b."""
        return self.f.op(f"select {self.truth} {condition}, {self.type} {a}, {self.type} {b}")

    def both(self, a: str, b: str) -> str:
        """Emits the conjunction of two masks."""
        return self.f.op(f"and {self.truth} {a}, {b}")

    def either(self, a: str, b: str) -> str:
        """Emits the disjunction of two masks."""
        return self.f.op(f"or {self.truth} {a}, {b}")

    def differ(self, a: str, b: str) -> str:
        """Emits the exclusive or of two masks."""
        return self.f.op(f"xor {self.truth} {a}, {b}")

    def inverted(self, a: str) -> str:
        """Emits the negation of a mask."""
        return self.differ(a, "true" if self.kind.nlanes == 1 else "splat (i1 true)")

    # Bits

    def bit_op(self, opcode: str, a: str, b: str) -> str:
        """Emits an integer instruction on bits."""
        return self.f.op(f"{opcode} {self.integer_type} {a}, {b}")

    def bits(self, a: str) -> str:
        """Emits the bits of a float as an integer."""
        return self.f.op(f"bitcast {self.type} {a} to {self.integer_type}")

    def of_bits(self, a: str) -> str:
        """Emits the float that has these bits."""
        return self.f.op(f"bitcast {self.integer_type} {a} to {self.type}")

    def bits_of(self, value: float) -> int:
        """Returns the bits of a constant, as a signed integer."""
        form = ("<f", "<i") if self.nbits == 32 else ("<d", "<q")
        return int(struct.unpack(form[1], struct.pack(form[0], value))[0])

    def sign_bit(self, a: str) -> str:
        """Emits the sign bit of a float, all other bits 0."""
        return self.bit_op("and", self.bits(a), self.whole(-(1 << (self.nbits - 1))))

    @property
    def rounder(self) -> float:
        """Returns a number whose sum with x has the rounded x in its low bits, also for negative x."""
        return 1.5 * 2.0**self.mantissa

    def of_whole(self, a: str) -> str:
        """An integer of few bits as a float."""
        if self.nbits == 32:
            return self.f.op(f"sitofp {self.integer_type} {a} to {self.type}")
        # Few machines convert vectors of int64.
        shifted = self.of_bits(self.bit_op("add", a, self.whole(self.bits_of(self.rounder))))
        return self.sub(shifted, self.number(self.rounder))

    # Steps that several functions share

    def polynomial(self, coefficients: Sequence[float], x: str) -> str:
        """The sum of coefficients[i] * x^i, in pairs, so that the chain of dependent operations is short."""
        terms = [self.number(c) for c in coefficients]
        power = x
        while len(terms) > 1:
            pairs = [self.fma(terms[i + 1], power, terms[i]) for i in range(0, len(terms) - 1, 2)]
            terms = pairs + terms[len(pairs) * 2 :]
            if len(terms) > 1:
                power = self.mul(power, power)
        return terms[0]

    def fitted(self, name: str, x: str) -> str:
        """The polynomial of this name for this type."""
        return self.polynomial(POLYNOMIALS[name, self.nbits], x)

    def nearest(self, x: str, factor: float) -> tuple[str, str]:
        """The whole number nearest to x * factor, as a float and as an integer (any integer for NaN)."""
        shifted = self.fma(x, self.number(factor), self.number(self.rounder))
        bits = self.bit_op("sub", self.bits(shifted), self.whole(self.bits_of(self.rounder)))
        return self.sub(shifted, self.number(self.rounder)), bits

    def clamped(self, x: str, low: float, high: float) -> str:
        """x between limits; NaN stays NaN."""
        x = self.select(self.test("ogt", x, self.number(high)), self.number(high), x)
        return self.select(self.test("olt", x, self.number(low)), self.number(low), x)

    def decomposed(self, x: str) -> tuple[str, str]:
        """The exponent and the mantissa, from 3/4 to 3/2, of a number that is not negative.

        Of 0 and infinity, where `has_decomposition`, the exponent is infinite and the mantissa 1; there NaN stays NaN,
        and the mantissa of a negative number is NaN. Denormal numbers give anything where they are taken for 0.
        """
        one = self.number(1.0)
        if self.has_decomposition:
            mantissa = self._by_registers("getmant", (x,), "15")
            exponent = self._by_registers("getexp", (x,), "")
            return self.select(self.test("olt", mantissa, one), self.add(exponent, one), exponent), mantissa
        low, small = self.whole(self.bits_of(0.75)), ""
        if self.has_denormals:
            small = self.test("olt", x, self.number(2.0 ** (1 - self.bias)))
            x = self.select(small, self.mul(x, self.number(2.0**self.mantissa)), x)
        shifted = self.bit_op("sub", self.bits(x), low)
        exponent = self.of_whole(self.bit_op("ashr", shifted, self.whole(self.mantissa)))
        if small:
            exponent = self.sub(exponent, self.select(small, self.number(self.mantissa), self.number(0.0)))
        fraction = self.bit_op("and", shifted, self.whole((1 << self.mantissa) - 1))
        return exponent, self.of_bits(self.bit_op("add", fraction, low))

    @property
    def has_decomposition(self) -> bool:
        """Whether the machine itself tells exponents and mantissas."""
        return self.f.module.can("scale")

    @property
    def has_denormals(self) -> bool:
        """Whether numbers too small for normal ones are not taken for 0."""
        return not self.f.module.mode.flushes

    def _by_registers(self, name: str, operands: Sequence[str], immediate: str) -> str:
        """An instruction of AVX-512 on all lanes, 64 bytes at a time; `immediate` is an int32 or nothing."""
        width = 512 // self.nbits
        scalar = scalar_type(self.kind)
        type_ = vector_of(scalar, width)
        full = f"@llvm.x86.avx512.mask.{name}.{'ps' if self.nbits == 32 else 'pd'}.512"
        types = [type_] * len(operands) + ["i32"] * bool(immediate) + [type_, f"i{width}", "i32"]
        self.f.module.declare(full, f"{type_} {full}({', '.join(types)})")
        parts = []
        for start in range(0, self.kind.nlanes, width):
            values = [self._register(operand, start, width) for operand in operands]
            # No lane is left out, and rounding is as always.
            values += [immediate] * bool(immediate) + ["zeroinitializer", "-1", "4"]
            arguments = ", ".join([f"{kind} {value}" for kind, value in zip(types, values, strict=True)])
            parts.append((self.f.op(f"call {type_} {full}({arguments})"), width))
        joined, lanes = concatenate(self.f, scalar, parts)
        return shuffle(self.f, scalar, joined, None, lanes, range(self.kind.nlanes))

    def _register(self, a: str, start: int, width: int) -> str:
        """As many lanes as a register has, those beyond the last undefined."""
        scalar, lanes = scalar_type(self.kind), min(width, self.kind.nlanes - start)
        part = shuffle(self.f, scalar, a, None, self.kind.nlanes, range(start, start + lanes))
        return widened(self.f, scalar, (part, lanes), width)

    def scaled(self, value: str, power: str) -> str:
        """value * 2^power, for a value near 1 and a whole number."""
        if self.has_decomposition:
            return self._by_registers("scalef", (value, power), "")
        # Two factors, as 2^power itself may be out of range where the result is not.
        n = self.bits(self.add(power, self.number(self.rounder)))
        n = self.bit_op("sub", n, self.whole(self.bits_of(self.rounder)))
        half = self.bit_op("ashr", n, self.whole(1))
        for part in (half, self.bit_op("sub", n, half)):
            exponent = self.bit_op("shl", self.bit_op("add", part, self.whole(self.bias)), self.whole(self.mantissa))
            value = self.mul(value, self.of_bits(exponent))
        return value

    def scaled_to_normal(self, value: str, power: str) -> str:
        """The same where the result is a normal number, and else anything."""
        if self.has_decomposition:
            return self.scaled(value, power)
        # Of the sum, what is above the bits of the power is shifted out.
        n = self.bits(self.add(power, self.number(self.rounder)))
        return self.of_bits(self.bit_op("add", self.bits(value), self.bit_op("shl", n, self.whole(self.mantissa))))
