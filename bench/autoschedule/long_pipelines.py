"""`python -m bench.autoschedule.long_pipelines [NAME ...]`: how searches of long pipelines go on.

For each pipeline: states evaluated in all and in a second, seconds until the estimated time is within 5 % of what it is
at the end, peak memory of the process, estimated times of the start state and of the best. Nothing is measured.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping
from typing import Any

import pipec as hl
from bench.process import resident_bytes, run_python
from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.problem import Problem, problem_of
from pipec.autoschedule.searchers import model_of
from pipec.autoschedule.strategies.search import Budget, search

Size = tuple[int, int]
NEAR = 1.05
"""Estimated times within this factor of the final one count as found."""


def chain(stages: int, size: Size = (1920, 1080)) -> Problem:
    """So many stages, one after the other: stencils, and in every fifth place a function of one pixel and a skip."""
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    funcs: list[Any] = [image]
    for number in range(stages):
        func, before = hl.Func(f"stage_{number}"), funcs[-1]
        if number % 5 == 4:
            func[x, y] = hl.sqrt(hl.abs(before[x, y])) + funcs[-2][x, y]
        else:
            func[x, y] = (before[x - 1, y] + before[x + 1, y] + before[x, y + 1] + before[x, y - 1]) * 0.25
        funcs.append(func)
    return problem_of([funcs[-1].function], sizes=size, threads=2)


def pyramids(count: int, levels: int, size: Size = (1536, 1024)) -> Problem:
    """The sum of several images, each through a pyramid and back, with details of the levels added."""
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.Float(32), 3, "image")
    bordered = hl.BoundaryConditions.repeat_edge(image)
    total: Any = 0.0
    for which in range(count):
        total = _pyramid(bordered, which, levels)[x, y] + total
    output = hl.Func("output")
    output[x, y] = total
    return problem_of([output.function], sizes=size, threads=2)


def _pyramid(image: Any, which: int, levels: int) -> Any:
    x, y = hl.vars("x y")

    def stage(name: str, value: Any) -> Any:
        func = hl.Func(f"{name}_{which}")
        func[x, y] = value
        return func

    fine = [stage("level_0", image[x, y, which])]
    for level in range(1, levels):
        above = fine[-1]
        rows = (above[2 * x - 1, y] + 3 * (above[2 * x, y] + above[2 * x + 1, y]) + above[2 * x + 2, y]) / 8
        across = stage(f"across_{level}", rows)
        columns = (across[x, 2 * y - 1] + 3 * (across[x, 2 * y] + across[x, 2 * y + 1]) + across[x, 2 * y + 2]) / 8
        fine.append(stage(f"level_{level}", columns))
    up = fine[-1]
    for level in range(levels - 2, -1, -1):
        wide = stage(f"wide_{level}", 0.75 * up[x // 2, y] + 0.25 * up[x // 2 - 1 + 2 * (x % 2), y])
        tall = 0.75 * wide[x, y // 2] + 0.25 * wide[x, y // 2 - 1 + 2 * (y % 2)]
        up = stage(f"up_{level}", tall + fine[level][x, y])
    return up


PIPELINES: Mapping[str, Callable[[], Problem]] = {
    "chain of 104": lambda: chain(104),
    "chain of 300": lambda: chain(300),
    "5 pyramids of 8 levels": lambda: pyramids(5, 8),
}


def searched(name: str, seconds: float) -> dict[str, float]:
    """What one search came to."""
    problem = PIPELINES[name]()
    evaluator = CpuEvaluator(problem.dag, model_of(None))
    began = time.perf_counter()
    result = search(problem.dag, evaluator, budget=Budget(seconds), start=problem.start())
    taken, (first, start), (best, _) = time.perf_counter() - began, result.history[0], result.best[0]
    return {
        "funcs": len(problem.dag.funcs),
        "states": result.states,
        "states_per_second": result.states / taken,
        "seconds_to_near": next(when for when, cost in result.history if cost <= NEAR * best) - first,
        "megabytes": resident_bytes() / 2**20,
        "start_ms": 1e3 * start,
        "best_ms": 1e3 * best,
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.autoschedule.long_pipelines", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=f"which of {', '.join(PIPELINES)}")
    parser.add_argument("--seconds", type=float, default=30.0, help="of each search")
    options = parser.parse_args()
    print(f"{'':24}{'Funcs':>7}{'states':>9}{'per s':>8}{'s to 95 %':>11}{'MB':>7}{'start ms':>10}{'best ms':>10}")
    for name in options.names or PIPELINES:
        code = "import json; from bench.autoschedule.long_pipelines import searched"
        row = run_python("-c", f"{code}; print(json.dumps(list(searched({name!r}, {options.seconds}).values())))")
        funcs, states, rate, near, megabytes, start, best = row
        print(
            f"{name:24}{funcs:7}{states:9}{rate:8.0f}{near:11.1f}{megabytes:7.0f}{start:10.2f}{best:10.2f}", flush=True
        )


if __name__ == "__main__":
    main()
