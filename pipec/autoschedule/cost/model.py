"""Cost models, rows of features in, seconds out: their interface, and the roofline."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.features.features import TERMS, StageFeatures, terms
from pipec.records import dataclass

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FeatureBatch:
    """Rows of features, one for each stage that is not inlined, of one state or of many.

    `features[i]` has the columns `StageFeatures._fields`; `operations[i]` says what one point of the stage computes:
    counts by Operation and type class, schedule independent (inlined Funcs included). `owner[i]`: the state (or group)
    the row belongs to, 0 .. owners - 1.
    """

    features: Array
    operations: Array
    owner: NDArray[np.int64]
    owners: int

    @staticmethod
    def of(groups: Sequence[Sequence[StageFeatures]], operations: Sequence[Sequence[Any]]) -> FeatureBatch:
        """The rows of several groups (or states) under each other."""
        rows = [row for group in groups for row in group]
        counts = [row for group in operations for row in group]
        owner = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
        return FeatureBatch(
            np.array(rows, np.float64).reshape(len(rows), len(StageFeatures._fields)),
            np.array(counts, np.float64).reshape(len(rows), -1),
            owner,
            len(groups),
        )

    def column(self, name: str) -> Array:
        """Returns one feature of all rows, by its name in StageFeatures."""
        return self.features[:, StageFeatures._fields.index(name)]

    def summed(self, rows: Array) -> Array:
        """The sum of each owner's rows."""
        return np.asarray(np.bincount(self.owner, rows, self.owners), np.float64)


class CostModel(ABC):
    """Predicts seconds. `machine`: what the features and terms are computed for."""

    machine: MachineModel

    @abstractmethod
    def predict(self, batch: FeatureBatch) -> Array:
        """Seconds of each row of `batch`; a state takes the sum of its rows."""

    @abstractmethod
    def costs(self, batch: FeatureBatch) -> Array:
        """[rows, TERMS]: the weight of each term; predict is the sum of costs times terms."""

    def parts(self) -> Sequence[CostModel]:
        """Returns the models that this one combines, if any."""
        return ()


COEFFICIENTS = {
    "bound": 0.42,
    "arithmetic": 0.26,
    "loads": 0.36,
    "stores": 0.34,
    "chain": 0.12,
    "instructions": 0.12,
    "spills": 1.0,
    "stalls": 0.65,
    "contested": 0.7,
    "iterations": 0.34,
    "outer": 1.1,
    "entries": 0.9,
    "windows": 1.0,
    "l2": 0.6,
    "l3": 0.28,
    "dram": 0.38,
    "streamed": 0.38,
    "jumps": 0.7,
    "tasks": 1.05,
    "launches": 1.1,
    "allocations": 1.0,
    "atomics": 1.0,
    "code": 0.2,
}
"""Of `terms`: fitted to measured states (`fit_roofline`; training rounds 6, 7, 9 and 10) and rounded; `streamed`, which
these states do not have, as `dram`."""


class Roofline(CostModel):
    """Fixed costs for every term. `machine`: rates, those shipped unless measured ones are given."""

    def __init__(self, machine: MachineModel | None = None) -> None:
        self.machine = machine or MachineModel()
        self._costs = np.array([COEFFICIENTS[name] for name in TERMS])

    def predict(self, batch: FeatureBatch) -> Array:
        """Returns the estimated seconds of each row."""
        result: Array = terms(batch.features, self.machine) @ self._costs
        return result

    def costs(self, batch: FeatureBatch) -> Array:
        """Returns the constant weights of the terms, one row per row of the batch."""
        return np.broadcast_to(self._costs, (len(batch.features), len(TERMS)))
