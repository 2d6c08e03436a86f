"""A picture of a region that does not lie inside of its buffer, as SVG for notebooks."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import NamedTuple

Interval = tuple[int, int]
# Pixels; what lies outside is shown at least so large.
LENGTH, MARGIN, MIN_SHOWN = 260, 70, 6
STYLE = (
    "<style>.region .buffer{fill:#e8eef9;stroke:#4a6fb5}.region .outside{fill:#d64545;fill-opacity:.55}"
    ".region .needed{fill:none;stroke:#b02020;stroke-dasharray:5 3}"
    ".region text{font:12px monospace;fill:currentColor}.region .bad{fill:#c02626}</style>"
)


class OutsideRegion(NamedTuple):
    """The buffer and what it covers, the dimension in which more is needed, and the first and last coordinate there."""

    buffer: str
    box: tuple[Interval, ...]  # (minimum, extent) of each dimension
    dimension: int
    needed: Interval


def region_picture(region: OutsideRegion) -> str:
    """Returns the SVG: the buffer, the region that is needed, and in red what of it lies outside."""
    d = region.dimension
    other = next((k for k in range(len(region.box)) if k != d), None)
    axes = [d] if other is None else sorted((d, other))
    covered = [_ends(region.box[k]) for k in axes]
    needed = [region.needed if k == d else _ends(region.box[k]) for k in axes]
    scales = [_Scale(a, b) for a, b in zip(covered, needed, strict=True)]
    if len(axes) == 1:
        covered, needed = [*covered, (0, 0)], [*needed, (0, 0)]
        scales.append(_Scale((0, 0), (0, 0), 40))
    buffer, whole = (_rectangle(scales, box) for box in (covered, needed))
    at = axes.index(d)
    low, high = needed[at]
    first, last = covered[at]
    sides = [(low, min(high, first - 1)), (max(low, last + 1), high)]
    outside = [[side if k == at else needed[k] for k in range(2)] for side in sides if side[0] <= side[1]]
    red = "".join([_svg("outside", _rectangle(scales, box)) for box in outside])
    width, height = scales[0].length + 2 * MARGIN, scales[1].length + MARGIN
    lines = [
        (f"{region.buffer}: {' x '.join(_text(_ends(interval)) for interval in region.box)}", ""),
        (f"needed in dimension {d}: {_text(region.needed)}", "bad"),
    ]
    words = "".join(
        [
            f'<text class="{kind}" x="4" y="{14 + 16 * n}">{html.escape(line)}</text>'
            for n, (line, kind) in enumerate(lines)
        ]
    )
    drawing = f"{_svg('buffer', buffer)}{red}{_svg('needed', whole)}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="region" width="{width}" height="{height:.0f}" role="img"'
        f' aria-label="The region needed of {html.escape(region.buffer, quote=True)}">{STYLE}{words}'
        f'<g transform="translate({MARGIN // 2},46)">{drawing}</g></svg>'
    )


def _ends(interval: Interval) -> Interval:
    minimum, extent = interval
    return minimum, minimum + extent - 1


class _Scale:
    """From coordinates of one dimension to pixels: linear, and parts of few coordinates are widened to be seen."""

    def __init__(self, covered: Interval, needed: Interval, length: int = LENGTH) -> None:
        low, high = min(covered[0], needed[0]), max(covered[1], needed[1]) + 1
        stops = sorted({low, high, covered[0], covered[1] + 1, needed[0], needed[1] + 1})
        each = length / max(high - low, 1)
        self.pixels, at = {stops[0]: 0.0}, 0.0
        for before, stop in zip(stops, stops[1:], strict=False):
            at += max((stop - before) * each, MIN_SHOWN)
            self.pixels[stop] = at
        self.length = round(at)


def _rectangle(scales: Sequence[_Scale], box: Sequence[Interval]) -> tuple[float, ...]:
    (x0, x1), (y0, y1) = [(s.pixels[low], s.pixels[high + 1]) for s, (low, high) in zip(scales, box, strict=True)]
    return x0, y0, x1 - x0, y1 - y0


def _svg(kind: str, rectangle: Sequence[float]) -> str:
    x, y, width, height = (f"{number:.1f}" for number in rectangle)
    return f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{height}"/>'


def _text(ends: Interval) -> str:
    return f"[{ends[0]}, {ends[1]}]"
