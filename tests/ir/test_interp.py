"""The interpreter: what statements do, and what it refuses."""

import random

import numpy as np
import pytest

from pipec.errors import CheckError, InternalError
from pipec.ir import build
from pipec.ir import expr as e
from pipec.ir import stmt as s
from pipec.ir.interp import run
from pipec.ir.intrinsics import result_type
from pipec.ir.program import Check, Program, ProgramArgument, ProgramArgumentKind
from pipec.ir.storage import Image
from pipec.ir.types import BOOL, INT32, INT64, Float, Int, UInt

x = e.variable("x")


def loop(body, extent, name="x", kind=s.LoopKind.SERIAL, minimum=0):
    return s.For(name, e.const(minimum), e.const(extent), kind, body)


def value_of(node, **buffers):
    """The value of an expression."""
    lanes = node.type.nlanes
    index = e.const(0) if lanes == 1 else e.Ramp(e.const(0), e.const(1), lanes)
    store = s.Store("out", node, index, build.as_expr(1, BOOL.with_lanes(lanes)))
    out = np.zeros(lanes, node.type.numpy())
    return run(store, {"out": out, **buffers})["out"].tolist()


def int_of(kind, function, a, b):
    return value_of(function(e.Const(kind, a), e.Const(kind, b)))[0]


@pytest.mark.parametrize(
    "a, b, quotient, remainder",
    [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -3, 1), (-7, -2, 4, 1), (5, 0, 0, 0), (-128, -1, -128, 0)],
)
def test_integer_division_is_euclidean(a, b, quotient, remainder):
    assert int_of(Int(8), e.Div, a, b) == quotient
    assert int_of(Int(8), e.Mod, a, b) == remainder


def test_integers_wrap():
    assert int_of(UInt(8), e.Add, 200, 100) == 44
    assert int_of(Int(8), e.Sub, -128, 1) == 127
    assert int_of(Int(32), e.Mul, 1 << 30, 4) == 0


def test_bools_are_numbers_modulo_two():
    assert int_of(BOOL, e.Add, 1, 1) is False
    assert int_of(BOOL, e.Sub, 0, 1) is True
    assert int_of(BOOL, e.Div, 1, 0) is False


def test_floats_round_after_each_operation():
    big = e.Const(Float(32), 16777216.0)
    one = e.Const(Float(32), 1.0)
    assert value_of(e.Sub(e.Add(big, one), big)) == [0.0]
    assert value_of(e.Mod(e.Const(Float(32), -7.0), e.Const(Float(32), 3.0))) == [2.0]
    assert value_of(e.Add(e.Const(Float(16), 2048.0), e.Const(Float(16), 1.0))) == [2048.0]


def test_casts():
    assert value_of(e.Cast(UInt(8), e.const(300))) == [44]
    assert value_of(e.Cast(INT32, e.Const(Float(32), -2.7))) == [-2]
    assert value_of(e.Cast(BOOL, e.const(2))) == [False]
    assert value_of(e.Reinterpret(INT32, e.Const(Float(32), 1.0))) == [0x3F800000]


@pytest.mark.parametrize(
    "name, kind, args, expected",
    [
        ("abs", Int(8), (-128,), 128),
        ("absd", Int(8), (-128, 127), 255),
        ("absd", UInt(8), (3, 250), 247),
        ("shift_left", Int(32), (5, 2), 20),
        ("shift_left", Int(32), (-20, -2), -5),
        ("shift_right", Int(8), (-128, 2), -32),
        ("shift_right", UInt(8), (128, 9), 0),
        ("popcount", Int(8), (-1,), 8),
        ("count_leading_zeros", UInt(16), (1,), 15),
        ("count_leading_zeros", Int(64), (0,), 64),
        ("count_trailing_zeros", Int(32), (-8,), 3),
        ("div_round_to_zero", Int(8), (-7, 2), -3),
        ("mod_round_to_zero", Int(8), (-7, 2), -1),
        ("saturating_add", Int(8), (100, 100), 127),
        ("saturating_sub", UInt(8), (3, 5), 0),
        ("bitwise_not", UInt(8), (1,), 254),
        ("round", Float(32), (2.5,), 2.0),
        ("return_second", Int(32), (1, 2), 2),
    ],
)
def test_intrinsics(name, kind, args, expected):
    result = result_type(name, (kind,) * len(args))
    node = e.Intrinsic(result, name, tuple([e.Const(kind, arg) for arg in args]))
    assert value_of(node) == [expected]


def test_vectors():
    ramp = e.Ramp(e.const(3), e.const(-1), 4)
    assert value_of(ramp) == [3, 2, 1, 0]
    assert value_of(e.Add(ramp, e.Broadcast(e.const(10), 4))) == [13, 12, 11, 10]
    assert value_of(e.Shuffle((ramp, ramp), (0, 7, 1))) == [3, 0, 2]
    assert value_of(e.Shuffle((ramp,), (2,))) == [1]
    assert value_of(e.VectorReduce("add", ramp, 2)) == [5, 1]
    assert value_of(e.VectorReduce("max", ramp, 1)) == [3]
    big = e.Const(UInt(8), 7)
    assert value_of(e.Select(e.LT(e.const(1), e.const(0)), big, e.Const(UInt(8), 1))) == [1]


def test_a_shared_subexpression_is_evaluated_once():
    node = e.const(1)
    node = e.Load(INT32, "in", e.const(0), e.TRUE)
    for _ in range(200):
        node = e.Sub(e.Add(node, node), node)
    assert value_of(node, **{"in": np.array([5], np.int32)}) == [5]


def test_deep_expressions_and_lets_do_not_recurse():
    node = x
    for i in range(3000):
        node = e.Add(node, e.const(i))
    body = s.Store("out", node, e.const(0), e.TRUE)
    for i in range(3000):
        body = s.LetStmt(f"n{i}", e.const(i), body)
    out = run(s.LetStmt("x", e.const(1), body), {"out": np.zeros(1, np.int32)})
    assert out["out"][0] == 1 + 3000 * 2999 // 2


def test_loops_and_conditions():
    even = build.eq(build.mod(x, 2), 0)
    store = s.IfThenElse(even, s.Store("out", x, x, e.TRUE), s.Store("out", e.const(-1), x, e.TRUE))
    assert run(loop(store, 5), {"out": np.zeros(5, np.int32)})["out"].tolist() == [0, -1, 2, -1, 4]
    only = s.IfThenElse(even, s.Store("out", x, x, e.TRUE), None)
    assert run(loop(only, 5), {"out": np.full(5, 9, np.int32)})["out"].tolist() == [0, 9, 2, 9, 4]


def test_a_nested_loop_starts_again():
    add = s.Store("out", build.add(e.Load(INT32, "out", x, e.TRUE), 1), x, e.TRUE)
    body = loop(loop(add, 3), 4, name="y")
    assert run(body, {"out": np.zeros(3, np.int32)})["out"].tolist() == [4, 4, 4]


def test_a_loop_without_iterations():
    assert run(loop(s.Store("out", x, x, e.TRUE), -2), {"out": np.zeros(1, np.int32)})["out"].tolist() == [0]


def test_concurrent_iterations_come_in_any_order():
    body = loop(s.Store("out", x, e.const(0), e.TRUE), 100, kind=s.LoopKind.VECTORIZED)
    last = {run(body, {"out": np.zeros(1, np.int32)}, order=random.Random(seed))["out"][0] for seed in range(5)}
    assert len(last) > 1


def test_predicated_stores_and_loads_touch_only_their_lanes():
    ramp = e.Ramp(e.const(0), e.const(1), 4)
    mask = e.LT(ramp, e.Broadcast(e.const(2), 4))
    load = e.Load(INT32.with_lanes(4), "in", ramp, mask)
    result = run(s.Store("out", load, ramp, mask), {"out": np.zeros(2, np.int32), "in": np.array([5, 6], np.int32)})
    assert result["out"].tolist() == [5, 6]


def test_accesses_out_of_bounds_are_errors():
    out = {"out": np.zeros(3, np.int32)}
    with pytest.raises(InternalError, match="writes element 3 of out, which has 3 elements"):
        run(loop(s.Store("out", x, x, e.TRUE), 4), out)
    with pytest.raises(InternalError, match="reads element -1 of out"):
        run(s.Evaluate(e.Load(INT32, "out", e.const(-1), e.TRUE)), out)


def test_reads_of_elements_never_written_are_errors():
    read = s.Store("out", e.Load(INT32, "b", x, e.TRUE), x, e.TRUE)
    body = s.Block((loop(s.Store("b", x, x, e.TRUE), 2), loop(read, 3, name="x")))
    allocate = s.Allocate("b", INT32, s.MemoryType.Auto, e.Const(INT64, 3), body)
    with pytest.raises(InternalError, match="reads element 2 of b, which was never written"):
        run(allocate, {"out": np.zeros(3, np.int32)})
    assert run(allocate, {"out": np.zeros(3, np.int32)}, strict=False)["out"][:2].tolist() == [0, 1]


def test_outputs_must_be_written_everywhere():
    arguments = (ProgramArgument("out", ProgramArgumentKind.OUTPUT, INT32, 2),)
    body = s.Store("out", e.variable("out.stride.1"), e.const(1), e.TRUE)
    with pytest.raises(InternalError, match=r"without having written out at \[\(0, 7\), \(0, 8\), \(1, 8\)\]"):
        run(Program("main", arguments, body, ()), {"out": Image(np.zeros((2, 2), np.int32), (0, 7))})


def test_a_false_assert_raises_its_code_and_values():
    body = s.Assert(e.FALSE, 0, (e.Const(INT64, 42),))
    program = Program("main", (), body, (Check("too_small", (("buffer", "in"),), ("extent",)),))
    with pytest.raises(CheckError, match=r"Check 0 \(too_small\) is false: buffer = in, extent = 42") as caught:
        run(program, {})
    assert caught.value.values == (42,)


def test_funcs_are_stored_and_read_at_coordinates():
    def f(*args, index=0):
        return e.FuncCall(INT32, "f", args, index, None)

    produce = loop(s.Provide("f", (x, build.mul(x, 10)), (x,)), 4, minimum=-1)
    y = e.variable("y")
    consume = loop(s.Provide("g", (build.add(f(build.sub(y, 1)), f(y, index=1)),), (y,)), 3, name="y")
    body = s.Realize(
        "f", (INT32, INT32), s.MemoryType.Auto, ((e.const(-1), e.const(4)),), ((0, 1),), (None,),
        e.Const(INT64, 0), s.Block((produce, consume)),
    )  # fmt: skip
    assert run(body, {"g": np.zeros(3, np.int32)})["g"].tolist() == [-1, 10, 21]


def test_folded_storage_forgets():
    def body(distance):
        y = e.variable("y")
        produce = s.Provide("f", (y,), (y,))
        read = e.FuncCall(INT32, "f", (build.max_(build.sub(y, distance), 0),), 0, None)
        both = loop(s.Block((produce, s.Provide("g", (read,), (y,)))), 6, name="y")
        bounds, start = ((e.const(0), e.const(6)),), e.Const(INT64, 0)
        return s.Realize("f", (INT32,), s.MemoryType.Auto, bounds, ((0, 1),), (e.const(2),), start, both)

    assert run(body(1), {"g": np.zeros(6, np.int32)})["g"].tolist() == [0, 0, 1, 2, 3, 4]
    with pytest.raises(InternalError, match=r"reads f\(0\), which was never written or whose storage holds another"):
        run(body(2), {"g": np.zeros(6, np.int32)})


def test_images_have_minimum_coordinates():
    read = e.ImageCall(UInt(8), "in", (x, e.const(2)), None)
    body = s.For("x", e.variable("in.min.0"), e.variable("in.extent.0"), s.LoopKind.SERIAL,
                 s.Provide("out", (read,), (x,)))  # fmt: skip
    image = Image(np.array([[1], [2], [3]], np.uint8), (5, 2))
    assert run(body, {"in": image, "out": Image(np.zeros(3, np.uint8), (5,))})["out"].tolist() == [1, 2, 3]


def test_reports_are_delivered_lane_by_lane_and_answered():
    reports = []
    lane = e.Ramp(e.const(0), e.const(2), 3)
    some = e.LT(lane, e.Broadcast(e.const(3), 3))
    store = s.Store("out", e.variable("answer"), e.const(0), e.TRUE)
    body = s.Report(0, (lane, e.Broadcast(e.const(7), 3)), some, "answer", store)

    def report(code, rows):
        reports.append((code, rows))
        return 5

    result = run(body, {"out": np.zeros(1, np.int32)}, report=report)
    assert reports == [(0, [(0, 7), (2, 7)])] and result["out"][0] == 5
