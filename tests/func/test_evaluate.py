"""The reference evaluator against numpy."""

import numpy as np
import pytest

from pipec.errors import BoundsError, RequirementError
from pipec.func.functions.definition import FuncDef, ImageDef, PipelineDef, ReductionLoop, StageDef
from pipec.func.functions.evaluate import interpret
from pipec.ir import build
from pipec.ir import expr as e
from pipec.ir.types import INT32, UInt

x, y = e.variable("x"), e.variable("y")


def rvar(name):
    return e.ReductionVariable(INT32, name, None)


def call(name, *args, index=0):
    return e.FuncCall(INT32, name, args, index, None)


def func(name, args, *stages, types=(INT32,)):
    return FuncDef(name, tuple(args.split()), types, stages)


def pipeline(*funcs, images=(), outputs=None, **rest):
    by_name = {f.name: f for f in funcs}
    return PipelineDef("p", outputs or (funcs[-1].name,), by_name, {i.name: i for i in images}, {}, **rest)


def test_a_stencil_of_an_image():
    def pixel(dx, dy):
        return e.Cast(INT32, e.ImageCall(UInt(8), "in", (build.add(x, dx), build.add(y, dy)), None))

    across = func("a", "x y", StageDef((x, y), (build.add(pixel(-1, 0), pixel(1, 0)),)))
    down = func(
        "b", "x y", StageDef((x, y), (build.sub(call("a", x, build.add(y, 1)), call("a", x, build.sub(y, 1))),))
    )
    image = np.random.default_rng(0).integers(0, 256, (9, 8), np.uint8)
    p = pipeline(across, down, images=[ImageDef("in", UInt(8), 2)])
    result = interpret(p, {"in": (image, (-1, 3))}, {}, {"b": ((0, 7), (4, 6))})["b"]
    wide = image.astype(np.int32)
    row = wide[:-2] + wide[2:]
    assert np.array_equal(result, row[:, 2:] - row[:, :-2])
    with pytest.raises(BoundsError, match="Input in is read at -2 ... 4 in dimension 0"):
        interpret(p, {"in": (image, (-1, 3))}, {}, {"b": ((-1, 7), (4, 6))})


def test_a_scan_reads_what_was_not_asked_for():
    r = rvar("r")
    update = StageDef(
        (r,), (build.add(call("f", r), call("f", build.sub(r, 1))),), (ReductionLoop("r", e.const(1), e.const(9)),)
    )
    f = func("f", "x", StageDef((x,), (x,)), update)
    result = interpret(pipeline(f), {}, {}, {"f": ((7, 2),)})["f"]
    assert result.tolist() == [28, 36]


def test_reduction_variables_run_innermost_first_under_their_predicate():
    i, j = rvar("i"), rvar("j")
    loops = (ReductionLoop("i", e.const(0), e.const(3)), ReductionLoop("j", e.const(0), e.const(3)))
    digit = build.add(build.mul(call("f", x), 10), build.add(i, build.mul(j, 3)))
    f = func("f", "x", StageDef((x,), (e.const(0),)), StageDef((x,), (digit,), loops, build.lt(i, j)))
    assert interpret(pipeline(f), {}, {}, {"f": ((0, 2),)})["f"].tolist() == [367, 367]


def test_a_predicate_on_a_pure_variable():
    i = rvar("i")
    update = StageDef(
        (x,), (build.add(call("f", x), i),), (ReductionLoop("i", e.const(0), e.const(5)),), build.le(i, x)
    )
    f = func("f", "x", StageDef((x,), (e.const(0),)), update)
    assert interpret(pipeline(f), {}, {}, {"f": ((-1, 5),)})["f"].tolist() == [0, 0, 1, 3, 6]


def test_a_histogram_and_a_gather_that_depend_on_data():
    r = rvar("r")
    pixel = e.Cast(INT32, e.ImageCall(UInt(8), "in", (r,), None))
    count = StageDef((pixel,), (build.add(call("h", pixel), 1),), (ReductionLoop("r", e.const(0), e.const(6)),))
    h = func("h", "x", StageDef((x,), (e.const(0),)), count)
    g = func("g", "x", StageDef((x,), (call("h", call("h", x)),)))
    image = np.array([0, 2, 2, 1, 2, 9], np.uint8)
    p = pipeline(h, g, images=[ImageDef("in", UInt(8), 1)])
    assert interpret(p, {"in": (image, (0,))}, {}, {"g": ((0, 4),), "h": ((2, 1),)}) == {
        "g": pytest.approx([1, 1, 0, 1]),
        "h": pytest.approx([3]),
    }


def test_tuples_take_all_values_before_storing_any():
    swap = StageDef((x,), (call("f", x, index=1), call("f", x)), (ReductionLoop("i", e.const(0), e.const(3)),))
    f = func("f", "x", StageDef((x,), (x, build.mul(x, -1))), swap, types=(INT32, INT32))
    result = interpret(pipeline(f), {}, {}, {"f": ((0, 3),)})
    assert result["f.0"].tolist() == [0, -1, -2] and result["f.1"].tolist() == [0, 1, 2]


def test_empty_outputs_and_no_dimensions():
    f = func("f", "x", StageDef((x,), (call("g"),)))
    g = func("g", "", StageDef((), (e.const(7),)))
    assert interpret(pipeline(g, f), {}, {}, {"f": ((0, 2),)})["f"].tolist() == [7, 7]
    assert interpret(pipeline(g, f), {}, {}, {"f": ((0, 0),)})["f"].tolist() == []
    assert interpret(pipeline(g), {}, {}, {"g": ()})["g"] == 7


def test_requirements():
    g = func("g", "", StageDef((), (e.const(7),)))
    p = pipeline(g, requirements=((e.FALSE, ("n is", e.const(3))),))
    with pytest.raises(RequirementError, match=r"Requirement Failed: \(false\) n is 3"):
        interpret(p, {}, {}, {"g": ()})


def test_prints_are_reported_at_each_point_and_demands_checked():
    reports = []
    printed = e.Effect(x, "print", build.gt(x, 0), (x, "of", y))
    f = func("f", "x y", StageDef((x, y), (printed,)))
    result = interpret(pipeline(f), {}, {}, {"f": ((0, 2), (0, 2))}, lambda effect, rows: reports.extend(rows))
    assert reports == [(1, 0), (1, 1)] and result["f"].tolist() == [[0, 0], [1, 1]]
    demanded = e.Effect(x, "require", build.lt(x, 1), (x, "too far"))
    f = func("f", "x", StageDef((x,), (demanded,)))
    with pytest.raises(RequirementError, match="1 too far"):
        interpret(pipeline(f), {}, {}, {"f": ((0, 3),)})
