"""Scores of cost models: predicted times of schedules compared with measured ones, pipeline by pipeline."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pipec.records import dataclass

APART = 1.3  # times nearer to each other than that are within what measuring the same schedule twice may differ

Times = NDArray[np.float64]


@dataclass(frozen=True)
class Scores:
    """The scores of one pipeline, or means over several; NaN where there was nothing to compare.

    `spearman`: correlation of ranks. `pairwise`: share of pairs, `APART` in measured time, that are in the right order.
    `regret_1`, `regret_8`: the time of what one would take after measuring that many of the best predicted, divided
    by the best time of all.
    """

    spearman: float
    pairwise: float
    regret_1: float
    regret_8: float


def scores(predicted: ArrayLike, measured: ArrayLike) -> Scores:
    """The scores of one pipeline's schedules: predicted costs, in any unit, and measured times.

    >>> from pipec.autoschedule.cost.scores import scores
    >>> scores([1.0, 2.0, 3.0], [10.0, 30.0, 20.0])
    Scores(spearman=0.5, pairwise=0.6666666666666666, regret_1=1.0, regret_8=1.0)
    """
    return Scores(
        spearman(predicted, measured),
        pairwise_accuracy(predicted, measured),
        regret(predicted, measured, 1),
        regret(predicted, measured, 8),
    )


def mean_scores(pipelines: Iterable[Scores]) -> Scores:
    """Means over pipelines, each counted once however many schedules it has; regrets, being ratios, geometric means.

    >>> from pipec.autoschedule.cost.scores import Scores, mean_scores
    >>> mean_scores([Scores(1.0, 1.0, 1.0, 1.0), Scores(0.5, 0.5, 4.0, 1.0)])
    Scores(spearman=0.75, pairwise=0.75, regret_1=2.0, regret_8=1.0)
    """
    table = np.array([[s.spearman, s.pairwise, np.log(s.regret_1), np.log(s.regret_8)] for s in pipelines])
    valid = ~np.isnan(table.reshape(-1, 4))
    sums, counts = np.where(valid, table.reshape(-1, 4), 0.0).sum(0), valid.sum(0)
    means = [float(total / count) if count else float("nan") for total, count in zip(sums, counts, strict=True)]
    return Scores(means[0], means[1], float(np.exp(means[2])), float(np.exp(means[3])))


def spearman(predicted: ArrayLike, measured: ArrayLike) -> float:
    """The correlation of ranks, equal values having the mean of theirs; NaN when either side is all equal.

    >>> from pipec.autoschedule.cost.scores import spearman
    >>> spearman([1, 2, 3, 4], [0.1, 0.5, 0.7, 9.0])
    1.0
    """
    x, y = _pairs(predicted, measured)
    if x.size < 2:
        return float("nan")
    a, b = (ranks - ranks.mean() for ranks in (_ranks(x), _ranks(y)))
    norm = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / norm if norm else float("nan")


def pairwise_accuracy(predicted: ArrayLike, measured: ArrayLike, apart: float = APART) -> float:
    """Of the pairs whose times are that far apart, the share that the predictions order the same way; equal ones count
    half.

    >>> from pipec.autoschedule.cost.scores import pairwise_accuracy
    >>> pairwise_accuracy([1, 2, 3], [1.0, 1.1, 0.5])  # the first two are too near to tell
    0.0
    """
    x, y = _pairs(predicted, measured)
    right = total = 0.0
    for i in range(x.size):  # row by row: a matrix of all pairs may not fit
        slower = y >= apart * y[i]
        slower[i] = False
        total += float(slower.sum())
        right += float((x[slower] > x[i]).sum()) + 0.5 * float((x[slower] == x[i]).sum())
    return right / total if total else float("nan")


def regret(predicted: ArrayLike, measured: ArrayLike, count: int) -> float:
    """The best time among the `count` best predicted, divided by the best of all; of equal predictions the slowest.

    >>> from pipec.autoschedule.cost.scores import regret
    >>> regret([1, 2, 3], [6.0, 4.0, 2.0], 2)
    2.0
    """
    x, y = _pairs(predicted, measured)
    if not x.size:
        return float("nan")
    chosen = np.lexsort((-y, x))[:count]
    return float(y[chosen].min() / y.min())


def _pairs(predicted: ArrayLike, measured: ArrayLike) -> tuple[Times, Times]:
    x, y = np.asarray(predicted, np.float64), np.asarray(measured, np.float64)
    if x.shape != y.shape or x.ndim != 1:
        raise ValueError(f"Error: predictions of shape {x.shape} and measured times of shape {y.shape} do not pair up.")
    if not (np.isfinite(x).all() and np.isfinite(y).all() and (y > 0).all()):
        raise ValueError("Error: predictions must be finite numbers, measured times finite and above zero.")
    return x, y


def _ranks(values: Times) -> Times:
    _, group, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: Times = (last - (counts - 1) / 2)[group]
    return ranks
