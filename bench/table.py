"""The benchmark's rows as text."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

Row = dict[str, Any]


def milliseconds(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds * 1e3:.2f}" if seconds < 0.1 else f"{seconds * 1e3:.0f}"


def geometric_mean(values: Iterable[float]) -> float:
    logarithms = [math.log(value) for value in values]
    return math.exp(sum(logarithms) / len(logarithms)) if logarithms else math.nan


def ratio(times: Row) -> float | None:
    """pipec's time to the wheel's."""
    return times["pipec"] / times["halide"] if "pipec" in times and "halide" in times else None


def _ratio_text(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def header(threads: list[int]) -> str:
    text = f"{'app':16}{'size':>14}"
    for count in threads:
        text += f" |{f'{count}t pipec':>10}{'halide':>9}{'ratio':>7}{'library':>10}{'numba':>8}{'of copy':>8}"
    return text + f" |{'compile':>9}{'halide':>8}{'ratio':>7}{'cached':>8}"


def row(name: str, size: Iterable[int], measured: Row) -> str:
    text = f"{name:16}{' x '.join(map(str, size)):>14}"
    for times in measured["run"].values():
        share = times.get("share_of_copy")
        text += f" |{milliseconds(times.get('pipec')):>10}{milliseconds(times.get('halide')):>9}"
        text += f"{_ratio_text(ratio(times)):>7}{milliseconds(times.get('library')):>10}"
        text += f"{milliseconds(times.get('numba')):>8}"
        text += f"{'-' if share is None else f'{share:.0%}':>8}"
    compiled, cached = measured["compile"], measured["cached"]
    text += f" |{milliseconds(compiled.get('pipec')):>9}{milliseconds(compiled.get('halide')):>8}"
    return text + f"{_ratio_text(ratio(compiled)):>7}{milliseconds(cached.get('pipec')):>8}"


def summary(apps: dict[str, Row], threads: list[int]) -> dict[str, dict[str, float]]:
    """Geometric mean and worst of the ratios, by thread count, and of compile times."""
    columns = {f"run, {count} threads": [ratio(app["run"][str(count)]) for app in apps.values()] for count in threads}
    columns["compile"] = [ratio(app["compile"]) for app in apps.values()]
    result = {name: [value for value in values if value is not None] for name, values in columns.items()}
    return {
        name: {"geometric mean": geometric_mean(values), "worst": max(values)}
        for name, values in result.items()
        if values
    }
