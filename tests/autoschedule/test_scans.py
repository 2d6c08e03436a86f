"""Searches of scans: their loops carry values in registers."""

from __future__ import annotations

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.space.state import Where

x, y = hl.vars("x y")
SIZES = [1500, 1000]


def prefix_sums(along: str) -> hl.Func:
    f, r = hl.Func("f"), hl.RDom([(1, SIZES["xy".index(along)] - 1)])
    f[x, y] = hl.f32(x % 7 + y)
    if along == "x":
        f[r, y] += f[r - 1, y]
    else:
        f[x, r] += f[x, r - 1]
    return f


def test_scans_along_rows_run_value_by_value() -> None:
    result = prefix_sums("x").autoschedule(sizes=SIZES, verify=False, search_seconds=1)
    placement = result.state["f"]
    assert placement.where is Where.ROOT
    assert placement.nests[1].vector is None and placement.nests[1].parallel == (1,)


def test_scans_along_columns_have_lanes_of_neighbours() -> None:
    result = prefix_sums("y").autoschedule(sizes=SIZES, verify=False, search_seconds=1)
    assert result.state["f"].nests[1].vector == 0


@pytest.mark.parametrize("along", ["x", "y"])
def test_scans_that_were_searched_are_right(along: str) -> None:
    f = prefix_sums(along)
    f.autoschedule(sizes=SIZES, verify=False, search_seconds=1)
    columns, rows = np.meshgrid(np.arange(90), np.arange(70))
    source = (columns % 7 + rows).astype(np.float32)
    result = np.array(f.realize(SIZES))[:70, :90]
    np.testing.assert_array_equal(result, np.cumsum(source, 1 if along == "x" else 0))
