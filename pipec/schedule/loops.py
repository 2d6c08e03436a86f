"""The directives about the loops of one stage, and the methods that stand for several of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pipec.ir.expr import Expr
from pipec.ir.stmt import CONCURRENT, LoopKind
from pipec.records import replace
from pipec.schedule.directive import Concern, StageDirective
from pipec.schedule.fields import OUTERMOST, LoopName
from pipec.schedule.names import require_unused, unused_name
from pipec.schedule.races import refuse_race, refuse_reordering
from pipec.schedule.schedule import Dim, Loop, Schedule, loop_position
from pipec.schedule.shape import Name, StageShape, check_kind, find_loop, name_of, refuse
from pipec.schedule.split import Split, TailStrategy, refuse_blend_races

if TYPE_CHECKING:
    from pipec.schedule.python_text import CallWriter

MARK_METHODS = {
    LoopKind.SERIAL: "serial",
    LoopKind.PARALLEL: "parallel",
    LoopKind.VECTORIZED: "vectorize",
    LoopKind.UNROLLED: "unroll",
    LoopKind.GPU_BLOCK: "gpu_blocks",
    LoopKind.GPU_THREAD: "gpu_threads",
    LoopKind.GPU_LANE: "gpu_lanes",
}
"""The user's method for each kind of loop."""


class Fuse(StageDirective):
    """One loop `fused` = outer * extent(inner) + inner in the place of `inner`."""

    METHOD = "fuse"
    SOURCES = ("inner", "outer")
    RESULTS = ("fused",)

    inner: LoopName
    outer: LoopName
    fused: LoopName

    @classmethod
    def apply(cls, schedule: Schedule, stage: StageShape, inner: Name, outer: Name, fused: Name) -> Schedule:
        """Refuses unknown or used names, and loops whose iterations must keep their order."""
        loops = stage.loops(schedule)
        outer_loop = find_loop(stage, loops, outer, "find outer fuse dimension:")
        rest = replace(loops, loops=tuple(loop for loop in loops.loops if loop is not outer_loop))
        inner_loop = find_loop(stage, rest, inner, "find inner fuse dimension:")
        if isinstance(fused, Dim):
            for source in (inner_loop, outer_loop):
                if source.reduction and not fused.reduction:
                    text = f"Can't fuse Var {fused.name} from RVar {source.name}: the fused loop must be an RVar too."
                    raise refuse(text, stage.location)
            if fused.reduction and not (inner_loop.reduction or outer_loop.reduction):
                text = f"Can't fuse RVar {fused.name} from Var {inner_loop.name} and Var {outer_loop.name}: use a Var."
                raise refuse(text, stage.location)
        require_unused(schedule, stage, name_of(fused), {inner_loop.name, outer_loop.name})
        result = schedule.add(cls(stage.ref, inner_loop.name, outer_loop.name, name_of(fused)))
        refuse_reordering(schedule, result, stage)
        if inner_loop.kind in CONCURRENT:
            refuse_race(result, stage, name_of(fused))
        return result


class Rename(StageDirective):
    """Loop `old` is called `new` from here on."""

    METHOD = "rename"
    SOURCES = ("old",)
    RESULTS = ("new",)

    old: LoopName
    new: LoopName

    @classmethod
    def apply(cls, schedule: Schedule, stage: StageShape, old: Name, new: Name) -> Schedule:
        """Refuses unknown or used names; the same name changes nothing."""
        loop = find_loop(stage, stage.loops(schedule), old, "find rename dimension:")
        if name_of(new) == loop.name:
            return schedule
        require_unused(schedule, stage, name_of(new), set())
        return schedule.add(cls(stage.ref, loop.name, name_of(new)))


class Reorder(StageDirective):
    """The named loops take their places in this order, innermost first; the others keep theirs."""

    METHOD = "reorder"

    variables: tuple[LoopName, ...]

    @classmethod
    def apply(cls, schedule: Schedule, stage: StageShape, variables: Sequence[Name]) -> Schedule:
        """Refuses unknown names and orders that could change the result."""
        loops = stage.loops(schedule)
        names: list[str] = []
        for variable in variables:
            name = name_of(variable)
            if name == OUTERMOST:
                continue
            if name in names:
                text = f"In schedule for {stage.ref}, call to reorder references {name} twice."
                raise refuse(text, stage.location, loops)
            check_kind(stage, loops, variable)
            if loops.find(name) is None:
                text = f"In schedule for {stage.ref}, could not find var {name} to reorder in the argument list."
                raise refuse(text, stage.location, loops)
            names.append(name)
        if not names:
            return schedule
        result = schedule.add(cls(stage.ref, tuple(names)))
        refuse_reordering(schedule, result, stage)
        return result

    def change_loops(self, loops: list[Loop]) -> None:
        """Permutes the named loops."""
        places = [loop_position(loops, name) for name in self.variables]
        for place, loop in zip(sorted(places), [loops[p] for p in places], strict=True):
            loops[place] = loop


class Mark(StageDirective):
    """Loop `var` runs as `kind`."""

    var: LoopName
    kind: LoopKind

    def __post_init__(self) -> None:
        if self.kind not in MARK_METHODS:
            raise ValueError(f"a loop can't be marked as {self.kind.value}")

    @classmethod
    def apply(cls, schedule: Schedule, stage: StageShape, var: Name, kind: LoopKind) -> Schedule:
        """Refuses unknown loops, and concurrent ones whose iterations depend on each other."""
        loops = stage.loops(schedule)
        if name_of(var) == OUTERMOST:
            return schedule
        check_kind(stage, loops, var)
        loop = loops.find(name_of(var))
        if loop is None:
            adjective = "serial" if kind is LoopKind.SERIAL else kind.value
            text = f"could not find dimension {name_of(var)} to mark as {adjective} in vars for function"
            raise refuse(f"In schedule for {stage.ref}, {text}", stage.location, loops)
        result = schedule.add(cls(stage.ref, loop.name, kind))
        if kind in CONCURRENT:
            refuse_race(result, stage, loop.name)
        refuse_blend_races(result, stage)
        return result

    def change_loops(self, loops: list[Loop]) -> None:
        """Changes the kind of the loop."""
        at = loop_position(loops, self.var)
        loops[at] = replace(loops[at], kind=self.kind)

    def to_call(self, writer: CallWriter) -> str:
        """One method for each kind of loop."""
        return f".{MARK_METHODS[self.kind]}({writer.loop(self.stage, self.var)})"


class SingleThread(StageDirective):
    """One thread of one block of a GPU runs all loops so far: loops `block` and `thread` of one iteration around."""

    METHOD = "gpu_single_thread"
    RESULTS = ("thread", "block")

    block: LoopName
    thread: LoopName

    @classmethod
    def apply(
        cls, schedule: Schedule, stage: StageShape, block: str = "single_block", thread: str = "single_thread"
    ) -> Schedule:
        """Makes the names of the new loops unique."""
        names = [unused_name(schedule, stage, name) for name in (block, thread)]
        return schedule.add(cls(stage.ref, *names))

    def change_loops(self, loops: list[Loop]) -> None:
        """Adds two outermost loops."""
        loops += [Loop(self.thread, LoopKind.GPU_THREAD), Loop(self.block, LoopKind.GPU_BLOCK)]

    def to_call(self, writer: CallWriter) -> str:
        """The names follow from the loops before."""
        return f".{self.METHOD}()"


class Unscheduled(StageDirective):
    """The user leaves the stage without a schedule on purpose: no warning about it."""

    METHOD = "unscheduled"
    RETURNS_SUBJECT = False
    CONCERN = Concern.REMARK


def tile(
    schedule: Schedule,
    stage: StageShape,
    previous: Sequence[Name],
    outers: Sequence[Name],
    inners: Sequence[Name],
    factors: Sequence[Expr | int],
    tail: TailStrategy = TailStrategy.Auto,
) -> Schedule:
    """Splits each of `previous`; inner loops come first, then outer ones. Empty `outers`: the old names stay."""
    outers = outers or previous
    if len({len(previous), len(outers), len(inners), len(factors)}) != 1:
        counts = f"{len(previous)} variables, {len(outers)} outer, {len(inners)} inner and {len(factors)} factors"
        raise refuse(
            f"Vectors passed to Stage::tile must all be the same length. (In schedule for {stage.ref}: {counts}.)",
            stage.location,
        )
    for old, outer, inner, factor in zip(previous, outers, inners, factors, strict=True):
        schedule = Split.apply(schedule, stage, old, outer, inner, factor, tail)
    return Reorder.apply(schedule, stage, [*inners, *outers])


def gpu_tile(
    schedule: Schedule,
    stage: StageShape,
    previous: Sequence[Name],
    outers: Sequence[Name],
    inners: Sequence[Name],
    factors: Sequence[Expr | int],
    tail: TailStrategy = TailStrategy.Auto,
) -> Schedule:
    """Tiles of `factors` iterations: a GPU block each, a thread for each iteration. Empty `outers`: as for `tile`."""
    outers = outers or previous
    if len(previous) == 1:
        schedule = Split.apply(schedule, stage, previous[0], outers[0], inners[0], factors[0], tail)
    else:
        schedule = tile(schedule, stage, previous, outers, inners, factors, tail)
    kinds = [(outer, LoopKind.GPU_BLOCK) for outer in outers] + [(inner, LoopKind.GPU_THREAD) for inner in inners]
    for name, kind in kinds:
        schedule = Mark.apply(schedule, stage, name, kind)
    return schedule


def mark_part(
    schedule: Schedule,
    stage: StageShape,
    variable: Name,
    kind: LoopKind,
    factor: Expr | int | None = None,
    tail: TailStrategy = TailStrategy.Auto,
) -> Schedule:
    """Marks a loop, or with a `factor` a part of it: the loop over parts if parallel, else the loop inside a part."""
    if factor is None:
        return Mark.apply(schedule, stage, variable, kind)
    if kind is LoopKind.VECTORIZED:
        refuse_race(schedule, stage, name_of(variable))
    inner = unused_name(schedule, stage, f"{name_of(variable)}.{PART_SUFFIXES[kind]}")
    schedule = Split.apply(schedule, stage, variable, name_of(variable), inner, factor, tail)
    return Mark.apply(schedule, stage, variable if kind is LoopKind.PARALLEL else inner, kind)


PART_SUFFIXES = {LoopKind.PARALLEL: "p", LoopKind.VECTORIZED: "v", LoopKind.UNROLLED: "u"}
"""What is appended to the name of a loop for the inner loop of `mark_part`."""
