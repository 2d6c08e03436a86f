"""Stores past the cache: the same values as ordinary stores, wherever rows begin, and only where they may be used."""

import numpy as np
import pytest
from programs import arguments_of, const, load, loop, program, ramp, run, store, variable

from pipec.ir.expr import Add, Mul
from pipec.ir.stmt import Block, LoopKind
from pipec.ir.types import UInt
from pipec.jit.llvm.emit import emit_module
from pipec.jit.llvm.memory import nontemporal as llvm_stream
from pipec.jit.llvm.memory import nontemporal_loop as llvm_streaming_loop

U16, COLUMNS, ROWS = UInt(16), 96, 20
# So many columns that their loop is not written out.
LONG = 32 * 40
ABLE = frozenset({"fma", "stream"})


def copied(lanes, source="a", columns=COLUMNS):
    """out[y, x] = source[y, x] in vectors, rows in parallel."""
    x, y = variable("x"), variable("y")
    where = ramp(Add(Mul(y, variable("out.stride.1")), Mul(x, const(lanes))), lanes)
    value = load(U16, source, ramp(Add(Mul(y, const(columns)), Mul(x, const(lanes))), lanes))
    return loop("y", ROWS, loop("x", columns // lanes, store("out", value, where)), LoopKind.PARALLEL)


@pytest.mark.parametrize("columns", [COLUMNS, LONG])
@pytest.mark.parametrize("shift", [0, 1, 16])
@pytest.mark.parametrize("padding", [0, 1, 32])
@pytest.mark.parametrize("lanes", [16, 32, 48])
@pytest.mark.parametrize("least", [0, 1])
@pytest.mark.part(3)
def test_rows_may_begin_anywhere(monkeypatch, least, lanes, padding, shift, columns):
    """Also where rows that are no whole lines are not streamed at all, as in outputs of at least one byte here."""
    monkeypatch.setenv("PIPEC_CACHE", "0")
    monkeypatch.setattr(llvm_stream, "MIN_NONTEMPORAL_BYTES", least)
    columns -= columns % lanes
    a = np.random.default_rng(1).integers(0, 60000, (ROWS, columns)).astype(np.uint16)
    memory = np.zeros(ROWS * (columns + padding) + 100, np.uint16)
    first = -memory.ctypes.data % 64 // 2 + shift
    out = memory[first : first + ROWS * (columns + padding)].reshape(ROWS, columns + padding)[:, :columns]
    assert run(copied(lanes, columns=columns), {"a": a}, {"out": out})[0] == 0
    assert (out == a).all() and memory.sum() == a.sum()


@pytest.mark.parametrize(
    ("extents", "element", "whole"),
    [
        ((6016, 4000), 2, True),
        ((6000, 4000), 2, False),
        ((3, 4000, 10), 1, False),
        ((4, 4000, 10), 1, True),
        ((4000, 1001), 8, True),
        ((1001,), 1, True),
        ((16, 33, 7), 4, True),
        ((17, 33, 7), 4, False),
    ],
)
def test_rows_of_dense_arrays_are_whole_lines_or_not(extents, element, whole):
    assert llvm_stream.has_whole_lines(extents, element) == whole


def text_of(body, inputs):
    out = np.zeros((ROWS, COLUMNS), np.uint16)
    return emit_module(program(body, arguments_of(inputs, {"out": out})), abilities=ABLE)


def test_only_whole_lines_of_outputs_that_are_not_read():
    a = np.zeros((ROWS, COLUMNS), np.uint16)
    assert "nontemporal" in text_of(copied(32), {"a": a})
    assert "nontemporal" not in text_of(copied(8), {"a": a})
    assert "nontemporal" not in text_of(copied(32, "out"), {})


def test_a_loop_that_streams_is_chosen_before_it_begins_and_prefetches_what_it_reads():
    text = text_of(copied(32, columns=LONG), {"a": np.zeros((ROWS, LONG), np.uint16)})
    streaming, plain = text.index("nontemporal"), text.index("\nplain")
    assert text.count("!nontemporal") == 1 and text.count("store <32 x i16>") == 2
    assert streaming < text.index("call void @llvm.prefetch") < plain
    assert "prefetch" not in text[plain : text.index("ret i32", plain)]


def test_long_bodies_are_written_once(monkeypatch):
    monkeypatch.setattr(llvm_streaming_loop, "MAX_NODES", 1)
    text = text_of(copied(32, columns=LONG), {"a": np.zeros((ROWS, LONG), np.uint16)})
    assert "nontemporal" in text and "call void @llvm.prefetch" not in text


def test_outputs_that_do_not_all_begin_with_a_line_are_right(monkeypatch):
    monkeypatch.setenv("PIPEC_CACHE", "0")
    monkeypatch.setattr(llvm_stream, "MIN_NONTEMPORAL_BYTES", 0)
    a = np.random.default_rng(1).integers(0, 60000, (ROWS, LONG)).astype(np.uint16)
    x, y = variable("x"), variable("y")
    value = load(U16, "a", ramp(Add(Mul(y, const(LONG)), Mul(x, const(32))), 32))
    stores = [
        store(name, value, ramp(Add(Mul(y, variable(f"{name}.stride.1")), Mul(x, const(32))), 32))
        for name in ("out", "other")
    ]
    body = loop("y", ROWS, loop("x", LONG // 32, Block(tuple(stores))), LoopKind.PARALLEL)
    outputs = {}
    for shift, name in enumerate(("out", "other")):
        memory = np.zeros(ROWS * LONG + 100, np.uint16)
        first = -memory.ctypes.data % 64 // 2 + shift
        outputs[name] = memory[first : first + ROWS * LONG].reshape(ROWS, LONG)
    assert run(body, {"a": a}, outputs)[0] == 0
    assert all((output == a).all() for output in outputs.values())
