"""Small tables of bytes are looked up in registers: the same values as element by element, for all sizes and types."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from programs import between_protected_pages

import pipec as hl
from pipec.diagnostics import enable
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.jit.llvm.emit import emit_module
from pipec.jit.llvm.engine import engine
from pipec.jit.llvm.machine import host
from pipec.lower.lower import lower

RNG = np.random.default_rng(3)


def looked_up(table: np.ndarray, indices: np.ndarray, lanes: int) -> np.ndarray:
    """The table at the indices, through a Func with storage of its own."""
    x = hl.Var("x")
    entries, curve, out = hl.Buffer(table), hl.Func("curve"), hl.Func("out")
    source = hl.Buffer(indices)
    curve[x] = entries[x]
    out[x] = curve[hl.clamp(hl.i32(source[x]), 0, len(table) - 1)]
    curve.compute_root().bound(x, 0, len(table))
    out.vectorize(x, lanes)
    return np.array(out.realize([len(indices)]))


@pytest.mark.parametrize("size", [64, 100, 128, 256, 384, 640, 1024, 1152])
@pytest.mark.parametrize("dtype", [np.uint8, np.int8])
def test_tables_of_any_size(size: int, dtype: type) -> None:
    table = RNG.integers(0, 256, size).astype(np.uint8).view(dtype)
    indices = RNG.integers(-50, size + 50, 300).astype(np.int16)
    assert (looked_up(table, indices, 64) == table[np.clip(indices, 0, size - 1)]).all()


@pytest.mark.parametrize("kind", [np.uint8, np.int32])
def test_elements_at_constant_distances_from_an_index(kind: type) -> None:
    x = hl.Var("x")
    numbers, source = RNG.integers(0, 200, 64).astype(np.uint16), RNG.integers(0, 200, 96).astype(kind)
    table, out = hl.Func("table"), hl.Func("out")
    table[x] = hl.Buffer(numbers)[x]
    at = hl.clamp(hl.i32(hl.Buffer(source)[x]), 3, 61)
    out[x] = table[at + 2] * 3 + table[at] + table[at - 3] * 5
    table.compute_root().bound(x, 0, 64)
    out.vectorize(x, 32)
    index = np.clip(source.astype(int), 3, 61)
    expected = numbers[index + 2] * 3 + numbers[index] + numbers[index - 3] * 5
    assert (np.asarray(out.realize([96])) == expected).all()


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.uint16, np.int32])
@pytest.mark.parametrize("lanes", [32, 64, 128])
def test_indices_of_any_type(kind: type, lanes: int) -> None:
    table = RNG.integers(0, 256, 256).astype(np.uint8)
    indices = RNG.integers(0, 128, 400).astype(kind)
    assert (looked_up(table, indices, lanes) == table[indices.astype(int)]).all()


def bits_of(source: hl.Buffer, x: hl.Var) -> hl.Expr:
    """A computed byte, which may be any."""
    bits = [hl.select(source[x + k] > source[x], hl.u8(1 << k), hl.u8(0)) for k in range(8)]
    return functools.reduce(lambda a, b: a | b, bits)


@pytest.mark.parametrize("first", [0, -3])
def test_computed_bytes_in_a_table_of_the_caller(first: int) -> None:
    x = hl.Var("x")
    numbers, source = RNG.integers(0, 256, 256 - first, dtype=np.uint8), RNG.integers(0, 256, 207, dtype=np.uint8)
    table = hl.Buffer(between_protected_pages(numbers, last=True))
    table.set_min([first])
    out = hl.Func("out")
    index = bits_of(hl.Buffer(source), x)
    # The last load ends with the table; a table that began at its offset would reach beyond.
    out[x] = table[hl.i32(index)] + 3 * table[hl.i32(index & 0xFE) + 1]
    out.vectorize(x, 64)
    byte = sum((source[k : k + 200] > source[:200]).astype(int) << k for k in range(8))
    expected = (numbers[byte - first] + 3 * numbers[(byte & 0xFE) + 1 - first]).astype(np.uint8)
    np.testing.assert_array_equal(np.asarray(out.realize([200])), expected)


def test_the_table_is_read_whole_where_the_machine_can(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if not {"avx512_sapphirerapids", "avx512_zen4"} & set(str(hl.get_host_target()).split("-")):
        pytest.skip("needs instructions that permute bytes of two registers")
    monkeypatch.setenv("PIPEC_CACHE", "0")
    enable("llvm")
    try:
        looked_up(np.arange(256, dtype=np.uint8), np.arange(200, dtype=np.uint8), 64)
        assert "vpermi2var.qi" in capfd.readouterr().err
        x, out = hl.Var("x"), hl.Func("out")
        out[x] = hl.Buffer(np.arange(256, dtype=np.uint8))[
            hl.i32(bits_of(hl.Buffer(np.arange(200, dtype=np.uint8)), x))
        ]
        out.vectorize(x, 64).realize([190])
        assert "vpermi2var.qi" in capfd.readouterr().err
    finally:
        enable("")


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.float32])
@pytest.mark.parametrize("lanes", [16, 32, 64])
@pytest.mark.part(3)
def test_bytes_of_an_input_look_up_an_input(dtype: type, lanes: int) -> None:
    x, y = hl.vars("x y")
    table = RNG.integers(0, 256, (3, 256 + 5)).astype(dtype)
    indices = RNG.integers(0, 256, (2, 150)).astype(np.uint8)
    entries, source, out = hl.Buffer(table), hl.Buffer(indices), hl.Func("out")
    out[x, y] = entries[hl.i32(source[x, y]) + 3, y + 1]
    out.vectorize(x, lanes)
    expected = [table[row + 1][indices[row].astype(int) + 3] for row in range(2)]
    np.testing.assert_array_equal(np.array(out.realize([150, 2])), expected)


def test_a_table_that_is_too_short_is_refused() -> None:
    x = hl.Var("x")
    entries, source = hl.Buffer(np.zeros(100, np.uint8)), hl.Buffer(np.zeros(200, np.uint8))
    out = hl.Func("out")
    out[x] = entries[hl.i32(source[x])]
    out.vectorize(x, 64)
    with pytest.raises(hl.HalideError):
        out.realize([200])
    promised = hl.Func("promised")
    promised[x] = entries[hl.unsafe_promise_clamped(hl.i32(source[x]), 0, 99)]
    promised.vectorize(x, 64)
    assert not np.array(promised.realize([200])).any()


@pytest.mark.parametrize("lanes", [16, 64])
def test_bytes_of_a_stored_func_look_up_an_input(
    lanes: int, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    x = hl.Var("x")
    table, source = RNG.integers(0, 256, 256).astype(np.uint8), RNG.integers(0, 256, 300).astype(np.uint8)
    entries, image, places, out = hl.Buffer(table), hl.Buffer(source), hl.Func("places"), hl.Func("out")
    places[x] = image[x] ^ hl.u8(85)
    out[x] = entries[hl.i32(places[x])]
    places.compute_root()
    out.vectorize(x, lanes)
    monkeypatch.setenv("PIPEC_CACHE", "0")
    enable("llvm")
    try:
        result = np.array(out.realize([300]))
    finally:
        enable("")
    assert (result == table[source ^ 85]).all()
    if {"avx512_sapphirerapids", "avx512_zen4"} & set(str(hl.get_host_target()).split("-")):
        assert "vpermi2var.qi" in capfd.readouterr().err


def test_a_stored_func_of_few_bytes_reads_only_those_of_a_table() -> None:
    x = hl.Var("x")
    entries, places, out = hl.Buffer(np.arange(16, dtype=np.uint8)), hl.Func("places"), hl.Func("out")
    places[x] = hl.u8(x) & 15
    out[x] = entries[hl.i32(places[x])]
    places.compute_root()
    out.vectorize(x, 64)
    assert (np.array(out.realize([300])) == np.arange(300) % 16).all()


@pytest.mark.parametrize("kind", [np.uint8, np.int16, np.float32])
@pytest.mark.parametrize("limit", ["mask", "clamp", "remainder"])
@pytest.mark.parametrize("entries", [5, 8, 16, 100, 256])
def test_limited_indices_into_inputs(entries: int, limit: str, kind: type) -> None:
    """Of which no element is read that the limits exclude."""
    if limit == "mask":
        entries = 1 << (entries.bit_length() - 1)
    x = hl.Var("x")
    table, places = RNG.integers(0, 100, entries).astype(kind), RNG.integers(-300, 300, 200).astype(np.int32)
    source, out = hl.Buffer(between_protected_pages(table, last=True)), hl.Func("out")
    place = hl.Buffer(places)[x]
    limits = {"mask": place & (entries - 1), "clamp": hl.clamp(place, 0, entries - 1), "remainder": place % entries}
    out[x] = source[limits[limit]]
    out.vectorize(x, 32)
    index = np.clip(places, 0, entries - 1) if limit == "clamp" else places % entries
    assert (np.asarray(out.realize([200])) == table[index]).all()


@pytest.mark.parametrize("limited", ["x & 63", "clamp", "bytes"])
def test_limited_indices_are_looked_up_in_registers(limited: str) -> None:
    x, place, table = hl.Var("x"), hl.ImageParam(hl.Int(32), 1, "place"), hl.ImageParam(hl.UInt(8), 1, "table")
    at = {"x & 63": place[x] & 63, "clamp": hl.clamp(place[x], 0, 63), "bytes": hl.i32(hl.u8(place[x]))}
    f = hl.Func("f")
    f[x] = table[at[limited]]
    f.vectorize(x, 64)
    program = lower(freeze([f.function])[0], schedule_of([f.function]), hl.get_jit_target_from_environment())
    abilities = engine().abilities(host())
    if "permute bytes" not in abilities:
        pytest.skip("the machine has no instruction that permutes bytes of two registers")
    text = emit_module(program, abilities=abilities)
    assert "vpermi2var" in text and "extractelement" not in text
