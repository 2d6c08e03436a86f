"""The roofline and the network together: what one of them is wrong about, the other often is not.

A search finds the states that its model is most wrong about. The mean is high for a state that is cheap by one of the
two models only.
"""

from __future__ import annotations

import numpy as np

from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.cost.model import Array, CostModel, FeatureBatch
from pipec.autoschedule.cost.network import Network
from pipec.autoschedule.cost.roofline import Roofline
from pipec.autoschedule.features.terms import terms


class Blend(CostModel):
    """For each row the geometric mean of the seconds that two models predict for one machine."""

    def __init__(self, first: CostModel, second: CostModel) -> None:
        self.first, self.second, self.machine = first, second, first.machine

    @staticmethod
    def shipped(machine: MachineModel | None = None) -> Blend:
        """The roofline and the network with the weights that come with the package."""
        return Blend(Roofline(machine), Network.shipped(machine))

    def parts(self) -> tuple[CostModel, ...]:
        """The two models whose geometric mean this is."""
        return self.first, self.second

    def predict(self, batch: FeatureBatch) -> Array:
        """Returns the geometric mean of the seconds of both models, one value per row."""
        result: Array = np.sqrt(self.first.predict(batch) * self.second.predict(batch))
        return result

    def costs(self, batch: FeatureBatch) -> Array:
        """Returns the weights of the terms, scaled so that they sum to the prediction; one row per row of the batch."""
        between = np.sqrt(self.first.costs(batch) * self.second.costs(batch))
        summed = (between * terms(batch.features, self.machine)).sum(1)
        result: Array = between * (self.predict(batch) / np.maximum(summed, 1e-30))[:, None]
        return result
