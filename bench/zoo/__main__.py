"""`make bench-zoo`: the zoo by trivial, grouping, found, default, tuned and best known schedules and the wheel's ways.

Writes out/zoo.json after each entry; `--resume` leaves out what is there. At the end the worst rows are printed first.
Entries with a star are of the half that is only reported.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from bench.__main__ import processor, revision
from bench.process import run_python, thread_settings
from bench.zoo.entry import is_reported
from bench.zoo.registry import ZOO
from bench.zoo.table import badness, header, row_text, summary


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.zoo", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="entry", help="which (default: all)")
    parser.add_argument("--half", choices=("development", "reported"), help="only this half")
    parser.add_argument("--ways", nargs="+", default=[], help="which (default: all)")
    parser.add_argument("--tune", metavar="BUDGET", help='also search by measuring, for that long each: "1 min"')
    parser.add_argument("--store-best", action="store_true", help="write the fastest schedules to bench/zoo/best/")
    parser.add_argument("--no-wheel", dest="wheel", action="store_false", help="pipec's ways only")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each way runs")
    parser.add_argument("--resume", action="store_true", help="leave out entries that the file has")
    parser.add_argument("--json", type=Path, default=Path("out/zoo.json"), help="where the numbers go")
    options = parser.parse_args()
    if unknown := set(options.names) - set(ZOO):
        parser.error(f"no entry named {', '.join(sorted(unknown))}; there are {', '.join(ZOO)}")
    return options


def chosen(options: argparse.Namespace) -> list[str]:
    """The entries to run; a gradient belongs to the half of its pipeline."""
    names: list[str] = options.names or list(ZOO)
    if options.half is None:
        return names
    return [n for n in names if is_reported(n) == (options.half == "reported")]


def measured(name: str, options: argparse.Namespace) -> dict[str, Any]:
    """What bench/zoo/contest.py prints; a process that dies is a failure of all ways."""
    arguments = ["-m", "bench.zoo.contest", name, *options.ways, "--seconds", str(options.seconds)]
    arguments += ["--tune", options.tune] if options.tune else []
    arguments += [] if options.wheel else ["--no-wheel"]
    arguments += ["--store-best"] if options.store_best else []
    try:
        row: dict[str, Any] = run_python(*arguments, **thread_settings(options.threads))
    except RuntimeError as error:
        return {"default": {"failure": str(error).strip().splitlines()[-1]}}
    return row


def main() -> None:
    options = parse()
    rows: dict[str, Any] = {}
    if options.resume and options.json.exists():
        rows = json.loads(options.json.read_text())["entries"]
    options.json.parent.mkdir(parents=True, exist_ok=True)
    print(header())
    for name in chosen(options):
        if name not in rows:
            rows[name] = measured(name, options)
            print(row_text(name, rows[name]), flush=True)
            machine = {"processor": processor(), "threads": options.threads}
            data = {"revision": revision(), "machine": machine, "entries": rows}
            options.json.write_text(json.dumps(data, indent=1))
    print(f"\nThe worst first:\n{header()}")
    for name in sorted(rows, key=lambda n: -badness(rows[n])):
        print(row_text(name, rows[name]))
    print("\n" + "\n".join(summary(rows)))


if __name__ == "__main__":
    main()
