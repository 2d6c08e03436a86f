"""The methods of a Pipeline that write files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pipec.errors import UndefinedError
from pipec.func.directives.options import LinkageType, OutputFileType, StmtOutputFormat
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
    """Output of a whole pipeline as files: for this machine unless `target`, or HL_TARGET, names another one.

    `arguments` are the Params and ImageParams in the order of the C function's parameters; the outputs follow them.
    The function is called `fn_name`, or as the first output.
    """

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

    def compile_to(
        self,
        outputs: Mapping[OutputFileType, Any],
        arguments: Sequence[Any],
        fn_name: str,
        target: Target | None = None,
    ) -> None:
        """Write several files: `{OutputFileType.object: "f.o", ...}`."""
        self._emission(arguments, fn_name, target).write_all(outputs)

    def compile_to_module(
        self,
        arguments: Sequence[Any],
        fn_name: str = "",
        target: Target | None = None,
        linkage: LinkageType = LinkageType.ExternalPlusMetadata,
    ) -> Module:
        """The pipeline lowered for a target; its `compile` writes files. `linkage`: External however it is given."""
        emission = self._emission(arguments, fn_name, target)
        # Schedules that cannot be met are told here.
        emission.program  # noqa: B018
        return Module(emission.name, emission.target, [emission])

    def compile_to_object(self, filename: Any, arguments: Sequence[Any], *rest: Any, **named: Any) -> None:
        """Write an object file: `compile_to_object(filename, arguments[, fn_name][, target])`."""
        self._write(OutputFileType.object, filename, arguments, *rest, **named)

    def compile_to_assembly(self, filename: Any, arguments: Sequence[Any], *rest: Any, **named: Any) -> None:
        """Write the machine's assembly, with parameters as for compile_to_object."""
        self._write(OutputFileType.assembly, filename, arguments, *rest, **named)

    def compile_to_bitcode(self, filename: Any, arguments: Sequence[Any], *rest: Any, **named: Any) -> None:
        """Write LLVM bitcode, with parameters as for compile_to_object."""
        self._write(OutputFileType.bitcode, filename, arguments, *rest, **named)

    def compile_to_llvm_assembly(self, filename: Any, arguments: Sequence[Any], *rest: Any, **named: Any) -> None:
        """Write LLVM's text, with parameters as for compile_to_object."""
        self._write(OutputFileType.llvm_assembly, filename, arguments, *rest, **named)

    def compile_to_c(
        self, filename: Any, arguments: Sequence[Any], fn_name: str = "", target: Target | None = None
    ) -> None:
        """Write C99 that needs nothing but a C compiler and its library."""
        self._write(OutputFileType.c_source, filename, arguments, fn_name, target)

    def compile_to_header(
        self, filename: Any, arguments: Sequence[Any], fn_name: str = "", target: Target | None = None
    ) -> None:
        """Write the C header that declares the function and the types of its parameters."""
        self._write(OutputFileType.c_header, filename, arguments, fn_name, target)

    def compile_to_file(
        self, filename_prefix: Any, arguments: Sequence[Any], fn_name: str = "", target: Target | None = None
    ) -> None:
        """Write an object file, prefix.o, and the header, prefix.h."""
        self._write_pair(OutputFileType.object, filename_prefix, arguments, fn_name, target)

    def compile_to_static_library(
        self, filename_prefix: Any, arguments: Sequence[Any], fn_name: str = "", target: Target | None = None
    ) -> None:
        """Write a static library, prefix.a, and the header, prefix.h: `cc main.c prefix.a -lpthread -lm`."""
        self._write_pair(OutputFileType.static_library, filename_prefix, arguments, fn_name, target)

    def _write_pair(
        self, kind: OutputFileType, prefix: Any, arguments: Sequence[Any], name: str, target: Target | None
    ) -> None:
        from pipec.pipeline.emission.multitarget import write_pair

        prefix = os.fspath(prefix)
        write_pair(self._emission(arguments, name or os.path.basename(prefix), target), kind, prefix)

    def compile_to_multitarget_static_library(
        self, filename_prefix: Any, arguments: Sequence[Any], targets: Sequence[Target]
    ) -> None:
        """Write prefix.a, with code for each target of which the first that fits the processor is run, and prefix.h."""
        from pipec.pipeline.emission.multitarget import write_library

        write_library(self._emitter(arguments), os.fspath(filename_prefix), targets)

    def compile_to_multitarget_object_files(
        self, filename_prefix: Any, arguments: Sequence[Any], targets: Sequence[Target], suffixes: Sequence[str]
    ) -> None:
        """As compile_to_multitarget_static_library, but the objects themselves: prefix-SUFFIX.o and others.

        One target needs no choice: prefix.o holds all.
        """
        from pipec.pipeline.emission.multitarget import write_objects

        write_objects(self._emitter(arguments), os.fspath(filename_prefix), targets, suffixes)

    def _emitter(self, arguments: Sequence[Any]) -> Emit:
        from pipec.pipeline.emission.emission import Emission

        functions, requirements, given = self._defined(), tuple(self._requirements), arguments_of(arguments)
        return lambda name, target: Emission(functions, requirements, given, name, target, plain=True)

    def compile_to_lowered_stmt(
        self,
        filename: Any,
        arguments: Sequence[Any] | None = None,
        fmt: StmtOutputFormat = StmtOutputFormat.Text,
        target: Target | None = None,
    ) -> None:
        """Write the lowered program, as text or as a page of HTML."""
        kind = OutputFileType.stmt if fmt is StmtOutputFormat.Text else OutputFileType.stmt_html
        self._write_statement(kind, filename, arguments, target)

    def compile_to_conceptual_stmt(
        self,
        filename: Any,
        arguments: Sequence[Any] | None = None,
        fmt: StmtOutputFormat = StmtOutputFormat.Text,
        target: Target | None = None,
    ) -> None:
        """Write the loops before lowering's passes, as text or as a page of HTML."""
        text = fmt is StmtOutputFormat.Text
        kind = OutputFileType.conceptual_stmt if text else OutputFileType.conceptual_stmt_html
        self._write_statement(kind, filename, arguments, target)

    def _write_statement(self, kind: OutputFileType, filename: Any, arguments: Any, target: Target | None) -> None:
        if arguments is None:
            arguments = inferred(freeze(self._defined(), mentioned=mentioned_in(self._requirements))[1])
        self._emission(arguments, "", target).write(kind, filename)


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
    given = dict(named)
    values = list(rest)
    name = values.pop(0) if values and isinstance(values[0], str) else given.pop("fn_name", "")
    target = values.pop(0) if values else given.pop("target", None)
    if values or given or not isinstance(name, str) or not isinstance(target, Target | None):
        raise TypeError(
            f"compile_to_{kind.name}(): incompatible function arguments: (filename, arguments[, fn_name][, target]) are"
            f" wanted, not {rest!r} {named!r}"
        )
    return name, get_target_from_environment() if target is None else target
