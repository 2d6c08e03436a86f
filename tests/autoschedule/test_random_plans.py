"""Random plans of random pipelines compile and keep the pixels (`python -m tests.fuzz.plans` for many more)."""

from __future__ import annotations

import pytest

from tests.fuzz.plans import run_seed


@pytest.mark.parametrize("seed", [2, 3, 7, 1015, 3001, 4002])
def test_random_plans_keep_the_pixels(seed):
    assert run_seed(seed) == ""
