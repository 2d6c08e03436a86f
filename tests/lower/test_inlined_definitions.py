"""Inlining: each call is expanded once, at each point, and what would be too large to compile is stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

import pipec as hl
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.ir.walk import postorder
from pipec.lower.planning import inlining
from pipec.schedule.placement import ComputeAt, func_schedule

x, y = hl.vars("x y")


def chain(count: int, clamped: bool) -> list[hl.Func]:
    """Each Func multiplies and adds neighbours of the one before it, which are clamped to columns 0 to 99."""
    funcs = [hl.Func("chain0")]
    funcs[0][x] = hl.u32(x)
    for level in range(1, count + 1):
        before, func = funcs[-1], hl.Func(f"chain{level}")
        left, right = (hl.clamp(x + k, 0, 99) if clamped else x + k for k in (-1, 1))
        func[x] = before[left] * before[right] + before[2 * x - x] * 3
        funcs.append(func)
    return funcs


def values(count: int, size: int) -> np.ndarray:
    """The pixels of a clamped chain."""
    row = np.arange(100, dtype=np.uint32)
    for _ in range(count):
        padded = np.pad(row, 1, mode="edge")
        row = padded[:-2] * padded[2:] + row * np.uint32(3)
    return row[:size]


def inlined(output: hl.Func) -> tuple[set[str], int]:
    """The Funcs that are stored, and the number of nodes that are left."""
    definition, _ = freeze([output.function])
    schedule, funcs = inlining.inlined(definition, schedule_of([output.function]), {})
    assert all(name in definition.outputs or ComputeAt in func_schedule(schedule, name) for name in funcs)
    return set(funcs), len(list(postorder(*[root for func in funcs.values() for root in func.stages[0].roots])))


def test_calls_at_the_same_offset_are_one() -> None:
    *_, output = chain(30, clamped=False)
    stored, nodes = inlined(output)
    assert stored == {output.name()}
    # 61 points of the first Func, not 3 ** 30.
    assert nodes < 30 * 61 * 5


def test_calls_at_scaled_offsets_are_one() -> None:
    func = hl.Func("pyramid0")
    func[x] = x * x
    for level in range(1, 8):
        following = hl.Func(f"pyramid{level}")
        following[x] = func[2 * x - 1] + func[2 * x] * func[2 * x + 1]
        func = following
    # 2 ** 8 - 1 points of the first Func, not 3 ** 7.
    assert inlined(func)[1] < 7 * 255 * 3


def test_a_chain_that_is_too_large_is_stored_in_parts(capsys: pytest.CaptureFixture[str]) -> None:
    *_, output = chain(9, clamped=True)
    with patch.object(inlining, "MAX_INLINED_NODES", 1000):
        pixels = np.asarray(output.realize([20]))
        stored, nodes = inlined(output)
    np.testing.assert_array_equal(pixels, values(9, 20))
    assert 1 < len(stored) < 6 and nodes < 3000
    names = ", ".join(sorted([name.partition("$")[0] for name in stored - {output.name()}]))
    assert f"These are computed at root instead: {names}. Call chain9.autoschedule()" in capsys.readouterr().out


def test_what_the_user_inlines_is_inlined() -> None:
    *funcs, output = chain(6, clamped=True)
    for func in funcs:
        func.compute_inline()
    with patch.object(inlining, "MAX_INLINED_NODES", 1000):
        assert inlined(output)[0] == {output.name()}


def test_what_is_read_at_coordinates_from_data_is_not_stored() -> None:
    *funcs, output = chain(6, clamped=True)
    table = hl.ImageParam(hl.Int(32), 1, "table")
    gathered = hl.Func("gathered")
    gathered[x] = output[table[x]]
    with patch.object(inlining, "MAX_INLINED_NODES", 1000):
        stored, _ = inlined(gathered)
    assert output.name() not in stored and len(stored) > 1


def combined(count: int, combine: Callable[[Any, Any], Any]) -> hl.Func:
    last = hl.Func("f0")
    last[x] = x
    for k in range(1, count):
        following = hl.Func(f"f{k}")
        following[x] = combine(last, x)
        last = following
    return last


@pytest.mark.slow
def test_a_chain_of_3000_inlined_funcs() -> None:
    assert list(np.asarray(combined(3001, lambda f, x: f[x] + 1).realize([3]))) == [3000, 3001, 3002]


@pytest.mark.parametrize(
    "combine",
    [lambda f, x: f[x] + 1, lambda f, x: f[x + 1] + f[x + 1], lambda f, x: f[x] * 2 + f[x + 1] % 7],
)
def test_each_call_is_expanded_once(combine: Callable[[Any, Any], Any]) -> None:
    count = 9
    output = combined(count, combine)
    with patch.object(inlining, "substitute", wraps=inlining.substitute) as expand:
        image = np.asarray(output.realize([4]))
    lowerings = 2  # for the sizes of inputs, and for the code
    assert expand.call_count <= lowerings * count * (count + 1) // 2
    values = np.arange(40)
    for _ in range(count - 1):
        values = np.array(combine(values, np.arange(len(values) - 1)))
    assert (image == values[:4]).all()
