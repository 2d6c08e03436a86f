"""The race check of the interpreter against islpy: races of affine accesses by the iterations of a parallel loop."""

from __future__ import annotations

import random

import numpy as np
import pytest

from pipec.errors import InternalError
from pipec.ir import build
from pipec.ir import expr as e
from pipec.ir import stmt as s
from pipec.ir.interp import run
from pipec.ir.types import INT32

isl = pytest.importorskip("islpy")
OUTER, INNER, SIZE = 5, 4, 64
ROW, COLUMN = e.variable("i"), e.variable("j")


def element(access: tuple[int, int, int]) -> e.Expr:
    a, b, c = access
    return build.add(build.add(build.mul(ROW, a), build.mul(COLUMN, b)), c)


def program(written: tuple[int, int, int], read: tuple[int, int, int]) -> s.Stmt:
    """Each iteration (i, j) reads an element of `shared`, then stores a value of its own to another one."""
    value = build.add(build.add(build.mul(ROW, INNER), COLUMN), 1000)
    copy = s.Store("out", e.Load(INT32, "shared", element(read), e.TRUE), element((INNER, 1, 0)), e.TRUE)
    update = s.Store("shared", value, element(written), e.TRUE)
    inner = s.For("j", e.const(0), e.const(INNER), s.LoopKind.SERIAL, build.block([copy, update]))
    return s.For("i", e.const(0), e.const(OUTER), s.LoopKind.PARALLEL, inner)


def meet(first: tuple[int, int, int], second: tuple[int, int, int]) -> bool:
    """Whether two iterations with different i access the same element."""
    (a, b, c), (d, f, g) = first, second
    return not isl.Set(
        f"{{ [i, j, k, l] : 0 <= i, k < {OUTER} and 0 <= j, l < {INNER} and i != k"
        f" and {a}i + {b}j + {c} = {d}k + {f}l + {g} }}"
    ).is_empty()


def test_random_accesses() -> None:
    rng, outcomes = random.Random(3), {True: 0, False: 0}
    for case in range(300):
        written, read = [(rng.randint(0, 6), rng.randint(0, 4), rng.randint(0, 20)) for _ in range(2)]
        mixed, overwritten = meet(read, written), meet(written, written)
        shared, out = np.zeros(SIZE, np.int32), np.zeros(OUTER * INNER, np.int32)
        try:
            run(program(written, read), {"shared": shared, "out": out}, order=random.Random(case), strict=False)
            raced = False
        except InternalError as error:
            assert "Race in loop i" in str(error)
            raced = True
        # An element that several iterations write is undefined after the loop; reading it back is no error by itself.
        if not (mixed and overwritten):
            assert raced == mixed, f"element {written} written, {read} read"
            outcomes[raced] += 1
    assert min(outcomes.values()) > 30
