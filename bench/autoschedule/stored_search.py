"""Schedules of earlier searches: each is searched for once, in a process with limits, and stored in a folder."""

from __future__ import annotations

import gzip
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bench.autoschedule.subjects import search_folder
from bench.autoschedule.ways import MEMORY_LIMIT, SEARCH_LIMIT, WAYS, Way
from bench.process import ROOT, run_python, thread_settings

FOLDER = Path("out/autoschedule")
MODULE = "bench.autoschedule.search"


@dataclass(frozen=True)
class SearchState:
    """A search's outcome. `failure` says in words why there is no schedule; `file` holds the scheduled pipeline."""

    app: str
    way: str
    seconds: float
    processor_seconds: float
    peak_bytes: int
    arguments: list[str] = field(default_factory=list)
    failure: str | None = None
    file: str | None = None

    @property
    def quiet_seconds(self) -> float:
        """What the search takes on a machine without other work: no more than the processor was busy with it."""
        way = WAYS[self.way]
        return self.seconds if way.measures or way.verifies else min(self.seconds, self.processor_seconds)


def stored_search(app: str, way: Way, threads: int, budget: str = "5 min", fresh: bool = False) -> SearchState:
    """The schedule that the way finds for the app: from a folder when it is the wheel's or was measured, else anew."""
    stored = way.module == "halide" or way.measures
    stem = f"{app}.{way.name}{f' {budget}' * way.measures}.{_key(app, way.name, threads)}".replace(" ", "_")
    if stored and not fresh:
        for folder in (FOLDER, search_folder(app)):
            if (record := folder / f"{stem}.json").exists():
                return SearchState(**json.loads(record.read_text()), file=str(record.with_suffix(".gz")))
    FOLDER.mkdir(parents=True, exist_ok=True)
    outcome, pipeline = _searched(app, way, threads, budget)
    record = FOLDER / f"{stem}.json"
    record.with_suffix(".gz").write_bytes(gzip.compress(pipeline, mtime=0))
    record.write_text(json.dumps({k: v for k, v in asdict(outcome).items() if k != "file"}, indent=1))
    return SearchState(**{**asdict(outcome), "file": str(record.with_suffix(".gz"))})


def _key(app: str, way: str, threads: int) -> str:
    key: str = run_python("-m", MODULE, app, way, **thread_settings(threads))
    return key


def _searched(app: str, way: Way, threads: int, budget: str) -> tuple[SearchState, bytes]:
    """Searches in a process of its own; its peak memory is that of the process, interpreter and libraries included."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pipeline"
        command = [sys.executable, "-m", MODULE, app, way.name, str(file), "--budget", budget]
        environment = os.environ | {"PYTHONPATH": str(ROOT)} | thread_settings(threads)
        with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
            limits = None if way.measures else _limit
            process = subprocess.Popen(command, env=environment, stdout=output, stderr=errors, preexec_fn=limits)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            output.seek(0), errors.seek(0)
            report, complaint = output.read(), errors.read()
        peak = usage.ru_maxrss * 1024
        if process.returncode:
            spent = usage.ru_utime + usage.ru_stime
            return SearchState(app, way.name, spent, spent, peak, failure=_reason(process.returncode, complaint)), b""
        result: dict[str, Any] = json.loads(report.strip().splitlines()[-1])
        return SearchState(app, way.name, peak_bytes=peak, **result), file.read_bytes()


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
    resource.setrlimit(resource.RLIMIT_CPU, (SEARCH_LIMIT, SEARCH_LIMIT + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _reason(code: int, complaint: str) -> str:
    if code == -signal.SIGXCPU:
        return f"no schedule in {SEARCH_LIMIT} s"
    if any(word in complaint for word in ("bad_alloc", "MemoryError", "mmap failed", "Cannot allocate memory")):
        return f"out of memory at {MEMORY_LIMIT >> 30} GB"
    lines = [line.strip() for line in complaint.splitlines() if line.strip()]
    return f"{lines[-1].removeprefix('halide.halide_.HalideError: ') if lines else 'no message'} (exit status {code})"
