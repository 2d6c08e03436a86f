"""A few random pipelines; many: `python tests/autodiff/random_gradients.py --count 1000`."""

from __future__ import annotations

import pytest
from random_gradients import check


# 3: a quotient behind a condition in an update; 5: an output whose update writes outside of what is asked for; 14: a
# Func that only iterations read which there are none of.
@pytest.mark.parametrize("seed", [3, 5, 14, *range(100, 108)])
def test_the_gradient_of_a_random_pipeline_is_right(seed: int) -> None:
    assert check(seed)
