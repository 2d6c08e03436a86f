"""The zoo's rows and bars as text."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from bench.table import geometric_mean, milliseconds
from bench.zoo.entry import is_reported
from bench.zoo.ways import BEST, HAND, OWN, TUNED, WHEEL

Row = Mapping[str, Mapping[str, Any]]
SHOWN = [*OWN, TUNED, HAND, BEST]


def time_of(row: Row, way: str) -> float | None:
    """Median seconds of a run; None where the way has no schedule."""
    return row.get(way, {}).get("run")


def best_of(row: Row, ways: list[str]) -> float | None:
    """The shortest of the ways' times."""
    return min([t for way in ways if (t := time_of(row, way)) is not None], default=None)


def reference_time(row: Row) -> float | None:
    """The shortest time of any schedule of pipec's."""
    return best_of(row, SHOWN)


def wheel(row: Row) -> float | None:
    """The shortest time of the wheel's ways; its trivial schedule is pipec's."""
    return best_of(row, list(WHEEL))


def ratio(own: float | None, other: float | None) -> float | None:
    return own / other if own and other else None


def percentile(values: list[float], share: float) -> float:
    """The smallest value that at least that share of the values does not exceed."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def badness(row: Row) -> float:
    """Rows are printed in this order, the worst first: the default's time over the shortest of all ways."""
    default = time_of(row, "default") or time_of(row, "found")
    others = [t for t in (reference_time(row), wheel(row)) if t]
    return default / min(others) if default and others else math.inf


def header() -> str:
    return (
        f"{'run time, ms':30}"
        + "".join(f"{way:>11}" for way in SHOWN)
        + f"{'wheel':>9}{'search s':>9}{'predicted':>10}"
    )


def row_text(name: str, row: Row) -> str:
    """One line. A reported entry has a star."""
    cells = "".join(f"{_cell(row, way):>11}" for way in SHOWN)
    searched = row.get("default") if "run" in row.get("default", {}) else row.get("found", {})
    search, predicted = (searched or {}).get("search"), (searched or {}).get("predicted")
    label = name + (" *" if is_reported(name) else "")
    text = f"{label:30}{cells}{milliseconds(wheel(row)):>9}{'-' if search is None else f'{search:.1f}':>9}"
    return text + f"{milliseconds(predicted):>10}"


def _cell(row: Row, way: str) -> str:
    if way not in row:
        return "-"
    return "fails" if "failure" in row[way] else milliseconds(row[way]["run"])


BARS = (
    # name, numerator, denominator, which entries
    ("found / trivial", lambda r: ratio(time_of(r, "found"), time_of(r, "trivial"))),
    ("default / trivial", lambda r: ratio(time_of(r, "default"), time_of(r, "trivial"))),
    ("default / best known", lambda r: ratio(time_of(r, "default"), reference_time(r))),
    ("found / best known", lambda r: ratio(time_of(r, "found"), reference_time(r))),
    ("default / best of the wheel", lambda r: ratio(time_of(r, "default"), wheel(r))),
    ("measured / predicted of found", lambda r: ratio(time_of(r, "found"), r.get("found", {}).get("predicted"))),
    ("default / li2018, gradients", lambda r: ratio(time_of(r, "default"), time_of(r, "li2018"))),
)


def summary(rows: Mapping[str, Row]) -> list[str]:
    """For both halves geometric mean, 90th percentile and worst of each ratio, and failures."""
    lines = [f"{'':32}{'entries':>8}{'mean':>7}{'90 %':>7}{'worst':>7}"]
    for title, reported in (("development half", False), ("reported half", True)):
        lines.append(title)
        half = {name: row for name, row in rows.items() if is_reported(name) == reported}
        for bar, value in BARS:
            values = {name: v for name, row in half.items() if (v := value(row)) is not None}
            if values:
                worst = max(values, key=lambda name: values[name])
                numbers = list(values.values())
                mean, high = geometric_mean(numbers), percentile(numbers, 0.9)
                lines.append(f"  {bar:30}{len(numbers):>8}{mean:7.2f}{high:7.2f}{values[worst]:7.2f}  {worst}")
    for name, row in rows.items():
        lines += [f"{name}, {way}: {cell['failure']}" for way, cell in row.items() if "failure" in cell]
    return lines
