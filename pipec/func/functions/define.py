"""The rules for definitions of Funcs: what a pure definition and an update may be, and the errors when they are not."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from pipec.errors import DefinitionError
from pipec.func.functions.definition import SourceLocation, StageDef
from pipec.func.functions.function import Function
from pipec.func.functions.rdom import ReductionDomain
from pipec.func.math.random import resolve_random
from pipec.ir.expr import TRUE, Expr, FuncCall, ReductionVariable, Variable
from pipec.ir.placeholders import value_count
from pipec.ir.types import INT32, Type
from pipec.ir.walk import postorder, rewrite


def define_pure(function: Function, args: Sequence[str], values: Sequence[Expr], location: SourceLocation) -> None:
    """Make `values` over the variables `args` the pure definition of `function`."""
    _check_frozen(function, "definition", location)
    _check_requirements(function, len(args), tuple(value.type for value in values), location)
    for value in values:
        for node in postorder(value):
            if isinstance(node, FuncCall) and node.function is function:
                raise DefinitionError(_not_yet_defined(function, location))
            if isinstance(node, ReductionVariable):
                raise DefinitionError(
                    f'Error: In pure definition of Func "{function.name}":\n'
                    f"Reduction domain referenced in pure function definition. ({node.name}, at {location})\n"
                    "Give the Func a pure definition first and use the RDom in an update, "
                    "or wrap the expression in sum(), maximum() or their kin."
                )
    for at, name in enumerate(args):
        if name in args[:at]:
            raise DefinitionError(
                f'Error: In pure definition of Func "{function.name}":\n'
                f'In left-hand-side of definition, arguments {at} and {args.index(name)} both have the name "{name}" '
                f"({location})."
            )
    _check_variables(function, set(args), values, location)
    function.args = tuple(args)
    function.types = tuple(value.type for value in values)
    lhs = tuple(Variable(INT32, name) for name in args)
    values = resolve_random(values, lhs, function.name)
    function.add_stage(StageDef(lhs, tuple(values), (), TRUE, location))


def define_update(
    function: Function,
    args: Sequence[Expr],
    values: Sequence[Expr],
    location: SourceLocation,
    domain: ReductionDomain | None = None,
) -> None:
    """Append an update: at `args` the values of `function` become `values`, for all points of the RDom in them.

    `domain`: the domain to visit also when nothing mentions its variables.
    """
    _check_frozen(function, "update definition", location)
    number = len(function.stages) - 1
    value_count((*args, *values), function.name)
    _check_types(function, number, values, location)
    domain = _domain_of(function, args, values, location, domain)
    predicate = TRUE if domain is None else domain.predicate
    pure = [isinstance(arg, Variable) and arg.name == name for arg, name in zip(args, function.args, strict=True)]
    allowed = {name for name, is_pure in zip(function.args, pure, strict=True) if is_pure}
    _check_variables(function, allowed, [*args, *values, predicate], location)
    recursive = _check_recursion(function, args, pure, [*args, *values, predicate], location)
    if domain is None and all(pure) and not recursive:
        _warn_hidden(function, number)
    coordinates: list[Expr] = [arg for arg, is_pure in zip(args, pure, strict=True) if is_pure]
    if domain is not None:
        coordinates += [ReductionVariable(INT32, loop.name, domain) for loop in domain.loops]
    resolved = resolve_random([*args, *values, predicate], coordinates, f"{function.name}.{number}")
    args, values, predicate = resolved[: len(args)], resolved[len(args) : -1], resolved[-1]
    if domain is not None:
        domain.frozen = True
    if domain is not None or recursive:
        memo: dict[Any, Any] = {}
        args = [_detach(function, arg, memo) for arg in args]
        values = [_detach(function, value, memo) for value in values]
        predicate = _detach(function, predicate, memo)
    loops = () if domain is None else domain.loops
    function.add_stage(StageDef(tuple(args), tuple(values), loops, predicate, location))


def _not_yet_defined(function: Function, location: SourceLocation) -> str:
    return f'Error: Can\'t call Func "{function.name}" because it has not yet been defined. ({location})'


def _check_frozen(function: Function, what: str, location: SourceLocation) -> None:
    if function.frozen:
        kind = "update definition" if function.defined else what
        raise DefinitionError(
            f"Error: Func {function.name} cannot be given a new {kind}, because it has already been realized or used "
            f"in the definition of another Func. ({location}) Define it completely before its first use."
        )


def _type_list(types: Sequence[Type]) -> str:
    return str(types[0]) if len(types) == 1 else f"({', '.join(map(str, types))})"


def _check_requirements(function: Function, dimensions: int, types: tuple[Type, ...], location: SourceLocation) -> None:
    required = function.required_dimensions
    if required is not None and required != dimensions:
        raise DefinitionError(
            f'Error: Func "{function.name}" is constrained to have exactly {required} dimensions, '
            f"but is defined with {dimensions} dimensions. ({location})"
        )
    if function.required_types and function.required_types != types:
        raise DefinitionError(
            f'Error: Func "{function.name}" is constrained to only hold values of type '
            f"{_type_list(function.required_types)} but is defined with values of type {_type_list(types)}. "
            f"({location})"
        )


def _check_variables(function: Function, allowed: set[str], nodes: Sequence[Expr], location: SourceLocation) -> None:
    hint = ""
    if function.defined and len(allowed) < len(function.args):
        hint = f" Only Vars that stand in the same places as in {function.name}[{', '.join(function.args)}] are ones."
    for node in postorder(*nodes):
        if isinstance(node, Variable) and node.name not in allowed:
            raise DefinitionError(
                f'Error: Undefined variable "{node.name}" in definition of Func "{function.name}" ({location}). '
                f"The variables on the left-hand side are: {', '.join(sorted(allowed)) or 'none'}.{hint}"
            )


def _check_types(function: Function, number: int, values: Sequence[Expr], location: SourceLocation) -> None:
    start = f'Error: In update definition {number} of Func "{function.name}":\n'
    if len(values) != len(function.types):
        raise DefinitionError(
            f"{start}Number of tuple elements for update definition must match number of tuple elements for pure "
            f"definition: {len(values)} given, {len(function.types)} needed. ({location})"
        )
    for at, (value, type_) in enumerate(zip(values, function.types, strict=True)):
        if value.type is not type_:
            raise DefinitionError(
                f"{start}Tuple element {at} of update definition has type {value.type}, "
                f"but pure definition has type {type_} ({location}). Use cast to make them equal."
            )


def _domain_of(
    function: Function,
    args: Sequence[Expr],
    values: Sequence[Expr],
    location: SourceLocation,
    domain: ReductionDomain | None,
) -> ReductionDomain | None:
    for node in postorder(*args, *values):
        if isinstance(node, ReductionVariable):
            if domain is not None and node.domain is not domain:
                raise DefinitionError(
                    f'Error: Multiple reduction domains found in definition of Func "{function.name}": '
                    f"{domain.name} and {node.domain.name} ({location}). Make one RDom of all the dimensions."
                )
            domain = node.domain
    return domain


def _check_recursion(
    function: Function, args: Sequence[Expr], pure: list[bool], nodes: Sequence[Expr], location: SourceLocation
) -> bool:
    """Whether the definition calls the Func itself; such calls must keep the pure variables in their places."""
    recursive = False
    for node in postorder(*nodes):
        if not (isinstance(node, FuncCall) and node.function is function):
            continue
        recursive = True
        for own, called, is_pure in zip(args, node.args, pure, strict=True):
            if is_pure and own is not called:
                raise DefinitionError(
                    f'Error: In definition of Func "{function.name}":\n'
                    "All of a function's recursive references to itself must contain the same pure variables in "
                    f"the same places as on the left-hand-side: {called} stands where {own} must ({location}). "
                    "Use an RDom for the dimension that runs in order."
                )
    return recursive


def _detach(function: Function, node: Expr, memo: dict[Any, Any]) -> Expr:
    """The expression with calls of the Func itself, and reduction variables, known by name only.

    A definition that referred to the Func that holds it would keep both alive for ever.
    """

    def change(n: Any) -> Any:
        if isinstance(n, FuncCall) and n.function is function:
            return FuncCall(n.type, n.name, n.args, n.value_index, None)
        if isinstance(n, ReductionVariable) and n.domain is not None:
            return ReductionVariable(n.type, n.name, None)
        return n

    return rewrite(node, change, memo)


def _warn_hidden(function: Function, number: int) -> None:
    sys.stdout.write(
        f'Warning: In update definition {number} of Func "{function.name}":\n'
        "Update definition completely hides earlier definitions,  because all the arguments are pure, it contains no "
        "self-references,  and no reduction domain. This may be an accidental re-definition of  an already-defined "
        "function.\n"
    )
