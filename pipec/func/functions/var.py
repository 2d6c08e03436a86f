"""Pure variables: `Var`, the implicit variables `_`, `_0` ... `_9`, and how `_` expands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipec.errors import DefinitionError
from pipec.func.functions.names import numbered_name
from pipec.func.math.expr import Operand
from pipec.ir.expr import Expr as Node
from pipec.ir.expr import Variable
from pipec.ir.types import INT32
from pipec.ir.walk import free_variables

OUTERMOST = "__outermost"
_PLACEHOLDER = "_"


class Var(Operand):
    """A coordinate of a Func; two Vars of one name are the same.

    >>> x = hl.Var("x")
    >>> x.name(), x.same_as(hl.Var("x"))
    ('x', True)
    """

    __slots__ = ("_name", "_node")

    def __init__(self, name: str | None = None) -> None:
        if name is not None and not isinstance(name, str):
            raise TypeError(
                f"Var(): incompatible constructor arguments: a Var takes a name, not a {type(name).__name__}: {name!r}"
            )
        self._name = numbered_name("v") if name is None else name
        self._node: Node | None = None

    @property
    def node(self) -> Node:
        """The IR node of the variable. Raises DefinitionError for the placeholder `_`."""
        if self._name == _PLACEHOLDER:
            raise DefinitionError("Error: The placeholder _ can only be an argument of a Func, not part of an Expr.")
        if self._node is None:
            self._node = Variable(INT32, self._name)
        return self._node

    def name(self) -> str:
        """Returns the name of the variable."""
        return self._name

    def same_as(self, other: Var) -> bool:
        """Whether the two are one variable: whether their names are equal."""
        if not isinstance(other, Var):
            raise TypeError(f"same_as(): incompatible function arguments: a Var is needed, not {other!r}")
        return self._name == other._name

    @staticmethod
    def implicit(index: int) -> Var:
        """The implicit variable number `index`: `_0`, `_1`, ..."""
        return Var(f"_{index}")

    def is_implicit(self) -> bool:
        """Returns whether this is one of the implicit variables `_0`, `_1`, ..."""
        return implicit_index(self._name) is not None

    def implicit_index(self) -> int:
        """Its number when it is an implicit variable, else -1."""
        index = implicit_index(self._name)
        return -1 if index is None else index

    def is_placeholder(self) -> bool:
        """Returns whether this is the placeholder `_`."""
        return self._name == _PLACEHOLDER

    @staticmethod
    def outermost() -> Var:
        """The place outside all loops of a Func, for compute_at and its kin."""
        return Var(OUTERMOST)

    def __repr__(self) -> str:
        return f"<halide.Var '{self._name}'>"

    def __str__(self) -> str:
        return self._name


_ = Var("_")
_0, _1, _2, _3, _4, _5, _6, _7, _8, _9 = (Var.implicit(i) for i in range(10))


def vars(names: str) -> tuple[Var, ...]:
    """Several Vars from their names, separated by spaces or commas.

    >>> x, y = hl.vars("x y")
    >>> x, y
    (<halide.Var 'x'>, <halide.Var 'y'>)
    """
    return tuple(Var(name) for name in split_names(names, "vars"))


def split_names(names: str, function: str) -> list[str]:
    """The names between spaces or commas."""
    if not isinstance(names, str):
        raise TypeError(f"{function}(): incompatible function arguments: a string of names is needed, not {names!r}")
    return names.replace(",", " ").split()


def implicit_index(name: str) -> int | None:
    """3 for "_3"; None for names of other variables."""
    return int(name[1:]) if name[:1] == _PLACEHOLDER and name[1:].isdigit() else None


def has_placeholder(args: Sequence[Any]) -> bool:
    """Whether `_` is among the arguments."""
    return any(isinstance(arg, Var) and arg.is_placeholder() for arg in args)


def expand_placeholder(args: Sequence[Any], count: int) -> list[Any]:
    """The arguments with `_` replaced by `_0` ... up to `count` of them; at most one `_` may stand there."""
    expanded: list[Any] = []
    for arg in args:
        if isinstance(arg, Var) and arg.is_placeholder():
            expanded.extend([Var.implicit(i) for i in range(count)])
        else:
            expanded.append(arg)
    if sum(isinstance(arg, Var) and arg.is_placeholder() for arg in args) > 1:
        raise DefinitionError("Error: The placeholder _ may stand only once among the arguments of a Func.")
    return expanded


def implicit_count(nodes: Sequence[Node]) -> int:
    """Returns the number of implicit variables of the expressions: one more than the highest number among them."""
    indices = [implicit_index(name) for node in nodes for name in free_variables(node)]
    return max((index + 1 for index in indices if index is not None), default=0)
