"""Random states of random pipelines compile and keep the pixels (`python -m tests.fuzz.states` for many more)."""

from __future__ import annotations

import pytest

from tests.fuzz.autoschedule import run_seed as search_and_check
from tests.fuzz.states import run_seed


@pytest.mark.parametrize("seed", [3, 7, 1015, 4002])
def test_random_states_keep_the_pixels(seed):
    assert run_seed(seed) == ""


# Register tiles higher than the strip around, whole pictures in a block, extents that follow two chains of readers.
@pytest.mark.parametrize("seed", [19, 86, 88])
def test_what_a_search_finds_for_random_pipelines_is_legal_and_right(seed):
    assert search_and_check(seed) == ""
