"""A ranker of configurations: a score by their values, the lower the faster, learned from pairs of measured ones.

The rank loss of AutoTVM (Chen et al., "Learning to Optimize Tensor Programs", NeurIPS 2018): of two measured
configurations of the same pipeline the faster should have the lower score, whatever the times are. So times of other
pipelines, sizes and machines teach, too. The score is a kernel machine, sum of alpha_i k(x, x_i), with the logistic
loss of pairs (Burges et al., "Learning to rank using gradient descent", ICML 2005), fitted by gradient descent.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pipec.records import dataclass

SCALE = 2.0
"""Of the kernel: values of numbers that differ by this factor, as a power of two, are one unit apart."""
OTHER = 0.7
"""The distance of values that are no numbers and differ, and of a value that only one configuration has."""
BANDWIDTH, VALUES_OF_A_BANDWIDTH = 2.5, 4
"""Distance at which the kernel has fallen to 1/e, for configurations of so many values; of more in proportion."""
STEPS, RATE, DECAY = 150, 0.3, 1e-2
CLEAR = 0.05
"""Times that differ by less than this share say nothing about the order."""
MAX_SAMPLES = 600


@dataclass(frozen=True)
class TimedValues:
    """The values of a configuration, its time (infinite: it failed), and the pipeline that both belong to."""

    values: Mapping[str, Any]
    time: float
    task: str = ""


class Ranker:
    """Scores of configurations. `samples`: what it learns from; of very many the last ones."""

    def __init__(self, samples: Sequence[TimedValues]) -> None:
        self.samples = list(samples)[-MAX_SAMPLES:]
        self._alpha = np.zeros(len(self.samples))
        if len(self.samples) > 1:
            self._fit()

    def scores(self, configurations: Sequence[Mapping[str, Any]]) -> np.ndarray:
        """The score of each configuration; all zero before anything was learned."""
        if not self.samples:
            return np.zeros(len(configurations))
        return np.asarray(_kernel(configurations, [sample.values for sample in self.samples]) @ self._alpha)

    def spread(self) -> float:
        """The standard deviation of the scores of what it has learned from."""
        return float(np.std(self.scores([sample.values for sample in self.samples]))) if self.samples else 0.0

    def _fit(self) -> None:
        values = [sample.values for sample in self.samples]
        kernel = _kernel(values, values)
        faster = _pairs(self.samples)
        count = max(1.0, faster.sum())
        velocity = np.zeros_like(self._alpha)
        for _ in range(STEPS):
            score = kernel @ self._alpha
            # The gradient of sum log(1 + exp(faster - slower)) by the scores of the faster and the slower ones.
            wrong = faster / (1.0 + np.exp(np.clip(score[None, :] - score[:, None], -30, 30)))
            slope = (wrong.sum(1) - wrong.sum(0)) * (len(score) / count)
            velocity = 0.9 * velocity - RATE * (slope + DECAY * self._alpha)
            self._alpha = self._alpha + velocity / math.sqrt(len(score))


def _pairs(samples: Sequence[TimedValues]) -> np.ndarray:
    """Where sample i is clearly faster than sample j of the same pipeline."""
    times = np.array([min(sample.time, 1e30) for sample in samples])
    tasks = np.unique([sample.task for sample in samples], return_inverse=True)[1]
    clear = times[:, None] * (1 + CLEAR) < times[None, :]
    return np.asarray(clear & (tasks[:, None] == tasks[None, :]), float)


def _kernel(rows: Sequence[Mapping[str, Any]], columns: Sequence[Mapping[str, Any]]) -> np.ndarray:
    distance = np.zeros((len(rows), len(columns)))
    names = sorted({name for values in (*rows, *columns) for name in values})
    for name in names:
        a, b = ([values.get(name) for values in side] for side in (rows, columns))
        if all([_is_number(value) for value in (*a, *b)]):
            x, y = (np.log2(np.maximum(np.array(side, float), 0) + 1) for side in (a, b))
            distance += ((x[:, None] - y[None, :]) / SCALE) ** 2
        else:
            code = {value: number for number, value in enumerate({*a, *b})}
            x, y = (np.array([code[value] for value in side]) for side in (a, b))
            distance += OTHER * (x[:, None] != y[None, :])
    return np.exp(-distance / (BANDWIDTH * max(1.0, len(names) / VALUES_OF_A_BANDWIDTH)))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
