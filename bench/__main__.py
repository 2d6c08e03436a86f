"""`python -m bench`: the table of pipec beside the halide wheel, and out/bench.json."""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import subprocess
from pathlib import Path
from typing import Any

THREADS = "2"
os.environ.setdefault("PIPEC_NUM_THREADS", THREADS)
os.environ.setdefault("HL_NUM_THREADS", THREADS)

from apps.app import App  # noqa: E402  (both runtimes read their thread count when they start)
from apps.registry import APPS  # noqa: E402
from bench.process import call_seconds, compile_seconds, import_seconds  # noqa: E402
from bench.runtime import time_app  # noqa: E402

ROW = "{:12} {:>14} | {:>9} {:>9} {:>6} | {:>9} {:>9} {:>9} {:>6}"


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def revision() -> str:
    done = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True)
    return done.stdout.strip() or "unknown"


def measure_app(app: App, modules: list[str], seconds: float) -> dict[str, dict[str, float]]:
    """By compiler: median and best run time, compile time in this process, in a new one, and from the disk cache."""
    rows: dict[str, dict[str, float]] = {}
    for module, timing in time_app(app, modules, seconds).items():
        first, cached = compile_seconds(module, app.name)
        rows[module] = {"run": timing.median(), "best": min(timing.runs), "compile": first, "cached": cached}
    return rows


def milliseconds(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds * 1e3:.2f}" if seconds < 0.1 else f"{seconds * 1e3:.0f}"


def ratio(rows: dict[str, dict[str, float]], key: str) -> float:
    if len(rows) < 2:
        return math.nan
    return rows["pipec"][key] / rows["halide"][key]


def print_app(app: App, rows: dict[str, dict[str, float]]) -> None:
    ours, theirs = rows.get("pipec", {}), rows.get("halide", {})
    size = " x ".join(str(n) for n in app.bench_size[:2])
    run = (milliseconds(ours.get("run")), milliseconds(theirs.get("run")), f"{ratio(rows, 'run'):.2f}")
    compile_times = (ours.get("compile"), theirs.get("compile"), ours.get("cached"))
    print(
        ROW.format(app.name, size, *run, *map(milliseconds, compile_times), f"{ratio(rows, 'compile'):.2f}"), flush=True
    )


def geometric_mean(values: list[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="app", help=f"which (default: all of {', '.join(APPS)})")
    parser.add_argument("--modules", nargs="+", default=["pipec", "halide"], help="the compilers to compare")
    parser.add_argument("--seconds", type=float, default=2.0, help="how long each runs on each app")
    parser.add_argument("--json", type=Path, default=Path("out/bench.json"), help="where the numbers go")
    options = parser.parse_args()
    unknown = set(options.names) - set(APPS)
    if unknown:
        parser.error(f"no app named {', '.join(sorted(unknown))}; there are {', '.join(APPS)}")

    machine = {"processor": processor(), "cores": os.cpu_count(), "threads": os.environ["PIPEC_NUM_THREADS"]}
    result: dict[str, Any] = {"revision": revision(), "machine": machine, "apps": {}}
    print("{processor}, {cores} cores, {threads} threads; times in ms, medians".format(**machine))
    print(ROW.format("app", "size", "run", "halide", "ratio", "compile", "halide", "cached", "ratio"))
    for name in options.names or APPS:
        rows = result["apps"][name] = measure_app(APPS[name], options.modules, options.seconds)
        print_app(APPS[name], rows)
    if len(options.modules) > 1:
        means = {
            key: geometric_mean([ratio(rows, key) for rows in result["apps"].values()]) for key in ("run", "compile")
        }
        result["geometric_mean"] = means
        print(f"geometric mean of the ratios: run {means['run']:.2f}, compile {means['compile']:.2f}")
    result["call"] = {module: call_seconds(module) for module in options.modules}
    result["import"] = {module: import_seconds(module) for module in options.modules}
    for module in options.modules:
        call = result["call"][module]
        print(
            f"{module}: a call takes {call['arrays'] * 1e6:.2f} us with arrays, {call['buffers'] * 1e6:.2f} us with "
            f"Buffers; import {result['import'][module] * 1e3:.0f} ms"
        )
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
