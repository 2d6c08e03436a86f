"""Which region of each Func is computed: Halide's programs about bounds inference."""

import numpy as np
import pytest
from helpers import check, grid, image


def test_align_bounds_rounds_the_computed_region(hl, trace):
    x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
    f[x] = x * 3
    g[x] = f[x]
    f.compute_root().align_bounds(x, 8).trace_realizations()
    out = hl.Buffer(hl.Int(32), [10])
    out.set_min([3])
    g.realize(out)
    check(out, 3 * np.arange(3, 13))
    assert trace().realizations(f) == [((0, 16),)]


@pytest.mark.parametrize("modulus", ["param", "expression"])
def test_bounds_are_aligned_to_moduli_that_are_params(hl, trace, modulus):
    x, n, f, g = hl.Var("x"), hl.Param(hl.Int(32), "n"), hl.Func("f"), hl.Func("g")
    f[x] = x * 3
    g[x] = f[x]
    f.compute_root().align_bounds(x, n if modulus == "param" else n * 2 - 4, n - 1).trace_realizations()
    for count, region in ((4, (3, 12)), (5, (4, 10) if modulus == "param" else (4, 12))):
        n.set(count)
        out = hl.Buffer(hl.Int(32), [10])
        out.set_min([4])
        g.realize(out)
        check(out, 3 * np.arange(4, 14))
        assert trace().realizations(f)[-1] == (region,)


@pytest.mark.parametrize("directive", ["align_bounds", "align_extent"])
def test_an_output_is_allocated_as_large_as_its_alignment_demands(hl, trace, directive):
    x, f = hl.Var("x"), hl.Func("f")
    f[x] = x * 2
    getattr(f, directive)(x, 4).trace_realizations()
    check(f.realize([10]), 2 * np.arange(10))
    assert trace().realizations(f) == [((0, 12),)]


def test_align_bounds_with_a_remainder_and_align_extent(hl, trace):
    x, f, g, h = hl.Var("x"), hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[x], g[x] = x * 3, x * 5
    h[x] = f[x] + g[x]
    f.compute_root().align_bounds(x, 8, 3).trace_realizations()
    g.compute_root().align_extent(x, 4).trace_realizations()
    out = hl.Buffer(hl.Int(32), [10])
    out.set_min([5])
    h.realize(out)
    check(out, 8 * np.arange(5, 15))
    events = trace()
    assert events.realizations(f) == [((3, 16),)]
    assert events.realizations(g) == [((5, 12),)]


def test_align_bounds_lets_halves_be_split_without_conditions(hl):
    x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
    f[x] = x
    g[x] = hl.select(x % 2 == 0, f[x // 2], f[x // 2 + 50])
    f.compute_root().align_bounds(x, 4, 1).vectorize(x, 4)
    g.align_bounds(x, 2).unroll(x, 2)
    check(g.realize([20]), [i // 2 + (50 if i % 2 else 0) for i in range(20)])


def test_bound_fixes_a_dimension_and_lets_it_be_unrolled(hl):
    x, c, f, g = hl.Var("x"), hl.Var("c"), hl.Func("f"), hl.Func("g")
    f[x, c] = hl.select(c == 0, x, c == 1, x * 2, x * 3)
    g[x, c] = f[x, c] + 1
    f.compute_root()
    g.bound(c, 0, 3).reorder(c, x).unroll(c)
    xs, cs = grid(9, 3)
    check(g.realize([9, 3]), xs * (cs + 1) + 1)


def test_bound_of_a_producer_larger_than_what_is_read(hl, trace):
    x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
    f[x] = x
    g[x] = f[x] + f[x + 1]
    f.compute_root().bound(x, 0, 32).trace_realizations()
    check(g.realize([16]), 2 * np.arange(16) + 1)
    assert trace().realizations(f) == [((0, 32),)]


def test_bound_of_a_producer_smaller_than_what_is_read_is_an_error(hl):
    x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
    f[x] = x
    g[x] = f[x] + f[x + 1]
    f.compute_root().bound(x, 0, 8)
    with pytest.raises(hl.HalideError):
        g.realize([16])


@pytest.mark.parametrize("store_in", ["Auto", "Heap", "Stack"])
def test_storage_that_constants_bound(hl, store_in):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    f[x, y] = x + y
    g[x, y] = f[hl.clamp(x, 0, 7), y] + f[x % 8, y]
    f.compute_at(g, x).store_in(getattr(hl.MemoryType, store_in))
    xs, ys = grid(12, 5)
    check(g.realize([12, 5]), np.clip(xs, 0, 7) + xs % 8 + 2 * ys)


def test_bound_storage_makes_room_and_is_checked(hl):
    n, x, f, g = hl.Param(hl.Int(32), "n"), hl.Var("x"), hl.Func("f"), hl.Func("g")
    f[x] = x * x
    g[x] = f[x] + f[x + n]
    f.compute_root().bound_storage(x, 32)
    n.set(5)
    xs = np.arange(16)
    check(g.realize([16]), xs * xs + (xs + 5) ** 2)
    n.set(40)
    with pytest.raises(hl.HalideError):
        g.realize([16])


def test_regions_follow_offsets_of_inputs_and_outputs(hl):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    image = hl.ImageParam(hl.Int(32), 2)
    f[x, y] = image[x, y] * 2
    g[x, y] = f[x - 3, y + 2] + f[x + 4, y - 1]
    f.compute_root()
    out = hl.Buffer(hl.Int(32), [6, 5])
    out.set_min([100, -20])
    g.infer_input_bounds(out)
    source = image.get()
    assert [(source.dim(i).min(), source.dim(i).extent()) for i in range(2)] == [(97, 13), (-21, 8)]
    xs, ys = grid(13, 8, mins=(97, -21))
    np.asarray(source)[...] = xs * 10 + ys
    g.realize(out)
    xs, ys = grid(6, 5, mins=(100, -20))
    check(out, 2 * ((xs - 3) * 10 + ys + 2 + (xs + 4) * 10 + ys - 1))


@pytest.mark.parametrize("level", ["root", "row", "tile", "split row"])
def test_each_pixel_of_a_chain_is_computed_where_the_schedule_says(hl, trace, level):
    x, y, xi, yi, f, g, h = *(hl.Var(n) for n in ("x", "y", "xi", "yi")), hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[x, y] = x + 100 * y
    g[x, y] = f[x, y] - f[x + 1, y]
    h[x, y] = g[x, y] * 2 + g[x, y + 1]
    if level == "root":
        f.compute_root(), g.compute_root()
        expected = {f: {((0, 9), (0, 5))}, g: {((0, 8), (0, 5))}}
    elif level == "row":
        f.compute_at(h, y), g.compute_at(h, y)
        expected = {f: {((0, 9), (r, 2)) for r in range(4)}, g: {((0, 8), (r, 2)) for r in range(4)}}
    elif level == "tile":
        h.tile(x, y, xi, yi, 4, 2)
        f.compute_at(h, x), g.compute_at(h, x)
        tiles = [(tx, ty) for ty in (0, 2) for tx in (0, 4)]
        expected = {f: {((a, 5), (b, 3)) for a, b in tiles}, g: {((a, 4), (b, 3)) for a, b in tiles}}
    else:
        h.split(y, y, yi, 4)
        f.compute_at(h, y), g.compute_at(h, yi)
        expected = {f: {((0, 9), (0, 5))}, g: {((0, 8), (r, 2)) for r in range(4)}}
    f.trace_realizations(), g.trace_realizations()
    check(h.realize([8, 4]), -3)
    events = trace()
    assert {func: set(events.realizations(func)) for func in (f, g)} == expected


def test_a_chain_of_reductions_of_each_other_needs_more_and_more(hl, trace):
    x, r = hl.Var("x"), hl.RDom([(-2, 5)])
    funcs = [hl.Func(f"f{i}") for i in range(4)]
    funcs[0][x] = x
    for before, after in zip(funcs, funcs[1:], strict=False):
        after[x] += before[x + r.x]
        before.compute_root().trace_realizations()
    check(funcs[3].realize([6]), 125 * np.arange(6))
    events = trace()
    assert [events.realizations(f) for f in funcs[:3]] == [[((-6, 18),)], [((-4, 14),)], [((-2, 10),)]]


def test_an_outer_split_of_a_vectorized_stage(hl):
    x, y, xo, xi, f, g = *(hl.Var(n) for n in ("x", "y", "xo", "xi")), hl.Func("f"), hl.Func("g")
    image = hl.ImageParam(hl.Float(32), 2)
    f[x, y] = image[x, y] + image[x + 1, y] + image[x, y + 1]
    g[x, y] = f[x, y] + f[x - 1, y] + 1.0
    g.split(x, xo, xi, 8).vectorize(xi, 4)
    f.compute_at(g, xo).vectorize(x, 4)
    g.infer_input_bounds([13, 7])
    source = image.get()
    array = np.asarray(source)
    array[...] = np.arange(array.size, dtype=np.float32).reshape(array.shape)
    low = source.dim(0).min()
    inner = array[:7, :-1] + array[:7, 1:] + array[1:8, :-1]
    expected = [[inner[j, i - low] + inner[j, i - 1 - low] + 1 for i in range(13)] for j in range(7)]
    check(g.realize([13, 7]), np.array(expected, np.float32))


BOUNDED = {
    "abs": (lambda hl, x: hl.i32(hl.abs(x - 5)), -5, 10, lambda i: abs(i - 5)),
    "abs of a product": (lambda hl, x: hl.i32(hl.abs(x * 2 - 10)), 0, 10, lambda i: abs(2 * i - 10)),
    "cast that wraps": (lambda hl, x: hl.i32(hl.u8(x)), 250, 10, lambda i: i % 256),
    "cast that keeps": (lambda hl, x: hl.i32(hl.u8(x & 15)), 0, 40, lambda i: i & 15),
    "widened product": (lambda hl, x: hl.i32(hl.u8(x & 15)) * 4, 0, 20, lambda i: (i & 15) * 4),
    "ceiling of floats": (lambda hl, x: hl.i32(hl.ceil(0.5 * hl.floor(x * 2.5))), 0, 12, None),
    "square root": (lambda hl, x: hl.i32(hl.sqrt(hl.f32(x))), 0, 50, lambda i: int(i**0.5)),
    "mirrored": (lambda hl, x: 20 - x, 3, 9, lambda i: 20 - i),
    "negative factor": (lambda hl, x: -3 * x + 2, -4, 9, lambda i: -3 * i + 2),
    "select": (lambda hl, x: hl.select(x > 4, x * 2, x + 3), 0, 9, lambda i: 2 * i if i > 4 else i + 3),
    "remainder": (lambda hl, x: (x * 3) % 7, 0, 30, lambda i: (3 * i) % 7),
    "popcount": (lambda hl, x: hl.i32(hl.popcount(hl.u8(x))), 0, 64, lambda i: bin(i % 256).count("1")),
    "narrow cast of clamped values": (
        lambda hl, x: hl.i32(hl.u8(hl.clamp(x, 0, 20))), -9, 60, lambda i: min(max(i, 0), 20)
    ),
    "narrow abs of clamped values": (
        lambda hl, x: hl.i32(hl.abs(hl.i8(hl.clamp(x, -5, 3)))), -30, 60, lambda i: abs(min(max(i, -5), 3))
    ),
    "sum of narrow clamped values": (
        lambda hl, x: hl.i32(hl.u8(hl.clamp(x, 0, 20)) * hl.u8(hl.clamp(x - 3, 1, 4)) + 7), -9, 60,
        lambda i: min(max(i, 0), 20) * min(max(i - 3, 1), 4) + 7,
    ),
    "leading zeros": (
        lambda hl, x: hl.i32(hl.count_leading_zeros(hl.u8(x))), 1, 64, lambda i: 8 - (i % 256).bit_length()
    ),
    "trailing zeros": (
        lambda hl, x: hl.i32(hl.count_trailing_zeros(hl.u8(x | 16))), 0, 64, lambda i: bin(i | 16)[::-1].index("1")
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BOUNDED)
def test_region_of_an_image_read_at_a_computed_coordinate(hl, name):
    coordinate, low, extent, model = BOUNDED[name]
    x, f = hl.Var("x"), hl.Func("f")
    image = hl.ImageParam(hl.Int(32), 1)
    f[x] = image[coordinate(hl, x)]
    out = hl.Buffer(hl.Int(32), [extent])
    out.set_min([low])
    f.infer_input_bounds(out)
    source = image.get()
    start, size = source.dim(0).min(), source.dim(0).extent()
    np.asarray(source)[...] = np.arange(start, start + size)
    f.realize(out)
    if model is None:
        check(out, np.ceil(0.5 * np.floor(np.arange(low, low + extent) * 2.5)))
        return
    places = [model(i) for i in range(low, low + extent)]
    check(out, places)
    assert start <= min(places) and start + size > max(places)
    if name.startswith("narrow"):
        assert (start, size) == (min(places), max(places) - min(places) + 1)


@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "uint16", "int32", "int64"])
def test_arithmetic_of_a_param_bounds_what_is_read(hl, trace, kind):
    x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
    types = {"i": hl.Int, "u": hl.UInt}
    bound = hl.Param(types[kind[0]](int(kind.strip("uint"))), "bound")
    source = hl.ImageParam(hl.UInt(8), 1)
    last = hl.i32(bound * 2 - 1)
    f[x] = source[hl.clamp(x, 0, last)] + hl.u8(source[hl.clamp(x, hl.i32(bound), last)])
    g[x] = f[hl.clamp(x, hl.i32(bound - 2), last)]
    f.compute_root().trace_realizations()
    bound.set(5)
    source.set(image(hl, np.arange(10, dtype=np.uint8)))
    xs = np.clip(np.arange(40), 3, 9)
    check(g.realize([40]), xs + np.maximum(xs, 5))
    assert trace().realizations(f) == [((3, 7),)]


def test_an_element_of_an_image_bounds_a_sum(hl):
    x, j, f, g = hl.Var("x"), hl.Param(hl.Int(32), "j"), hl.Func("f"), hl.Func("g")
    counts = image(hl, np.array([2, 7, 4], np.uint8))
    r = hl.RDom([(0, hl.clamp(hl.i32(counts[j]) * 2, 1, 30))])
    f[x] = hl.sum(r.x * x)
    g[x] = f[x] + f[x + 1]
    for place, count in ((0, 4), (2, 8)):
        j.set(place)
        check(g.realize([9]), sum(range(count)) * (2 * np.arange(9) + 1))


FLOAT_DISTANCES = {
    "abs": (lambda hl, x: hl.abs(hl.f32(x) - 5.0) * 2.0, (4, 19)),
    "absd": (lambda hl, x: hl.absd(hl.f32(x), hl.f32(4.5)), (1, 10)),
    "product": (lambda hl, x: hl.absd(hl.f64(x), hl.f64(4)) * hl.abs(hl.f64(x)), (0, 61)),
}


@pytest.mark.parametrize("name", FLOAT_DISTANCES)
def test_distances_of_floats_have_tight_bounds(hl, name):
    coordinate, region = FLOAT_DISTANCES[name]
    x, f, image = hl.Var("x"), hl.Func("f"), hl.ImageParam(hl.Int(32), 1)
    f[x] = image[hl.i32(coordinate(hl, x))]
    out = hl.Buffer(hl.Int(32), [10])
    out.set_min([-6])
    f.infer_input_bounds(out)
    dim = image.get().dim(0)
    assert (dim.min(), dim.extent()) == region


def test_values_of_a_func_bound_what_is_read_through_it(hl, trace):
    x, f, g, h = hl.Var("x"), hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[x] = hl.clamp(x * x, 3, 12)
    g[x] = x * 7
    h[x] = g[f[x]]
    f.compute_root()
    g.compute_root().trace_realizations()
    check(h.realize([6]), 7 * np.clip(np.arange(6) ** 2, 3, 12))
    ((low, extent),) = trace().realizations(g)[0]
    assert low >= 3 and low + extent <= 13


def test_the_inner_loop_of_a_split_has_the_extent_of_its_factor(hl, trace):
    x, xo, xi, f, g = *(hl.Var(n) for n in ("x", "xo", "xi")), hl.Func("f"), hl.Func("g")
    f[x] = x
    g[x] = f[x] + f[x + 1]
    g.split(x, xo, xi, 4, hl.TailStrategy.ShiftInwards)
    f.compute_at(g, xo).trace_realizations()
    check(g.realize([10]), 2 * np.arange(10) + 1)
    assert trace().realizations(f) == [((0, 5),), ((4, 5),), ((6, 5),)]


def test_bounds_of_a_reduction_that_an_image_gives(hl):
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    counts = image(hl, np.array([0, 3, 1, 5], np.int32))
    r = hl.RDom([(0, 8)])
    r.where(r.x < counts[hl.clamp(x, 0, 3)])
    f[x, y] = 1
    f[x, y] += r.x + y
    xs, ys = grid(4, 3)
    n = np.array([0, 3, 1, 5])[xs]
    check(f.realize([4, 3]), 1 + n * (n - 1) // 2 + n * ys)


def test_a_shared_expression_in_the_bounds_of_a_reduction(hl):
    x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
    p = hl.Param(hl.Int(32), "p")
    a = p * p + 1
    r = hl.RDom([(a, a + a * a)])
    f[x] = 0
    f[x] += r.x
    g[x] = f[x]
    f.compute_at(g, x)
    for n in (0, 1, 3):
        p.set(n)
        a = n * n + 1
        check(g.realize([4]), sum(range(a, 2 * a + a * a)))


def test_two_stages_of_a_func_read_other_regions(hl, trace):
    x, f, g, r = hl.Var("x"), hl.Func("f"), hl.Func("g"), hl.RDom([(0, 4)])
    f[x] = x
    g[x] = f[x - 10]
    g[r.x] += f[r.x + 20]
    f.compute_root().trace_realizations()
    xs = np.arange(8)
    check(g.realize([8]), xs - 10 + np.where(xs < 4, xs + 20, 0))
    assert trace().realizations(f) == [((-10, 34),)]


def test_a_var_of_the_consumer_that_has_the_name_of_a_bounded_one(hl):
    x, xo, xi, c, f, g, h = *(hl.Var(n) for n in ("x", "xo", "xi", "c")), hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[x, c] = x + c
    g[x, c] = f[x, c] + f[x + 1, c]
    h[x, c] = g[x, c] * 2
    h.bound(c, 0, 3).split(x, xo, xi, 4).reorder(xi, c, xo).unroll(c)
    g.compute_at(h, xo).bound(c, 0, 3).unroll(c)
    f.compute_at(h, xo).bound(c, 0, 3)
    xs, cs = grid(8, 3)
    check(h.realize([8, 3]), 2 * (2 * xs + 1 + 2 * cs))


def test_bounds_pass_through_a_chain_of_funcs(hl):
    x, f, g, h = hl.Var("x"), hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[x] = x % 4
    g[x] = f[x] * 2
    h[x] = g[g[f[x]]]
    f.compute_root()
    g.compute_root()
    check(h.realize([9]), [2 * ((2 * (i % 4)) % 4) for i in range(9)])


def test_vectors_of_a_consumer_widen_what_its_producer_computes(hl, trace):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    f[x, y] = x * y
    g[x, y] = f[x + 1, y] + f[x - 1, y]
    g.vectorize(x, 4)
    f.compute_at(g, x).trace_realizations()
    xs, ys = grid(8, 2)
    check(g.realize([8, 2]), 2 * xs * ys)
    assert set(trace().realizations(f)) == {((a - 1, 6), (b, 1)) for a in (0, 4) for b in (0, 1)}


def test_min_of_a_region_that_a_param_gives(hl, trace):
    p, x, f, g = hl.Param(hl.Int(32), "p"), hl.Var("x"), hl.Func("f"), hl.Func("g")
    f[x] = x
    g[x] = f[x] + f[x + p]
    f.compute_root().trace_realizations()
    p.set(-7)
    check(g.realize([4]), 2 * np.arange(4) - 7)
    assert trace().realizations(f) == [((-7, 11),)]


def test_a_producer_of_at_least_one_vector(hl, trace):
    n, x, f, g = hl.Param(hl.Int(32), "n"), hl.Var("x"), hl.Func("f"), hl.Func("g")
    f[x] = x + 7
    g[x] = f[hl.min(x, n)]
    f.compute_root().vectorize(x, 8).trace_realizations()
    n.set(2)
    check(g.realize([3]), [7, 8, 9])
    assert trace().realizations(f)[0][0][1] >= 8


def test_a_read_outside_an_input_is_refused(hl):
    x, f = hl.Var("x"), hl.Func("f")
    image = hl.ImageParam(hl.UInt(8), 1)
    f[x] = image[x] + image[x + 2]
    data = np.zeros(10, np.uint8)
    image.set(hl.Buffer(data))
    check(f.realize([8]), 0)
    with pytest.raises(hl.HalideError):
        f.realize([9])


def test_an_output_may_begin_anywhere(hl):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    f[x, y] = x * 100 + y
    g[x, y] = f[x, y] + 1
    f.compute_root()
    g.vectorize(x, 4).parallel(y)
    out = hl.Buffer(hl.Int(32), [9, 5])
    out.set_min([-50, 1000])
    g.realize(out)
    xs, ys = grid(9, 5, mins=(-50, 1000))
    check(out, xs * 100 + ys + 1)


def test_an_output_of_a_size_that_divides_nothing(hl):
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    f[x, y] = x + y
    f.parallel(y).vectorize(x, 16)
    xs, ys = grid(37, 11)
    check(f.realize([37, 11]), xs + ys)


def test_parts_of_one_buffer_are_computed_apart(hl):
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    f[x, y] = x * 10 + y
    whole = hl.Buffer(hl.Int(32), [16, 8])
    whole.fill(-1)
    for corner in ((0, 0), (8, 4)):
        part = hl.Buffer(whole)
        part.crop([(corner[0], 8), (corner[1], 4)])
        f.realize(part)
    xs, ys = grid(16, 8)
    computed = (xs < 8) == (ys < 4)
    check(whole, np.where(computed, xs * 10 + ys, -1))


def test_what_is_asked_for_is_cropped_from_what_must_be_computed(hl):
    x, y, xi, yi = (hl.Var(name) for name in ("x", "y", "xi", "yi"))
    source, counts, r = hl.Func("source"), hl.Func("counts"), hl.RDom([(0, 20), (0, 20)])
    source[x, y] = x + y
    counts[x] = 0
    counts[hl.clamp(source[r.x, r.y], 0, 38)] += 1
    check(counts.realize([20]), np.arange(20) + 1)
    f = hl.Func("f")
    f[x, y] = x + y
    f.tile(x, y, xi, yi, 16, 8, hl.TailStrategy.RoundUp)
    result = f.realize([30, 20])
    xs, ys = grid(30, 20)
    assert [result.dim(d).extent() for d in range(2)] == [30, 20]
    check(result, xs + ys)


def test_outputs_of_one_pipeline_of_sizes_that_do_not_fit(hl):
    x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
    f[x] = (x, x + 1)
    g[x] = f[x][0]
    small, large = hl.Buffer(hl.Int(32), [5]), hl.Buffer(hl.Int(32), [9])
    with pytest.raises(hl.HalideError):
        f.realize([small, large])


def test_pixels_outside_of_a_circle_are_not_computed(hl, trace):
    x, y, f, r = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.RDom([(-5, 11), (-5, 11)])
    r.where(r.x * r.x + r.y * r.y < 25)
    f[x, y] = 0
    f[r.x + 5, r.y + 5] += 1
    f.trace_stores()
    xs, ys = grid(11, 11)
    inside = (xs - 5) ** 2 + (ys - 5) ** 2 < 25
    check(f.realize([11, 11]), inside)
    assert len(trace().stores(f)) == 121 + inside.sum()


def test_a_search_ends_at_its_first_match(hl):
    f, r = hl.Func("f"), hl.RDom([(0, 100)])
    values = image(hl, np.arange(100, dtype=np.int32) * 3)
    f[()] = 100
    r.where(f[()] == 100)
    r.where(values[r.x] >= 50)
    f[()] = r.x
    check(f.realize(), 17)


def test_shifted_tails_inside_shifted_tails(hl):
    x, xo, xi, xoo, xio, f, g = (
        *(hl.Var(n) for n in ("x", "xo", "xi", "xoo", "xio")), hl.Func("f"), hl.Func("g"),
    )  # fmt: skip
    shift = hl.TailStrategy.ShiftInwards
    f[x] = x * 2
    g[x] = f[x] + 1
    g.split(x, xo, xi, 20, shift).split(xi, xoo, xio, 7, shift).vectorize(xio, 4, shift)
    f.compute_at(g, xoo).vectorize(x, 8)
    check(g.realize([50]), 2 * np.arange(50) + 1)


TAILS = ["RoundUp", "GuardWithIf", "ShiftInwards", "Predicate"]


@pytest.mark.part(3)
@pytest.mark.parametrize("inner", TAILS)
@pytest.mark.parametrize("outer", TAILS)
def test_tails_inside_of_tails(hl, outer, inner):
    x, xo, xi, f, g, h = *(hl.Var(n) for n in ("x", "xo", "xi")), hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[x] = x * 3
    g[x] = f[x] + f[x + 1]
    h[x] = g[x]
    g.compute_root().split(x, xo, xi, 12, getattr(hl.TailStrategy, outer))
    g.vectorize(xi, 5, getattr(hl.TailStrategy, inner))
    f.compute_at(g, xo)
    check(h.realize([31]), 6 * np.arange(31) + 3)


def test_an_expression_of_floors_and_ceilings_has_tight_bounds(hl):
    source, x, f = hl.ImageParam(hl.Float(32), 1), hl.Var("x"), hl.Func("f")
    f[x] = source[hl.i32(hl.ceil(0.3 * hl.ceil(0.4 * hl.floor(x * 22.5))))]
    f.infer_input_bounds([10])
    assert source.get().dim(0).extent() == 26


def test_vectors_of_a_stored_stage_do_not_read_beyond_an_input(hl):
    x, f, g, h = hl.Var("x"), hl.Func("f"), hl.Func("g"), hl.Func("h")
    source, small = image(hl, np.arange(19, dtype=np.float32)), image(hl, np.zeros(3, np.float32))
    f[x] = source[x] * 2
    g[x] = f[x]
    f.compute_root().vectorize(x, 4)
    check(g.realize([18]), 2 * np.arange(18))
    h[x] = small[x]
    h.vectorize(x, 4)
    with pytest.raises(hl.HalideError):
        h.realize([4])


def test_values_of_an_image_bound_a_reduction_and_sizes_its_result(hl):
    source, counts, j = (
        hl.ImageParam(hl.UInt(8), 1),
        image(hl, np.arange(10, dtype=np.uint8) * 3),
        hl.Param(hl.Int(32), "j"),
    )
    x, f = hl.Var("x"), hl.Func("f")
    r = hl.RDom([(0, hl.clamp(hl.i32(counts[j]), 0, 99))])
    f[x] = x + source.width()
    f[r.x] = 37
    source.set(image(hl, np.zeros(20, np.uint8)))
    for place in (3, 5):
        j.set(place)
        check(f.realize([30]), [37 if i < 3 * place else i + 20 for i in range(30)])


def test_a_stage_that_a_constant_condition_drops_bounds_no_input(hl):
    source, x, y = hl.ImageParam(hl.Float(32), 2), hl.Var("x"), hl.Var("y")
    stage, never, out = hl.Func("stage"), hl.Func("never"), hl.Func("out")
    stage[x, y] = source[x, y]
    never[()] = hl.cast(hl.Bool(), 0)
    out[x, y] = hl.select(never[()], stage[x, y], source[0, 0])
    stage.compute_root()
    source.set(image(hl, np.full((4, 4), 3, np.float32)))
    check(out.realize([4, 4]), 3)


@pytest.mark.parametrize("use", ["extent", "ends"])
def test_a_constraint_of_an_input_makes_an_array_a_register(hl, use):
    x, f, g, source = hl.Var("x"), hl.Func("f"), hl.Func("g"), hl.ImageParam(hl.Float(32), 1)
    f[x] = x * 3
    dim = source.dim(0)
    g[x] = f[x % dim.extent()] if use == "extent" else f[hl.clamp(x, dim.min(), dim.max())]
    dim.set_bounds(0, 16)
    # Registers need a size that is constant.
    f.compute_root().store_in(hl.MemoryType.Register)
    source.set(image(hl, np.zeros(16, np.float32)))
    i = np.arange(40)
    check(g.realize([40]), 3 * (i % 16 if use == "extent" else np.minimum(i, 15)))


@pytest.mark.parametrize("low", [0, -3])
def test_producers_in_loops_of_updates_along_a_diagonal(hl, low):
    x, y, g, out = hl.Var("x"), hl.Var("y"), hl.Func("g"), hl.Func("out")
    terms = [hl.Func(name) for name in ("first", "second", "third")]
    for func, value in zip(terms, (x, y + 1, x * y + 2), strict=True):
        func[x, y] = value
    g[x, y] = 0
    g[x, x] = g[x, x - 1] + g[x, x + 1] + terms[0][x, x]
    g[y, y] = g[y - 1, y] + g[y + 1, y] + terms[1][y, y]
    g[x, x] = g[x, x - 1] + g[x, x + 1] + terms[2][x, x]
    out[x, y] = g[x - 1, y - 1] + g[x + 1, y + 1]
    g.store_root().compute_at(out, x)
    for func, loop in zip(terms, (x, y, x), strict=True):
        func.store_at(out, x).compute_at(g, loop)
    for dimension in range(2):
        out.output_buffer().dim(dimension).set_bounds(low, 10)
    pixels = hl.Buffer(hl.Int(32), [10, 10])
    pixels.set_min([low, low])
    out.realize(pixels)
    xs, ys = grid(10, 10, mins=(low, low))
    check(pixels, np.where(xs == ys, (xs - 1) ** 2 + (xs + 1) ** 2 + 4, 0))


@pytest.mark.parametrize("strict", [False, True])
def test_a_long_polynomial_is_bounded_in_reasonable_time(hl, strict):
    x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
    p, q = hl.Param(hl.Float(32), "p", 1.0), hl.Param(hl.Float(32), "q", 0.5)
    q.set_range(0, 1)
    one, other = hl.f32(0) + p, hl.f32(0) + q
    for k in range(60):
        one, other = one * p + hl.f32(k), other * q + hl.f32(k)
    value = hl.strict_float(one + other) if strict else one + other
    f[x] = x * 2
    g[x] = f[hl.i32(hl.clamp(value * hl.f32(x), hl.f32(-3), hl.f32(30)))]
    f.compute_root()
    check(g.realize([4]), [0, 60, 60, 60])
