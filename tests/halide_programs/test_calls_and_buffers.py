"""Inputs, outputs, arguments, files and reports: Halide's programs about what stands around a pipeline."""

import gc
import threading
import warnings

import numpy as np
import pytest
from helpers import check, grid, image

RANDOM = np.random.default_rng(6)


def test_several_outputs_of_several_shapes(hl):
    x, y, f, g, h = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[x] = 100 * x
    g[x, y] = f[x] + hl.u8(y)
    h[()] = hl.f32(1.5)
    buffers = [hl.Buffer(hl.Int(32), [9]), hl.Buffer(hl.Int(32), [7, 3]), hl.Buffer(hl.Float(32), [])]
    hl.Pipeline([f, g, h]).realize(buffers)
    xs, ys = grid(7, 3)
    check(buffers[0], 100 * np.arange(9))
    check(buffers[1], 100 * xs + ys)
    check(buffers[2], 1.5)


def test_an_output_that_another_output_reads(hl):
    x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
    f[x] = x * 2
    g[x] = f[x] + f[x + 1]
    first, second = hl.Buffer(hl.Int(32), [9]), hl.Buffer(hl.Int(32), [8])
    hl.Pipeline([f, g]).realize([first, second])
    check(first, 2 * np.arange(9))
    check(second, 4 * np.arange(8) + 2)


def test_an_output_in_the_memory_of_its_input_by_an_update(hl):
    x, f, r = hl.Var("x"), hl.Func("f"), hl.RDom([(1, 9)])
    f[x] = hl.undef(hl.Int(32))
    f[r.x] = f[r.x] + f[r.x - 1]
    array = np.arange(10, dtype=np.int32)
    f.realize(hl.Buffer(array))
    check(array, np.arange(10).cumsum())


@pytest.mark.parametrize("dims", [0, 1, 3])
def test_implicit_arguments(hl, dims):
    names = [hl.Var(n) for n in "xyz"[:dims]]
    f, g, h = hl.Func("f"), hl.Func("g"), hl.Func("h")
    value = hl.Expr(5)
    for k, v in enumerate(names):
        value = value + v * 10**k
    f[tuple(names)] = value
    g[hl._] = f[hl._] * 2
    h[hl._] = g[hl._] + f[hl._]
    sizes = [4, 3, 2][:dims]
    check(h.realize(sizes), 3 * (5 + sum(c * 10**k for k, c in enumerate(grid(*sizes)))) if dims else 15)


def test_implicit_arguments_beside_explicit_ones(hl):
    x, y, f, g, r = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g"), hl.RDom([(0, 3)])
    f[x, y] = x + 10 * y
    g[x, hl._] = f[x + 1, hl._]
    g[x, hl._] += f[r, hl._]
    xs, ys = grid(4, 5)
    check(g.realize([4, 5]), xs + 1 + 10 * ys + 3 + 30 * ys)


def test_partial_application_of_a_func(hl):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    f[x, y] = x * 10 + y
    g[hl._0] = f[3, hl._0]
    check(g.realize([6]), 30 + np.arange(6))


def test_a_func_of_an_expression(hl):
    x, y = hl.Var("x"), hl.Var("y")
    xs, ys = grid(4, 3)
    check(hl.lambda_func(x, y, x * y + 1).realize([4, 3]), xs * ys + 1)


def test_params_of_each_type_are_read_at_each_run(hl):
    x = hl.Var("x")
    for kind, values in (
        (hl.Int(8), (-5, 100)), (hl.UInt(16), (7, 60000)), (hl.Int(64), (-(2**40), 3)), (hl.Float(32), (0.5, -2.25)),
        (hl.Float(64), (2.5, 1024.0)), (hl.Bool(), (True, False)),
    ):  # fmt: skip
        p, f = hl.Param(kind, "p"), hl.Func("f")
        f[x] = p
        for value in values:
            p.set(value)
            check(f.realize([3]), value)


def test_limits_of_params(hl):
    x, p, f = hl.Var("x"), hl.Param(hl.Int(32), "p"), hl.Func("f")
    f[x] = x * p
    p.set_range(2, 7)
    for value in (2, 7):
        p.set(value)
        check(f.realize([3]), np.arange(3) * value)
    for value in (1, 8):
        p.set(value)
        with pytest.raises(hl.HalideError):
            f.realize([3])


def test_limits_of_params_bound_what_is_read(hl, trace):
    x, p, f, g = hl.Var("x"), hl.Param(hl.Int(32), "p"), hl.Func("f"), hl.Func("g")
    f[x] = x
    g[x] = f[hl.clamp(p, 0, 10)] + f[hl.clamp(p, 0, 10) + 1]
    p.set_range(0, 10)
    p.set(4)
    f.compute_root()
    check(g.realize([2]), 9)


def test_arguments_of_a_compiled_pipeline(hl):
    p, q, source = hl.Param(hl.Int(32), "p"), hl.Param(hl.Float(32), "q"), hl.ImageParam(hl.UInt(8), 2, "source")
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    f[x, y] = source[x, y] * p + hl.i32(q)
    arguments = f.infer_arguments()
    assert sorted(a.name for a in arguments) == ["p", "q", "source"]
    assert {a.name: a.dimensions for a in arguments} == {"p": 0, "q": 0, "source": 2}
    run = f.compile_to_callable([source, q, p])
    out = hl.Buffer(hl.Int(32), [4, 3])
    data = np.arange(12, dtype=np.uint8).reshape(3, 4)
    run(hl.Buffer(data), 2.5, 3, out)
    check(out, data.astype(int) * 3 + 2)


def test_calls_with_wrong_arguments(hl):
    p, source, x, f = hl.Param(hl.Int(32), "p"), hl.ImageParam(hl.UInt(8), 1, "source"), hl.Var("x"), hl.Func("f")
    f[x] = source[x] * p
    run = f.compile_to_callable([source, p])
    data, out = hl.Buffer(hl.UInt(8), [4]), hl.Buffer(hl.Int(32), [4])
    data.fill(2)
    run(data, 3, out)
    check(out, 6)
    for wrong in (
        (data, 3), (data, 3, out, out), (out, 3, out), (data, 3, data), (3, data, out),
        (data, 3, hl.Buffer(hl.Int(32), [2, 2])), (data, 3, hl.Buffer(hl.Int(32), [9])),
    ):  # fmt: skip
        with pytest.raises((hl.HalideError, TypeError, RuntimeError, ValueError)):
            run(*wrong)


def test_constraints_of_images_are_checked(hl):
    source, x, y, f = hl.ImageParam(hl.UInt(8), 2), hl.Var("x"), hl.Var("y"), hl.Func("f")
    f[x, y] = source[x, y] + 1
    source.dim(0).set_bounds(0, 8)
    source.dim(1).set_stride(8)
    source.set(image(hl, np.zeros((4, 8), np.uint8)))
    check(f.realize([8, 4]), 1)
    for wrong in (np.zeros((4, 9), np.uint8), np.zeros((4, 20), np.uint8)[:, :8]):
        source.set(hl.Buffer(wrong))
        with pytest.raises(hl.HalideError):
            f.realize([8, 4])


def test_a_constraint_by_another_image(hl):
    a, b, x, f = hl.ImageParam(hl.UInt(8), 1, "a"), hl.ImageParam(hl.UInt(8), 1, "b"), hl.Var("x"), hl.Func("f")
    f[x] = a[x] + b[x]
    b.dim(0).set_extent(a.dim(0).extent())
    a.set(image(hl, np.ones(6, np.uint8)))
    b.set(image(hl, np.ones(6, np.uint8)))
    check(f.realize([6]), 2)
    b.set(image(hl, np.ones(7, np.uint8)))
    with pytest.raises(hl.HalideError):
        f.realize([6])


@pytest.mark.parametrize("alignment", [1, 16, 64])
def test_alignment_of_the_memory_of_an_input(hl, alignment):
    source, x, f = hl.ImageParam(hl.UInt(8), 1), hl.Var("x"), hl.Func("f")
    f[x] = source[x] + 1
    source.set_host_alignment(alignment)
    f.vectorize(x, 16)
    raw = np.zeros(256, np.uint8)
    start = -raw.ctypes.data % 64
    source.set(hl.Buffer(raw[start : start + 64]))
    check(f.realize([64]), 1)
    if alignment > 1:
        source.set(hl.Buffer(raw[start + 1 : start + 65]))
        with pytest.raises(hl.HalideError):
            f.realize([64])


def test_images_that_begin_elsewhere(hl):
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    source = hl.ImageParam(hl.Int(32), 2)
    f[x, y] = source[x, y] + source[x, y - 1]
    buffer = image(hl, np.arange(20, dtype=np.int32).reshape(4, 5))
    buffer.set_min([100, -7])
    source.set(buffer)
    out = hl.Buffer(hl.Int(32), [5, 3])
    out.set_min([100, -6])
    f.realize(out)
    data = np.asarray(buffer)
    check(out, data[1:] + data[:-1])


def test_images_at_computed_coordinates(hl):
    x, f = hl.Var("x"), hl.Func("f")
    table = RANDOM.permutation(32).astype(np.uint8)
    source, places = image(hl, np.arange(32, dtype=np.int32) * 3), image(hl, table)
    f[x] = source[hl.i32(places[hl.i32(places[x]) & 31]) & 31]
    f.vectorize(x, 8)
    check(f.realize([32]), table[table].astype(int) * 3)


def test_an_image_that_simplification_drops(hl):
    source, x, f = hl.ImageParam(hl.Int(32), 1), hl.Var("x"), hl.Func("f")
    embedded = image(hl, np.arange(4, dtype=np.int32))
    f[x] = source[x] * 0 + embedded[x] * 0 + x
    source.set(image(hl, np.zeros(8, np.int32)))
    check(f.realize([4]), np.arange(4))


def test_an_embedded_image_that_no_vector_is_aligned_with(hl):
    x, f = hl.Var("x"), hl.Func("f")
    data = RANDOM.integers(0, 100, 33, dtype=np.int32)
    source = image(hl, data[1:])
    f[x] = source[x] * 2
    f.vectorize(x, 16)
    check(f.realize([32]), 2 * data[1:])


def test_sizes_of_images_in_bounds_of_reductions(hl):
    source, x, f = hl.ImageParam(hl.Int(32), 1), hl.Var("x"), hl.Func("f")
    r = hl.RDom([(0, source.width())])
    f[x] = 0
    f[x] += source[r] * x
    for n in (3, 17):
        source.set(image(hl, np.arange(n, dtype=np.int32)))
        check(f.realize([4]), np.arange(4) * (n * (n - 1) // 2))


def test_parts_and_views_of_a_buffer(hl):
    whole = image(hl, np.arange(60, dtype=np.int32).reshape(3, 4, 5))
    part = whole.sliced(2, 1)
    check(part, np.arange(60).reshape(3, 4, 5)[1])
    row = part.cropped(0, 1, 3)
    assert (row.dim(0).min(), row.dim(0).extent()) == (1, 3)
    moved = whole.translated([10, 0, 0])
    assert moved[10, 2, 1] == whole[0, 2, 1] == 30
    turned = whole.transposed([2, 0, 1])
    assert [turned.dim(d).extent() for d in (2, 0, 1)] == [whole.dim(d).extent() for d in range(3)]


def test_a_buffer_of_no_dimensions(hl):
    f = hl.Func("f")
    p = hl.Param(hl.Int(32), "p")
    f[()] = p * 2
    p.set(21)
    out = hl.Buffer(hl.Int(32), [])
    f.realize(out)
    assert out[()] == 42


def test_elements_of_a_buffer_one_by_one(hl):
    buffer = hl.Buffer(hl.Int(32), [4, 3])
    buffer.fill(7)
    buffer[1, 2] = 9
    visited = []
    buffer.for_each_element(lambda at: visited.append(tuple(at)))
    assert len(visited) == 12 and visited[0] == (0, 0) and visited[1] == (1, 0)
    assert np.asarray(buffer).sum() == 7 * 11 + 9 and buffer.all_equal(7) is False


def test_a_region_that_is_too_large_for_memory(hl):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    f[x, y] = x
    g[x, y] = f[hl.clamp(x, 0, 2**28), y] + f[2**28 - x, y]
    f.compute_root().store_in(hl.MemoryType.Heap)
    with pytest.raises(hl.HalideError):
        g.realize([4, 2**10])


def test_concatenated_images(hl):
    x, f = hl.Var("x"), hl.Func("f")
    a, b = (image(hl, RANDOM.integers(0, 9, 8, dtype=np.int32)) for _ in range(2))
    f[x] = hl.select(x < 8, a[hl.clamp(x, 0, 7)], b[hl.clamp(x - 8, 0, 7)])
    f.vectorize(x, 4)
    check(f.realize([16]), np.concatenate([np.asarray(a), np.asarray(b)]))


def test_filters_one_after_the_other(hl):
    x = hl.Var("x")
    data = RANDOM.random(64).astype(np.float32)
    stage = image(hl, data)
    expected = data
    for i in range(6):
        after = hl.Func(f"stage{i}")
        after[x] = (stage[x] + stage[x + 1]) * 0.5
        after.compute_root().vectorize(x, 4)
        stage = after
        expected = (expected[1:] + expected[:-1]) * np.float32(0.5)
    check(stage.realize([56]), expected[:56], rtol=1e-5)


def test_variables_are_equal_by_name(hl):
    assert hl.Var("x").same_as(hl.Var("x")) and not hl.Var("x").same_as(hl.Var("y"))
    f = hl.Func("f")
    f[hl.Var("x"), hl.Var("y")] = hl.Var("x") + 10 * hl.Var("y")
    f.vectorize(hl.Var("x"), 4).parallel(hl.Var("y"))
    xs, ys = grid(8, 3)
    check(f.realize([8, 3]), xs + 10 * ys)


def test_funcs_of_one_name_are_distinguished(hl):
    x = hl.Var("x")
    first, second = hl.Func("same"), hl.Func("same")
    first[x] = x
    second[x] = first[x] * 2
    first.compute_root()
    assert first.name() != second.name()
    check(second.realize([4]), 2 * np.arange(4))


def test_a_func_lives_as_long_as_it_is_used(hl):
    x = hl.Var("x")

    def make():
        inner = hl.Func("inner")
        inner[x] = x * 3
        inner.compute_root()
        outer = hl.Func("outer")
        outer[x] = inner[x] + 1
        return outer

    f = make()
    gc.collect()
    check(f.realize([4]), 3 * np.arange(4) + 1)
    check(f.realize([5]), 3 * np.arange(5) + 1)


def test_many_pipelines_are_created_and_released(hl):
    x = hl.Var("x")
    for k in range(20):
        f = hl.Func("f")
        f[x] = x + k
        check(f.realize([3]), np.arange(3) + k)


def test_each_call_has_its_own_params(hl):
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    whole, single, source = (
        hl.Param(hl.Int(32), "whole"),
        hl.Param(hl.Float(32), "single"),
        hl.ImageParam(hl.UInt(8), 2),
    )
    f[x, y] = source[x, y] + hl.u8(whole / single)
    data = np.arange(12, dtype=np.uint8).reshape(3, 4)
    whole.set(42)
    single.set(1)
    source.set(image(hl, data))
    run = f.compile_to_callable([source, whole, single])
    out = hl.Buffer(hl.UInt(8), [4, 3])
    for number, divisor, pixels in ((22, 2.0, data + 9), (12, 1.0, data)):
        run(image(hl, pixels), number, divisor, out)
        check(out, pixels + np.uint8(number / divisor))
    check(f.realize([4, 3]), data + 42)


def test_threads_run_one_pipeline(hl):
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    source = hl.ImageParam(hl.Int(32), 2, "source")
    f[x, y] = source[x, y] * 2 + 1
    f.parallel(y)
    run = f.compile_to_callable([source])
    wrong = []

    def work(k):
        for _ in range(20):
            out = hl.Buffer(hl.Int(32), [16, 8])
            data = np.full((8, 16), k, np.int32)
            run(hl.Buffer(data), out)
            if not (np.asarray(out) == 2 * k + 1).all():
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_threads_compile_pipelines_of_their_own(hl):
    results = [None] * 4

    def work(k):
        x, f = hl.Var("x"), hl.Func("f")
        f[x] = x * k
        f.vectorize(x, 4)
        results[k] = np.asarray(f.realize([8])).copy()

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k, result in enumerate(results):
        check(result, np.arange(8) * k)


@pytest.mark.slow_on_the_wheel
def test_files_of_a_pipeline(hl, tmp_path):
    x, y, f, source = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.ImageParam(hl.UInt(8), 2, "source")
    f[x, y] = source[x, y] + 1
    f.vectorize(x, 16)
    arguments = [source]
    path = str(tmp_path / "pipeline")
    f.compile_to_c(f"{path}.c", arguments, "pipeline")
    f.compile_to_header(f"{path}.h", arguments, "pipeline")
    f.compile_to_object(f"{path}.o", arguments, "pipeline")
    f.compile_to_assembly(f"{path}.s", arguments, "pipeline")
    f.compile_to_bitcode(f"{path}.bc", arguments, "pipeline")
    f.compile_to_llvm_assembly(f"{path}.ll", arguments, "pipeline")
    f.compile_to_lowered_stmt(f"{path}.stmt", arguments, hl.StmtOutputFormat.Text)
    f.compile_to_lowered_stmt(f"{path}.html", arguments, hl.StmtOutputFormat.HTML)
    f.compile_to_static_library(f"{path}_lib", arguments, "pipeline")
    for ending in (".c", ".h", ".o", ".s", ".bc", ".ll", ".stmt", ".html", "_lib.a", "_lib.h"):
        assert (tmp_path / f"pipeline{ending}").stat().st_size > 100
    assert "int pipeline(" in (tmp_path / "pipeline.h").read_text()
    assert "<html" in (tmp_path / "pipeline.html").read_text().lower()


@pytest.mark.slow_on_the_wheel
@pytest.mark.parametrize("subject", ["tiles", "tiles and an image", "a pair"])
def test_a_page_of_the_lowered_program(hl, tmp_path, subject):
    x, y, xo, yo, xi, yi, tile = (hl.Var(name) for name in ("x", "y", "xo", "yo", "xi", "yi", "tile"))
    f = hl.Func("f")
    f[x, y] = (x, y) if subject == "a pair" else x + y
    if subject != "a pair":
        f.tile(x, y, xo, yo, xi, yi, 64, 64).fuse(xo, yo, tile).parallel(tile)
        f.tile(xi, yi, xo, yo, xi, yi, 4, 2).vectorize(xi).unroll(yi)
    path = tmp_path / "page.html"
    arguments = [hl.Buffer(hl.Int(32), [800, 600])] if subject == "tiles and an image" else []
    f.compile_to_lowered_stmt(str(path), arguments, hl.StmtOutputFormat.HTML)
    assert "</html>" in path.read_text().lower()


@pytest.mark.slow_on_the_wheel
@pytest.mark.parametrize("target", ["arm-64-linux", "arm-32-linux", "x86-64-osx", "x86-32-linux", "x86-64-linux-avx2"])
@pytest.mark.part(3)
def test_objects_for_other_machines(hl, tmp_path, target):
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    f[x, y] = hl.f32(x) * 2 + y
    f.vectorize(x, 4)
    path = tmp_path / "f.o"
    f.compile_to_object(str(path), [], "f", hl.Target(target))
    assert path.stat().st_size > 100


def test_loops_as_text(hl, capfd):
    x, y, xi, f, g = hl.Var("x"), hl.Var("y"), hl.Var("xi"), hl.Func("f"), hl.Func("g")
    f[x, y] = x + y
    g[x, y] = f[x, y] + f[x, y + 1]
    g.split(x, x, xi, 8).vectorize(xi).parallel(y)
    f.compute_at(g, y)
    capfd.readouterr()
    text = g.print_loop_nest() or ""
    out = capfd.readouterr()
    text += out.out + out.err
    for word in ("produce", "consume", "parallel y", "vectorized x.xi in [0, 7]"):
        assert word in text


def test_printed_values(hl, trace):
    x, f = hl.Var("x"), hl.Func("f")
    f[x] = hl.print_when(x == 3, x * x, "is the square of", x) + hl.print(hl.f32(x), "single")
    f.realize([5])
    text = trace().text
    assert "9 is the square of 3" in text and text.count("single") == 5


def test_printed_words_are_no_formats_and_floats_have_those_of_c(hl, trace):
    x, f, p = hl.Var("x"), hl.Func("f"), hl.Param(hl.Int(32), "p")
    p.set(127)
    single = [0.0, -0.0, np.inf, 1.2e-38, 3.4028235e38, 1 - 2.0**-22, 0.1, 123456.789, 2.5]
    values = image(hl, np.array(single, np.float32))[x]
    f[x] = hl.print_when(x < 9, x * x, "%s %d", p, values, hl.f64(values), hl.u64(1) << 63, hl.i8(-5), hl.u8(250))
    f.realize([9])
    tail = f"{1 << 63} -5 250"
    expected = [f"{k * k} %s %d 127 {np.float32(v):f} {float(np.float32(v)):e} {tail}" for k, v in enumerate(single)]
    assert trace().text.splitlines() == expected


def test_lanes_are_printed_one_by_one(hl, trace):
    x, f = hl.Var("x"), hl.Func("f")
    f[x] = hl.print(x * 2)
    f.vectorize(x, 4)
    f.realize([4])
    assert trace().text.split() == ["0", "2", "4", "6"]


def test_events_of_a_pipeline(hl, trace):
    x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
    f[x] = x * 2
    g[x] = f[x] + 1
    f.compute_root().trace_stores().trace_loads().trace_realizations()
    g.vectorize(x, 2).trace_stores()
    g.realize([4])
    events = trace()
    assert events.stores(f) == events.loads(f) == [(0,), (1,), (2,), (3,)]
    assert events.lanes("Store", g) == {2} and events.realizations(f) == events.productions(f) == [((0, 4),)]
    kinds = [line.split(" ")[0] for line in events.text.splitlines()]
    assert kinds[0] == "Begin" and kinds[-1] == "End"


def test_events_of_all_funcs_by_the_target(hl, trace):
    x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
    f[x] = x
    g[x] = f[x] * 2
    f.compute_root()
    target = hl.get_jit_target_from_environment().with_feature(hl.TargetFeature.TraceStores)
    g.realize([3], target)
    events = trace()
    assert len(events.stores(f)) == len(events.stores(g)) == 3


def test_a_requirement_holds_or_ends_the_run(hl):
    x, p, f = hl.Var("x"), hl.Param(hl.Int(32), "p"), hl.Func("f")
    f[x] = hl.require(p > 0, x // p, p)
    f.vectorize(x, 4)
    p.set(2)
    check(f.realize([8]), np.arange(8) // 2)
    p.set(0)
    with pytest.raises(hl.HalideError):
        f.realize([8])


@pytest.mark.parametrize("lanes", [0, 4, 32])
def test_a_requirement_reports_its_values(hl, lanes):
    x, p, q, total, f = hl.Var("x"), hl.Param(hl.Int(32)), hl.Param(hl.Int(32)), hl.Func("total"), hl.Func("f")
    total[x] = p + q
    f[x] = hl.require(total[x] == 7829, total[x] * 7919 + x, 7829, total[x], lanes)
    if lanes:
        total.compute_root().vectorize(x, lanes)
        f.vectorize(x, lanes)
    p.set(1)
    q.set(7828)
    check(f.realize([lanes or 1]), 7829 * 7919 + np.arange(lanes or 1))
    q.set(2)
    with pytest.raises(hl.HalideError, match=f"Requirement Failed: .*7829 3 {lanes}"):
        f.realize([lanes or 1])


def test_undefined_things_raise_errors(hl):
    x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
    with pytest.raises(hl.HalideError):
        f.realize([4])
    with pytest.raises((hl.HalideError, TypeError, ValueError)):
        f[x] = g[x] + 1
    h = hl.Func("h")
    h[x] = x
    with pytest.raises((hl.HalideError, TypeError, IndexError, ValueError)):
        k = hl.Func("k")
        k[x] = h[x, x] + 1
    check(h.realize([3]), np.arange(3))


def test_a_pixel_per_name_of_a_type(hl):
    x, f = hl.Var("x"), hl.Func(hl.Int(32), 1, "f")
    f[x] = x + 1
    assert f.defined() and f.dimensions() == 1
    check(f.realize([3]), [1, 2, 3])
    g = hl.Func([hl.Int(32), hl.Float(32)], 1, "g")
    g[x] = (x, hl.f32(x))
    first, second = g.realize([2])
    check(first, [0, 1])
    check(second, [0, 1])
    with pytest.raises(hl.HalideError):
        h = hl.Func(hl.UInt(8), 1, "h")
        h[x] = x


def test_the_target_of_this_machine(hl):
    host = hl.get_host_target()
    assert host.bits == 64 and str(hl.Target(str(host))) == str(host)
    other = host.with_feature(hl.TargetFeature.NoAsserts)
    assert other.has_feature(hl.TargetFeature.NoAsserts) and not host.has_feature(hl.TargetFeature.NoAsserts)
    assert host.natural_vector_size(hl.Float(32)) == 2 * host.natural_vector_size(hl.Float(64))


def test_a_pipeline_without_checks(hl):
    x, f = hl.Var("x"), hl.Func("f")
    source = image(hl, np.arange(16, dtype=np.int32))
    f[x] = source[x] * 2
    target = hl.get_jit_target_from_environment().with_feature(hl.TargetFeature.NoAsserts)
    check(f.realize([16], target), 2 * np.arange(16))


def test_promises_about_values(hl):
    x, f = hl.Var("x"), hl.Func("f")
    source, table = hl.ImageParam(hl.UInt(16), 1), hl.ImageParam(hl.Float(32), 1)
    f[x] = table[hl.i32(hl.unsafe_promise_clamped(source[x], 0, 1023))]
    f.infer_input_bounds([10])
    assert (table.get().dim(0).min(), table.get().dim(0).extent()) == (0, 1024)
    data = np.arange(10, dtype=np.uint16) * 100
    source.set(hl.Buffer(data))
    values = np.linspace(0, 1, 1024, dtype=np.float32)
    table.set(hl.Buffer(values))
    check(f.realize([10]), values[data])


def test_a_stage_that_warns(hl, capfd):
    """An update without a schedule where the pure definition has one."""
    x, y, f, r = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.RDom([(0, 4)])
    f[x, y] = x
    f[x, y] += r
    f.vectorize(x, 4)
    xs, _ = grid(8, 2)
    capfd.readouterr()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check(f.realize([8, 2]), xs + 6)
    texts = "".join(capfd.readouterr()) + "".join(str(w.message) for w in caught)
    assert "has not been scheduled" in texts


def test_an_image_of_a_type_and_its_queries(hl):
    source = hl.ImageParam(hl.UInt(8), 3, "picture")
    assert source.name() == "picture" and source.dimensions() == 3 and source.type() == hl.UInt(8)
    x, f = hl.Var("x"), hl.Func("f")
    f[x] = source.width() + 10 * source.height() + 100 * source.channels() + 1000 * source.dim(0).min()
    source.set(image(hl, np.zeros((4, 3, 2), np.uint8)))
    check(f.realize([1]), 2 + 30 + 400)


def test_errors_leave_the_process_as_it_was(hl):
    x = hl.Var("x")
    for _ in range(3):
        f = hl.Func("f")
        f[x] = x
        with pytest.raises(hl.HalideError):
            f.bound(hl.Var("unknown"), 0, 3)
        check(f.realize([4]), np.arange(4))


def test_the_inverse_of_a_map_by_a_scatter(hl):
    x, f, r = hl.Var("x"), hl.Func("f"), hl.RDom([(0, 16)])
    f[x] = -1
    f[hl.clamp((r * 5 + 3) % 16, 0, 15)] = r.x
    i = np.arange(16)
    expected = np.empty(16, int)
    expected[(i * 5 + 3) % 16] = i
    check(f.realize([16]), expected)


def test_a_stage_with_a_name_that_a_loop_has(hl):
    x, f, g = hl.Var("x"), hl.Func("x"), hl.Func("f")
    f[x] = x * 2
    g[x] = f[x] + f[x + 1]
    f.compute_at(g, x)
    check(g.realize([6]), 4 * np.arange(6) + 2)


def test_the_same_outputs_in_each_order(hl):
    x = hl.Var("x")
    results = []
    for order in ((0, 1), (1, 0)):
        f, g, h = hl.Func("f"), hl.Func("g"), hl.Func("h")
        f[x], g[x] = x + 1, x * 2
        h[x] = f[x] + g[x] + f[x + 1]
        for k in order:
            (f, g)[k].compute_root()
        results.append(np.asarray(h.realize([8])))
    check(results[0], results[1])


def test_where_an_input_begins_and_ends(hl):
    source, x, f = hl.ImageParam(hl.Int(32), 1), hl.Var("x"), hl.Func("f")
    f[x] = hl.select(x < source.left(), -10, hl.select(x > source.right(), 10, 1)) * x
    pixels, out = hl.Buffer(hl.Int(32), [5]), hl.Buffer(hl.Int(32), [10])
    pixels.set_min([4])
    out.set_min([1])
    source.set(pixels)
    f.realize(out)
    check(out, [-10, -20, -30, 4, 5, 6, 7, 8, 90, 100])


@pytest.mark.slow_on_the_wheel
@pytest.mark.parametrize("target", ["arm-64-android", "arm-32-android", "arm-32-ios", "arm-64-ios"])
def test_libraries_for_other_machines(hl, tmp_path, target):
    x, f = hl.Var("x"), hl.Func("f")
    f[x] = x
    f.compile_to_file(str(tmp_path / "f"), [], "f", hl.Target(target))
    f.compile_to_static_library(str(tmp_path / "g"), [], "f", hl.Target(target))
    assert {"f.o", "g.a"} <= {path.name for path in tmp_path.iterdir()}


@pytest.mark.parametrize("place", ["inlined", "stored", "output"])
def test_a_func_with_the_name_of_an_image(hl, place):
    # A later Func of the name is called differently; the image keeps its name.
    x, im = hl.Var("x"), hl.ImageParam(hl.Int(32), 1, f"shared_{place}")
    im.set(image(hl, np.arange(9, dtype=np.int32)))
    f, g = hl.Func(f"shared_{place}"), hl.Func("g")
    f[x] = im[x] * 2
    g[x] = f[x] + im[x] + 1
    if place == "stored":
        f.compute_root()
    if place == "output":
        check(f.realize([5]), np.arange(5) * 2)
    else:
        check(g.realize([5]), np.arange(5) * 3 + 1)
    assert [argument.name for argument in hl.Pipeline(g).infer_arguments()] == [f"shared_{place}"]


@pytest.mark.parametrize("name", ["a.b", "f.min.0"])
def test_a_point_in_the_name_of_a_func_or_image(hl, name):
    for make in (lambda: hl.Func(name), lambda: hl.ImageParam(hl.Int(32), 1, name)):
        with pytest.raises(hl.HalideError, match="may not contain the character '.'"):
            make()
