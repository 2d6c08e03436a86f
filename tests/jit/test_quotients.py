"""Loads at quotients of a coordinate, of which a vector reads few elements."""

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
TARGETS = {"host": "host", "avx2": "x86-64-linux-sse41-avx-avx2-fma", "sse41": "x86-64-linux-sse41"}
PIXELS = 150


def some(dtype, size):
    return np.random.default_rng(size).integers(0, 2 if dtype is np.bool_ else 200, size).astype(dtype)


def read(table, lanes, by, step=1, factor=1):
    """The Func of elements (step * x + 3) / by * factor, and what it computes."""
    f = hl.Func("f")
    f[x] = hl.Buffer(table)[(x * step + 3) / by * factor]
    return f.vectorize(x, lanes), table[(np.arange(PIXELS) * step + 3) // by * factor]


@pytest.mark.part(72)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("lanes", [8, 16, 32, 64])
@pytest.mark.parametrize("dtype", [np.bool_, np.uint8, np.int16, np.uint32, np.float32, np.float64, np.int64])
@pytest.mark.parametrize("by", [3, 5, 7, 11, 16, 20, 64, 1000])
def test_lanes_have_the_elements_of_their_quotients(by, dtype, lanes, target):
    table = some(dtype, 1000)
    for step, factor in [(1, 1), (2, 1), (3, 1), (1, 2), (1, by if by < 1000 else 5)]:
        f, expected = read(table, lanes, by, step, factor)
        np.testing.assert_array_equal(f.realize([PIXELS], hl.Target(TARGETS[target])), expected)


@pytest.mark.part(24)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("lanes", [8, 16, 64])
@pytest.mark.parametrize("dtype", [np.bool_, np.uint8, np.int16, np.float32, np.float64, np.int64])
@pytest.mark.parametrize("by", [2, 3, 5, 7, 11, 31])
def test_lanes_have_the_elements_of_their_remainders(by, dtype, lanes, target):
    table, places = some(dtype, by), np.arange(PIXELS)
    for step, start in [(1, 0), (2, 0), (3, 1), (1, -7)]:
        f = hl.Func("f")
        f[x] = hl.Buffer(table)[(x * step + start) % by]
        f.vectorize(x, lanes)
        expected = table[(places * step + start) % by]
        np.testing.assert_array_equal(f.realize([PIXELS], hl.Target(TARGETS[target])), expected)


@pytest.mark.parametrize("by", [3, 10, 64])
def test_coordinates_may_be_negative(by):
    table, f = some(np.float32, 100), hl.Func("f")
    source = hl.Buffer(table)
    source.set_min([-50])
    f[x] = source[x / by]
    f.vectorize(x, 16)
    out = hl.Buffer(hl.Float(32), [300])
    out.set_min([-150])
    f.realize(out)
    np.testing.assert_array_equal(out, table[np.arange(-150, 150) // by + 50])


@pytest.mark.part(2)
@pytest.mark.skipif(sys.platform != "linux", reason="protects pages by mprotect")
@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32])
@pytest.mark.parametrize("by", [3, 9, 16, 50])
@pytest.mark.part(3)
def test_only_elements_of_the_lanes_are_read(by, dtype, last):
    pixels = 40 * by
    table = between_protected_pages(some(dtype, 40), last)
    f = hl.Func("f")
    f[x] = hl.Buffer(table)[x / by]
    for lanes in (16, 32, 64):
        g = hl.Func(f"g{lanes}")
        g[x] = f[x]
        g.vectorize(x, lanes)
        np.testing.assert_array_equal(g.realize([pixels]), np.repeat(table, by))


@pytest.mark.parametrize("lanes", [16, 64])
def test_no_lane_of_a_resampler_has_a_load_of_its_own(lanes):
    weights, signal = some(np.float32, 24), some(np.float32, 200)
    f, taps = hl.Func("f"), hl.RDom([(0, 8)], "taps")
    f[x] = 0.0
    f[x] += hl.Buffer(weights.reshape(8, 3))[2 * x % 3, taps] * hl.Buffer(signal)[2 * x / 3 + taps]
    f.vectorize(x, lanes).update().reorder(taps, x).vectorize(x, lanes)
    program = lower(freeze([f.function])[0], schedule_of([f.function]), hl.get_jit_target_from_environment())
    abilities = engine().abilities(host())
    if "multiply words" not in abilities:
        pytest.skip("the machine has no instruction that permutes the lanes of two registers")
    text = emit_module(program, abilities=abilities)
    assert "gather" not in text and "extractelement" not in text
    expected = sum(
        weights[2 * np.arange(PIXELS // 2) % 3 + 3 * k] * signal[2 * np.arange(PIXELS // 2) // 3 + k] for k in range(8)
    )
    np.testing.assert_array_equal(f.realize([PIXELS // 2]), expected)


@pytest.mark.parametrize("by, lanes", [(3, 16), (10, 16), (64, 16)])
def test_no_lane_has_a_load_of_its_own(by, lanes):
    f, _ = read(some(np.float32, 100), lanes, by)
    program = lower(freeze([f.function])[0], schedule_of([f.function]), hl.get_jit_target_from_environment())
    abilities = engine().abilities(host())
    if by == 3 and "multiply words" not in abilities:
        pytest.skip("the machine has no instruction that permutes the lanes of two registers")
    task = emit_module(program, abilities=abilities)
    assert task.count("load float") <= 3 * 3 and "gather" not in task and "extractelement" not in task
