"""Vectorized reductions inside vector loops, whose outer lanes do not all exist at the ends of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pipec as hl
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.ir.expr import VectorReduce
from pipec.ir.stmt import IfThenElse
from pipec.ir.walk import instances
from pipec.lower.lower import lower

i, j, lane = hl.vars("i j lane")
TERMS = 12
LAYOUTS = ["rows", "columns", "interleaved"]


def product(layout: str, wide: hl.Type, kinds: tuple[hl.Type, hl.Type], guarded: bool = False) -> Any:
    """A product of matrices in vectors of 8 columns and 4 terms, and its operands; `guarded`: of the first terms."""
    left, right = hl.ImageParam(kinds[0], 2, "left"), hl.ImageParam(kinds[1], 2, "right")
    total, r = hl.Func("total"), hl.RDom([(0, TERMS)], "r")
    if guarded:
        r.where(r < i + 2)
    places = {"rows": (i, r), "columns": (r, i), "interleaved": (4 * i + r % 4, r // 4)}
    total[i, j] = hl.cast(wide, 0)
    total[i, j] += hl.cast(wide, left[r, j]) * hl.cast(wide, right[places[layout]])
    outer, inner = hl.RVar("outer"), hl.RVar("inner")
    update = total.update().split(i, i, lane, 8, hl.TailStrategy.GuardWithIf).split(r, outer, inner, 4)
    update.reorder(inner, lane, outer, i, j).atomic().vectorize(lane).vectorize(inner)
    return total, left, right


def values(total: hl.Func, left: Any, right: Any, layout: str, width: int, guarded: bool = False) -> None:
    """Compares a product of this width with numpy's; nothing beyond the operands may be read."""
    rng = np.random.default_rng(width)
    a = rng.integers(0, 9, (3, TERMS)).astype(str(left.type()))
    b = rng.integers(0, 9, (TERMS, width)).astype(str(right.type()))
    stored = {
        "rows": b,
        "columns": b.T,
        "interleaved": b.reshape(TERMS // 4, 4, width).swapaxes(1, 2).reshape(-1, 4 * width),
    }
    left.set(hl.Buffer(a))
    right.set(hl.Buffer(np.ascontiguousarray(stored[layout])))
    mask = np.arange(TERMS)[:, None] < np.arange(width) + 2 if guarded else True
    expected = a.astype(np.float64) @ (b * mask).astype(np.float64)
    np.testing.assert_allclose(np.asarray(total.realize([width, 3])).astype(np.float64), expected, rtol=1e-6)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    "wide, kinds",
    [
        (hl.Int(32), (hl.UInt(8), hl.Int(8))),
        (hl.Int(32), (hl.Int(16), hl.Int(16))),
        (hl.UInt(16), (hl.UInt(8), hl.UInt(8))),
        (hl.Float(32), (hl.Float(32), hl.Float(32))),
        (hl.Float(64), (hl.Float(32), hl.Float(64))),
    ],
    ids=str,
)
def test_the_last_columns_are_right(layout: str, wide: hl.Type, kinds: tuple[hl.Type, hl.Type]) -> None:
    total, *operands = product(layout, wide, kinds)
    for width in (1, 7, 8, 21, 31):
        values(total, *operands, layout, width)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_conditions_that_the_terms_change_are_right(layout: str) -> None:
    total, *operands = product(layout, hl.Int(32), (hl.UInt(8), hl.Int(8)), guarded=True)
    for width in (5, 19):
        values(total, *operands, layout, width, guarded=True)


def test_the_last_columns_are_vectors() -> None:
    total, *_ = product("rows", hl.Int(32), (hl.UInt(8), hl.Int(8)))
    program = lower(freeze([total.function])[0], schedule_of([total.function]), hl.get_host_target())
    branches = [node for node in instances(IfThenElse, program.body) if any(instances(VectorReduce, node))]
    assert 1 <= len(branches) <= 2, "one condition for all lanes, not one for each"
    assert all(node.type.nlanes == 8 for node in instances(VectorReduce, program.body))
