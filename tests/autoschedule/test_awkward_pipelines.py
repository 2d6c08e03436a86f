"""Every strategy finds schedules of awkward pipelines that compile and change no pixels."""

from __future__ import annotations

import os

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.strategies import FOR_CPU, Options
from tests.autoschedule.awkward_pipelines import PIPELINES, realized

FEW = Options(beam=2, rounds=1, patience=1, states=150, samples=4)
# All pairs take a minute; by default each pipeline meets each strategy once in so many runs of the list.
PAIRS = [(pipeline, strategy) for pipeline in PIPELINES for strategy in FOR_CPU]
SOME = PAIRS if os.environ.get("PIPEC_SLOW") else PAIRS[::5]


@pytest.mark.part(16)
@pytest.mark.parametrize("pipeline, strategy", SOME)
def test_schedules_of_awkward_pipelines_change_no_pixels(pipeline: str, strategy: str) -> None:
    expected = realized(PIPELINES[pipeline]())
    outputs = PIPELINES[pipeline]()
    sizes = {func.name(): [64, 48][: func.dimensions()] for func in outputs}
    hl.Pipeline(outputs).autoschedule(
        sizes=sizes, strategy=strategy, options=FEW, search_seconds=30, threads=2, verify=False
    )
    for actual, want in zip(realized(outputs), expected, strict=True):
        np.testing.assert_allclose(actual, want, rtol=1e-4)
