"""Pipelines compiled to files: object code with all that it needs at run time, for this machine or another."""

from __future__ import annotations

from pipec.deep_stack import with_deep_stack
from pipec.errors import NotSupportedError
from pipec.jit.c_interface import CFunction
from pipec.jit.llvm_c_function import c_function_text, entry_name
from pipec.jit.llvm_emit import ENTRY, emit_module
from pipec.jit.llvm_engine import Machine, engine
from pipec.jit.llvm_output import Output
from pipec.jit.llvm_runtime_c import c_text
from pipec.jit.llvm_runtime_half import NAMES
from pipec.jit.machine import foreign_machine, machine_of, may_contract
from pipec.jit.runtime import runtime_text
from pipec.target import Target, TargetFeature, get_host_target

# What a program calls once it is linked.
RUNTIME_EXPORTS = ("pipec_last_error", "halide_set_num_threads")


def target_machine_of(target: Target) -> Machine:
    """What LLVM is to make code for."""
    host = get_host_target()
    if (target.os, target.arch, target.bits) == (host.os, host.arch, host.bits):
        return machine_of(target, engine().host())
    return foreign_machine(target)


def compiled(function: CFunction, target: Target) -> Output:
    """The module of a pipeline: its machine code, the C function around it and, unless the target says no_runtime,
    the runtime, whose functions are weak so that several pipelines can be linked into one program."""
    machine = target_machine_of(target)
    own_runtime = not target.has_feature(TargetFeature.NoRuntime)
    if own_runtime and "windows" in machine.triple:
        raise NotSupportedError(
            f"Error: There is no runtime for {target}: the thread pool needs POSIX threads. Add no_runtime to the"
            " target and provide pipec_parallel_for, pipec_malloc and pipec_free yourself."
        )
    contract, abilities = may_contract(target), engine().abilities(machine)
    texts = [(c_function_text(function, threads=True), ())]
    for number, variant in enumerate(function.variants):
        text = with_deep_stack(emit_module, variant.program, contract, abilities)
        texts.append((text.replace(f"@{ENTRY}(", f"@{entry_name(function, number)}(", 1), ()))
    if own_runtime:
        texts.append((runtime_text(machine), ("pipec_", *NAMES)))
        texts.append((c_text(machine.triple, threads=True), ()))
    return Output(texts, machine, names_of(function))


def names_of(function: CFunction) -> tuple[str, ...]:
    """The C functions of a pipeline."""
    return (function.name, f"{function.name}_argv")


def symbols_of(function: CFunction, target: Target) -> list[str]:
    """The functions that an object of the pipeline offers to the program that it is linked into."""
    found = [*names_of(function)]
    if not target.has_feature(TargetFeature.NoRuntime):
        found += RUNTIME_EXPORTS
    # Mach-O puts an underscore before the names of C.
    return [f"_{name}" for name in found] if "apple" in target_machine_of(target).triple else found
