"""`python -m bench.autoschedule.claims loss|scheduler`: what two papers claim, tried both ways on recorded data.

* `loss ARCHIVE ...`: a rank loss is better than regression (AutoTVM, Chen et al. 2018). Trains the network of the cost
  model by either on measured states of random pipelines, and judges both by the pipelines held out.
* `scheduler`: rounds that go where most is to be gained are better than turns (Ansor, Zheng et al. 2020). Replays the
  rounds that `bench.autoschedule.strategies --trials` has recorded of each pipeline, so that both divide the same ones.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from bench.table import geometric_mean
from pipec.autoschedule.cost.fit import Loss, fit, judge, loss_of_ratios, split
from pipec.autoschedule.cost.network import Network
from pipec.autoschedule.task_scheduler import RoundEnd, expected_gain
from pipec.autoschedule.train.archive import machines_in, read
from pipec.autoschedule.train.samples import samples

CLEAR = 0.05
"""Logarithms of times that differ by less say nothing about the order."""
Rounds = Sequence[RoundEnd]


def loss_of_pairs(predicted: Any, times: Any, shares: Any, scale: float = 1.0) -> Any:
    """The logistic loss of pairs (RankNet, Burges et al. 2005); `scale`: of the logarithms' differences."""
    from torch.nn.functional import softplus

    faster = (times[:, :, None] + CLEAR < times[:, None, :]) * shares[:, :, None] * shares[:, None, :]
    wrong = softplus((predicted[:, :, :, None] - predicted[:, :, None, :]) / scale)
    return ((faster * wrong).sum((2, 3)) / faster.sum((1, 2)).clamp_min(1e-9)).mean()


LOSSES: Mapping[str, Loss] = {
    "ratios": loss_of_ratios,
    "pairs": loss_of_pairs,
    "pairs, scale 0.2": partial(loss_of_pairs, scale=0.2),
}


def compare_losses(archives: Sequence[Path], epochs: int, seeds: int) -> None:
    """Prints a row of scores for each loss, means over the seeds."""
    measured = [entry for path in archives for entry in read(path)]
    machines = {name: rates for path in archives for name, rates in machines_in(path).items()}
    training, held = split(samples(measured, machines, 2))
    print(f"| loss, {len(training)} states, {len(held)} held out | Spearman | pairs in order | best predicted / best |")
    print("|---|---|---|---|")
    for name, loss in LOSSES.items():
        scored = [judge(partial(Network, fit(training, epochs, seed, loss=loss)), held)[""] for seed in range(seeds)]
        rank, pairs, regret = (
            sum(column) / seeds
            for column in zip(*[(row.spearman, row.pairwise, row.regret_1) for row in scored], strict=True)
        )
        print(f"| {name} | {rank:.3f} | {pairs:.3f} | {regret:.3f} |", flush=True)


def divided(tasks: Sequence[Rounds], seconds: float, chosen: Callable[[list[Rounds]], int]) -> list[float]:
    """The best milliseconds of each task when rounds go to the task that `chosen` names until the time is over."""
    histories: list[Rounds] = [rounds[:1] for rounds in tasks]
    while sum(history[-1].seconds for history in histories) < seconds:
        number = chosen(histories)
        if len(histories[number]) == len(tasks[number]):
            break  # No more of it was recorded.
        histories[number] = tasks[number][: len(histories[number]) + 1]
    return [history[-1].best_ms for history in histories]


def in_turns(histories: Sequence[Rounds]) -> int:
    """The task that has had the fewest rounds."""
    return min(range(len(histories)), key=lambda k: len(histories[k]))


def by_gain(histories: Sequence[Rounds], relative: bool) -> int:
    """The task that `hl.autoschedule_all` would choose."""
    return max(range(len(histories)), key=lambda k: expected_gain(histories[k], relative))


def compare_schedulers(recorded: Path, strategy: str) -> None:
    """Prints for shares of the recorded time the sum and the geometric mean of times, by gain and in turns."""
    records = json.loads(recorded.read_text())
    tasks = [
        [RoundEnd(*end) for end in record["rounds"][strategy]]
        for record in records.values()
        if record.get("rounds", {}).get(strategy)
    ]
    whole = sum(rounds[-1].seconds for rounds in tasks)
    print(
        f"| {len(tasks)} pipelines, share of {whole:.0f} s | sum, in turns: ms | by gain / turns "
        "| geometric mean, in turns: ms | by gain / turns |"
    )
    print("|---|---|---|---|---|")
    for share in (0.05, 0.1, 0.2, 0.3, 0.5):
        turns = divided(tasks, share * whole, in_turns)
        sums = divided(tasks, share * whole, partial(by_gain, relative=False))
        means = divided(tasks, share * whole, partial(by_gain, relative=True))
        mean = geometric_mean(turns)
        print(
            f"| {share:.0%} | {sum(turns):.2f} | {sum(sums) / sum(turns):.3f} "
            f"| {mean:.3f} | {geometric_mean(means) / mean:.3f} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.autoschedule.claims", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    loss = commands.add_parser("loss")
    loss.add_argument("archives", type=Path, nargs="+", help="of training/")
    loss.add_argument("--epochs", type=int, default=60)
    loss.add_argument("--seeds", type=int, default=1)
    scheduler = commands.add_parser("scheduler")
    scheduler.add_argument("--json", type=Path, default=Path("out/strategies.json"))
    scheduler.add_argument("--strategy", default="mixed")
    options = parser.parse_args()
    if options.command == "loss":
        compare_losses(options.archives, options.epochs, options.seeds)
    else:
        compare_schedulers(options.json, options.strategy)


if __name__ == "__main__":
    main()
