"""The result types of all operators and mathematical functions, for all pairs of operand types; against the wheel."""

import operator
import warnings

import halide
import pytest

import pipec

TYPES = {
    **{f"int{bits}": lambda hl, bits=bits: hl.Int(bits) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": lambda hl, bits=bits: hl.UInt(bits) for bits in (1, 8, 16, 32, 64)},
    **{f"float{bits}": lambda hl, bits=bits: hl.Float(bits) for bits in (16, 32, 64)},
    "bfloat16": lambda hl: hl.BFloat(16),
}
FLOATS = ("float16", "float32", "float64", "bfloat16")
OPERATORS = "add sub mul truediv floordiv mod pow and_ or_ xor lshift rshift lt le gt ge eq ne"
UNARY_OPERATORS = "neg invert abs"
# Functions of the wheel that are no functions of values, or take something else.
OTHERS = {
    "active_generator_context", "alias", "argmax", "argmin", "compile_standalone_runtime",
    "create_callable_from_generator", "deserialize_parameters", "deserialize_pipeline", "evaluate", "evaluate_may_gpu",
    "funcs", "generator", "get_host_target", "get_jit_target_from_environment", "get_target_from_environment",
    "get_runtime_compiler_callable", "host_supports_target_device", "init_threads", "lambda_func", "link_modules",
    "load_plugin", "main", "print", "print_when", "random_float", "random_int", "random_uint", "require",
    "serialize_pipeline", "set_compiler_stack_size", "set_host_threads", "vars",
}  # fmt: skip
NAMES = [name for name in dir(halide) if name[0].islower() and name not in OTHERS]
FUNCTIONS = [name for name in NAMES if callable(getattr(halide, name))]
# What the wheel gives a type and then cannot compile: operations on bits of floats, products of an int by a float,
# 128 bits.
BITS = {
    "lshift", "rshift", "halving_add", "halving_sub", "rounding_halving_add", "rounding_shift_left",
    "rounding_shift_right", "saturating_add", "saturating_sub", "widening_shift_left", "widening_shift_right",
}  # fmt: skip
REFUSED = "refused"


def operand(hl, kind, name):
    return hl.Expr(hl.Param(TYPES[kind](hl), name))


def result(function, *operands):
    """The type of a result, or that there is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = function(*operands)
        return str(value.type()).replace("bool", "uint1")
    except (halide.HalideError, pipec.HalideError, TypeError, RuntimeError, AttributeError, ValueError):
        return REFUSED


def not_compiled(name, kinds, wheel):
    """Whether the wheel compiles no pipeline with such an operation."""
    if name in BITS and any(kind in FLOATS for kind in kinds):
        return True
    if name == "widening_mul" and kinds[1] in FLOATS and kinds[0] not in FLOATS:
        return True
    return name.startswith("widening") and (wheel.endswith("128") or wheel.startswith("bfloat"))


def compare(name, of, arity):
    differences = []
    for first in TYPES:
        for second in TYPES if arity > 1 else ("",):
            kinds = (first, second)[:arity]
            actual = {}
            for hl in (halide, pipec):
                function = of(hl)
                operands = [operand(hl, kind, f"p{at}") for at, kind in enumerate(kinds)]
                actual[hl] = result(function, *operands)
            wheel, own = actual[halide], actual[pipec]
            if wheel != own and not not_compiled(name, kinds, wheel):
                differences.append(f"{name}{kinds}: {own} instead of {wheel}")
    assert not differences, "\n".join(differences)


@pytest.mark.parametrize("name", OPERATORS.split())
def test_operators(name):
    compare(name, lambda hl: getattr(operator, name), 2)


@pytest.mark.parametrize("name", UNARY_OPERATORS.split())
def test_unary_operators(name):
    compare(name, lambda hl: getattr(operator, name), 1)


@pytest.mark.parametrize("arity", [1, 2])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name, arity, capfd):
    compare(name, lambda hl: getattr(hl, name), arity)


@pytest.mark.parametrize("name", ["cast", "saturating_cast", "reinterpret"])
def test_conversions(name):
    for target in TYPES:
        compare(name, lambda hl, target=target: lambda value: getattr(hl, name)(TYPES[target](hl), value), 1)
