"""Runs random programs in child processes until the time is over; prints every program that fails, shortened."""

from __future__ import annotations

import argparse
import json
import select
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz.case import run_seed
from tests.fuzz.program import random_program

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 120  # seconds for one program


def child(first: int) -> None:
    """One line before and after each program, so that the parent knows which one a crash belongs to."""
    seed = first
    while True:
        print(json.dumps({"seed": seed}), flush=True)
        outcome = run_seed(seed)
        text = "" if outcome.program is None else outcome.program.text()
        size = [] if outcome.program is None else list(outcome.program.size)
        print(json.dumps({"kind": outcome.kind, "detail": outcome.detail, "text": text, "size": size}), flush=True)
        seed += 1


def lines_of(process: subprocess.Popen[str]) -> Iterator[dict[str, object] | None]:
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
        yield json.loads(line)


def watch(first: int, until: float, counts: Counter[str]) -> int:
    """Reads one child until it dies or the time is over; the seed to go on with."""
    command = [sys.executable, "-m", "tests.fuzz", "--child", str(first)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    seed, busy = first, False
    try:
        for event in lines_of(process):
            if event is None:
                report(counts, "hang", seed, f"no result in {PATIENCE} seconds", random_program(seed).text(), [])
                return seed + 1
            if "seed" in event:
                seed, busy = int(str(event["seed"])), True
                continue
            busy = False
            kind = str(event["kind"])
            if kind in ("different", "refused"):
                report(counts, kind, seed, str(event["detail"]), str(event["text"]), event["size"])
            else:
                counts[kind] += 1
            if time.monotonic() > until:
                return seed + 1
        if busy:
            program = random_program(seed)
            report(counts, "crash", seed, f"exit status {process.wait()}", program.text(), program.size)
        return seed + 1
    finally:
        process.kill()
        process.wait()


def report(counts: Counter[str], kind: str, seed: int, detail: str, text: str, size: object) -> None:
    counts[kind] += 1
    body = "\n".join("    " + line for line in text.splitlines())
    print(f"\nseed {seed}: {kind}: {detail}\n    # realize({size})\n{body}\n", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--first", type=int, default=None, help="the first seed (default: from the clock)")
    parser.add_argument("--seed", type=int, help="run this one only, here")
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child is not None:
        child(options.child)
    if options.seed is not None:
        outcome = run_seed(options.seed)
        print(outcome.kind, outcome.detail, outcome.program.text() if outcome.program else "", sep="\n")
        return int(outcome.kind == "different")
    seed = options.first if options.first is not None else int(time.time()) % 10**9
    until = time.monotonic() + 60 * options.minutes
    counts: Counter[str] = Counter()
    print(f"from seed {seed} for {options.minutes:g} minutes", flush=True)
    while time.monotonic() < until:
        seed = watch(seed, until, counts)
    print(", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())) or "nothing ran")
    return int(counts["different"] + counts["hang"] + counts["crash"] > 0)


if __name__ == "__main__":
    sys.exit(main())
