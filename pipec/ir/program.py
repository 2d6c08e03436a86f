"""The input of a back end: a lowered statement, its arguments, and the texts of its run-time checks."""

from __future__ import annotations

import enum

from pipec.ir.stmt import Stmt
from pipec.ir.types import Type
from pipec.records import dataclass


class ProgramArgumentKind(enum.Enum):
    """Whether an argument of a program is a scalar, an input buffer or an output buffer."""

    SCALAR = "scalar"
    INPUT = "input"
    OUTPUT = "output"


@dataclass(frozen=True)
class ProgramArgument:
    """A parameter of a lowered program.

    A buffer `b` of d dimensions defines in the body the flat buffer `b` (element type `type`; its element 0 is the
    one at the minimum coordinates) and the int32 variables `b.min.i`, `b.extent.i`, `b.stride.i` for i < d.
    A scalar `s` defines the variable `s` of its type.
    """

    name: str
    kind: ProgramArgumentKind
    type: Type
    dimensions: int = 0


# Checks of what whole strips of loops touch beyond the region asked for: the exact variant of a program may pass them.
BORDER_CHECKS = frozenset(("input_bounds", "output_bounds", "expected_bounds"))


@dataclass(frozen=True)
class Check:
    """The meaning of the Assert with `code` (its index in Program.checks) that ended the program.

    `kind` selects the text of the error; `details` are facts from compile time (buffer, dimension, reader, line, ...);
    `values` names the Assert's values, which are known at run time.
    """

    kind: str
    details: tuple[tuple[str, str], ...] = ()
    values: tuple[str, ...] = ()


@dataclass(frozen=True)
class Notice:
    """The meaning of the Report with `code` (its index in Program.notices).

    `parts`: texts, and the element types of the Report's values in their order. `kind` "print" writes a line for each
    lane; other kinds (trace events) are passed to their handlers with `details`.
    """

    kind: str
    parts: tuple[str | Type, ...] = ()
    details: tuple[tuple[str, str], ...] = ()

    @property
    def types(self) -> tuple[Type, ...]:
        """The types of the values."""
        return tuple([part for part in self.parts if isinstance(part, Type)])


def conversion(kind: Type) -> str:
    """The printf conversion for values of this type; `%B` is a bool."""
    if kind.boolean:
        return "%B"
    if kind.floating:
        return "%e" if kind.nbits == 64 else "%f"
    return "%llu" if kind.nbits == 64 and not kind.signed else "%lld"


@dataclass(frozen=True)
class Kernel:
    """A function of the device code.

    `func`: the Func that it computes, for messages. `parameters`: (name in the program, type) of each, the scalars
    first, then `buffers` buffers. `written`: the numbers of the buffers that it stores to. `group`: the sizes of a
    work-group, 0 where they are given at the launch. `local_bytes`: local memory of a work-group.
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
    arguments: tuple[ProgramArgument, ...]
    body: Stmt
    checks: tuple[Check, ...]
    notices: tuple[Notice, ...] = ()
    # Whether output buffers get non-temporal stores; for buffers that are not listed the size decides.
    streams: tuple[tuple[str, bool], ...] = ()
    # Buffers of bytes that bounds inference took for any number from 0 to 255 where they are coordinates.
    any_byte: frozenset[str] = frozenset()
    # Inputs of one dimension, and how many elements they have from coordinate 0 on: a check makes sure of it.
    tables: tuple[tuple[str, int], ...] = ()
    # The kernels that Reports of kind "launch" run; None while the body contains loops over blocks and threads.
    device: DeviceCode | None = None


@dataclass(frozen=True)
class BoundsQuery:
    """The regions that a pipeline requires, as a program.

    `program` has the arguments of the pipeline's own and after them one more, the output `result`. It stores there, for
    each buffer in the order of the arguments, the minimum, extent and stride of each dimension: those of the smallest
    box that the pipeline accesses to compute the boxes that the outputs have, or what constraints demand. It reads the
    scalars and the boxes of the arguments, no elements.

    `first`: for each output buffer the first of the same Func, whose box it shares. `fixed`: (output buffer, dimension,
    0 or 1) whose minimum (0) or extent (1) constraints decide.
    """

    program: Program
    result: str
    first: tuple[tuple[str, str], ...]
    fixed: frozenset[tuple[str, int, int]]
