"""C functions that read and write storage outside loops: sliding windows, and rings by the factors of the schedule."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pipec as hl

SOURCE = Path(__file__).parent.parent / "differential" / "extern_functions.c"
x, y, yo, yi = hl.vars("x y yo yi")


@pytest.fixture(scope="module", autouse=True)
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    path = tmp_path_factory.mktemp("extern") / "functions.so"
    subprocess.run(["cc", "-std=c99", "-O1", "-shared", "-fPIC", str(SOURCE), "-o", str(path)], check=True)
    return ctypes.CDLL(str(path), ctypes.RTLD_GLOBAL)


def chain(distance: int) -> tuple[hl.Func, hl.Func, hl.Func]:
    """A Func, the sums of its rows by a C function, and sums of two rows of these."""
    f, g, h = hl.funcs("f g h")
    f[x, y] = x + 10 * y
    arguments = [hl.ExternFuncArgument(f), hl.ExternFuncArgument(hl.i32(2))]
    g.define_extern("ef_row_sums", arguments, hl.Int(32), [x, y])
    h[x, y] = g[x, y - distance] + g[x, y + distance]
    return f, g, h


def assert_right(h: hl.Func) -> None:
    rows, columns = np.mgrid[:12, :9]
    np.testing.assert_array_equal(np.asarray(h.realize([9, 12])), 12 * (columns + 10 * rows))


WINDOWS: dict[str, Any] = {
    "input": lambda f, g, h: (g.compute_at(h, y), f.store_root().compute_at(h, y)),
    "output": lambda f, g, h: (g.store_root().compute_at(h, y), f.compute_at(h, y)),
    "both": lambda f, g, h: (g.store_root().compute_at(h, y), f.store_root().compute_at(h, y)),
    "input in a strip": lambda f, g, h: (
        h.split(y, yo, yi, 4),
        g.compute_at(h, yi),
        f.store_at(h, yo).compute_at(h, yi),
    ),
}
RINGS: dict[str, Any] = {
    "output": lambda f, g, h: (g.store_root().compute_at(h, yo).fold_storage(y, 4), f.compute_at(h, yo)),
    "input": lambda f, g, h: (g.compute_at(h, yo), f.store_root().compute_at(h, yo).fold_storage(y, 8)),
    "single rows of the input": lambda f, g, h: (
        g.compute_at(h, yi),
        f.store_root().compute_at(h, yi).fold_storage(y, 1),
    ),
    "both": lambda f, g, h: (
        g.store_root().compute_at(h, yo).fold_storage(y, 8),
        f.store_root().compute_at(h, yo).fold_storage(y, 4),
    ),
}


@pytest.mark.parametrize("name", WINDOWS)
def test_storage_outside_the_loop_of_an_extern_stage(name: str) -> None:
    f, g, h = chain(1)
    WINDOWS[name](f, g, h)
    assert_right(h)


@pytest.mark.parametrize("name", RINGS)
def test_rings_hold_the_blocks_of_an_extern_stage(name: str) -> None:
    f, g, h = chain(0)
    h.split(y, yo, yi, 4)
    RINGS[name](f, g, h)
    assert_right(h)


@pytest.mark.parametrize("of_input", [True, False])
def test_rows_across_the_end_of_a_ring_are_an_error(of_input: bool) -> None:
    f, g, h = chain(1)
    if of_input:
        g.compute_at(h, y)
        f.store_root().compute_at(h, y).fold_storage(y, 4)
    else:
        f.compute_at(h, y)
        g.store_root().compute_at(h, y).fold_storage(y, 4)
    with pytest.raises(hl.HalideError, match=r"extern stage accesses \[-1, 1\], which wraps around the boundary"):
        h.realize([9, 12])
