"""Random numbers: pure functions of the coordinates of the Func that they stand in, of a seed and of their place in it.

`random_*()` makes a mark; the definition of a Func puts a hash of its coordinates in the place of the mark. So a Func
computed twice, or by another schedule, holds the same numbers.
"""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Sequence
from typing import Any

from pipec.errors import DefinitionError
from pipec.func.math.convert import cast, node_or_none
from pipec.func.math.expr import Expr, ExprLike, wrap
from pipec.ir.build import add, mul
from pipec.ir.expr import Const, Intrinsic, Reinterpret
from pipec.ir.expr import Expr as Node
from pipec.ir.types import INT32, Float, UInt
from pipec.ir.walk import postorder, rewrite

UINT32 = UInt(32)
_MARK = "random"
_marks = itertools.count()


def random_uint(seed: ExprLike | None = None) -> Expr:
    """A random uint32; all values are equally likely.

    >>> hl.random_uint(7).type()
    <halide.Type uint32>
    """
    return wrap(_mark(seed, "random_uint"))


def random_int(seed: ExprLike | None = None) -> Expr:
    """A random int32; all values are equally likely.

    >>> hl.random_int(7).type()
    <halide.Type int32>
    """
    bits: Node = Reinterpret(INT32, _mark(seed, "random_int"))
    return wrap(bits)


def random_float(seed: ExprLike | None = None) -> Expr:
    """A random float32 of [0, 1).

    >>> hl.random_float(7).type()
    <halide.Type float32>
    """
    # 24 bits are what a float32 holds exactly, so that 1 is never reached by rounding.
    bits: Node = Intrinsic(UINT32, "shift_right", (_mark(seed, "random_float"), Const(UINT32, 8)))
    return wrap(mul(cast(Float(32), cast(INT32, bits)), Const(Float(32), 2.0**-24)))


def _mark(seed: Any, name: str) -> Node:
    node = node_or_none(0 if seed is None else seed)
    if node is None:
        raise TypeError(f"{name}(): incompatible function arguments: the seed is an int or Expr, not {seed!r}")
    if not node.type.integral:
        raise DefinitionError(f"Error: The seed of {name}() is an integer, but {node} has type {node.type}.")
    # Two calls give different numbers, so the mark has a number of its own.
    number: Node = Const(UINT32, next(_marks) % (1 << 32))
    return Intrinsic(UINT32, _MARK, (cast(UINT32, node), number))


def resolve_random(values: Sequence[Node], coordinates: Sequence[Node], place: str) -> list[Node]:
    """The values with hashes of the coordinates for the marks in them; `place` tells this definition from others."""
    marks = [node for node in postorder(*values) if isinstance(node, Intrinsic) and node.name == _MARK]
    if not marks:
        return list(values)
    words = [cast(UINT32, coordinate) for coordinate in coordinates]
    # The number of a mark depends on what was made before in the process; its rank in the definition does not.
    memo: dict[Any, Any] = {}
    numbers = {mark.args[1]: rank for rank, mark in enumerate(marks)}

    def change(node: Any) -> Any:
        if not (isinstance(node, Intrinsic) and node.name == _MARK):
            return node
        tag = zlib.crc32(f"{place}/{numbers[node.args[1]]}".encode())
        return _hash([node.args[0], *words], tag)

    return [rewrite(value, change, memo) for value in values]


def _hash(words: Sequence[Node], tag: int) -> Node:
    """Bits that depend on all bits of all words: multiplications carry them up, shifts bring them down."""
    state: Node = Const(UINT32, tag)
    for word in words:
        state = _mixed(add(mul(word, Const(UINT32, 0x9E3779B1)), state), 15, 0x85EBCA77)
    return _shifted(_mixed(_mixed(state, 13, 0xC2B2AE3D), 16, 0x27D4EB2F), 15)


def _mixed(state: Node, shift: int, factor: int) -> Node:
    return mul(_shifted(state, shift), Const(UINT32, factor))


def _shifted(state: Node, shift: int) -> Node:
    lower: Node = Intrinsic(UINT32, "shift_right", (state, Const(UINT32, shift)))
    return Intrinsic(UINT32, "bitwise_xor", (state, lower))
