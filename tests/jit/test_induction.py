"""Counters of loops and their multiples: every iteration touches its own elements, wherever the loop begins."""

import numpy as np
import pytest
from programs import arguments_of, const, load, loop, program, ramp, run, store, variable

from pipec.ir.expr import Add, Mul
from pipec.ir.types import type_of_numpy
from pipec.jit.llvm.emit import emit_module

I32 = type_of_numpy(np.dtype(np.int32))


def strided_sums(factors, minimum, count, extent=None):
    """out[4*x ..] = the sum of a[factor*x ..] of all factors, and the counter itself."""
    x = variable("x")
    value = None
    for factor in factors:
        own = load(I32, "a", ramp(Mul(x, const(factor)), 4))
        value = own if value is None else Add(value, own)
    return loop(
        "x", count if extent is None else extent, store("out", value, ramp(Mul(x, const(4)), 4)), minimum=minimum
    )


@pytest.mark.parametrize("factors", [(4,), (4, 8), (3, 5, 7, 9, 11), (1, 2), (1,)])
@pytest.mark.parametrize("minimum", [0, 3])
def test_multiples_count_along(factors, minimum):
    a, out = np.arange(1000, dtype=np.int32), np.zeros(400, np.int32)
    count = 60
    run(strided_sums(factors, minimum, count), {"a": a}, {"out": out})
    expected = np.zeros(400, np.int32)
    for x in range(minimum, minimum + count):
        expected[4 * x : 4 * x + 4] = sum(a[factor * x : factor * x + 4] for factor in factors)
    assert (out == expected).all()


def test_no_multiplication_is_left_in_the_loop():
    a = np.zeros(1000, np.int32)
    text = emit_module(program(strided_sums((4, 8), 0, 60), arguments_of({"a": a}, {"out": a})))
    body = text[text.index("loop") :]
    assert " mul " not in body[body.index("phi") : body.index("ret ")]
