"""`python -m bench`: pipec beside the halide wheel and beside libraries; a table, out/bench.json and out/bench.png."""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import statistics
import subprocess
from pathlib import Path
from typing import Any

from apps.registry import APPS
from bench.process import call_seconds, compile_seconds, first_picture_seconds, import_seconds, limits, run_seconds
from bench.table import header, row, summary


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def revision() -> str:
    done = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True)
    return done.stdout.strip() or "unknown"


def run_times(name: str, options: argparse.Namespace, threads: int, copy: float) -> dict[str, float]:
    """Medians over all runs of all processes, and what share of the machine's copy bandwidth pipec's reach."""
    measured = [run_seconds(name, options.modules, threads, options.seconds) for _ in range(options.processes)]
    times = {}
    for runner in measured[0]["runs"]:
        times[runner] = statistics.median(seconds for process in measured for seconds in process["runs"][runner])
    if "pipec" in times:
        times["share_of_copy"] = measured[0]["bytes"] / times["pipec"] / copy
    return times


def measure_app(name: str, options: argparse.Namespace, machine: dict[str, Any]) -> dict[str, Any]:
    run = {}
    for threads in options.threads:
        copy = machine["limits"][str(threads)]["copy_bytes_per_second"]
        run[str(threads)] = run_times(name, options, threads, copy)
    compiled = {module: compile_seconds(module, name) for module in options.modules}
    return {
        "run": run,
        "compile": {module: first for module, (first, _) in compiled.items()},
        "cached": {module: second for module, (_, second) in compiled.items()},
        "library": APPS[name].rival_name,
    }


def describe_machine(threads: list[int]) -> dict[str, Any]:
    machine = {"processor": processor(), "cores": os.cpu_count(), "limits": {str(n): limits(n) for n in threads}}
    print(f"{machine['processor']}, {machine['cores']} cores; times in ms, medians")
    for count, values in machine["limits"].items():
        copy, rate = values["copy_bytes_per_second"], values["float32_operations_per_second"]
        print(f"{count} threads: memcpy {copy / 1e9:.1f} GB/s, numpy's matrix product {rate / 1e9:.0f} GFLOP/s")
    return machine


def print_ends(result: dict[str, Any], modules: list[str]) -> None:
    for name, values in result["summary"].items():
        print(f"{name}: geometric mean {values['geometric mean']:.2f}, worst {values['worst']:.2f}")
    for module in modules:
        call, first = result["call"][module], result["first_picture"][module]
        print(
            f"{module}: a call takes {call['arrays'] * 1e6:.2f} us with arrays, {call['buffers'] * 1e6:.2f} us with "
            f"Buffers; import {result['import'][module] * 1e3:.0f} ms; a process that blurs one picture "
            f"{first['cold']:.2f} s, {first['warm']:.2f} s from the disk cache (numpy alone {first['numpy']:.2f} s)"
        )


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="app", help=f"which (default: all of {', '.join(APPS)})")
    parser.add_argument("--modules", nargs="+", default=["pipec", "halide"], help="the compilers to compare")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], help="thread counts")
    parser.add_argument("--seconds", type=float, default=1.5, help="how long each runs on each app in a process")
    parser.add_argument("--processes", type=int, default=1, help="processes each: memory lies elsewhere in each")
    parser.add_argument("--json", type=Path, default=Path("out/bench.json"), help="where the numbers go")
    options = parser.parse_args()
    unknown = set(options.names) - set(APPS)
    if unknown:
        parser.error(f"no app named {', '.join(sorted(unknown))}; there are {', '.join(APPS)}")
    return options


def main() -> None:
    options = parse()
    machine = describe_machine(options.threads)
    result: dict[str, Any] = {"revision": revision(), "machine": machine, "apps": {}}
    print(header(options.threads))
    for name in options.names or APPS:
        measured = result["apps"][name] = measure_app(name, options, machine)
        print(row(name, APPS[name].extent(APPS[name].bench_size), measured), flush=True)
    result["summary"] = summary(result["apps"], options.threads)
    result["call"] = {module: call_seconds(module) for module in options.modules}
    result["first_picture"] = {module: first_picture_seconds(module) for module in options.modules}
    result["import"] = {module: import_seconds(module) for module in options.modules}
    print_ends(result, options.modules)
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(result, indent=1))
    if importlib.util.find_spec("matplotlib") and len(options.modules) > 1:
        from bench.plots import write_plot

        write_plot(result, options.json.with_suffix(".png"))


if __name__ == "__main__":
    main()
