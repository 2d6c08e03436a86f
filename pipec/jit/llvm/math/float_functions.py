"""Mathematical functions of floats, scalars and vectors: by polynomials for float32 and float64.

All polynomials are within 2 ulp. All need fused multiply-add: without it the argument reductions lose bits, and the
functions of the system's library are used instead. 16-bit floats go through float32.
"""

from __future__ import annotations

from collections.abc import Callable

from pipec.errors import InternalError
from pipec.ir.expr import Intrinsic
from pipec.ir.types import Float, Type
from pipec.jit.llvm.expr import ExprFunction, Outside
from pipec.jit.llvm.function import ModuleWriter
from pipec.jit.llvm.math.arithmetic import convert
from pipec.jit.llvm.math.float_arithmetic import Lanes, Usual
from pipec.jit.llvm.math.vector import gather_lanes
from pipec.jit.llvm.types import intrinsic_suffix, scalar_type, value_type


class FloatFunction:
    """The rule of an intrinsic that has a polynomial.

    `write`: writes the polynomial. `inline`: for which bits it is so short that it stands wherever it is used; what is
    written inline has no rare arguments.
    """

    def __init__(self, write: Callable[..., str | Usual], inline: tuple[int, ...] = ()) -> None:
        self.write, self.inline = write, inline

    def __call__(self, f: ExprFunction, node: Intrinsic, *operands: str) -> str:
        return self._value(f, node.name, node.type, operands)

    def _value(self, f: ExprFunction, name: str, kind: Type, operands: tuple[str, ...]) -> str:
        if kind.nbits == 16:
            wide = Float(32, kind.nlanes)
            widened = tuple([convert(f, kind, wide, operand) for operand in operands])
            return convert(f, wide, kind, self._value(f, name, wide, widened))
        if not f.module.can("fma"):
            return _library_call(f, name, kind, operands)
        if kind.nbits in self.inline:
            value = self.write(Lanes(f, kind), *operands)
            if isinstance(value, str):
                return value
            raise InternalError(f"{name} has rare arguments and cannot be inline.")
        symbol = self._defined(f.module, name, kind, len(operands))
        return f.call(kind, symbol, *[(kind, operand) for operand in operands])

    def _defined(self, module: ModuleWriter, name: str, kind: Type, arity: int) -> str:
        """The module's own function for this type."""
        symbol = f"@pipec.{name}.{intrinsic_suffix(kind)}"
        if symbol in module.internal:
            return symbol
        module.internal.add(symbol)
        f = ExprFunction(module, Outside())
        type_ = value_type(kind)
        parameters = ("%x", "%y")[:arity]
        m = Lanes(f, kind)
        value = self.write(m, *parameters)
        if isinstance(value, Usual):
            usual, rare, mend = value
            _return_unless_any(m, rare, usual)
            # Only where it must: a lane's value does not depend on its neighbours.
            value = mend() if mend is not None else m.select(rare, _library_call(f, name, kind, parameters), usual)
        f.line(f"ret {type_} {value}")
        signature = ", ".join([f"{type_} {parameter}" for parameter in parameters])
        module.functions.append(f"define internal {type_} {symbol}({signature}) #2 {{\n{f.body()}\n}}\n")
        return symbol


def _library_call(f: ExprFunction, name: str, kind: Type, operands: tuple[str, ...]) -> str:
    """A function of libm in each lane."""
    element = kind.element_of()
    symbol = f"@{name}{'f' if kind.nbits == 32 else ''}"
    if kind.nlanes == 1:
        return f.call(element, symbol, *[(element, operand) for operand in operands])
    type_ = value_type(kind)
    lanes = []
    for i in range(kind.nlanes):
        parts = [f.op(f"extractelement {type_} {operand}, i64 {i}") for operand in operands]
        lanes.append(f.call(element, symbol, *[(element, part) for part in parts]))
    return gather_lanes(f, scalar_type(kind), lanes)


def _return_unless_any(m: Lanes, truths: str, value: str) -> None:
    """Return the value unless one of the truths holds."""
    f, lanes = m.f, m.kind.nlanes
    if lanes > 1:
        truths = f.op(f"icmp ne i{lanes} {f.op(f'bitcast {m.truth} {truths} to i{lanes}')}, 0")
    f.line(f'br i1 {truths}, label %slow, label %fast, !prof !{{!"branch_weights", i32 1, i32 1048576}}')
    f.start_block("fast")
    f.line(f"ret {m.type} {value}")
    f.start_block("slow")
