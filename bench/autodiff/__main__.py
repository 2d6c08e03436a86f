"""`python -m bench.autodiff`: training steps beside PyTorch and the halide wheel; a table and out/autodiff.json."""

from __future__ import annotations

import argparse
import json
import statistics
from pathlib import Path
from typing import Any

from bench.__main__ import processor, revision
from bench.autodiff.filters import FILTERS
from bench.process import run_python, thread_settings
from bench.table import geometric_mean, milliseconds

WAYS = ("pipec", "torch", "compiled", "pipec pipelines", "halide pipelines")


def measured(name: str, seconds: float, threads: int) -> dict[str, Any]:
    """Medians in seconds, forward and both ways; bytes at the peak of a step; failures in words."""
    arguments = ("-m", "bench.autodiff.measure", name, "--seconds", str(seconds))
    found: dict[str, Any] = run_python(*arguments, **thread_settings(threads))
    for kind in ("forward", "both"):
        found[kind] = {way: statistics.median(times) for way, times in found[kind].items()}
    return found


def row(name: str, found: dict[str, Any]) -> str:
    text = f"{name:16}"
    for way in WAYS:
        both, forward = found["both"].get(way), found["forward"].get(way)
        text += f" |{milliseconds(forward):>8}{milliseconds(both):>8}"
    peaks = [found["peak"].get(way) for way in ("pipec", "torch", "compiled")]
    return text + " |" + "".join([f"{'-' if peak is None else f'{peak >> 20}':>6}" for peak in peaks])


def summary(filters: dict[str, Any]) -> dict[str, float]:
    """Ratios of whole steps, and of backward to forward."""
    times = [found["both"] for found in filters.values()]
    found = {
        f"{way}: times as long as pipec, geometric mean": geometric_mean(t[way] / t["pipec"] for t in times if way in t)
        for way in ("torch", "compiled")
    }
    backward = [f["both"]["pipec"] / f["forward"]["pipec"] - 1 for f in filters.values()]
    pipelines = [t for t in times if "halide pipelines" in t and "pipec pipelines" in t]
    found["pipec to the wheel's Li2018, geometric mean"] = geometric_mean(
        t["pipec pipelines"] / t["halide pipelines"] for t in pipelines
    )
    return found | {"backward to forward, geometric mean": geometric_mean(backward), "at most": max(backward)}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.autodiff", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="filter", help=f"which (default: all of {', '.join(FILTERS)})")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each way runs")
    parser.add_argument("--json", type=Path, default=Path("out/autodiff.json"), help="where the numbers go")
    options = parser.parse_args()
    if unknown := set(options.names) - set(FILTERS):
        parser.error(f"no filter named {', '.join(sorted(unknown))}; there are {', '.join(FILTERS)}")
    print("ms: forward, forward and backward; MiB at the peak of pipec, torch, compiled")
    print(f"{'':16}" + "".join([f" |{way:>16}" for way in WAYS]))
    filters: dict[str, Any] = {}
    for name in options.names or FILTERS:
        filters[name] = measured(name, options.seconds, options.threads)
        print(row(name, filters[name]), flush=True)
        for way, failure in filters[name]["failures"].items():
            print(f"{'':16}   {way}: {failure}")
    result = {"revision": revision(), "processor": processor(), "filters": filters, "summary": summary(filters)}
    for what, value in result["summary"].items():
        print(f"{what}: {value:.2f}")
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
