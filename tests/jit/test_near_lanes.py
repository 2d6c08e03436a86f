"""Loads at indices that are computed from coordinates, whose lanes may lie near each other."""

import sys

import numpy as np
import pytest
from programs import between_protected_pages

import pipec as hl
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.jit.llvm.emit import emit_module
from pipec.jit.llvm.engine import engine
from pipec.jit.llvm.machine import host
from pipec.lower.lower import lower

x = hl.Var("x")
PIXELS, SIZE = 300, 1000
TYPES = {
    hl.UInt(8): np.uint8,
    hl.Int(16): np.int16,
    hl.Float(16): np.float16,
    hl.UInt(32): np.uint32,
    hl.Float(32): np.float32,
    hl.Float(64): np.float64,
}
SCALES = [0.0, 0.3, -0.7, 1.0, 1.9, -2.5, 7.0, 40.0, 1e-30, 1e9, -1e20, np.inf, np.nan]
TABLES = [hl.Buffer(np.clip((np.arange(PIXELS) * step).astype(np.int32), 0, SIZE - 1)) for step in (0.4, 1.3, 400.1)]
INDICES = {
    "tables": lambda p, s: [p[hl.clamp(table[x] + k, 0, SIZE - 1)] for table in TABLES for k in (0, 3)],
    "scaled": lambda p, s: [p[hl.clamp(hl.i32(hl.floor(x * s + 400.25)), 0, SIZE - 1)]],
    "neighbours": lambda p, s: [p[hl.clamp(hl.i32(x * s + 500.0), 0, SIZE - 4) + k] for k in range(4)],
    "interleaved": lambda p, s: [p[hl.clamp(hl.i32(x * s) + 200, 0, 300) * 3 + k] for k in range(3)],
    "remainder": lambda p, s: [p[(x + 7) % 130]],
    "magnitude": lambda p, s: [p[hl.i32(hl.abs(x - 37))]],
    "fixed point": lambda p, s: [p[hl.clamp((x * 24248) >> 16, 0, SIZE - 1)]],
}


def some(dtype, size=SIZE):
    return np.random.default_rng(size).integers(0, 200, size).astype(dtype)


def compiled(p, s, values, lanes):
    f = hl.Func("f")
    f[x] = sum([(k + 1) * hl.f64(value) for k, value in enumerate(values)])
    if lanes > 1:
        f.vectorize(x, lanes)
    return f.compile_to_callable([p, s])


@pytest.mark.part(12)
@pytest.mark.parametrize("lanes", [16, 32, 64])
@pytest.mark.parametrize("kind", TYPES, ids=str)
@pytest.mark.parametrize("indices", INDICES)
@pytest.mark.part(3)
def test_lanes_have_their_elements_whether_they_lie_near_or_far(indices, kind, lanes):
    p, s = hl.ImageParam(kind, 1, "p"), hl.Param(hl.Float(32), "s")
    values = INDICES[indices](p, s)
    vectors, scalars = [compiled(p, s, values, count) for count in (lanes, 1)]
    table = hl.Buffer(some(TYPES[kind]))
    for scale in SCALES if indices in ("scaled", "neighbours", "interleaved") else SCALES[:1]:
        out, expected = np.zeros(PIXELS), np.zeros(PIXELS)
        vectors(table, np.float32(scale), hl.Buffer(out))
        scalars(table, np.float32(scale), hl.Buffer(expected))
        np.testing.assert_array_equal(out, expected, err_msg=f"scale {scale}")


@pytest.mark.skipif(sys.platform != "linux", reason="protects pages by mprotect")
@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("kind", [hl.UInt(8), hl.UInt(16), hl.Float(32)], ids=str)
@pytest.mark.part(3)
def test_nothing_beyond_the_lanes_is_read(kind, last):
    table = between_protected_pages(some(np.dtype(str(kind)), 40), last)
    scale = hl.Param(hl.Float(32), "scale")
    for lanes in (16, 32, 64):
        f = hl.Func("f")
        place = hl.clamp(hl.i32(x * scale), 0, 38)
        f[x] = hl.f32(hl.Buffer(table)[place]) + hl.f32(hl.Buffer(table)[place + 1])
        f.vectorize(x, lanes)
        for value in (0.31, 1.0, 2.0, 9.0):
            scale.set(value)
            at = np.clip((np.arange(128, dtype=np.float32) * np.float32(value)).astype(int), 0, 38)
            np.testing.assert_array_equal(f.realize([128]), table[at].astype("f4") + table[at + 1])


@pytest.mark.parametrize(
    ("index", "near"),
    [
        (lambda: hl.i32(x * 0.37), True),
        (lambda: hl.i32(x * hl.Param(hl.Float(32), "s", 0.5)), True),
        (lambda: hl.i32(x * 9.5), False),
        (lambda: hl.i32(hl.u32(x) * 2654435761 >> 22), False),
        (lambda: hl.Buffer(some(np.int32))[x] + 1, True),
        (lambda: hl.ImageParam(hl.Int(32), 2, "labels")[x, 3], False),
        (lambda: hl.i32(hl.Buffer(some(np.uint16))[x]), False),
    ],
)
def test_only_coordinates_with_short_steps_and_tables_of_them_are_tried(index, near):
    if "multiply words" not in engine().abilities(host()):
        pytest.skip("the machine has no instruction that permutes the lanes of two registers")
    f = hl.Func("f")
    f[x] = hl.Buffer(some(np.float32))[hl.clamp(index(), 0, SIZE - 1)]
    f.vectorize(x, 16)
    program = lower(freeze([f.function])[0], schedule_of([f.function]), hl.get_jit_target_from_environment())
    assert ("pipec.load.near" in emit_module(program, abilities=engine().abilities(host()))) == near


def test_coordinates_whose_parts_are_shared_are_looked_at_once():
    place = hl.f32(x) * 0.3
    for _ in range(40):
        place = (place + hl.abs(place)) * 0.5
    f = hl.Func("f")
    table = some(np.float32)
    f[x] = hl.Buffer(table)[hl.clamp(hl.i32(place), 0, SIZE - 1)]
    f.vectorize(x, 16)
    at = (np.arange(64, dtype=np.float32) * np.float32(0.3)).astype(int)
    np.testing.assert_array_equal(f.realize([64]), table[at])
