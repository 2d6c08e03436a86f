"""Loads at quotients and remainders of a ramp: several lanes read the same element, so that a vector reads few.

16 lanes of a[(x + lane) / 10]  -->  two or three scalars, each put into the lanes of its quotient
16 lanes of a[(x + lane) / 3]   -->  up to six neighbours in one load, put into the lanes by a permutation
16 lanes of a[(x + lane) % 5]   -->  five neighbours, likewise
"""

from __future__ import annotations

import math
from typing import NamedTuple

from pipec.ir.build import add, cast, constant, div, min_, mul, sub
from pipec.ir.expr import EQ, LE, TRUE, Broadcast, Cast, Const, Div, Expr, Load, Mod, Mul, Ramp, Select
from pipec.ir.types import INT32, INT64, UInt
from pipec.jit.llvm.expr import ExprFunction
from pipec.jit.llvm.function import LlvmValue
from pipec.jit.llvm.memory.address import VectorIndex
from pipec.jit.llvm.memory.strided import first_lane, step_of
from pipec.jit.llvm.memory.table_lookup import base_of, look_up, permutation_of

MAX_SCALARS = 3
# Numbers of lanes and remainders are computed in 16 bits.
_NUMBER = UInt(16)


class Quotients(NamedTuple):
    """The elements that a vector reads, numbered from `first`, the index of the lowest, in steps of `distance`.

    `last`: the number of the highest, less than `size`. `numbers`: that of each lane.
    """

    first: Expr
    distance: int
    last: Expr
    size: int
    numbers: Expr

    def place(self, number: int) -> Expr:
        """The index of an element, and of the highest one for those that are not read."""
        reached = cast(INT64, min_(self.last, number))
        return add(self.first, mul(reached, Const(INT64, self.distance)))


def quotients_of(node: Load, parts: VectorIndex) -> Quotients | None:
    """The elements of a load at quotients or remainders; None for others."""
    if parts.strides or parts.step or len(parts.vectors) != 1:
        return None
    ((index, distance),) = parts.vectors.items()
    while isinstance(index, Cast) and index.value.type.element_of() is INT32:
        index = index.value
    if not isinstance(index, Div | Mod) or index.type.element_of() not in (INT32, INT64):
        return None
    divisor, step, lanes = constant(index.b), step_of(index.a), node.type.nlanes
    if divisor is None or step is None or not 0 < step <= divisor:
        return None
    if (step * lanes + divisor) * max(abs(distance), 1) >= 1 << 15:
        return None
    by, start = int(divisor), first_lane(index.a)
    lowest = div(start, by)
    rest = cast(INT32, sub(start, mul(lowest, by)))
    numerators = Ramp(cast(_NUMBER, rest), Const(_NUMBER, step), lanes)
    numbers = type(index)(numerators, Broadcast(Const(_NUMBER, by), lanes))
    if isinstance(index, Mod):
        # All remainders are read, so all of these elements exist.
        every = lanes >= by and math.gcd(step, by) == 1
        return Quotients(base_of(parts), distance, Const(INT32, by - 1), by, numbers) if every else None
    span = step * (lanes - 1)
    return Quotients(
        first=add(base_of(parts), mul(cast(INT64, lowest), Const(INT64, distance))),
        distance=distance,
        last=div(add(rest, span), by),
        size=(span + by - 1) // by + 1,
        numbers=numbers,
    )


def load_scalars(f: ExprFunction, node: Load, quotients: Quotients) -> LlvmValue:
    """One scalar after the other, put into its lanes."""
    lanes = node.type.nlanes
    value: Expr | None = None
    for number in range(quotients.size):
        scalar = Load(node.type.element_of(), node.buffer, quotients.place(number), TRUE)
        own = EQ(quotients.numbers, Broadcast(Const(_NUMBER, number), lanes))
        value = Broadcast(scalar, lanes) if value is None else Select(own, Broadcast(scalar, lanes), value)
    assert value is not None
    loaded = f.value(value)
    return f.record(node, loaded.text, loaded.place, loaded.buffers)


def load_window(f: ExprFunction, node: Load, quotients: Quotients) -> LlvmValue | None:
    """All that lies between the elements, in a register or two; None where the machine cannot pick lanes from them."""
    permutation, distance = permutation_of(f, node.type), quotients.distance
    if permutation is None or distance < 1 or (quotients.size - 1) * distance >= permutation.stretch:
        return None
    lanes, last = permutation.lanes, mul(quotients.last, distance)
    window: list[LlvmValue] = []
    for start in range(0, (quotients.size - 1) * distance + 1, lanes):
        places = Ramp(add(quotients.first, start), Const(INT64, 1), lanes)
        is_read = LE(Ramp(Const(INT32, start), Const(INT32, 1), lanes), Broadcast(last, lanes))
        window.append(f.value(Load(node.type.with_lanes(lanes), node.buffer, places, is_read)))
    picks = Mul(quotients.numbers, Broadcast(Const(_NUMBER, distance), node.type.nlanes))
    chosen = f.value(quotients.numbers if distance == 1 else picks)
    table = [part.text for part in (window * 2)[:2]]
    return f.shared(node, [chosen, *window], lambda: look_up(f, node.type, quotients.numbers.type, chosen.text, table))
