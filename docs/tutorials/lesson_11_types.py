"""Lesson 11: types - what an expression's type is, and how types meet."""

import pipec as hl

# Every Expr has a type: signed, unsigned or floating point, with a number of bits.
x = hl.Var("x")
for name, value in {
    "a Var": hl.Expr(x),
    "u8 + u8": hl.u8(200) + hl.u8(100),
    "u8 + i16": hl.u8(1) + hl.i16(1),
    "u8 + i8": hl.u8(1) + hl.i8(1),
    "u32 + i64": hl.u32(1) + hl.i64(1),
    "i32 / f32": hl.i32(7) / hl.f32(2),
    "f16 * f64": hl.cast(hl.Float(16), 1) * hl.f64(2),
    "comparison": hl.i32(1) < 2,
}.items():
    print(f"{name:12} {value.type()}")

# A Python number adapts to the type that it meets.
print("u8 + 1:     ", (hl.u8(255) + 1).type(), hl.evaluate(hl.u8(255) + 1))
print("f32 * 0.5:  ", (hl.f32(3) * 0.5).type(), hl.evaluate(hl.f32(3) * 0.5))

# It must fit, though.
try:
    hl.u8(1) + 300
except Exception:
    print("u8 + 300:    refused,")

# Integer division rounds down for positive divisors, and the remainder is never negative.
print("-7 / 2 =", hl.evaluate(hl.i32(-7) / 2), " -7 % 2 =", hl.evaluate(hl.i32(-7) % 2))

# Narrowing wraps; the saturating casts stop at the ends.
print("u8(300) =", hl.evaluate(hl.u8(hl.i32(300))), " u8_sat(300) =", hl.evaluate(hl.u8_sat(hl.i32(300))))

# Fixed point arithmetic has operators of its own, which become single instructions where the machine has them.
a, b = hl.u8(200), hl.u8(101)
print("saturating_add", hl.evaluate(hl.saturating_add(a, b)))
print("halving_add", hl.evaluate(hl.halving_add(a, b)), "rounding", hl.evaluate(hl.rounding_halving_add(a, b)))
print("absd", hl.evaluate(hl.absd(a, b)), "widening_mul", hl.evaluate(hl.widening_mul(a, b)))


# A function over Exprs can work for all types, asking for them where it must.
def average(first, second):
    if first.type().is_float():
        return (first + second) / 2
    wider = hl.Type(first.type().code(), first.type().bits() * 2, 1)
    return hl.cast(first.type(), (hl.cast(wider, first) + hl.cast(wider, second)) / 2)


print("average of u8:", hl.evaluate(average(a, b)), " of f32:", hl.evaluate(average(hl.f32(200), hl.f32(101))))
