"""C functions as stages, stages in threads of their own, and remembered results: Halide's programs about them."""

import ctypes
import subprocess
from pathlib import Path

import numpy as np
import pytest
from helpers import check, grid, image


@pytest.fixture(scope="session", autouse=True)
def library(tmp_path_factory):
    path = tmp_path_factory.mktemp("functions") / "functions.so"
    source = Path(__file__).with_name("functions.c")
    subprocess.run(["cc", "-std=c99", "-O1", "-shared", "-fPIC", str(source), "-o", str(path)], check=True)
    return ctypes.CDLL(str(path), ctypes.RTLD_GLOBAL)


@pytest.fixture
def calls(library):
    library.hp_calls()
    return library.hp_calls


def extern(hl, function, arguments, dimensions=2, types=None):
    """A Func that a C function computes."""
    extern_stage = hl.Func(f"{function}_stage")
    arguments = [hl.ExternFuncArgument(argument) for argument in arguments]
    names = [hl.Var(n) for n in "xyzw"[:dimensions]]
    extern_stage.define_extern(function, arguments, types or hl.Int(32), names)
    return extern_stage


def sums(hl):
    """f(x, y) = x + 10 y."""
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    f[x, y] = x + 10 * y
    return x, y, f


def test_a_producer_and_a_consumer_around_a_c_function(hl, calls):
    x, y, f = sums(hl)
    g, h = extern(hl, "hp_copy", [f]), hl.Func("h")
    h[x, y] = g[x, y] + g[x + 1, y]
    f.compute_root()
    g.compute_at(h, y)
    xs, ys = grid(6, 5)
    check(h.realize([6, 5]), 2 * (xs + 10 * ys) + 1)
    assert calls() == 5


def test_a_c_function_as_the_output(hl, calls):
    x, y, f = sums(hl)
    g = extern(hl, "hp_pairs", [f])
    f.compute_root().vectorize(x, 4)
    xs, ys = grid(8, 4)
    check(g.realize([8, 4]), 2 * (xs + 10 * ys) + 10)
    assert calls() == 1


def test_a_c_function_asks_for_more_than_is_read(hl, calls):
    x, f, h = hl.Var("x"), hl.Func("f"), hl.Func("h")
    xo = hl.Var("xo")
    f[x] = x * x
    g = extern(hl, "hp_groups", [f], 1)
    h[x] = g[x] * 2
    h.split(x, xo, x, 10)
    f.compute_root()
    g.compute_at(h, xo)
    i = np.arange(100)
    check(h.realize([100]), i**3 * 2)
    assert calls() == 10


def test_a_c_function_that_asks_for_more_is_traced(hl, trace):
    x, xo, f, h = hl.Var("x"), hl.Var("xo"), hl.Func("f"), hl.Func("h")
    f[x] = x * x
    g = extern(hl, "hp_groups", [f], 1)
    h[x] = g[x] * 2
    h.split(x, xo, x, 10)
    f.compute_root().trace_realizations()
    g.compute_at(h, xo).trace_realizations()
    check(h.realize([20]), np.arange(20) ** 3 * 2)
    events = trace()
    assert events.realizations(g) == events.productions(g) == [((0, 17),), ((10, 17),)]
    assert events.realizations(f) == [((0, 34),)]


def test_a_chain_of_c_functions(hl, calls):
    x, y, f = sums(hl)
    stage = f
    f.compute_root()
    stages = []
    for _ in range(6):
        stage = extern(hl, "hp_copy", [stage])
        stages.append(stage)
    for inner in stages:
        inner.compute_root()
    out = hl.Func("out")
    out[x, y] = stage[x, y] + 1
    xs, ys = grid(5, 4)
    check(out.realize([5, 4]), xs + 10 * ys + 1)
    assert calls() == 6


def test_several_values_of_a_c_function(hl, calls):
    x, h = hl.Var("x"), hl.Func("h")
    g = extern(hl, "hp_two_values", [hl.Expr(5)], 1, [hl.Int(32), hl.Int(32)])
    h[x] = g[x][0] * 100 + g[x][1]
    g.compute_root()
    i = np.arange(9)
    check(h.realize([9]), (i + 5) * 100 + i - 5)
    assert calls() == 1


def test_a_c_function_sorts_a_row(hl):
    x, f = hl.Var("x"), hl.Func("f")
    f[x] = (x * 37) % 23
    g, h = extern(hl, "hp_sort", [f], 1), hl.Func("h")
    h[x] = g[x] * 2
    f.compute_root()
    g.compute_root()
    check(h.realize([23]), 2 * np.arange(23))


def test_the_status_of_a_c_function_is_an_error(hl):
    g = extern(hl, "hp_fails", [], 1)
    with pytest.raises(hl.HalideError):
        g.realize([4])


def test_the_storage_order_of_what_a_c_function_reads(hl):
    x, y, f = sums(hl)
    g, h = extern(hl, "hp_copy", [f]), hl.Func("h")
    h[x, y] = g[x, y] * 2
    f.compute_root().reorder_storage(y, x)
    g.compute_root().reorder_storage(y, x)
    xs, ys = grid(7, 5)
    check(h.realize([7, 5]), 2 * (xs + 10 * ys))


def test_a_reduction_that_a_c_function_ends(hl, calls):
    x, f = hl.Var("x"), hl.Func("f")
    f[x] = x * 3
    g = extern(hl, "hp_consume", [f, hl.Expr(50)], 1)
    f.compute_root()
    check(g.realize([4]), 3 * 50 * 49 // 2 + np.arange(4))
    assert calls() == 1


def test_a_c_function_of_an_image_and_a_param(hl, calls):
    x = hl.Var("x")
    source, count = hl.ImageParam(hl.Int(32), 1), hl.Param(hl.Int(32), "count")
    g, h = extern(hl, "hp_consume", [source, count], 1), hl.Func("h")
    h[x] = g[x] + 1
    g.compute_root()
    source.set(image(hl, np.arange(20, dtype=np.int32)).copy())
    for n in (20, 7):
        count.set(n)
        # The whole image is given, the function asks for its beginning.
        result = np.asarray(h.realize([3]))
        assert result[0] in (191, n * (n - 1) // 2 + 1) and (np.diff(result) == 1).all()


@pytest.mark.parametrize("place", ["root", "row"])
def test_a_c_function_runs_in_threads(hl, place):
    x, y, f = sums(hl)
    g, h = extern(hl, "hp_copy", [f]), hl.Func("h")
    h[x, y] = g[x, y] + 3
    h.parallel(y)
    if place == "row":
        f.compute_at(h, y)
        g.compute_at(h, y)
    else:
        f.compute_root()
        g.compute_root()
    xs, ys = grid(9, 30)
    check(h.realize([9, 30]), xs + 10 * ys + 3)


def test_folded_storage_of_the_output_of_a_c_function(hl):
    x, y, f = sums(hl)
    g, h = extern(hl, "hp_copy", [f]), hl.Func("h")
    h[x, y] = g[x, y]
    f.compute_root()
    g.store_root().compute_at(h, y).fold_storage(hl.Var("y"), 8)
    xs, ys = grid(9, 24)
    check(h.realize([9, 24]), xs + 10 * ys)


def test_folded_storage_of_the_input_of_a_c_function(hl):
    x, y, f = sums(hl)
    g, h = extern(hl, "hp_copy", [f]), hl.Func("h")
    h[x, y] = g[x, y]
    f.store_root().compute_at(h, y).fold_storage(y, 8)
    g.compute_at(h, y)
    xs, ys = grid(9, 24)
    check(h.realize([9, 24]), xs + 10 * ys)


def test_a_folded_input_of_a_c_function_that_needs_more(hl):
    x, y, f = sums(hl)
    yi = hl.Var("yi")
    g, h = extern(hl, "hp_copy", [f]), hl.Func("h")
    h[x, y] = g[x, y]
    f.store_root().compute_at(h, y).fold_storage(y, 4)
    g.compute_at(h, y)
    h.split(y, y, yi, 8)
    with pytest.raises(hl.HalideError):
        h.realize([9, 24])


def test_names_of_c_functions_are_looked_up_late(hl):
    g = extern(hl, "hp_no_such_function", [], 1)
    with pytest.raises(hl.HalideError):
        g.realize([4])


ASYNC = {
    "root": lambda hl, f, g, h, y: (f.compute_root().async_(), g.compute_root()),
    "both": lambda hl, f, g, h, y: (f.compute_root().async_(), g.compute_root().async_()),
    "rows": lambda hl, f, g, h, y: (f.store_root().compute_at(h, y).async_(), g.compute_at(h, y)),
    "rows folded": lambda hl, f, g, h, y: (
        f.store_root().compute_at(h, y).fold_storage(y, 8).async_(), g.compute_at(h, y)
    ),
    "rows of both": lambda hl, f, g, h, y: [func.store_root().compute_at(h, y).async_() for func in (f, g)],
    "rows of both folded": lambda hl, f, g, h, y: [
        func.store_root().compute_at(h, y).fold_storage(y, 4).async_() for func in (f, g)
    ],
    "in a parallel loop": lambda hl, f, g, h, y: (f.compute_at(h, y).async_(), g.compute_at(h, y), h.parallel(y)),
}  # fmt: skip


@pytest.mark.parametrize("name", ASYNC)
def test_producers_in_threads_of_their_own(hl, name):
    x, y, f = sums(hl)
    g, h = hl.Func("g"), hl.Func("h")
    g[x, y] = f[x, y - 1] + f[x, y + 1]
    h[x, y] = g[x, y] + f[x, y]
    ASYNC[name](hl, f, g, h, y)
    xs, ys = grid(7, 21)
    for _ in range(3):
        check(h.realize([7, 21]), 3 * (xs + 10 * ys))


def test_a_tuple_in_a_thread_of_its_own(hl):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    f[x, y] = (x + y, x - y)
    g[x, y] = f[x, y][0] * f[x, y + 1][1]
    f.store_root().compute_at(g, y).async_()
    xs, ys = grid(8, 12)
    check(g.realize([8, 12]), (xs + ys) * (xs - ys - 1))


def test_copies_in_threads_of_their_own(hl):
    x, y, f = sums(hl)
    stages = [f]
    for i in range(4):
        stage = hl.Func(f"stage{i}")
        stage[x, y] = stages[-1][x, y] + 1
        stages.append(stage)
    out = hl.Func("out")
    out[x, y] = stages[-1][x, y]
    for stage in stages:
        stage.store_root().compute_at(out, y).async_()
    xs, ys = grid(6, 9)
    check(out.realize([6, 9]), xs + 10 * ys + 4)


def test_three_threads_that_read_the_rows_of_each_other(hl):
    x, y, a = sums(hl)
    b, c, out = hl.Func("b"), hl.Func("c"), hl.Func("out")
    b[x, y] = a[x, y] + a[x, y + 1]
    # Nobody else reads b, but all read a.
    c[x, y] = b[x, y] + b[x, y + 1] + a[x, y]
    out[x, y] = c[x, y] + a[x, y]
    for stage in (a, b, c):
        stage.store_root().compute_at(out, y).async_()
    xs, ys = grid(6, 9)
    for _ in range(3):
        check(out.realize([6, 9]), 6 * (xs + 10 * ys) + 40)


def test_an_error_in_a_thread_of_its_own(hl):
    x, f, g, p = hl.Var("x"), hl.Func("f"), hl.Func("g"), hl.Param(hl.Int(32), "p")
    f[x] = hl.require(p > 3, x, p)
    g[x] = f[x] * 2
    f.compute_root().async_()
    p.set(5)
    check(g.realize([5]), 2 * np.arange(5))
    p.set(1)
    with pytest.raises(hl.HalideError, match="Requirement Failed"):
        g.realize([5])


def test_an_error_in_a_parallel_loop(hl):
    x, y, f, limit = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Param(hl.Int(32), "limit")
    f[x, y] = hl.require(y < limit, x + y, y)
    f.parallel(y)
    limit.set(40)
    xs, ys = grid(8, 40)
    check(f.realize([8, 40]), xs + ys)
    limit.set(20)
    with pytest.raises(hl.HalideError, match="Requirement Failed"):
        f.realize([8, 40])


@pytest.mark.parametrize("order", ["first wins", "second wins"])
def test_two_threads_that_wait_for_each_others_rows(hl, order):
    x, y = hl.Var("x"), hl.Var("y")
    f, g, h = hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[x, y] = x * y
    g[x, y] = f[x, y] + 1
    h[x, y] = f[x, y] + g[x, y]
    if order == "first wins":
        f.compute_root().async_()
        g.store_root().compute_at(h, y).async_()
    else:
        f.store_root().compute_at(h, y).async_()
        g.compute_at(h, y)
    xs, ys = grid(6, 8)
    check(h.realize([6, 8]), 2 * xs * ys + 1)


def test_a_result_is_remembered(hl, calls):
    x, y = hl.Var("x"), hl.Var("y")
    g, h = extern(hl, "hp_constant", [hl.Expr(42)]), hl.Func("h")
    h[x, y] = g[x, y] + g[x, y]
    g.compute_root().memoize()
    for _ in range(3):
        check(h.realize([16, 16]), 84)
    assert calls() == 1


def test_results_of_each_param_are_remembered(hl, calls):
    x, y = hl.Var("x"), hl.Var("y")
    first, second = hl.Param(hl.Int(32), "first"), hl.Param(hl.Int(32), "second")
    f, g, h = extern(hl, "hp_constant", [first]), extern(hl, "hp_constant", [second]), hl.Func("h")
    h[x, y] = f[x, y] + g[x, y]
    f.compute_root().memoize()
    g.compute_root().memoize()
    for a, b in ((123, 142), (123, 142), (142, 142), (123, 142), (142, 157)):
        first.set(a)
        second.set(b)
        check(h.realize([8, 8]), a + b)
    assert calls() == 4


def test_a_tag_is_the_key_of_a_result(hl, calls):
    x, y = hl.Var("x"), hl.Var("y")
    value = hl.Param(hl.Float(32), "value")
    for tagged in (False, True):
        amount = hl.cast(hl.Int(32), value)
        g = extern(hl, "hp_constant", [hl.memoize_tag(amount) if tagged else amount])
        h = hl.Func("h")
        h[x, y] = g[x, y]
        g.compute_root().memoize()
        for v in (223.0, 223.4):
            value.set(v)
            check(h.realize([8, 8]), 223)
        assert calls() == (1 if tagged else 2)


def test_the_region_is_part_of_the_key(hl, calls):
    x, y = hl.Var("x"), hl.Var("y")
    g, h = extern(hl, "hp_constant", [hl.Expr(77)]), hl.Func("h")
    h[x, y] = g[x, y]
    g.compute_root().memoize()
    for size in ([5, 5], [6, 5], [5, 5]):
        check(h.realize(size), 77)
    assert calls() == 2


def test_a_remembered_tuple(hl, trace):
    x, p, f, g = hl.Var("x"), hl.Param(hl.Int(32), "p"), hl.Func("f"), hl.Func("g")
    f[x] = (x + p, x * p)
    g[x] = f[x][0] + f[x + 1][1]
    f.compute_root().memoize()
    i = np.arange(7)
    for value in (3, 4, 3):
        p.set(value)
        check(g.realize([7]), i + value + (i + 1) * value)


def test_a_result_is_remembered_by_threads(hl):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    f[x, y] = x * 2 + y % 4
    g[x, y] = f[x, y % 4] + f[x + 1, y % 4]
    f.compute_at(g, y).memoize()
    g.parallel(y)
    xs, ys = grid(9, 40)
    for _ in range(2):
        check(g.realize([9, 40]), 2 * (2 * xs + ys % 4) + 2)


def test_a_clone_is_remembered_apart(hl):
    x, p, f, g, h, out = hl.Var("x"), hl.Param(hl.Int(32), "p"), *(hl.Func(n) for n in ("f", "g", "h", "out"))
    f[x] = x + p
    g[x] = f[x] * 2
    h[x] = f[x] * 3
    out[x] = g[x] + h[x]
    g.compute_root()
    h.compute_root()
    clone = f.clone_in(g)
    f.compute_root().memoize()
    clone.compute_root().memoize()
    for value in (1, 2, 1):
        p.set(value)
        check(out.realize([6]), 5 * (np.arange(6) + value))


def test_a_result_with_an_eviction_key_is_remembered(hl, calls):
    x, y = hl.Var("x"), hl.Var("y")
    g, h = extern(hl, "hp_constant", [hl.Expr(311)]), hl.Func("h")
    h[x, y] = g[x, y]
    g.compute_root().memoize(hl.EvictionKey(hl.u64(1203)))
    for _ in range(2):
        check(h.realize([4, 4]), 311)
    assert calls() == 1


def test_an_eviction_key_stays_without_another(hl, calls):
    x, y = hl.Var("x"), hl.Var("y")
    g, h = extern(hl, "hp_constant", [hl.Expr(313)]), hl.Func("h")
    h[x, y] = g[x, y]
    g.compute_root().memoize(hl.EvictionKey(hl.u64(1204))).memoize()
    for _ in range(2):
        check(h.realize([4, 4]), 313)
    assert calls() == 1


def test_a_c_function_for_each_row_stored_for_all(hl, calls):
    x, y, f = sums(hl)
    g, h, r = extern(hl, "hp_copy", [f]), hl.Func("h"), hl.RDom([(0, 7)])
    h[x, y] = 0
    h[x, y] += (r.x + 1) * (g[x, y] - 2 * f[x, y])
    f.compute_at(h, y)
    g.compute_at(h, y).store_root()
    xs, ys = grid(5, 4)
    check(h.realize([5, 4]), -28 * (xs + 10 * ys))
    assert calls() == 4


WINDOWS = {
    "backwards": lambda f, x, y, lo: f[x, -y] + f[x, 1 - y],
    "as far as a row": lambda f, x, y, lo: f[x - 1, lo(y - 1, 9)] + f[x + 1, lo(y + 1, 11)],
    "backwards as far as a row": lambda f, x, y, lo: f[x - 1, -lo(y - 1, 9)] + f[x + 1, -lo(y + 1, 11)],
    "two rows for each": lambda f, x, y, lo: f[x, 2 * y - 1] + f[x, 2 * y] + f[x, 2 * y + 1] + f[x, 2 * y + 2],
    "both ways in a row": lambda f, x, y, lo: f[x - 1, y] + f[x + 1, y],
}


@pytest.mark.part(2)
@pytest.mark.parametrize("level", ["row", "pixel"])
@pytest.mark.parametrize("name", WINDOWS)
def test_a_folded_window_that_a_thread_of_its_own_fills(hl, name, level):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    f[x, y] = x + 10 * y
    g[x, y] = WINDOWS[name](f, x, y, hl.min)
    f.store_root().fold_storage(y, 8, "backwards" not in name).async_()
    f.compute_at(g, x if level == "pixel" else y)
    xs, ys = grid(9, 14)
    model = type("Model", (), {"__getitem__": lambda self, at: at[0] + 10 * at[1]})()
    check(g.realize([9, 14]), WINDOWS[name](model, xs, ys, np.minimum))


@pytest.mark.parametrize("nesting", ["a thread in a thread", "pairs of threads", "with its own producer"])
def test_threads_of_their_own_of_each_other(hl, nesting):
    x, y = hl.Var("x"), hl.Var("y")
    a, b, c, d = (hl.Func(name) for name in "abcd")
    a[x, y] = x + y
    b[x, y] = a[x - 1, y] + a[x + 1, y]
    c[x, y] = b[x, y - 1] + b[x, y + 1]
    d[x, y] = c[x - 1, y] + c[x + 1, y]
    d.compute_root()
    if nesting == "pairs of threads":
        c.store_at(d, y).compute_at(d, x).async_()
        b.store_root().compute_at(d, y).async_()
        a.store_at(d, y).compute_at(b, x).async_()
    elif nesting == "a thread in a thread":
        c.compute_root()
        b.compute_at(c, y).async_()
        a.compute_at(b, x).async_()
    else:
        c.compute_root().async_()
        b.compute_at(c, hl.Var.outermost())
        a.compute_at(c, hl.Var.outermost())
    xs, ys = grid(6, 7)
    check(d.realize([6, 7]), 8 * (xs + ys))


@pytest.mark.parametrize("first", [0, -37])
@pytest.mark.parametrize("place", ["root", "tile"])
def test_a_c_function_without_inputs_that_computes_whole_aligned_blocks(hl, calls, place, first):
    x, y, xi, yi, h = *(hl.Var(n) for n in ("x", "y", "xi", "yi")), hl.Func("h")
    g = extern(hl, "hp_generate", [])
    g.align_storage(hl.Var("x"), 32)
    h[x, y] = g[x, y] - 3 * x
    h.tile(x, y, xi, yi, 32, 16, hl.TailStrategy.GuardWithIf)
    if place == "root":
        g.compute_root()
    else:
        g.compute_at(h, x)
    out = hl.Buffer(hl.Int(32), [70, 33])
    out.set_min([first, 5])
    h.realize(out)
    check(out, 1000 * grid(70, 33, mins=(first, 5))[1])
    assert calls() == (1 if place == "root" else 9)


def mirrored(hl):
    """x, a Var for splits, and Funcs f -> g -> h: g is a C function of bytes at negative places and of f."""
    x, xi, f, h = hl.Var("x"), hl.Var("xi"), hl.Func("f"), hl.Func("h")
    bytes_ = image(hl, (np.arange(-99, 1) ** 2 % 256).astype(np.uint8))
    bytes_.set_min([-99])
    f[x] = x * x
    g = extern(hl, "hp_mirrored", [bytes_, f], 1, hl.UInt(8))
    h[x] = g[x] * 2
    return x, xi, f, g, h


@pytest.mark.parametrize("schedule", ["root", "rows", "lanes"])
def test_a_c_function_that_mirrors_inputs_of_two_types(hl, schedule):
    x, xi, f, g, h = mirrored(hl)
    for func in (f, g):
        func.compute_root()
        if schedule != "root":
            func.compute_at(h, x)
    if schedule == "rows":
        h.split(x, x, xi, 8, hl.TailStrategy.GuardWithIf).parallel(x)
    elif schedule == "lanes":
        h.vectorize(x, 8).unroll(x, 2).split(x, x, xi, 4).parallel(x)
    check(h.realize([100]), (4 * np.arange(100) ** 2) % 256)


@pytest.mark.parametrize("sizes", [(100, 100), (60, 100)])
def test_a_c_function_and_its_reader_are_outputs(hl, sizes):
    x, xi, f, g, h = mirrored(hl)
    f.compute_root()
    h.vectorize(x, 8).unroll(x, 2).split(x, x, xi, 4).parallel(x)
    results = [hl.Buffer(hl.UInt(8), [size]) for size in sizes]
    hl.Pipeline([h, g]).realize(results)
    for result, factor, size in zip(results, (4, 2), sizes, strict=True):
        check(result, (factor * np.arange(size) ** 2) % 256)
