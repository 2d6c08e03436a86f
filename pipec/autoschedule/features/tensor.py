"""What tensor intrinsics cost in a block: the instructions, and the loads of their operands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.dag.dag import TYPE_CLASSES, Access, Operation, TensorMatch

_SUM_BYTES = 4
"""Bytes of an element of a result."""
SHUFFLES_OF_ROWS = 2.0
"""Rows become one operand by two insertions, which load as well, and a permutation (Sapphire Rapids)."""
LOADS_OF_WINDOW, SHUFFLES_OF_WINDOW = 2.0, 2.0
"""Two loads have all elements of windows that overlap, and become one operand by an insertion and a permutation."""
ONE_BY_ONE = 2.0
"""The time of an element whose place is calculated by itself, over that of one that is inserted (sum_x of scaler)."""


class OperandLoad(NamedTuple):
    """`kind` of a load, how many instructions or elements it is, whether each row of the operand is one, shuffles."""

    kind: str
    factor: float
    by_rows: bool = False
    shuffles: float = 0.0


def operation_cycles(tensor: TensorMatch, extents: Sequence[int], machine: MachineModel) -> float:
    """Returns the cycles of the instructions of a block; each takes as long as a product of 16-bit numbers."""
    operations = math.prod(extents) / (tensor.lanes * tensor.terms)
    natives = max(1.0, tensor.lanes * _SUM_BYTES / machine.vector_bytes)
    return operations * tensor.calls * natives * machine.operations[Operation.MULTIPLY][TYPE_CLASSES.index("int16")]


def tensor_load(load: Access, inner: int, tensor: TensorMatch) -> OperandLoad:
    """Returns how an operand that varies along the reduction is loaded; `inner`: the dimension innermost in memory."""
    row = load.jacobian[inner]
    along = None if row is None else abs(row[tensor.rvar])
    if not _moves(load, tensor.vector):
        return OperandLoad("broadcast" if along in (None, 1) else "gathered", 1.0)
    if row is None:
        # Terms within a dimension of as many: `k % 4`, beside that of the lanes.
        packed = load.high[inner] - load.low[inner] + 1 == tensor.terms
        return (
            OperandLoad("dense", 1.0) if packed else OperandLoad("gathered", ONE_BY_ONE * tensor.lanes * tensor.terms)
        )
    anywhere = any(tensor.vector in loops for loops in load.values)
    if along == 1 and row[tensor.vector] == tensor.terms and not anywhere:
        return OperandLoad("dense", 1.0)
    if along == 1 and 0 < row[tensor.vector] < tensor.terms and not anywhere:
        return OperandLoad("dense", LOADS_OF_WINDOW, shuffles=SHUFFLES_OF_WINDOW)
    if along == 1:
        return OperandLoad("gathered", tensor.lanes)
    if abs(row[tensor.vector]) == 1 and not anywhere:
        return OperandLoad("dense", 1.0, by_rows=True, shuffles=SHUFFLES_OF_ROWS / tensor.terms)
    return OperandLoad("gathered", ONE_BY_ONE * tensor.lanes * tensor.terms)


def _moves(load: Access, loop: int) -> bool:
    """Whether the place of a load changes with a loop."""
    if any(loop in loops for loops in load.values):
        return True
    return any(not load.values if row is None else row[loop] != 0 for row in load.jacobian)
