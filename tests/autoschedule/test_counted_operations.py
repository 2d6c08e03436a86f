"""Operations are counted as the instructions that they become."""

from __future__ import annotations

import pytest

import pipec as hl
from pipec.autoschedule.dag.dag import TYPE_CLASSES, Operation
from pipec.autoschedule.dag.operations import counted as totals
from pipec.autoschedule.problem import problem_of

WITH_AVX512, WITHOUT = hl.Target("x86-64-linux-avx512_skylake"), hl.Target("x86-64-linux-avx2")


def counted(value, sizes=(64, 64), target=WITH_AVX512):
    output = hl.Func("output")
    output[hl.vars("x y")] = value
    (func,) = problem_of([output.function], sizes=sizes, threads=2, target=target).dag.funcs.values()
    rows = zip(Operation, totals(func.stages[0].parts), strict=True)
    return {(kind, name): n for kind, row in rows for name, n in zip(TYPE_CLASSES, row, strict=True) if n}


def pixels():
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    return image[x, y], image[x + 1, y]


@pytest.mark.parametrize("wide", [hl.u16, hl.i32])
def test_averages_that_round_up_are_one_instruction(wide):
    a, b = map(wide, pixels())
    assert counted(hl.u8((a + b + 1) // 2)) == {(Operation.ADD, "int8"): 1}
    assert counted(hl.u8((1 + a + b) >> 1)) == {(Operation.ADD, "int8"): 1}


@pytest.mark.parametrize("rounding", [0, 2])
def test_other_halves_of_sums_are_computed(rounding):
    a, b = map(hl.u16, pixels())
    assert counted(hl.u8((a + b + rounding) // 2))[Operation.CAST, "int16"] == 3


def luminance():
    a, b = map(hl.i32, pixels())
    return hl.u8((a * 77 + b * 150) >> 8)


def test_integers_are_counted_in_the_type_that_vectors_compute_them_in():
    assert {name for _, name in counted(luminance())} == {"int16"}
    assert counted(luminance())[Operation.MULTIPLY, "int16"] == 2


def test_code_for_gpus_keeps_the_types_of_the_definition():
    assert {name for _, name in counted(luminance(), target=hl.Target("host-opencl"))} == {"int32"}


def test_saturated_sums_are_one_instruction():
    a, b = map(hl.u16, pixels())
    assert counted(hl.u8(hl.min(a + b, 255))) == {(Operation.ADD, "int8"): 1}


def test_products_of_widened_integers_take_as_long_as_those_of_half_the_bits():
    a, c = (hl.ImageParam(kind, 2, name)[hl.vars("x y")] for kind, name in ((hl.Int(32), "a"), (hl.Int(64), "c")))
    assert counted(hl.i64(a) * 77)[Operation.MULTIPLY, "int32"] == 1
    assert counted(c * c)[Operation.MULTIPLY, "int64"] == 1


def test_products_of_16_bits_that_32_hold_take_as_long_as_sums():
    a, b = (hl.ImageParam(hl.Int(16), 2, name)[hl.vars("x y")] for name in "ab")
    c = hl.ImageParam(hl.UInt(16), 2, "c")[hl.vars("x y")]
    assert (Operation.MULTIPLY, "int32") not in counted(hl.i32(a) * hl.i32(b))
    assert (Operation.MULTIPLY, "int32") not in counted(hl.i32(a) * 777)
    assert counted(hl.i32(a) * 77777)[Operation.MULTIPLY, "int32"] == 1
    assert counted(hl.i32(c) * 777)[Operation.MULTIPLY, "int32"] == 1


def test_points_of_a_block_share_conversions_of_what_they_all_load():
    x, y = hl.vars("x y")
    image, output = hl.ImageParam(hl.UInt(8), 2, "image"), hl.Func("output")
    output[x, y] = hl.u16(image[x, y]) + hl.u16(image[x, y + 1]) + hl.u16(image[x, y + 2])
    ((own,),) = [func.stages for func in problem_of([output.function], sizes=(64, 64)).dag.funcs.values()]
    ((access, operations),) = own.conversions
    assert len(access.offsets) == 3
    assert totals([((), operations)])[Operation.CAST][TYPE_CLASSES.index("int16")] == 1
    assert not any(totals(own.parts_beside)[Operation.CAST])


def test_what_no_loop_changes_is_computed_outside_of_all_loops():
    weights = hl.ImageParam(hl.UInt(8), 1, "weights")
    a, _ = pixels()
    assert counted(hl.i32(a) * (hl.i32(weights[0]) + hl.i32(weights[1]))) == {
        (Operation.MULTIPLY, "int32"): 1,
        (Operation.CAST, "int32"): 1,
    }


def test_sums_with_products_of_floats_are_one_instruction():
    a, b = (hl.f32(pixel) for pixel in pixels())
    c = hl.ImageParam(hl.Float(32), 2, "c")[hl.Var("x"), hl.Var("y")]
    assert counted(c * c + c) == {(Operation.MULTIPLY, "float32"): 1}
    assert counted(a - b * b)[Operation.MULTIPLY, "float32"] == 1
    assert (Operation.ADD, "float32") not in counted(a - b * b)


def test_sums_with_products_of_integers_are_two():
    c = hl.ImageParam(hl.Int(32), 2, "c")[hl.Var("x"), hl.Var("y")]
    assert counted(c * c + c) == {(Operation.MULTIPLY, "int32"): 1, (Operation.ADD, "int32"): 1}


@pytest.mark.parametrize("kind, instructions", [(hl.UInt(8), 6), (hl.UInt(16), 9), (hl.UInt(32), 11), (hl.UInt(64), 7)])
def test_without_avx512_bits_are_counted_by_many_instructions(kind, instructions):
    a = hl.ImageParam(kind, 2, "a")[hl.vars("x y")]
    assert counted(hl.popcount(a), target=WITHOUT) == {(Operation.CAST, f"int{kind.bits()}"): instructions}
    assert counted(hl.popcount(a)) == {(Operation.SHIFT, f"int{kind.bits()}"): 1}


def test_without_avx512_products_of_64_bits_are_written_with_those_of_32():
    c = hl.ImageParam(hl.Int(64), 2, "c")[hl.vars("x y")]
    assert counted(c * c, target=WITHOUT) == {(Operation.CAST, "int64"): 8}


def test_without_avx512_masks_have_the_width_of_what_was_compared():
    a, b = pixels()
    c = hl.ImageParam(hl.Float(32), 2, "c")[hl.vars("x y")]
    narrow, wide = hl.select(a == b, a, b), hl.select(a == b, c, 0.0)
    assert counted(narrow, target=WITHOUT) == counted(narrow) == {(Operation.COMPARE, "int8"): 2}
    assert counted(wide, target=WITHOUT)[Operation.CAST, "int32"] == 2
    assert (Operation.CAST, "int32") not in counted(wide)
    both = hl.select((c < 1) & (c > 0), c, 0.0)
    assert counted(both, target=WITHOUT) == {(Operation.COMPARE, "float32"): 3, (Operation.COMPARE, "int32"): 1}


def test_without_avx512_unsigned_integers_are_compared_by_two_instructions():
    a, b = pixels()
    assert counted(hl.select(a < b, a, b + 1), target=WITHOUT)[Operation.CAST, "int8"] == 2


def test_what_an_update_reads_of_its_func_differs_in_all_iterations():
    x, y = hl.vars("x y")
    r = hl.RDom([(0, 9)], "r")
    orbit = hl.Func("orbit")
    orbit[x, y] = 0.0
    orbit[x, y] = orbit[x, y] * orbit[x, y] + hl.f32(r)
    point = hl.Func("point")
    point[()] = 1.0
    point[()] = 0.5 * (point[()] + 2.0 / point[()]) + 0.0 * hl.f32(r)
    for func, size, loops in ((orbit, (64, 64), (0, 1, 2)), (point, (), (0,))):
        (info,) = problem_of([func.function], sizes=size, threads=2, target=WITH_AVX512).dag.funcs.values()
        multiplied = {own for own, counts in info.stages[1].parts if any(counts[Operation.MULTIPLY])}
        assert multiplied == {loops}


def edges(image, x, y):
    inside = (x >= 0) & (x < image.width()) & (y >= 0) & (y < image.height())
    return inside, image[hl.clamp(x, 0, image.width() - 1), hl.clamp(y, 0, image.height() - 1)]


def test_conditions_that_are_decided_away_from_the_edges_of_an_image_cost_nothing():
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    inside, pixel = edges(image, x - 1, y)
    sums = {(Operation.ADD, "float32"): 1}
    assert counted(hl.select(inside, hl.likely(pixel), 0.0) + 1.0) == sums
    assert counted(hl.select(hl.likely(inside), pixel, 0.0) + 1.0) == sums
    assert counted(hl.select(~inside, 0.0, hl.likely(pixel)) + 1.0) == sums


def test_conditions_that_remain_in_the_loops_are_counted():
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    inside, pixel = edges(image, x - 1, y)
    assert counted(hl.select(inside, pixel, 0.0))[Operation.COMPARE, "float32"] == 1, "neither side is likely"
    of_values = hl.select(pixel > 0.5, hl.likely(pixel), 0.0)
    assert counted(of_values)[Operation.COMPARE, "float32"] == 2, "a condition on values"
