"""Random programs under the schedules that quick searches find for them: each compiles, and its pixels are right.

The seed decides the strategy and the program: one in ten is a random pipeline of the training data, the others are
random programs over the language (`tests/differential/random_pipeline.py`).

`python -m tests.fuzz.autoschedule --first 0 --count 1000 --file results.jsonl` goes on where the file ends, one line
for each seed. `--seed N` runs one in this process and prints its schedule.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import random
import select
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

import pipec
from pipec.autoschedule.api import autoschedule
from pipec.autoschedule.measure.child import Bench
from pipec.autoschedule.problem import Problem
from pipec.autoschedule.random_pipelines import random_pipeline
from pipec.autoschedule.result import Result
from pipec.autoschedule.space.cpu.legality import problems
from pipec.autoschedule.strategies import STRATEGIES
from pipec.autoschedule.strategies.search_state import Options
from pipec.errors import PipecError
from pipec.records import replace
from tests.fuzz.states import ESTIMATES, SIDES, Generator

sys.path.insert(0, str(Path(__file__).parent.parent / "differential"))
from recipe_builder import Builder  # noqa: E402

ROOT = Path(__file__).parent.parent.parent
SHRINK = 8
# The same on every machine, so that a seed that fails fails again.
QUICK = Options(beam=2, rounds=1, refined=1, states=600)
PATIENCE = 300  # seconds for one seed


# Each state must compile itself: no other one is taken in its place, and it is lowered once.
Problem.lower = lambda problem, schedule: None  # type: ignore[method-assign]


def strategy_of(seed: int) -> str:
    """The strategy of a seed; those that search take most of them."""
    return random.Random(seed).choices(list(STRATEGIES), [1 if s in ("fallback", "li2018") else 3 for s in STRATEGIES])[
        0
    ]


def check_program(seed: int) -> None:
    """Raises when a schedule of the random program of a seed is refused, or changes what it computes.

    Programs that fail without a schedule are no cases.
    """
    r = random.Random(seed)
    recipe = Generator(r.getrandbits(48)).make()
    sizes = [r.choice(SIDES) for _ in range(2)]
    outputs = Builder(pipec, recipe).outputs
    try:
        expected = values(outputs, sizes)
    except PipecError:
        return
    outputs = Builder(pipec, recipe).outputs
    expected_sizes = sizes if r.random() < 0.5 else [r.choice(ESTIMATES) for _ in sizes]
    options = Options(beam=2, rounds=1, refined=1, patience=1, states=r.choice([30, 100, 300]), samples=3, seed=seed)
    pipec.Pipeline(outputs).autoschedule(
        sizes=expected_sizes,
        strategy=strategy_of(seed),
        options=options,
        search_seconds=60,
        threads=2,
        verify=False,
        verbose=False,
    )
    for got, want in zip(values(outputs, sizes), expected, strict=True):
        close = np.isclose(got, want, 1e-4, 1e-4, equal_nan=True) if want.dtype.kind == "f" else got == want
        assert close.all(), f"{np.sum(~close)} of {want.size} values differ"


def values(outputs: list[Any], sizes: list[int]) -> list[np.ndarray]:
    with contextlib.redirect_stdout(io.StringIO()):
        results = pipec.Pipeline(outputs).realize(sizes)
    return [np.asarray(result) for result in (results if isinstance(results, tuple | list) else [results])]


def found_schedule(seed: int) -> tuple[Result, Bench]:
    """What the search finds for the random pipeline of a seed, and the task that tells whether it is right."""
    built = random_pipeline(seed, shrink=SHRINK)
    functions = [func.function for func in built.outputs]
    strategy = strategy_of(seed)
    sizes, options = built.sizes, QUICK
    result = autoschedule(
        functions, sizes=sizes, strategy=strategy, options=options, verify=False, verbose=False, apply=False
    )
    task = built.task()
    return result, Bench(replace(task, definition=result.problem.definition) if strategy == "li2018" else task)


def check(result: Result, bench: Bench) -> None:
    """Raises when the state has problems, its schedule is refused, or pixels differ from the default schedule's."""
    assert not (actual := problems(result.problem.dag, result.state)), actual
    bench.prepare(bench.task.reference())
    wrong, _ = bench.check(0, result.schedule)
    assert not wrong, wrong


def run_seed(seed: int) -> str:
    """What is wrong with a seed; empty when nothing is."""
    try:
        if seed % 10:
            check_program(seed)
        else:
            check(*found_schedule(seed))
    except Exception as error:
        return f"{strategy_of(seed)}: {type(error).__name__}: {error}"
    return ""


def child(seeds: Iterable[int]) -> None:
    for seed in seeds:
        print(json.dumps({"seed": seed, "failure": run_seed(seed)}), flush=True)


def run_in_child(seeds: list[int], file: Path) -> int:
    """Run seeds in a process that may die; how many of them were run, and written to the file."""
    command = [sys.executable, "-m", "tests.fuzz.autoschedule", "--child", *map(str, seeds)]
    done = 0
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process, file.open("a") as out:
        assert process.stdout is not None
        while done < len(seeds):
            ready, _, _ = select.select([process.stdout], [], [], PATIENCE)
            line = process.stdout.readline() if ready else ""
            if not line:
                fate = f"the process ended with {process.wait()}" if ready else f"no result in {PATIENCE} seconds"
                process.kill()
                line = json.dumps({"seed": seeds[done], "failure": fate}) + "\n"
            elif not line.startswith('{"seed"'):
                continue  # a warning of a compiler
            out.write(line)
            out.flush()
            if json.loads(line)["failure"]:
                print(line, end="", flush=True)
            done += 1
            if process.poll() is not None:
                break
    return done


def outcomes(file: Path) -> dict[int, str]:
    """What has been found out about each seed."""
    lines = file.read_text().splitlines() if file.exists() else []
    return {entry["seed"]: entry["failure"] for entry in map(json.loads, lines)}


def run(first: int, count: int, file: Path) -> int:
    """Run the seeds that the file does not know as right yet; the exit status."""
    expected = range(first, first + count)
    waiting = [seed for seed in expected if outcomes(file).get(seed) != ""]
    while waiting:
        waiting = waiting[run_in_child(waiting[:50], file) :]
    failures = {seed: text for seed, text in outcomes(file).items() if text and seed in expected}
    for seed, text in sorted(failures.items()):
        print(f"seed {seed}: {text}")
    print(f"{count} pipelines, {len(failures)} failures")
    return int(bool(failures))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.autoschedule", description=__doc__)
    parser.add_argument("--first", type=int, default=0, metavar="SEED")
    parser.add_argument("--count", type=int, default=1000, metavar="N")
    parser.add_argument("--file", type=Path, default=Path("out/fuzz_autoschedule.jsonl"))
    parser.add_argument("--seed", type=int, help="run this one only, in this process")
    parser.add_argument("--child", type=int, nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child is not None:
        child(options.child)
        return 0
    if options.seed is not None and options.seed % 10:
        check_program(options.seed)
        print("all values are right")
        return 0
    if options.seed is not None:
        result, bench = found_schedule(options.seed)
        print(random_pipeline(options.seed, shrink=SHRINK).description, result.schedule.to_python(), sep="\n")
        check(result, bench)
        print("all pixels are right")
        return 0
    options.file.parent.mkdir(parents=True, exist_ok=True)
    return run(options.first, options.count, options.file)


if __name__ == "__main__":
    sys.exit(main())
