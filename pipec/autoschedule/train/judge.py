"""How well cost models rank the states of pipelines that they were not trained on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from pipec.autoschedule.cost.fit import judge, split
from pipec.autoschedule.cost.machine import Machine
from pipec.autoschedule.cost.model import CostModel
from pipec.autoschedule.cost.network import Network, Weights
from pipec.autoschedule.cost.roofline import Roofline
from pipec.autoschedule.cost.scores import Scores
from pipec.autoschedule.train.archive import Machines, Measured
from pipec.autoschedule.train.samples import samples


def judged(
    measured: Iterable[Measured], machines: Machines, weights: Path | None, threads: int | None = None
) -> dict[str, Scores]:
    """The mean scores on held-out pipelines, by model."""
    _, held = split(samples(measured, machines, threads))
    models: dict[str, Callable[[Machine], CostModel]] = {"roofline": Roofline}
    if weights is not None:
        models["network"] = partial(Network, Weights.load(weights))
    return {name: judge(model, held)[""] for name, model in models.items()}
