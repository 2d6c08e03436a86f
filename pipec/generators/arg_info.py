"""What a generator says of its inputs and outputs before it builds a pipeline."""

from __future__ import annotations

import enum
from collections.abc import Sequence

from pipec.ir.types import Type
from pipec.records import dataclass


class ArgInfoDirection(enum.Enum):
    """Which way an argument goes."""

    Input = 0
    Output = 1


class ArgInfoKind(enum.Enum):
    """What an argument is."""

    Scalar = 0
    Function = 1
    Buffer = 2


@dataclass
class ArgInfo:
    """One argument of the function that a generator makes."""

    name: str = ""
    dir: ArgInfoDirection = ArgInfoDirection.Input
    kind: ArgInfoKind = ArgInfoKind.Scalar
    types: Sequence[Type] = ()
    dimensions: int = 0
