"""Loops that a tensor intrinsic runs give the same numbers in every back end; other loops are refused."""

import numpy as np
import pytest

import pipec as hl
from pipec.errors import ScheduleError
from pipec.ir.interp import run
from pipec.ir.tensor import tensor_calls_of, tensor_intrinsics
from pipec.pipeline.tensor.prove import is_supported
from pipec.schedule.schedule import Schedule
from tests.emission.c_programs import descriptor, shared_library
from tests.tensor.dot_products import exact, integers, ki, ko, matrix_product, program_of, tensorized, x, xi, y

VNNI = "x86.vpdpbusd.256"
U8, I8, I32 = hl.UInt(8), hl.Int(8), hl.Int(32)


def mixed(terms=8):
    return matrix_product(U8, I8, terms)


def bound(product, width=24, height=3, terms=8):
    a, b = integers("uint8", (height, terms)), integers("int8", (terms, width), 1)
    product.a.set(hl.Buffer(a))
    product.b.set(hl.Buffer(b))
    return a, b


def test_one_call_takes_the_place_of_the_loops():
    (call,) = tensor_calls_of(program_of(tensorized(mixed(), VNNI, 8, 4).c).body)
    assert call.name == VNNI and [str(operand.type) for operand in call.operands] == ["int32x8", "uint8x32", "int8x32"]


@pytest.mark.skipif(not is_supported(tensor_intrinsics()[VNNI]), reason="the processor has no such instruction")
def test_the_instruction_is_in_the_code(tmp_path):
    product = tensorized(mixed(), VNNI, 8, 4)
    product.c.compile_to_assembly(str(tmp_path / "c.s"), [product.a, product.b])
    assert "vpdpbusd" in (tmp_path / "c.s").read_text()


def test_the_instruction_of_another_processor_is_in_code_for_it(tmp_path):
    product = tensorized(matrix_product(I8, I8, 8), "arm.sdot", 4, 4)
    for target, present in (("arm-64-linux-arm_dot_prod", True), ("arm-64-linux", False)):
        product.c.compile_to_assembly(str(tmp_path / "c.s"), [product.a, product.b], "f", hl.Target(target))
        assert ("sdot" in (tmp_path / "c.s").read_text()) == present


def test_without_avx512_the_instruction_has_the_vex_encoding(tmp_path):
    target = hl.Target("x86-64-linux-sse41-avx-avx2-fma-f16c-avxvnni")
    product = tensorized(mixed(), f"{VNNI}.vex", 8, 4)
    product.c.compile_to_assembly(str(tmp_path / "c.s"), [product.a, product.b], "f", target)
    text = (tmp_path / "c.s").read_text()
    assert "{vex}\tvpdpbusd" in text and "zmm" not in text
    if is_supported(tensor_intrinsics()[f"{VNNI}.vex"]):
        a, b = bound(product)
        np.testing.assert_array_equal(np.asarray(product.c.realize([8, 3], target)), exact(a, b)[:, :8])


@pytest.mark.parametrize("second, intrinsic, group", [(I8, "x86.vpmaddwd.256", 2), (I8, VNNI, 4)])
def test_an_operand_that_is_the_same_for_all_lanes_is_one_number(second, intrinsic, group, tmp_path):
    product = matrix_product(U8, second, 16)
    yi = hl.Var("yi")
    product.c.bound(y, 0, 32).update().split(y, y, yi, 8).split(product.r, ko, ki, group)
    product.update.reorder(ki, yi, ko, x, y).tensorize([yi, ki], intrinsic)
    target = hl.Target("x86-64-linux-sse41-avx-avx2-avx512-avx512_skylake-avx512_cannonlake-no_runtime")
    target = target.with_feature(hl.TargetFeature.AVX512_SapphireRapids)
    product.c.compile_to_assembly(str(tmp_path / "c.s"), [product.a, product.b], "f", target)
    assert intrinsic.split(".")[1] in (text := (tmp_path / "c.s").read_text())
    # Not inserted into each place of a vector.
    assert text.count("vpinsrb") <= 2 * group
    a, b = bound(product, 24, 32, 16)
    np.testing.assert_array_equal(np.asarray(product.c.realize([24, 32])), exact(a, b))


def test_sizes_that_the_lanes_do_not_divide_are_exact():
    product = tensorized(mixed(10), VNNI, 8, 4)
    a, b = bound(product, 24, 3, 10)
    for width in (24, 17, 8, 5):
        np.testing.assert_array_equal(np.asarray(product.c.realize([width, 3])), exact(a, b)[:, :width])


def test_the_interpreter_computes_the_pattern():
    product = tensorized(mixed(), VNNI, 8, 4)
    a, b = bound(product)
    program = program_of(product.c)
    names = {argument.name.partition("$")[0]: argument.name for argument in program.arguments}
    arrays = {names["a"]: a.T, names["b"]: b.T, names["c"]: np.zeros((24, 3), np.int32)}
    np.testing.assert_array_equal(run(program, arrays, strict=False)[names["c"]].T, exact(a, b))


def test_c_computes_the_pattern(tmp_path):
    product = tensorized(mixed(), VNNI, 8, 4)
    a, b = bound(product)
    result = hl.Buffer(I32, [24, 3])
    raw = [descriptor(buffer) for buffer in (hl.Buffer(a), hl.Buffer(b), result)]
    assert shared_library(tmp_path, product.c, [product.a, product.b]).f(*[head for head, _ in raw]) == 0
    np.testing.assert_array_equal(np.asarray(result), exact(a, b))


@pytest.mark.opencl
def test_kernels_compute_the_pattern():
    product = tensorized(mixed(), VNNI, 8, 4)
    a, b = bound(product)
    product.c.gpu_blocks(y)
    product.update.gpu_blocks(y).gpu_threads(x)
    result = product.c.realize([24, 3], target=hl.Target("host-opencl"))
    np.testing.assert_array_equal(np.asarray(result), exact(a, b))


def test_a_processor_without_the_instruction_computes_the_pattern():
    product = tensorized(mixed(), VNNI, 8, 4)
    a, b = bound(product)
    result = product.c.realize([24, 3], target=hl.Target("x86-64-linux-sse41"))
    np.testing.assert_array_equal(np.asarray(result), exact(a, b))


def test_checks_of_memory_know_what_it_computes():
    a, c, r, copy = hl.ImageParam(U8, 1, "a"), hl.Func("c"), hl.RDom([(0, 8)], "r"), hl.Func("copy")
    copy[x] = a[x]
    c[x] = 0
    c[x] += 3 * hl.i32(copy[x + r])
    copy.compute_root()
    c.compute_root().update().split(x, x, xi, 8).split(r, ko, ki, 4).reorder(ki, xi, ko, x).tensorize([xi, ki], VNNI)
    out = hl.Func("out")
    out[x] = c[x] + 1
    pixels = integers("uint8", (31,))
    a.set(hl.Buffer(pixels))
    expected = [3 * int(pixels[at : at + 8].astype(int).sum()) + 1 for at in range(24)]
    assert np.asarray(out.realize([24], target=hl.Target("host-checked"))).tolist() == expected


def test_rows_of_constants_and_narrower_types_are_operands():
    a, c, r = hl.ImageParam(U8, 1, "a"), hl.Func("c"), hl.RDom([(0, 8)], "r")
    c[x] = 0
    c[x] += 3 * hl.i32(a[x + r])
    c.update().split(x, x, xi, 8).split(r, ko, ki, 4).reorder(ki, xi, ko, x).tensorize([xi, ki], VNNI)
    pixels = integers("uint8", (31,))
    a.set(hl.Buffer(pixels))
    expected = [3 * int(pixels[at : at + 8].astype(int).sum()) for at in range(24)]
    assert np.asarray(c.realize([24])).tolist() == expected


def test_brain_floats():
    random = np.random.default_rng(0)
    a, b = [random.normal(size=shape).astype(np.float32) for shape in ((3, 8), (8, 16))]
    bf16, c, r = hl.BFloat(16), hl.Func("c"), hl.RDom([(0, 8)], "r")
    first, second = [hl.Buffer(array) for array in (a, b)]
    c[x, y] = 0.0
    c[x, y] += hl.f32(hl.cast(bf16, first[r, y])) * hl.f32(hl.cast(bf16, second[x, r]))
    expected = np.asarray(c.realize([16, 3]))
    c.update().split(x, x, xi, 8).split(r, ko, ki, 2).reorder(ki, xi, ko, x, y).tensorize([xi, ki], "x86.vdpbf16ps.256")
    np.testing.assert_allclose(np.asarray(c.realize([16, 3])), expected, rtol=1e-5, atol=1e-5)


def test_a_schedule_with_it_is_written_and_read():
    product = tensorized(mixed(), VNNI, 8, 4)
    schedule = product.c.function.schedule
    assert Schedule.from_json(schedule.to_json()) == schedule
    assert f".tensorize([xi, ki], '{VNNI}')" in schedule.to_python()
    (second,) = hl.deserialize_pipeline(hl.serialize_pipeline(hl.Pipeline(product.c))).outputs()
    assert [type(directive).__name__ for directive in second.function.schedule.directives][-1] == "Tensorize"


def refused(product, names, intrinsic=VNNI):
    with pytest.raises(ScheduleError) as error:
        product.update.tensorize(names, intrinsic)
    return str(error.value)


def split(product, lanes=8, group=4):
    product.update.split(x, x, xi, lanes).split(product.r, ko, ki, group)
    return product


def test_an_unknown_intrinsic_is_refused_with_those_that_there_are():
    assert "there is no tensor intrinsic 'vdot'" in refused(mixed(), [x], "vdot")
    assert "x86.vpdpbusd.512.signed" in refused(mixed(), [x], "vdot")


def test_loops_that_are_not_those_of_the_pattern_are_refused():
    assert "they must be the innermost loops, which are ki, ko. Reorder" in refused(split(mixed()), [xi, ki])
    product = split(mixed(), 16)
    product.update.reorder(ki, xi, ko)
    assert "the pattern has 2 loops: i (0 to 7), k (0 to 3)" in refused(product, [xi])
    assert "the loop xi has the extent 16, but i of the pattern has 8 iterations" in refused(product, [xi, ki])
    assert "the RVar ki stands for i (0 to 7), which is a loop over elements" in refused(product, [ki, xi])
    product = split(mixed())
    product.update.reorder(ki, xi, ko).unroll(ki)
    assert "the loop ki is unrolled" in refused(product, [xi, ki])
    product = mixed()
    product.update.reorder(product.r, x)
    assert "the loop x has no constant extent" in refused(product, [x, product.r])


def inner(product):
    split(product).update.reorder(ki, xi, ko)
    return product


def test_an_update_of_other_types_is_refused():
    text = refused(inner(matrix_product(I8, I8, 8)), [xi, ki])
    assert "the definition does not match the tensor intrinsic x86.vpdpbusd.256" in text
    assert "x86.vpdpbusd.256: a(r$x, y) of type int8 does not fit a[k, i]: uint8." in text
    assert "\nThe definition is c" in text
    assert "\nThese match: x86.vpdpbusd.256.signed, x86.vpdpbusd.256.vex.signed." in text


def test_an_operand_that_changes_with_other_loops_is_refused():
    only_k = hl.ImageParam(U8, 1, "a")
    i, k, c, b = hl.Var("i"), hl.RDom([(0, 4)], "k"), hl.Func("c"), hl.ImageParam(I8, 2, "b")
    c[i] = 0
    c[i] += hl.i32(only_k[k]) * hl.i32(b[k, i])
    hl.tensor_intrinsic("row times matrix", c, [8], lambda c, a, b: c, supports=["no-such-feature"])
    a, out, r = hl.ImageParam(U8, 2, "a"), hl.Func("out"), hl.RDom([(0, 4)], "r")
    out[x] = 0
    out[x] += hl.i32(a[r, x]) * hl.i32(b[r, x])
    out.update().split(x, x, xi, 8).reorder(r, xi, x)
    with pytest.raises(ScheduleError, match="changes with xi, but the operand is the same in all iterations of i"):
        out.update().tensorize([xi, r], "row times matrix")


def test_a_condition_is_refused():
    a, c, r = hl.ImageParam(U8, 1, "a"), hl.Func("c"), hl.RDom([(0, 4)], "r")
    r.where(r < 3)
    c[x] = 0
    c[x] += 3 * hl.i32(a[x + r])
    c.update().split(x, x, xi, 8).reorder(r, xi, x)
    with pytest.raises(ScheduleError, match="it has the condition r"):
        c.update().tensorize([xi, r], VNNI)


def test_later_directives_may_not_move_its_loops():
    product = tensorized(mixed(), VNNI, 8, 4)
    bound(product)
    product.update.reorder(ko, ki)
    with pytest.raises(ScheduleError, match="xi, ki are no longer the innermost ones that x86.vpdpbusd.256 runs"):
        product.c.realize([24, 3])


def test_the_second_tensor_intrinsic_of_a_stage_is_refused():
    assert "has a tensor intrinsic already" in refused(tensorized(mixed(), VNNI, 8, 4), [xi, ki])
