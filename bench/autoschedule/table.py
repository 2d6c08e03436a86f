"""The rows and ratios of the comparison as text."""

from __future__ import annotations

from typing import Any

from bench.autoschedule.ways import WAYS
from bench.table import geometric_mean, milliseconds

Row = dict[str, Any]  # of one application: bench/autoschedule/run.py
WHEEL = [name for name, way in WAYS.items() if way.module == "halide"]
OWN = [name for name, way in WAYS.items() if way.module == "pipec"]
SEARCHED = [name for name, way in WAYS.items() if way.searcher]
RIVAL = "Adams2019"


def rivals(row: Row) -> dict[str, float | None]:
    """What pipec's ways are compared with: the wheel's best searcher, and the best of all that the wheel has."""
    times = [row["run"][name] for name in WHEEL if name in row["run"]]
    return {RIVAL: row["run"].get(RIVAL), "best of the wheel": min(times, default=None)}


def ratios(apps: dict[str, Row], way: str, rival: str) -> dict[str, float]:
    """The way's time divided by the rival's, for the applications for which both have a schedule."""
    pairs = {app: (row["run"].get(way), rivals(row)[rival]) for app, row in apps.items()}
    return {app: own / other for app, (own, other) in pairs.items() if own and other}


def summary(apps: dict[str, Row]) -> dict[str, Any]:
    """Geometric means and worst of all ratios, and for which applications a way has no schedule, and why."""
    compared: dict[str, Any] = {}
    for way in OWN:
        for rival in (RIVAL, "best of the wheel"):
            if values := ratios(apps, way, rival):
                worst = max(values, key=lambda app: values[app])
                mean = geometric_mean(values.values())
                compared[f"{way} / {rival}"] = {
                    "geometric mean": mean,
                    "worst": values[worst],
                    "worst app": worst,
                    "apps": len(values),
                }
    failed = {way: {app: row["failures"][way] for app, row in apps.items() if way in row["failures"]} for way in WAYS}
    return {"ratios": compared, "no schedule": {way: reasons for way, reasons in failed.items() if reasons}}


def word(failure: str | None) -> str:
    """What stands in the place of a time."""
    if failure is None:
        return "-"
    return "memory" if "memory" in failure else "time" if failure.startswith("no schedule") else "fails"


def _cell(row: Row, way: str) -> str:
    return milliseconds(row["run"][way]) if way in row["run"] else word(row["failures"].get(way))


def header(ways: list[str]) -> str:
    wheel = "".join(f"{name:>14}" for name in ways if name in WHEEL)
    own = "".join(f"{name:>10}{'/Adams':>8}{'/best':>7}" for name in ways if name in OWN)
    return f"{'run time, ms':16}{wheel} |{own}"


def row_text(app: str, row: Row, ways: list[str]) -> str:
    text = f"{app:16}" + "".join(f"{_cell(row, name):>14}" for name in ways if name in WHEEL) + " |"
    for name in ways:
        if name in OWN:
            adams, best = (ratios({app: row}, name, rival).get(app) for rival in (RIVAL, "best of the wheel"))
            text += f"{_cell(row, name):>10}{_ratio(adams):>8}{_ratio(best):>7}"
    return text


def _ratio(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def search_text(apps: dict[str, Row], ways: list[str]) -> str:
    """Seconds and peak memory of every search."""
    names = [name for name in ways if name in SEARCHED]
    lines = [f"{'search':16}" + "".join(f"{name:>20}" for name in names)]
    for app, row in apps.items():
        cells = [f"{s['seconds']:.2f} s {s['peak_bytes'] / 2**20:.0f} MB" for s in map(row["search"].get, names) if s]
        lines.append(f"{app:16}" + "".join(f"{cell:>20}" for cell in cells))
    lines += [f"{app}, {way}: {note}" for app, row in apps.items() for way, note in row.get("notes", {}).items()]
    return "\n".join(lines)


def summary_text(result: dict[str, Any]) -> str:
    lines = [
        f"{name}: geometric mean {value['geometric mean']:.2f} over {value['apps']} applications, "
        f"worst {value['worst']:.2f} ({value['worst app']})"
        for name, value in result["ratios"].items()
    ]
    for way, reasons in result["no schedule"].items():
        lines.append(f"{way} has no schedule for {len(reasons)}:")
        lines += [f"  {app}: {reason}" for app, reason in reasons.items()]
    return "\n".join(lines)
