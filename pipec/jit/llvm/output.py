"""LLVM's forms of output: modules put together, and written as object code, assembly, bitcode or LLVM's own text."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache as once
from typing import Any

from pipec.errors import InternalError
from pipec.jit.llvm.engine import Machine, engine

# The text of a module, and the beginnings of the names of those of its functions that are weak.
Module = tuple[str, tuple[str, ...]]


@once
def _all_targets() -> Any:
    """LLVM's bindings, able to make code for every machine that LLVM knows."""
    llvm = engine().llvm
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm


class Output:
    """One module made of several texts, optimised for a machine."""

    def __init__(self, texts: Sequence[Module], machine: Machine, exports: Collection[str]) -> None:
        """Functions not among `exports` and not weak are the module's own."""
        llvm = _all_targets()
        self.target_machine = engine().target_machine(machine)
        context = llvm.create_context()
        module = None
        try:
            for text, weak in texts:
                part = llvm.parse_assembly(text, context)
                part.triple = machine.triple
                part.data_layout = str(self.target_machine.target_data)
                for function in part.functions:
                    if weak and function.name.startswith(weak) and not function.is_declaration:
                        function.linkage = "weak_any"
                if module is None:
                    module = part
                else:
                    module.link_in(part)
            assert module is not None
            for function in module.functions:
                if not function.is_declaration and function.linkage.name == "external" and function.name not in exports:
                    function.linkage = "internal"
            module.verify()
        except RuntimeError as error:
            raise InternalError(f"LLVM refuses the code that was made: {error}") from error
        module.name = next(iter(exports), "pipec")
        engine().optimize(module, self.target_machine)
        self.module = module

    def object(self) -> bytes:
        found: bytes = self.target_machine.emit_object(self.module)
        return found

    def assembly(self) -> str:
        return str(self.target_machine.emit_assembly(self.module))

    def bitcode(self) -> bytes:
        found: bytes = self.module.as_bitcode()
        return found

    def llvm_assembly(self) -> str:
        return str(self.module)
