"""Checked directives that place the loops of one stage on a GPU."""

from __future__ import annotations

from collections.abc import Sequence

from pipec.ir.expr import Expr
from pipec.ir.stmt import LoopKind
from pipec.schedule.directive import SingleThread, TailStrategy
from pipec.schedule.loops import mark, split, tile
from pipec.schedule.names import unused_name
from pipec.schedule.schedule import Schedule
from pipec.schedule.shape import Name, StageShape


def gpu_tile(
    schedule: Schedule,
    stage: StageShape,
    previous: Sequence[Name],
    outers: Sequence[Name],
    inners: Sequence[Name],
    factors: Sequence[Expr | int],
    tail: TailStrategy = TailStrategy.Auto,
) -> Schedule:
    """Tiles of `factors` iterations: one tile a block, one iteration a thread. Empty `outers`: the old names stay."""
    outers = outers or previous
    if len(previous) == 1:
        schedule = split(schedule, stage, previous[0], outers[0], inners[0], factors[0], tail)
    else:
        schedule = tile(schedule, stage, previous, outers, inners, factors, tail)
    for outer in outers:
        schedule = mark(schedule, stage, outer, LoopKind.GPU_BLOCK)
    for inner in inners:
        schedule = mark(schedule, stage, inner, LoopKind.GPU_THREAD)
    return schedule


def gpu_single_thread(schedule: Schedule, stage: StageShape) -> Schedule:
    """One thread of one block runs all loops that the stage has so far."""
    block, thread = [unused_name(schedule, stage, name) for name in ("single_block", "single_thread")]
    return schedule.add(SingleThread(stage.ref, block, thread))
