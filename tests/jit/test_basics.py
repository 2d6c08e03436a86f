"""Loads, stores, loops, branches, checks and allocations, in machine code against numpy."""

import numpy as np
import pytest
from programs import const, load, loop, ramp, run, store, variable

from pipec.ir.expr import LT, Add, Broadcast, Mul
from pipec.ir.stmt import Allocate, Assert, Block, IfThenElse, LetStmt, LoopKind, MemoryType
from pipec.ir.types import BOOL, INT32, INT64, Float, Int, UInt, type_of_numpy

x, y = variable("x"), variable("y")


def test_scalar_loop():
    out = np.zeros(10, np.int32)
    assert run(loop("x", 10, store("out", Mul(x, x), x)), {}, {"out": out})[0] == 0
    assert (out == np.arange(10) ** 2).all()


def test_loop_over_argument_extent_and_let():
    a, out = np.arange(100, dtype=np.float32), np.zeros(100, np.float32)
    body = loop(
        "x",
        variable("out.extent.0"),
        LetStmt("v", load(Float(32), "a", x), store("out", Add(variable("v", Float(32)), variable("v", Float(32))), x)),
    )
    run(body, {"a": a}, {"out": out})
    assert (out == 2 * a).all()


@pytest.mark.parametrize("kind", [LoopKind.SERIAL, LoopKind.PARALLEL])
def test_two_loops_and_vectors(kind):
    a = np.random.default_rng(0).integers(0, 1000, (40, 64)).astype(np.int32)
    out = np.zeros_like(a)
    index = ramp(Add(Mul(y, variable("out.stride.1")), Mul(x, const(16))), 16)
    inner = loop("x", 4, store("out", Add(load(INT32, "a", index), Broadcast(y, 16)), index))
    assert run(loop("y", variable("out.extent.1"), inner, kind), {"a": a}, {"out": out})[0] == 0
    assert (out == a + np.arange(40)[:, None]).all()


def test_nested_parallel_with_allocations():
    out = np.zeros((30, 50), np.int32)
    t = variable("t")
    work = Allocate(
        "tmp",
        INT32,
        MemoryType.Auto,
        variable("n"),
        Block(
            (
                loop("t", variable("n"), store("tmp", Add(Mul(t, const(3)), y), t)),
                loop(
                    "x",
                    variable("n"),
                    store("out", load(INT32, "tmp", x), Add(Mul(y, variable("n")), x)),
                    LoopKind.PARALLEL,
                ),
            )
        ),
    )
    assert run(loop("y", 30, work, LoopKind.PARALLEL), {"n": np.int32(50)}, {"out": out})[0] == 0
    assert (out == np.arange(50) * 3 + np.arange(30)[:, None]).all()


def test_assertion_reports_code_and_values():
    check = Assert(LT(variable("n"), const(5)), 3, (variable("n"), const(7, INT64)))
    out = np.zeros(1, np.int32)
    body = Block((check, store("out", variable("n"), const(0))))
    assert run(body, {"n": np.int32(4)}, {"out": out}, 4)[0] == 0 and out[0] == 4
    status, error = run(body, {"n": np.int32(-5 + 14)}, {"out": out}, 4)
    assert status == 1 and error[0] == 3 and list(error[1:3]) == [9, 7] and out[0] == 4


def test_assertion_in_a_task_ends_the_call():
    out = np.zeros(1, np.int32)
    body = loop("y", 100, Assert(LT(y, const(50)), 0, (y,)), LoopKind.PARALLEL)
    status, error = run(body, {}, {"out": out}, 1)
    assert status == 1 and error[0] == 0 and error[1] >= 50


def test_allocation_too_large_is_reported():
    out = np.zeros(1, np.int32)
    body = Allocate("tmp", INT32, MemoryType.Heap, variable("n", INT64), store("tmp", const(1), const(0)))
    status, error = run(body, {"n": np.int64(1 << 60)}, {"out": out})
    assert status == 2 and error[1] == 1 << 62
    assert run(body, {"n": np.int64(1 << 62)}, {"out": out})[0] == 2
    assert run(body, {"n": np.int64(1 << 20)}, {"out": out})[0] == 0
    assert run(body, {"n": np.int64(0)}, {"out": out})[0] == 0


def test_branches_guard_loads():
    a, out = np.arange(5, dtype=np.int32), np.full(8, -1, np.int32)
    body = loop("x", 8, IfThenElse(LT(x, const(5)), store("out", load(INT32, "a", x), x), store("out", const(9), x)))
    run(body, {"a": a}, {"out": out})
    assert list(out) == [0, 1, 2, 3, 4, 9, 9, 9]


def test_values_are_reread_after_a_store():
    out = np.zeros(20, np.int32)
    first = load(INT32, "out", const(0))
    body = loop("x", 20, store("out", Add(first, const(1)), const(0)))
    second = loop("y", 19, store("out", Add(load(INT32, "out", y), const(1)), Add(y, const(1))))
    run(Block((body, second)), {}, {"out": out})
    assert list(out) == list(range(20, 40))


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.uint32, np.int64, np.float16, np.float64, np.bool_])
@pytest.mark.parametrize("step", [1, -1, 2, 3, 4, -2, 7])
def test_strided_vectors(dtype, step):
    kind, lanes = type_of_numpy(np.dtype(dtype)), 8
    a = np.random.default_rng(1).integers(0, 2 if dtype is np.bool_ else 100, 8 * 7 + 1).astype(dtype)
    first = 0 if step > 0 else 56
    out, back = np.zeros(lanes, dtype), np.zeros(57, dtype)
    value = load(kind, "a", ramp(const(first), lanes, step))
    run(
        Block((store("out", value, ramp(const(0), lanes)), store("back", value, ramp(const(first), lanes, step)))),
        {"a": a},
        {"out": out, "back": back},
    )
    picked = a[first::step][:lanes]
    assert (out == picked).all()
    assert (back[first::step][:lanes] == picked).all() and np.count_nonzero(back) <= lanes


@pytest.mark.parametrize("dtype", [np.uint8, np.float32, np.bool_, np.int64])
def test_gather_scatter_and_predicates(dtype):
    kind, lanes = type_of_numpy(np.dtype(dtype)), 16
    rng = np.random.default_rng(2)
    a = rng.integers(0, 2 if dtype is np.bool_ else 100, 64).astype(dtype)
    where, mask = rng.permutation(64)[:16].astype(np.int32), rng.integers(0, 2, 16).astype(np.bool_)
    lane = ramp(const(0), lanes)
    index, predicate = load(INT32, "where", lane), load(BOOL, "mask", lane)
    out = {name: np.zeros(64, dtype) for name in ("gathered", "dense", "scattered", "kept")}
    body = Block(
        (
            store("gathered", load(kind, "a", index), lane),
            store("dense", load(kind, "a", lane, predicate), lane, predicate),
            store("scattered", load(kind, "a", lane), index),
            store("kept", load(kind, "a", index, predicate), index, predicate),
        )
    )
    run(body, {"a": a, "where": where, "mask": mask}, out)
    assert (out["gathered"][:16] == a[where]).all()
    assert (out["dense"][:16] == np.where(mask, a[:16], 0)).all()
    scattered, stored = np.zeros(64, dtype), np.zeros(64, dtype)
    scattered[where], stored[where[mask]] = a[:16], a[where[mask]]
    assert (out["scattered"] == scattered).all() and (out["kept"] == stored).all()


def test_scalar_predicates():
    a, out = np.arange(4, dtype=np.uint8), np.zeros(8, np.uint8)
    inside = LT(x, const(4))
    run(loop("x", 8, store("out", load(UInt(8), "a", x, inside), x, inside)), {"a": a}, {"out": out})
    assert list(out) == [0, 1, 2, 3, 0, 0, 0, 0]


def test_small_arrays_live_on_the_stack():
    out = np.zeros(8, np.int16)
    body = Allocate(
        "t",
        Int(16),
        MemoryType.Stack,
        const(8, INT64),
        Block(
            (
                store("t", Broadcast(const(3, Int(16)), 8), ramp(const(0), 8)),
                store("out", load(Int(16), "t", ramp(const(0), 8)), ramp(const(0), 8)),
            )
        ),
    )
    run(body, {}, {"out": out})
    assert (out == 3).all()
