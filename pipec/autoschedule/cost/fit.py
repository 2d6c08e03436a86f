"""Training of the network on measured plans, and how well a model ranks them."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pipec.autoschedule.cost.machine import Machine
from pipec.autoschedule.cost.model import Array, CostModel, FeatureBatch
from pipec.autoschedule.cost.network import MOST, Weights, inputs
from pipec.autoschedule.cost.roofline import PRICES
from pipec.autoschedule.scores import Scores, mean_scores, scores
from pipec.autoschedule.terms import TERMS, terms

HELD_OUT = 8
"""One pipeline in so many is kept for judging."""
APART = 1.1
"""Pairs of times nearer to each other than that teach nothing about which is shorter."""
LEAST_SAMPLES = 4


@dataclass(frozen=True, eq=False)
class Sample:
    """One measured plan: rows of its stages (see FeatureBatch) and the seconds it took.

    `setting`: the machine and the number of threads; only times of the same setting are compared. `machine`: its rates.
    """

    pipeline: str
    setting: str
    features: Array
    operations: Array
    seconds: float
    machine: Machine = field(default_factory=Machine)


def batch_of(samples: Sequence[Sample]) -> FeatureBatch:
    """The rows of samples under each other, each sample an owner."""
    owner = np.repeat(np.arange(len(samples)), [len(sample.features) for sample in samples])
    return FeatureBatch(
        np.concatenate([sample.features for sample in samples]),
        np.concatenate([sample.operations for sample in samples]),
        owner,
        len(samples),
    )


def by_pipeline(samples: Iterable[Sample]) -> dict[str, list[Sample]]:
    """Samples by their pipeline and setting; those with too few to compare are left out."""
    found: dict[str, list[Sample]] = {}
    for sample in samples:
        found.setdefault(f"{sample.pipeline} {sample.setting}", []).append(sample)
    return {name: entries for name, entries in found.items() if len(entries) >= LEAST_SAMPLES}


def split(samples: Iterable[Sample]) -> tuple[list[Sample], list[Sample]]:
    """Samples to train on and to judge by; all of one pipeline are on the same side, the same one every time."""
    training: list[Sample] = []
    held: list[Sample] = []
    for sample in samples:
        (held if zlib.crc32(sample.pipeline.encode()) % HELD_OUT == 0 else training).append(sample)
    return training, held


def judge(model_for: Callable[[Machine], CostModel], samples: Iterable[Sample]) -> dict[str, Scores]:
    """How well models rank the plans of each pipeline, one for each machine; the means over all under ""."""
    found = {}
    for name, entries in by_pipeline(samples).items():
        batch, model = batch_of(entries), model_for(entries[0].machine)
        predicted = batch.summed(model.predict(batch))
        found[name] = scores(predicted, [sample.seconds for sample in entries])
    found[""] = mean_scores(list(found.values()))
    return found


def fit(
    samples: Iterable[Sample],
    epochs: int = 200,
    seed: int = 0,
    rate: float = 2e-3,
    start: Weights | None = None,
    leveled: bool = False,
    progress: Callable[[int, float], None] | None = None,
) -> Weights:
    """Weights for measured plans. The loss of a pipeline is the squared error of relative throughput, as in Adams
    et al. 2019 (slow plans all count as slow), and the logistic loss of pairs in the wrong order.

    `leveled`: the loss is the variance of the logarithms of predicted
    by measured times instead, so that a factor common to all plans of a pipeline does not matter. `progress` is told
    the epoch and its mean loss. Needs torch.
    """
    return _Fit(by_pipeline(samples), seed, start, leveled).run(epochs, rate, progress)


class _Fit:
    def __init__(
        self,
        pipelines: dict[str, list[Sample]],
        seed: int,
        start: Weights | None,
        leveled: bool,
    ) -> None:
        import torch

        self.torch = torch
        torch.manual_seed(seed)
        self.rng = np.random.default_rng(seed)
        self.leveled = leveled
        batches = [batch_of(entries) for entries in pipelines.values()]
        self.mean, self.scale = self._statistics(batches)
        first = start or Weights.start(seed)
        if start is not None:
            self.mean, self.scale = start.mean, start.scale
        names = ("first", "first_bias", "second", "second_bias", "last", "last_bias")
        self.parameters = {
            name: torch.tensor(getattr(first, name), dtype=torch.float32, requires_grad=True) for name in names
        }
        self.data = [
            self._tensors(batch, entries[0].machine, [sample.seconds for sample in entries])
            for batch, entries in zip(batches, pipelines.values(), strict=True)
        ]

    @staticmethod
    def _statistics(batches: Sequence[FeatureBatch]) -> tuple[Array, Array]:
        rows = np.concatenate([inputs(batch.features, batch.operations) for batch in batches])
        return rows.mean(0), np.maximum(rows.std(0), 0.1)

    def _tensors(self, batch: FeatureBatch, machine: Machine, seconds: Sequence[float]) -> tuple[Any, ...]:
        torch = self.torch
        x = (inputs(batch.features, batch.operations) - self.mean) / self.scale
        base = terms(batch.features, machine) * np.array([PRICES[name] for name in TERMS])
        # One scale for each pipeline: what counts is which of its plans is quicker.
        best = min(seconds)
        return (
            torch.tensor(np.clip(x, -5, 5), dtype=torch.float32),
            torch.tensor(base / best, dtype=torch.float32),
            torch.tensor(batch.owner),
            torch.tensor(np.array(seconds) / best, dtype=torch.float32),
        )

    def run(self, epochs: int, rate: float, progress: Callable[[int, float], None] | None) -> Weights:
        torch = self.torch
        threads = torch.get_num_threads()
        torch.set_num_threads(1)  # The matrices are small.
        try:
            return self._run(epochs, rate, progress)
        finally:
            torch.set_num_threads(threads)

    def _run(self, epochs: int, rate: float, progress: Callable[[int, float], None] | None) -> Weights:
        torch = self.torch
        optimizer = torch.optim.Adam(self.parameters.values(), rate)
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
        for epoch in range(epochs):
            total = 0.0
            for number in self.rng.permutation(len(self.data)):
                optimizer.zero_grad()
                loss = self._loss(*self.data[number])
                loss.backward()
                optimizer.step()
                total += float(loss.detach())
            schedule.step()
            if progress is not None:
                progress(epoch, total / max(1, len(self.data)))
        found = {name: value.detach().numpy().astype(np.float64) for name, value in self.parameters.items()}
        return Weights(mean=self.mean, scale=self.scale, **found)

    def _loss(self, x: Any, base: Any, owner: Any, times: Any) -> Any:
        torch, p = self.torch, self.parameters
        h = torch.relu(x @ p["first"] + p["first_bias"])
        h = torch.relu(h @ p["second"] + p["second_bias"])
        logarithms = MOST * torch.tanh((h @ p["last"] + p["last_bias"]) / MOST)
        rows = (base * torch.exp(logarithms)).sum(1)
        predicted = torch.zeros(len(times)).index_add(0, owner, rows).clamp_min(1e-6)
        if self.leveled:
            weights = times**-0.5 / (times**-0.5).sum()
            wrong = torch.log(predicted) - torch.log(times)
            return (weights * (wrong - (weights * wrong).sum()) ** 2).sum() + 1e-3 * (logarithms**2).mean()
        throughput = ((1 / predicted.clamp_min(0.1) - 1 / times) ** 2).mean()
        apart = torch.log(times)[:, None] - torch.log(times)[None, :]
        wanted = apart > np.log(APART)
        order = torch.log(predicted)[:, None] - torch.log(predicted)[None, :]
        ranking = torch.nn.functional.softplus(-4 * order[wanted]).mean() if wanted.any() else 0.0
        near = (torch.log(predicted) - torch.log(times)).abs().mean()
        return throughput + ranking + 0.1 * near + 1e-2 * (logarithms**2).mean()
