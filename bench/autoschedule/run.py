"""One application: all searches, then all ways' run times in one process."""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Collection
from typing import Any

from bench.autoschedule.stored_search import SearchState, stored_search
from bench.autoschedule.ways import WAYS
from bench.process import run_python, thread_settings


def searched(
    app: str, names: list[str], threads: int, budget: str, fresh: Collection[str] = ()
) -> dict[str, SearchState]:
    """What the ways that search found for the app."""
    return {n: stored_search(app, WAYS[n], threads, budget, n in fresh) for n in names if WAYS[n].searcher}


def measured(
    app: str, names: list[str], records: dict[str, SearchState], options: argparse.Namespace
) -> dict[str, Any]:
    """Median seconds of each way over all runs of all processes, what each search took, and failures in words."""
    failures = {name: record.failure for name, record in records.items() if record.failure}
    entrants = {name: _entry(records.get(name)) for name in names if name not in failures}
    outcomes = [_outcome(app, entrants, options) for _ in range(options.processes)]
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
        "notes": outcomes[0]["notes"],
    }


def _outcome(app: str, entrants: dict[str, Any], options: argparse.Namespace) -> dict[str, Any]:
    """What bench/autoschedule/measure.py prints. Ways whose programs crash it when they run alone are left out."""
    try:
        return _contest(app, entrants, options)
    except RuntimeError:
        crashing = [name for name, entry in entrants.items() if not _runs_alone(app, {name: entry}, options)]
        outcome = _contest(app, {n: e for n, e in entrants.items() if n not in crashing}, options)
        outcome["failures"] |= dict.fromkeys(crashing, "the program crashes")
        return outcome


def _contest(app: str, entrants: dict[str, Any], options: argparse.Namespace) -> dict[str, Any]:
    arguments = ("-m", "bench.autoschedule.measure", app, json.dumps(entrants), "--seconds", str(options.seconds))
    outcome: dict[str, Any] = run_python(*arguments, **thread_settings(options.threads))
    return outcome


def _runs_alone(app: str, entrant: dict[str, Any], options: argparse.Namespace) -> bool:
    try:
        _contest(app, entrant, options)
    except RuntimeError:
        return False
    return True


def _entry(record: SearchState | None) -> dict[str, Any] | None:
    return None if record is None else {"file": record.file, "arguments": record.arguments}
