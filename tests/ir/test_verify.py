"""The verifier accepts what is well formed and names what is not."""

import pytest

from pipec.errors import InternalError
from pipec.ir import expr as e
from pipec.ir import stmt as s
from pipec.ir.program import Program, ProgramArgument, ProgramArgumentKind
from pipec.ir.types import BOOL, INT32, INT64, Float, UInt
from pipec.ir.verify import LoweringStage, verify

x = e.variable("x")
one = e.const(1)
four_true = e.Broadcast(e.TRUE, 4)


def program(body):
    arguments = (
        ProgramArgument("in", ProgramArgumentKind.INPUT, INT32, 1),
        ProgramArgument("out", ProgramArgumentKind.OUTPUT, INT32, 1),
    )
    return Program("main", arguments, body, ())


def loop(body, name="x", kind=s.LoopKind.SERIAL, extent=one):
    return s.For(name, e.const(0), extent, kind, body)


def refuse(node, words, stage=LoweringStage.LOWERED):
    with pytest.raises(InternalError, match=words):
        verify(node, stage, after="some pass")


def test_a_copy_is_well_formed():
    copy = s.Store("out", e.Load(INT32, "in", x, e.TRUE), x, e.TRUE)
    verify(program(loop(copy, extent=e.variable("in.extent.0"))), LoweringStage.LOWERED)


def test_a_vector_copy_is_well_formed():
    ramp = e.Ramp(e.const(0), one, 4)
    verify(
        program(s.Store("out", e.Load(INT32.with_lanes(4), "in", ramp, four_true), ramp, four_true)),
        LoweringStage.LOWERED,
    )


def test_the_error_names_pass_and_node():
    refuse(program(s.Store("out", x, one, e.TRUE)), r"after some pass \(lowered\): Store: x is not in scope")


def test_names_are_bound_before_use():
    refuse(program(s.Store("out", e.Load(INT32, "other", one, e.TRUE), one, e.TRUE)), "buffer other is not in scope")
    inside = s.LetStmt("v", one, s.Evaluate(e.variable("v")))
    refuse(s.Block((inside, s.Evaluate(e.variable("v")))), "v is not in scope")


def test_names_are_bound_once():
    refuse(loop(loop(s.Evaluate(x))), "x is bound twice")


def test_free_names_of_a_bare_statement_are_arguments():
    verify(s.Store("b", x, x, e.TRUE), LoweringStage.LOWERED)


def test_a_variable_has_one_type():
    refuse(s.LetStmt("v", e.Const(INT64, 1), s.Evaluate(e.variable("v"))), "v is int64, but is used as int32")


def test_conditions_are_bool():
    refuse(s.IfThenElse(one, s.Evaluate(x), None), "the condition has type int32, not bool")
    refuse(s.Evaluate(e.Select(one, x, x)), "the condition has type int32")
    refuse(s.Evaluate(e.And(x, x)), "not bool")
    refuse(s.Evaluate(e.Not(x)), "not bool")


def test_lanes_agree():
    ramp = e.Ramp(x, one, 4)
    refuse(s.Evaluate(e.Load(INT32, "b", ramp, four_true)), "1 elements? at an index of type int32x4")
    refuse(s.Evaluate(e.Load(INT32.with_lanes(4), "b", ramp, e.TRUE)), "the predicate has type bool")
    refuse(s.Store("b", ramp, x, four_true), "the index has type int32, not int32x4")
    refuse(s.Evaluate(e.Cast(Float(32), ramp)), "the lanes differ")
    refuse(s.Evaluate(e.Select(four_true, x, x)), "the condition has type boolx4")
    refuse(s.Evaluate(e.Shuffle((ramp,), (0, 4))), "not one of 4 lanes")
    refuse(s.Evaluate(e.VectorReduce("add", ramp, 3)), "do not divide")


def test_vectorized_loops_are_gone_in_the_end():
    verify(loop(s.Evaluate(x), kind=s.LoopKind.VECTORIZED), LoweringStage.SCHEDULED)
    refuse(loop(s.Evaluate(x), kind=s.LoopKind.VECTORIZED), "must not be left")


def test_blocks_are_flat():
    pair = s.Block((s.Evaluate(one), s.Evaluate(x)))
    refuse(s.Block((pair, s.Evaluate(one))), "must not hold a block")
    refuse(s.Block((s.Evaluate(one),)), "at least two")


def test_nothing_is_left_of_earlier_stages():
    call = e.FuncCall(INT32, "f", (x,), 0, None)
    verify(s.Provide("g", (call,), (x,)), LoweringStage.SCHEDULED)
    refuse(s.Provide("g", (x,), (x,)), "must not be left")
    refuse(s.Evaluate(call), "must not be left")
    refuse(s.Evaluate(e.ParameterRef(INT32, "p", None)), "must not be left", LoweringStage.SCHEDULED)


def test_storage_fits_its_uses():
    def realize(body, types=(INT32,)):
        return s.Realize("f", types, s.MemoryType.Auto, ((one, one),), ((0, 1),), (None,), e.Const(INT64, 0), body)

    verify(realize(s.Provide("f", (x,), (x,))), LoweringStage.SCHEDULED)
    refuse(realize(s.Provide("f", (x,), (x, x))), "f has 1 dimensions", LoweringStage.SCHEDULED)
    refuse(realize(s.Provide("f", (e.TRUE,), (x,))), "f holds int32, but is given bool", LoweringStage.SCHEDULED)
    refuse(realize(s.Evaluate(e.FuncCall(BOOL, "f", (x,), 0, None))), "f holds int32", LoweringStage.SCHEDULED)


def test_allocations_have_int64_sizes():
    refuse(s.Allocate("b", INT32, s.MemoryType.Heap, one, s.Evaluate(x)), "the size has type int32, not int64")


def test_intrinsics_have_the_types_of_the_table():
    refuse(s.Evaluate(e.Intrinsic(INT32, "abs", (x,))), "the result has type int32, not uint32")
    refuse(s.Evaluate(e.Intrinsic(INT32, "sqrt", (x,))), "no meaning for")
    refuse(s.Evaluate(e.Intrinsic(INT32, "frobnicate", (x,))), "no intrinsic frobnicate")
    verify(s.Evaluate(e.Intrinsic(UInt(32), "abs", (x,))), LoweringStage.LOWERED)


def test_assert_codes_exist():
    refuse(program(s.Assert(e.TRUE, 0, ())), "no check number 0")
