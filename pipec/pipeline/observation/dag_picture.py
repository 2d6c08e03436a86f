"""The Funcs of a pipeline and what they read, as SVG: inputs at the top, outputs at the bottom."""

from __future__ import annotations

import html
from collections.abc import Sequence

from pipec.func.functions.freeze import reachable
from pipec.func.functions.function import Function
from pipec.ir.expr import FuncCall, ImageCall
from pipec.ir.walk import postorder

# Pixels.
ROW, GAP, HEIGHT, LETTER, PADDING = 56, 16, 26, 7, 12
STYLE = (
    "<style>.dag rect{fill:#e8eef9;stroke:#4a6fb5}.dag .input rect{fill:#f3f3f3;stroke:#888}"
    ".dag .output rect{fill:#dcefdc;stroke:#3c8a3c}.dag text{font:12px monospace;fill:#111;text-anchor:middle}"
    ".dag path{fill:none;stroke:#888}</style>"
)


def dag_picture(functions: Sequence[Function]) -> str:
    """Returns the SVG of the pipeline with these outputs."""
    reads = {function.name: _sources(function) for function in reachable(functions)}
    for name in {source for sources in reads.values() for source in sources} - reads.keys():
        reads[name] = []
    levels = _levels(reads)
    rows: list[list[str]] = [[] for _ in range(max(levels.values(), default=0) + 1)]
    for name, level in levels.items():
        rows[level].append(name)
    sizes = {name: LETTER * len(_short(name)) + 2 * PADDING for name in reads}
    width = max(sum(sizes[n] + GAP for n in row) for row in rows) + GAP
    centres = {}
    for level, row in enumerate(rows):
        x = (width - sum(sizes[n] + GAP for n in row) + GAP) / 2
        for name in row:
            centres[name] = (x + sizes[name] / 2, level * ROW + HEIGHT)
            x += sizes[name] + GAP
    outputs = {function.name for function in functions}
    edges = [_edge(centres[source], centres[name]) for name, sources in reads.items() for source in sources]
    boxes = [
        _box(name, *centres[name], sizes[name], "output" if name in outputs else "" if reads[name] else "input")
        for name in reads
    ]
    height = len(rows) * ROW + HEIGHT // 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="dag" width="{width:.0f}" height="{height}" role="img"'
        f' aria-label="The Funcs of the pipeline">{STYLE}{"".join(edges)}{"".join(boxes)}</svg>'
    )


def _sources(function: Function) -> list[str]:
    """The Funcs and images that a Func reads, itself left out."""
    roots = [root for stage in function.stages for root in stage.roots]
    names = [node.name for node in postorder(*roots) if isinstance(node, FuncCall | ImageCall)]
    return [name for name in dict.fromkeys(names) if name != function.name]


def _levels(reads: dict[str, list[str]]) -> dict[str, int]:
    """The length of the longest path from an input, by name; producers come before their consumers."""
    levels: dict[str, int] = {}
    pending = list(reads)
    while pending:
        name = pending.pop()
        unknown = [source for source in reads[name] if source not in levels]
        if unknown:
            pending += [name, *unknown]
        elif name not in levels:
            levels[name] = 1 + max([levels[source] for source in reads[name]], default=-1)
    return {name: levels[name] for name in reads}


def _short(name: str) -> str:
    return name.partition("$")[0]


def _box(name: str, x: float, y: float, width: float, kind: str) -> str:
    corner = f'x="{x - width / 2:.1f}" y="{y - HEIGHT / 2}" width="{width}" height="{HEIGHT}" rx="5"'
    label = html.escape(_short(name))
    return f'<g class="{kind}"><rect {corner}/><text x="{x:.1f}" y="{y + 4}">{label}</text></g>'


def _edge(start: tuple[float, float], end: tuple[float, float]) -> str:
    (x, y), (u, v) = (start[0], start[1] + HEIGHT / 2), (end[0], end[1] - HEIGHT / 2)
    return f'<path d="M{x:.1f} {y} C{x:.1f} {y + 20} {u:.1f} {v - 20} {u:.1f} {v}"/>'
