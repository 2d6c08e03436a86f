"""Commands that run a pipeline as it is scheduled: run, bench, trace."""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import statistics
import time
from typing import Any

import numpy as np

import pipec as hl
from pipec.cli.console import report
from pipec.cli.program import CommandProgram


def run(options: Any) -> int:
    """Runs a pipeline once; writes the first output, and says what is in all."""
    program = CommandProgram(options)
    start = time.perf_counter()
    result = program.realize()
    seconds = time.perf_counter() - start
    arrays = [np.asarray(buffer) for buffer in (result if isinstance(result, tuple) else (result,))]
    facts: dict[str, Any] = {"pipeline": program.title, "seconds_with_compiling": round(seconds, 4)}
    if options.json:
        facts["outputs"] = [_contents(array) for array in arrays]
    else:
        facts |= {
            f"output {k}": "{type} {extents}, {min:g} ... {max:g}".format(**_contents(a)) for k, a in enumerate(arrays)
        }
    if options.output:
        _write(options.output, arrays[0], program)
        facts["written"] = options.output
    report(facts, options.json)
    return 0


def _contents(array: Any) -> dict[str, Any]:
    """The type, the extents (dimension 0 first) and the range of the values that are numbers."""
    numbers = array[~np.isnan(array)] if array.dtype.kind == "f" else array
    least, most = (numbers.min().item(), numbers.max().item()) if numbers.size else (math.nan, math.nan)
    facts = {"type": str(array.dtype), "extents": "x".join(map(str, array.shape[::-1])), "min": least, "max": most}
    return facts | ({"nans": array.size - numbers.size} if numbers.size < array.size else {})


def bench(options: Any) -> int:
    """Times runs after one that compiles."""
    program = CommandProgram(options)
    outputs = program.realize()
    times: list[float] = []
    while len(times) < 5 or sum(times) < options.seconds * 1e3:
        start = time.perf_counter()
        program.pipeline.realize(list(outputs) if isinstance(outputs, tuple) else outputs)
        times.append((time.perf_counter() - start) * 1e3)
    quarters = [round(quarter, 4) for quarter in statistics.quantiles(times, n=4)]
    facts = {
        "pipeline": program.title,
        "size": "x".join(map(str, program.sizes)),
        "runs": len(times),
        "median_ms": quarters[1],
        "quartiles_ms": [quarters[0], quarters[2]] if options.json else f"{quarters[0]} ... {quarters[2]}",
        "least_ms": round(min(times), 4),
    }
    report(facts, options.json)
    return 0


class _Enough(Exception):
    """Ends a run of which enough events were printed."""


def trace(options: Any) -> int:
    """Prints the events of a run: a line each, JSON objects with --json."""
    program = CommandProgram(options)
    feature = getattr(hl.TargetFeature, f"Trace{options.events.title()}")
    count = itertools.count(1)

    def show(event: hl.TraceEvent) -> int:
        print(json.dumps(_facts(event)) if options.json else event)
        if next(count) == options.limit:
            raise _Enough
        return 0

    program.pipeline.set_custom_trace(show)
    with contextlib.suppress(_Enough):
        program.pipeline.realize(program.sizes, hl.get_jit_target_from_environment().with_feature(feature))
    return 0


def _facts(event: hl.TraceEvent) -> dict[str, Any]:
    facts = {"event": event.event.name, "func": event.func, "coordinates": event.coordinates}
    if event.type is not None:
        facts["value"] = np.asarray(event.value).tolist()
    return facts | ({"tag": event.tag} if event.tag else {})


def _write(path: str, array: Any, program: CommandProgram) -> None:
    if path.endswith(".npy"):
        np.save(path, array)
    else:
        hl.imageio.imwrite(path, program.shown(array))
