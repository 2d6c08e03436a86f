"""Varying extents of unrolled and vectorized loops."""

import numpy as np
import pytest
from hand_written import *

from pipec.ir import build
from pipec.ir.stmt import For, LetStmt
from pipec.ir.walk import postorder
from pipec.lower.passes.constant_extents import constant_extents

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
