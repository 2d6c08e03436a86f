"""The roofline's costs, fitted to measured states: what is found is predicted as long as it takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pipec.autoschedule.cost.fit import Sample, batch_of, huber
from pipec.autoschedule.cost.model import Array
from pipec.autoschedule.features.features import TERMS, terms
from pipec.errors import MissingPackageError

SLOW_EXPONENT = 1.5
"""A state that takes n times the fastest counts for n**-SLOW_EXPONENT as much: searches end with good ones."""
HUBER_DELTA = 0.3
"""Logarithms wrong by more than that count in proportion, no longer squared."""
PRIOR = dict.fromkeys(TERMS, 1.0) | {
    **{"arithmetic": 0.2, "loads": 0.2, "stores": 0.2, "chain": 0.1, "instructions": 0.1, "iterations": 0.3},
    **{"l2": 0.3, "l3": 0.3, "dram": 0.2, "streamed": 0.2, "code": 0.2},
}
"""Costs chosen by hand, with which a fit starts: those of terms that hardly ever matter stay what they are."""
PRIOR_WEIGHT = 0.018
"""What it costs to change the logarithms of these."""
STEPS, RATE = 1200, 0.03


def fitted_coefficients(archives: Sequence[Sequence[Sample]]) -> Mapping[str, float]:
    """The costs of the roofline's terms with which it predicts these states best, not far from PRIOR. Needs torch.

    Each archive counts for as much as the others, however many states it has.
    """
    try:
        import torch
    except ImportError as error:
        raise MissingPackageError("Fitting a cost model", "PyTorch", "torch", error) from error
    samples = [sample for archive in archives for sample in archive]
    owner = torch.tensor(batch_of(samples).owner)
    evaluated = torch.tensor(np.concatenate([terms(sample.features, sample.machine) for sample in samples]))
    times = torch.tensor(np.log([sample.seconds for sample in samples]))
    weights = torch.tensor(np.concatenate([_weights(archive) for archive in archives]))
    start = torch.tensor(np.log([PRIOR[name] for name in TERMS]))
    logarithms = start.clone().requires_grad_(True)
    optimizer = torch.optim.Adam([logarithms], RATE)
    for _ in range(STEPS):
        optimizer.zero_grad()
        predicted = torch.zeros_like(times).index_add(0, owner, evaluated @ torch.exp(logarithms))
        loss: Any = (weights * huber(torch.log(predicted) - times, HUBER_DELTA)).sum() / len(archives)
        (loss + PRIOR_WEIGHT * ((logarithms - start) ** 2).mean()).backward()
        optimizer.step()
    return dict(zip(TERMS, np.exp(logarithms.detach().numpy()).tolist(), strict=True))


def _weights(archive: Sequence[Sample]) -> Array:
    """The share of each state in what is wrong about an archive."""
    best: dict[tuple[str, str], float] = {}
    for sample in archive:
        key = sample.pipeline, sample.setting
        best[key] = min(best.get(key, sample.seconds), sample.seconds)
    slower = np.array([sample.seconds / best[sample.pipeline, sample.setting] for sample in archive])
    weights = slower**-SLOW_EXPONENT
    result: Array = weights / weights.sum()
    return result
