"""Coordinates, extents and sizes that an int32 or int64 does not hold are errors: never wrong pixels, nor a crash."""

from __future__ import annotations

import numpy as np
import pytest

import pipec as hl

MOST = 2**31 - 1
x, y, z, xo, xi, t = hl.vars("x y z xo xi t")


def image() -> hl.ImageParam:
    result = hl.ImageParam(hl.UInt(8), 1, "image")
    result.set(hl.Buffer(np.arange(100, dtype=np.uint8)))
    return result


def param(value: int) -> hl.Param:
    return hl.Param(hl.Int(32), value)


# Coordinates that are far outside of an image, but not at 32 bits; whether the image is read for five of them.
COORDINATES = {
    "product": lambda source: x * param(2**30),
    "product of three": lambda source: x * param(2**21) * param(2**21),
    "sum": lambda source: x + param(MOST),
    "difference": lambda source: x - param(-MOST - 1),
    "shift": lambda source: x << 30,
    "quotient": lambda source: x * param(2**30) / 4,
    "choice": lambda source: hl.select(param(3) > 2, x * param(2**30), x),
    "value": lambda source: hl.i32(source[x]) * param(2**30),
    "reduction": lambda source: hl.RDom([(param(MOST), param(MOST))]).x,
}


@pytest.mark.parametrize("schedule", ["inline", "root", "in the loop"])
@pytest.mark.parametrize("name", COORDINATES)
def test_what_lies_outside_of_an_image_by_more_than_int32_is_an_error(name: str, schedule: str) -> None:
    source, reads, output = image(), hl.Func("reads"), hl.Func("output")
    reads[x] = source[x]
    output[x] = hl.u8(0)
    output[x] += reads[COORDINATES[name](source)]
    if schedule == "root":
        reads.compute_root()
    if schedule == "in the loop":
        reads.compute_at(output, x)
    with pytest.raises(hl.HalideError, match=r"beyond the max|before the min|int32 numbers do not hold"):
        output.realize([5])


def test_products_that_are_clamped_into_an_image_are_read() -> None:
    output = hl.Func("output")
    output[x] = image()[hl.clamp(x * param(2**28), 0, 99)]
    assert output.realize([5]).numpy().tolist() == [0, 99, 99, 99, 99]


@pytest.mark.parametrize("coordinate", [lambda c: x * c / 65536, lambda c: (x * c) >> 16, lambda c: (x * c) * (x * c)])
def test_hashes_that_overflow_are_read_where_they_are_clamped(coordinate) -> None:
    output = hl.Func("output")
    output[x] = image()[hl.clamp(coordinate(param(1103515245)), 0, 99)]
    values = output.realize([8]).numpy()
    assert values[0] == 0 and set(values.tolist()) == {0, 99}


def test_quotients_of_what_no_int32_holds_are_an_error_in_a_large_image() -> None:
    source, output = hl.ImageParam(hl.UInt(8), 1, "source"), hl.Func("output")
    source.set(hl.Buffer(np.zeros(2**30 + 1, np.uint8)))
    output[x] = source[x * param(2**30) / 4]
    with pytest.raises(hl.HalideError, match="beyond the max"):
        output.realize([5])


@pytest.mark.parametrize("step", [2**30, param(2**30)])
@pytest.mark.parametrize("at_root", [True, False])
def test_a_func_whose_coordinates_no_int32_holds_is_an_error(step: int | hl.Param, at_root: bool) -> None:
    producer, output = hl.Func("producer"), hl.Func("output")
    producer[x] = hl.u8(x)
    output[x] = producer[x * step]
    if at_root:
        producer.compute_root()
    else:
        producer.compute_at(output, x)
    with pytest.raises(hl.HalideError, match=r"producer\S* is accessed over .* int32 numbers do not hold"):
        output.realize([5])


def test_a_func_that_is_aligned_beyond_int32_is_an_error() -> None:
    producer, output = hl.Func("producer"), hl.Func("output")
    producer[x] = hl.u8(x)
    output[x] = producer[x + param(MOST - 10)]
    producer.compute_root().align_bounds(x, MOST)
    with pytest.raises(hl.HalideError, match="int32 numbers do not hold"):
        output.realize([5])


@pytest.mark.parametrize("hoisted", [False, True])
@pytest.mark.parametrize("sizes", [(2**22, 2**21, 2**21), (2**21, 2**21, 2**21), (2**30, 2**30, 16)])
def test_an_intermediate_result_of_more_than_2_to_the_63_bytes_is_out_of_memory(
    sizes: tuple[int, ...], hoisted: bool
) -> None:
    producer, output = hl.Func("producer"), hl.Func("output")
    producer[x, y, z] = hl.u8(x + y + z)
    output[x] = producer[0, 0, 0] + producer[tuple([param(size) - 1 for size in sizes])]
    if hoisted:
        producer.hoist_storage_root().compute_at(output, x)
    else:
        producer.compute_root()
    with pytest.raises(hl.HalideError, match="Out of memory"):
        output.realize([4])


def test_fused_loops_of_more_than_2_to_the_31_iterations_are_an_error() -> None:
    output = hl.Func("output")
    output[x, y] = hl.u8(x + y)
    output.fuse(x, y, t)
    whole = hl.Buffer(np.zeros((2**16 + 1, 2**16), np.uint8))
    with pytest.raises(hl.HalideError, match=r"Loop t of Func output\S* has 4295032832 iterations"):
        output.realize(whole)


def test_fused_loops_of_constant_extents_are_checked_when_they_are_compiled() -> None:
    output, r, both = hl.Func("output"), hl.RDom([(0, 65536), (0, 65600)]), hl.RVar("both")
    output[x] = hl.u32(0)
    output[x] += hl.u32(r.x & r.y & 1)
    output.update().fuse(r.x, r.y, both)
    with pytest.raises(hl.HalideError, match=r"Loop both of Func output\S* has 4299161600 iterations"):
        output.compile_jit()


@pytest.mark.parametrize("factor", [MOST, 2**30, param(MOST)])
def test_splits_by_more_than_there_is_compute_all_of_it(factor: int | hl.Param) -> None:
    output = hl.Func("output")
    output[x] = hl.u8(x)
    output.split(x, xo, xi, factor, hl.TailStrategy.GuardWithIf)
    assert output.realize([5]).numpy().tolist() == [0, 1, 2, 3, 4]


def test_an_output_of_more_coordinates_than_loops_can_count_is_an_error() -> None:
    output = hl.Func("output")
    output[x] = hl.u8(x)
    output.vectorize(x, 16)
    whole = hl.Buffer(np.zeros(MOST, np.uint8))
    with pytest.raises(hl.HalideError, match=r"Output output\S* has 2147483647 coordinates from 0 on in dimension x"):
        output.realize(whole)
