"""The course of a search as SVG: the best time against the seconds that it took to find it."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence

Points = Sequence[tuple[float, float]]
WIDTH, HEIGHT, LEFT, BOTTOM = 420, 160, 76, 30
COLOURS = ("#4a6fb5", "#c05a1a")


def curve(series: Mapping[str, Points], seconds: float) -> str:
    """Returns step curves of milliseconds, on a logarithmic axis, up to `seconds`; an empty text without points."""
    shown = {name: [(t, v) for t, v in points if 0 < v < math.inf] for name, points in series.items()}
    values = [v for points in shown.values() for _, v in points]
    if not values:
        return ""
    low, high = math.log(min(values)), math.log(max(values))
    low, high = (low, high) if high > low else (low - 0.1, low + 0.1)
    end = max(seconds, *[t for points in shown.values() for t, _ in points], 1e-9)

    def place(t: float, value: float) -> tuple[float, float]:
        y = (high - math.log(value)) / (high - low)
        return LEFT + t / end * (WIDTH - LEFT - 10), 10 + y * (HEIGHT - BOTTOM - 20)

    parts = []
    for (name, points), colour in zip(shown.items(), COLOURS, strict=False):
        if not points:
            continue
        x, y = place(*points[0])
        path = f"M{x:.1f} {y:.1f}"
        for point in points[1:]:
            x, y = place(*point)
            path += f"H{x:.1f}V{y:.1f}"
        path += f"H{place(end, points[-1][1])[0]:.1f}"
        parts.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(
            f'<text x="{WIDTH - 10}" y="{y - 5:.1f}" text-anchor="end" fill="{colour}">{html.escape(name)}</text>'
        )
    top, bottom = 10, HEIGHT - BOTTOM - 10
    axes = f'<path d="M{LEFT} {top}V{bottom}H{WIDTH - 10}" fill="none" stroke="#888"/>'
    labels = (
        f'<text x="{LEFT - 5}" y="{top + 8}" text-anchor="end">{max(values):.3g} ms</text>'
        f'<text x="{LEFT - 5}" y="{bottom}" text-anchor="end">{min(values):.3g} ms</text>'
        f'<text x="{WIDTH - 10}" y="{bottom + 18}" text-anchor="end">{end:.3g} s</text>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" role="img" fill="currentColor"'
        f' aria-label="Best time during the search" style="font:12px sans-serif">{axes}{labels}{"".join(parts)}</svg>'
    )
