"""Commands that run or compile a pipeline as it is scheduled: run, bench, trace, compile."""

from __future__ import annotations

import itertools
import json
import statistics
import time
from pathlib import Path
from typing import Any

import numpy as np

import pipec as hl
from pipec.cli.console import report
from pipec.cli.program import CommandProgram
from pipec.errors import ArgumentError


def run(options: Any) -> int:
    """Runs a pipeline once; writes the first output, or says what is in it."""
    program = CommandProgram(options)
    start = time.perf_counter()
    result = program.realize()
    seconds = time.perf_counter() - start
    buffers = result if isinstance(result, tuple) else (result,)
    facts: dict[str, Any] = {"pipeline": program.title, "seconds with compiling": round(seconds, 4)}
    for number, buffer in enumerate(buffers):
        array = np.asarray(buffer)
        extent = " x ".join(str(size) for size in reversed(array.shape))
        facts[f"output {number}"] = f"{array.dtype} {extent}, {array.min():g} ... {array.max():g}"
    if options.output:
        _write(options.output, np.asarray(buffers[0]), program)
        facts["written"] = options.output
    report(facts, options.json)
    return 0


def bench(options: Any) -> int:
    """Times runs after one that compiles."""
    program = CommandProgram(options)
    outputs = program.realize()
    times: list[float] = []
    while len(times) < 5 or sum(times) < options.seconds:
        start = time.perf_counter()
        program.pipeline.realize(list(outputs) if isinstance(outputs, tuple) else outputs)
        times.append((time.perf_counter() - start) * 1e3)
    quarters = statistics.quantiles(times, n=4)
    facts = {
        "pipeline": program.title,
        "size": "x".join(map(str, program.sizes)),
        "runs": len(times),
        "median ms": round(statistics.median(times), 4),
        "quartiles ms": [round(quarters[0], 4), round(quarters[2], 4)],
        "least ms": round(min(times), 4),
    }
    report(facts, options.json)
    return 0


def trace(options: Any) -> int:
    """Prints the events of a run: a line each, JSON objects with --json."""
    program = CommandProgram(options)
    feature = getattr(hl.TargetFeature, f"Trace{options.events.title()}")
    count = itertools.count()

    def show(event: hl.TraceEvent) -> int:
        if not options.limit or next(count) < options.limit:
            facts = {
                "event": event.event.name,
                "func": event.func,
                "coordinates": list(event.coordinates),
                "value": [v.item() if hasattr(v, "item") else v for v in np.atleast_1d(event.value)],
            }
            print(json.dumps(facts) if options.json else event)
        return 0

    program.pipeline.set_custom_trace(show)
    program.pipeline.realize(program.sizes, hl.get_jit_target_from_environment().with_feature(feature))
    return 0


def compile_files(options: Any) -> int:
    """Writes the file that the ending of --output names, with a header where it is linked."""
    program = CommandProgram(options)
    path = Path(options.output)
    arguments = [*program.images.values(), *program.params.values()]
    pipeline, written = program.pipeline, [str(path)]
    name = path.stem.replace("-", "_")
    if path.suffix in (".o", ".s", ".ll", ".bc"):
        kind = {".o": "object", ".s": "assembly", ".ll": "llvm_assembly", ".bc": "bitcode"}[path.suffix]
        getattr(pipeline, f"compile_to_{kind}")(str(path), arguments, name)
    elif path.suffix == ".c":
        pipeline.compile_to_c(str(path), arguments, name)
    elif path.suffix == ".a":
        pipeline.compile_to_static_library(str(path.with_suffix("")), arguments, name)
    elif path.suffix == ".json":
        hl.serialize_pipeline(pipeline, path)
    else:
        raise ArgumentError(f"Error: --output {path} must end in .o, .a, .c, .s, .ll, .bc, or .json (as data).")
    if path.suffix in (".o", ".c"):
        header = str(path.with_suffix(".h"))
        pipeline.compile_to_header(header, arguments, name)
        written.append(header)
    report({"function": name, "written": written}, options.json)
    return 0


def _write(path: str, array: Any, program: CommandProgram) -> None:
    if path.endswith(".npy"):
        np.save(path, array)
    else:
        hl.imageio.imwrite(path, program.shown(array))
