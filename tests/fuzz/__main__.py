"""Runs random cases in child processes until the time is over; prints every case that fails, made small."""

from __future__ import annotations

import argparse
import json
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz.case import BOXES, make_case, program_text, run_seed

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 300  # seconds for one case, shrinking included


def child(first: int) -> None:
    """One line before and after each case, so that the parent knows which one a crash belongs to."""
    seed = first
    while True:
        print(json.dumps({"seed": seed}), flush=True)
        outcome = run_seed(seed)
        print(json.dumps({"failure": outcome.failure, "program": outcome.program}), flush=True)
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

    def __init__(self, seed: int, minutes: float) -> None:
        self.seed = seed
        self.until = time.monotonic() + 60 * minutes
        self.cases = self.failures = 0

    def run(self) -> None:
        while time.monotonic() < self.until:
            self.watch_child()

    def watch_child(self) -> None:
        """Reads one child until it dies or the time is over; `seed` is the one to go on with."""
        command = [sys.executable, "-m", "tests.fuzz", "--child", str(self.seed)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
            try:
                self.read(process)
            finally:
                process.kill()

    def read(self, process: subprocess.Popen[str]) -> None:
        for event in events(process):
            if event is None:
                self.failed(f"no result in {PATIENCE} seconds", "")
                return
            if "seed" in event:
                self.seed = int(str(event["seed"]))
                continue
            self.cases += BOXES
            if event["failure"]:
                self.failed(str(event["failure"]), str(event["program"]))
            self.seed += 1
            if time.monotonic() > self.until:
                return
        self.failed(f"the process died with exit status {process.wait()}", "")
        self.seed += 1

    def failed(self, why: str, program: str) -> None:
        self.failures += 1
        text = program or program_text(make_case(self.seed))
        body = "\n".join("    " + line for line in text.splitlines())
        print(f"\nseed {self.seed}: {why}\n{body}\n", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--first", type=int, default=None, help="the first seed (default: from the clock)")
    parser.add_argument("--seed", type=int, help="run this one only, in this process")
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child is not None:
        child(options.child)
    if options.seed is not None:
        outcome = run_seed(options.seed)
        print(outcome.failure or "all ways agree", outcome.program, sep="\n")
        return int(bool(outcome.failure))
    watch = Watch(options.first if options.first is not None else int(time.time()) % 10**9, options.minutes)
    print(f"from seed {watch.seed} for {options.minutes:g} minutes", flush=True)
    watch.run()
    print(f"{watch.cases} cases, {watch.failures} failures")
    return int(watch.failures > 0)


if __name__ == "__main__":
    sys.exit(main())
