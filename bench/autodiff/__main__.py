"""`python -m bench.autodiff`: training steps beside PyTorch and the halide wheel; a table and out/autodiff.json."""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.__main__ import processor, revision
from bench.autodiff.filters import FILTERS
from bench.autodiff.ways import IN_ARRAYS, IN_TORCH, WAYS
from bench.process import run_python, thread_settings
from bench.table import geometric_mean, milliseconds

# What a way took: seconds forward, backward, of both; bytes at the peak.
Figures = dict[str, float | None]


def measured(name: str, seconds: float, threads: int) -> dict[str, Any]:
    """Medians for each way, failures in words and notes. Each group of ways has a process, in which they take turns."""
    ways: dict[str, Figures] = {}
    failures: dict[str, str] = {}
    notes: dict[str, str] = {}
    for group in (IN_TORCH, IN_ARRAYS):
        arguments = ("-m", "bench.autodiff.measure", name, *group, "--seconds", str(seconds))
        result = _child(failures, group[-1], *arguments, threads=threads) or {"runs": {}, "failures": {}, "notes": {}}
        failures |= result["failures"]
        notes |= result["notes"]
        for way, runs in result["runs"].items():
            forward, backward = ([run[part] for run in runs] for part in (0, 1))
            ways[way] = {
                "forward": statistics.median(forward),
                "backward": statistics.median(backward),
                "both": statistics.median(map(sum, runs)),
            }
    for way in [way for way in IN_TORCH if way in ways]:
        ways[way]["peak"] = _child(failures, way, "-m", "bench.autodiff.memory", name, way, threads=threads)
    return {"ways": ways, "failures": failures, "notes": notes}


def _child(failures: dict[str, str], way: str, *arguments: str, threads: int) -> Any:
    """What a process prints; None, and a failure of that way, when it dies."""
    try:
        return run_python(*arguments, **thread_settings(threads))
    except RuntimeError as error:
        failures[way] = str(error).strip().splitlines()[-1]
        return None


def row(name: str, ways: dict[str, Figures]) -> str:
    text = f"{name:16}"
    for way in WAYS:
        result = ways.get(way, {})
        peak = result.get("peak")
        times = [f"{milliseconds(result.get(part)):>7}" for part in ("forward", "backward", "both")]
        text += " |" + "".join(times) + f"{'-' if peak is None else f'{int(peak) >> 20}':>5}"
    return text


def ratios(ways: dict[str, Figures]) -> dict[str, float]:
    """How one filter stands against each bar, as far as its rivals ran."""

    def over(above: tuple[str, str], below: tuple[str, str]) -> float | None:
        a, b = (ways.get(way, {}).get(part) for way, part in (above, below))
        return None if a is None or not b else a / b

    result = {
        "eager / pipec": over(("eager", "both"), ("pipec", "both")),
        "compiled / pipec": over(("compiled", "both"), ("pipec", "both")),
        "backward / forward": over(("pipec", "backward"), ("pipec", "forward")),
        "pipec / wheel": over(("pipec pipelines", "both"), ("wheel pipelines", "both")),
        "memory: pipec / eager": over(("pipec", "peak"), ("eager", "peak")),
    }
    return {what: value for what, value in result.items() if value is not None}


# What is best for pipec: the largest value, or the smallest.
WORST: dict[str, Callable[..., float]] = {
    "eager / pipec": min,
    "compiled / pipec": min,
    "backward / forward": max,
    "pipec / wheel": max,
    "memory: pipec / eager": max,
}


def summary(results: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """Geometric means over the filters, and the worst of each."""
    built = {}
    for what, worst in WORST.items():
        values = [own[what] for own in results.values() if what in own]
        if values:
            built[what] = {"geometric mean": geometric_mean(values), "worst": worst(values)}
    return built


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.autodiff", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="filter", help=f"which (default: all of {', '.join(FILTERS)})")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each way runs")
    parser.add_argument("--json", type=Path, default=Path("out/autodiff.json"), help="where the numbers go")
    options = parser.parse_args()
    if unknown := set(options.names) - set(FILTERS):
        parser.error(f"no filter named {', '.join(sorted(unknown))}; there are {', '.join(FILTERS)}")
    print("ms forward, backward, both; MiB at the peak of a step, beyond what is there between steps")
    print(f"{'':16}" + "".join([f" |{way:>26}" for way in WAYS]))
    filters: dict[str, Any] = {}
    for name in options.names or FILTERS:
        filters[name] = actual = measured(name, options.seconds, options.threads)
        print(row(name, actual["ways"]), flush=True)
        for way, remark in (actual["failures"] | actual["notes"]).items():
            print(f"{'':16}   {way}: {remark}")
    by_filter = {name: ratios(actual["ways"]) for name, actual in filters.items()}
    print(f"\n{'':16}" + "".join([f"{what:>23}" for what in WORST]))
    for name, values in by_filter.items():
        print(f"{name:16}" + "".join([f"{values[w]:>23.2f}" if w in values else f"{'-':>23}" for w in WORST]))
    result = {
        "revision": revision(),
        "processor": processor(),
        "filters": filters,
        "ratios": by_filter,
        "summary": summary(by_filter),
    }
    for what, values in summary(by_filter).items():
        print(f"{what}: {values['geometric mean']:.2f} in the geometric mean, at worst {values['worst']:.2f}")
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
