"""`python -m bench.autodiff.measure FILTER WAY...`: times of training steps of a filter in several ways, as JSON.

All take their turns on the same inputs. In torch, pipec's layer included, a step is a call and `torch.autograd.grad`;
on arrays it is the forward pipeline and the pipeline of all gradients.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import time
from collections.abc import Sequence
from typing import Any

import torch

from bench.autodiff import filters
from bench.autodiff.ways import WAYS, Task, Way, eager

LEAST_RUNS = 5
# The gradients of all compilers agree so far: sums of many floats in different orders.
TOLERANCE = 2e-2
# For each way: seconds of forward and of backward, of single steps.
Runs = dict[str, list[tuple[float, float]]]


def values(way: Way) -> list[torch.Tensor]:
    """The output and the gradients."""
    output = way.forward()
    return [output.detach().clone(), *[gradient.clone() for gradient in way.backward(output)]]


def disagreement(actual: Sequence[torch.Tensor], expected: Sequence[torch.Tensor]) -> str | None:
    for a, b in zip(actual, expected, strict=True):
        # The mean: at kinks one pixel may go either way.
        error = float((a - b).abs().mean() / b.abs().mean())
        if not error < TOLERANCE:
            return f"values differ by {error:.1e} of their size"
    return None


def prepared(task: Task, names: Sequence[str]) -> tuple[dict[str, Way], dict[str, str], dict[str, str]]:
    """The ways after their first steps, the failures of rivals in words, and notes."""
    result: dict[str, Way] = {}
    failures: dict[str, str] = {}
    expected = values(eager(task))
    for name in names:
        try:
            way = WAYS[name](task)
            wrong = disagreement(values(way), expected)
        except Exception as error:
            if name.startswith("pipec"):
                raise
            failures[name] = str(error).strip().splitlines()[0] if str(error) else type(error).__name__
            continue
        if wrong:
            failures[name] = wrong
        else:
            result[name] = way
    return result, failures, {name: way.note for name, way in result.items() if way.note}


def step(way: Way) -> tuple[float, float]:
    started = time.perf_counter()
    output = way.forward()
    between = time.perf_counter()
    way.backward(output)
    return between - started, time.perf_counter() - between


def timed(ways: dict[str, Way], seconds: float) -> Runs:
    """Next is always who has run for the shortest time: the slow have fewer turns."""
    runs: Runs = {name: [] for name in ways}
    spent = dict.fromkeys(ways, 0.0)
    gc.collect()
    while waiting := [name for name in ways if spent[name] < seconds or len(runs[name]) < LEAST_RUNS]:
        name = min(waiting, key=spent.__getitem__)
        step(ways[name])  # not counted: whose data lie in the cache should not depend on who ran before
        runs[name].append(step(ways[name]))
        spent[name] += sum(runs[name][-1])
    return runs


def measured(filter_name: str, names: Sequence[str], seconds: float) -> dict[str, Any]:
    torch.set_num_threads(int(os.environ["PIPEC_NUM_THREADS"]))
    ways, failures, notes = prepared(Task(filter_name), names)
    return {"runs": timed(ways, seconds), "failures": failures, "notes": notes}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.autodiff.measure", description=__doc__)
    parser.add_argument("filter", choices=filters.FILTERS)
    parser.add_argument("ways", nargs="+", choices=WAYS)
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each runs")
    options = parser.parse_args()
    print(json.dumps(measured(options.filter, options.ways, options.seconds)))


if __name__ == "__main__":
    main()
