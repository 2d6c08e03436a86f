"""Coordinates with parts in common: each part is widened to 64 bits once, however many paths lead to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pipec as hl
from pipec.jit.llvm.expr import ExprFunction

LEVELS = 25


@pytest.mark.parametrize(
    "step",
    [
        lambda e, k, choose, low, high: choose(e > k, e + 1, e - 1),
        lambda e, k, choose, low, high: low(e + 1, high(e, k)),
        lambda e, k, choose, low, high: low(e * 2, 200) - high(e, 3),
    ],
)
@pytest.mark.part(2)
def test_each_part_is_widened_once(step: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    widen, calls = ExprFunction._widen, [0]

    def counted(self: ExprFunction, node: Any, memo: Any) -> Any:
        calls[0] += 1
        assert calls[0] < 100 * LEVELS
        return widen(self, node, memo)

    monkeypatch.setenv("PIPEC_CACHE", "0")
    monkeypatch.setattr(ExprFunction, "_widen", counted)
    x, f = hl.Var("x"), hl.Func("f")
    table = np.arange(1000, 1201, dtype=np.int32)
    coordinate: Any = hl.i32(x)
    expected = np.arange(50)
    for k in range(LEVELS):
        coordinate = step(coordinate, k, hl.select, hl.min, hl.max)
        expected = step(expected, k, np.where, np.minimum, np.maximum)
    f[x] = hl.Buffer(table)[hl.clamp(coordinate, 0, 200)]
    np.testing.assert_array_equal(np.asarray(f.realize([50])), table[np.clip(expected, 0, 200)])
    assert calls[0] > LEVELS
