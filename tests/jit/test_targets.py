"""Code for machines with fewer instructions than this one, and 16-bit floats on all of them."""

import platform

import numpy as np
import pytest
from programs import const, load, loop, ramp, run, store, variable

from pipec.ir.expr import Add, Cast, Intrinsic, Mul
from pipec.ir.numerics import convert, from_storage, to_storage
from pipec.ir.program import Program, ProgramArgument, ProgramArgumentKind
from pipec.ir.stmt import Block
from pipec.ir.types import BFloat, Float, UInt
from pipec.jit.engine import compile_program
from pipec.target import Target, get_host_target

TARGETS = ["host"]
if platform.machine() == "x86_64":
    TARGETS += ["x86-64-linux", "x86-64-linux-sse41", "x86-64-linux-avx2-fma-f16c"]
LANES, F16, F32, BF16 = 16, Float(16), Float(32), BFloat(16)


def target_of(name):
    return get_host_target() if name == "host" else Target(name)


def all_halves():
    return np.arange(65536, dtype=np.uint16).view(np.float16)


@pytest.mark.parametrize("target", TARGETS)
def test_every_half_to_float_and_back(target):
    a = all_halves()
    there, back = np.zeros(65536, np.float32), np.zeros(65536, np.float16)
    at = ramp(Mul(variable("x"), const(LANES)), LANES)
    value = Cast(F32.with_lanes(LANES), load(F16, "a", at))
    stores = Block((store("there", value, at), store("back", Cast(F16.with_lanes(LANES), value), at)))
    run(loop("x", 65536 // LANES, stores), {"a": a}, {"there": there, "back": back}, target=target_of(target))
    np.testing.assert_array_equal(there, a.astype(np.float32))
    np.testing.assert_array_equal(back, a)


@pytest.mark.parametrize("target", TARGETS)
def test_float_to_half_rounds_to_even(target):
    rng = np.random.default_rng(2)
    halves = all_halves()[np.isfinite(all_halves())].astype(np.float64)
    middle = ((halves + np.roll(np.sort(halves), 1)) / 2).astype(np.float32)
    a = np.concatenate([middle, rng.normal(0, 1e-6, 5000), rng.normal(0, 1e5, 5000), [65519.9, 65520, np.inf]])
    a = np.resize(a.astype(np.float32), 80_000)
    out, x = np.zeros(a.size, np.float16), variable("x")
    run(
        loop("x", a.size, store("out", Cast(F16, load(F32, "a", x)), x)),
        {"a": a},
        {"out": out},
        target=target_of(target),
    )
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(out, a.astype(np.float16))


@pytest.mark.parametrize("target", TARGETS)
def test_brain_floats(target):
    rng = np.random.default_rng(4)
    bits = to_storage(convert(rng.normal(0, 100, 512).astype(np.float32), F32, BF16), BF16)
    x, out = variable("x"), np.zeros(512, np.uint16)
    value = load(BF16, "a", x)
    arguments = [
        ProgramArgument("a", ProgramArgumentKind.INPUT, BF16, 1),
        ProgramArgument("out", ProgramArgumentKind.OUTPUT, BF16, 1),
    ]
    body = loop("x", 512, store("out", Add(Mul(value, value), value), x))
    compiled = compile_program(Program("test", tuple(arguments), body, ()), target_of(target))
    slots = np.zeros(compiled.slots, np.int64)
    slots[:8] = bits.ctypes.data, 0, 512, 1, out.ctypes.data, 0, 512, 1
    assert compiled.call(slots.ctypes.data) == 0
    wide = from_storage(bits, BF16)
    exact = wide.astype(np.float64) ** 2 + wide
    np.testing.assert_allclose(from_storage(out, BF16), exact, rtol=0.02, atol=1e-3)


@pytest.mark.parametrize("target", TARGETS)
def test_functions_and_integers(target):
    a = np.linspace(0.1, 9, 160).astype(np.float32)
    at = ramp(Mul(variable("x"), const(LANES)), LANES)
    value = load(F32, "a", at)
    names = ("exp", "log", "sin", "tanh", "floor", "sqrt", "round")
    out = {name: np.zeros(160, np.float32) for name in names} | {"bytes": np.zeros(160, np.uint8)}
    stores = [store(name, Intrinsic(value.type, name, (value,)), at) for name in names]
    stores.append(store("bytes", Cast(UInt(8, LANES), value), at))
    run(loop("x", 10, Block(tuple(stores))), {"a": a}, out, target=target_of(target))
    for name in names:
        expected = {"round": np.rint}.get(name) or getattr(np, name)
        np.testing.assert_allclose(out[name], expected(a.astype(np.float64)), rtol=4e-7)
    np.testing.assert_array_equal(out["bytes"], a.astype(np.uint8))
