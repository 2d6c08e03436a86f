"""`python -m bench.autoschedule.search APP WAY FILE`: finds a schedule and writes the scheduled pipeline.

A search may take all the memory or never end: bench/autoschedule/stored_search.py gives it a process of its own.
The last line is JSON: seconds of the search, and names of the arguments in the order in which the application has them.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import json
import os
import time
from pathlib import Path
from typing import Any

from apps.app import Algorithm
from apps.run import front_end
from bench.autoschedule.subjects import SUBJECTS, Subject
from bench.autoschedule.ways import WAYS, Way
from bench.zoo.entry import Entry


def estimated(hl: Any, app: Subject) -> tuple[Algorithm, Any]:
    """The unscheduled algorithm, told how large the benchmark's images are, and its pipeline."""
    algorithm = app.build(hl)
    for name, image in app.example(app.bench_size).items():
        for dimension, extent in enumerate(image.shape[::-1]):
            algorithm.images[name].dim(dimension).set_estimate(0, extent)
    for name, value in app.settings.items():
        algorithm.params[name].set_estimate(value)
    algorithm.output.set_estimates([(0, extent) for extent in output_size(app)])
    return algorithm, hl.Pipeline(algorithm.output)


def output_size(app: Subject) -> tuple[int, ...]:
    """The size of what the benchmark computes; of gradients that of an image."""
    return app.output_size(app.bench_size) if isinstance(app, Entry) else app.bench_size


def key(module: str, app: Subject) -> str:
    """What a found schedule depends on: algorithm, sizes, compiler, bytes of a vector, threads."""
    hl = front_end(module)
    _, pipeline = estimated(hl, app)
    digest = hashlib.sha256(hl.serialize_pipeline(pipeline))
    target, version = hl.get_host_target(), importlib.metadata.version(module)
    lanes = target.natural_vector_size(hl.UInt(8))
    digest.update(f"{version} {target.arch} {lanes} {os.environ['HL_NUM_THREADS']}".encode())
    return digest.hexdigest()[:12]


def forget_peak_memory() -> None:
    """What was in memory until now, such as the benchmark's images, is not the search's."""
    Path("/proc/self/clear_refs").write_text("5")


def search_wheel(hl: Any, pipeline: Any, searcher: str) -> None:
    library = Path(hl.__file__).parent / "lib64" / f"libautoschedule_{searcher.lower()}.so"
    hl.load_plugin(str(library))
    params = hl.AutoschedulerParams(searcher, {"parallelism": os.environ["HL_NUM_THREADS"]})
    pipeline.apply_autoscheduler(hl.get_host_target(), params)


def search_own(pipeline: Any, options: dict[str, Any]) -> None:
    pipeline.autoschedule(**options)


def search(way: Way, app: Subject, budget: str, file: Path) -> dict[str, Any]:
    hl = front_end(way.module)
    algorithm, pipeline = estimated(hl, app)
    forget_peak_memory()
    started, worked = time.perf_counter(), time.process_time()
    if way.module == "halide":
        search_wheel(hl, pipeline, str(way.searcher))
    else:
        search_own(pipeline, way.options(budget))
    result = {"seconds": time.perf_counter() - started, "processor_seconds": time.process_time() - worked}
    file.write_bytes(hl.serialize_pipeline(pipeline))
    return result | {"arguments": [argument.name() for argument in algorithm.arguments()]}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.autoschedule.search", description=__doc__)
    parser.add_argument("app", choices=SUBJECTS, metavar="app")
    parser.add_argument("way", choices=[name for name, way in WAYS.items() if way.searcher])
    parser.add_argument("file", type=Path, nargs="?", help="without it only the key of what is searched is printed")
    parser.add_argument("--budget", default="5 min", help="of a search that measures")
    options = parser.parse_args()
    way, app = WAYS[options.way], SUBJECTS[options.app]
    print(json.dumps(search(way, app, options.budget, options.file) if options.file else key(way.module, app)))


if __name__ == "__main__":
    main()
