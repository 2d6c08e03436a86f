"""Stores past the cache: the same values as ordinary stores, wherever rows begin, and only where they may be used."""

import numpy as np
import pytest
from programs import arguments_of, const, load, loop, program, ramp, run, store, variable

from pipec.ir.expr import Add, Mul
from pipec.ir.stmt import LoopKind
from pipec.ir.types import UInt
from pipec.jit import llvm_stream
from pipec.jit.llvm_emit import emit_module

U16, COLUMNS, ROWS = UInt(16), 96, 20
ABLE = frozenset({"fma", "stream"})


def copied(lanes, source="a"):
    """out[y, x] = source[y, x] in vectors, rows in parallel."""
    x, y = variable("x"), variable("y")
    where = ramp(Add(Mul(y, variable("out.stride.1")), Mul(x, const(lanes))), lanes)
    value = load(U16, source, ramp(Add(Mul(y, const(COLUMNS)), Mul(x, const(lanes))), lanes))
    return loop("y", ROWS, loop("x", COLUMNS // lanes, store("out", value, where)), LoopKind.PARALLEL)


@pytest.mark.parametrize("shift", [0, 1, 16])
@pytest.mark.parametrize("padding", [0, 1, 32])
@pytest.mark.parametrize("lanes", [16, 32, 48])
def test_rows_may_begin_anywhere(monkeypatch, lanes, padding, shift):
    monkeypatch.setenv("PIPEC_CACHE", "0")
    monkeypatch.setattr(llvm_stream, "STREAM_FROM_BYTES", 0)
    a = np.random.default_rng(1).integers(0, 60000, (ROWS, COLUMNS)).astype(np.uint16)
    memory = np.zeros(ROWS * (COLUMNS + padding) + 100, np.uint16)
    first = -memory.ctypes.data % 64 // 2 + shift
    out = memory[first : first + ROWS * (COLUMNS + padding)].reshape(ROWS, COLUMNS + padding)[:, :COLUMNS]
    assert run(copied(lanes), {"a": a}, {"out": out})[0] == 0
    assert (out == a).all() and memory.sum() == a.sum()


def text_of(body, inputs):
    out = np.zeros((ROWS, COLUMNS), np.uint16)
    return emit_module(program(body, arguments_of(inputs, {"out": out})), abilities=ABLE)


def test_only_whole_lines_of_outputs_that_are_not_read():
    a = np.zeros((ROWS, COLUMNS), np.uint16)
    assert "nontemporal" in text_of(copied(32), {"a": a})
    assert "nontemporal" not in text_of(copied(8), {"a": a})
    assert "nontemporal" not in text_of(copied(32, "out"), {})
