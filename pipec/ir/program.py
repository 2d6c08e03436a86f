"""What a back end is given: a lowered statement, its arguments, and the texts of its run-time checks."""

from __future__ import annotations

import enum

from pipec.ir.stmt import Stmt
from pipec.ir.types import Type
from pipec.records import dataclass


class ArgumentKind(enum.Enum):
    SCALAR = "scalar"
    INPUT = "input"
    OUTPUT = "output"


@dataclass(frozen=True)
class Argument:
    """A parameter of a lowered program.

    A buffer `b` of d dimensions defines in the body the flat buffer `b` (element type `type`; its element 0 is the
    one at the minimum coordinates) and the int32 variables `b.min.i`, `b.extent.i`, `b.stride.i` for i < d.
    A scalar `s` defines the variable `s` of its type.
    """

    name: str
    kind: ArgumentKind
    type: Type
    dimensions: int = 0


@dataclass(frozen=True)
class Check:
    """The Assert with `code` (its index in Program.checks) ended the program: what that means.

    `kind` says how to word it; `details` are the facts known when compiling (buffer, dimension, reader, line, ...),
    the Assert's values are those known at run time, in the order of `values`.
    """

    kind: str
    details: tuple[tuple[str, str], ...] = ()
    values: tuple[str, ...] = ()


@dataclass(frozen=True)
class Notice:
    """What the Report with `code` (its index in Program.notices) tells.

    `parts`: texts, and the element types of the Report's values in their order. `kind` says what becomes of them:
    "print" writes a line for each lane; others (kinds of trace events) are handed over with `details`.
    """

    kind: str
    parts: tuple[str | Type, ...] = ()
    details: tuple[tuple[str, str], ...] = ()

    @property
    def types(self) -> tuple[Type, ...]:
        """The types of the values."""
        return tuple([part for part in self.parts if isinstance(part, Type)])


def conversion(kind: Type) -> str:
    """How printf writes a value of this type; `%B` is a bool."""
    if kind.boolean:
        return "%B"
    if kind.floating:
        return "%e" if kind.nbits == 64 else "%f"
    return "%llu" if kind.nbits == 64 and not kind.signed else "%lld"


@dataclass(frozen=True)
class Kernel:
    """A function of the device code.

    `func`: the Func that it computes, for messages. `parameters`: (name in the program, type) of each, first the
    scalars, then the buffers, of which `buffers` there are. `written`: the buffers that it stores to, by number.
    `group`: the sizes of a work-group, 0 where the launch says how large it is. `local_bytes`: local memory of a group.
    """

    name: str
    func: str
    parameters: tuple[tuple[str, Type], ...]
    buffers: int
    written: tuple[int, ...]
    group: tuple[int, int, int]
    local_bytes: int


@dataclass(frozen=True)
class DeviceCode:
    """The kernels of a pipeline as OpenCL C. A Notice of kind "launch" names one of them by its number."""

    text: str
    kernels: tuple[Kernel, ...]

    def buffer_names(self) -> frozenset[str]:
        """The buffers that the kernels use."""
        return frozenset([name for k in self.kernels for name, _ in k.parameters[len(k.parameters) - k.buffers :]])


@dataclass(frozen=True)
class Program:
    """A compiled unit: `body` stores the outputs; Assert codes index `checks`, Report codes `notices`."""

    name: str
    arguments: tuple[Argument, ...]
    body: Stmt
    checks: tuple[Check, ...]
    notices: tuple[Notice, ...] = ()
    # Output buffers that are to be stored past the cache, or never; of others the size decides.
    streams: tuple[tuple[str, bool], ...] = ()
    # What the Reports of kind "launch" run; without it loops over blocks and threads are still in the body.
    device: DeviceCode | None = None
