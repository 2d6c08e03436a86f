"""print, print_when and require: expressions that print a text, or check a condition, when they are evaluated."""

from __future__ import annotations

from typing import Any

from pipec.diagnostics import warn
from pipec.errors import DefinitionError
from pipec.func.math.convert import node_or_none
from pipec.func.math.expr import Expr, wrap
from pipec.ir.expr import FALSE, TRUE, Effect
from pipec.ir.expr import Expr as Node
from pipec.ir.types import BOOL


def print_(*args: Any) -> Expr:
    """print(value, ...) is the first argument; where it is evaluated all of them, texts and values, are printed.

    One line on sys.stdout, or to Pipeline.set_custom_print's function, for each evaluation: as often as the schedule
    computes it, each lane of a vector by itself. Integers are printed in decimal, float64 with an exponent (%e),
    narrower floats without (%f), bool as true or false.
    """
    return _printed("print", TRUE, args)


def print_when(condition: Any, *args: Any) -> Expr:
    """As print, where `condition` holds."""
    return _printed("print_when", _condition("print_when", condition), args)


def require(condition: Any, value: Any, *args: Any) -> Expr:
    """`value`; where `condition` is false when this is evaluated, the pipeline ends with a RequirementError.

    Its text has `value` and all of `args`, texts and values.

    >>> hl.evaluate(hl.require(hl.i32(1) < 2, 5, "one is not below two"))
    5
    """
    truth = _condition("Require", condition)
    node = _value("require", value)
    if truth is FALSE:
        warn(f"This pipeline is guaranteed to fail a require() expression at runtime: it demands {truth}.")
    return wrap(Effect(node, "require", truth, (node, *_parts("require", args))))


def _printed(name: str, condition: Node, args: tuple[Any, ...]) -> Expr:
    if not args:
        raise TypeError(f"{name}(): incompatible function arguments. There is nothing to print.")
    node = _value(name, args[0])
    return wrap(Effect(node, "print", condition, (node, *_parts(name, args[1:]))))


def _parts(name: str, args: tuple[Any, ...]) -> tuple[Node | str, ...]:
    return tuple([arg if isinstance(arg, str) else _value(name, arg) for arg in args])


def _value(name: str, value: Any) -> Node:
    node = node_or_none(value)
    if node is None:
        what = "a text, which cannot be the value of an expression; put it after one" if isinstance(value, str) else ""
        raise TypeError(
            f"{name}(): incompatible function arguments. {value!r} is {what or 'neither a text nor a value'}."
        )
    if node.type.is_handle():
        raise DefinitionError(f"Error: {name} cannot write {node}, which is a pointer ({node.type}).")
    return node


def _condition(name: str, condition: Any) -> Node:
    node = node_or_none(condition)
    if node is None:
        raise TypeError(f"{name}(): incompatible function arguments. {condition!r} is no condition.")
    if node.type is not BOOL:
        raise DefinitionError(
            f"Error: {name} condition must be a boolean type. {node} has type {node.type}; write a"
            " comparison, such as x > 0."
        )
    return node
