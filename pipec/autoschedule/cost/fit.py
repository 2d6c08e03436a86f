"""Training of the network on measured states, and how well a model ranks them."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.cost.model import Array, CostModel, FeatureBatch
from pipec.autoschedule.cost.network import MAX_LOGARITHM, Weights, inputs
from pipec.autoschedule.cost.scores import Scores, mean_scores, scores
from pipec.autoschedule.features.features import terms
from pipec.errors import MissingPackageError
from pipec.records import dataclass, field, replace

HELD_OUT = 8
"""One pipeline in this many is held out for judging."""
MIN_SAMPLES = 4
PIPELINES_OF_A_STEP = 16
SLOW_EXPONENT = 0.5
"""A state that takes n times the fastest counts for n**-SLOW as much."""
HUBER_DELTA = 0.5
"""Logarithms wrong by more than that count in proportion, no longer squared."""
ABSOLUTE_WEIGHT = 0.3
"""What it costs, by the errors of ratios, to be wrong about all states of a pipeline by the same factor."""
DROPOUT, DECAY = 0.2, 1e-2
PRIOR_WEIGHT = 1e-2
"""What it costs to be away from the roofline's costs."""
Loss = Callable[[Any, Any, Any], Any]
"""A scalar for the states of pipelines, as tensors: logarithms of predicted seconds (members, pipelines, states), of
measured ones (pipelines, states), and what share of its pipeline each state is, zero for those that fill the row."""
LAYERS = ("first", "first_bias", "second", "second_bias", "last", "last_bias")


@dataclass(frozen=True, eq=False)
class Sample:
    """One measured state: rows of its stages (see FeatureBatch) and the seconds it took.

    `setting`: the machine and the number of threads; only times of the same setting are compared. `machine`: its rates.
    """

    pipeline: str
    setting: str
    features: Array
    operations: Array
    seconds: float
    machine: MachineModel = field(default_factory=MachineModel)


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
    groups: dict[str, list[Sample]] = {}
    for sample in samples:
        groups.setdefault(f"{sample.pipeline} {sample.setting}", []).append(sample)
    return {name: entries for name, entries in groups.items() if len(entries) >= MIN_SAMPLES}


def split(samples: Iterable[Sample]) -> tuple[list[Sample], list[Sample]]:
    """Samples to train on and to judge by; all of one pipeline are on the same side, the same one every time."""
    training: list[Sample] = []
    held: list[Sample] = []
    for sample in samples:
        (held if zlib.crc32(sample.pipeline.encode()) % HELD_OUT == 0 else training).append(sample)
    return training, held


def judge(model_for: Callable[[MachineModel], CostModel], samples: Iterable[Sample]) -> dict[str, Scores]:
    """Returns scores of how models (one for each machine) rank the states of each pipeline; their means under ""."""
    by_name = {}
    for name, entries in by_pipeline(samples).items():
        batch, model = batch_of(entries), model_for(entries[0].machine)
        predicted = batch.summed(model.predict(batch))
        by_name[name] = scores(predicted, [sample.seconds for sample in entries])
    by_name[""] = mean_scores(list(by_name.values()))
    return by_name


def fit(
    samples: Iterable[Sample],
    epochs: int = 60,
    seed: int = 0,
    rate: float = 2e-3,
    start: Weights | None = None,
    progress: Callable[[int, float], None] | None = None,
    loss: Loss | None = None,
) -> Weights:
    """Weights for measured states. Fast states count for more. Needs torch.

    `progress` gets the epoch and its mean loss. `loss`: of the states of each pipeline, `loss_of_ratios` by default.
    """
    return _Fit(by_pipeline(samples), seed, start, loss or loss_of_ratios).run(epochs, rate, progress)


def loss_of_ratios(predicted: Any, times: Any, shares: Any) -> Any:
    """Of the ratios of predicted and measured times about their mean, and a part of that of the mean: which state is
    quicker counts more than a factor common to all."""
    wrong = predicted - times
    common = (shares * wrong).sum(2, keepdim=True)
    relative, absolute = huber(wrong - common, HUBER_DELTA), huber(common, HUBER_DELTA)
    return (shares * relative).sum(2).mean() + ABSOLUTE_WEIGHT * absolute.mean()


def huber(wrong: Any, delta: float) -> Any:
    """Huber's loss of each element of a tensor: squared up to `delta`, in proportion beyond."""
    from torch.nn.functional import huber_loss

    return huber_loss(wrong, wrong.new_zeros(wrong.shape), reduction="none", delta=delta)


@dataclass(frozen=True, eq=False)
class _Group:
    """The states of a pipeline: normalised inputs and terms of their rows, and logarithms of their seconds."""

    x: Array
    evaluated: Array
    owner: Any
    times: Array


class _Fit:
    def __init__(self, pipelines: dict[str, list[Sample]], seed: int, start: Weights | None, loss: Loss) -> None:
        try:
            import torch
        except ImportError as error:
            raise MissingPackageError("Training a cost model", "PyTorch", "torch", error) from error

        self.torch, self.loss = torch, loss
        torch.manual_seed(seed)
        self.rng = np.random.default_rng(seed)
        groups = [(batch_of(entries), entries) for entries in pipelines.values()]
        self.start = start or Weights.start(seed)
        evaluated = [terms(batch.features, entries[0].machine) * self.start.base for batch, entries in groups]
        normalized = [inputs(batch, costs) for (batch, _), costs in zip(groups, evaluated, strict=True)]
        if start is None:
            self.start = self._normalizing(self.start, np.concatenate(normalized))
        self.parameters = {
            name: torch.tensor(getattr(self.start, name), dtype=torch.float32, requires_grad=True) for name in LAYERS
        }
        self.data = [
            self._group(batch, x, costs, entries)
            for (batch, entries), x, costs in zip(groups, normalized, evaluated, strict=True)
        ]

    @staticmethod
    def _normalizing(weights: Weights, rows: Array) -> Weights:
        return replace(weights, mean=rows.mean(0), scale=np.maximum(rows.std(0), 0.1))

    def _group(self, batch: FeatureBatch, x: Array, evaluated: Array, entries: Sequence[Sample]) -> _Group:
        # One scale for each pipeline: what counts is which of its states is quicker.
        best = min(sample.seconds for sample in entries)
        times = np.log([sample.seconds / best for sample in entries])
        return _Group(self.start.normalized(x), evaluated / best, batch.owner, times)

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
        optimizer = torch.optim.AdamW(self.parameters.values(), rate, weight_decay=DECAY)
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
        for epoch in range(epochs):
            losses = []
            order = self.rng.permutation(len(self.data))
            for first in range(0, len(order), PIPELINES_OF_A_STEP):
                optimizer.zero_grad()
                loss = self._loss([self.data[number] for number in order[first : first + PIPELINES_OF_A_STEP]])
                loss.backward()
                optimizer.step()
                losses.append(float(loss.detach()))
            schedule.step()
            if progress is not None:
                progress(epoch, float(np.mean(losses)))
        trained = {name: value.detach().numpy().astype(np.float64) for name, value in self.parameters.items()}
        return replace(self.start, **trained)

    def _loss(self, groups: Sequence[_Group]) -> Any:
        """The mean over these pipelines and all members, none of which knows of the others."""
        torch = self.torch
        most = max(len(group.times) for group in groups)
        owner = np.concatenate([group.owner + number * most for number, group in enumerate(groups)])
        times, weights = np.zeros((len(groups), most)), np.zeros((len(groups), most))
        for number, group in enumerate(groups):
            times[number, : len(group.times)] = group.times
            weights[number, : len(group.times)] = np.exp(-SLOW_EXPONENT * group.times)
        weights /= weights.sum(1, keepdims=True)
        logarithms = self._logarithms(_tensor(torch, np.concatenate([group.x for group in groups])))
        rows = (_tensor(torch, np.concatenate([group.evaluated for group in groups])) * torch.exp(logarithms)).sum(2)
        sums = torch.zeros(len(rows), times.size).index_add(1, torch.tensor(owner), rows)
        predicted = torch.log(sums.clamp_min(1e-6)).view(-1, *times.shape)
        loss = self.loss(predicted, _tensor(torch, times), _tensor(torch, weights))
        return loss + PRIOR_WEIGHT * (logarithms**2).mean()

    def _logarithms(self, x: Any) -> Any:
        torch, p = self.torch, self.parameters
        h = torch.nn.functional.dropout(torch.relu(x @ p["first"] + p["first_bias"]), DROPOUT)
        h = torch.nn.functional.dropout(torch.relu(h @ p["second"] + p["second_bias"]), DROPOUT)
        return MAX_LOGARITHM * torch.tanh((h @ p["last"] + p["last_bias"]) / MAX_LOGARITHM)


def _tensor(torch: Any, values: Array) -> Any:
    return torch.tensor(values, dtype=torch.float32)
