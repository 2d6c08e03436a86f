"""Module: pipelines compiled for a target, to be written to files together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from pipec.errors import ArgumentError, NotSupportedError
from pipec.func.buffers.buffer import Buffer
from pipec.func.directives.options import OutputFileType
from pipec.target import Target

if TYPE_CHECKING:
    from pipec.pipeline.emission.emission import Emission


class Module:
    """The result of `compile_to_module`: `module.compile({OutputFileType.object: "f.o"})` writes files.

    Module(name, target) has no functions yet; `link_modules` puts those of several modules into one.
    """

    __slots__ = ("_name", "_target", "_emissions", "_buffers", "_submodules", "_names", "_results")

    def __init__(self, name: str, target: Target, emissions: Sequence[Emission] = ()) -> None:
        if not isinstance(name, str) or not isinstance(target, Target):
            raise TypeError(f"__init__(): incompatible constructor arguments: {name!r}, {target!r}")
        self._name, self._target = name, target
        self._emissions = list(emissions)
        self._buffers: list[Buffer] = []
        self._submodules: list[Module] = []
        self._names: dict[str, str] = {}
        self._results: Any = None

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            f"Module {self._name} cannot be pickled or copied. Write its code with compile() or compile_to_buffer(), or"
            " pickle the hl.Pipeline or the Callable that it was made of."
        )

    def name(self) -> str:
        """The name of the module: that of its C function when it was made of a pipeline."""
        return self._name

    def target(self) -> Target:
        """The machine that code is made for."""
        return self._target

    def append(self, part: Buffer | Module) -> None:
        """Let a Buffer or another Module belong to this one."""
        if isinstance(part, Module):
            self._submodules.append(part)
        elif isinstance(part, Buffer):
            self._buffers.append(part)
        else:
            raise TypeError(f"append(): incompatible function arguments: {part!r} is neither a Buffer nor a Module")

    def buffers(self) -> list[Buffer]:
        """The Buffers that were appended."""
        return list(self._buffers)

    def submodules(self) -> list[Module]:
        """The Modules that were appended."""
        return list(self._submodules)

    def resolve_submodules(self) -> Module:
        """This module with the object code of each submodule as a Buffer in its place."""
        module = Module(self._name, self._target, self._emissions)
        module._names, module._results = dict(self._names), self._results
        module._buffers = [*self._buffers, *[module.compile_to_buffer() for module in self._submodules]]
        return module

    def compile_to_buffer(self) -> Buffer:
        """The object code as a Buffer of bytes with the name of the module."""
        from pipec.pipeline.emission.emission import together

        self._require_functions()
        return Buffer(np.frombuffer(together(self._emissions).object(), np.uint8).copy(), self._name)

    def compile(self, outputs: Mapping[OutputFileType, Any]) -> None:
        """Write several files."""
        from pipec.pipeline.emission.emission import write_together

        self._require_functions()
        if self._buffers or self._submodules:
            raise NotSupportedError(
                f"Error: Module {self._name} cannot be written to files together with the Buffers and Modules that were"
                " appended to it. Put the functions of several Modules into one with link_modules."
            )
        if len(self._emissions) == 1:
            self._emissions[0].write_all(outputs)
        else:
            write_together(self._emissions, outputs)

    def _require_functions(self) -> None:
        if not self._emissions:
            raise ArgumentError(f"Error: Module {self._name} has no functions to compile.")

    def remap_metadata_name(self, old: str, new: str) -> None:
        """From now on argument `old` is called `new` in headers and C sources."""
        if not new.isidentifier() or not new.isascii():
            raise ArgumentError(f"Error: {new!r} is no name of an argument in C.")
        self._names[old] = new
        for emission in self._emissions:
            emission.rename(self._names)

    def get_metadata_name_map(self) -> dict[str, str]:
        """The names given with remap_metadata_name."""
        return dict(self._names)

    def get_auto_scheduler_results(self) -> Any:
        """Returns the argument of set_auto_scheduler_results; None at first."""
        return self._results

    def set_auto_scheduler_results(self, results: Any) -> None:
        """Stores the results of an autoscheduler for the pipeline."""
        self._results = results

    def __repr__(self) -> str:
        return f"<halide.Module '{self.name()}'>"


def link_modules(name: str, modules: Sequence[Module]) -> Module:
    """One Module with the functions of several, all for one target."""
    if not isinstance(modules, list | tuple) or not all(isinstance(module, Module) for module in modules):
        raise TypeError(f"link_modules(): incompatible function arguments: Modules are needed, not {modules!r}")
    if not modules:
        raise ArgumentError("Error: link_modules needs at least one Module.")
    targets = list(dict.fromkeys([str(module.target()) for module in modules]))
    if len(targets) > 1:
        raise ArgumentError(f"Error: Modules of different targets cannot be linked: {', '.join(targets)}.")
    emissions = [emission for module in modules for emission in module._emissions]
    names = [emission.name for emission in emissions]
    if len(set(names)) < len(names):
        raise ArgumentError(f"Error: Two of the functions to be linked have the same name: {', '.join(sorted(names))}.")
    linked = Module(name, modules[0].target(), emissions)
    for module in modules:
        linked._buffers += module._buffers
        linked._submodules += module._submodules
        linked._names.update(module._names)
    return linked
