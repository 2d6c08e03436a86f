"""What a pipeline needed to be compiled and run goes when it goes."""

from __future__ import annotations

import gc

import pytest

import pipec as hl
from pipec.ir.node import table


def _compile_and_drop(number: int) -> None:
    x = hl.Var("x")
    f, g = hl.funcs("f g")
    f[x] = x * number
    g[x] = f[x] + f[x + 1]
    f.compute_root()
    assert g.realize([3]).numpy().tolist() == [number * (2 * k + 1) for k in range(3)]


def test_no_expressions_stay_of_pipelines_that_are_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipec.jit.objects.cache.enabled", lambda: False)
    for number in range(3):
        _compile_and_drop(number)
    gc.collect()
    before = len(table)
    for number in range(3, 23):
        _compile_and_drop(number)
    gc.collect()
    assert len(table) <= before + 20
