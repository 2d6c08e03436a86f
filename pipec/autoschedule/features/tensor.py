"""What tensor intrinsics cost in a block: the instructions, and the loads of their operands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.dag.dag import TYPE_CLASSES, Access, Operation, TensorMatch

_SUM_BYTES = 4
"""Bytes of an element of a result."""


class OperandLoad(NamedTuple):
    """`kind` of a load, how many instructions or elements it is, and whether each row of the operand is one."""

    kind: str
    factor: float
    by_rows: bool = False


def operation_cycles(tensor: TensorMatch, extents: Sequence[int], machine: MachineModel) -> float:
    """Returns the cycles of the instructions of a block; each takes as long as a product of 16-bit numbers."""
    operations = math.prod(extents) / (tensor.lanes * tensor.terms)
    natives = max(1.0, tensor.lanes * _SUM_BYTES / machine.vector_bytes)
    return operations * tensor.calls * natives * machine.operations[Operation.MULTIPLY][TYPE_CLASSES.index("int16")]


def tensor_load(load: Access, inner: int, tensor: TensorMatch) -> OperandLoad:
    """Returns how an operand that varies along the reduction is loaded; `inner`: the dimension innermost in memory."""
    row = load.jacobian[inner]
    along = None if row is None else abs(row[tensor.rvar])
    if not any(_moves(load, d, tensor.vector) for d in range(len(load.jacobian))):
        return OperandLoad("broadcast" if along in (None, 1) else "gathered", 1.0)
    if row is None:
        # Terms within a dimension of as many: `k % 4`, beside that of the lanes.
        packed = load.high[inner] - load.low[inner] + 1 == tensor.terms
        return OperandLoad("dense", 1.0) if packed else OperandLoad("gathered", tensor.lanes * tensor.terms)
    if along == 1 and row[tensor.vector] == tensor.terms:
        return OperandLoad("dense", 1.0)
    if along == 1:
        return OperandLoad("gathered", tensor.lanes)
    if abs(row[tensor.vector]) == 1:
        return OperandLoad("dense", 1.0, by_rows=True)
    return OperandLoad("gathered", tensor.lanes * tensor.terms)


def _moves(load: Access, d: int, loop: int) -> bool:
    row = load.jacobian[d]
    if row is None:
        return not load.values or loop in load.values[d]
    return row[loop] != 0
