"""`python -m bench.autoschedule.measure APP PROGRAMS`: run times of one application with several schedules, as JSON.

All are compiled in one process and run in turn on the same images, so that a busy moment hurts all of them alike.
"""

from __future__ import annotations

import argparse
import gc
import gzip
import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from apps.app import App, Array
from apps.registry import APPS
from apps.run import compile_app, front_end
from bench.autoschedule.ways import WAYS
from bench.cores import wait_for_usual_cores
from bench.measure import Call, timed

MIN_RUNS = 3
MARGIN = 64  # pixels on each side, for a wheel's schedule that reads where the image has none
Function = Callable[..., Any]


def loaded(hl: Any, file: Path, arguments: list[str]) -> tuple[Function, float]:
    """A serialized pipeline as a function of the application's arguments, and the seconds it took to compile."""
    pipeline = hl.deserialize_pipeline(gzip.decompress(file.read_bytes()))
    own = {argument.name: argument for argument in pipeline.infer_arguments()}
    started = time.perf_counter()
    function = pipeline.compile_to_callable([own[name] for name in arguments])
    return function, time.perf_counter() - started


def bordered(hl: Any, image: Array) -> Any:
    """A Buffer of the image with more pixels around it, which do not count."""
    border = [(0, 0)] * (image.ndim - 2) + [(MARGIN, MARGIN)] * 2
    buffer = hl.Buffer(np.ascontiguousarray(np.pad(image, border, mode="edge")))
    buffer.set_min([-before for before, _ in border[::-1]])
    return buffer


def difference(app: App, output: Array, reference: Array) -> str | None:
    """What is wrong with pixels that may differ by twice what each may differ from the reference."""
    worst = np.abs(output.astype("f8") - reference.astype("f8")).max()
    return None if worst <= 2 * app.tolerance else f"wrong pixels: they differ by up to {worst:g}"


def interleaved(calls: Mapping[str, Call], seconds: float) -> dict[str, list[float]]:
    """Seconds of single runs. Next is always who has run for the shortest time: the slow have fewer turns."""
    runs: dict[str, list[float]] = {name: [] for name in calls}
    gc.collect()
    while waiting := [n for n, times in runs.items() if sum(times) < seconds or len(times) < MIN_RUNS]:
        name = min(waiting, key=lambda n: sum(runs[n]))
        wait_for_usual_cores()
        calls[name]()  # not counted: whose data lie in the cache should not depend on who ran before
        runs[name].append(timed(calls[name]))
    return runs


class Contest:
    """The ways to run one application, compiled; those that fail are left out and their failure is kept."""

    def __init__(self, app: App, programs: Mapping[str, dict[str, Any] | None]) -> None:
        self.app = app
        self.images = app.example(app.bench_size)
        self.output = app.empty_output(app.bench_size)
        self.calls: dict[str, Call] = {}
        self.compiled: dict[str, float] = {}
        self.failures: dict[str, str] = {}
        self.notes: dict[str, str] = {}
        expected = None
        for name, record in programs.items():
            call = self.prepared(name, record)
            if call is None:
                continue
            expected = self.output.copy() if expected is None else expected
            wrong = difference(app, self.output, expected)
            if wrong:
                self.failures[name] = wrong
            else:
                self.calls[name] = call

    def prepared(self, name: str, record: dict[str, Any] | None) -> Call | None:
        """A call that has run once, or None when the program that was found does not compile or run."""
        hl = front_end(WAYS[name].module)
        try:
            if record is None:
                function, self.compiled[name] = compile_app(hl, self.app)
            else:
                function, self.compiled[name] = loaded(hl, Path(record["file"]), record["arguments"])
            return self.tried(name, hl, function)
        except (RuntimeError, hl.HalideError) as error:
            self.failures[name] = str(error).strip().splitlines()[0]
            return None

    def tried(self, name: str, hl: Any, function: Function) -> Call:
        """The call, after its first run. Schedules of the wheel that read beyond the images get larger ones."""
        call = self.call_of(function, [hl.Buffer(image) for image in self.images.values()], hl.Buffer(self.output))
        self.output.fill(0)
        try:
            call()
        except (RuntimeError, hl.HalideError) as error:
            if name == "manual" or hl.__name__ != "halide" or "is accessed at" not in str(error):
                raise
            self.notes[name] = (
                f"timed with {MARGIN} pixels more around the images: {str(error).strip().splitlines()[0]}"
            )
            call = self.call_of(function, [bordered(hl, i) for i in self.images.values()], hl.Buffer(self.output))
            call()
        return call

    def call_of(self, function: Function, images: list[Any], output: Any) -> Call:
        return lambda: function(*images, *self.app.settings.values(), output)

    def run(self, seconds: float) -> dict[str, list[float]]:
        """Seconds of single runs."""
        return interleaved(self.calls, seconds)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.autoschedule.measure", description=__doc__)
    parser.add_argument("app", choices=APPS)
    parser.add_argument("programs", help="JSON: for each way null (its hand schedule) or the file and the arguments")
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each way runs")
    options = parser.parse_args()
    contest = Contest(APPS[options.app], json.loads(options.programs))
    runs = contest.run(options.seconds)
    print(json.dumps({"runs": runs, "compile": contest.compiled, "failures": contest.failures, "notes": contest.notes}))


if __name__ == "__main__":
    main()
