"""Small networks that cost the roofline's terms: non-negative, and the roofline's own costs before training.

The division of labour between a formula and a network of costs follows Adams et al., Learning to Optimize Halide with
Tree Search and Random Programs, SIGGRAPH 2019. The result is the geometric mean of the costs of several networks,
each trained from another start. Inference is numpy; training is in `fit`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.cost.model import COEFFICIENTS, Array, CostModel, FeatureBatch, Roofline
from pipec.autoschedule.dag.dag import TYPE_CLASSES, Operation
from pipec.autoschedule.features.features import TERMS, StageFeatures, terms
from pipec.errors import ArgumentError
from pipec.records import dataclass

MIN_SHARE = 1e-3
"""A term with a smaller share of a row's time is as good as none."""
COUNTS = (
    *("block_vectors", "trips_innermost", "trips_reduction", "code", "registers", "realizations", "blocks"),
    *("bytes_at_production", "bytes_at_realization", "bytes_at_root", "bytes_read_at_production", "working_set"),
)
"""Of which the logarithm is given: whether something is small, or fits a cache, is of interest as it is."""
FIRST_KIND, LAST_KIND = StageFeatures._fields.index("cycles_add"), StageFeatures._fields.index("stores_scalar")
SIMPLE = ("lanes", "filled lanes", "tasks of a thread", "threads", "recomputed", "seconds")
INPUTS = len(TERMS) + len(SIMPLE) + len(COUNTS) + (LAST_KIND + 1 - FIRST_KIND) + len(TYPE_CLASSES)


def inputs(batch: FeatureBatch, evaluated: Array) -> Array:
    """[rows, INPUTS]; `evaluated`: [rows, TERMS], the seconds of each term at the roofline's cost.

    In this order: the logarithms of the shares of the terms, SIMPLE, COUNTS, how computation and accesses are mixed,
    and the shares of types.
    """
    seconds = evaluated.sum(1, keepdims=True) + 1e-12
    lanes, threads = batch.column("lanes"), batch.column("threads")
    simple = [
        np.log2(np.maximum(1.0, lanes)),
        lanes / np.maximum(1.0, batch.column("native_lanes")),
        np.log2(1 + batch.column("tasks") / np.maximum(1.0, threads)),
        threads,
        np.log2(np.maximum(1.0, batch.column("points")) / np.maximum(1.0, batch.column("points_least"))),
        np.log10(1e6 * seconds[:, 0] + 1e-3),
    ]
    counts = [np.log2(1 + np.maximum(0.0, batch.column(name))) for name in COUNTS]
    kinds = batch.features[:, FIRST_KIND : LAST_KIND + 1]
    types = batch.operations.reshape(-1, len(Operation), len(TYPE_CLASSES)).sum(1)
    return np.concatenate(
        [
            np.log(evaluated / seconds + MIN_SHARE),
            np.stack([*simple, *counts], 1),
            kinds / (1 + kinds.sum(1, keepdims=True)),
            types / np.maximum(1e-9, types.sum(1, keepdims=True)),
        ],
        1,
    )


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
    """Two layers of each member, [members, inputs, outputs], and the statistics that their inputs are normalised by.

    `base`: the roofline's costs when they were trained, which they change by factors.
    """

    base: Array
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
        """Weights whose costs are those of today's roofline for every row."""
        rng = np.random.default_rng(seed)
        return Weights(
            np.array([COEFFICIENTS[name] for name in TERMS]),
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
        if len(members) != 1 or 0 in members or not (parts["scale"] > 0).all() or not (parts["base"] > 0).all():
            raise ArgumentError(f"Error: The weights in {path} are damaged: their parts do not fit each other.")
        return Weights(*(parts[name].astype(np.float64) for name in shapes))

    def normalized(self, rows: Array) -> Array:
        """Inputs as the layers take them."""
        result: Array = np.clip((rows - self.mean) / self.scale, -MAX_DEVIATIONS, MAX_DEVIATIONS)
        return result

    def logarithms(self, batch: FeatureBatch, evaluated: Array) -> Array:
        """[rows, TERMS]: the logarithm of each cost by that of `base`."""
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
        evaluated = terms(batch.features, self.machine) * self.weights.base
        result: Array = (evaluated * np.exp(self.weights.logarithms(batch, evaluated))).sum(1)
        return result

    def costs(self, batch: FeatureBatch) -> Array:
        """Returns the weights of the terms, one row per row of the batch."""
        evaluated = terms(batch.features, self.machine) * self.weights.base
        result: Array = self.weights.base * np.exp(self.weights.logarithms(batch, evaluated))
        return result


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
