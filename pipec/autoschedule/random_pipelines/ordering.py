"""Minima, maxima and medians of windows, by networks of comparisons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pipec.autoschedule.random_pipelines import language as hl
from pipec.autoschedule.random_pipelines.builder import PipelineBuilder, X, Y, replaced, spatial, variables
from pipec.autoschedule.random_pipelines.layer import RandomValue


def median_stage(b: PipelineBuilder) -> None:
    """The median of three, five or nine points."""
    source = b.pick(spatial)
    r, args = b.random, variables(source)
    shape = r.choice(["row", "column", "cross", "square"])
    places = {
        "row": [(k, 0) for k in (-1, 0, 1)],
        "column": [(0, k) for k in (-2, -1, 0, 1, 2)],
        "cross": [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)],
        "square": [(i, j) for j in (-1, 0, 1) for i in (-1, 0, 1)],
    }[shape]
    b.affords(source.extents, {3: 4, 5: 14, 9: 40}[len(places)])
    points = [source.at(X + i, Y + j, *args[2:]).expr for i, j in places]
    b.define("median", args, RandomValue(_median(points), source.type, source.low, source.high), source.extents)


def _median(values: Sequence[Any]) -> Any:
    """Smallest and largest of the rest go, until one is left: a network that forgets what can't be the median."""
    held, waiting = list(values[: len(values) // 2 + 2]), list(values[len(values) // 2 + 2 :])
    while True:
        for k in range(len(held) - 1):  # the largest goes to the end
            held[k], held[k + 1] = hl.min(held[k], held[k + 1]), hl.max(held[k], held[k + 1])
        for k in range(len(held) - 2, 0, -1):  # the smallest to the beginning
            held[k - 1], held[k] = hl.min(held[k - 1], held[k]), hl.max(held[k - 1], held[k])
        held = held[1:-1]
        if not waiting:
            return held[0]
        held.append(waiting.pop(0))


def extremum_stage(b: PipelineBuilder) -> None:
    """The largest or smallest of a long row and column: in steps that double, or as a reduction."""
    source = b.pick(spatial)
    r = b.random
    radius = r.choice([2, 4, 8])
    b.affords(source.extents, 4 * radius)
    word: Callable[..., Any] = r.choice([hl.max, hl.min])
    doubling = r.random() < 0.5
    for dimension in (0, 1) if r.random() < 0.7 else (0,):
        args = variables(source)
        if not doubling:
            window = b.rdom((-radius, 2 * radius + 1))
            reduce = hl.maximum if word is hl.max else hl.minimum
            expr = reduce(window, source.at(*replaced(args, dimension, args[dimension] + window[0])).expr)
            value = RandomValue(expr, source.type, source.low, source.high)
            source = b.read(b.define("extremum", args, value, source.extents))
            continue
        step = 1
        while step <= radius:
            pair = [source.at(*replaced(args, dimension, args[dimension] + k)).expr for k in (0, step)]
            value = RandomValue(word(*pair), source.type, source.low, source.high)
            source = b.read(b.define("extremum", args, value, source.extents))
            step *= 2
    b.unread.append(source)
