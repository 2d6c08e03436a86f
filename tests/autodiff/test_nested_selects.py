"""Derivatives through nested selects and extrema, whose paths double with every level."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pipec as hl


@pytest.mark.parametrize(
    ("step", "slope"),
    [
        (lambda e, k: hl.select(e > k, e * 2, e * 3 - 1), lambda e, k: np.where(e > k, 2, 3)),
        (lambda e, k: hl.min(e * 2 - 3, hl.max(e, k)), None),
    ],
)
def test_levels_take_linear_time(step: Callable[[Any, int], Any], slope: Any) -> None:
    x, f, source, total = hl.Var("x"), hl.Func("f"), hl.Func("source"), hl.Func("total")
    values = np.linspace(-2, 5, 12).astype(np.float64)
    source[x] = hl.Buffer(values)[hl.clamp(x, 0, 11)]
    e: Any = source[x]
    current, derivative = values.copy(), np.ones(12)
    for k in range(24):
        e = step(e, k)
        if slope is None:
            larger = np.maximum(current, k)
            derivative *= np.where(current * 2 - 3 <= larger, 2, current >= k)
            current = np.minimum(current * 2 - 3, larger)
        else:
            derivative *= slope(current, k)
            current = np.where(current > k, current * 2, current * 3 - 1)
    f[x] = e
    r = hl.RDom([(0, 12)])
    total[()] = hl.f64(0)
    total[()] += f[r]
    gradient = hl.propagate_adjoints(total)[source]
    np.testing.assert_allclose(np.asarray(gradient.realize([12])), derivative)
