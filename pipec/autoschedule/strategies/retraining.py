"""A cost model trained further on what was measured of one pipeline, which it then knows better than any other."""

from __future__ import annotations

import math
from collections.abc import Mapping

from pipec.autoschedule.cost.cpu import Evaluator
from pipec.autoschedule.cost.fit import Sample, fit
from pipec.autoschedule.cost.network import Network
from pipec.autoschedule.space.plan import Plan

EPOCHS = 200


def retrained(evaluator: Evaluator, times: Mapping[Plan, float]) -> Network:
    """A model that has learnt `times`: milliseconds of plans, infinite ones are left out. Needs torch.

    A network begins with its own weights, the blend with those of its network, any other model as the network that
    gives the roofline's prices.
    """
    model, samples = evaluator.model, []
    for plan, milliseconds in times.items():
        if math.isfinite(milliseconds):
            batch = evaluator.batch([plan])
            samples.append(Sample("", "", batch.features, batch.operations, milliseconds * 1e-3, model.machine))
    networks = [part for part in (model, *model.parts()) if isinstance(part, Network)]
    start = networks[0].weights if networks else None
    return Network(fit(samples, EPOCHS, start=start), model.machine)
