"""The values of one Func as coordinates in another."""

from __future__ import annotations

import numpy as np
import pytest

import pipec as hl
from pipec.errors import UnboundedError
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.ir.interp import run
from pipec.lower.lower import lower
from pipec.target import get_host_target

SOURCE = np.arange(50, dtype=np.float32) ** 2


def looked_up(begin_of):
    """output(x) = table(begin(x) + 0..2) with begin_of(x) between 0 and 47."""
    x, r = hl.Var("x"), hl.RDom([(0, 3)], "r")
    source = hl.Buffer(SOURCE)
    begin, table, output = hl.funcs("begin table output")
    begin[x] = begin_of(x, source)
    table[x] = source[x] * 2
    output[x] = hl.f32(0)
    output[x] += table[begin[x] + r.x]
    begin.compute_root()
    table.compute_root()
    return np.asarray(output.realize([41]))


def expected(begin):
    return sum(2 * SOURCE[np.clip(begin, 0, 47) + k] for k in range(3))


def test_a_clamped_func_bounds_what_is_read_through_it() -> None:
    got = looked_up(lambda x, source: hl.clamp(hl.i32(source[x]), 0, source.width() - 3))
    assert np.array_equal(got, expected(SOURCE[:41].astype(int)))


def test_bounds_go_through_several_funcs() -> None:
    def begin_of(x, source):
        half, whole = hl.funcs("half whole")
        half[x] = hl.clamp(hl.f32(x) * 0.75, 0.0, 23.0)
        whole[x] = hl.i32(hl.floor(half[x]))
        half.compute_root()
        whole.compute_root()
        return whole[x] * 2 + 1

    begins = 2 * np.floor(np.clip(np.arange(41) * 0.75, 0, 23)).astype(int) + 1
    assert np.array_equal(looked_up(begin_of), expected(begins))


def test_lanes_beyond_what_is_needed_read_computed_coordinates() -> None:
    """The interpreter refuses accesses outside their storage, where memory that was never written would lead."""
    x, lanes = hl.Var("x"), 16
    source = hl.ImageParam(hl.Float(32), 1, "source")
    begin, table, result, output = hl.funcs("begin table found output")
    begin[x] = hl.clamp(x * 3, 0, source.width() - 1)
    table[x] = source[x] * 2
    result[x] = table[begin[x]]
    output[x] = result[x] + 1
    output.vectorize(x, lanes, hl.TailStrategy.ShiftInwards)
    result.compute_root().vectorize(x, lanes, hl.TailStrategy.RoundUp)
    begin.compute_root()
    table.compute_root()

    definition, _ = freeze([output.function])
    program = lower(definition, schedule_of([output.function]), get_host_target())
    arrays = run(program, {source.name(): SOURCE, output.name(): np.zeros(41, np.float32)}, strict=False)
    assert np.array_equal(arrays[output.name()], 2 * SOURCE[np.clip(np.arange(41) * 3, 0, 49)] + 1)


def test_a_func_with_updates_bounds_nothing() -> None:
    def begin_of(x, source):
        begin, r = hl.Func("stepped"), hl.RDom([(0, 10)])
        begin[x] = hl.clamp(x, 0, 40)
        begin[r.x] += 100
        begin.compute_root()
        return begin[x]

    with pytest.raises(hl.HalideError, match="unbounded way"):
        looked_up(begin_of)


@pytest.mark.parametrize("product", [True, False], ids=["product", "sum"])
def test_coordinates_whose_bounds_leave_int32_may_be_anything(product: bool) -> None:
    x = hl.Var("x")
    source = hl.Buffer(np.full(4, 200, np.uint16))
    factor, table, output = hl.funcs("factor table output")
    factor[x] = hl.i32(source[hl.clamp(x, 0, 3)])
    table[x] = x * 10
    output[x] = table[hl.clamp(factor[x] * factor[x + 1] if product else factor[x] * 40000, 0, 7)]
    table.compute_root()
    assert np.asarray(output.realize([4])).tolist() == [70] * 4


def test_what_is_not_a_number_is_clamped_as_well() -> None:
    x, pixels = hl.Var("x"), np.array([3, np.nan, -np.nan, np.inf, -np.inf, -2, 100, 5], np.float32)
    source, low, high = hl.Buffer(pixels), hl.f32(0), hl.f32(7)
    for make in (hl.clamp, lambda v, low, high: hl.min(high, hl.max(low, v)),
                 lambda v, low, high: hl.max(low, hl.min(high, v))):  # fmt: skip
        for lanes in (1, 8):
            table, output = hl.funcs("table output")
            table[x] = x * 10
            output[x] = table[hl.i32(make(source[x], low, high))]
            table.compute_root()
            output.vectorize(x, lanes)
            result = np.asarray(output.realize([8])).tolist()
            assert set(result[1:3]) <= {0, 70}
            assert result[:1] + result[3:] == [30, 70, 0, 0, 70, 50]


def test_sines_of_what_may_be_infinite_bound_nothing() -> None:
    """The sine of an infinity is not a number, and as a coordinate it lay outside memory."""
    x, image, f = hl.Var("x"), hl.ImageParam(hl.Float(32), 1, "image"), hl.Func("f")
    table = hl.Buffer(np.arange(9, dtype=np.int32))
    f[x] = table[hl.i32(hl.sin(image[x]) * 3 + 4)]
    image.set(np.full(64, np.inf, np.float32))
    with pytest.raises(UnboundedError, match="may be accessed in an unbounded way in dimension 0"):
        f.realize([64])


def test_sines_of_coordinates_are_bounded() -> None:
    x, f = hl.Var("x"), hl.Func("f")
    f[x] = hl.Buffer(np.arange(9, dtype=np.int32))[hl.i32(hl.sin(hl.f32(x) * 0.1) * 3 + 4)]
    assert np.asarray(f.realize([8])).tolist() == [4, 4, 4, 4, 5, 5, 5, 5]


BYTES = (np.arange(3 * 64, dtype=np.uint8).reshape(3, 64) * 7 + 13).astype(np.uint8)
# Values of a byte in [0, 31].
CELLS = {
    "shift": lambda v: v >> 3,
    "shift by a variable": lambda v: v >> ((v & 1) + 3),
    "mask": lambda v: v & 31,
    "remainder": lambda v: v % 32,
    "quotient": lambda v: v // 8,
    "smaller": lambda v: hl.min(v, 31),
    "cast of a clamp": lambda v: hl.u8(hl.clamp(hl.i32(v), 0, 31)),
    "cast of a clamped float": lambda v: hl.u8(hl.clamp(hl.f32(v) * 0.5, 0.0, 31.0)),
    "set bits": hl.popcount,
    "zeros": hl.count_leading_zeros,
    "distance": lambda v: hl.absd(v & 15, v >> 4),
    "rounding shift": lambda v: hl.rounding_shift_right(hl.min(v, 247), 3),
    "mean": lambda v: hl.halving_add(v & 15, v >> 4),
    "saturating difference": lambda v: hl.saturating_sub(v >> 3, hl.u8(4)),
    "exclusive or": lambda v: (v & 15) ^ (v >> 3),
    "complement": lambda v: ~(v | 0xE0),
    "selection": lambda v: hl.select(v > 100, hl.u8(3), v >> 3),
    "lerp": lambda v: hl.lerp(hl.u8(0), hl.u8(31), v),
    "magnitude": lambda v: hl.abs(hl.i16(v >> 3) - 16),
    "uint16": lambda v: hl.u16(v) >> 3,
    "int8": lambda v: hl.i8(v >> 3),
    "through another": lambda v: stored(v >> 2) >> 1,
}


def stored(value):
    """The value as a Func at root."""
    result = hl.Func("found")
    x, y = hl.vars("x y")
    result[x, y] = value
    result.compute_root()
    return result[x, y]


def in_rows(cell, f, x, y, lanes, tail):
    cell.compute_at(f, y).vectorize(x, lanes, tail)
    f.vectorize(x, 9)


PLACES = {
    "inline": lambda cell, f, x, y: None,
    "root": lambda cell, f, x, y: cell.compute_root(),
    "rows of whole vectors": lambda cell, f, x, y: in_rows(cell, f, x, y, 7, hl.TailStrategy.RoundUp),
    "rows of guarded vectors": lambda cell, f, x, y: in_rows(cell, f, x, y, 16, hl.TailStrategy.GuardWithIf),
    "sliding": lambda cell, f, x, y: cell.store_root().compute_at(f, x),
}


@pytest.mark.part(6)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", CELLS)
def test_stored_bytes_have_the_bounds_of_their_values(kind, place):
    """The table has an entry for each value in the bounds, and no more: what is read outside of it is refused."""
    x, y = hl.vars("x y")
    cell, f = hl.funcs("cell f")
    table = hl.Buffer((np.arange(32) ** 2).astype(np.int32))
    cell[x, y] = CELLS[kind](hl.Buffer(BYTES)[x, y])
    f[x, y] = table[hl.i32(cell[x, y])]
    PLACES[place](cell, f, x, y)
    values = np.asarray(hl.Pipeline(f).realize([64, 3]))
    g = hl.Func("g")
    g[x, y] = hl.i32(CELLS[kind](hl.Buffer(BYTES)[x, y]))
    assert (values == np.asarray(g.realize([64, 3])) ** 2).all()


def test_a_histogram_of_stored_bytes_is_as_large_as_their_bounds():
    x, y = hl.vars("x y")
    cell, histogram = hl.funcs("cell histogram")
    r = hl.RDom([(0, 64), (0, 3)])
    cell[x, y] = hl.Buffer(BYTES)[x, y] >> 3
    cell.compute_root()
    histogram[x] = 0
    histogram[hl.i32(cell[r.x, r.y])] += 1
    result = hl.Buffer(hl.Int(32), [32])
    histogram.realize(result)
    assert (np.asarray(result) == np.bincount(BYTES.ravel() >> 3, minlength=32)).all()


def read_by_ten(coordinate):
    """The first element and the number of elements that must exist for the coordinates of x = 0 to 9."""
    x, image, f = hl.Var("x"), hl.ImageParam(hl.Int(32), 1, "image"), hl.Func("f")
    f[x] = image[coordinate(x)]
    f.infer_input_bounds([10])
    return image.get().dim(0).min(), image.get().dim(0).extent()


WIDE_COORDINATES = {
    "abs": (lambda x: hl.i32(hl.abs(hl.i64(x - 3))), (0, 7)),
    "absd": (lambda x: hl.i32(hl.absd(hl.i64(x), 4)), (0, 6)),
    "min": (lambda x: hl.i32(hl.min(hl.i64(x), hl.i64(4))), (0, 5)),
    "sum": (lambda x: hl.i32(hl.i64(x) * 2 + 1), (1, 19)),
    "select": (lambda x: hl.i32(hl.select(x > 3, hl.i64(x), hl.i64(3))), (0, 10)),
    "uint64": (lambda x: hl.i32(hl.u64(hl.max(x, 0))), (0, 10)),
    "uint32": (lambda x: hl.i32(hl.u32(hl.max(x, 0))), (0, 10)),
}


@pytest.mark.parametrize("name", WIDE_COORDINATES)
def test_coordinates_in_wider_types_have_the_bounds_of_narrow_ones(name):
    coordinate, expected = WIDE_COORDINATES[name]
    assert read_by_ten(coordinate) == expected


WRAPPING_COORDINATES = {
    "uint32": (lambda x: hl.i32(hl.u32(x - 20)), (-20, 10)),
    "uint64": (lambda x: hl.i32(hl.u64(x - 20)), (-20, 10)),
    "reinterpret": (lambda x: hl.reinterpret(hl.Int(32), hl.u32(x - 20)), (-20, 10)),
    "product of uint64": (lambda x: hl.i32(hl.abs(hl.i64(x - 3)) * 2), (0, 13)),
    "sum of uint64": (lambda x: hl.i32(hl.absd(hl.i64(x), hl.i64(3)) + hl.u64(5)), (5, 7)),
    "remainder of uint32": (lambda x: hl.i32(hl.u32(x - 20) % 16), (0, 16)),
    "remainder of abs": (lambda x: hl.i32(hl.abs(x - 20) % 16), (0, 16)),
}


@pytest.mark.parametrize("name", WRAPPING_COORDINATES)
def test_coordinates_in_unsigned_types_have_bounds_where_no_bits_are_lost(name):
    coordinate, expected = WRAPPING_COORDINATES[name]
    assert read_by_ten(coordinate) == expected


@pytest.mark.parametrize("coordinate", [lambda x: hl.i32(hl.u32(x) - 50), lambda x: hl.i32(hl.abs(x) * 2)])
def test_coordinates_that_may_have_wrapped_have_no_bounds(coordinate):
    x, image, f = hl.Var("x"), hl.ImageParam(hl.Int(32), 1, "image"), hl.Func("f")
    f[x] = image[coordinate(x)]
    with pytest.raises(hl.HalideError, match="unbounded way"):
        f.infer_input_bounds([10])


@pytest.mark.parametrize("limits", [(0, 2**31 - 1), (-5, 2**31 - 6), (-(2**31), 2**31 - 1)])
@pytest.mark.parametrize("by_params", [False, True])
def test_a_func_over_more_coordinates_than_an_int32_counts_is_an_error(limits, by_params):
    x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
    image = hl.Buffer(np.arange(16, dtype=np.int32))
    low, high = [hl.Param(hl.Int(32), limit) if by_params else limit for limit in limits]
    f[x] = x
    g[x] = f[hl.clamp(image[x], low, high)]
    f.compute_root()
    with pytest.raises(hl.HalideError, match="int32 numbers do not hold"):
        g.realize([16])


def test_large_limits_are_no_error_where_few_coordinates_are_read():
    x, f, g, high = hl.Var("x"), hl.Func("f"), hl.Func("g"), hl.Param(hl.Int(32), 2**31 - 1)
    f[x] = x
    g[x] = f[hl.clamp(x * 2, -(2**31), high)]
    f.compute_root()
    assert list(g.realize([5])) == [0, 2, 4, 6, 8]


ELEMENTS_AS_LIMITS = {
    "clamp": (lambda f, x, n: f[hl.clamp(x, n[0], n[1])], [2, 2, 2, 3, 4, 5, 5, 5]),
    "sum": (lambda f, x, n: f[x + n[0]], [2, 3, 4, 5, 6, 7, 8, 9]),
    "product": (lambda f, x, n: f[x * n[1] - n[0]], [-2, 3, 8, 13, 18, 23, 28, 33]),
}


@pytest.mark.parametrize("name", ELEMENTS_AS_LIMITS)
@pytest.mark.parametrize("place", ["root", "inside", "sliding"])
def test_elements_at_constant_places_bound_coordinates(name, place):
    value, expected = ELEMENTS_AS_LIMITS[name]
    x, n, f, g = hl.Var("x"), hl.ImageParam(hl.Int(32), 1, "n"), hl.Func("f"), hl.Func("g")
    f[x] = x
    g[x] = value(f, x, n)
    if place == "root":
        f.compute_root()
    else:
        f.compute_at(g, x)
        if place == "sliding":
            f.store_root()
    n.set(hl.Buffer(np.array([2, 5], dtype=np.int32)))
    assert list(g.realize([8])) == expected


def test_elements_that_bound_coordinates_lie_inside_of_their_image():
    x, n, f, g = hl.Var("x"), hl.ImageParam(hl.Int(32), 1, "n"), hl.Func("f"), hl.Func("g")
    f[x] = x
    g[x] = f[x + n[1]]
    f.compute_root()
    n.set(hl.Buffer(np.array([2], dtype=np.int32)))
    with pytest.raises(hl.HalideError, match="n is accessed at 1"):
        g.realize([8])


def test_a_region_that_depends_on_an_element_is_unknown_before_the_run():
    x, f = hl.Var("x"), hl.Func("f")
    n, image = hl.ImageParam(hl.Int(32), 1, "n"), hl.ImageParam(hl.Int(32), 1, "image")
    f[x] = image[x + n[0]]
    with pytest.raises(hl.HalideError, match=r"depends on n\(0\)"):
        f.infer_input_bounds([8])
