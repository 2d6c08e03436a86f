"""Module: a pipeline compiled for a target, to be written to files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pipec.func.options import OutputFileType
from pipec.target import Target

if TYPE_CHECKING:
    from pipec.pipeline.emission import Emission


class Module:
    """What `compile_to_module` gives: `module.compile({OutputFileType.object: "f.o"})` writes files."""

    __slots__ = ("_emission",)

    def __init__(self, emission: Emission) -> None:
        self._emission = emission

    def name(self) -> str:
        """The name of the C function."""
        return self._emission.name

    def target(self) -> Target:
        """The machine that code is made for."""
        return self._emission.target

    def compile(self, outputs: Mapping[OutputFileType, Any]) -> None:
        """Write several files."""
        self._emission.write_all(outputs)

    def __repr__(self) -> str:
        return f"<halide.Module '{self.name()}'>"
