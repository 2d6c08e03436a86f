"""Vector arithmetic in narrower types: less work, the same pixels to the bit."""

import random

import numpy as np
import pytest

from pipec.ir.build import add, cast, div, max_, min_, mul, sub
from pipec.ir.expr import (
    EQ,
    LE,
    LT,
    TRUE,
    Add,
    Broadcast,
    Cast,
    Const,
    Div,
    Expr,
    Intrinsic,
    Load,
    Max,
    Min,
    Mod,
    Mul,
    Ramp,
    Select,
    Sub,
    const,
)
from pipec.ir.interp import run
from pipec.ir.intrinsics import result_type
from pipec.ir.stmt import Store
from pipec.ir.types import Float, Int, UInt
from pipec.ir.walk import postorder
from pipec.lower.vectorize.narrow_arithmetic import narrow_arithmetic

LANES = 64
U8, U16, U32, I8, I16, I32 = UInt(8), UInt(16), UInt(32), Int(8), Int(16), Int(32)
TYPES = (U8, U16, U32, I8, I16, I32)
INPUTS = {"a": U8, "b": U8, "c": I8, "d": U16, "e": I16, "f": I32}
ALWAYS = Broadcast(TRUE, LANES)


def read(name: str) -> Expr:
    return Load(INPUTS[name].with_lanes(LANES), name, Ramp(const(0), const(1), LANES), ALWAYS)


def number(value: int, type_=I32) -> Expr:
    return Broadcast(Const(type_, value), LANES)


def wide(name: str, type_=I32) -> Expr:
    return cast(type_, read(name))


def intrinsic(name: str, *args: Expr) -> Expr:
    return Intrinsic(result_type(name, tuple(arg.type for arg in args)), name, args)


def narrowed(value: Expr) -> Expr:
    stmt = narrow_arithmetic(Store("out", value, Ramp(const(0), const(1), LANES), ALWAYS))
    assert isinstance(stmt, Store) and stmt.value.type is value.type
    return stmt.value


def data(seed: int) -> dict[str, np.ndarray]:
    """All kinds of values, extremes among them."""
    generator = np.random.default_rng(seed)
    arrays = {}
    for name, type_ in INPUTS.items():
        limits = np.iinfo(type_.numpy())
        array = generator.integers(limits.min, limits.max, LANES, type_.numpy(), endpoint=True)
        extremes = [limits.min, limits.max, 0, 1, limits.max // 2 + 1]
        array[::3] = generator.choice(np.array(extremes, type_.numpy()), len(array[::3]))
        arrays[name] = array
    return arrays


def values(e: Expr, arrays: dict[str, np.ndarray]) -> np.ndarray:
    store = Store("out", e, Ramp(const(0), const(1), LANES), ALWAYS)
    return run(store, {**arrays, "out": np.zeros(LANES, e.type.numpy())}, {})["out"]


def widest(e: Expr) -> int:
    """The most bits of any arithmetic."""
    return max(n.type.nbits for n in postorder(e) if isinstance(n, Add | Sub | Mul | Div | Min | Max | Intrinsic))


GREY = cast(U8, div(add(add(mul(wide("a"), 77), mul(wide("b"), 150)), mul(wide("a"), 29)), 256))
CLAMPED_SUM = cast(U8, max_(min_(add(wide("a"), wide("b")), 255), 0))
MAGNITUDE = cast(U8, intrinsic("abs", sub(wide("a"), wide("b"))))
MEAN = cast(U8, div(add(add(wide("a"), wide("b")), 1), 2))
NARROWED = {
    "a weighted sum": (GREY, 16),
    "a mean": (MEAN, 16),
    "a clamped sum": (CLAMPED_SUM, 8),
    "the size of a difference": (MAGNITUDE, 8),
    "a clamped difference": (cast(U8, max_(sub(wide("a", I16), wide("b", I16)), number(0, I16))), 8),
    "a clamped signed sum": (cast(I16, max_(min_(add(wide("e"), wide("e")), 32767), -32768)), 16),
    "a smaller of two": (cast(U8, min_(wide("a"), wide("b"))), 8),
    "a wrapping sum": (cast(U16, add(wide("d"), mul(wide("e"), 3))), 16),
    "a quotient by 255": (cast(U8, div(add(mul(wide("a"), wide("b")), 127), 255)), 16),
    "a sum widened at last": (add(add(wide("a"), wide("b")), mul(wide("a"), 3)), 16),
    "a clamp beyond what is narrow": (cast(U8, min_(max_(wide("f"), 0), 255)), 32),
}


@pytest.mark.parametrize("name", NARROWED)
def test_arithmetic_takes_no_more_bits_than_it_needs(name):
    before, bits = NARROWED[name]
    after = narrowed(before)
    assert widest(after) == bits, str(after)
    for seed in range(4):
        np.testing.assert_array_equal(values(after, data(seed)), values(before, data(seed)))


def test_clamped_sums_saturate():
    names = [n.name for n in postorder(narrowed(CLAMPED_SUM)) if isinstance(n, Intrinsic)]
    assert names == ["saturating_add"]
    half = cast(U8, max_(min_(add(wide("a"), wide("b")), 254), 0))
    assert not [n for n in postorder(narrowed(half)) if isinstance(n, Intrinsic)]


def rounding_shift(x: Expr, count: int) -> Expr:
    last = intrinsic("bitwise_and", intrinsic("shift_right", x, number(count - 1, x.type.element_of())), number(1))
    return add(intrinsic("shift_right", x, number(count)), last)


def test_a_rounding_shift_adds_half_before_it_where_that_cannot_overflow():
    for x, shifts in ((mul(wide("e"), wide("e")), 1), (read("f"), 2)):
        before = cast(I16, rounding_shift(x, 15))
        after = narrowed(before)
        assert sum(isinstance(n, Intrinsic) and n.name == "shift_right" for n in postorder(after)) == shifts
        for seed in range(4):
            np.testing.assert_array_equal(values(after, data(seed)), values(before, data(seed)))


def test_terms_that_are_summed_up_stay_wide():
    index = Ramp(const(0), const(1), LANES)
    old = Load(I32.with_lanes(LANES), "out", index, ALWAYS)
    update = Store("out", Add(old, mul(wide("a"), wide("b"))), index, ALWAYS)
    assert narrow_arithmetic(update) is update


def test_conditions_are_narrowed():
    before = Select(LT(wide("a"), add(wide("b"), 0)), read("a"), read("b"))
    (compared,) = [node for node in postorder(narrowed(before)) if isinstance(node, LT)]
    assert compared.a.type.nbits == 8


class Random:
    """Random expressions of random types."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def expression(self, depth: int, type_) -> Expr:
        r = self.random
        if depth == 0 or r.random() < 0.1:
            if r.random() < 0.25:
                extreme = r.choice([0, 1, 2, 3, 7, 100, 127, 128, 255, 256, -1, -128, 32767, type_.max_value()])
                return number(extreme, type_)
            return cast(type_, read(r.choice(list(INPUTS))))
        if r.random() < 0.35:
            return cast(type_, self.expression(depth - 1, r.choice(TYPES)))
        return self.operation(depth - 1, type_)

    def operation(self, depth: int, type_) -> Expr:
        r = self.random
        kind = r.choice([Add, Sub, Mul, Add, Sub, Mul, Min, Max, Div, Mod, "clamp", "shift", "abs", "bits", "select"])
        a = self.expression(depth, type_)
        if kind == "clamp":
            low, high = sorted(r.choice([(0, 255), (0, 127), (-128, 127), (-255, 255), (0, 65535), (-32768, 32767)]))
            return Max(Min(a, number(high, type_)), number(low, type_))
        if kind == "shift":
            count = number(r.randrange(type_.nbits), type_)
            return intrinsic(r.choice(["shift_right", "shift_right", "shift_left"]), a, count)
        b = self.expression(depth, type_)
        if kind == "abs":
            return cast(type_, intrinsic("abs", a) if r.random() < 0.5 else intrinsic("absd", a, b))
        if kind == "bits":
            return intrinsic(r.choice(["bitwise_and", "bitwise_or", "bitwise_xor", "saturating_add"]), a, b)
        if kind == "select":
            return Select(r.choice([LT, LE, EQ])(a, b), a, self.expression(depth, type_))
        if kind in (Div, Mod) and r.random() < 0.8:
            b = number(r.choice([1, 2, 3, 4, 16, 255, 100, -3, 0]), type_)
        return kind(a, b)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.part(3)
def test_random_expressions_keep_their_values(seed):
    built = Random(seed)
    for trial in range(60):
        before = built.expression(built.random.randrange(2, 6), built.random.choice(TYPES))
        if built.random.random() < 0.1:
            before = Cast(Float(32).with_lanes(LANES), before)
        after, arrays = narrowed(before), data(trial)
        np.testing.assert_array_equal(values(after, arrays), values(before, arrays), err_msg=f"{before}\n{after}")
