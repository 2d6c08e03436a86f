"""Small networks that cost the roofline's terms: non-negative, and the roofline's own costs before training.

The division of labour between a formula and a network of costs follows Adams et al., Learning to Optimize Halide with
Tree Search and Random Programs, SIGGRAPH 2019. The result is the geometric mean of the costs of several networks,
each trained from another start. Inference is numpy; training is in `fit`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from pipec.autoschedule.cost.inputs import BASE, INPUTS, inputs
from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.cost.model import Array, CostModel, FeatureBatch
from pipec.autoschedule.features.features import StageFeatures
from pipec.autoschedule.features.terms import TERMS, terms
from pipec.errors import ArgumentError
from pipec.records import dataclass

SHIPPED = Path(__file__).with_name("weights.npz")
"""The weights that come with the package."""
HIDDEN = 24
MEMBERS = 4
MAX_LOGARITHM = 3.0
"""Costs are the roofline's within a factor of exp(MOST)."""
MAX_DEVIATIONS = 5.0
"""Standard deviations; inputs further from the mean than all that was trained on are taken for that far."""


@dataclass(frozen=True, eq=False)
class Weights:
    """Two layers of each member, [members, inputs, outputs], and the statistics that their inputs are normalised by."""

    mean: Array
    scale: Array
    first: Array
    first_bias: Array
    second: Array
    second_bias: Array
    last: Array
    last_bias: Array

    @staticmethod
    def start(seed: int = 0, members: int = MEMBERS) -> Weights:
        """Weights whose costs are the roofline's for every row."""
        rng = np.random.default_rng(seed)
        return Weights(
            np.zeros(INPUTS),
            np.ones(INPUTS),
            rng.normal(0, INPUTS**-0.5, (members, INPUTS, HIDDEN)),
            np.zeros((members, 1, HIDDEN)),
            rng.normal(0, HIDDEN**-0.5, (members, HIDDEN, HIDDEN)),
            np.zeros((members, 1, HIDDEN)),
            np.zeros((members, HIDDEN, len(TERMS))),
            np.zeros((members, 1, len(TERMS))),
        )

    def save(self, path: Path) -> None:
        """Write an .npz with the weights and the names of what they are for."""
        names: dict[str, Any] = {"features": np.array(StageFeatures._fields), "terms": np.array(TERMS)}
        arrays: dict[str, Any] = {name: getattr(self, name).astype(np.float32) for name in self.__dataclass_fields__}
        np.savez_compressed(path, **arrays, **names)

    @staticmethod
    def load(path: Path) -> Weights:
        """Read what `save` wrote; ArgumentError when it is for other features or terms than this version's."""
        try:
            with np.load(path, allow_pickle=False) as file:
                parts = {name: np.asarray(file[name]) for name in file.files}
        except Exception as error:  # whatever the parts of numpy's reader raise at damaged files
            raise ArgumentError(f"Error: {path} cannot be read as weights: {error!r:.200}.") from error
        names = [tuple(map(str, parts.get(name, np.array([])).ravel())) for name in ("features", "terms")]
        if names != [StageFeatures._fields, TERMS]:
            raise ArgumentError(
                f"Error: The weights in {path} are for other features than this version of pipec computes."
                " Train the network again, or use the roofline."
            )
        shapes = {name: getattr(Weights.start(), name).shape for name in Weights.__dataclass_fields__}
        for name, shape in shapes.items():
            array = parts.get(name)
            fits = array is not None and array.dtype.kind == "f" and array.shape[-2:] == shape[-2:]
            # There may be any number of members.
            if array is None or not fits or array.ndim != len(shape) or not np.isfinite(array).all():
                raise ArgumentError(f"Error: The weights in {path} are damaged: {name} is no array of {shape} numbers.")
        members = {parts[name].shape[0] for name, shape in shapes.items() if len(shape) == 3}
        if len(members) != 1 or 0 in members or not (parts["scale"] > 0).all():
            raise ArgumentError(f"Error: The weights in {path} are damaged: their parts do not fit each other.")
        return Weights(*(parts[name].astype(np.float64) for name in shapes))

    def normalized(self, rows: Array) -> Array:
        """Inputs as the layers take them."""
        result: Array = np.clip((rows - self.mean) / self.scale, -MAX_DEVIATIONS, MAX_DEVIATIONS)
        return result

    def logarithms(self, batch: FeatureBatch, evaluated: Array) -> Array:
        """[rows, TERMS]: the logarithm of each cost by the roofline's."""
        x = self.normalized(inputs(batch, evaluated))
        h = np.maximum(x @ self.first + self.first_bias, 0.0)
        h = np.maximum(h @ self.second + self.second_bias, 0.0)
        result: Array = MAX_LOGARITHM * np.tanh((h @ self.last + self.last_bias) / MAX_LOGARITHM).mean(0)
        return result


class Network(CostModel):
    """Costs from `weights` for the terms of `machine`."""

    def __init__(self, weights: Weights, machine: MachineModel | None = None) -> None:
        self.weights, self.machine = weights, machine or MachineModel()

    @staticmethod
    def shipped(machine: MachineModel | None = None) -> Network:
        """With the weights that come with the package."""
        return Network(Weights.load(SHIPPED), machine)

    def predict(self, batch: FeatureBatch) -> Array:
        """Returns the estimated seconds of each row."""
        evaluated = terms(batch.features, self.machine) * BASE
        result: Array = (evaluated * np.exp(self.weights.logarithms(batch, evaluated))).sum(1)
        return result

    def costs(self, batch: FeatureBatch) -> Array:
        """Returns the weights of the terms, one row per row of the batch."""
        result: Array = BASE * np.exp(self.weights.logarithms(batch, terms(batch.features, self.machine) * BASE))
        return result
