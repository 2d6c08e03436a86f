"""From live Funcs to frozen definitions: the pipeline that some outputs make, and its schedule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pipec.errors import DefinitionError, ScheduleError
from pipec.func.directives.loop_level import undecided
from pipec.func.functions.definition import ImageDef, PipelineDef
from pipec.func.functions.function import Function, by_name
from pipec.func.functions.substitution import effective_callees, effective_definition
from pipec.func.math.target_query import TargetFact
from pipec.ir.expr import Expr, FuncCall, ImageCall, ParameterRef
from pipec.ir.types import Type
from pipec.ir.walk import postorder
from pipec.schedule.directive import Directive
from pipec.schedule.fields import ROOT, Renaming
from pipec.schedule.placement import ComputeAt, StoreAt
from pipec.schedule.schedule import Schedule

# What a dimension of an image must have: minimum, extent, stride.
Constraint = tuple[Expr | None, Expr | None, Expr | None]
# The live objects behind a pipeline's arguments, by name: Parameters (scalars, images) and Buffers.
Bindings = dict[str, Any]


def reachable(outputs: Iterable[Function]) -> list[Function]:
    """Every Function that the outputs need, producers before consumers, outputs included.

    The order depends on the definitions alone: it is that of first mention, depth first.
    """
    order: dict[Function, None] = {}
    entered: set[Function] = set()
    for output in outputs:
        stack = [(output, iter(effective_callees(output)))]
        entered.add(output)
        while stack:
            function, callees = stack[-1]
            following = next((callee for callee in callees if callee not in entered), None)
            if following is None:
                stack.pop()
                order[function] = None
            else:
                entered.add(following)
                stack.append((following, iter(effective_callees(following))))
    return list(order)


def freeze(outputs: Sequence[Function], name: str = "", mentioned: Iterable[Expr] = ()) -> tuple[PipelineDef, Bindings]:
    """The frozen pipeline of `outputs`, and the live objects behind its arguments.

    `mentioned`: further expressions whose Params and images become arguments.
    """
    functions = reachable(outputs)
    for function in functions:
        function.freeze()
    parameters: dict[Any, None] = {}
    for function in functions:
        parameters.update(function.parameters)
        parameters.update(_parameters_of(_schedule_expressions(function)))
    for output in outputs:
        for image in output.outputs:
            parameters.update(_parameters_of(_constraint_expressions(image)))
    parameters.update(_parameters_of(mentioned))
    images: dict[str, ImageDef] = {}
    scalars: dict[str, Type] = {}
    bindings: Bindings = {}
    facts: list[TargetFact] = []
    own_outputs = {image for output in outputs for image in output.outputs}
    names = {function.name for function in functions}
    for parameter in _with_constraints(parameters):
        if parameter in own_outputs:
            continue
        key = parameter.name()
        if isinstance(parameter, TargetFact):
            facts.append(parameter)
            continue
        if key in bindings or key in names:
            raise DefinitionError(
                f"Error: All Params and embedded Buffers must have unique names, but the name '{key}' was seen "
                f"multiple times{', once as that of a Func' if key in names else ''}. Give one of them another name."
            )
        bindings[key] = parameter
        if is_buffer(parameter):
            images[key] = image_definition(parameter, key)
        else:
            scalars[key] = parameter.type()
    constraints = {name: definition for output in outputs for name, definition in _output_constraints(output).items()}
    definition = PipelineDef(
        name or outputs[0].name,
        tuple(output.name for output in outputs),
        {function.name: effective_definition(function) for function in functions},
        images,
        scalars,
        constraints,
        facts=tuple(facts),
    )
    return definition, bindings


def _output_constraints(output: Function) -> dict[str, ImageDef]:
    """The constraints on the buffers of an output, one for each element of a Tuple."""
    definitions: dict[str, ImageDef] = {}
    for name, image in zip(_value_names(output), output.outputs, strict=False):
        definition = image_definition(image, name)
        if definitions and any(
            minimum is not None or extent is not None for minimum, extent, _ in definition.constraints
        ):
            raise ScheduleError(
                "Error: Can't constrain the min or extent of an output buffer beyond the first. They are implicitly "
                f"constrained to have the same min and extent as the first output buffer. This is {name}: constrain "
                f"{next(iter(definitions))} instead."
            )
        definitions[name] = definition
    return definitions


def schedule_of(outputs: Iterable[Function]) -> Schedule:
    """The schedules of all Funcs that the outputs need, as one."""
    directives: list[Directive] = []
    by_name_only = Renaming(expression=by_name)
    functions = reachable(outputs)
    stored = {default for function in functions for default in function.stored_by_default}
    for function in functions:
        if function in stored and not function.is_placed:
            directives.append(ComputeAt(function.name, ROOT))
        directives += [directive.renamed(by_name_only) for directive in function.schedule.directives]
        for kind, handle in function.deferred.items():
            level = handle.level()
            if level is None:
                raise undecided(f"{kind}_at", function.name)
            directives.append((ComputeAt if kind == "compute" else StoreAt)(function.name, level))
    return Schedule(tuple(directives))


def is_buffer(parameter: Any) -> bool:
    """Whether an argument is an image (a Buffer, or the Parameter of an ImageParam), not a scalar."""
    test = getattr(parameter, "is_buffer", None)
    return True if test is None else bool(test())


def image_definition(image: Any, name: str) -> ImageDef:
    """The compile-time facts of an image argument: its type, dimensions and constraints."""
    triples = tuple(map(_triple_by_name, image.constraints()))
    traced, any_stride = getattr(image, "traced", False), getattr(image, "any_stride", False)
    return ImageDef(name, image.type(), image.dimensions(), triples, traced, any_stride)


def _triple_by_name(triple: Constraint) -> Constraint:
    minimum, extent, stride = [None if value is None else by_name(value) for value in triple]
    return minimum, extent, stride


def _value_names(output: Function) -> list[str]:
    """The buffers of a Func's values: its own name, or one for each element of a Tuple."""
    count = len(output.types)
    return [output.name] if count == 1 else [f"{output.name}.{i}" for i in range(count)]


def _constraint_expressions(image: Any) -> list[Expr]:
    constraints = getattr(image, "constraints", None)
    if constraints is None or not is_buffer(image):
        return []
    return [value for triple in constraints() for value in triple if value is not None]


def _schedule_expressions(function: Function) -> list[Expr]:
    return [e for directive in function.schedule.directives for e in directive.expressions().values()]


def _parameters_of(expressions: Iterable[Expr]) -> dict[Any, None]:
    parameters: dict[Any, None] = {}
    visited: set[Any] = set()
    for expression in expressions:
        for node in postorder(expression, visited=visited):
            if isinstance(node, ParameterRef):
                if isinstance(node.parameter, TargetFact):
                    raise DefinitionError(
                        f"Error: A directive or constraint depends on {node.name}: {expression}. Only constants and "
                        "Params may be used there; ask the Target in Python, e.g. target.natural_vector_size(type)."
                    )
                parameters[node.parameter] = None
            elif isinstance(node, ImageCall):
                parameters[node.image] = None
            elif isinstance(node, FuncCall):
                raise DefinitionError(
                    f"Error: A directive or constraint depends on the Func {node.name}: {expression}. "
                    "Only constants and Params may be used there."
                )
    return parameters


def _with_constraints(parameters: dict[Any, None]) -> list[Any]:
    """The parameters, and those that the constraints of images among them mention."""
    pending, result = list(parameters), dict(parameters)
    while pending:
        for extra in _parameters_of(_constraint_expressions(pending.pop())):
            if extra not in result:
                result[extra] = None
                pending.append(extra)
    return list(result)
