"""Shifts and masks of coordinates are the products, quotients and remainders that vectors and bounds know."""

from __future__ import annotations

import numpy as np
import pytest

import pipec as hl
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.ir.expr import Intrinsic
from pipec.ir.stmt import AtomicUpdate
from pipec.ir.walk import instances
from pipec.lower.lower import lower

x = hl.Var("x")
COORDINATES = {
    "x >> 1": lambda x: x >> 1,
    "x >> 3": lambda x: x >> hl.u32(3),
    "x << 1": lambda x: x << 1,
    "x << 1 | 1": lambda x: (x << 1) | 1,
    "x & 7": lambda x: x & 7,
    "x & ~3": lambda x: x & ~3,
    "x | 3": lambda x: x | 3,
    "x ^ 1": lambda x: x ^ 1,
    "~x": lambda x: ~x & 31,
    "min": lambda x: hl.min(x >> 1, 9) + (x & 3),
}


def reads(coordinate):
    source, f = hl.ImageParam(hl.Int(32), 1, "source"), hl.Func("f")
    f[x] = source[coordinate(x)]
    f.vectorize(x, 8)
    return source, f


@pytest.mark.parametrize("name", COORDINATES)
def test_no_bit_operations_are_left(name):
    _, f = reads(COORDINATES[name])
    program = lower(freeze([f.function])[0], schedule_of([f.function]), hl.Target("x86-64-linux-avx2"))
    assert not list(instances(Intrinsic, program.body))


@pytest.mark.parametrize("name", COORDINATES)
def test_elements_are_those_of_the_bits(name):
    pixels = hl.Buffer(np.arange(200, dtype=np.int32) * 7)
    pixels.set_min([-100])
    source, f = reads(COORDINATES[name])
    source.set(pixels)
    result = hl.Buffer(hl.Int(32), [72])
    result.set_min([-40])
    f.realize(result)
    bits = {"x >> 3": lambda x: x >> 3, "min": lambda x: np.minimum(x >> 1, 9) + (x & 3)}
    places = bits.get(name, COORDINATES[name])(np.arange(-40, 32))
    assert (np.asarray(result) == (places + 100) * 7).all()


@pytest.mark.parametrize(
    "coordinate",
    [lambda x: x - x % 4, lambda x: x + 1 - 2 * (x % 2), lambda x: x ^ 1, lambda x: x & ~3, lambda x: x | 3],
)
def test_neighbours_in_blocks_are_not_beyond_the_first_and_last_block(coordinate):
    source, f = reads(coordinate)
    source.set(hl.Buffer(np.arange(64, dtype=np.int32)))
    assert (np.asarray(f.realize([64])) == coordinate(np.arange(64))).all()


def test_hashes_of_coordinates_may_overflow():
    table = np.arange(256, dtype=np.int32)
    f = hl.Func("f")
    f[x] = hl.Buffer(table)[((x << 27) ^ (x << 3) ^ x) & 255]
    number = np.arange(300, dtype=np.int32)
    assert (np.asarray(f.realize([300])) == table[((number << 27) ^ (number << 3) ^ number) & 255]).all()


@pytest.mark.parametrize(
    "places", [lambda v: hl.clamp(v >> 3, 0, 31), lambda v: v & 31, lambda v: hl.clamp(v | 3, 0, 31)]
)
@pytest.mark.part(4)
def test_updates_write_where_they_read(places):
    """So that atomic ones stay parallel: their operation is seen."""
    values = np.random.default_rng(1).integers(0, 256, 1000, np.int32)
    source, r, h = hl.Buffer(values), hl.RDom([(0, 1000)], "r"), hl.Func("h")
    h[x] = 0
    h[places(source[r])] += 1
    h.compute_root().update().atomic().parallel(r.x)
    program = lower(freeze([h.function])[0], schedule_of([h.function]), hl.get_host_target())
    assert list(instances(AtomicUpdate, program.body))
    numbers = [int(np.asarray(hl.evaluate(places(hl.i32(int(value)))))) for value in range(256)]
    expected = np.bincount(np.array(numbers)[values], minlength=32)
    assert (np.asarray(h.realize([32])) == expected).all()
