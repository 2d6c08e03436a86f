"""Expression nodes. Every node has a `type`; operands of binary nodes have the same type."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, ClassVar, Self

from pipec.ir.node import Node, interned, table
from pipec.ir.types import BOOL, INT32, Handle, Type

_NO_NAMES: frozenset[str] = frozenset()


class Expr(Node):
    """Base of expressions, which have a type. `==` is identity; arithmetic is in `pipec.ir.build`."""

    __slots__ = ("type",)
    FIELDS: ClassVar[tuple[str, ...]] = ()
    type: Type
    below: tuple[Expr, ...]
    variables: frozenset[str]

    def _variables(self) -> frozenset[str]:
        names = _NO_NAMES
        for child in self.below:
            # Most operands use the same few names: their sets are shared.
            if not child.variables <= names:
                names = child.variables if names <= child.variables else names | child.variables
        return names


class Const(Expr):
    """A scalar constant; the value is wrapped to the type. Booleans hold 0 or 1."""

    __slots__ = ("value",)
    type: Type
    value: Any

    def __new__(cls, type_: Type, value: int | float) -> Self:
        value = type_.wrap(value)
        # The key holds the bits of a float: 0.0 and -0.0 differ, and a NaN is equal to itself.
        key = (cls, type_, struct.pack("<d", value) if type_.floating else value)
        reference = table.get(key)
        existing: Self | None = reference() if reference is not None else None
        return existing if existing is not None else cls._create(key, (type_, value))


class Named(Expr):
    """Base of variables."""

    __slots__ = ("name",)
    FIELDS: ClassVar[tuple[str, ...]] = ()
    name: str

    def _variables(self) -> frozenset[str]:
        return frozenset([self.name])


class Variable(Named):
    """A named scalar: a pure Var in definitions; a loop variable, let or pipeline scalar in statements."""

    __slots__ = ()
    type: Type
    name: str


class ReductionVariable(Named):
    """A variable of a reduction domain in a definition; lowering turns it into a Variable of the same name."""

    __slots__ = ("domain",)
    type: Type
    name: str
    domain: Any  # the front end's ReductionDomain: hashable by identity


class ParameterRef(Named):
    """The value of a scalar Param, or a property (`in.min.0`, `in.extent.0`, `in.stride.0`) of a buffer argument.

    Lowering turns it into a Variable of the same name.
    """

    __slots__ = ("parameter",)
    type: Type
    name: str
    parameter: Any  # the front end's Parameter, or a Buffer: hashable by identity


class Cast(Expr):
    """Conversion of a value: ints wrap, floats truncate toward zero, bool keeps the low bit of an int."""

    __slots__ = ("value",)
    type: Type
    value: Expr


class Reinterpret(Expr):
    """The same bits read as another type of the same size."""

    __slots__ = ("value",)
    type: Type
    value: Expr


class Binary(Expr):
    """Base of the arithmetic nodes with two operands of the node's own type."""

    __slots__ = ("a", "b")
    SYMBOL: ClassVar[str] = ""
    a: Expr
    b: Expr

    def __new__(cls, a: Any, b: Any) -> Self:
        # The same as in Node, in one step for speed: most nodes are of this kind.
        key = (cls, a, b)
        reference = table.get(key)
        if reference is not None:
            existing: Self | None = reference()
            if existing is not None:
                return existing
        node = object.__new__(cls)
        node.a, node.b = node.below = (a, b)
        node.kinds = cls._KIND | a.kinds | b.kinds
        names, others = a.variables, b.variables
        node.variables = names if others <= names else others if names <= others else names | others
        node._digest = node._order = node.linear = node.is_index = None
        node.is_canonical = False
        node._prepare()
        return interned(key, node)

    def _prepare(self) -> None:
        assert self.a.type is self.b.type, (type(self).__name__, self.a.type, self.b.type)
        self.type = self.a.type

    def with_children(self, new: Iterator[Any]) -> Any:
        """Returns this node with other operands."""
        return type(self)(*new)


class Add(Binary):
    """Sum."""

    __slots__ = ()
    SYMBOL = "+"


class Sub(Binary):
    """Difference."""

    __slots__ = ()
    SYMBOL = "-"


class Mul(Binary):
    """Product."""

    __slots__ = ()
    SYMBOL = "*"


class Div(Binary):
    """Integers: Euclidean, x/0 is 0, the smallest int / -1 is itself. Floats: IEEE."""

    __slots__ = ()
    SYMBOL = "/"


class Mod(Binary):
    """Integers: Euclidean remainder (never negative), x%0 is 0. Floats: a - b*floor(a/b)."""

    __slots__ = ()
    SYMBOL = "%"


class Min(Binary):
    """The smaller operand."""

    __slots__ = ()
    SYMBOL = "min"


class Max(Binary):
    """The larger operand."""

    __slots__ = ()
    SYMBOL = "max"


class Compare(Binary):
    """Base of comparisons: the type is bool."""

    __slots__ = ()

    def _prepare(self) -> None:
        assert self.a.type is self.b.type, (type(self).__name__, self.a.type, self.b.type)
        self.type = BOOL.with_lanes(self.a.type.nlanes)


class EQ(Compare):
    """a == b"""

    __slots__ = ()
    SYMBOL = "=="


class NE(Compare):
    """a != b"""

    __slots__ = ()
    SYMBOL = "!="


class LT(Compare):
    """a < b"""

    __slots__ = ()
    SYMBOL = "<"


class LE(Compare):
    """a <= b"""

    __slots__ = ()
    SYMBOL = "<="


class GT(Compare):
    """a > b"""

    __slots__ = ()
    SYMBOL = ">"


class GE(Compare):
    """a >= b"""

    __slots__ = ()
    SYMBOL = ">="


class And(Binary):
    """Logical and of bools; both sides may be evaluated."""

    __slots__ = ()
    SYMBOL = "&&"


class Or(Binary):
    """Logical or of bools; both sides may be evaluated."""

    __slots__ = ()
    SYMBOL = "||"


class Not(Expr):
    """Logical not of a bool."""

    __slots__ = ("value",)
    value: Expr

    def _prepare(self) -> None:
        self.type = self.value.type


class Select(Expr):
    """`true_value` where the condition holds, else `false_value`; both sides may be evaluated."""

    __slots__ = ("condition", "true_value", "false_value")
    condition: Expr
    true_value: Expr
    false_value: Expr

    def _prepare(self) -> None:
        assert self.true_value.type is self.false_value.type, (self.true_value.type, self.false_value.type)
        self.type = self.true_value.type


class Ramp(Expr):
    """The vector base, base + stride, ..., of `lanes` lanes; base and stride are scalars."""

    __slots__ = ("base", "stride", "lanes")
    base: Expr
    stride: Expr
    lanes: int

    def _prepare(self) -> None:
        assert self.base.type is self.stride.type
        self.type = self.base.type.with_lanes(self.lanes)


class Broadcast(Expr):
    """A scalar in every one of `lanes` lanes."""

    __slots__ = ("value", "lanes")
    value: Expr
    lanes: int

    def _prepare(self) -> None:
        self.type = self.value.type.with_lanes(self.lanes)


class Shuffle(Expr):
    """Lanes picked by constant `indices` from the concatenation of `vectors` (one index: a scalar)."""

    __slots__ = ("vectors", "indices")
    vectors: tuple[Expr, ...]
    indices: tuple[int, ...]

    def _prepare(self) -> None:
        self.type = self.vectors[0].type.with_lanes(len(self.indices))


class VectorReduce(Expr):
    """Neighbouring lanes combined by `operator`, one of REDUCTIONS, down to `lanes` lanes."""

    __slots__ = ("operator", "value", "lanes")
    operator: str
    value: Expr
    lanes: int

    def _prepare(self) -> None:
        self.type = self.value.type.with_lanes(self.lanes)


class TensorCall(Expr):
    """The value of tensor intrinsic `name` for the vectors of its operands (`pipec.ir.tensor`).

    `declaration`: the digest of its declaration, so that equal calls mean the same.
    """

    __slots__ = ("name", "declaration", "operands")
    type: Type
    name: str
    declaration: int
    operands: tuple[Expr, ...]


# The operators of VectorReduce.
REDUCTIONS: dict[str, type[Binary]] = {"add": Add, "mul": Mul, "min": Min, "max": Max, "and": And, "or": Or}


class FuncCall(Expr):
    """The value number `value_index` of Func `name` at multi-dimensional coordinates (before storage flattening)."""

    __slots__ = ("name", "args", "value_index", "function")
    type: Type
    name: str
    args: tuple[Expr, ...]
    value_index: int
    function: Any  # the front end's Function, or None once lowered: hashable by identity


class ImageCall(Expr):
    """An element of an input buffer at multi-dimensional coordinates (before storage flattening)."""

    __slots__ = ("name", "args", "image")
    type: Type
    name: str
    args: tuple[Expr, ...]
    image: Any  # the front end's Parameter or Buffer, or None once lowered: hashable by identity


class Load(Expr):
    """Elements of a flat buffer. Index: element number, int32 or int64, a Ramp or other vector for vectors.

    Lanes where `predicate` (bool, same lanes) is false are not read and are undefined.
    """

    __slots__ = ("buffer", "index", "predicate")
    type: Type
    buffer: str
    index: Expr
    predicate: Expr


class Undef(Expr):
    """An undefined value: a definition that evaluates to it stores nothing. Lowering removes it."""

    __slots__ = ()
    type: Type


class Intrinsic(Expr):
    """A pure built-in function of its arguments; the names and meanings are in `pipec.ir.intrinsics`."""

    __slots__ = ("name", "args")
    type: Type
    name: str
    args: tuple[Expr, ...]


class Effect(Expr):
    """`value` with a side effect where it is evaluated (in definitions only; lowering turns it into statements).

    `kind` "print": prints `parts`, texts and values, where `condition` holds. `kind` "require": the pipeline ends with
    an error of these parts where `condition` does not hold.
    """

    __slots__ = ("value", "kind", "condition", "parts")
    value: Expr
    kind: str
    condition: Expr
    parts: tuple[Expr | str, ...]

    def _prepare(self) -> None:
        self.type = self.value.type


class ExternValue(Expr):
    """Value number `index` of a Func that the C function `symbol` computes, in its definition.

    `operands`: a FuncCall or ImageCall (at any coordinates) stands for the whole Func or image, others are scalars.
    """

    __slots__ = ("symbol", "operands", "index")
    type: Type
    symbol: str
    operands: tuple[Expr, ...]
    index: int


class BufferView(Expr):
    """The address of a temporary halide_buffer_t that describes a box of elements.

    `box`: (minimum, extent) of each dimension. After storage flattening `strides`, and `offset`, the element at the
    minimum coordinates, describe flat storage; before it, `name` and `value_index` name a Func or image. A view without
    memory (`name` "") is a bounds query.
    """

    __slots__ = ("element", "name", "value_index", "box", "strides", "offset")
    element: Type
    name: str
    value_index: int
    box: tuple[tuple[Expr, Expr], ...]
    strides: tuple[Expr, ...]
    offset: Expr

    def _prepare(self) -> None:
        self.type = Handle()


TRUE = Const(BOOL, 1)
FALSE = Const(BOOL, 0)


def const(value: int) -> Const:
    """An int32 constant."""
    return Const(INT32, value)


def variable(name: str) -> Variable:
    """An int32 variable."""
    return Variable(INT32, name)
