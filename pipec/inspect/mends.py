"""Changes of a schedule that mend what a diagnosis finds: each as a new schedule, and as the line that users write."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

from pipec.errors import PipecError
from pipec.func.functions.definition import stage_shape
from pipec.inspect.execution import Execution, LoopTreeNode, StageCounts, executed
from pipec.inspect.subject import Subject
from pipec.ir.expr import Const
from pipec.ir.stmt import LoopKind
from pipec.lower.legality.apply_schedule import apply_schedule
from pipec.schedule.fields import ROOT, LevelRef, StageRef
from pipec.schedule.loops import Mark
from pipec.schedule.placement import ComputeAt, StoreAt
from pipec.schedule.schedule import Schedule
from pipec.schedule.shape import StageShape
from pipec.schedule.split import Split, TailStrategy

STRIP_ROWS = 32
"""Rows of a strip that a thread computes, where a mend divides an image."""


class Mend(NamedTuple):
    """A change: the line of Python, the schedule with it, and what it makes of the pipeline."""

    text: str
    schedule: Schedule
    execution: Execution


def tried(subject: Subject, text: str, change: Callable[[Schedule], Schedule]) -> Mend | None:
    """The mend, or None where the schedule that it gives is not legal."""
    try:
        schedule = apply_schedule(subject.definition, change(subject.schedule))
        return Mend(text, schedule, executed(subject.definition, schedule, subject.sizes, subject.threads))
    except PipecError:
        return None


def _shape(subject: Subject, func: str, stage: int) -> StageShape:
    return stage_shape(subject.definition.funcs[func], stage)


def _stage_text(func: str, stage: int) -> str:
    return func if stage == 0 else f"{func}.update({stage - 1})"


def plain_name(loop: str) -> str:
    """The name by which a user addresses a loop: the last part of `x.xi`."""
    return loop.rpartition(".")[2]


def native_lanes(subject: Subject, bytes_per_point: int) -> int:
    """The lanes of a native vector of such elements."""
    return max(4, subject.machine.vector_bytes // max(1, bytes_per_point))


def vectorized(subject: Subject, stage: StageCounts, loop: str) -> Mend | None:
    """Vectorizes a loop of a stage by native vectors."""
    lanes, var = native_lanes(subject, stage.bytes_per_point), plain_name(loop)
    text = f"{_stage_text(stage.func, stage.stage)}.vectorize({var}, {lanes})"
    return tried(subject, text, lambda schedule: _vectorize(schedule, subject, stage.func, stage.stage, var, lanes))


def _vectorize(schedule: Schedule, subject: Subject, func: str, stage: int, var: str, lanes: int) -> Schedule:
    shape = _shape(subject, func, stage)
    inner = f"{var}_lanes"
    schedule = Split.apply(schedule, shape, var, var, inner, lanes, TailStrategy.Auto)
    return Mark.apply(schedule, shape, inner, LoopKind.VECTORIZED)


def parallel(subject: Subject, stage: StageCounts, loop: LoopTreeNode) -> Mend | None:
    """Runs a loop of a stage by all threads, in strips where it has many iterations."""
    var, ref = plain_name(loop.name), _stage_text(stage.func, stage.stage)
    shape = _shape(subject, stage.func, stage.stage)
    if loop.trips < 4 * STRIP_ROWS:
        text = f"{ref}.parallel({var})"
        return tried(subject, text, lambda schedule: Mark.apply(schedule, shape, var, LoopKind.PARALLEL))

    def strips(schedule: Schedule) -> Schedule:
        schedule = Split.apply(schedule, shape, var, f"{var}_outer", f"{var}_inner", STRIP_ROWS, TailStrategy.Auto)
        return Mark.apply(schedule, shape, f"{var}_outer", LoopKind.PARALLEL)

    return tried(subject, f"{ref}.split({var}, {var}_outer, {var}_inner, {STRIP_ROWS}).parallel({var}_outer)", strips)


def computed_whole(subject: Subject, func: str) -> Mend | None:
    """Computes a Func once, before its consumers: in vectors, by all threads."""
    args = subject.definition.funcs[func].args
    bytes_ = sum([kind.bytes() for kind in subject.definition.funcs[func].types])
    lanes = native_lanes(subject, bytes_)
    text = f"{func}.compute_root()"

    def change(schedule: Schedule) -> Schedule:
        own = _without_levels(schedule, func).add(ComputeAt(func, ROOT))
        if schedule.of_stage(StageRef(func, 0)) or not args:
            return own
        own = _vectorize(own, subject, func, 0, args[0], lanes)
        return own if len(args) == 1 else Mark.apply(own, _shape(subject, func, 0), args[-1], LoopKind.PARALLEL)

    if args and not subject.schedule.of_stage(StageRef(func, 0)):
        text += f".vectorize({args[0]}, {lanes})"
        text += f".parallel({args[-1]})" if len(args) > 1 else ""
    return tried(subject, text, change)


def computed_in(subject: Subject, func: str, consumer: StageCounts, loop: str) -> Mend | None:
    """Computes a Func inside a loop of its consumer."""
    level = LevelRef(consumer.func, plain_name(loop), consumer.stage or None)
    args = subject.definition.funcs[func].args
    lanes = native_lanes(subject, sum([kind.bytes() for kind in subject.definition.funcs[func].types]))
    text = f"{func}.compute_at({consumer.func}, {plain_name(loop)})"
    adds_vectors = bool(args) and not subject.schedule.of_stage(StageRef(func, 0))
    if adds_vectors:
        text += f".vectorize({args[0]}, {lanes})"

    def change(schedule: Schedule) -> Schedule:
        own = _without_levels(schedule, func).add(ComputeAt(func, level))
        return _vectorize(own, subject, func, 0, args[0], lanes) if adds_vectors else own

    return tried(subject, text, change)


def stored_in(subject: Subject, func: str, consumer: StageCounts, loop: str) -> Mend | None:
    """Stores a Func around a loop further out, so that it slides along the loops between."""
    level = LevelRef(consumer.func, plain_name(loop), consumer.stage or None)
    text = f"{func}.store_at({consumer.func}, {plain_name(loop)})"
    return tried(subject, text, lambda schedule: schedule.add(StoreAt(func, level)))


def _without_levels(schedule: Schedule, func: str) -> Schedule:
    others = [d for d in schedule.directives if not (isinstance(d, ComputeAt | StoreAt) and d.func == func)]
    return Schedule(tuple(others))


def smaller_tiles(subject: Subject, func: str, excess: float) -> Iterator[Mend]:
    """Divides the larger factors of the splits of a Func by 2, 4, 8, ..., as far as needed and further."""
    lanes = native_lanes(subject, sum([kind.bytes() for kind in subject.definition.funcs[func].types]))
    tiles = {split: factor for split, factor in _factors(subject, func).items() if factor > lanes}
    before = dict(tiles)
    for halvings in range(max(1, math.ceil(math.log2(excess) / max(1, len(tiles)))), 8):
        factors = {split: max(lanes, factor >> halvings) for split, factor in tiles.items()}
        if factors == before:
            return
        before = factors
        yield from _with_factors(subject, func, factors)


def larger_tiles(subject: Subject, func: str) -> Iterator[Mend]:
    """Multiplies the smallest factor of the splits of a Func by 4, 8, 16."""
    tiles = {split: factor for split, factor in _factors(subject, func).items() if factor > 1}
    if tiles:
        smallest = min(tiles, key=lambda split: tiles[split])
        for growth in (4, 8, 16):
            yield from _with_factors(subject, func, {smallest: growth * tiles[smallest]})


def _factors(subject: Subject, func: str) -> dict[Split, int]:
    """The constant factors of the splits of a Func, those that make vectors left out."""
    directives = subject.schedule.of_stage(StageRef(func, 0))
    vectors = {d.var for d in directives if isinstance(d, Mark) and d.kind is LoopKind.VECTORIZED}
    splits = [d for d in directives if isinstance(d, Split) and isinstance(d.factor, Const) and d.inner not in vectors]
    return {split: int(split.factor.value) for split in splits if isinstance(split.factor, Const)}


def _with_factors(subject: Subject, func: str, factors: dict[Split, int]) -> Iterator[Mend]:
    """The schedule with other factors of splits, where it is legal."""
    new = {split: split.replace(factor=Const(split.factor.type, factor)) for split, factor in factors.items()}
    names = [
        f"{func}: split {split.old} by {factor} in the place of {split.factor}" for split, factor in factors.items()
    ]
    directives = [new.get(d, d) if isinstance(d, Split) else d for d in subject.schedule.directives]
    mend = tried(subject, "; ".join(names), lambda _: Schedule(tuple(directives)))
    if mend is not None and new:
        yield mend
