"""Halide's own programs that must fail, by their names there; those that other files here do not have."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from bad import Bad
from bad import bad as bad_program

from pipec.errors import PipecError

PROGRAMS: dict[str, Bad] = {}
bad = partial(bad_program, PROGRAMS)
RACE = "may introduce a race condition"


def variables(hl: Any, names: str = "x y") -> tuple[Any, ...]:
    return tuple(hl.Var(name) for name in names.split())


def defined(hl: Any, name: str = "f") -> Any:
    x, y = variables(hl)
    f = hl.Func(name)
    f[x, y] = x + y
    return f


def reduced(hl: Any, name: str = "f") -> tuple[Any, Any]:
    """f(x, y) = f(r.x, y - like) in an order that matters."""
    x, y = variables(hl)
    f, r = hl.Func(name), hl.RDom([(0, 10), (0, 10)], "r")
    f[x, y] = x + y
    f[x, y] = f[x, y] * 3 - r.x - 2 * r.y
    return f, r


@bad(PipecError, "atomic", "where it writes depends on values of f itself")
def atomics_self_reference(hl: Any) -> None:
    (x,) = variables(hl, "x")
    f, r = hl.Func("f"), hl.RDom([(0, 10)], "r")
    f[x] = 0
    f[hl.clamp(f[r], 0, 9)] += 1
    f.update(0).atomic(True).parallel(r.x)
    f.realize([10])


@bad(PipecError, "Can't bound variable y of function f because y is not one of the pure variables of f.")
def bad_bound(hl: Any) -> None:
    x, y = variables(hl)
    f = hl.Func("f")
    f[x] = x
    f.bound(y, 0, 10)


@bad(PipecError, "is not aligned to a 512 bytes boundary")
def bad_host_alignment(hl: Any) -> None:
    (x,) = variables(hl, "x")
    image, f = hl.ImageParam(hl.UInt(8), 1, "image"), hl.Func("f")
    f[x] = image[x]
    image.set_host_alignment(512)
    memory = np.zeros(2048, np.uint8)
    image.set(hl.Buffer(memory[(-memory.ctypes.data) % 512 + 3 :][:32]))
    f.realize([10])


@bad(PipecError, "Loop Partition Policy is set to Always for f.s0.x, but no loop partitioning was performed.")
def bad_partition_always(hl: Any) -> None:
    f = defined(hl)
    f.partition(hl.Var("x"), hl.Partition.Always)
    f.realize([10, 10])


@bad(PipecError, "Prefetch 'from' variable 'x' could not be found in an active loop")
def bad_prefetch(hl: Any) -> None:
    x, y = variables(hl)
    f, g = defined(hl), hl.Func("g")
    g[x, y] = f[x, y] + f[x + 1, y]
    f.compute_root()
    g.prefetch(f, y, x, 2)
    g.realize([10, 10])


@bad(PipecError, "In schedule for f, call to reorder references x twice.", line=True)
def bad_reorder(hl: Any) -> None:
    x, y = variables(hl)
    defined(hl).reorder(x, y, x)


@bad(PipecError, "In schedule for f, call to reorder_storage references x twice")
def bad_reorder_storage(hl: Any) -> None:
    x, y = variables(hl)
    defined(hl).reorder_storage(x, y, x)


@bad(PipecError, "can't reorder RVars", "because it may change the meaning of the algorithm")
def bad_rvar_order(hl: Any) -> None:
    f, r = hl.Func("f"), hl.RDom([(0, 10), (0, 10)], "r")
    x, y = variables(hl)
    f[x, y] = x + y
    f[r.x, r.y] = f[r.y, r.x] * 2 + 1
    f.update(0).reorder(r.y, r.x)


@bad(PipecError, "requires a buffer of exactly 2 dimensions, but the buffer passed in has 3 dimensions")
def callable_typed_bad_arguments_buffer_dims(hl: Any) -> None:
    x, y = variables(hl)
    image, f = hl.ImageParam(hl.UInt(8), 2, "image"), hl.Func("f")
    f[x, y] = image[x, y]
    f.compile_to_callable([image])(hl.Buffer(hl.UInt(8), [2, 2, 2]), hl.Buffer(hl.UInt(8), [2, 2]))


@bad(PipecError, "has type uint8 but type of the buffer passed in is float32")
def callable_typed_bad_arguments_buffer_type(hl: Any) -> None:
    x, y = variables(hl)
    image, f = hl.ImageParam(hl.UInt(8), 2, "image"), hl.Func("f")
    f[x, y] = image[x, y]
    f.compile_to_callable([image])(hl.Buffer(hl.Float(32), [2, 2]), hl.Buffer(hl.UInt(8), [2, 2]))


@bad(PipecError, "Can't constrain the min or extent of an output buffer beyond the first")
def constrain_wrong_output_buffer(hl: Any) -> None:
    (x,) = variables(hl, "x")
    f = hl.Func("f")
    f[x] = (x, x + 1)
    f.output_buffers()[1].dim(0).set_min(4)
    f.realize([10])


@bad(PipecError, "Undefined buffer calling const method width")
def forward_on_undefined_buffer(hl: Any) -> None:
    hl.Buffer().width()


@bad(PipecError, 'Func "f" is constrained to have exactly 1 dimensions, but is defined with 2 dimensions.')
def func_tuple_dim_mismatch(hl: Any) -> None:
    x, y = variables(hl)
    hl.Func([hl.UInt(8), hl.Float(64)], 1, "f")[x, y] = (hl.u8(0), hl.f64(0))


@bad(PipecError, RACE)
def fuse_vectorized_var_with_rvar(hl: Any) -> None:
    x, q = variables(hl, "x q")
    f, r = hl.Func("f"), hl.RDom([(0, 8)], "r")
    f[x, q] = 0
    f[x, q] = f[x, q] * 2 + r
    f.update(0).vectorize(q).fuse(q, r.x, hl.RVar("z"))


@bad((PipecError, ValueError), "infer_input_bounds")
def impossible_constraints(hl: Any) -> None:
    (x,) = variables(hl, "x")
    image, f = hl.ImageParam(hl.UInt(8), 1, "image"), hl.Func("f")
    f[x] = image[x]
    image.dim(0).set_extent(image.dim(0).extent() + 1)
    f.infer_input_bounds([10])


@bad(PipecError, "Generated code refers to", "image", "which was not found in the argument list")
def missing_args(hl: Any) -> None:
    (x,) = variables(hl, "x")
    image, f = hl.ImageParam(hl.UInt(8), 1, "image"), hl.Func("f")
    f[x] = image[x]
    f.compile_to_object("unwritten.o", [], "f")


@bad(PipecError, "PredicateLoads may not be used to split a Var stemming from the inner Var of a prior split")
def predicate_loads_used_in_inner_splits(hl: Any) -> None:
    x, xo, xi, xii = variables(hl, "x xo xi xii")
    f = defined(hl)
    f.split(x, xo, xi, 10, hl.TailStrategy.GuardWithIf)
    f.split(xi, xi, xii, 3, hl.TailStrategy.PredicateLoads)
    f.realize([10, 10])


@bad(PipecError, RACE, line=True)
def race_condition(hl: Any) -> None:
    f, r = reduced(hl)
    f.update(0).parallel(r.y)


@bad(PipecError, RACE)
def rdom_where_races(hl: Any) -> None:
    x, y = variables(hl)
    f, r = hl.Func("f"), hl.RDom([(0, 100), (0, 100)], "r")
    f[x, y] = 0
    r.where(f[r.x, r.y] == 0)
    f[r.y, r.x] = 1
    f.update(0).parallel(r.x)


@bad(PipecError, "may not be constructed with undefined Exprs")
def rdom_undefined(hl: Any) -> None:
    hl.RDom([(hl.Expr(), hl.Expr())], "r")


@bad(PipecError, "2 output(s) but pipeline produces 1 result(s)")
def realization_with_too_many_outputs(hl: Any) -> None:
    defined(hl).realize([hl.Buffer(hl.Int(32), [4, 4]), hl.Buffer(hl.Int(32), [4, 4])])


@bad(PipecError, "because xi is already used in this Func's schedule elsewhere")
def reuse_var_in_schedule(hl: Any) -> None:
    x, y, xo, yo, xi = variables(hl, "x y xo yo xi")
    defined(hl).split(x, xo, xi, 2).split(y, yo, xi, 2)


@bad(PipecError, "can't rfactor an Func that has fused a Var into an RVar")
def rfactor_fused_var_and_rvar(hl: Any) -> None:
    x, y, rf = variables(hl, "x y rf")
    f, r = hl.Func("f"), hl.RDom([(0, 5), (0, 5)], "r")
    f[x, y] = 1
    f[x, y] += r.x * r.y
    both = hl.RVar("both")
    f.update(0).fuse(r.y, y, both)
    f.update(0).rfactor(both, rf)


@bad(PipecError, "can't prove associativity of the operator")
def rfactor_inner_dim_non_commutative(hl: Any) -> None:
    f, r = reduced(hl)
    f.update(0).rfactor(r.x, hl.Var("u"))


@bad(PipecError, "RoundUpAndBlend", "race")
def round_up_and_blend_race(hl: Any) -> None:
    x, y, xo, xi, xii = variables(hl, "x y xo xi xii")
    f = defined(hl)
    f[x, y] += 1
    update = f.update(0)
    update.split(x, xo, xi, 8, hl.TailStrategy.GuardWithIf).parallel(xo)
    update.split(xi, xi, xii, 3, hl.TailStrategy.RoundUpAndBlend)
    f.realize([20, 20])


@bad(PipecError, "ShiftInwardsAndBlend", "race")
def shift_inwards_and_blend_race(hl: Any) -> None:
    x, y, xo, xi = variables(hl, "x y xo xi")
    f = defined(hl)
    f[x, y] += 1
    f.update(0).split(x, xo, xi, 8, hl.TailStrategy.ShiftInwardsAndBlend).parallel(xo)
    f.realize([20, 20])


@bad(PipecError, "Can't use TailStrategy::RoundUp for splitting", "It may redundantly recompute some values")
def split_inner_wrong_tail_strategy(hl: Any) -> None:
    x, y, xo, xi, xii = variables(hl, "x y xo xi xii")
    f = defined(hl)
    f[x, y] += 1
    f.update(0).split(x, xo, xi, 8).split(xi, xi, xii, 3, hl.TailStrategy.RoundUp)


@bad(PipecError, "In schedule for f, can't split x into x and x because the new Vars have the same name.")
def split_same_var_names(hl: Any) -> None:
    (x,) = variables(hl, "x")
    defined(hl).split(x, x, x, 16)


@bad(PipecError, "used in scheduling directive has the same name as existing RVar")
def treat_rvar_as_var(hl: Any) -> None:
    f, r = reduced(hl)
    f.update(0).split(hl.Var(r.x.name()), hl.Var("xo"), hl.Var("xi"), 4)


@bad(PipecError, "should have the same conditions")
def tuple_arg_select_undef(hl: Any) -> None:
    (x,) = variables(hl, "x")
    f, r = hl.Func("f"), hl.RDom([(0, 10)], "r")
    f[x] = (0, 0)
    first = hl.select(r < 2, r, hl.undef(hl.Int(32)))
    second = hl.select(r < 5, r, hl.undef(hl.Int(32)))
    f[hl.clamp(hl.select(r < 2, r, hl.undef(hl.Int(32))), 0, 9)] = (first, second)
    f.compute_root()
    f.realize([10])


@bad(PipecError, "should have the same conditions")
def tuple_val_select_undef(hl: Any) -> None:
    (x,) = variables(hl, "x")
    f = hl.Func("f")
    f[x] = (hl.select(x < 20, 20 * x, hl.undef(hl.Int(32))), x)
    f.realize([10])


@bad(PipecError, "Can't compile Pipeline with undefined output Func: f.")
def undefined_func_compile(hl: Any) -> None:
    hl.Func("f").compile_to_object("unwritten.o", [], "f")


@bad(PipecError, "Can't compile Pipeline with undefined output Func: f.")
def undefined_pipeline_compile(hl: Any) -> None:
    hl.Pipeline(hl.Func("f")).compile_to_object("unwritten.o", [], "f")


@bad(PipecError, "Vectors passed to Stage::tile must all be the same length.")
def vector_tile(hl: Any) -> None:
    x, y, xo, xi = variables(hl, "x y xo xi")
    defined(hl).tile([x, y], [xo], [xi], [8, 8])


@bad(PipecError, "Can't split x by 0. Split factors must be strictly positive")
def vectorize_too_little(hl: Any) -> None:
    (x,) = variables(hl, "x")
    defined(hl).vectorize(x, 0)


@bad(PipecError, 'Cannot wrap "f" in "g" because "g" does not call "f"', "Direct callees of")
def wrapper_never_used(hl: Any) -> None:
    x, y = variables(hl)
    f, g, h = defined(hl, "f"), defined(hl, "g"), hl.Func("h")
    h[x, y] = f[x, y] + g[x, y]
    f.in_(g).compute_root()
    h.realize([4, 4])


@bad(PipecError, "could not find inner fuse dimension: x")
def fuse_same_var(hl: Any) -> None:
    x, z = variables(hl, "x z")
    defined(hl).fuse(x, x, z)


@bad(PipecError, "hoist_storage_root(), but is inlined")
def hoist_storage_root_without_compute_root(hl: Any) -> None:
    x, y = variables(hl)
    f, g = defined(hl, "f"), hl.Func("g")
    g[x, y] = f[x, y]
    f.hoist_storage_root()
    g.realize([4, 4])


@bad(PipecError, "Cannot fold storage of f", "along x")
def fold_storage_not_applied(hl: Any) -> None:
    x, y = variables(hl)
    f, g = defined(hl, "f"), hl.Func("g")
    g[x, y] = f[x, y] + f[x + 1, y]
    f.compute_root().fold_storage(x, 4)
    g.realize([10, 10])


@bad(PipecError, "reorder", "meaning of the algorithm")
def rvar_fuse_reorder(hl: Any) -> None:
    x, y = variables(hl)
    f, r = hl.Func("f"), hl.RDom([(0, 10), (0, 10), (0, 10)], "r")
    f[x, y] = x + y
    f[x, y] = f[x, y] * 3 - r.x - 2 * r.y + r.z
    f.update(0).fuse(r.x, r.z, hl.RVar("both"))


@bad(PipecError, "Requirement Failed: (false) 0 23757 1 2")
def require_fail(hl: Any) -> None:
    (x,) = variables(hl, "x")
    image, f = hl.Param(hl.Int(32), "p", 5), hl.Func("f")
    f[x] = hl.require(image < 0, x, 23757, 1, 2)
    f.realize([4])


@bad(PipecError, "does not support pointer arithmetic")
def pointer_arithmetic(hl: Any) -> None:
    pointer = hl.Param(hl.Handle(), "pointer")
    hl.Expr(pointer) + 2


@bad(PipecError, "can't rfactor an Func that has fused a Var into an RVar")
def rfactor_after_var_and_rvar_fusion(hl: Any) -> None:
    x, y, rf = variables(hl, "x y rf")
    f, r = hl.Func("f"), hl.RDom([(0, 5), (0, 5), (0, 5)], "r")
    f[x, y] = 1
    f[x, y] += r.x * r.y * r.z
    both = hl.RVar("both")
    f.update(0).fuse(r.z, y, both)
    f.update(0).rfactor(r.x, rf)


@bad(PipecError, "Redefinition of shared wrapper", "shares the same wrapper but is not part of the redefinition")
def wrap_custom_after_shared(hl: Any) -> None:
    x, y = variables(hl)
    f, g1, g2, h = defined(hl, "f"), hl.Func("g"), hl.Func("g2"), hl.Func("h")
    g1[x, y] = f[x, y]
    g2[x, y] = f[x, y]
    h[x, y] = g1[x, y] + g2[x, y]
    f.in_([g1, g2])
    f.in_(g1)


@bad(PipecError, "been realized or used")
def wrap_frozen(hl: Any) -> None:
    x, y = variables(hl)
    f, g = defined(hl, "f"), hl.Func("g")
    g[x, y] = f[x, y]
    wrapper = f.in_(g)
    wrapper[x, y] += 1


@bad(PipecError, "the name 'same_name_input' was seen multiple times, once as that of a Func")
def input_param_func_name_collision(hl: Any) -> None:
    x, y = variables(hl)
    f = defined(hl, "same_name_input")
    g, p = hl.Func("g"), hl.Param(hl.Int(32), f.name(), 1)
    f.compute_root()
    g[x, y] = f[x, y] + p
    g.realize([4, 4])


@bad(PipecError, "the name 'same_name_image' was seen multiple times, once as that of a Func")
def input_buffer_func_name_collision(hl: Any) -> None:
    x, y = variables(hl)
    f = defined(hl, "same_name_image")
    g, image = hl.Func("g"), hl.ImageParam(hl.Int(32), 2, f.name())
    g[x, y] = f[x, y] + image[x, y]
    image.set(hl.Buffer(np.zeros((4, 4), np.int32)))
    g.realize([4, 4])


@bad(PipecError, "Did not understand", "nowhere")
def incomplete_target_words(hl: Any) -> None:
    hl.Target("x86-64-nowhere-linux")


@pytest.mark.parametrize("name", PROGRAMS)
def test_fails(name: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    PROGRAMS[name].check()
