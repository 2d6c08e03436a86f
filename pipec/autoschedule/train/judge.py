"""How well cost models rank the plans of pipelines that they were not trained on."""

from __future__ import annotations

from pathlib import Path

from pipec.autoschedule.cost.fit import judge, split
from pipec.autoschedule.cost.model import CostModel
from pipec.autoschedule.cost.network import Network, Weights
from pipec.autoschedule.cost.roofline import Roofline
from pipec.autoschedule.database import Database
from pipec.autoschedule.scores import Scores
from pipec.autoschedule.train.samples import samples


def judged(database: Database, weights: Path | None, threads: int | None = None) -> dict[str, Scores]:
    """The mean scores on held-out pipelines, by model."""
    _, held = split(samples(database, threads))
    models: dict[str, CostModel] = {"roofline": Roofline()}
    if weights is not None:
        models["network"] = Network(Weights.load(weights))
    return {name: judge(model, held)[""] for name, model in models.items()}
