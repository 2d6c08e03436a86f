"""`python -m bench.zoo.contest NAME WAY ...`: one pipeline by several ways, searched and timed in one process.

Prints JSON. All ways run in turn on the same images, so that a busy moment hurts all of them alike. The threads are
those of the environment (`bench.process.thread_settings`).
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import pipec
from apps.app import Algorithm, Array
from apps.run import front_end
from bench.autoschedule.measure import bordered, interleaved, loaded
from bench.autoschedule.search import estimated
from bench.autoschedule.stored_search import stored_search
from bench.autoschedule.ways import WAYS
from bench.measure import Call
from bench.zoo.entry import Entry
from bench.zoo.registry import ZOO
from bench.zoo.ways import BEST, HAND, OWN, TUNED, WHEEL
from pipec.autoschedule.result import Result

BEST_FOLDER = Path(__file__).parent / "best"
# A schedule must be faster by more than this share to replace the stored one.
NOISE = 0.03
MAX_STEPS = 1e-4
"""Share of the elements of a gradient that may differ: where a condition of the function is decided by rounding."""
Function = Callable[..., Any]


def best_file(name: str) -> Path:
    """Where the best schedule that is known for an entry is stored."""
    return BEST_FOLDER / f"{name}.json"


class Contest:
    """The ways of one entry. `rows`: for each way what its search took and predicted, or why it has no schedule."""

    def __init__(self, entry: Entry, budget: str | None) -> None:
        self.entry, self.budget = entry, budget
        self.threads = int(os.environ["PIPEC_NUM_THREADS"])
        self.images = entry.inputs(entry.bench_size)
        self.output = entry.empty_output(entry.bench_size)
        self.expected: Array | None = None
        self.calls: dict[str, Call] = {}
        self.results: dict[str, Result] = {}
        self.rows: dict[str, dict[str, Any]] = {}

    def enter(self, way: str) -> None:
        """Searches, compiles and runs once; a way whose pixels differ, or that fails, takes no further part."""
        row = self.rows[way] = {}
        hl = front_end("halide" if way in WHEEL else "pipec")
        try:
            function = self._wheel(hl, way, row) if way in WHEEL else self._own(way, row)
            self.calls[way] = self._tried(hl, way, function, row)
        except (RuntimeError, hl.HalideError) as error:
            row["failure"] = str(error).strip().splitlines()[0]

    def _own(self, way: str, row: dict[str, Any]) -> Function:
        algorithm, pipeline = estimated(pipec, self.entry)
        if way == HAND:
            assert self.entry.hand is not None
            self.entry.hand(pipec, algorithm)
        elif way == BEST:
            pipec.load_schedule(best_file(self.entry.name)).apply(pipeline)
        else:
            options = {"budget": self.budget} if way == TUNED else OWN[way]
            result = self.results[way] = pipeline.autoschedule(**options)
            row["search"], row["predicted"] = result.search_seconds, result.predicted_ms * 1e-3
        return self._compiled(algorithm)

    def _compiled(self, algorithm: Algorithm) -> Function:
        function: Function = algorithm.output.compile_to_callable(algorithm.arguments())
        return function

    def _wheel(self, hl: Any, way: str, row: dict[str, Any]) -> Function:
        record = stored_search(self.entry.name, WAYS[way], self.threads)
        row["search"] = record.quiet_seconds
        if record.failure or record.file is None:
            raise RuntimeError(record.failure)
        return loaded(hl, Path(record.file), record.arguments)[0]

    def _tried(self, hl: Any, way: str, function: Function, row: dict[str, Any]) -> Call:
        output, settings = hl.Buffer(self.output), list(self.entry.settings.values())
        images = [hl.Buffer(image) for image in self.images.values()]
        try:
            function(*images, *settings, output)
        except (RuntimeError, hl.HalideError) as error:
            if way not in WHEEL or "is accessed at" not in str(error):
                raise
            row["note"] = "timed with more pixels around the images"
            images = [bordered(hl, image) for image in self.images.values()]
            function(*images, *settings, output)
        self._compare()
        return lambda: function(*images, *settings, output)

    def _compare(self) -> None:
        """Raises RuntimeError when the output differs from that of the first way."""
        if self.expected is None:
            self.expected = self.output.copy()
            return
        is_gradient = self.entry.kind == "gradient"
        differences = np.abs(self.output.astype("f8") - self.expected.astype("f8"))
        scale = np.abs(self.expected.astype("f8")).max() if is_gradient else 1.0
        wrong = np.count_nonzero(~(differences <= 2 * self.entry.tolerance * max(1.0, scale)))
        if wrong > (MAX_STEPS * differences.size if is_gradient else 0) or not np.isfinite(differences).all():
            raise RuntimeError(f"wrong pixels: {wrong} differ, by up to {differences.max():g}")

    def run(self, seconds: float) -> None:
        """Adds to each row the median seconds of a run."""
        for way, times in interleaved(self.calls, seconds).items():
            self.rows[way]["run"] = float(np.median(times))

    def store_best(self) -> None:
        """Writes the schedule of the fastest way that searches, unless the stored one is about as fast."""
        times = {way: row["run"] for way, row in self.rows.items() if "run" in row and way in {BEST, *self.results}}
        if not times:
            return
        fastest = min(times, key=lambda way: times[way] * (1 if way == BEST else 1 + NOISE))
        if fastest != BEST:
            BEST_FOLDER.mkdir(exist_ok=True)
            self.results[fastest].save(best_file(self.entry.name))


def ways_of(entry: Entry, budget: str | None, wheel: bool) -> list[str]:
    """All ways that there are for an entry; the trivial one is first, whose pixels the others must have."""
    ways = [way for way in OWN if way != "li2018" or entry.kind == "gradient"]
    ways += [HAND] if entry.hand else []
    ways += [BEST] if best_file(entry.name).exists() else []
    ways += [TUNED] if budget else []
    return ways + (list(WHEEL) if wheel and not entry.wheel else [])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.zoo.contest", description=__doc__)
    parser.add_argument("name", choices=ZOO, metavar="name")
    parser.add_argument("ways", nargs="*", help="which (default: all)")
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each way runs")
    parser.add_argument("--tune", metavar="BUDGET", help="also search by measuring, for that long")
    parser.add_argument("--store-best", action="store_true", help="write the fastest schedule to bench/zoo/best/")
    parser.add_argument("--no-wheel", dest="wheel", action="store_false", help="pipec's ways only")
    options = parser.parse_args()
    entry = ZOO[options.name]
    contest = Contest(entry, options.tune)
    for way in options.ways or ways_of(entry, options.tune, options.wheel):
        contest.enter(way)
    contest.run(options.seconds)
    if options.store_best:
        contest.store_best()
    print(json.dumps(contest.rows))


if __name__ == "__main__":
    main()
