"""What the network sees of a row: shares and ratios, which small pipelines and large ones have in common."""

from __future__ import annotations

import numpy as np

from pipec.autoschedule.cost.model import Array, FeatureBatch
from pipec.autoschedule.cost.roofline import COEFFICIENTS
from pipec.autoschedule.dag.dag import TYPE_CLASSES, Operation
from pipec.autoschedule.features.features import StageFeatures
from pipec.autoschedule.features.terms import TERMS

MIN_SHARE = 1e-3
"""A term with a smaller share of a row's time is as good as none."""
BASE: Array = np.array([COEFFICIENTS[name] for name in TERMS])
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
