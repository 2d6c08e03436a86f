"""When the results of two schedules count as the same."""

from __future__ import annotations

import numpy as np

from pipec.autoschedule.measure.pixels import difference

EXPECTED = np.full(1000, 100, np.uint16)


def changed(count: int, by: int) -> np.ndarray:
    result = EXPECTED.copy()
    result[:count] += by
    return result


def test_integers_of_integers_are_exact() -> None:
    assert "1 of 1000 values of output 0 are wrong" in difference([EXPECTED], [changed(1, 1)], exact=True)


def test_rounding_makes_steps_of_one_in_few_pixels() -> None:
    assert not difference([EXPECTED], [changed(15, 1)], exact=False)
    assert difference([EXPECTED], [changed(30, 1)], exact=False)


def test_rounding_makes_other_differences_in_fewer() -> None:
    assert not difference([EXPECTED], [changed(1, 7)], exact=False)
    assert difference([EXPECTED], [changed(15, 7)], exact=False)


def test_long_sums_of_floats_may_be_as_far_from_the_precise_ones_as_the_reference() -> None:
    expected, precise = np.full(1000, 1.01, np.float32), np.ones(1000)
    near, far = np.full(1000, 0.99, np.float32), np.full(1000, 0.97, np.float32)
    assert difference([expected], [near], exact=False)
    assert not difference([expected], [near], exact=False, precise=lambda: [precise])
    assert difference([expected], [far], exact=False, precise=lambda: [precise])
