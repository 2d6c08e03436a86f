"""Random pipelines under random states: what is emitted compiles, and gives the pixels of the definitions.

`python -m tests.fuzz.states --minutes 10`; `--seed N` runs one case and prints its schedule.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "differential"))

from random_case import SIDES, Case, Mismatch, Prepared, RefusedAtRunTime, check_prepared, prepare  # noqa: E402
from random_pipeline import Generator  # noqa: E402

from pipec.autoschedule.dag.build_dag import Sizes, build_dag  # noqa: E402
from pipec.autoschedule.dag.dag import Dag  # noqa: E402
from pipec.autoschedule.emit.emit import emit  # noqa: E402
from pipec.autoschedule.space.cpu.legality import problems  # noqa: E402
from pipec.autoschedule.space.cpu.random_states import random_state  # noqa: E402
from pipec.autoschedule.space.state import State  # noqa: E402
from pipec.errors import UnboundedError  # noqa: E402
from pipec.lower.legality.apply_schedule import apply_schedule  # noqa: E402
from pipec.schedule.schedule import Schedule  # noqa: E402

ESTIMATES = [1, 2, 3, 4, 7, 16, 33, 100, 1000]


@dataclass(frozen=True)
class StateCase:
    """A pipeline, what the search would know of it, and a state."""

    prepared: Prepared
    dag: Dag
    state: State

    def schedule(self) -> Schedule:
        return emit(self.dag, self.state)


def make_case(seed: int) -> StateCase | None:
    """The case of a seed; None where a Func is read without limits."""
    r = random.Random(seed)
    recipe = Generator(r.getrandbits(48)).make()
    mins = [0, 0] if r.random() < 0.8 else [r.randint(-5, 5), r.randint(-5, 5)]
    box = [[low, r.choice(SIDES)] for low in mins]
    prepared = prepare(Case(recipe, [], box, r.getrandbits(16) | 1))
    expected = tuple([(0, r.choice(ESTIMATES)) for _ in box]) if r.random() < 0.7 else tuple(map(tuple, box))
    outputs: dict[str, Any] = dict.fromkeys(prepared.definition.outputs, expected)
    images: dict[str, Any] = {
        name: tuple(zip(image.mins, image.array.shape, strict=True)) for name, image in prepared.inputs.items()
    }
    try:
        dag = build_dag(prepared.definition, Sizes(outputs, images, prepared.scalars), threads=2)
    except UnboundedError:
        return None
    return StateCase(prepared, dag, random_state(dag, r))


def check(case: StateCase, interpreted: bool) -> None:
    """Raises when the state has problems, its schedule is refused, or pixels differ."""
    result = problems(case.dag, case.state)
    assert not result, result
    definition = case.prepared.definition
    schedule = apply_schedule(definition, case.schedule())
    facts = case.prepared
    prepared = Prepared(facts.case, definition, schedule, [], facts.inputs, facts.scalars)
    try:
        check_prepared(prepared, not interpreted, True)
    except RefusedAtRunTime:
        return
    except Mismatch as mismatch:
        if "or for too much" not in str(mismatch):
            raise
        # Tiles are much larger than the image: it runs in the variant that computes no more than is asked for.
        check_prepared(replace(prepared, case=replace(prepared.case, order=9)), not interpreted, True)


def run_seed(seed: int, verbose: bool = False) -> str:
    """What is wrong with the case of a seed; empty when nothing is."""
    case = make_case(seed)
    if case is None:
        return ""
    if verbose:
        print(case.schedule().to_python())
    try:
        check(case, interpreted=seed % 8 == 0)
    except Exception as error:
        if verbose:
            raise
        return f"{type(error).__name__}: {error}"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.states", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--first", type=int, default=None, help="the first seed (default: from the clock)")
    parser.add_argument("--seed", type=int, help="run this one only")
    options = parser.parse_args()
    if options.seed is not None:
        print(run_seed(options.seed, verbose=True) or "all ways agree")
        return 0
    seed = options.first if options.first is not None else int(time.time()) % 10**9
    until, cases, failures = time.monotonic() + 60 * options.minutes, 0, 0
    print(f"from seed {seed} for {options.minutes:g} minutes", flush=True)
    while time.monotonic() < until:
        # Printed before it runs, so that one that ends the process is known.
        print(f"seed {seed}", end="\r", flush=True)
        failure = run_seed(seed)
        if failure:
            print(f"seed {seed}: {failure}\n", flush=True)
            failures += 1
        cases, seed = cases + 1, seed + 1
    print(f"{cases} cases, {failures} failures")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
