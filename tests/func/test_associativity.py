"""Operators are found in updates exactly where partial results may be merged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import pipec as hl
from pipec.func.directives.associativity import operator_of
from pipec.func.directives.polynomials import ReductionOperator

INTS, FLOATS = hl.ImageParam(hl.Int(32), 2), hl.ImageParam(hl.Float(32), 2)
BYTES = hl.ImageParam(hl.UInt(8), 2)
Update = Callable[[Any, Any, Any], Any]


def operator(start: Any, update: Update, image: Any = INTS) -> ReductionOperator | None:
    """What is found in f() = update(f(), image[r.x, r.y], image[r.y, r.x])."""
    f, r = hl.Func("f"), hl.RDom([(0, 16), (0, 8)])
    f[()] = start
    f[()] = update(f[()], image[r.x, r.y], image[r.y, r.x])
    stage = f.function.stages[1]
    return operator_of(f.name(), stage.args, stage.values, stage.predicate)


def text(reduction: ReductionOperator | None) -> str:
    assert reduction is not None
    return ", ".join([f"{i}: {m}" for i, m in zip(reduction.identities, reduction.merge, strict=True)])


FALSE = hl.i32(0) > 1
COMMUTATIVE: dict[str, tuple[Any, Update, Any]] = {
    "0: own 0 + other 0": (hl.i32(0), lambda f, a, b: b * 3 + f - a, INTS),
    "1: own 0 * other 0": (hl.i32(0), lambda f, a, b: a * f * b, INTS),
    "1.0f: own 0 * other 0": (hl.f32(0), lambda f, a, b: f + f * a, FLOATS),
    "-inff: max(own 0, other 0)": (hl.f32(0), lambda f, a, b: hl.max(a, hl.max(f, b)), FLOATS),
    "uint8(255): min(own 0, other 0)": (hl.u8(0), lambda f, a, b: hl.select(f <= a, f, a), BYTES),
    "true: own 0 && other 0": (FALSE, lambda f, a, b: f & (a > b), INTS),
    "false: own 0 || other 0": (FALSE, lambda f, a, b: f | (a > b), INTS),
    "-1: bitwise_and(own 0, other 0)": (hl.i32(0), lambda f, a, b: f & a, INTS),
    "0: bitwise_or(own 0, other 0)": (hl.i32(0), lambda f, a, b: f | a, INTS),
    "0: bitwise_xor(own 0, other 0)": (hl.i32(0), lambda f, a, b: a ^ f ^ b, INTS),
    "uint8(0): saturating_add(own 0, other 0)": (hl.u8(0), lambda f, a, b: hl.saturating_add(f, a), BYTES),
    "0: own 0 + other 0, -inff: max(own 1, other 1)": (
        (hl.i32(0), hl.f32(0)),
        lambda f, a, b: (f[0] + a, hl.max(f[1], hl.f32(b))),
        INTS,
    ),
    "1: other 0 * own 0 - other 1 * own 1, 0: other 1 * own 0 + other 0 * own 1": (
        (hl.i32(0), hl.i32(0)),
        lambda f, a, b: (f[0] * a - f[1] * b, f[0] * b + f[1] * a),
        INTS,
    ),
}


@pytest.mark.parametrize("expected", COMMUTATIVE)
def test_operators_that_commute(expected: str) -> None:
    result = operator(*COMMUTATIVE[expected])
    assert text(result) == expected
    assert result is not None and result.commutative and result.neutral


ORDERED: dict[str, tuple[Any, Update]] = {
    "1: other 0 * own 0, 0: other 0 * own 1 + other 1": (
        (hl.i32(0), hl.i32(0)),
        lambda f, a, b: (f[0] * a, f[1] * a + b),
    ),
    "-2147483648: max(own 0, other 0), 0: select(own 0 < other 0, other 1, own 1)": (
        (hl.i32(0), hl.i32(0)),
        lambda f, a, b: (hl.max(f[0], a), hl.select(a > f[0], b, f[1])),
    ),
    "2147483647: min(own 0, other 0), 0: select(own 0 > other 0, other 1, own 1)": (
        (hl.i32(0), hl.i32(0)),
        lambda f, a, b: (hl.select(f[0] <= a, f[0], a), hl.select(f[0] <= a, f[1], b)),
    ),
}


@pytest.mark.parametrize("expected", ORDERED)
def test_operators_whose_order_counts(expected: str) -> None:
    result = operator(*ORDERED[expected])
    assert text(result) == expected
    assert result is not None and not result.commutative and result.neutral


def test_the_product_of_two_by_two_matrices() -> None:
    def update(f: Any, a: Any, b: Any) -> tuple[Any, ...]:
        c, d = a + b, a * b
        return tuple([x * p + y * q for x, y in ((f[0], f[1]), (f[2], f[3])) for p, q in ((a, b), (c, d))])

    result = operator((hl.i32(0), hl.i32(0), hl.i32(0), hl.i32(0)), update)
    assert result is not None and [str(e) for e in result.identities] == ["1", "0", "0", "1"]
    assert not result.commutative


def test_the_start_of_a_reduction_in_which_the_last_of_equal_ones_wins_is_not_neutral() -> None:
    result = operator((hl.i32(0), hl.i32(0)), lambda f, a, b: (hl.max(f[0], a), hl.select(f[0] > a, f[1], b)))
    assert result is not None and not result.neutral


NOT_PROVED: dict[str, tuple[Any, Update]] = {
    "difference": (hl.i32(0), lambda f, a, b: a - f),
    "quotient": (hl.i32(0), lambda f, a, b: f / a),
    "affine map": (hl.i32(0), lambda f, a, b: f * a + b),
    "square": (hl.i32(0), lambda f, a, b: f * f),
    "clamped sum": (hl.i32(0), lambda f, a, b: hl.clamp(f + a, 0, 10)),
    "the last one": (hl.i32(0), lambda f, a, b: a),
    "signed saturation": (hl.i8(0), lambda f, a, b: hl.saturating_add(f, hl.i8(a))),
    "sum of sums": ((hl.i32(0), hl.i32(0)), lambda f, a, b: (f[0] + a, f[1] + f[0])),
    "exchange": ((hl.i32(0), hl.i32(0)), lambda f, a, b: (f[1], f[0])),
    "comparison of something else": (
        (hl.i32(0), hl.i32(0)),
        lambda f, a, b: (hl.max(f[0], a), hl.select(b > f[0], b, f[1])),
    ),
}


@pytest.mark.parametrize("name", NOT_PROVED)
def test_what_is_not_proved(name: str) -> None:
    assert operator(*NOT_PROVED[name]) is None


def test_an_update_that_reads_another_place_has_no_operator() -> None:
    f, r, x = hl.Func("f"), hl.RDom([(1, 7)]), hl.Var("x")
    f[x] = x
    f[r] += f[r - 1]
    stage = f.function.stages[1]
    assert operator_of(f.name(), stage.args, stage.values, stage.predicate) is None
