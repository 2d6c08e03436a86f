"""The benchmark's ratios as a picture: run time by thread count, and compile time, pipec's to the wheel's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bench.table import ratio


def write_plot(result: dict[str, Any], path: Path) -> None:
    """Bars for each application; the line at 1 is the wheel."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    apps = result["apps"]
    names = list(apps)
    series = {f"run, {count} threads": [ratio(apps[n]["run"][count]) for n in names] for count in apps[names[0]]["run"]}
    series["compile"] = [ratio(apps[n]["compile"]) for n in names]
    figure, axes = pyplot.subplots(figsize=(max(8, 0.7 * len(names)), 4.5))
    width = 0.8 / len(series)
    for i, (label, values) in enumerate(series.items()):
        axes.bar([k + i * width for k in range(len(names))], [v or 0 for v in values], width, label=label)
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_xticks([k + 0.4 - width / 2 for k in range(len(names))], names, rotation=45, ha="right")
    axes.set_ylabel("pipec's time / Halide's")
    axes.set_title("Same source, same schedule: below 1 pipec is faster")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    pyplot.close(figure)
