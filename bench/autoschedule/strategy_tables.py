"""The comparison of strategies as tables and as curves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.table import geometric_mean

Records = Mapping[str, Any]
Curve = Sequence[Sequence[float]]
RIVAL = "beam"
TOPS = {"curves": 3.0, "trials": 1.6}
"""Where the axes of the picture end."""


def value_at(curve: Curve, place: float) -> float:
    """The best value of a curve up to a place; the first one before that."""
    values = [value for at, value in curve if at <= place]
    return values[-1] if values else curve[0][1]


def finals(records: Records, budget: float) -> dict[str, dict[str, dict[str, float]]]:
    """The last values of each kind, by strategy, by pipeline: of curves, and measured ones."""
    kinds: dict[str, dict[str, dict[str, float]]] = {}
    for name, record in records.items():
        if "curves" in record:
            kinds.setdefault("estimated", {})[name] = {
                strategy: value_at(curve, 2 * budget) for strategy, curve in record["curves"].items() if curve
            }
        if record.get("milliseconds"):
            kinds.setdefault("measured", {})[name] = record["milliseconds"]
    return kinds


def summary_text(records: Records, budget: float) -> str:
    """For each strategy: the geometric mean of its time by that of beam search, the worst, and the mean rank."""
    lines = []
    for kind, by_pipeline in finals(records, budget).items():
        lines.append(f"| {kind}, {len(by_pipeline)} pipelines | / {RIVAL} | / best of all | worst / {RIVAL} | rank |")
        lines.append("|---|---|---|---|---|")
        names = list(dict.fromkeys([strategy for row in by_pipeline.values() for strategy in row]))
        table = [(*_row(strategy, by_pipeline), strategy) for strategy in names]
        for mean, best, worst, rank, strategy in sorted(table):
            lines.append(f"| {strategy} | {mean:.3f} | {best:.3f} | {worst:.2f} | {rank:.1f} |")
        lines.append("")
    return "\n".join(lines)


def _row(strategy: str, by_pipeline: Mapping[str, Mapping[str, float]]) -> tuple[float, float, float, float]:
    ratios, to_best, ranks = [], [], []
    for row in by_pipeline.values():
        own = row.get(strategy, math.inf)
        if math.isfinite(own) and math.isfinite(row.get(RIVAL, math.inf)):
            ratios.append(own / row[RIVAL])
            to_best.append(own / min(row.values()))
            ranks.append(1 + sum([other < 0.999 * own for other in row.values()]))
    return geometric_mean(ratios), geometric_mean(to_best), max(ratios), sum(ranks) / len(ranks)


def write_plot(records: Records, budget: float, path: Path) -> None:
    """Geometric means over pipelines of the best value so far by the best of all strategies, against the budget."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    panels = [
        (kind, label, rows)
        for kind, label in (("curves", "seconds of search"), ("trials", "trials"))
        if (rows := [record[kind] for record in records.values() if record.get(kind)])
    ]
    figure, axes = pyplot.subplots(1, len(panels), figsize=(7 * len(panels), 4.5), squeeze=False)
    for panel, (kind, label, rows) in zip(axes[0], panels, strict=True):
        end = budget if kind == "curves" else max(curve[-1][0] for row in rows for curve in row.values())
        places = [end * (k + 1) / 200 for k in range(200)]
        best = [min(value_at(curve, end) for curve in row.values() if curve) for row in rows]
        common = [strategy for strategy in rows[0] if all(row.get(strategy) for row in rows)]
        for number, strategy in enumerate(common):
            curves = [(row[strategy], low) for row, low in zip(rows, best, strict=True)]
            begun = [place for place in places if all(curve[0][0] <= place for curve, _ in curves)]
            means = [geometric_mean([value_at(curve, place) / low for curve, low in curves]) for place in begun]
            panel.plot(begun, means, label=strategy, linestyle="-" if number < 10 else "--")
        panel.set(xlabel=label, ylabel="best so far / best of all", ylim=(0.95, TOPS[kind]))
        panel.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path, dpi=100)
    pyplot.close(figure)
