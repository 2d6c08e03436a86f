"""sin, cos, tan and their inverses by polynomials."""

from __future__ import annotations

from pipec.jit.llvm.math.coefficients import HALF_PI
from pipec.jit.llvm.math.float_arithmetic import Lanes, Usual

# Beyond these the nearest multiple of pi/2 is not found so surely that what is left lies where the polynomials fit.
_LIMIT = {32: 2.0**16, 64: 2.0**40}


def _turned(m: Lanes, x: str) -> tuple[str, str, str]:
    """x less the nearest multiple of the first part of pi/2, and which multiple it is, as a float and an integer.

    The difference is exact: it is a multiple of the last bit of x and of that part, and less than 1.
    """
    whole, quadrant = m.nearest(x, 1 / HALF_PI[64][0])
    return m.fma(whole, m.number(-HALF_PI[m.nbits][0]), x), whole, quadrant


def sin(m: Lanes, x: str) -> Usual:
    """Emits the sine of x, and the mask of lanes whose angle is too large."""
    return _unless_large(m, x, _or_zero(m, x, _wave(m, x, 0)))


def cos(m: Lanes, x: str) -> Usual:
    """Emits the cosine of x, and the mask of lanes whose angle is too large."""
    return _unless_large(m, x, _wave(m, x, 1))


def _wave(m: Lanes, x: str, ahead: int) -> str:
    """The sine of x + ahead * pi/2."""
    r, whole, quadrant = _turned(m, x)
    for part in HALF_PI[m.nbits][1:]:
        r = m.fma(whole, m.number(-part), r)
    quadrant = m.bit_op("add", quadrant, m.whole(ahead)) if ahead else quadrant
    squared = m.mul(r, r)
    sine = m.fma(m.mul(squared, r), m.fitted("sin", squared), r)
    tail = m.fma(m.mul(squared, squared), m.fitted("cos", squared), m.mul(squared, m.number(-0.5)))
    value = m.select(_is_odd(m, quadrant), m.add(tail, m.number(1.0)), sine)
    sign = m.bit_op("shl", m.bit_op("and", quadrant, m.whole(2)), m.whole(m.nbits - 2))
    return m.of_bits(m.bit_op("xor", m.bits(value), sign))


def _is_odd(m: Lanes, quadrant: str) -> str:
    return m.bit_test("ne", m.bit_op("and", quadrant, m.whole(1)), m.whole(0))


def tan(m: Lanes, x: str) -> Usual:
    """Emits the tangent of x, and the mask of lanes whose angle is too large."""
    difference, whole, quadrant = _turned(m, x)
    second, third = (m.number(-part) for part in HALF_PI[m.nbits][1:])
    # The sum may cancel: the rounding errors of the product and of the sum are added separately.
    product = m.mul(whole, second)
    product_rest = m.fma(whole, second, m.negated(product))
    r = m.add(difference, product)
    rest = m.add(m.sub(product, m.sub(r, difference)), m.fma(whole, third, product_rest))
    squared = m.mul(r, r)
    tail = m.mul(m.mul(squared, r), m.fitted("tan", squared))
    # The tangent grows by 1 + tan(r)^2 times what was taken from r: r^2 is near enough.
    tail = m.add(tail, m.fma(rest, squared, rest))
    tangent = m.add(r, tail)
    value = m.select(_is_odd(m, quadrant), m.div(m.number(-1.0), tangent), tangent)
    return _unless_large(m, x, _or_zero(m, x, value))


def _or_zero(m: Lanes, x: str, value: str) -> str:
    """The value, or the zero with the sign of x where that is zero, which it also is if a small one counts as zero."""
    zero = m.number(0.0)
    return m.select(m.test("oeq", x, zero), m.signed_as(zero, x), value)


def _unless_large(m: Lanes, x: str, value: str) -> Usual:
    return Usual(value, m.test("ugt", m.magnitude(x), m.number(_LIMIT[m.nbits])))


def _half_angle(m: Lanes, x: str) -> tuple[str, str, str]:
    """Whether |x| > 1/2; then, of sqrt((1 - |x|) / 2), else of |x|: it, and what its arc sine has more."""
    magnitude = m.magnitude(x)
    big = m.test("ogt", magnitude, m.number(0.5))
    squared = m.select(big, m.fma(magnitude, m.number(-0.5), m.number(0.5)), m.mul(x, x))
    s = m.select(big, m.root(squared), magnitude)
    return big, s, m.mul(m.mul(squared, s), m.fitted("asin", squared))


def asin(m: Lanes, x: str) -> str:
    """Emits the arc sine of x."""
    big, s, tail = _half_angle(m, x)
    high, low, _ = (m.number(part) for part in HALF_PI[m.nbits])
    # pi/2 - 2 (s + tail), with what rounding takes from the first difference
    minus_two = m.number(-2.0)
    difference = m.fma(s, minus_two, high)
    rest = m.add(m.fma(s, minus_two, m.sub(high, difference)), low)
    far = m.add(difference, m.fma(tail, minus_two, rest))
    return m.signed_as(m.select(big, far, m.add(s, tail)), x)


def acos(m: Lanes, x: str) -> str:
    """Emits the arc cosine of x."""
    big, s, tail = _half_angle(m, x)
    high, low, _ = HALF_PI[m.nbits]
    negative = m.test("olt", x, m.number(0.0))
    s, tail = m.signed_as(s, x), m.signed_as(tail, x)
    near = m.sub(m.sub(m.number(high), s), m.sub(tail, m.number(low)))
    # 2 (s + tail), from pi where x < 0
    base, base_rest = (m.select(negative, m.number(2 * part), m.number(0.0)) for part in (high, low))
    two = m.number(2.0)
    far = m.add(m.fma(s, two, base), m.fma(tail, two, base_rest))
    return m.select(big, far, near)


def atan(m: Lanes, x: str) -> str:
    """Emits the arc tangent of x."""
    magnitude = m.magnitude(x)
    one = m.number(1.0)
    big = m.test("ogt", magnitude, one)
    ratio = m.div(m.select(big, m.number(-1.0), magnitude), m.select(big, magnitude, one))
    high, low, _ = (m.select(big, m.number(part), m.number(0.0)) for part in HALF_PI[m.nbits])
    return m.signed_as(_angle(m, ratio, high, low), x)


def _angle(m: Lanes, ratio: str, base: str, base_rest: str) -> str:
    """An angle given in two parts, plus the arc tangent of a number from -1 to 1."""
    squared = m.mul(ratio, ratio)
    tail = m.fma(m.mul(squared, ratio), m.fitted("atan", squared), base_rest)
    return m.add(m.add(base, ratio), tail)


def atan2(m: Lanes, y: str, x: str) -> str:
    """Emits the angle of the point (x, y)."""
    across, along = m.magnitude(y), m.magnitude(x)
    steep = m.test("ogt", across, along)
    less, more = m.select(steep, along, across), m.select(steep, across, along)
    zero = m.number(0.0)
    # 0 / 0 is 0 here, and infinity / infinity 1.
    same = m.select(m.test("oeq", more, zero), zero, m.number(1.0))
    ratio = m.select(m.test("oeq", less, more), same, m.div(less, more))
    backward = m.bit_test("slt", m.bits(x), m.whole(0))
    ratio = m.select(m.differ(steep, backward), m.negated(ratio), ratio)
    # From 0, pi or pi/2.
    base, base_rest = (
        m.select(steep, m.number(part), m.select(backward, m.number(2 * part), zero)) for part in HALF_PI[m.nbits][:2]
    )
    return m.signed_as(_angle(m, ratio, base, base_rest), y)
