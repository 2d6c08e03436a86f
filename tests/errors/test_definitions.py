"""Definitions of Funcs, RDoms and Exprs that have no meaning."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from bad import Bad
from bad import bad as bad_program

from pipec.errors import ArgumentError, DefinitionError, DimensionError, UndefinedError

PROGRAMS: dict[str, Bad] = {}
bad = partial(bad_program, PROGRAMS)


def xy(hl: Any) -> tuple[Any, Any]:
    return hl.Var("x"), hl.Var("y")


@bad(DefinitionError, 'In pure definition of Func "f"', 'arguments 1 and 0 both have the name "x"', line=True)
def reused_args(hl: Any) -> None:
    x, _ = xy(hl)
    hl.Func("f")[x, x] = x


@bad(DefinitionError, 'Argument 1 in initial definition of "f" is not a Var.', line=True)
def init_def_should_be_all_vars(hl: Any) -> None:
    r = hl.RDom([(0, 10)], "r")
    hl.Func("f")[r.x + 0] = r.x


@bad(DefinitionError, "has already been realized or used in the definition of another Func.", line=True)
def define_after_use(hl: Any) -> None:
    x, _ = xy(hl)
    f, g = hl.Func("f"), hl.Func("g")
    f[x] = x
    g[x] = f[x]
    f[x] += 1


@bad(UndefinedError, 'Can\'t call Func "g" because it has not yet been defined.', line=True)
def undefined_func_call(hl: Any) -> None:
    x, _ = xy(hl)
    f, g = hl.Func("f"), hl.Func("g")
    f[x] = hl.sqrt(g[x])


@bad(UndefinedError, 'Can\'t call Func "g" because it has not yet been defined.', "g[...] =", line=True)
def undefined_func_plus_one(hl: Any) -> None:
    x, _ = xy(hl)
    f, g = hl.Func("f"), hl.Func("g")
    f[x] = g[x] + 1


@bad(DimensionError, 'Func "f" was called with 2 arguments, but was defined with 1', line=True)
def too_many_args(hl: Any) -> None:
    x, y = xy(hl)
    f, g = hl.Func("f"), hl.Func("g")
    f[x] = x
    g[x, y] = f[x, y]


@bad(DefinitionError, 'Implicit cast from float32 to int in argument 1 in call to "f" is not allowed. Use an explicit')
def float_arg(hl: Any) -> None:
    x, _ = xy(hl)
    f, g = hl.Func("f"), hl.Func("g")
    f[x] = x
    g[x] = f[x * 0.1]


@bad(DefinitionError, 'In update definition 0 of Func "f"', "has type float32, but pure definition has type uint8")
def reduction_type_mismatch(hl: Any) -> None:
    x, _ = xy(hl)
    f = hl.Func("f")
    f[x] = hl.u8(x)
    f[x] += 1.0


@bad(
    DefinitionError,
    'In update definition 0 of Func "f"',
    "Tuple element 0 of update definition has type uint8, but pure definition has type float32",
)
def func_expr_update_type_mismatch(hl: Any) -> None:
    x, _ = xy(hl)
    f = hl.Func(hl.Float(32), 1, "f")
    f[x] = hl.f32(x)
    f[x] = hl.u8(x)


@bad(DefinitionError, 'Func "f" is constrained to have exactly 1 dimensions, but is defined with 2 dimensions.')
def func_expr_dim_mismatch(hl: Any) -> None:
    x, y = xy(hl)
    hl.Func(hl.Int(32), 1, "f")[x, y] = x + y


@bad(
    DefinitionError,
    'Func "f" is constrained to only hold values of type float32 but is defined with values of type int32.',
)
def func_expr_type_mismatch(hl: Any) -> None:
    x, _ = xy(hl)
    hl.Func(hl.Float(32), 1, "f")[x] = x


@bad(
    DefinitionError,
    'Func "f" is constrained to only hold values of type (uint8, float64) but is defined with values of type '
    "(int32, float32).",
)
def func_tuple_types_mismatch(hl: Any) -> None:
    x, _ = xy(hl)
    hl.Func([hl.UInt(8), hl.Float(64)], 1, "f")[x] = (x, hl.f32(0))


@bad(
    DefinitionError,
    'In update definition 0 of Func "f"',
    "Tuple element 0 of update definition has type int32, but pure definition has type uint8",
)
def func_tuple_update_types_mismatch(hl: Any) -> None:
    x, _ = xy(hl)
    f = hl.Func("f")
    f[x] = (hl.u8(0), hl.f64(0))
    f[x] = (hl.i32(0), hl.f32(0))


@bad(DefinitionError, 'Func "f"', "recursive references to itself must contain the same pure variables")
def expanding_reduction(hl: Any) -> None:
    x, y = xy(hl)
    f = hl.Func("f")
    r = hl.RDom([(0, 10)], "r")
    f[x, y] = 0
    f[x, r] = f[x, r - 1] + f[x - 1, r]


@bad(DefinitionError, 'Func "g"', "recursive references to itself must contain the same pure variables")
def reduction_bounds(hl: Any) -> None:
    x, y = xy(hl)
    g = hl.Func("g")
    g[x, y] = x
    g[x, y] = g[x - 1, y] + 1


@bad(DefinitionError, 'Undefined variable "z" in definition of Func "f"', line=True)
def free_variable(hl: Any) -> None:
    x, _ = xy(hl)
    hl.Func("f")[x] = x + hl.Var("z")


@bad(DefinitionError, 'Undefined variable "_2" in definition of Func "f"')
def implicit_args(hl: Any) -> None:
    f, g = hl.Func("f"), hl.Func("g")
    x, y, z = hl.Var("x"), hl.Var("y"), hl.Var("z")
    g[x, y, z] = x + y + z
    f[hl._0, hl._1] = 0
    f[hl._0, hl._1] += g[hl._]


@bad(DefinitionError, "Reduction domain referenced in pure function definition.", line=True)
def reduction_in_pure_definition(hl: Any) -> None:
    x, _ = xy(hl)
    r = hl.RDom([(0, 10)], "r")
    hl.Func("f")[x] = x + r.x


@bad(DefinitionError, 'Multiple reduction domains found in definition of Func "f"', line=True)
def two_reduction_domains(hl: Any) -> None:
    x, _ = xy(hl)
    f = hl.Func("f")
    r, s = hl.RDom([(0, 10)], "r"), hl.RDom([(0, 10)], "s")
    f[x] = 0
    f[x] += r.x + s.x


@bad(DefinitionError, "refers to reduction variables from multiple reduction domains")
def ambiguous_inline_reductions(hl: Any) -> None:
    x, _ = xy(hl)
    f = hl.Func("f")
    r, s = hl.RDom([(0, 10)], "r"), hl.RDom([(0, 10)], "s")
    f[x] = hl.product(x + r.x + s.x)


@bad(DefinitionError, "RDom")
def rdom_of_a_var(hl: Any) -> None:
    x, _ = xy(hl)
    hl.RDom([(0, x)], "r")


@bad(DefinitionError, 'Call to update with index larger than last defined update stage for Func "f".')
def nonexistent_update_stage(hl: Any) -> None:
    x, _ = xy(hl)
    f = hl.Func("f")
    f[x] = x
    f.update().vectorize(x, 4)


@bad(DefinitionError, "update")
def negative_update_stage(hl: Any) -> None:
    x, _ = xy(hl)
    f = hl.Func("f")
    f[x] = x
    f[x] += 1
    f.update(-1)


@bad(
    DefinitionError,
    "Integer constant 256 will be implicitly coerced to type uint8, which changes its value to (uint8)0",
)
def bad_const_cast(hl: Any) -> None:
    x, _ = xy(hl)
    hl.u8(x) % 256


@bad(DefinitionError, "Type mismatch in call to clamp", "has type int8", "has type int32. Use an explicit cast.")
def clamp_out_of_range(hl: Any) -> None:
    x, _ = xy(hl)
    hl.clamp(hl.i8(x), 0, 255)


@bad(DefinitionError, "Can't lerp between", "of type uint16", "of different type uint8")
def lerp_mismatch(hl: Any) -> None:
    hl.lerp(hl.u16(0), hl.u8(42), 0.5)


@bad(DefinitionError, "A lerp weight must be an unsigned integer or a float, but lerp weight", "has type int8.")
def lerp_signed_weight(hl: Any) -> None:
    hl.lerp(hl.u8(0), hl.u8(42), hl.i8(16))


@bad(
    DefinitionError,
    "Floating-point weight for lerp with integer arguments is 1.5, which is not in the range [0.0, 1.0].",
)
def lerp_float_weight_out_of_range(hl: Any) -> None:
    hl.lerp(hl.u8(0), hl.u8(42), 1.5)


@bad(DefinitionError, "Signed integer overflow occurred during constant-folding")
def overflow_during_constant_folding(hl: Any) -> None:
    x, _ = xy(hl)
    f = hl.Func("f")
    f[x] = hl.i32(0x12345678) * hl.i32(0x76543210)
    f.realize([10])


@bad(DefinitionError, "select")
def select_of_different_types(hl: Any) -> None:
    x, _ = xy(hl)
    hl.select(x > 3, hl.u8(x), hl.i32(x))


@bad(ValueError, "cannot be converted to a bool")
def truth_of_an_expr(hl: Any) -> None:
    x, _ = xy(hl)
    if x > 3:
        pass


@bad(KeyError)
def missing_rdom_dimension(hl: Any) -> None:
    r = hl.RDom([(0, 10)], "r")
    r[1]


@bad(TypeError, "incompatible function arguments")
def undefined_rdom_dimension(hl: Any) -> None:
    x, y = xy(hl)
    f = hl.Func("f")
    f[x, y] = 0
    r = hl.RDom([(0, 10)], "r")
    f[r.x, r.y] += 1


@bad(DefinitionError, "Cannot use an unevaluated reference to 'f' to define an update at a different location.")
def unevaluated_elsewhere(hl: Any) -> None:
    x, _ = xy(hl)
    f = hl.Func("f")
    f[x] = f[x + 1] + 1


@bad(DefinitionError, "Cannot use an unevaluated reference to 'first' to define an update at a different location.")
def unevaluated_of_another_func(hl: Any) -> None:
    x, _ = xy(hl)
    f, g = hl.Func("first"), hl.Func("second")
    reference = f[x] + 1
    f[x] = reference
    g[x] = reference


@bad(TypeError, "incompatible")
def value_of_no_type(hl: Any) -> None:
    x, _ = xy(hl)
    hl.Func("f")[x] = "text"


@bad(TypeError, "The value of a Func is an Expr, a number, or a tuple of these, but f was given the TailStrategy")
def value_of_an_enumeration(hl: Any) -> None:
    x, _ = xy(hl)
    hl.Func("f")[x] = hl.TailStrategy.Auto


@bad(TypeError, "give code, bits and lanes")
def type_of_an_array_of_bits(hl: Any) -> None:
    hl.Int(np.zeros(3), 32)


@bad(TypeError, "repeat_edge()", "Bounds are a list of (min, extent) pairs")
def bounds_that_are_no_list(hl: Any) -> None:
    hl.BoundaryConditions.repeat_edge(hl.ImageParam(hl.Float(32), 2), hl.ImageParam(hl.Float(32), 2))


@bad(ArgumentError, "Did not understand Halide target debug")
def incomplete_target(hl: Any) -> None:
    hl.Target("debug")


@bad(ArgumentError, "natural_vector_size cannot be used on a Target with Unknown values.")
def unknown_target(hl: Any) -> None:
    hl.Target().natural_vector_size(hl.Float(32))


@pytest.mark.parametrize("name", PROGRAMS)
def test_fails(name: str) -> None:
    PROGRAMS[name].check()
