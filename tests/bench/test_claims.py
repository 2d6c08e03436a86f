"""What `bench.autoschedule.claims` compares, on data whose outcome is known."""

from __future__ import annotations

from functools import partial

import pytest

from bench.autoschedule.claims import by_gain, divided, in_turns, loss_of_pairs
from pipec.autoschedule.task_scheduler import RoundEnd

STEEP = [RoundEnd(float(k), 10 * k, ms) for k, ms in enumerate((100.0, 60.0, 40.0, 30.0, 25.0), 1)]
FLAT = [RoundEnd(float(k), 10 * k, 1.0) for k in range(1, 6)]


def test_by_gain_the_pipeline_that_still_improves_gets_more_rounds() -> None:
    assert divided([STEEP, FLAT], 6.0, in_turns) == [40.0, 1.0]
    assert divided([STEEP, FLAT], 6.0, partial(by_gain, relative=False)) == [30.0, 1.0]


def test_a_replay_ends_with_what_was_recorded() -> None:
    assert divided([STEEP[:2], FLAT[:2]], 100.0, in_turns) == [60.0, 1.0]


def test_the_loss_of_pairs_is_low_for_the_right_order_whatever_the_scale_of_times() -> None:
    torch = pytest.importorskip("torch")
    times = torch.tensor([[0.0, 1.0, 2.0]])
    shares = torch.full((1, 3), 1 / 3)
    right, wrong = (loss_of_pairs(4 * sign * times[None], times, shares) for sign in (1, -1))
    assert right < 0.05 < 4 < wrong
