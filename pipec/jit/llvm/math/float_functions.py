"""Which mathematical functions are computed by polynomials, for float32 and float64, scalars and vectors alike.

All are within 2 ulp. All need fused multiply-add: without it the argument reductions lose bits, and the functions of
the system's library are used instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pipec.errors import InternalError
from pipec.ir.types import Type
from pipec.jit.llvm.expr import ExprFunction, Outside
from pipec.jit.llvm.function import Module
from pipec.jit.llvm.math import exponential, power, trigonometry
from pipec.jit.llvm.math.float_arithmetic import Lanes, Usual
from pipec.jit.llvm.types import intrinsic_suffix, value_type

# Calls the library's function of this name in each lane.
Library = Callable[..., str]


class _Function(NamedTuple):
    """How a function is written; `inline`: for which bits it is so short that it stands wherever it is used.

    What is written inline has no rare arguments.
    """

    write: Callable[..., str | Usual]
    inline: tuple[int, ...] = ()


_FUNCTIONS = {
    "exp": _Function(exponential.exp, inline=(32, 64)),
    "log": _Function(exponential.log, inline=(32, 64)),
    "pow": _Function(power.pow_),
    "tanh": _Function(exponential.tanh, inline=(32,)),
    "sinh": _Function(exponential.sinh),
    "cosh": _Function(exponential.cosh),
    "asinh": _Function(exponential.asinh),
    "acosh": _Function(exponential.acosh),
    "atanh": _Function(exponential.atanh),
    "sin": _Function(trigonometry.sin),
    "cos": _Function(trigonometry.cos),
    "tan": _Function(trigonometry.tan),
    "asin": _Function(trigonometry.asin),
    "acos": _Function(trigonometry.acos),
    "atan": _Function(trigonometry.atan),
    "atan2": _Function(trigonometry.atan2),
}


def has_polynomial(module: Module, name: str, kind: Type) -> bool:
    """Returns whether a function is computed by a polynomial for this type on the module's processor."""
    return name in _FUNCTIONS and kind.nbits in (32, 64) and module.can("fma")


def emit_function(f: ExprFunction, name: str, kind: Type, library: Library, *operands: str) -> str:
    """A function that has a polynomial."""
    function = _FUNCTIONS[name]
    if kind.nbits in function.inline:
        value = function.write(Lanes(f, kind), *operands)
        if isinstance(value, str):
            return value
        raise InternalError(f"{name} has rare arguments and cannot be inline.")
    return f.call(kind, _defined(f.module, name, kind, library), *[(kind, operand) for operand in operands])


def _defined(module: Module, name: str, kind: Type, library: Library) -> str:
    """The module's own function for this type."""
    symbol = f"@pipec.{name}.{intrinsic_suffix(kind)}"
    if symbol in module.internal:
        return symbol
    module.internal.add(symbol)
    f = ExprFunction(module, Outside())
    type_ = value_type(kind)
    parameters = ["%x", "%y"] if name in ("pow", "atan2") else ["%x"]
    m = Lanes(f, kind)
    value = _FUNCTIONS[name].write(m, *parameters)
    if isinstance(value, Usual):
        usual, rare, mend = value
        _return_unless_any(m, rare, usual)
        # Only where it must: a lane's value does not depend on its neighbours.
        value = mend() if mend is not None else m.select(rare, library(f, name, kind, *parameters), usual)
    f.line(f"ret {type_} {value}")
    signature = ", ".join([f"{type_} {parameter}" for parameter in parameters])
    module.functions.append(f"define internal {type_} {symbol}({signature}) #2 {{\n{f.body()}\n}}\n")
    return symbol


def _return_unless_any(m: Lanes, truths: str, value: str) -> None:
    """Return the value unless one of the truths holds."""
    f, lanes = m.f, m.kind.nlanes
    if lanes > 1:
        truths = f.op(f"icmp ne i{lanes} {f.op(f'bitcast {m.truth} {truths} to i{lanes}')}, 0")
    f.line(f'br i1 {truths}, label %slow, label %fast, !prof !{{!"branch_weights", i32 1, i32 1048576}}')
    f.start_block("fast")
    f.line(f"ret {m.type} {value}")
    f.start_block("slow")
