"""Pipelines written to files: objects, libraries, headers, LLVM's forms, C, the lowered program as text or page."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from pipec.errors import ArgumentError, NotSupportedError
from pipec.func.buffers.buffer import Buffer
from pipec.func.directives.options import OutputFileType
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.func.functions.function import Function
from pipec.func.math.target_query import for_target
from pipec.ir.build import constant
from pipec.ir.expr import Expr
from pipec.ir.printer import statement_page, to_text
from pipec.ir.program import BoundsQuery, Program
from pipec.ir.program import ProgramArgument as ProgramArgument
from pipec.ir.program import ProgramArgumentKind as ProgramKind
from pipec.ir.types import Handle, Type
from pipec.jit.c.emit import c_source
from pipec.jit.c.function_info import function_info_text
from pipec.jit.c.header import header_text
from pipec.jit.c.interface import (
    C_LIBRARY,
    C_WORDS,
    CFunction,
    CParameter,
    Embedded,
    ParameterEstimates,
    Variant,
    c_names,
)
from pipec.jit.c.metadata import registration_text
from pipec.jit.c.python_module import python_extension_text
from pipec.jit.llvm.machine import foreign_machine
from pipec.jit.llvm.output import Output
from pipec.jit.objects.ahead_of_time import compiled, compiled_together, symbols_of
from pipec.jit.objects.archive import ObjectFile, archive
from pipec.jit.objects.output_file import write_file
from pipec.jit.opencl.kernels import has_kernels
from pipec.lower.bounds_query import bounds_query
from pipec.lower.lower import conceptual_statement, lower
from pipec.pipeline.calls.arguments import Argument, ArgumentKind, require_arguments
from pipec.pipeline.calls.runnable import Requirement, mentioned_in
from pipec.pipeline.emission.call_checks import messages, with_call_checks
from pipec.pipeline.queries import output_buffers
from pipec.schedule.bounds import Estimate
from pipec.schedule.execution import Memoize
from pipec.schedule.placement import func_schedule
from pipec.target import Target, TargetFeature, get_target_from_environment, require_target


class Emission:
    """One pipeline for one target, lowered and compiled at most once however many files are written."""

    def __init__(
        self,
        functions: Sequence[Function],
        requirements: Sequence[Requirement],
        arguments: Sequence[Argument],
        name: str,
        target: Target | None,
        plain: bool = False,
    ) -> None:
        """`plain`: code uses the features that the target names and no others, even where this machine has them."""
        self.plain = plain
        if target is not None:
            require_target("compile_to", target)
        self.target = get_target_from_environment() if target is None or target.is_unknown() else target
        self.functions, self.requirements, self.arguments = functions, requirements, arguments
        definition, self.bindings = freeze(functions, mentioned=mentioned_in(requirements))
        self.definition = for_target(definition, self.target)
        self.schedule = schedule_of(functions)
        self.name = _function_name(name or functions[0].name.partition("$")[0], is_explicit=bool(name))
        require_arguments([argument.name for argument in arguments], self.bindings)
        self.names: dict[str, str] = {}

    def rename(self, names: Mapping[str, str]) -> None:
        """Call arguments by other names in what is written from now on."""
        self.names.update(names)
        for cached in ("function", "output", "object"):
            self.__dict__.pop(cached, None)

    @cached_property
    def program(self) -> Program:
        """The variant of the program that `realize` runs first: whole strips, which is fastest."""
        return self._lowered(exact_tails=False)

    def _lowered(self, exact_tails: bool) -> Program:
        program = lower(self.definition, self.schedule, self.target, exact_tails=exact_tails)
        if has_kernels(program):
            raise NotSupportedError(
                "Error: A schedule with loops over GPU blocks cannot be written to files yet: only code that runs in"
                " this process launches kernels. Write the pipeline with a schedule for the CPU."
            )
        if self.target.has_feature(TargetFeature.NoAsserts):
            return with_call_checks(program, self.definition, {}, ())
        return with_call_checks(program, self.definition, self.bindings, self.requirements)

    @cached_property
    def function(self) -> CFunction:
        """The pipeline as a C function."""
        for name in self.definition.funcs:
            if Memoize in func_schedule(self.schedule, name):
                raise NotSupportedError(
                    f"Error: Func {name} is memoized: its results are cached in the process that compiles, so that code"
                    " written to files cannot use them. Take memoize() away."
                )
        variants = [Variant(self.program, messages(self.program))]
        if any(message.retry for message in variants[0].messages):
            exact = self._lowered(exact_tails=True)
            if exact.body is not self.program.body:
                variants.append(Variant(exact, messages(exact)))
        outputs = [
            ProgramArgument(buffer, ProgramKind.OUTPUT, *self._shape(func, index))
            for buffer, func, index in output_buffers(self.definition)
        ]
        context = [_USER_CONTEXT] if self.target.has_feature(TargetFeature.UserContext) else []
        listed = [*context, *map(_program_argument, self.arguments), *outputs]
        plain = [(argument.name, re.sub(r"\$\d+", "", argument.name)) for argument in listed]
        labels = [self.names.get(full) or self.names.get(short, short) for full, short in plain]
        names = c_names(labels)
        estimates = {argument.name: _estimates(argument) for argument in self.arguments}
        estimates |= {buffer: self._sizes(func) for buffer, func, _ in output_buffers(self.definition)}
        parameters = tuple(
            [
                CParameter(name, argument, estimates.get(argument.name, ParameterEstimates()), label)
                for name, argument, label in zip(names, listed, labels, strict=True)
            ]
        )
        listed_names = {argument.name for argument in listed}
        embedded = {
            name: _embedded(bound)
            for name, bound in self.bindings.items()
            if isinstance(bound, Buffer) and name not in listed_names
        }
        is_profiled = self.target.features_any_of([TargetFeature.Profile, TargetFeature.ProfileByTimer])
        if is_profiled and self.target.bits != 64:
            raise NotSupportedError(
                f"Error: Code for {self.target} cannot be profiled, as its addresses have {self.target.bits} bits. Take"
                " the feature profile out of the target."
            )
        profiled = tuple(self.definition.funcs) if is_profiled else ()
        return CFunction(self.name, parameters, embedded, tuple(variants), profiled, self._query(), str(self.target))

    def _sizes(self, func: str) -> ParameterEstimates:
        """What the schedule expects of an output."""
        by_dim = func_schedule(self.schedule, func).by_dim(Estimate)
        estimates = [by_dim.get(var) for var in self.definition.funcs[func].args]
        ends = [(estimate.minimum, estimate.extent) if estimate else (None, None) for estimate in estimates]
        return ParameterEstimates((), tuple([_integer(end) for pair in ends for end in pair]))

    def _query(self) -> BoundsQuery | str:
        try:
            return bounds_query(self.definition, self.schedule)
        except NotSupportedError as error:
            return str(error)

    def _shape(self, func: str, index: int) -> tuple[Type, int]:
        definition = self.definition.funcs[func]
        return definition.types[index], len(definition.args)

    @cached_property
    def output(self) -> Output:
        """The compiled LLVM module of the pipeline."""
        return compiled(self.function, self.target, foreign_machine(self.target) if self.plain else None)

    @cached_property
    def object(self) -> bytes:
        """The bytes of the object file."""
        return self.output.object()

    def object_file(self, name: str) -> ObjectFile:
        """Returns the object as a member of an archive, with the symbols that it defines."""
        return ObjectFile(name, self.object, symbols_of(self.function, self.target))

    def write_all(self, outputs: Mapping[OutputFileType, Any]) -> None:
        """Write several files."""
        if not isinstance(outputs, Mapping) or not all(isinstance(kind, OutputFileType) for kind in outputs):
            raise TypeError(
                "compile_to(): incompatible function arguments. The outputs are a dict from OutputFileType to file"
                f" names, not {outputs!r}"
            )
        for kind, filename in outputs.items():
            self.write(kind, filename)

    def write(self, kind: OutputFileType, path: Any) -> None:
        """Write one file."""
        content = self._content(kind, Path(path))
        if isinstance(content, bytes):
            write_file(path, content)
        else:
            write_file(path, content)

    def _content(self, kind: OutputFileType, path: Path) -> bytes | str:
        if kind is OutputFileType.static_library:
            return archive([self.object_file(f"{path.stem}.o")])
        writer = _WRITERS.get(kind)
        if writer is None:
            legal = ", ".join(sorted([writable.name for writable in (*_WRITERS, OutputFileType.static_library)]))
            raise NotSupportedError(f"Error: Output of type {kind.name} is not supported; these are: {legal}.")
        return writer(self)

    def _conceptual(self) -> Any:
        return conceptual_statement(self.definition, self.schedule)


def together(emissions: Sequence[Emission]) -> Output:
    """The code of several pipelines for one target."""
    if len(emissions) == 1:
        return emissions[0].output
    return compiled_together([emission.function for emission in emissions], emissions[0].target)


def write_together(emissions: Sequence[Emission], outputs: Mapping[OutputFileType, Any]) -> None:
    """Write files that hold several pipelines."""
    functions, target = [emission.function for emission in emissions], emissions[0].target
    output = together(emissions)
    for kind, filename in outputs.items():
        path = Path(filename)
        if kind is OutputFileType.static_library:
            symbols = list(dict.fromkeys([name for function in functions for name in symbols_of(function, target)]))
            write_file(path, archive([ObjectFile(f"{path.stem}.o", output.object(), tuple(symbols))]))
        elif kind is OutputFileType.c_header:
            write_file(path, "\n".join(map(header_text, functions)))
        elif kind in (OutputFileType.object, OutputFileType.bitcode):
            write_file(path, output.object() if kind is OutputFileType.object else output.bitcode())
        elif kind in (OutputFileType.assembly, OutputFileType.llvm_assembly):
            text = output.assembly() if kind is OutputFileType.assembly else output.llvm_assembly()
            write_file(path, text)
        else:
            raise NotSupportedError(
                f"Error: Several pipelines cannot be written as one {kind.name}. Write each Module by itself."
            )


_WRITERS: Mapping[OutputFileType, Callable[[Emission], bytes | str]] = {
    OutputFileType.object: lambda e: e.object,
    OutputFileType.assembly: lambda e: e.output.assembly(),
    OutputFileType.bitcode: lambda e: e.output.bitcode(),
    OutputFileType.llvm_assembly: lambda e: e.output.llvm_assembly(),
    OutputFileType.c_header: lambda e: header_text(e.function),
    OutputFileType.function_info_header: lambda e: function_info_text(e.function),
    OutputFileType.python_extension: lambda e: python_extension_text(e.function),
    OutputFileType.c_source: lambda e: c_source(e.function, e.target.has_feature(TargetFeature.StrictFloat)),
    OutputFileType.stmt: lambda e: to_text(e.program.body) + "\n",
    OutputFileType.stmt_html: lambda e: statement_page(e.program.body, e.name),
    OutputFileType.conceptual_stmt: lambda e: to_text(e._conceptual()) + "\n",
    OutputFileType.conceptual_stmt_html: lambda e: statement_page(e._conceptual(), e.name),
    OutputFileType.registration: lambda e: registration_text(e.function),
    OutputFileType.schedule: lambda e: e.schedule.to_python(),
}


def _function_name(name: str, is_explicit: bool) -> str:
    (legal,) = c_names([name], C_LIBRARY)
    if is_explicit and legal != name:
        raise ArgumentError(f"Error: {name!r} cannot be the name of a C function; {legal!r} can.")
    return f"{name}_" if name in C_WORDS | C_LIBRARY else legal


# The first parameter of C functions for the target feature user_context, as Halide's have it. Nothing reads it.
_USER_CONTEXT = ProgramArgument("__user_context", ProgramKind.SCALAR, Handle())


def _program_argument(argument: Argument) -> ProgramArgument:
    kinds = {
        ArgumentKind.InputScalar: ProgramKind.SCALAR,
        ArgumentKind.InputBuffer: ProgramKind.INPUT,
        ArgumentKind.OutputBuffer: ProgramKind.OUTPUT,
    }
    if argument.type is None:
        raise ArgumentError("Error: An argument of the list is undefined: make it of a Param, an ImageParam or Buffer.")
    return ProgramArgument(argument.name, kinds[argument.kind], argument.type, argument.dimensions)


def _estimates(argument: Argument) -> ParameterEstimates:
    own = argument.argument_estimates
    if argument.kind is ArgumentKind.InputScalar:
        scalars = [own.scalar_def, own.scalar_min, own.scalar_max, own.scalar_estimate]
        return ParameterEstimates(tuple([constant(value.node) if value.defined() else None for value in scalars]))
    ends = [end for box in own.buffer_estimates for end in (box.min, box.extent)]
    return ParameterEstimates((), tuple([_integer(end.node) if end.defined() else None for end in ends]))


def _integer(e: Expr | None) -> int | None:
    value = None if e is None else constant(e)
    return None if value is None else int(value)


def _embedded(buffer: Buffer) -> Embedded:
    """The elements of a Buffer, dense, dimension 0 innermost."""
    dense = np.ascontiguousarray(np.asarray(buffer))
    dims, stride = [], 1
    for d in range(buffer.dimensions()):
        dims.append((buffer.dim(d).min(), buffer.dim(d).extent(), stride))
        stride *= buffer.dim(d).extent()
    return Embedded(buffer.type(), dense.tobytes(), tuple(dims))
