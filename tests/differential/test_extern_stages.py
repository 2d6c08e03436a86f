"""Funcs that C functions of a shared library compute, against the wheel."""

import ctypes
import re
import subprocess
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from differential import both_equal, same

import pipec

SOURCE = Path(__file__).parent / "extern_functions.c"


@pytest.fixture(scope="module", autouse=True)
def library(tmp_path_factory):
    path = tmp_path_factory.mktemp("extern") / "functions.so"
    subprocess.run(["cc", "-std=c99", "-O1", "-shared", "-fPIC", str(SOURCE), "-o", str(path)], check=True)
    return ctypes.CDLL(str(path), ctypes.RTLD_GLOBAL)


def _rows(hl, source, factor=3, name="rows"):
    """The Func that ef_row_sums computes."""
    built = hl.Func(name)
    arguments = [hl.ExternFuncArgument(source), hl.ExternFuncArgument(factor)]
    built.define_extern("ef_row_sums", arguments, hl.Int(32), [hl.Var("x"), hl.Var("y")])
    return built


def _squares(hl):
    x, y, built = hl.Var("x"), hl.Var("y"), hl.Func("squares")
    built[x, y] = x * x + y * 7
    return built


PLACES = {
    "both at root": lambda hl, f, g, h, y: (f.compute_root(), g.compute_root()),
    "each row": lambda hl, f, g, h, y: (f.compute_at(h, y), g.compute_at(h, y)),
    "rows of what is at root": lambda hl, f, g, h, y: (f.compute_at(h, y), g.compute_root()),
    "inside the extern stage": lambda hl, f, g, h, y: (f.compute_at(h, y), g.compute_at(f, hl.Var.outermost())),
    "no place of its own": lambda hl, f, g, h, y: g.compute_root(),
    "parallel rows": lambda hl, f, g, h, y: (f.compute_root().parallel(y), g.compute_root()),
    "a thread for what it reads": lambda hl, f, g, h, y: (f.compute_at(h, y), g.compute_root().async_()),
    "a thread of its own": lambda hl, f, g, h, y: (f.compute_at(h, y).async_(), g.compute_root()),
    "threads of both": lambda hl, f, g, h, y: (f.compute_root().async_(), g.compute_root().async_()),
    "threads": lambda hl, f, g, h, y: (f.compute_at(h, y), g.compute_at(h, y), h.parallel(y)),
    "tiles": lambda hl, f, g, h, y: (
        h.tile(hl.Var("x"), y, hl.Var("xo"), hl.Var("yo"), hl.Var("xi"), hl.Var("yi"), 8, 4).parallel(hl.Var("yo")),
        f.compute_at(h, hl.Var("xo")),
        g.compute_at(h, hl.Var("xo")).vectorize(hl.Var("x"), 4),
    ),
    "other orders of storage": lambda hl, f, g, h, y: (
        f.compute_root().reorder_storage(y, hl.Var("x")),
        g.compute_root().reorder_storage(y, hl.Var("x")).align_storage(y, 16),
    ),
    "vectors": lambda hl, f, g, h, y: (f.compute_at(h, y), g.compute_at(h, y).vectorize(hl.Var("x"), 4)),
}


@pytest.mark.part(3)
@pytest.mark.parametrize("name", PLACES)
def test_between_other_stages(name):
    def program(hl):
        x, y = hl.Var("x"), hl.Var("y")
        g = _squares(hl)
        f, h = _rows(hl, g), hl.Func("h")
        h[x, y] = f[x + 1, y] + f[x, y + 1]
        PLACES[name](hl, f, g, h, y)
        return h.realize([21, 13])

    same(program)


@pytest.mark.parametrize("name", ["f", "g"])
def test_beside_its_consumers_or_producers(name):
    x, y, g, h = pipec.Var("x"), pipec.Var("y"), _squares(pipec), pipec.Func("h")
    f = _rows(pipec, g)
    h[x, y] = f[x, y]
    g.compute_root()
    f.compute_root()
    {"f": f, "g": g}[name].async_()
    j, i = np.mgrid[0:13, 0:21]
    expected = sum((i + d) ** 2 + j * 7 for d in (-1, 0, 1)) * 3
    assert all(np.array_equal(np.asarray(h.realize([21, 13])), expected) for _ in range(20))


BEYOND_THE_WHEEL = {
    "rows that slide": lambda f, g, h, y: (f.store_root().compute_at(h, y), g.compute_at(h, y)),
    "wrappers and clones": lambda f, g, h, y: (g.in_(f).compute_root(), f.clone_in(h).compute_at(h, y)),
}


@pytest.mark.parametrize("name", BEYOND_THE_WHEEL)
def test_places_that_the_wheel_refuses(name):
    x, y, g, h = pipec.Var("x"), pipec.Var("y"), _squares(pipec), pipec.Func("h")
    f = _rows(pipec, g)
    h[x, y] = f[x, y] + f[x, y + 1]
    BEYOND_THE_WHEEL[name](f, g, h, y)
    j, i = np.mgrid[0:13, 0:21]
    expected = sum((i + d) ** 2 * 2 + j * 14 + 7 for d in (-1, 0, 1)) * 3
    assert np.array_equal(np.asarray(h.realize([21, 13])), expected)


def test_memory_of_unknown_size_is_not_hoisted():
    x, y, g, h = pipec.Var("x"), pipec.Var("y"), _squares(pipec), pipec.Func("h")
    f = _rows(pipec, g)
    h[x, y] = f[x, y]
    f.compute_at(h, y)
    g.hoist_storage_root().compute_at(h, y)
    with pytest.raises(pipec.HalideError, match="the C function of a consumer asks for.*bound_storage"):
        h.realize([21, 13])
    g.bound_storage(x, 32).bound_storage(y, 1)
    j, i = np.mgrid[0:13, 0:21]
    expected = sum((i + d) ** 2 + j * 7 for d in (-1, 0, 1)) * 3
    assert np.array_equal(np.asarray(h.realize([21, 13])), expected)


def test_producers_between_storage_and_computation_are_refused():
    x, y, g, h = pipec.Var("x"), pipec.Var("y"), _squares(pipec), pipec.Func("h")
    f = _rows(pipec, g)
    h[x, y] = f[x, y] + f[x, y + 1]
    g.compute_at(h, y)
    f.store_root().compute_at(h, y).async_()
    with pytest.raises(pipec.HalideError, match="squares.* is consumed by async Func rows"):
        h.realize([4, 4])


def test_bounds_of_regions_are_traced(capsys):
    x, y, g, h = pipec.Var("x"), pipec.Var("y"), _squares(pipec), pipec.Func("h")
    f = _rows(pipec, g)
    h[x, y] = f[x, y]
    f.compute_root().trace_realizations()
    g.compute_root().trace_realizations()
    h.realize([5, 2])
    reports = capsys.readouterr().out
    assert "(-1, 7, 0, 2)" in reports and "(0, 5, 0, 2)" in reports


def test_as_the_output():
    def program(hl):
        g = _squares(hl)
        g.compute_root()
        return _rows(hl, g).realize([21, 13])

    same(program)


@pytest.mark.parametrize("kind", ["ImageParam", "Buffer"])
def test_of_images(kind):
    def program(hl):
        pixels = hl.Buffer(np.arange(70, dtype=np.int32).reshape(7, 10) ** 2)
        image = hl.ImageParam(hl.Int(32), 2, "image") if kind == "ImageParam" else pixels
        if kind == "ImageParam":
            image.set(pixels)
        out = hl.Buffer(hl.Int(32), [8, 3])
        out.set_min([1, 2])
        _rows(hl, image).realize(out)
        return out

    same(program)


def test_after_each_other_and_twice():
    def program(hl):
        x, y = hl.Var("x"), hl.Var("y")
        g = _squares(hl)
        first = _rows(hl, g, 2, "first")
        second, h = _rows(hl, first, 5, "second"), hl.Func("h")
        h[x, y] = first[x, y] - second[x - 1, y + 2]
        for func in (g, first, second):
            func.compute_root()
        return h.realize([9, 5])

    same(program)


def test_several_inputs_values_and_numbers():
    def program(hl):
        x, p, q, f, h = hl.Var("x"), hl.Func("p"), hl.Func("q"), hl.Func("f"), hl.Func("h")
        less = hl.Param(hl.Int(8), "less", -5)
        p[x], q[x] = x * 3, x * x
        inputs = [p, q, hl.f32(0.5), less, hl.i32(less) < 0]
        f.define_extern("ef_two", [hl.ExternFuncArgument(a) for a in inputs], [hl.Int(32), hl.Float(32)], 1)
        h[x] = hl.f32(f[x][0]) + f[x + 1][1]
        for func in (p, q, f):
            func.compute_root()
        return [h.realize([6]), *f.realize([6])]

    same(program)


def test_of_a_tuple():
    def program(hl):
        x, g, f = hl.Var("x"), hl.Func("g"), hl.Func("f")
        g[x] = (x, hl.u8(x * 2))
        g.compute_root()
        f.define_extern("ef_of_tuple", [hl.ExternFuncArgument(g)], hl.Int(32), 1)
        return f.realize([6])

    same(program)


def test_functions_that_compute_more_than_is_required():
    def program(hl):
        x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
        f.define_extern("ef_groups", [hl.ExternFuncArgument(7)], hl.Int(32), 1)
        g[x] = f[x] + f[x + 1]
        f.compute_root()
        return g.realize([6])

    same(program)


def test_updates_follow_the_function():
    y, r = pipec.Var("y"), pipec.RDom([(0, 3)])
    g = _squares(pipec)
    g.compute_root()
    f = _rows(pipec, g)
    f[r.x, y] += 100
    f.update()
    j, i = np.mgrid[0:3, 0:5]
    squares = sum((i + d) ** 2 + j * 7 for d in (-1, 0, 1)) * 3
    assert (np.asarray(f.realize([5, 3])) == squares + np.where(i < 3, 100, 0)).all()


def test_the_function_is_asked_what_it_needs_of_inputs():
    def program(hl):
        image = hl.ImageParam(hl.Int(32), 2, "image")
        _rows(hl, image).infer_input_bounds([5, 3])
        return np.array([[image.get().dim(d).min(), image.get().dim(d).extent()] for d in (0, 1)])

    both_equal(program, np.array([[-1, 7], [0, 3]]))


@pytest.mark.parametrize("level", ["x", "y", "tiles"])
def test_functions_called_in_a_loop_are_asked_what_they_need_of_inputs(level):
    def program(hl):
        image, f, x, y = hl.ImageParam(hl.Int(32), 2, "image"), hl.Func("f"), hl.Var("x"), hl.Var("y")
        rows = _rows(hl, image)
        f[x, y] = rows[x + 2, y] + rows[x, y + 1]
        if level == "tiles":
            tile = hl.Var("tile")
            f.tile(x, y, tile, y, x, hl.Var("yi"), 4, 2, hl.TailStrategy.GuardWithIf)
            rows.compute_at(f, tile)
        else:
            rows.compute_at(f, {"x": x, "y": y}[level])
        f.infer_input_bounds([5, 3])
        return np.array([[image.get().dim(d).min(), image.get().dim(d).extent()] for d in (0, 1)])

    both_equal(program, np.array([[-1, 9], [0, 4]]))


def test_what_a_func_says_of_itself():
    f, g = _rows(pipec, _squares(pipec)), _squares(pipec)
    assert (f.is_extern(), f.extern_function_name(), f.dimensions()) == (True, "ef_row_sums", 2)
    assert (g.is_extern(), g.extern_function_name()) == (False, "")
    image, buffer = pipec.ImageParam(pipec.Int(32), 1), pipec.Buffer(pipec.Int(32), [2])
    kinds = [pipec.ExternFuncArgument(a) for a in (g, 3, image, buffer)]
    methods = ("is_func", "is_expr", "is_image_param", "is_buffer")
    assert [[getattr(kind, method)() for method in methods] for kind in kinds] == np.eye(4, dtype=bool).tolist()
    assert not pipec.ExternFuncArgument().defined()


def test_a_function_pointer_can_be_passed():
    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_void_p)
    def seven(value, buffer):
        return value

    f = pipec.Func("f")
    f.define_extern(seven, [0], pipec.Int(32), 1)
    f.realize([4])
    f = pipec.Func("f")
    f.define_extern(seven, [7], pipec.Int(32), 1)
    with pytest.raises(pipec.ExternError, match="returned non-zero value: 7"):
        f.realize([4])


def test_a_status_is_an_error():
    f = pipec.Func("f")
    f.define_extern("ef_fails", [], pipec.Int(32), 1)
    with pytest.raises(pipec.ExternError, match="Call to external stage ef_fails returned non-zero value: 17"):
        f.realize([4])


def test_an_unknown_function_is_an_error():
    f = pipec.Func("f")
    f.define_extern("nowhere_to_be_found", [], pipec.Int(32), 1)
    with pytest.raises(pipec.ExternError, match="nowhere_to_be_found.*was not found.*RTLD_GLOBAL"):
        f.realize([4])


def test_inputs_of_the_function_need_memory():
    with pytest.raises(pipec.HalideError, match="squares.* cannot be scheduled to be computed inline"):
        _rows(pipec, _squares(pipec)).realize([4, 4])


LOOPS_AROUND_CALLS = {
    "rows": lambda f, v, tail: f.serial(v.y),
    "threads": lambda f, v, tail: f.parallel(v.y),
    "columns": lambda f, v, tail: f.reorder(v.y, v.x).serial(v.x),
    "another name": lambda f, v, tail: f.rename(v.y, v.t).serial(v.t),
    "blocks": lambda f, v, tail: f.split(v.y, v.yo, v.yi, 4, tail),
    "blocks in threads": lambda f, v, tail: f.split(v.y, v.yo, v.yi, 4, tail).parallel(v.yo),
    "blocks of rows": lambda f, v, tail: f.split(v.y, v.yo, v.yi, 4, tail).serial(v.yi),
    "blocks of blocks": lambda f, v, tail: f.split(v.y, v.yo, v.yi, 6, tail).split(v.yi, v.yi, v.t, 4, tail),
    "blocks of outer loops": lambda f, v, tail: f.split(v.y, v.yo, v.yi, 2, tail).split(v.yo, v.yo, v.t, 3, tail),
    "unrolled": lambda f, v, tail: f.unroll(v.y, 2, tail),
    "tiles": lambda f, v, tail: f.tile(v.x, v.y, v.xo, v.yo, v.xi, v.yi, 4, 3, tail),
    "tiles in threads": lambda f, v, tail: f.tile(v.x, v.y, v.xo, v.yo, v.xi, v.yi, 4, 3, tail).parallel(v.yo),
    "one loop of tiles": lambda f, v, tail: (
        f.tile(v.x, v.y, v.xo, v.yo, v.xi, v.yi, 4, 3, tail).fuse(v.xo, v.yo, v.t).parallel(v.t)
    ),
    "a fused loop of the function": lambda f, v, tail: f.fuse(v.x, v.y, v.t),
    "blocks of a fused loop": lambda f, v, tail: f.fuse(v.x, v.y, v.t).split(v.t, v.yo, v.yi, 5, tail),
}
_TAILS = ["Auto", "GuardWithIf", "Predicate", "RoundUp", "ShiftInwards"]


def _around_calls(name, tail, change=lambda f, g, v: None):
    """The rows of h with loops around the call of f's function, and what is expected."""
    v = SimpleNamespace(**{n: pipec.Var(n) for n in "x y xo yo xi yi t".split()})
    g = _squares(pipec)
    f, h = _rows(pipec, g), pipec.Func("h")
    h[v.x, v.y] = f[v.x, v.y] + v.x
    g.compute_root()
    f.compute_root()
    LOOPS_AROUND_CALLS[name](f, v, getattr(pipec.TailStrategy, tail))
    change(f, g, v)
    j, i = np.mgrid[0:13, 0:21]
    return np.asarray(h.realize([21, 13])), sum((i + d) ** 2 + j * 7 for d in (-1, 0, 1)) * 3 + i


@pytest.mark.part(5)
@pytest.mark.parametrize("tail", _TAILS)
@pytest.mark.parametrize("name", LOOPS_AROUND_CALLS)
def test_loops_around_the_call(name, tail):
    result, expected = _around_calls(name, tail)
    assert np.array_equal(result, expected)


@pytest.mark.part(3)
@pytest.mark.parametrize("tail", _TAILS)
@pytest.mark.parametrize("name", ["blocks", "blocks in threads", "tiles", "tiles in threads"])
def test_what_the_function_reads_is_computed_in_loops_around_the_call(name, tail, capfd):
    """The wheel computes all of it in each iteration."""
    loop, width = ("xo", 4 + 2) if "tiles" in name else ("yo", 21 + 2)

    def inside(f, g, v):
        g.compute_at(f, getattr(v, loop)).vectorize(v.x, 4).trace_realizations()

    result, expected = _around_calls(name, tail, inside)
    assert np.array_equal(result, expected)
    boxes = re.findall(r"Begin realization squares\S*\((-?\d+), (\d+), (-?\d+), (\d+)\)", capfd.readouterr().out)
    assert boxes and all(int(columns) <= width and int(rows) <= 4 for _, columns, _, rows in boxes)


@pytest.mark.parametrize("limit", [0, 5])
def test_versions_have_loops_of_their_own(limit, capfd):
    """The wheel ignores specializations of extern stages."""
    x, y, yo, yi = pipec.vars("x y yo yi")
    g, h, p = _squares(pipec), pipec.Func("h"), pipec.Param(pipec.Int(32), limit)
    f = _rows(pipec, g)
    h[x, y] = f[x, y]
    f.compute_root().split(y, yo, yi, 4)
    f.specialize(p > 3).parallel(yo)
    f.specialize(p > 7).serial(yi)
    g.compute_at(f, yo).trace_realizations()
    j, i = np.mgrid[0:13, 0:21]
    assert np.array_equal(h.realize([21, 13]), sum((i + d) ** 2 + j * 7 for d in (-1, 0, 1)) * 3)
    assert capfd.readouterr().out.count("Begin realization") == 4


def test_the_wheel_calls_for_the_same_blocks():
    def program(hl):
        x, y, yo, yi, h = *[hl.Var(n) for n in ("x", "y", "yo", "yi")], hl.Func("h")
        g = _squares(hl)
        f = _rows(hl, g)
        h[x, y] = f[x, y]
        g.compute_root()
        f.compute_root().split(y, yo, yi, 4).parallel(yo)
        return h.realize([21, 13])

    same(program)


def test_rows_that_the_function_reads_may_be_folded():
    x, y, h = pipec.Var("x"), pipec.Var("y"), pipec.Func("h")
    g = _squares(pipec)
    f = _rows(pipec, g)
    h[x, y] = f[x, y]
    f.compute_root().serial(y)
    g.store_root().compute_at(f, y).fold_storage(y, 1)
    j, i = np.mgrid[0:13, 0:21]
    assert np.array_equal(h.realize([21, 13]), sum((i + d) ** 2 + j * 7 for d in (-1, 0, 1)) * 3)


def test_what_is_read_in_a_loop_can_be_traced(capfd):
    """Viewers are told the box of the whole run, for which the function is asked once more."""
    x, y, h = pipec.Var("x"), pipec.Var("y"), pipec.Func("h")
    g = _squares(pipec)
    f = _rows(pipec, g)
    h[x, y] = f[x, y]
    f.compute_at(h, y)
    g.compute_at(h, y).trace_realizations()
    h.realize([21, 13])
    assert "func_type_and_dim: 1 0 32 1 2 -1 23 0 13" in capfd.readouterr().out


def test_wrong_loops_around_the_call():
    x, y, yo, yi = pipec.vars("x y yo yi")

    def scheduled(change):
        g = _squares(pipec)
        g.compute_root()
        f = _rows(pipec, g)
        change(f)
        f.realize([8, 4])

    with pytest.raises(pipec.HalideError, match="cannot have loop type vectorized"):
        scheduled(lambda f: f.vectorize(x, 4))
    with pytest.raises(pipec.HalideError, match="cannot have extern loop y outside a non-extern loop. Reorder x"):
        scheduled(lambda f: f.parallel(x))
    with pytest.raises(pipec.HalideError, match="cannot have extern loop yi outside a non-extern loop. Reorder yo"):
        scheduled(lambda f: f.split(y, yo, yi, 2).reorder(yo, yi))


def test_loops_cannot_be_shared():
    x, y, g, h = pipec.Var("x"), pipec.Var("y"), _squares(pipec), pipec.Func("h")
    f = _rows(pipec, g)
    h[x, y] = x
    g.compute_root()
    h.compute_with(f, y)
    with pytest.raises(pipec.HalideError, match="has no loops to share"):
        pipec.Pipeline([f, h]).realize([4, 4])


def test_bad_definitions():
    x = pipec.Var("x")
    with pytest.raises(pipec.HalideError, match="Bad ExternFuncArgument type"):
        pipec.Func("f").define_extern("ef_fails", [pipec.ExternFuncArgument()], pipec.Int(32), 1)
    with pytest.raises(pipec.HalideError, match="Func with a pure definition cannot have an extern definition"):
        _squares(pipec).define_extern("ef_fails", [], pipec.Int(32), 1)
    f = pipec.Func("f")
    with pytest.raises(pipec.HalideError, match="Extern Func has itself as an argument"):
        f.define_extern("ef_fails", [pipec.ExternFuncArgument(f)], pipec.Int(32), 1)
    with pytest.raises(pipec.HalideError, match="to have exactly 1 dimensions, but is defined with 2 dimensions"):
        pipec.Func(pipec.Int(32), 1, "f").define_extern("ef_fails", [], pipec.Int(32), 2)
    with pytest.raises(pipec.HalideError, match="only hold values of type uint8 but is defined with values of type"):
        pipec.Func(pipec.UInt(8), 1, "f").define_extern("ef_fails", [], pipec.Int(32), 1)
    with pytest.raises(pipec.HalideError, match="Func und.* has no definition yet"):
        pipec.Func("f").define_extern("ef_fails", [pipec.Func("und")], pipec.Int(32), 1)
    with pytest.raises(pipec.HalideError, match='Undefined variable "x"'):
        pipec.Func("f").define_extern("ef_fails", [pipec.i32(x)], pipec.Int(32), 1)
    with pytest.raises(pipec.HalideError, match="was called with 3 arguments, but was defined with 2"):
        _rows(pipec, _squares(pipec))[x, x, x]
    with pytest.raises(pipec.HalideError, match="is no name of a C function"):
        pipec.Func("f").define_extern("not a name", [], pipec.Int(32), 1)
    with pytest.raises(TypeError, match="incompatible function arguments"):
        pipec.Func("f").define_extern("ef_fails", [], 3, 1)


def _pipeline():
    x, y = pipec.vars("x y")
    image = pipec.ImageParam(pipec.Int(32), 2, "image")
    g, h = pipec.Func("g"), pipec.Func("h")
    g[x, y] = pipec.BoundaryConditions.repeat_edge(image)[x, y] * 2
    f = _rows(pipec, g)
    h[x, y] = f[x, y] + f[x, y + 1]
    g.compute_at(h, y)
    f.compute_at(h, y)
    return h, image


@pytest.mark.parametrize("form", ["object", "c"])
def test_emitted_code_calls_the_function(form, tmp_path, library):
    h, image = _pipeline()
    source = tmp_path / ("pipeline.o" if form == "object" else "pipeline.c")
    write = h.compile_to_c if form == "c" else h.compile_to_object
    write(source, [image], "pipeline")
    assert form == "object" or "extern int ef_row_sums(" in source.read_text()
    files = [str(source), str(SOURCE)]
    if form == "object":
        archive = tmp_path / "pipeline.a"
        h.compile_to_static_library(tmp_path / "pipeline", [image], "pipeline")
        files = ["-Wl,--whole-archive", str(archive), "-Wl,--no-whole-archive", str(SOURCE)]
    flags = ["-shared", "-fPIC", "-Wall", "-Wno-unused-function", "-lpthread", "-lm"]
    built = tmp_path / "pipeline.so"
    done = subprocess.run(["cc", *files, *flags, "-o", str(built)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    pixels = np.random.default_rng(0).integers(0, 99, (9, 12), np.int32)
    image.set(pipec.Buffer(pixels))
    expected = np.asarray(h.realize([12, 9]))
    result = np.zeros_like(expected)
    assert ctypes.CDLL(str(built)).pipeline(*[ctypes.byref(_described(a)) for a in (pixels, result)]) == 0
    assert (result == expected).all()


class _Buffer(ctypes.Structure):
    _fields_ = [
        ("device", ctypes.c_uint64),
        ("device_interface", ctypes.c_void_p),
        ("host", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("type", ctypes.c_uint32),
        ("dimensions", ctypes.c_int32),
        ("dim", ctypes.c_void_p),
        ("padding", ctypes.c_void_p),
    ]


def _described(array):
    height, width = array.shape
    dims = (ctypes.c_int32 * 8)(0, width, 1, 0, 0, height, width, 0)
    built = _Buffer(0, None, array.ctypes.data, 0, 1 << 16 | 32 << 8, 2, ctypes.addressof(dims), None)
    built.keep = dims
    return built
