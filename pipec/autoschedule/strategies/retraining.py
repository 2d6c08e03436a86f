"""A cost model trained further on what was measured of one pipeline, which it then knows better than any other."""

from __future__ import annotations

import math
from collections.abc import Mapping

from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.cost.fit import Sample, fit
from pipec.autoschedule.cost.network import Network
from pipec.autoschedule.space.state import State

EPOCHS = 200


def retrained(evaluator: CpuEvaluator, times: Mapping[State, float]) -> Network:
    """A model that has learnt `times`: milliseconds of states, infinite ones are left out. Needs torch.

    A network begins with its own weights, the blend with those of its network, any other model as the network that
    gives the roofline's costs.
    """
    model, samples = evaluator.model, []
    for state, milliseconds in times.items():
        if math.isfinite(milliseconds):
            batch = evaluator.batch([state])
            samples.append(Sample("", "", batch.features, batch.operations, milliseconds * 1e-3, model.machine))
    networks = [part for part in (model, *model.parts()) if isinstance(part, Network)]
    start = networks[0].weights if networks else None
    return Network(fit(samples, EPOCHS, start=start), model.machine)
