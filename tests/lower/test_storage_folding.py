"""fold_storage: dimensions stored in rings, by the factors of the schedule."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pipec as hl
from apps.registry import APPS
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.ir.build import constant
from pipec.lower.lower import make_plan


def test_factors_grow_with_the_windows_of_exact_tails() -> None:
    """Without alignment of bounds the windows of camera_pipe are larger than the fold factor 2 of its schedule."""
    app = APPS["camera_pipe"]
    algorithm: Any = app.build(hl)
    app.schedule(hl, algorithm)
    functions = [algorithm.output.function]
    definition, schedule = freeze(functions)[0], schedule_of(functions)
    factors = []
    for exact_tails in (False, True):
        funcs = make_plan(definition, schedule, exact_tails).funcs.values()
        factors += [func.folds[1] for func in funcs if func.definition.name.startswith("green_at_red")]
    assert [constant(factor) for factor in factors if factor is not None] == [4, 4]


def two_rows(hl: Any, x: Any, y: Any) -> tuple[Any, Any]:
    f, g = hl.Func("f"), hl.Func("g")
    f[x, y] = x + 10 * y
    g[x, y] = f[x - 1, y] + f[x, y - 1] + f[x, y + 1]
    return f, g


def rows_under_tiles(hl: Any, x: Any, y: Any) -> Any:
    f, g = two_rows(hl, x, y)
    xo, yo, xi, yi = (hl.Var(name) for name in ("xo", "yo", "xi", "yi"))
    g.tile(x, y, xo, yo, xi, yi, 4, 4)
    f.store_root().compute_at(g, xo).fold_storage(y, 8).fold_storage(x, 8)
    return g


def rows_and_columns(hl: Any, x: Any, y: Any) -> Any:
    f, g = two_rows(hl, x, y)
    f.store_root().compute_at(g, x).fold_storage(y, 4).fold_storage(x, 8)
    return g


def aligned(hl: Any, x: Any, y: Any) -> Any:
    f, g = two_rows(hl, x, y)
    f.store_root().compute_at(g, y).fold_storage(y, 4).align_bounds(y, 2)
    return g


def with_updates(hl: Any, x: Any, y: Any) -> Any:
    f, g = hl.Func("f"), hl.Func("g")
    f[x, y] = 10 * y
    f[x, y] += x
    g[x, y] = f[x - 1, y] + f[x, y - 1] + f[x, y + 1]
    f.store_root().compute_at(g, y).fold_storage(y, 4)
    return g


def channels_outside(hl: Any, x: Any, y: Any, interleaved: bool) -> Any:
    c, f, g = hl.Var("c"), hl.Func("f"), hl.Func("g")
    f[x, y, c] = x + 10 * y + 100 * c
    g[x, y, c] = f[x - 1, y + 1, c] + f[x, y - 1, c]
    f.store_root().compute_at(g, y).fold_storage(y, 3)
    if interleaved:
        f.reorder(c, x, y).reorder_storage(c, x, y)
        g.reorder(c, x, y).reorder_storage(c, x, y)
    return g


def channels_that_overlap(hl: Any, x: Any, y: Any) -> Any:
    """Values of one channel are read in the next one, so that their rows must not share memory."""
    c, f, g = hl.Var("c"), hl.Func("f"), hl.Func("g")
    f[x, y, c] = x + 10 * y + 100 * c
    g[x, y, c] = f[x, y + 1, c] + f[x, y - 1, c + 1]
    f.store_root().compute_at(g, y).fold_storage(y, 4).fold_storage(c, 4)
    return g


FOLDS: dict[str, Any] = {
    "two dimensions, tiles": rows_under_tiles,
    "two dimensions, single points": rows_and_columns,
    "aligned bounds": aligned,
    "updates": with_updates,
    "in an outer loop, planar": lambda hl, x, y: channels_outside(hl, x, y, False),
    "in an outer loop, interleaved": lambda hl, x, y: channels_outside(hl, x, y, True),
    "windows along two loops": channels_that_overlap,
}


@pytest.mark.parametrize("module", ["pipec", "halide"])
@pytest.mark.parametrize("name", FOLDS)
@pytest.mark.part(3)
def test_folded_storage_changes_no_value(name: str, module: str) -> None:
    front_end = pytest.importorskip(module)
    x, y = front_end.Var("x"), front_end.Var("y")
    g = FOLDS[name](front_end, x, y)
    shape = (12, 16) if g.dimensions() == 2 else (3, 11, 7)
    values = np.asarray(g.realize(shape[::-1]))
    ys, xs = np.indices(shape)[-2:]
    if len(shape) == 2:
        expected = 3 * xs - 1 + 30 * ys
    else:
        cs = np.indices(shape)[0]
        expected = 2 * (xs + 10 * ys + 100 * cs) + (100 if name == "windows along two loops" else -1)
    np.testing.assert_array_equal(values, expected)


def test_a_fold_without_effect_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("columns"), hl.Func("g")
    f[x, y] = x + 10 * y
    g[x, y] = f[x, y] + f[x, y + 1]
    f.store_root().compute_at(g, x).fold_storage(x, 8)
    functions = [g.function]
    plan = make_plan(freeze(functions)[0], schedule_of(functions))
    # The rows that the loop over y reads again are stored in full, and these are two.
    assert [fold if fold is None else constant(fold) for fold in plan.funcs["columns"].folds] == [None, 2]
    assert "fold_storage of columns along x has no effect" in capsys.readouterr().out


def test_chains_of_stencils_over_repeated_edges_are_stored_in_rings() -> None:
    """Each step has minima and maxima around those of the step after it."""
    image, steps, (x, y, yi) = hl.ImageParam(hl.Float(32), 2, "image"), [], hl.vars("x y yi")
    previous: Any = image
    for k in range(12):
        edges = hl.BoundaryConditions.repeat_edge(previous, [(0, image.width()), (0, image.height())])
        previous = hl.Func(f"step_{k}")
        previous[x, y] = edges[x, y - 1] + edges[x, y + 1]
        steps.append(previous)
    previous.split(y, y, yi, 4)
    for step in steps[:-1]:
        step.store_root().compute_at(previous, y)
    functions = [previous.function]
    plan = make_plan(freeze(functions)[0], schedule_of(functions))
    rings = [constant(func.folds[1]) for func in plan.funcs.values() if not func.is_output and func.folds[1]]
    assert sorted(rings) == [8] * 2 + [16] * 4 + [32] * 5, "two rows more for each step, to a power of two"
