"""Which mathematical functions are computed by polynomials, for which types; the same for scalars and vectors.

All are within 2 ulp. All need fused multiply-add: without it the argument reductions lose bits, and the functions of
the system's library are used instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pipec.ir.types import Type
from pipec.jit import llvm_exponential as exponential
from pipec.jit import llvm_power as power
from pipec.jit import llvm_trigonometry as trigonometry
from pipec.jit.llvm_arithmetic import bool_type, select_text
from pipec.jit.llvm_expr import ExprFunction, Outside
from pipec.jit.llvm_function import Module
from pipec.jit.llvm_lanes import Lanes
from pipec.jit.llvm_types import intrinsic_suffix, value_type

# Calls the library's function of this name in each lane.
Library = Callable[..., str]


class _Function(NamedTuple):
    """How a function is written for floats of these sizes.

    `inline`: it is short enough to stand wherever it is used. `exceeds`: which arguments are left to the library.
    """

    write: Callable[..., str]
    sizes: tuple[int, ...] = (32, 64)
    inline: tuple[int, ...] = ()
    exceeds: Callable[[Lanes, str], str] | None = None


_FUNCTIONS = {
    "exp": _Function(exponential.exp, inline=(32, 64)),
    "log": _Function(exponential.log, inline=(32, 64)),
    "pow": _Function(power.pow_, inline=(32,)),
    "tanh": _Function(exponential.tanh, inline=(32,)),
    "sinh": _Function(exponential.sinh),
    "cosh": _Function(exponential.cosh),
    "asinh": _Function(exponential.asinh, sizes=(32,)),
    "acosh": _Function(exponential.acosh, sizes=(32,)),
    "atanh": _Function(exponential.atanh, sizes=(32,)),
    "sin": _Function(trigonometry.sin, exceeds=trigonometry.exceeds_limit),
    "cos": _Function(trigonometry.cos, exceeds=trigonometry.exceeds_limit),
    "tan": _Function(trigonometry.tan, exceeds=trigonometry.exceeds_limit),
    "asin": _Function(trigonometry.asin),
    "acos": _Function(trigonometry.acos),
    "atan": _Function(trigonometry.atan),
    "atan2": _Function(trigonometry.atan2),
}


def has_polynomial(module: Module, name: str, kind: Type) -> bool:
    function = _FUNCTIONS.get(name)
    return function is not None and kind.nbits in function.sizes and module.can("fma")


def emit_function(f: ExprFunction, name: str, kind: Type, library: Library, *operands: str) -> str:
    """A function that has a polynomial."""
    function = _FUNCTIONS[name]
    if kind.nbits in function.inline:
        return function.write(Lanes(f, kind), *operands)
    return f.call(kind, _defined(f.module, name, kind, library), *[(kind, operand) for operand in operands])


def _defined(module: Module, name: str, kind: Type, library: Library) -> str:
    """The module's own function for this type."""
    symbol = f"@pipec.{name}.{intrinsic_suffix(kind)}"
    if symbol in module.internal:
        return symbol
    module.internal.add(symbol)
    f = ExprFunction(module, Outside())
    type_ = value_type(kind)
    function = _FUNCTIONS[name]
    parameters = ["%x", "%y"] if name in ("pow", "atan2") else ["%x"]
    value = function.write(Lanes(f, kind), *parameters)
    if function.exceeds is None:
        f.line(f"ret {type_} {value}")
    else:
        _return_or_call(f, kind, function.exceeds(Lanes(f, kind), "%x"), value, lambda: library(f, name, kind, "%x"))
    signature = ", ".join([f"{type_} {parameter}" for parameter in parameters])
    module.functions.append(f"define internal {type_} {symbol}({signature}) #2 {{\n{f.body()}\n}}\n")
    return symbol


def _return_or_call(f: ExprFunction, kind: Type, large: str, fast: str, library: Callable[[], str]) -> None:
    """Return the fast value, that of the library in the lanes whose argument is too large for it."""
    any_large = large
    if kind.nlanes > 1:
        any_large = f.op(f"icmp ne i{kind.nlanes} {f.op(f'bitcast {bool_type(kind)} {large} to i{kind.nlanes}')}, 0")
    f.line(f'br i1 {any_large}, label %slow, label %fast, !prof !{{!"branch_weights", i32 1, i32 1048576}}')
    f.start_block("fast")
    f.line(f"ret {value_type(kind)} {fast}")
    f.start_block("slow")
    exact = library()
    # Only where it must: a lane's value does not depend on its neighbours.
    f.line(f"ret {value_type(kind)} {select_text(f, kind, large, exact, fast)}")
