"""The cost model that needs no training: what takes longest, and a part of all the rest."""

from __future__ import annotations

import numpy as np

from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.cost.model import Array, CostModel, FeatureBatch
from pipec.autoschedule.features.terms import TERMS, terms

COEFFICIENTS = {
    "bound": 1.0,
    "arithmetic": 0.2,
    "loads": 0.2,
    "stores": 0.2,
    "chain": 0.1,
    "instructions": 0.1,
    "spills": 1.0,
    "stalls": 1.0,
    "contested": 1.0,
    "iterations": 0.3,
    "outer": 1.0,
    "entries": 1.0,
    "windows": 1.0,
    "l2": 0.3,
    "l3": 0.3,
    "dram": 0.2,
    "streamed": 0.2,
    "jumps": 1.0,
    "tasks": 1.0,
    "launches": 1.0,
    "allocations": 1.0,
    "atomics": 1.0,
    "code": 0.2,
}


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
