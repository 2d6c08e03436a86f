"""One application: all searches, then all ways' run times in one process."""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Collection
from typing import Any

from bench.autoschedule.found import Found, found
from bench.autoschedule.ways import WAYS
from bench.process import run_python, thread_settings


def searched(app: str, names: list[str], threads: int, budget: str, fresh: Collection[str] = ()) -> dict[str, Found]:
    """What the ways that search found for the app."""
    return {n: found(app, WAYS[n], threads, budget, n in fresh) for n in names if WAYS[n].searcher}


def measured(app: str, names: list[str], records: dict[str, Found], options: argparse.Namespace) -> dict[str, Any]:
    """Median seconds of each way over all runs of all processes, what each search took, and failures in words."""
    failures = {name: record.failure for name, record in records.items() if record.failure}
    entrants = {name: _entry(records.get(name)) for name in names if name not in failures}
    arguments = ("-m", "bench.autoschedule.measure", app, json.dumps(entrants), "--seconds", str(options.seconds))
    outcomes = [run_python(*arguments, **thread_settings(options.threads)) for _ in range(options.processes)]
    runs: dict[str, list[float]] = {}
    for outcome in outcomes:
        for name, times in outcome["runs"].items():
            runs.setdefault(name, []).extend(times)
        failures |= outcome["failures"]
    return {
        "run": {name: statistics.median(times) for name, times in runs.items() if name not in failures},
        "compile": outcomes[0]["compile"],
        "search": {n: {"seconds": r.quiet_seconds, "peak_bytes": r.peak_bytes} for n, r in records.items()},
        "failures": failures,
    }


def _entry(record: Found | None) -> dict[str, Any] | None:
    return None if record is None else {"file": record.file, "arguments": record.arguments}
