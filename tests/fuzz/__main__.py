"""Runs random cases in child processes until the time is over; prints every case that fails, made small."""

from __future__ import annotations

import argparse
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz.kinds import KINDS, kind_of, program_of_seed, run_seed

ROOT = Path(__file__).parent.parent.parent
CPU_SECONDS = 120  # for one seed, shrinking included: more is a program that does not end
PATIENCE = 600  # seconds for one seed, for what waits without using the processor


def child(first: int, only: str) -> None:
    """One line before and after each seed, so that the parent knows which one a crash belongs to."""
    seed = first
    while True:
        kind = only or kind_of(seed)
        print(json.dumps({"seed": seed, "kind": kind}), flush=True)
        signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)  # ends the process, also in machine code
        outcome = run_seed(kind, seed)
        print(json.dumps(vars(outcome)), flush=True)
        seed += 1


def events(process: subprocess.Popen[str]) -> Iterator[dict[str, object] | None]:
    """What the child says; None when it has said nothing for too long."""
    assert process.stdout is not None
    while True:
        ready, _, _ = select.select([process.stdout], [], [], PATIENCE)
        if not ready:
            yield None
            return
        line = process.stdout.readline()
        if not line:
            return
        if line.startswith("{"):  # anything else is a warning of a compiler
            yield json.loads(line)


class Watch:
    """Starts children one after another and counts what they find."""

    def __init__(self, seed: int, minutes: float, only: str) -> None:
        self.seed, self.kind, self.only = seed, "", only
        self.until = time.monotonic() + 60 * minutes
        self.cases: Counter[str] = Counter()
        self.failures: Counter[str] = Counter()

    def run(self) -> None:
        while time.monotonic() < self.until:
            self.watch_child()

    def watch_child(self) -> None:
        """Reads one child until it dies or the time is over; `seed` is the one to go on with."""
        command = [sys.executable, "-m", "tests.fuzz", "--child", str(self.seed), "--kind", self.only]
        # Each program is compiled once: a cache on disk would only grow.
        environment = {**os.environ, "PIPEC_CACHE": "0"}
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=environment) as process:
            try:
                self.read(process)
            finally:
                process.kill()

    def read(self, process: subprocess.Popen[str]) -> None:
        for event in events(process):
            if event is None:
                self.failed(f"no result in {PATIENCE} seconds", "")
                self.seed += 1
                return
            if "seed" in event:
                self.seed, self.kind = int(str(event["seed"])), str(event["kind"])
                continue
            self.cases[self.kind] += int(str(event["cases"]))
            if event["failure"]:
                self.failed(str(event["failure"]), str(event["program"]))
            self.seed += 1
            if time.monotonic() > self.until:
                return
        status = process.wait()
        slow = f"no result in {CPU_SECONDS} seconds of the processor"
        self.failed(slow if status == -signal.SIGPROF else f"the process died with exit status {status}", "")
        self.seed += 1

    def failed(self, why: str, program: str) -> None:
        self.failures[self.kind] += 1
        text = program or program_of_seed(self.kind, self.seed)
        body = "\n".join("    " + line for line in text.splitlines())
        print(f"\n{self.kind}, seed {self.seed}: {why}\n{body}\n", flush=True)

    def report(self) -> str:
        """The number of cases and failures of each kind."""
        lines = [f"{kind}: {self.cases[kind]} cases, {self.failures[kind]} failures" for kind in KINDS]
        total = f"{self.cases.total()} cases, {self.failures.total()} failures, the next seed is {self.seed}"
        return "\n".join([*lines, total])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--first", type=int, default=None, help="the first seed (default: from the clock)")
    parser.add_argument("--kind", choices=["", *KINDS], default="", help="this kind of cases only")
    parser.add_argument("--seed", type=int, help="run this one only, in this process")
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child is not None:
        child(options.child, options.kind)
    if options.seed is not None:
        outcome = run_seed(options.kind or kind_of(options.seed), options.seed)
        print(outcome.failure or "all ways agree", outcome.program, sep="\n")
        return int(bool(outcome.failure))
    first = options.first if options.first is not None else int(time.time()) % 10**9
    watch = Watch(first, options.minutes, options.kind)
    print(f"from seed {watch.seed} for {options.minutes:g} minutes", flush=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    try:
        watch.run()
    finally:
        print(watch.report(), flush=True)
    return int(watch.failures.total() > 0)


if __name__ == "__main__":
    sys.exit(main())
