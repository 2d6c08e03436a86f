"""Every place that the error for an illegal one lists is accepted, and gives the same pixels."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pipec as hl
from pipec.errors import ScheduleError

x, y, xi, yi, t = [hl.Var(name) for name in ("x", "y", "xi", "yi", "t")]
NOWHERE = hl.Var("nowhere")
SIZE = [13, 7]


def stencils() -> list[Any]:
    f, g, h = hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[x, y] = x + 3 * y
    g[x, y] = f[x - 1, y] + f[x, y + 1]
    h[x, y] = g[x, y - 1] * g[x + 1, y] + f[x, y]
    h.tile(x, y, xi, yi, 4, 2).vectorize(xi)
    g.compute_at(h, x)
    return [f, g, h]


def updates() -> list[Any]:
    f, h = hl.Func("f"), hl.Func("h")
    r = hl.RDom([(0, 5), (1, 3)], "r")
    f[x, y] = x * y
    f[x, y] += r.x
    h[x, y] = f[x, y + 1]
    h[x, y] += f[x + r.x, y] * r.y
    h[r.x, y] += f[r.x, y - 1]
    h.split(y, y, yi, 3)
    h.update(0).reorder(x, r.x, r.y, y).unroll(r.x)
    h.update(1).vectorize(y, 4)
    return [f, h]


def nested() -> list[Any]:
    f, g, h, k = hl.Func("f"), hl.Func("g"), hl.Func("h"), hl.Func("k")
    f[x, y] = x - y
    g[x, y] = f[x, y] + f[x + 1, y]
    h[x, y] = g[x, y] * 2
    h[x, 0] += g[x, 1]
    k[x, y] = h[x, y] + h[x, y + 1]
    k.fuse(x, y, t).parallel(t, 5)
    h.compute_at(k, t)
    g.compute_at(h, x)
    return [f, g, h, k]


def places(build: Callable[[], list[Any]], number: int) -> list[str]:
    funcs = build()
    funcs[number].compute_at(funcs[-1], NOWHERE)
    with pytest.raises(ScheduleError) as caught:
        funcs[-1].realize(SIZE)
    text = str(caught.value)
    listed = text.split("Legal locations for this function are:\n")[1].split('"')[0]
    return re.findall(r"\.(compute_\w+\(.*\));", listed)


def place(funcs: list[Any], number: int, call: str) -> None:
    """Applies a call such as `compute_at(g$2, Var::outermost())`."""
    if call == "compute_root()":
        funcs[number].compute_root()
        return
    name, var = re.fullmatch(r"compute_at\((.*), (.*)\)", call).groups()  # type: ignore[union-attr]
    stem = name.split("$")[0]
    consumer = next(func for func in funcs if func.name().split("$")[0] == stem)
    variable = hl.Var.outermost() if var == "Var::outermost()" else hl.RVar(var) if "$" in var else hl.Var(var)
    funcs[number].compute_at(consumer, variable)


@pytest.mark.part(3)
@pytest.mark.parametrize("build", [stencils, updates, nested])
def test_legal_places(build: Callable[[], list[Any]]) -> None:
    expected = np.asarray(build()[-1].realize(SIZE))
    for number in range(len(build()) - 1):
        listed = places(build, number)
        assert "compute_root()" in listed
        for call, store_root in itertools.product(listed, (False, True)):
            funcs = build()
            place(funcs, number, call)
            if store_root:
                funcs[number].store_root()
            try:
                actual = np.asarray(funcs[-1].realize(SIZE))
            except ScheduleError as error:
                # Storage may not be shared by the iterations of parallel or vector loops.
                assert store_root and "potential race condition" in str(error), call
            else:
                np.testing.assert_array_equal(actual, expected, err_msg=f"{call}, store_root: {store_root}")
