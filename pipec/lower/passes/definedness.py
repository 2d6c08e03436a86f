"""Whether values are defined, computed beside them: for each expression one of the definedness of its lanes.

    f[x] + in[x]             -->  f.shadow[x]
    select(f[x] > 0, g[x], 1) -->  max(f.shadow[x], select(f[x] > 0, g.shadow[x], 0))

Definedness is a uint16: 0 says that the value depends on written elements only, other numbers name a buffer of which an
unwritten element was read. An undefined value may be computed and stored, because the results of a split beyond its
interval are never used; so definedness is stored too, in a shadow of each buffer, element by element.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

from pipec.ir import build
from pipec.ir.build import constant
from pipec.ir.expr import (
    And,
    Broadcast,
    BufferView,
    Const,
    Expr,
    Intrinsic,
    Load,
    Or,
    Ramp,
    Select,
    Shuffle,
    TensorCall,
    Variable,
    VectorReduce,
)
from pipec.ir.intrinsics import value_operand
from pipec.ir.types import INT64, UInt
from pipec.ir.walk import Analysis

DEFINEDNESS = UInt(16)
DEFINED = Const(DEFINEDNESS, 0)
# The lanes of a load that its predicate excludes.
INACTIVE_LANE = Const(DEFINEDNESS, 1)
# Buffers have the numbers from here on; those that do not fit share the last one.
FIRST_BUFFER = 2
LAST_BUFFER = 65535


def shadow_name(name: str) -> str:
    """The buffer, or the variable, that holds the definedness of another one."""
    return f"{name}.shadow"


class Definedness(Analysis[Expr]):
    """The definedness of expressions.

    `shadows`: the buffers that have a shadow, with the index of its first element; elements of others are defined.
    `variables`: the names of variables that may be undefined.
    """

    def __init__(self) -> None:
        super().__init__()
        self.shadows: dict[str, Expr] = {}
        self.variables: set[str] = set()

    def element(self, buffer: str, index: Expr) -> Expr:
        """The index of an element's definedness in the shadow of its buffer."""
        return shifted(index, self.shadows[buffer])

    def load(self, e: Load) -> Expr:
        """The definedness of the elements that a Load reads."""
        stored: Expr = _lanes(DEFINED, e)
        if e.buffer in self.shadows:
            kind = DEFINEDNESS.with_lanes(e.type.nlanes)
            stored = Load(kind, shadow_name(e.buffer), self.element(e.buffer, e.index), e.predicate)
        stored = build.select(e.predicate, stored, _lanes(INACTIVE_LANE, e))
        return _worst([stored, self.of(e.index), self.of(e.predicate)])

    def _compute(self, e: Expr) -> Expr:
        rule = _RULES.get(type(e))
        if rule is not None:
            return rule(self, e)
        operands = [self.of(operand) for operand in self._operands(e)]
        return _worst(operands) if operands else _lanes(DEFINED, e)


def shifted(index: Expr, start: Expr) -> Expr:
    """The int64 index minus that of the first element; a Ramp stays one."""
    if isinstance(index, Ramp):
        return Ramp(shifted(index.base, start), build.cast(INT64, index.stride), index.lanes)
    return build.sub(build.cast(INT64, index), start)


def _lanes(value: Const, like: Expr) -> Expr:
    return build.as_expr(value.value, DEFINEDNESS.with_lanes(like.type.nlanes))


def _worst(operands: list[Expr]) -> Expr:
    """Undefined where any operand is: the largest number."""
    return reduce(_worse, operands)


def _worse(a: Expr, b: Expr) -> Expr:
    if constant(a) == 0:
        return b
    return a if constant(b) == 0 else build.max_(a, b)


def _variable(self: Definedness, e: Variable) -> Expr:
    if e.name in self.variables:
        return Variable(DEFINEDNESS.with_lanes(e.type.nlanes), shadow_name(e.name))
    return _lanes(DEFINED, e)


def _select(self: Definedness, e: Select) -> Expr:
    condition, chosen, other = (self.of(part) for part in (e.condition, e.true_value, e.false_value))
    values = build.select(e.condition, chosen, other)
    if condition.type.nlanes < values.type.nlanes:
        condition = Broadcast(condition, values.type.nlanes)
    return _worse(condition, values)


def _logical(self: Definedness, e: And | Or) -> Expr:
    """One defined operand may decide the result."""
    a, b = self.of(e.a), self.of(e.b)
    both = _worse(a, b)
    decides = build.not_ if isinstance(e, And) else lambda operand: operand
    for operand, own in ((e.a, a), (e.b, b)):
        if both is not own:
            both = build.select(build.and_(decides(operand), build.eq(own, 0)), _lanes(DEFINED, e), both)
    return both


def _intrinsic(self: Definedness, e: Intrinsic) -> Expr:
    if e.name == "address_of":
        return _lanes(DEFINED, e)
    value = value_operand(e)
    return _worst([self.of(operand) for operand in e.args]) if value is None else self.of(value)


def _reduce(self: Definedness, e: VectorReduce) -> Expr:
    value = self.of(e.value)
    return _lanes(DEFINED, e) if constant(value) == 0 else VectorReduce("max", value, e.lanes)


def _tensor_call(self: Definedness, e: TensorCall) -> Expr:
    """All lanes are as undefined as the worst of all operands."""
    parts = [self.of(operand) for operand in e.operands]
    single = [part if part.type.nlanes == 1 else VectorReduce("max", part, 1) for part in parts if constant(part) != 0]
    return Broadcast(_worst(single), e.type.nlanes) if single else _lanes(DEFINED, e)


def _broadcast(self: Definedness, e: Broadcast | Ramp) -> Expr:
    parts = [e.value] if isinstance(e, Broadcast) else [e.base, e.stride]
    return Broadcast(_worst([self.of(part) for part in parts]), e.lanes)


def _shuffle(self: Definedness, e: Shuffle) -> Expr:
    vectors = tuple([self.of(vector) for vector in e.vectors])
    if all(constant(vector) == 0 for vector in vectors):
        return _lanes(DEFINED, e)
    return Shuffle(vectors, e.indices)


_RULES: dict[type, Callable[[Definedness, Any], Expr]] = {
    Variable: _variable,
    Load: Definedness.load,
    Select: _select,
    And: _logical,
    Or: _logical,
    Intrinsic: _intrinsic,
    VectorReduce: _reduce,
    TensorCall: _tensor_call,
    Broadcast: _broadcast,
    Ramp: _broadcast,
    Shuffle: _shuffle,
    BufferView: lambda self, e: DEFINED,
}
