"""Updates of one element by all lanes of a vector loop.

    vectorized (r, 0, 8) { f[0] = f[0] + in[r] }  -->  f[0] = f[0] + reduce_add(in[ramp(0, 1, 8)])

and in a loop around that one:

    for r in 0..n { f[0] = f[0] + reduce_add(v) }
    -->
    allocate a[8] { a[ramp(0, 1, 8)] = 0; for r in 0..n { a[...] = a[...] + v }; f[0] = f[0] + reduce_add(a[...]) }

The lanes may be combined in any order: the schedule has said so by letting them run together.
"""

from __future__ import annotations

from typing import NamedTuple

from pipec.ir import build
from pipec.ir.build import block
from pipec.ir.expr import (
    TRUE,
    Add,
    And,
    Binary,
    Broadcast,
    Cast,
    Const,
    Expr,
    Load,
    Max,
    Min,
    Mul,
    Or,
    Ramp,
    Sub,
    VectorReduce,
    const,
)
from pipec.ir.stmt import Allocate, Atomic, For, LetStmt, MemoryType, Stmt, Store
from pipec.ir.types import INT64, Type
from pipec.ir.walk import mentions, postorder

_OPERATORS: dict[type[Binary], str] = {Add: "add", Mul: "mul", Min: "min", Max: "max", And: "and", Or: "or"}

# An accumulator is at least as long.
_LEAST_LANES = 4


class Reduction(NamedTuple):
    """The stored value is `kind` of the element's old value and `rest`, which does not depend on the buffer."""

    kind: type[Binary]
    rest: Expr
    old: Load

    @property
    def operator(self) -> str:
        return _OPERATORS[self.kind]

    def identity(self) -> Expr:
        """What changes nothing when it is combined."""
        return identity(self.operator, self.rest.type.element_of())


def reduction_of(stmt: Store) -> Reduction | None:
    """The update that a store makes of the element it stores; None when it is none of an associative operator."""
    value = stmt.value
    kind: type[Binary] | None = Add if isinstance(value, Sub) else type(value) if isinstance(value, Binary) else None
    if kind not in _OPERATORS:
        return None
    olds: list[Load] = []
    rest: Expr | None = None
    stack = [(value, False)]
    while stack:
        e, negative = stack.pop()
        if isinstance(e, kind):
            stack += [(e.b, negative), (e.a, negative)]
        elif kind is Add and isinstance(e, Sub):
            stack += [(e.b, not negative), (e.a, negative)]
        elif isinstance(e, Load) and e.buffer == stmt.buffer and e.index is stmt.index and not negative:
            olds.append(e)
        elif any(isinstance(node, Load) and node.buffer == stmt.buffer for node in postorder(e)):
            return None
        elif negative:
            rest = Sub(rest if rest is not None else build.as_expr(0, e.type), e)
        else:
            rest = e if rest is None else kind(rest, e)
    return Reduction(kind, rest, olds[0]) if len(olds) == 1 and rest is not None else None


def accumulated(loop: For) -> Stmt | None:
    """A loop that reduces vectors into one element, with an accumulator for each lane; None for other loops."""
    names = {loop.name}
    lets: list[LetStmt] = []
    body = loop.body
    while isinstance(body, LetStmt):
        names.add(body.name)
        lets.append(body)
        body = body.body
    atomic = isinstance(body, Atomic)
    if isinstance(body, Atomic):
        body = body.body
    if not isinstance(body, Store) or not isinstance(body.value, (Add, Mul, Min, Max, And, Or)):
        return None
    old, reduced = body.value.a, body.value.b
    if not isinstance(old, Load) or not isinstance(reduced, VectorReduce) or mentions(body.index, names):
        return None
    if old.buffer != body.buffer or old.index is not body.index or reduced.type.nlanes != 1:
        return None
    if any(isinstance(node, Load) for node in postorder(body.index)):
        return None
    vector = _partly_reduced(reduced)
    lanes = vector.type.nlanes
    name = f"{body.buffer}.lanes.{loop.name}"
    ramp = Ramp(const(0), const(1), lanes)
    always = Broadcast(TRUE, lanes)
    kept = Load(vector.type, name, ramp, always)
    inside: Stmt = Store(name, type(body.value)(kept, vector), ramp, always)
    for let in reversed(lets):
        inside = LetStmt(let.name, let.value, inside)
    start = Store(name, Broadcast(identity(reduced.operator, vector.type.element_of()), lanes), ramp, always)
    steps = For(loop.name, loop.minimum, loop.extent, loop.kind, inside)
    total = type(body.value)(old, VectorReduce(reduced.operator, kept, 1))
    end: Stmt = Store(body.buffer, total, body.index, body.predicate)
    if atomic:
        end = Atomic(end)
    size = Const(INT64, lanes)
    return Allocate(name, vector.type.element_of(), MemoryType.Stack, size, block([start, steps, end]))


def _partly_reduced(reduced: VectorReduce) -> Expr:
    """What is added in each iteration. Of narrow terms neighbours are summed first: machines have instructions for it.

    Such sums take as many registers as what is loaded, not as many as what it is widened to.
    """
    vector = reduced.value
    type_ = vector.type
    group = terms_per_lane(vector) if reduced.operator == "add" else 1
    if group == 1 or type_.nlanes % group or type_.nlanes // group < _LEAST_LANES:
        return vector
    return VectorReduce("add", vector, type_.nlanes // group)


def terms_per_lane(term: Expr) -> int:
    """How many neighbouring terms of a sum, integers of 32 bits or floats, one instruction of some machine sums up."""
    if term.type.nbits != 32:
        return 1
    factors = [e.value if isinstance(e, Cast) else e for e in ((term.a, term.b) if isinstance(term, Mul) else (term,))]
    kinds = [factor.type.element_of() for factor in factors]
    if term.type.floating:
        return 2 if len(kinds) == 2 and all(kind.is_bfloat() for kind in kinds) else 1
    if any(kind.floating or kind.boolean or kind.nbits > 16 for kind in kinds):
        return 1
    if all(kind.nbits == 8 for kind in kinds) and (len(kinds) == 1 or kinds[0] is not kinds[1]):
        return 4
    # Words alone are widened and added more quickly than multiplied by one.
    return 2 if len(kinds) == 2 and all(kind.signed or kind.nbits == 8 for kind in kinds) else 1


def identity(operator: str, type_: Type) -> Expr:
    """The value that changes nothing when it is combined with another."""
    if operator in ("add", "or"):
        # Negative zero, so that a sum of negative zeros stays one.
        return Const(type_, -0.0 if type_.floating else 0)
    if operator in ("mul", "and"):
        return Const(type_, 1)
    return Const(type_, type_.max_value() if operator == "min" else type_.min_value())
