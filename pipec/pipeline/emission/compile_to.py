"""From a Pipeline and the arguments of a compile_to method to the Emission that writes the files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pipec.errors import UndefinedError
from pipec.func.directives.options import OutputFileType
from pipec.func.functions.freeze import freeze
from pipec.func.functions.function import Function
from pipec.pipeline.calls.arguments import arguments_of, inferred
from pipec.pipeline.calls.runnable import Requirement, mentioned_in
from pipec.pipeline.emission.module import Module
from pipec.target import Target, get_target_from_environment

if TYPE_CHECKING:
    from pipec.pipeline.emission.emission import Emission
    from pipec.pipeline.emission.multitarget import Emit


class CompileTo:
    """The part of Pipeline behind the compile_to methods, which `Realizable` declares."""

    __slots__ = ()
    _functions: tuple[Function, ...]
    _requirements: list[Requirement]

    def _defined(self) -> tuple[Function, ...]:
        if not self._functions:
            raise UndefinedError("Error: Can't compile undefined Pipeline: it was made without a Func.")
        for function in self._functions:
            if not function.defined:
                raise UndefinedError(
                    f"Error: Can't compile Pipeline with undefined output Func: {function.name}. (made at"
                    f" {function.location})"
                )
        return self._functions

    def _emission(self, arguments: Any, name: str, target: Target | None) -> Emission:
        from pipec.pipeline.emission.emission import Emission

        return Emission(self._defined(), tuple(self._requirements), arguments_of(arguments), name, target)

    def _write(self, kind: OutputFileType, filename: Any, arguments: Any, *rest: Any, **named: Any) -> None:
        name, target = _name_and_target(kind, rest, named)
        self._emission(arguments, name, target).write(kind, filename)

    def _module(self, arguments: Any, name: str, target: Target | None) -> Module:
        emission = self._emission(arguments, name, target)
        # Lowers now, so that an illegal schedule is reported by this call.
        emission.program  # noqa: B018
        return Module(emission.name, emission.target, [emission])

    def _write_pair(
        self, kind: OutputFileType, prefix: Any, arguments: Sequence[Any], name: str, target: Target | None
    ) -> None:
        from pipec.pipeline.emission.multitarget import write_pair

        prefix = os.fspath(prefix)
        write_pair(self._emission(arguments, name or os.path.basename(prefix), target), kind, prefix)

    def _write_library(self, prefix: Any, arguments: Sequence[Any], targets: Sequence[Target]) -> None:
        from pipec.pipeline.emission.multitarget import write_library

        write_library(emitter(self, arguments), os.fspath(prefix), targets)

    def _write_objects(
        self, prefix: Any, arguments: Sequence[Any], targets: Sequence[Target], suffixes: Sequence[str]
    ) -> None:
        from pipec.pipeline.emission.multitarget import write_objects

        write_objects(emitter(self, arguments), os.fspath(prefix), targets, suffixes)

    def _write_statement(self, kind: OutputFileType, filename: Any, arguments: Any, target: Target | None) -> None:
        if arguments is None:
            arguments = inferred(freeze(self._defined(), mentioned=mentioned_in(self._requirements))[1])
        self._emission(arguments, "", target).write(kind, filename)


def emitter(pipeline: CompileTo, arguments: Sequence[Any]) -> Emit:
    """What gives a pipeline as a C function of some name for a target."""
    from pipec.pipeline.emission.emission import Emission

    functions, requirements, parameters = pipeline._defined(), tuple(pipeline._requirements), arguments_of(arguments)
    return lambda name, target: Emission(functions, requirements, parameters, name, target, plain=True)


def compile_standalone_runtime(outputs: Any, target: Target) -> Any:
    """Write the runtime alone, for pipelines compiled with no_runtime: an object, or what a dict asks for."""
    from pipec.pipeline.emission.multitarget import write_runtime

    if not isinstance(outputs, Mapping):
        write_runtime(OutputFileType.object, outputs, target)
        return None
    for kind, filename in outputs.items():
        write_runtime(kind, filename, target)
    return dict(outputs)


def _name_and_target(kind: OutputFileType, rest: tuple[Any, ...], named: dict[str, Any]) -> tuple[str, Any]:
    """The function's name and the target, of which each may be left out."""
    keywords = dict(named)
    values = list(rest)
    name = values.pop(0) if values and isinstance(values[0], str) else keywords.pop("fn_name", "")
    target = values.pop(0) if values else keywords.pop("target", None)
    if values or keywords or not isinstance(name, str) or not isinstance(target, Target | None):
        raise TypeError(
            f"compile_to_{kind.name}(): incompatible function arguments: the form is (filename, arguments[, fn_name][,"
            f" target]), not {rest!r} {named!r}"
        )
    return name, get_target_from_environment() if target is None else target
