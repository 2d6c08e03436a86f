"""Vectors in implementations of tensor intrinsics: arithmetic of lanes, conversions, shuffles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipec.errors import DefinitionError
from pipec.ir import build
from pipec.ir.expr import Add, Expr, Intrinsic, Max, Min, Mul, Reinterpret, Shuffle, Sub
from pipec.ir.intrinsics import result_type
from pipec.ir.types import Type


class Vector:
    """A vector of one type. Operators take another vector of that type, or a number for all lanes; they do not promote.

    >>> from pipec.ir.expr import Variable
    >>> from pipec.pipeline.tensor.vectors import Vector
    >>> a = Vector(Variable(hl.Int(16, 4), "a"))
    >>> (a.lanes([0, 2]).cast(hl.Int(32)) * 3).type
    <halide.Type int32x2>
    """

    def __init__(self, node: Expr) -> None:
        self.node = node

    @property
    def type(self) -> Type:
        """The type, with its number of lanes."""
        return self.node.type

    def cast(self, kind: Type) -> Vector:
        """The lanes converted to a scalar type."""
        return Vector(build.cast(kind.with_lanes(self.type.nlanes), self.node))

    def reinterpret(self, kind: Type) -> Vector:
        """The bits of each lane as a scalar type of the same size."""
        return Vector(Reinterpret(kind.with_lanes(self.type.nlanes), self.node))

    def lanes(self, indices: Sequence[int], *others: Vector) -> Vector:
        """Lanes of the concatenation of this vector and `others`, by their numbers."""
        vectors = (self, *others)
        count = sum([vector.type.nlanes for vector in vectors])
        if len({vector.type.element_of() for vector in vectors}) > 1 or not all(0 <= i < count for i in indices):
            raise DefinitionError(f"Error: Lanes {list(indices)} are not all of {count} lanes of one type.")
        return Vector(Shuffle(tuple([vector.node for vector in vectors]), tuple(indices)))

    def _operand(self, other: Any) -> Expr:
        if isinstance(other, Vector):
            if other.type is not self.type:
                raise DefinitionError(f"Error: Vectors of types {self.type} and {other.type} meet: cast one of them.")
            return other.node
        return build.as_expr(other, self.type)

    def _intrinsic(self, name: str, other: Any) -> Vector:
        operands = self.node, self._operand(other)
        return Vector(Intrinsic(result_type(name, tuple([e.type for e in operands])), name, operands))

    def __add__(self, other: Any) -> Vector:
        return Vector(Add(self.node, self._operand(other)))

    def __sub__(self, other: Any) -> Vector:
        return Vector(Sub(self.node, self._operand(other)))

    def __mul__(self, other: Any) -> Vector:
        return Vector(Mul(self.node, self._operand(other)))

    def __and__(self, other: Any) -> Vector:
        return self._intrinsic("bitwise_and", other)

    def __or__(self, other: Any) -> Vector:
        return self._intrinsic("bitwise_or", other)

    def __xor__(self, other: Any) -> Vector:
        return self._intrinsic("bitwise_xor", other)

    def __lshift__(self, other: Any) -> Vector:
        return self._intrinsic("shift_left", other)

    def __rshift__(self, other: Any) -> Vector:
        return self._intrinsic("shift_right", other)

    def min(self, other: Any) -> Vector:
        """The smaller lanes."""
        return Vector(Min(self.node, self._operand(other)))

    def max(self, other: Any) -> Vector:
        """The larger lanes."""
        return Vector(Max(self.node, self._operand(other)))

    __radd__, __rmul__ = __add__, __mul__
