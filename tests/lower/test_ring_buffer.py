"""ring_buffer: the memory of a Func holds several storages, which iterations take in turn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pipec as hl
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.ir.stmt import Allocate, Store
from pipec.ir.walk import postorder
from pipec.lower.lower import lower
from pipec.schedule.schedule import Schedule

x, y, xo, yo, xi, yi = hl.vars("x y xo yo xi yi")


def pair() -> tuple[hl.Func, hl.Func]:
    f, g = hl.funcs("f g")
    f[x, y] = x + y
    g[x, y] = f[x - 1, y - 1] + f[x + 1, y + 1]
    return f, g


def program(g: hl.Func) -> list[Any]:
    definition, _ = freeze([g.function])
    body = lower(definition, schedule_of([g.function]), hl.get_jit_target_from_environment()).body
    return list(postorder(body))


SCHEDULES: dict[str, Any] = {
    "rows": lambda f, g: f.compute_at(g, y).hoist_storage_root().ring_buffer(2),
    "tiles": lambda f, g: (
        g.tile(x, y, xo, yo, xi, yi, 4, 4),
        f.compute_at(g, xo).hoist_storage_root().ring_buffer(3).vectorize(x, 4),
    ),
    "windows that slide": lambda f, g: (
        g.tile(x, y, xo, yo, xi, yi, 4, 4),
        f.compute_at(g, yi).store_at(g, xo).hoist_storage(g, yo).ring_buffer(3),
    ),
    "an extent from a Param": lambda f, g: (
        f.compute_at(g, y).hoist_storage_root().ring_buffer(hl.Param(hl.Int(32), "copies", 2))
    ),
    "one": lambda f, g: f.compute_at(g, y).hoist_storage_root().ring_buffer(1),
    "inlined": lambda f, g: f.ring_buffer(2),
}


@pytest.mark.parametrize("name", SCHEDULES)
def test_pixels_stay_the_same(name: str) -> None:
    f, g = pair()
    SCHEDULES[name](f, g)
    rows, columns = np.mgrid[:11, :13]
    np.testing.assert_array_equal(np.asarray(g.realize([13, 11])), 2 * (rows + columns))


def test_the_memory_holds_all_storages_and_iterations_take_them_in_turn() -> None:
    f, g = pair()
    g.tile(x, y, xo, yo, xi, yi, 4, 4)
    f.compute_at(g, xo).hoist_storage_root().ring_buffer(3)
    nodes = program(g)
    (size,) = [node.size.value for node in nodes if isinstance(node, Allocate)]
    assert size == 3 * 6 * 6
    stored = [str(node.index) for node in nodes if isinstance(node, Store) and "hoisted" in node.buffer]
    assert all("start" in index for index in stored)


def test_text_of_the_schedule_makes_it_again() -> None:
    f, g = pair()
    f.compute_at(g, y).hoist_storage_root().ring_buffer(2)
    schedule = schedule_of([g.function])
    assert ".ring_buffer(2)" in schedule.to_python()
    assert Schedule.from_json(schedule.to_json()) == schedule
