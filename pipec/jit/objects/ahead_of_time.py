"""Pipelines compiled to files: object code with all that it needs at run time, for this machine or another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pipec.deep_stack import with_deep_stack
from pipec.errors import NotSupportedError
from pipec.jit.c.interface import CFunction
from pipec.jit.c.metadata import metadata_name
from pipec.jit.llvm.c_function import c_function_text, entry_name, query_name
from pipec.jit.llvm.dispatch import dispatch_text
from pipec.jit.llvm.emit import emit_module
from pipec.jit.llvm.engine import TargetMachine, engine
from pipec.jit.llvm.machine import file_machine_of, float_flags, foreign_machine
from pipec.jit.llvm.output import Output
from pipec.jit.runtime.call_table import ENTRY, Profiled, ProfileMode
from pipec.jit.runtime.library import FOR_PROGRAMS
from pipec.jit.runtime.units import unit_texts
from pipec.target import Target, TargetFeature, TargetOS, get_host_target

# What a program calls once it is linked.
RUNTIME_EXPORTS = ("pipec_last_error", "pipec_print", "halide_set_num_threads")
PROFILER_EXPORTS = ("halide_profiler_report", "halide_profiler_reset")
# What pipelines call of it.
RUNTIME_NAMES = (*RUNTIME_EXPORTS, *FOR_PROGRAMS, "pipec_prepare", "pipec_describe", "pipec_answer", "pipec_error_text")


def target_machine_of(target: Target) -> TargetMachine:
    """Returns the machine for which LLVM generates code."""
    host = get_host_target()
    if (target.os, target.arch, target.bits) == (host.os, host.arch, host.bits):
        return file_machine_of(target, engine().host())
    return foreign_machine(target)


def compiled(function: CFunction, target: Target, machine: TargetMachine | None = None) -> Output:
    """The module of a pipeline: its machine code, the C function around it and, unless the target says no_runtime,
    the runtime, whose functions are weak so that several pipelines can be linked into one program."""
    return compiled_together([function], target, machine)


def compiled_together(functions: Sequence[CFunction], target: Target, machine: TargetMachine | None = None) -> Output:
    """As `compiled`, for several pipelines in one module."""
    machine = machine or target_machine_of(target)
    flags, abilities = float_flags(target), engine().abilities(machine)
    texts: list[str] = []
    for function in functions:
        texts.append(c_function_text(function, machine.bits))
        for number, variant in enumerate(function.variants):
            profiled = Profiled(function.profiled, ProfileMode.COUNTED) if function.profiled else None
            text = with_deep_stack(emit_module, variant.program, flags, abilities, profiled)
            texts.append(text.replace(f"@{ENTRY}(", f"@{entry_name(function, number)}(", 1))
        if not isinstance(function.query, str):
            text = with_deep_stack(emit_module, function.query.program, flags, abilities)
            texts.append(text.replace(f"@{ENTRY}(", f"@{query_name(function)}(", 1))
    units = []
    if any(variant.program.notices for function in functions for variant in function.variants):
        units.append("report")
    if any(function.profiled for function in functions):
        units += ["profile", "object_profile"]
    if not target.has_feature(TargetFeature.NoRuntime):
        units += _runtime_units(machine)
    texts += unit_texts(machine, *units)
    exports = [name for function in functions for name in names_of(function)]
    if any(function.profiled for function in functions):
        exports += PROFILER_EXPORTS
    return Output(texts, machine, exports)


def compiled_runtime(target: Target) -> Output:
    """The module of the runtime alone, for pipelines compiled without it."""
    machine = foreign_machine(target)
    return Output(unit_texts(machine, *_runtime_units(machine)), machine, RUNTIME_EXPORTS)


def compiled_dispatch(function: CFunction, variants: Sequence[tuple[str, Target]]) -> Output:
    """The module of a function that calls the first of `variants`, functions by name, that the processor can run."""
    machines = [(name, foreign_machine(target)) for name, target in variants]
    return Output([dispatch_text(function, machines)], machines[-1][1], names_of(function))


def _runtime_units(machine: TargetMachine) -> tuple[str, ...]:
    if "windows" in machine.triple:
        raise NotSupportedError(
            "Error: There is no runtime for Windows: the thread pool needs POSIX threads. Add no_runtime to the target"
            " and provide pipec_parallel_for, pipec_malloc and pipec_free yourself."
        )
    return "pool", "c_library"


def names_of(function: CFunction) -> tuple[str, ...]:
    """The C functions of a pipeline."""
    return (function.name, f"{function.name}_argv", metadata_name(function))


def symbols_of(function: CFunction, target: Target) -> tuple[str, ...]:
    """The functions that an object of the pipeline offers to the program that it is linked into."""
    symbols = [*names_of(function), *(PROFILER_EXPORTS if function.profiled else ())]
    if not target.has_feature(TargetFeature.NoRuntime):
        symbols += RUNTIME_EXPORTS
    return linker_names(symbols, target)


def linker_names(names: Iterable[str], target: Target) -> tuple[str, ...]:
    """The names of C functions as linkers know them."""
    # Mach-O puts an underscore before the names of C.
    apple = target.os in (TargetOS.OSX, TargetOS.IOS)
    return tuple([f"_{name}" if apple else name for name in names])
