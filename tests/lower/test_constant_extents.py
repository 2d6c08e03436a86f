"""Varying extents of unrolled and vectorized loops."""

import numpy as np
import pytest
from hand_made import *

from pipec.ir import build
from pipec.ir.stmt import For, LetStmt
from pipec.ir.walk import postorder
from pipec.lower.constant_extents import Largest, constant_extents

first = build.eq(y, 0)


def window(kind):
    """Rows of which the first outer iteration computes four and each later one two more."""
    low = variable("low")
    rows = loop("r", low, build.sub(add(mul(y, 2), 4), low), provide("out", variable("r"), variable("r")), kind)
    return loop("y", 0, 3, LetStmt("low", build.select(first, mul(y, 2), add(mul(y, 2), 2)), rows))


@pytest.mark.parametrize("kind", [UNROLLED, VECTORIZED])
def test_the_largest_extent_is_taken_and_the_body_guarded(kind):
    after = constant_extents(window(kind))
    (inner,) = [node for node in postorder(after) if isinstance(node, For) and node.kind is kind]
    assert build.constant(inner.extent) == 4
    same(window(kind), after, {"out": np.zeros(8, np.int32)})


def test_constant_extents_stay():
    stmt = loop("r", 0, 4, provide("out", variable("r"), variable("r")), UNROLLED)
    assert constant_extents(stmt) is stmt


def test_extents_without_a_limit_stay():
    stmt = loop("r", 0, w, provide("out", variable("r"), variable("r")), UNROLLED)
    assert constant_extents(stmt) is stmt


def test_a_limit_is_found_before_all_lets_are_seen_through():
    low, high, at, end, p, q, r, s = [variable(name) for name in "low high at end p q r s".split()]
    tile = mul(build.min_(add(low, mul(at, 64)), build.sub(high, 63)), 2)
    lets = {
        "end": add(tile, 128),
        "low": build.min_(build.min_(p, build.sub(mul(q, 2), 1)), r),
        "high": build.max_(build.max_(q, add(mul(p, 2), 2)), s),
    }
    extent = build.sub(build.max_(tile, build.sub(end, 128)), build.sub(add(mul(low, 2), mul(at, 128)), 130))
    assert Largest(lets, 1 << 14).of(extent) == 130
