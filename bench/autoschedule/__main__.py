"""`python -m bench.autoschedule`: the wheel's manual schedules and searchers beside pipec's, on all applications.

Prints a table; writes out/autoschedule.json and out/autoschedule.png.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
from pathlib import Path
from typing import Any

from apps.registry import APPS
from bench.__main__ import processor, revision
from bench.autoschedule.run import measured, searched
from bench.autoschedule.table import SEARCHED, header, row_text, search_text, summary, summary_text
from bench.autoschedule.ways import WAYS, usual


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.autoschedule", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="app", help=f"which (default: all of {', '.join(APPS)})")
    parser.add_argument("--ways", nargs="+", choices=WAYS, help="which (default: all that do not measure)")
    parser.add_argument("--tune", metavar="BUDGET", help='also search by measuring, for that long an app: "5 min"')
    parser.add_argument(
        "--fresh", nargs="+", choices=SEARCHED, default=[], help="search again, whatever was found before"
    )
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each way runs on each app in a process")
    parser.add_argument("--processes", type=int, default=1, help="processes each: memory lies elsewhere in each")
    parser.add_argument("--json", type=Path, default=Path("out/autoschedule.json"), help="where the numbers go")
    options = parser.parse_args()
    if unknown := set(options.names) - set(APPS):
        parser.error(f"no app named {', '.join(sorted(unknown))}; there are {', '.join(APPS)}")
    if options.ways is None:
        options.ways = usual(measuring=bool(options.tune))
    return options


def measure_all(options: argparse.Namespace) -> dict[str, Any]:
    apps: dict[str, Any] = {}
    print(header(options.ways))
    for app in options.names or APPS:
        records = searched(app, options.ways, options.threads, options.tune or "5 min", options.fresh)
        apps[app] = measured(app, options.ways, records, options)
        print(row_text(app, apps[app], options.ways), flush=True)
    return apps


def main() -> None:
    options = parse()
    apps = measure_all(options)
    result = {
        "revision": revision(),
        "machine": {"processor": processor(), "threads": options.threads},
        "budget": options.tune,
        "apps": apps,
        "summary": summary(apps),
    }
    print(search_text(apps, options.ways))
    print(summary_text(result["summary"]))
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(result, indent=1))
    if importlib.util.find_spec("matplotlib"):
        from bench.autoschedule.plot import write_plot

        write_plot(apps, options.ways, options.json.with_suffix(".png"))


if __name__ == "__main__":
    main()
