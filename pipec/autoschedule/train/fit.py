"""Fitting the network to what was collected."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from pipec.autoschedule.cost.fit import fit, judge, split
from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.cost.model import CostModel
from pipec.autoschedule.cost.network import Network, Weights
from pipec.autoschedule.cost.roofline import Roofline
from pipec.autoschedule.cost.scores import Scores
from pipec.autoschedule.train.archive import Machines, Measured
from pipec.autoschedule.train.samples import samples


def fit_to(
    measured: Iterable[Measured],
    machines: Machines,
    weights: Path,
    epochs: int,
    seed: int,
    threads: int | None = None,
) -> int:
    """Train on the pipelines that are not held out and write the weights; returns how many states were trained on."""
    training, _ = split(samples(measured, machines, threads))

    def report(epoch: int, loss: float) -> None:
        if epoch % 10 == 0 or epoch == epochs - 1:
            print(f"epoch {epoch}: loss {loss:.4f}", file=sys.stderr, flush=True)

    fit(training, epochs, seed, progress=report).save(weights)
    return len(training)


def judged(
    measured: Iterable[Measured], machines: Machines, weights: Path | None, threads: int | None = None
) -> dict[str, Scores]:
    """The mean scores on held-out pipelines, by model."""
    _, held = split(samples(measured, machines, threads))
    models: dict[str, Callable[[MachineModel], CostModel]] = {"roofline": Roofline}
    if weights is not None:
        models["network"] = partial(Network, Weights.load(weights))
    return {name: judge(model, held)[""] for name, model in models.items()}
