"""Run times by way as a picture, each application's fastest wheel schedule being 1."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bench.autoschedule.table import rivals


def write_plot(apps: dict[str, Any], ways: list[str], path: Path) -> None:
    """A mark for each way of each application; below the line at 1 it is faster than all that the wheel has."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(max(8, 0.7 * len(apps)), 5))
    marks = dict(zip(ways, "_xv^o*Ds", strict=False))
    for way in ways:
        heights = [_relative(row, way) for row in apps.values()]
        axes.plot(range(len(apps)), heights, marks[way], label=way, linestyle="none")
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_yscale("log")
    axes.set_xticks(range(len(apps)), list(apps), rotation=45, ha="right")
    axes.set_ylabel("run time / the wheel's best")
    axes.legend(ncols=2)
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def _relative(row: dict[str, Any], way: str) -> float | None:
    best = rivals(row)["best of the wheel"]
    return row["run"][way] / best if best and way in row["run"] else None
