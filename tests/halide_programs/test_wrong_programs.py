"""Programs that must be refused or warned about: Halide's programs of errors and warnings, on both modules."""

import importlib
import sys
import warnings
from pathlib import Path

import halide
import numpy as np
import pytest
from helpers import image

PROGRAMS = {}


def wrong(program):
    """Enters a program that must raise an error on both modules."""
    PROGRAMS[program.__name__] = program
    return program


def stencil(hl):
    """f(x, y) = x + y and a consumer g."""
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    f[x, y] = x + y
    g[x, y] = f[x - 1, y + 1] + f[x, y - 1]
    return x, y, f, g


def row(hl, name="f"):
    """f(x) = x."""
    x, f = hl.Var("x"), hl.Func(name)
    f[x] = x
    return x, f


@wrong
def a_failing_requirement_of_a_stage_in_a_thread_of_its_own(hl):
    x, f = hl.Var("x"), hl.Func("f")
    g, p = hl.Func("g"), hl.Param(hl.Int(32), "p")
    f[x] = hl.require(p == 1, x, p)
    g[x] = f[x] + 1
    f.compute_root().async_()
    p.set(2)
    g.realize([8])


@wrong
def a_producer_stored_and_computed_in_a_loop_of_a_stage_in_another_thread(hl):
    x, f = row(hl)
    g, h = hl.Func("g"), hl.Func("h")
    g[x] = f[x]
    h[x] = g[x]
    f.store_root().compute_at(h, x)
    g.store_root().compute_at(h, x).async_()
    h.realize([32])


@wrong
def two_stages_in_threads_of_their_own_computed_in_the_same_loop(hl):
    x, y, f, g = stencil(hl)
    h = hl.Func("h")
    h[x, y] = g[x, y - 1] + g[x, y + 1]
    f.compute_at(h, y).async_()
    g.store_root().compute_at(h, y).async_()
    h.realize([16, 16])


@wrong
def a_fold_of_too_few_rows(hl):
    x, y, f, g = stencil(hl)
    f.store_root().compute_at(g, y).fold_storage(y, 2)
    g.realize([10, 100])


@wrong
def storage_that_is_bounded_too_small(hl):
    x, y, f, g = stencil(hl)
    f.compute_root().bound_storage(x, 5)
    g.realize([16, 4])


@wrong
def shared_loops_of_a_producer_and_its_consumer(hl):
    x, y, f, g = stencil(hl)
    h = hl.Func("h")
    h[x, y] = g[x, y] * 2
    f.compute_root()
    g.compute_root().compute_with(f, y)
    h.realize([8, 8])


@wrong
def shared_loops_of_a_version(hl):
    x, y = hl.Var("x"), hl.Var("y")
    f, g, h, p = hl.Func("f"), hl.Func("g"), hl.Func("h"), hl.Param(hl.Bool(), "p")
    f[x, y], g[x, y] = x + y, x - y
    h[x, y] = f[x, y] + g[x, y]
    f.compute_root()
    g.compute_root()
    f.specialize(p)
    g.specialize(p)
    g.compute_with(f, y)
    h.realize([8, 8])


@wrong
def shared_loops_with_a_func_that_nobody_reads(hl):
    x, y = hl.Var("x"), hl.Var("y")
    f, g, h = hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[x, y], g[x, y] = x + y, x - y
    h[x, y] = g[x, y]
    f.compute_root()
    g.compute_root().compute_with(f, y)
    h.realize([8, 8])


@wrong
def shared_loops_that_cross(hl):
    x, y, f, g = stencil(hl)
    f, g, h = hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[x, y] = x + y
    f[x, y] += y
    g[x, y] = 10
    g[x, y] += x - y
    h[x, y] = f[x, y] + g[x, y]
    f.compute_root()
    g.compute_root()
    f.compute_with(g.update(0), y)
    g.compute_with(f.update(0), y)
    h.realize([8, 8])


@wrong
def shared_loops_with_two_funcs_at_once(hl):
    x, y = hl.Var("x"), hl.Var("y")
    f, g, h = hl.Func("f"), hl.Func("g"), hl.Func("h")
    out = hl.Func("out")
    f[x, y], g[x, y], h[x, y] = x + y, x - y, x * y
    h[x, y] += f[x, y] * 0
    out[x, y] = g[x, y] + h[x, y]
    for func in (f, g, h):
        func.compute_root()
    f.compute_with(h.update(0), y)
    out.realize([8, 8])


@wrong
def a_device_that_no_target_has(hl):
    x, y, f, g = stencil(hl)
    f.compute_root().gpu_tile(x, y, hl.Var("xi"), hl.Var("yi"), 4, 4)
    g.realize([8, 8], hl.Target("host"))


@wrong
def loops_of_a_c_function_in_another_order(hl):
    x, xo, f = hl.Var("x"), hl.Var("xo"), hl.Func("f")
    f.define_extern("no_such_function", [], hl.Int(32), [x])
    f.split(x, xo, x, 8).reorder(xo, x)
    f.compile_jit()


@wrong
def vectors_of_a_c_function(hl):
    x, xo, f = hl.Var("x"), hl.Var("xo"), hl.Func("f")
    f.define_extern("no_such_function", [], hl.Int(32), [x])
    f.split(x, xo, x, 8).vectorize(xo)
    f.compile_jit()


@wrong
def a_c_function_of_its_own_result(hl):
    x, f = hl.Var("x"), hl.Func("f")
    f.define_extern("no_such_function", [hl.ExternFuncArgument(f)], hl.Int(32), [x])
    f.compile_jit()


@wrong
def a_c_function_with_another_number_of_dimensions(hl):
    x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
    f.define_extern("no_such_function", [], hl.Int(32), [x])
    g[x] = f[x, x]
    g.realize([4])


@wrong
def a_promise_that_is_broken(hl):
    source, table, x, f = hl.ImageParam(hl.UInt(16), 1), hl.ImageParam(hl.Float(32), 1), hl.Var("x"), hl.Func("f")
    f[x] = table[hl.i32(hl.unsafe_promise_clamped(source[x], 0, 1023))]
    source.set(image(hl, np.arange(100, dtype=np.uint16) * 20))
    table.set(image(hl, np.zeros(1024, np.float32)))
    target = hl.get_jit_target_from_environment().with_feature(hl.TargetFeature.CheckUnsafePromises)
    f.realize([100], target)


@wrong
def an_eviction_key_that_changes(hl):
    x, f = row(hl)
    f.compute_root().memoize(hl.EvictionKey(hl.u64(1)))
    f.memoize(hl.EvictionKey(hl.u64(2)))


@wrong
def a_split_factor_of_minus_one(hl):
    x, f = row(hl)
    p = hl.Param(hl.Int(32), "p")
    f.parallel(x, p)
    p.set(-1)
    f.realize([32])


@wrong
def a_negative_size(hl):
    x, f = row(hl)
    f.realize([-3])


@wrong
def an_rdom_over_an_undefined_func(hl):
    x, f, g, r = hl.Var("x"), hl.Func("f"), hl.Func("g"), hl.RDom([(0, 4)])
    f[x] = 0
    f[x] += g[r.x]


@wrong
def hoisted_storage_without_a_compute_level(hl):
    x, y, f, g = stencil(hl)
    f.hoist_storage_root()
    g.realize([8, 8])


@wrong
def a_store_level_without_a_compute_level(hl):
    x, y, f, g = stencil(hl)
    f.store_at(g, y)
    g.realize([8, 8])


@wrong
def a_thread_loop_without_a_block_loop(hl):
    x, y, f, g = stencil(hl)
    f.compute_root().gpu_threads(x)
    target = hl.Target("host-opencl")
    g.compile_to_lowered_stmt("/dev/null", [], hl.StmtOutputFormat.Text, target)


@wrong
def vectors_of_a_size_that_a_param_gives(hl):
    x, f = row(hl)
    xo, xi, n = hl.Var("xo"), hl.Var("xi"), hl.Param(hl.Int(32), "n")
    n.set(12)
    f.split(x, xo, xi, n).vectorize(xi)
    f.realize([24])


@wrong
def vectors_of_no_lanes(hl):
    x, f = row(hl)
    f.vectorize(x, -7)
    f.realize([8])


@wrong
def an_update_by_another_type(hl):
    x, f = row(hl)
    f[x] = hl.f32(x)


@wrong
def an_update_with_another_number_of_values(hl):
    x, f = row(hl)
    f[x] = (x, x)


@wrong
def an_update_with_values_of_other_types(hl):
    x, f = hl.Var("x"), hl.Func("f")
    f[x] = (hl.u8(0), hl.f64(0))
    f[x] = (hl.i32(0), hl.f32(0))


@wrong
def values_of_other_types_than_declared(hl):
    x, f = hl.Var("x"), hl.Func([hl.UInt(8), hl.Float(64)], 1, "f")
    f[x] = (hl.i32(0), hl.f32(0))


@wrong
def single_values_in_an_array_of_halves(hl):
    x, f = hl.Var("x"), hl.Func("f")
    f[x] = hl.f32(0.1)
    f.realize(hl.Buffer(hl.Float(16), [4]))


@wrong
def the_value_of_a_tuple_as_a_number(hl):
    x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
    f[x] = (x, x)
    g[x] = f[x] + 1


@wrong
def a_param_without_a_value(hl):
    source, x, f = hl.ImageParam(hl.UInt(8), 1), hl.Var("x"), hl.Func("f")
    f[x] = source[x]
    f.realize([8])


@wrong
def params_of_one_name(hl):
    p, q, x, f = hl.Param(hl.Int(32), "same"), hl.Param(hl.Float(32), "same"), hl.Var("x"), hl.Func("f")
    f[x] = p + hl.i32(q)
    f.compile_to_callable([p, q])


@wrong
def a_weight_beyond_one(hl):
    x, f = hl.Var("x"), hl.Func("f")
    f[x] = hl.lerp(0, 42, 1.1)


@wrong
def a_wrapper_that_is_changed(hl):
    x, f = row(hl)
    g = hl.Func("g")
    g[x] = f[x]
    f.in_(g)[x] = x + 1


@wrong
def a_clone_after_its_func_was_wrapped_for_others(hl):
    x, f = row(hl)
    g, h = hl.Func("g"), hl.Func("h")
    g[x] = f[x]
    h[x] = f[x]
    f.in_([g, h])
    f.in_(g).compute_root()
    f.in_([g])
    out = hl.Func("out")
    out[x] = g[x] + h[x]
    f.clone_in(g)
    out.realize([4])


@wrong
def a_wrapper_for_one_of_those_that_share_one(hl):
    x, f = row(hl)
    g, h = hl.Func("g"), hl.Func("h")
    g[x] = f[x]
    h[x] = f[x]
    f.in_([g, h])
    f.in_(h)


@wrong
def a_shared_wrapper_with_one_that_has_its_own(hl):
    x, f = row(hl)
    g, h = hl.Func("g"), hl.Func("h")
    g[x] = f[x]
    h[x] = f[x]
    f.in_(h)
    f.in_([g, h])


@wrong
def a_loop_over_a_var_of_another_func(hl):
    x, y, f, g = stencil(hl)
    f.compute_at(g, hl.Var("unknown"))
    g.realize([8, 8])


@wrong
def a_constant_below_zero_in_an_unsigned_type(hl):
    hl.clamp(hl.u8(3), -5, 300)


@wrong
def an_interleaved_input_that_was_not_declared(hl):
    source, x, y, f = hl.ImageParam(hl.UInt(8), 3), hl.Var("x"), hl.Var("y"), hl.Func("f")
    f[x, y] = source[x, y, 0]
    source.dim(0).set_stride(1)
    source.set(hl.Buffer.make_interleaved(hl.UInt(8), 8, 8, 3))
    f.realize([8, 8])


@wrong
def a_func_after_it_has_been_realized(hl):
    x, f = row(hl)
    f.realize([4])
    f[x] += 1


@wrong
def a_definition_after_the_func_was_read(hl):
    x, f = row(hl)
    g = hl.Func("g")
    g[x] = f[x]
    f[x] += 1


@wrong
def an_unroll_of_an_unknown_extent(hl):
    x, f = row(hl)
    f.unroll(x)
    f.realize([4])


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_refused(hl, name):
    # Mistakes that the bindings find themselves are TypeErrors and the like.
    with pytest.raises((hl.HalideError, TypeError, ValueError, RuntimeError, IndexError)) as caught:
        PROGRAMS[name](hl)
    assert "InternalError" not in type(caught.value).__name__


def a_requirement_that_never_holds(hl):
    x, f = hl.Var("x"), hl.Func("f")
    f[x] = hl.require(hl.Expr(0) > 1, x, 3)
    f.compile_jit()


def an_update_without_a_schedule(hl):
    x, f = row(hl)
    f[x] += 2
    f.vectorize(x, 4)
    f.realize([8])


WARNINGS = {
    a_requirement_that_never_holds: "require",
    an_update_without_a_schedule: "has not been scheduled",
}


@pytest.mark.parametrize("program", WARNINGS, ids=lambda program: program.__name__)
def test_it_is_warned_of(hl, program, capfd):
    capfd.readouterr()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        program(hl)
    texts = "".join(capfd.readouterr()) + "".join(str(w.message) for w in caught)
    assert WARNINGS[program].lower() in texts.lower()


# What the wheel accepts (pipec refuses it), or ends the process with.
ACCEPTED_BY_THE_WHEEL = {
    "impossible_constraints", "round_up_and_blend_race", "vectorize_too_little", "fold_storage_not_applied",
    "rvar_fuse_reorder", "input_buffer_func_name_collision",
}  # fmt: skip


def halide_error_programs():
    """The programs of tests/errors that have the names of Halide's, which run there on pipec."""
    sys.path.append(str(Path(__file__).parents[1] / "errors"))
    programs = importlib.import_module("test_halide_programs").PROGRAMS
    return {name: program for name, program in programs.items() if name not in ACCEPTED_BY_THE_WHEEL}


@pytest.mark.parametrize("name", halide_error_programs())
def test_the_wheel_refuses_what_pipec_does(name):
    with pytest.raises((halide.HalideError, TypeError, ValueError, RuntimeError, IndexError)):
        halide_error_programs()[name].run(halide)
