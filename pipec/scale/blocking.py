"""Why a pipeline cannot be tiled: the Func whose region does not become smaller with the tile, and its reader."""

from __future__ import annotations

import math
from collections.abc import Mapping

from pipec.func.functions.definition import PipelineDef
from pipec.ir.expr import FuncCall, ImageCall, ReductionVariable
from pipec.ir.walk import postorder
from pipec.lower.required_boxes import RegionQuery
from pipec.pipeline.queries import Box
from pipec.scale.tiles import SMALLEST
from pipec.scale.windows import WindowedPipeline
from pipec.schedule.fields import ROOT
from pipec.schedule.placement import ComputeAt
from pipec.schedule.schedule import Schedule

# A region blocks tiling along a dimension when the smallest tile needs this share of what the whole output needs.
BLOCKING_SHARE = 0.5


def at_root(definition: PipelineDef) -> Schedule:
    """The schedule that computes every Func at root, under which the region of each is a box of its own."""
    outputs = set(definition.outputs)
    return Schedule(tuple([ComputeAt(name, ROOT) for name in definition.funcs if name not in outputs]))


class RootRegions:
    """The regions of all Funcs and windowed images for boxes of the outputs."""

    def __init__(self, windowed: WindowedPipeline) -> None:
        self._windowed = windowed
        self._query = RegionQuery(windowed.definition, at_root(windowed.definition))

    def of(self, box: Box) -> dict[str, Box]:
        """The region of each Func, output and windowed image, by name, for a box of every output."""
        windowed = self._windowed
        boxes = windowed.grown({name: box for name in windowed.outputs})
        regions: dict[str, Box] = dict(self._query.root_storage(boxes, windowed.numbers))
        needed = self._query.boxes(boxes, windowed.numbers, windowed.constant_boxes)
        regions.update({name: needed[name] for name in (*windowed.windowed, *windowed.outputs) if name in needed})
        for name in windowed.definition.outputs:
            if name not in regions:
                regions[name] = regions[f"{name}.0"]
        return regions


def middle_tile(whole: Box) -> Box:
    """The smallest tile in the middle of a box."""
    return [(low + extent // 2, min(SMALLEST, extent - extent // 2)) for low, extent in whole]


def _volume(box: Box) -> int:
    return math.prod([extent for _, extent in box])


def explain_blocking(windowed: WindowedPipeline, whole: Box, limit: int, smallest: int) -> str:
    """The text of the error for a pipeline whose smallest tile does not fit into `limit` bytes."""
    name = windowed.definition.outputs[0]
    text = (
        f"Error: The pipeline of {name.partition('$')[0]} cannot be computed in tiles within {limit / 1e6:.4g} MB:"
        f" the smallest tile takes {smallest / 1e6:.4g} MB."
    )
    regions = RootRegions(windowed)
    small, large = regions.of(middle_tile(whole)), regions.of(whole)
    culprit = _culprit(windowed.program.definition, small, large)
    if culprit is None:
        return f"{text} Raise memory=, or compute Funcs closer to their consumers, so that less is stored at a time."
    reader, access, why = culprit
    return (
        f"{text}\n{reader} reads {access}: {why}, whatever the size of the tile. Raise memory=, bound the coordinate"
        " with clamp() or unsafe_promise_clamped(), or compute that Func in a run of its own and pass its result as an"
        " input."
    )


def _culprit(
    definition: PipelineDef, small: Mapping[str, Box], large: Mapping[str, Box]
) -> tuple[str, str, str] | None:
    """(reader, access, region) of the first Func or image, from the outputs on, that a small tile needs most of."""
    best: tuple[int, str, str, str] | None = None
    for reader in reversed(list(definition.funcs)):
        for source, access in _reads(definition, reader):
            if source not in small or source not in large or _is_blocking(reader, small, large):
                continue
            if _is_blocking(source, small, large):
                size = _volume(small[source])
                if best is None or size > best[0]:
                    box = ", ".join([f"{low} to {low + extent - 1}" for low, extent in small[source]])
                    best = size, reader.partition("$")[0], access, f"a tile needs {source.partition('$')[0]}[{box}]"
    return None if best is None else best[1:]


def _is_blocking(name: str, small: Mapping[str, Box], large: Mapping[str, Box]) -> bool:
    if name not in small or name not in large:
        return False
    pairs = zip(small[name], large[name], strict=True)
    return any(extent > SMALLEST and extent >= BLOCKING_SHARE * whole for (_, extent), (_, whole) in pairs) and (
        _volume(small[name]) >= BLOCKING_SHARE * _volume(large[name]) or _volume(small[name]) > SMALLEST**4
    )


def _reads(definition: PipelineDef, reader: str) -> list[tuple[str, str]]:
    """The Funcs and images that a Func reads, each with the access as text; stages with an RDom say so.

    Accesses at coordinates that are values come first, then those of reductions: they are more likely to be unbounded.
    """
    reads: list[tuple[int, str, str]] = []
    for number, stage in enumerate(definition.funcs[reader].stages):
        loops = "" if not stage.rvars else f" (update {number - 1} over {', '.join([r.name for r in stage.rvars])})"
        for node in dict.fromkeys(postorder(*stage.roots)):
            if isinstance(node, FuncCall | ImageCall) and node.name != reader:
                inner = set(map(type, postorder(*node.args)))
                rank = 0 if inner & {FuncCall, ImageCall} else 1 if ReductionVariable in inner else 2
                reads.append((rank, node.name, f"{node}{loops}"))
    return [(name, text) for _, name, text in sorted(reads, key=lambda read: read[0])]
