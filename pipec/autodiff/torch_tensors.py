"""Tensors as arguments of programs: checks, shapes with and without a batch, numpy views of the same memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from pipec.autodiff.derivative import input_of
from pipec.autodiff.program import Region, Source, TensorProgram, TensorResult, evaluated
from pipec.errors import ArgumentError, NotSupportedError
from pipec.func.buffers.arrays import as_array
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.param import Param
from pipec.ir.expr import Const
from pipec.ir.types import Type

_KINDS = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
DTYPES = {kind: getattr(torch, kind) for kind in (*_KINDS, "float16", "bfloat16", "float32", "float64")}
# An input with at most so many elements is small: filters, tables, colour matrices.
SMALL = 512
# Beyond rows and columns a dimension with at most so many elements is: channels, frames.
SHORT = 16
_LETTERS = "xyzw"


def dtype_of(kind: Type, name: str) -> torch.dtype:
    """The type of elements as torch has it."""
    dtype: torch.dtype | None = DTYPES.get("bool" if kind.boolean else str(kind))
    if dtype is None:
        legal = ", ".join(DTYPES)
        raise NotSupportedError(f"Error: {name} has elements of {kind}, and torch has none; it has {legal}.")
    return dtype


def dimensions_of(source: Source) -> int:
    """Returns the number of dimensions of an input, 0 for a Param."""
    return 0 if isinstance(source, Param) else source.dimensions()


def begin_at_zero(source: Source) -> None:
    """Raise ArgumentError when an image is known to begin elsewhere."""
    if isinstance(source, Buffer) and source.defined():
        mins: list[Any] = [source.dim(d).min() for d in range(source.dimensions())]
    else:
        demanded = [input_of(source).constraint("min", d) for d in range(dimensions_of(source))]
        mins = [0 if e is None or not isinstance(e, Const) else e.value for e in demanded]
    if any(mins):
        raise ArgumentError(
            f"Error: {source.name()} begins at {', '.join(map(str, mins))}; tensors begin at 0: move it with"
            " set_min(0, ...) and add the offset to the indices."
        )


class Input:
    """The tensors that one input of a program takes."""

    def __init__(self, source: Source, owner: str) -> None:
        self.name, self.owner = source.name(), owner.partition("$")[0]
        self.dimensions = dimensions_of(source)
        self.dtype = dtype_of(source.type(), f"The input {self.name} of {owner}")
        self.scalar = isinstance(source, Param)
        bound = input_of(source)
        begin_at_zero(source)
        dense = getattr(bound, "constraint", None)
        self.strided = self.dimensions > 0 and dense is not None and dense("stride", 0) is None

    def legal(self) -> str:
        """Describes the legal tensors for error messages."""
        axes = [_LETTERS[d] if self.dimensions <= 4 else f"v{d}" for d in reversed(range(self.dimensions))]
        shape = f"[{', '.join(axes)}]" if axes else "[] (one number)"
        batched = f"[batch{''.join([f', {axis}' for axis in axes])}]"
        return f"{self.dtype} tensors on the CPU of shape {shape} or {batched}"

    def check(self, tensor: Any) -> None:
        """Raise ArgumentError unless the tensor fits."""
        if not isinstance(tensor, torch.Tensor):
            raise ArgumentError(
                f"Error: The input {self.name} of {self.owner} takes {self.legal()}, not {type(tensor).__name__}"
                f" {tensor!r}."
            )
        mended = None
        if tensor.device.type not in ("cpu", "meta"):
            mended = f"one on {tensor.device}: call .cpu() first"
        elif tensor.layout != torch.strided:
            mended = f"one of layout {tensor.layout}: call .to_dense() first"
        elif tensor.dtype != self.dtype:
            mended = f"one of {tensor.dtype}: call .to({self.dtype}) first"
        elif tensor.dim() not in (self.dimensions, self.dimensions + 1):
            mended = f"one of {tensor.dim()} dimensions, of shape {list(tensor.shape)}"
        if mended:
            raise ArgumentError(f"Error: The input {self.name} of {self.owner} takes {self.legal()}, not {mended}.")

    def batched(self, tensor: torch.Tensor) -> bool:
        """Returns whether a tensor has a batch dimension more than the input."""
        return tensor.dim() > self.dimensions

    def values(self, tensor: torch.Tensor) -> Any:
        """The argument of machine code: an array (one for each of a batch), or a number (a list of them)."""
        tensor = tensor.detach()
        if self.scalar:
            return tensor.tolist()
        if not tensor.numel():
            array = as_array(tensor)
            assert array is not None
            return np.empty(array.shape, array.dtype)
        if tensor.is_conj() or tensor.is_neg():
            tensor = tensor.resolve_conj().resolve_neg()
        if self.dimensions and not self.strided and tensor.stride(-1) != 1:
            # Not contiguous(), which keeps strides of 0 where there is one element or none.
            tensor = tensor.clone(memory_format=torch.contiguous_format)
        return as_array(tensor)


class Signature:
    """The input tensors of a program, and the shapes of its results."""

    def __init__(self, program: TensorProgram, owner: str) -> None:
        self.program, self.owner = program, owner
        self.inputs = [Input(source, owner) for source in program.inputs]
        self.dtypes = [dtype_of(result.type, f"A result of {owner}") for result in program.results]

    def batch(self, tensors: Sequence[torch.Tensor]) -> Any:
        """Check all tensors; the size of the batch, None without one."""
        size, first = None, ""
        for source, tensor in zip(self.inputs, tensors, strict=True):
            source.check(tensor)
            if not source.batched(tensor):
                continue
            if size is not None and tensor.shape[0] != size:
                raise ArgumentError(
                    f"Error: The inputs {first} and {source.name} of {self.owner} are batches of {size} and"
                    f" {tensor.shape[0]}: all batches must be of one size. Inputs without a batch serve all."
                )
            size, first = tensor.shape[0], source.name
        return size

    def extents(self, tensors: Sequence[torch.Tensor]) -> dict[str, Any]:
        """The extents of the inputs by the names that Exprs have for them."""
        extents = {}
        for source, tensor in zip(self.inputs, tensors, strict=True):
            for d in range(source.dimensions):
                extents[f"{source.name}.extent.{d}"] = tensor.shape[-1 - d]
        return extents

    def small(self, tensors: Sequence[torch.Tensor]) -> tuple[tuple[str, int], ...]:
        """The extents of inputs that have few elements for each of a batch, and those of few channels."""
        extents = []
        for source, tensor in zip(self.inputs, tensors, strict=True):
            shape = tensor.shape[tensor.dim() - source.dimensions :]
            few = shape.numel() <= SMALL
            for d, extent in enumerate(reversed(shape)):
                if few or (d > 1 and extent <= SHORT):
                    extents.append((f"{source.name}.extent.{d}", extent))
        return tuple(extents)

    def shape(
        self, result: TensorResult, batch: Any, tensors: Sequence[torch.Tensor], values: Mapping[str, Any]
    ) -> list[Any]:
        """The shape of a result; that of its input where it is the gradient of one."""
        if result.like is not None:
            return list(tensors[result.like].shape)
        sizes = [extent for _, extent in self.box(result.region, values)]
        return [*([] if batch is None else [batch]), *reversed(sizes)]

    def box(self, region: Region, values: Mapping[str, Any]) -> list[tuple[Any, Any]]:
        """(min, extent) of each dimension."""
        box = [tuple([evaluated(e, values, torch.sym_min, torch.sym_max) for e in pair]) for pair in region]
        for _, extent in box:
            if isinstance(extent, int) and extent < 0:
                raise ArgumentError(
                    f"Error: A result of {self.owner} would have the extent {extent}: the inputs are too small."
                )
        return [(low, extent) for low, extent in box]

    def empty(self, batch: Any, tensors: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """New tensors for the results."""
        values = self.extents(tensors)
        shapes = [self.shape(result, batch, tensors, values) for result in self.program.results]
        return [
            tensors[0].new_empty(shape, dtype=dtype) if tensors else torch.empty(shape, dtype=dtype)
            for shape, dtype in zip(shapes, self.dtypes, strict=True)
        ]
