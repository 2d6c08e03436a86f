"""Scores of a cost model's predictions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pipec.autoschedule.cost.scores import Scores, mean_scores, pairwise_accuracy, regret, scores, spearman

TIMES = st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=2, max_size=20)


@given(TIMES)
def test_spearman_is_scipys(pairs: list[tuple[int, int]]) -> None:
    x, y = zip(*pairs, strict=True)
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert math.isnan(spearman(x, y))
    else:
        assert spearman(x, y) == pytest.approx(stats.spearmanr(x, y).statistic)


@given(TIMES)
def test_pairs_are_those_counted_one_by_one(pairs: list[tuple[int, int]]) -> None:
    right, total = 0.0, 0
    for p, t in pairs:
        for other_p, other_t in pairs:
            if other_t >= 1.3 * t:
                total += 1
                right += 1.0 if other_p > p else 0.5 if other_p == p else 0.0
    result = pairwise_accuracy(*zip(*pairs, strict=True))
    assert math.isnan(result) if not total else result == right / total


def test_equal_predictions_tell_nothing() -> None:
    assert pairwise_accuracy([1, 1], [1, 2]) == 0.5
    assert regret([1, 1, 1], [5.0, 10.0, 20.0], 1) == 4.0


def test_regret_falls_with_what_is_measured() -> None:
    generator = np.random.default_rng(0)
    predicted, measured = generator.random(50), generator.random(50) + 0.1
    regrets = [regret(predicted, measured, count) for count in range(1, 51)]
    assert regrets == sorted(regrets, reverse=True) and regrets[-1] == 1.0


def test_perfect_and_reversed_predictions() -> None:
    measured = np.array([1.0, 2.0, 4.0, 8.0])
    assert scores(measured * 7, measured) == Scores(1.0, 1.0, 1.0, 1.0)
    assert scores(-measured, measured) == Scores(-1.0, 0.0, 8.0, 1.0)


def test_one_schedule_has_no_order() -> None:
    only = scores([1.0], [3.0])
    assert math.isnan(only.spearman) and math.isnan(only.pairwise) and only.regret_1 == 1.0
    assert mean_scores([only, Scores(0.5, 0.75, 4.0, 1.0)]) == Scores(0.5, 0.75, 2.0, 1.0)
    assert math.isnan(mean_scores([]).regret_8)


@pytest.mark.parametrize("measured", [[1.0], [1.0, 0.0], [1.0, math.nan]])
def test_what_was_not_measured_is_refused(measured: list[float]) -> None:
    with pytest.raises(ValueError):
        scores([1.0, 2.0], measured)
