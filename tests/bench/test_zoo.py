"""Every pipeline of the zoo computes what its reference says, on pipec and, where it can, on the wheel."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import halide
import numpy as np
import pytest

import pipec
from bench.zoo.entry import Entry
from bench.zoo.registry import ZOO


def result(hl: ModuleType, entry: Entry) -> Any:
    """The output of an entry at its test size, with every Func at root."""
    algorithm, images = entry.build(hl), entry.inputs(entry.test_size)
    for name, param in algorithm.images.items():
        param.set(hl.Buffer(images[name]))
    for name, param in algorithm.params.items():
        param.set(entry.settings[name])
    for func in algorithm.stages.values():
        func.compute_root()
    return np.array(algorithm.output.realize(list(entry.test_size)))


@pytest.mark.parametrize("name", ZOO)
def test_an_entry_computes_its_reference(name: str) -> None:
    entry = ZOO[name]
    expected = entry.reference(entry.inputs(entry.test_size))
    for hl in (pipec, halide) if not entry.wheel else (pipec,):
        actual = result(hl, entry)
        assert actual.dtype == expected.dtype and actual.shape == expected.shape
        worst = np.abs(actual.astype(np.float64) - expected.astype(np.float64)).max()
        assert worst <= entry.tolerance, f"{hl.__name__} differs by {worst}"
