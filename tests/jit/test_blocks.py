"""Loads of blocks, as of transforms: a vector reads a few dense runs, one in each block."""

import numpy as np
import pytest

import pipec as hl
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.jit.llvm.emit import emit_module
from pipec.jit.llvm.engine import engine
from pipec.jit.llvm.machine import host
from pipec.lower.lower import lower

x, y = hl.vars("x y")
WIDTH = 192
TARGETS = {"host": "host", "avx2": "x86-64-linux-sse41-avx-avx2-fma", "sse41": "x86-64-linux-sse41"}


def of_blocks(size, dtype, lanes, last_first=False, tail=hl.TailStrategy.Auto):
    """A Func that reads columns of blocks, of which each is a row of an array, and its values."""
    blocks = np.random.default_rng(size).integers(0, 2 if dtype is np.bool_ else 100, (WIDTH // size, size))
    blocks = blocks.astype(dtype)
    f, column = hl.Func("f"), (size - 1 - x % size if last_first else x % size)
    f[x] = hl.Buffer(blocks)[column, x / size]
    return f.align_bounds(x, size).vectorize(x, lanes, tail), (blocks[:, ::-1] if last_first else blocks).reshape(-1)


@pytest.mark.part(12)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("lanes", [8, 16, 32, 64])
@pytest.mark.parametrize("size", [4, 6, 8, 16, 32])
@pytest.mark.parametrize("dtype", [np.bool_, np.uint8, np.int16, np.float32, np.float64])
def test_lanes_have_the_elements_of_their_blocks(dtype, size, lanes, target):
    for last_first in (False, True):
        f, expected = of_blocks(size, dtype, lanes, last_first)
        np.testing.assert_array_equal(f.realize([WIDTH], hl.Target(TARGETS[target])), expected)


@pytest.mark.parametrize("size, lanes, runs", [(8, 16, 2), (8, 32, 4), (4, 16, 4), (16, 16, 1)])
def test_each_run_is_one_load(size, lanes, runs):
    f, _ = of_blocks(size, np.float32, lanes, tail=hl.TailStrategy.RoundUp)
    program = lower(freeze([f.function])[0], schedule_of([f.function]), hl.get_jit_target_from_environment())
    text = emit_module(program, abilities=engine().abilities(host()))
    assert "gather" not in text and "load float" not in text
    assert text.count(f"load <{lanes // runs} x float>") in (runs, 2 * runs), "in one or two variants of the loop"
