"""Products of which the upper half counts: the intrinsic, and the pixels that it gives."""

import numpy as np
import pytest

import pipec as hl
from pipec.ir.build import cast
from pipec.ir.expr import TRUE, Broadcast, Const, Expr, Intrinsic, Load, Min, Mul, Ramp
from pipec.ir.stmt import Store
from pipec.ir.types import INT64, Int, Type, UInt
from pipec.ir.walk import postorder
from pipec.lower.vectorize.vector_arithmetic import high_products

LANES = 8
ALWAYS = Broadcast(TRUE, LANES)
PLACE = Ramp(Const(INT64, 0), Const(INT64, 1), LANES)
EDGES = [0, 1, 2, 3, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFE, 0xFFFFFFFF]


def all_pairs(dtype: type) -> tuple[np.ndarray, np.ndarray]:
    values = np.array(EDGES, np.uint32).view(dtype)
    return tuple(np.ascontiguousarray(part.ravel()) for part in np.meshgrid(values, values))


def image(kind: Type) -> Expr:
    return Load(kind.with_lanes(LANES), "in", PLACE, ALWAYS)


def has_intrinsic(value: Expr) -> bool:
    after = high_products(Store("out", value, PLACE, ALWAYS))
    return any(isinstance(node, Intrinsic) and node.name == "mulhi_shr" for node in postorder(after))


def shifted(a: Expr, b: Expr, count: int, bits: int = 32) -> Expr:
    product = Mul(a, b)
    by = Broadcast(Const(product.type.element_of(), count), LANES)
    return cast(product.type.with_bits(bits).element_of(), Intrinsic(product.type, "shift_right", (product, by)))


@pytest.mark.parametrize("kind", [Int(32), UInt(32)])
def test_upper_halves_of_products_are_recognized(kind: Type) -> None:
    wide = kind.with_bits(64)
    a, factor = cast(wide, image(kind)), Broadcast(Const(wide, 12345), LANES)
    assert has_intrinsic(shifted(a, a, 32)) and has_intrinsic(shifted(a, factor, 40, bits=8))
    assert not has_intrinsic(shifted(a, a, 31))
    assert not has_intrinsic(shifted(a, Broadcast(Const(wide, 1 << 40), LANES), 40))
    assert not has_intrinsic(shifted(cast(wide, image(Int(16))), a, 32))


def test_clamps_that_cut_stay() -> None:
    a = cast(UInt(64), image(UInt(32)))
    by = Broadcast(Const(UInt(64), 32), LANES)
    upper = Intrinsic(a.type, "shift_right", (Mul(a, a), by))

    def clamped(limit: int) -> Expr:
        return cast(UInt(32), Min(upper, Broadcast(Const(UInt(64), limit), LANES)))

    assert has_intrinsic(clamped(0xFFFFFFFF)) and not has_intrinsic(clamped(1000))


@pytest.mark.parametrize("dtype", [np.int32, np.uint32])
@pytest.mark.parametrize("lanes", [1, 2, 4, 16])
@pytest.mark.parametrize("count", [32, 35, 63])
@pytest.mark.part(3)
def test_pixels(dtype: type, lanes: int, count: int) -> None:
    a, b = all_pairs(dtype)
    x, f = hl.Var("x"), hl.Func("f")
    f[x] = hl.mul_shift_right(hl.Buffer(a)[x], hl.Buffer(b)[x], count)
    if lanes > 1:
        f.vectorize(x, lanes)
    expected = [int(p) * int(q) >> count for p, q in zip(a, b, strict=True)]
    assert np.array_equal(f.realize([a.size]), np.array(expected).astype(dtype))
