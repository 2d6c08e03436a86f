"""`python -m bench.cookbook [RECIPE ...]`: the recipes of docs/cookbook.md, before and after, in milliseconds.

A recipe is two functions of the page: NAME returns its image, what its schedule names, and the output last;
NAME_schedule schedules them. Times are medians of calls on random pictures, in turn.
"""

from __future__ import annotations

import re
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import pipec as hl

PAGE = Path(__file__).parent.parent / "docs" / "cookbook.md"
SIZE = 2000  # a power of two would put the rows of a column into the same lines of the caches
ROUNDS, SLOW_SECONDS = 30, 0.5
# What inlining makes of these takes minutes: each pixel would compute the scan from its beginning.
NEVER_INLINED = ("scan",)
OUTPUT_SIZES: dict[str, list[int]] = {"histogram": [256], "total": []}
Recipe = tuple[Callable[[], Any], Callable[..., None]]


def recipes() -> dict[str, Recipe]:
    """Returns the algorithm and the schedule of each recipe of the page."""
    names: dict[str, Any] = {}
    exec("\n".join(re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)), names)
    return {name: (names[name], names[f"{name}_schedule"]) for name in names if f"{name}_schedule" in names}


def at_root(*stages: Any) -> None:
    """Computes each step on its own, in plain loops."""
    for stage in stages:
        if isinstance(stage, hl.Func):
            stage.compute_root()


def prepared(name: str, algorithm: Callable[[], Any], schedule: Callable[..., Any], size: int) -> tuple[Any, Any]:
    """Returns a call that runs the recipe on a picture of size x size pixels, and the Buffer that it fills."""
    image, *stages = algorithm()
    pixels = np.random.default_rng(0).integers(0, 256, (size, size)).astype(str(image.type()))
    output = hl.Buffer(stages[-1].type(), OUTPUT_SIZES.get(name, [size, size]))
    schedule(*stages)
    function, source = hl.Pipeline(stages[-1]).compile_to_callable([image]), hl.Buffer(pixels)
    return lambda: function(source, output), output


def search(*stages: Any) -> None:
    """Takes what the search finds."""
    sizes = [256] if stages[-1].name().startswith("counts") else [SIZE] * stages[-1].dimensions()
    hl.Pipeline(stages[-1]).autoschedule(like={"image": [SIZE, SIZE]}, sizes=sizes)


def times(calls: list[Callable[[], Any]]) -> list[float]:
    """Returns the median of each call in milliseconds. The calls take turns; slow ones drop out after the first."""
    seconds = [[measured(call)] for call in calls]
    for _ in range(ROUNDS):
        for call, own in zip(calls, seconds, strict=True):
            if own[0] < SLOW_SECONDS:
                own.append(measured(call))
    return [1e3 * statistics.median(own[1:] or own) for own in seconds]


def measured(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def main() -> None:
    """Prints a row of the page's table for each recipe."""
    print("| recipe | inlined | at root | recipe | `autoschedule()` |\n|---|---|---|---|---|")
    for name, (algorithm, schedule) in recipes().items():
        if len(sys.argv) > 1 and name not in sys.argv[1:]:
            continue
        ways = [lambda *stages: None, at_root, schedule, search][name in NEVER_INLINED :]
        calls = [prepared(name, algorithm, way, SIZE)[0] for way in ways]
        row = [f"{milliseconds:.2f}" for milliseconds in times(calls)]
        print(f"| {' | '.join([name, *[''] * (4 - len(row)), *row])} |", flush=True)


if __name__ == "__main__":
    main()
