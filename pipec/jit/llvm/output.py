"""LLVM's forms of output: modules put together, and written as object code, assembly, bitcode or LLVM's own text."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache as once

from pipec.jit.llvm.engine import Machine, engine


@once
def _all_targets() -> None:
    """Lets LLVM make code for every machine that it knows."""
    llvm = engine().llvm
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()


class Output:
    """One module made of several texts, optimised for a machine."""

    def __init__(self, texts: Sequence[str], machine: Machine, exports: Collection[str]) -> None:
        """What is neither among `exports` nor weak is the module's own."""
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

    def object(self) -> bytes:
        """Returns the object code."""
        found: bytes = self.target_machine.emit_object(self.module)
        return found

    def assembly(self) -> str:
        """Returns the assembly text."""
        return str(self.target_machine.emit_assembly(self.module))

    def bitcode(self) -> bytes:
        """Returns LLVM bitcode."""
        found: bytes = self.module.as_bitcode()
        return found

    def llvm_assembly(self) -> str:
        """Returns LLVM text after optimization."""
        return str(self.module)
