"""Wrappers, clones and float64 versions: Functions in the place of another one in definitions.

A consumer knows what stands for its callees; definitions keep the names they were written with until they are frozen.
(The other way round, a Function that knew its consumers would keep them, and itself, alive for ever.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipec.errors import DefinitionError, ScheduleError
from pipec.func.functions.define import define_pure
from pipec.func.functions.definition import FuncDef, ImageDef, PipelineDef, user_location
from pipec.func.functions.function import Function, revision
from pipec.func.functions.parameter import Parameter
from pipec.ir.build import cast
from pipec.ir.expr import Binary, Cast, Const, Expr, FuncCall, ImageCall, Intrinsic, Reinterpret, Variable
from pipec.ir.intrinsics import result_type
from pipec.ir.types import INT32, Float, Type
from pipec.ir.walk import renaming_calls, rewriter
from pipec.records import replace
from pipec.schedule.fields import Renaming
from pipec.schedule.schedule import Schedule

# What can be wrapped: a Function, or the image of an ImageParam.
Source = Function | Parameter


def wrapper_in(function: Source, consumers: Sequence[Function]) -> Function:
    """The Function that stands between `function` and these consumers, or between it and all when there are none."""
    if not consumers:
        if function.wrapper is None:
            function.wrapper = _new_wrapper(function, f"{_base(function)}_global_wrapper")
            revision.advance()
        return function.wrapper
    wrapper = _existing(function, consumers, "wrapper")
    if wrapper is None:
        word = f"in_{_base(consumers[0])}" if len(consumers) == 1 else "wrapper"
        wrapper = _new_wrapper(function, f"{_base(function)}_{word}")
    return _give(function, consumers, wrapper)


def clone_in(function: Function, consumers: Sequence[Function]) -> Function:
    """A copy of `function`, its schedule included, that these consumers use in its place."""
    clone = _existing(function, consumers, "clone")
    if clone is None:
        word = f"clone_in_{_base(consumers[0])}" if len(consumers) == 1 else "clone"
        clone = _new_clone(function, f"{_base(function)}_{word}")
    return _give(function, consumers, clone)


def effective_callees(consumer: Function) -> list[Function]:
    """The Functions that a Function calls after substitution, in the order of its definitions."""
    ends = [_chain(consumer, source)[-1] for source in _sources(consumer)]
    return [end for end in ends if isinstance(end, Function)]


def _sources(consumer: Function) -> list[Source]:
    """The Functions and images that the definitions of a Function name."""
    images = [parameter for parameter in consumer.parameters if isinstance(parameter, Parameter)]
    return [*consumer.callees, *images]


def effective_definition(consumer: Function) -> FuncDef:
    """The frozen definition, with the names of the substitutes that it calls."""
    definition = consumer.definition()
    chains = [_chain(consumer, source) for source in _sources(consumer)]
    reached = {step for steps in chains for step in steps}
    for source in consumer.substitutes:
        if source not in reached:
            name, callees = _name(source), [callee.name for callee in consumer.callees]
            raise ScheduleError(
                f'Error: Cannot wrap "{name}" in "{consumer.name}" because "{consumer.name}" does not call "{name}"\n'
                f'Direct callees of "{consumer.name}" are: {", ".join(callees) or "none"}'
            )
    names = {(type(steps[0]), _name(steps[0])): _name(steps[-1]) for steps in chains if len(steps) > 1}
    return _renamed(definition, names) if names else definition


def _chain(consumer: Function, callee: Source) -> list[Source]:
    """The substitutes of a callee, each replacing the one before it: wrappers may be wrapped."""
    steps = [callee]
    while True:
        last = steps[-1]
        following = consumer.substitutes.get(last)
        if following is None and consumer.wraps is not last:
            following = last.wrapper
        if following is None or following is consumer:
            return steps
        steps.append(following)


def _name(source: Source) -> str:
    return source.name if isinstance(source, Function) else source.name()


def _base(source: Source) -> str:
    stem = _name(source).partition("$")[0]
    return stem if isinstance(source, Function) else f"{stem}_im"


def _existing(function: Source, consumers: Sequence[Function], kind: str) -> Function | None:
    """The present substitute of `function` in these consumers; an error when they do not share one."""
    substitutes = {consumer.substitutes[function] for consumer in consumers if function in consumer.substitutes}
    if not substitutes:
        return None
    first, *others = substitutes
    for consumer in consumers:
        if function not in consumer.substitutes:
            raise ScheduleError(
                f"Error: Cannot define the {kind} of {_name(function)} in {consumer.name}, because another Func of the"
                f" list reads {first.name} in its place already. Ask for both in one list."
            )
    for other in first.consumers:
        if others or other not in consumers:
            culprit = others[0].name if others else other.name
            raise ScheduleError(
                f"Error: Redefinition of shared wrapper [{_name(function)} -> {first.name}] in {consumers[0].name} is"
                f" illegal since {culprit} shares the same wrapper but is not part of the redefinition"
            )
    return first


def _give(function: Source, consumers: Sequence[Function], stand_in: Function) -> Function:
    for consumer in consumers:
        if consumer is function:
            raise ScheduleError(f"Error: Cannot wrap {_name(function)} in itself.")
        if consumer not in stand_in.consumers:
            consumer.substitutes[function] = stand_in
            stand_in.consumers.append(consumer)
            revision.advance()
    return stand_in


def _require_defined(function: Function) -> None:
    if not function.defined:
        raise DefinitionError(
            f'Error: Func "{function.name}" (made at {function.location}) has no definition yet, so nothing can stand'
            " in its place."
        )


def _new_wrapper(source: Source, name: str) -> Function:
    if isinstance(source, Function):
        _require_defined(source)
    wrapper = Function(name, user_location())
    values: list[Expr]
    # Calls by name, with the Function or image noted beside: nodes that referred to it would keep both alive for ever.
    if isinstance(source, Function):
        names = source.args
        args = tuple([Variable(INT32, arg) for arg in names])
        values = [FuncCall(kind, source.name, args, at, None) for at, kind in enumerate(source.types)]
        wrapper.callees[source] = None
        source.freeze()
    else:
        names = tuple([f"_{d}" for d in range(source.dimensions())])
        values = [ImageCall(source.type(), source.name(), tuple([Variable(INT32, arg) for arg in names]), None)]
    define_pure(wrapper, names, values, user_location())
    if not isinstance(source, Function):
        # In the place of the undefined image that the call notes.
        wrapper.parameters = {source: None}
    wrapper.wraps = source
    wrapper.freeze()
    return wrapper


def _new_clone(function: Function, name: str) -> Function:
    _require_defined(function)
    function.freeze()
    clone = Function(name, user_location())
    clone.args, clone.types = function.args, function.types
    clone.stages = list(function.definition().mapped(renaming_calls({function.name: clone.name})).stages)
    clone.callees, clone.parameters = dict(function.callees), dict(function.parameters)
    clone.substitutes = dict(function.substitutes)
    clone.deferred = dict(function.deferred)
    renaming = Renaming(lambda name: clone.name if name == function.name else name)
    clone.schedule = Schedule(tuple([directive.renamed(renaming) for directive in function.schedule.directives]))
    clone.freeze()
    return clone


def _renamed(definition: FuncDef, names: dict[tuple[type, str], str]) -> FuncDef:
    """The definition with calls of other Functions; `names`: (Function or Parameter, name) -> name of a Function."""

    def change(node: Any) -> Any:
        if isinstance(node, FuncCall) and (Function, node.name) in names:
            return FuncCall(node.type, names[Function, node.name], node.args, node.value_index, None)
        if isinstance(node, ImageCall) and (Parameter, node.name) in names:
            return FuncCall(node.type, names[Parameter, node.name], node.args, 0, None)
        return node

    return definition.mapped(rewriter(change))


FLOAT64 = Float(64)


def in_float64(definition: PipelineDef) -> PipelineDef:
    """Returns the pipeline with all floats as float64; reinterpreted bits stay those of the original types."""

    def change(node: Any) -> Any:
        return _widened(node) if isinstance(node, Expr) else node

    funcs = {}
    for name, func in definition.funcs.items():
        wide = func.mapped(rewriter(change))
        funcs[name] = replace(wide, types=tuple(map(_wide, func.types)))
    images = {name: ImageDef(name, _wide(image.type), image.dimensions) for name, image in definition.images.items()}
    scalars = {name: _wide(kind) for name, kind in definition.scalars.items()}
    return replace(definition, funcs=funcs, images=images, scalars=scalars, output_constraints={})


def _wide(kind: Type) -> Type:
    return FLOAT64 if kind.floating else kind


def _widened(e: Expr) -> Expr:
    """A node whose operands are in double precision."""
    if isinstance(e, Reinterpret):
        if e.type.floating:
            return cast(FLOAT64, e)
        narrow = Float(e.type.nbits)
        return Reinterpret(e.type, cast(narrow, e.value)) if e.value.type.floating else e
    if isinstance(e, Binary):
        return e
    if isinstance(e, Const):
        return Const(FLOAT64, e.value) if e.type.floating else e
    if isinstance(e, Cast):
        return cast(_wide(e.type), e.value)
    if isinstance(e, Intrinsic):
        return Intrinsic(result_type(e.name, tuple([arg.type for arg in e.args])), e.name, e.args)
    if not e.type.floating or "type" not in e.FIELDS:
        return e
    wide = type(e)(*[FLOAT64 if field == "type" else getattr(e, field) for field in e.FIELDS])
    return wide
