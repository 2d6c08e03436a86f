"""LLVM's forms of output: linked modules as object code, assembly, bitcode or LLVM text."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache as once

from pipec.deep_stack import uninterrupted
from pipec.jit.llvm.engine import TargetMachine, engine


@once
def _all_targets() -> None:
    """Lets LLVM make code for every machine that it knows."""
    llvm = engine().llvm
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()


class Output:
    """One module of several texts, optimized for a machine."""

    @uninterrupted
    def __init__(self, texts: Sequence[str], machine: TargetMachine, exports: Collection[str]) -> None:
        """Symbols that are neither in `exports` nor weak become internal."""
        _all_targets()
        self.target_machine = engine().target_machine(machine)
        module = engine().module(texts)
        module.triple = machine.triple
        module.data_layout = str(self.target_machine.target_data)
        for symbol in (*module.functions, *module.global_variables):
            if not symbol.is_declaration and symbol.linkage.name == "external" and symbol.name not in exports:
                symbol.linkage = "internal"
        module.name = next(iter(exports), "pipec")
        engine().optimize(module, self.target_machine)
        self.module = module

    @uninterrupted
    def object(self) -> bytes:
        """Returns the object code."""
        data: bytes = self.target_machine.emit_object(self.module)
        return data

    @uninterrupted
    def assembly(self) -> str:
        """Returns the assembly text."""
        return str(self.target_machine.emit_assembly(self.module))

    @uninterrupted
    def bitcode(self) -> bytes:
        """Returns LLVM bitcode."""
        data: bytes = self.module.as_bitcode()
        return data

    @uninterrupted
    def llvm_assembly(self) -> str:
        """Returns LLVM text after optimization."""
        return str(self.module)
