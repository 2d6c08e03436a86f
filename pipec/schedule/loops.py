"""Checked directives about the loops of one stage."""

from __future__ import annotations

from collections.abc import Sequence

from pipec.ir.expr import Const, Expr
from pipec.ir.stmt import CONCURRENT, LoopKind
from pipec.records import replace
from pipec.schedule.directive import AllowRaces, Fuse, Mark, Rename, Reorder, Split, TailStrategy, Unscheduled
from pipec.schedule.names import unused_name, used_names
from pipec.schedule.races import refuse_blend_races, refuse_race, refuse_reordering
from pipec.schedule.schedule import Dim, Loop, Schedule, StageLoops
from pipec.schedule.shape import OUTERMOST, Name, StageShape, as_factor, check_scalar, name_of, refuse
from pipec.schedule.tails import resolve_tail


def split(
    schedule: Schedule,
    stage: StageShape,
    old: Name,
    outer: Name,
    inner: Name,
    factor: Expr | int,
    tail: TailStrategy = TailStrategy.Auto,
) -> Schedule:
    """Loop `old` becomes `outer` over blocks and `inner` over the `factor` iterations of a block."""
    loops = stage.loops(schedule)
    loop = _find(stage, loops, old, "find split dimension:")
    if name_of(outer) == name_of(inner):
        text = (
            f"In schedule for {stage.ref}, can't split {loop.name} into {name_of(outer)} and {name_of(inner)} because "
            "the new Vars have the same name."
        )
        raise refuse(text, stage.location, loops)
    for variable in (outer, inner):
        if isinstance(variable, Dim) and variable.reduction != loop.reduction:
            text = f"Can't split {_kind(loop.reduction)} {loop.name} into {_kind(variable.reduction)} {variable.name}"
            raise refuse(f"{text}: the new loops must be {_kind(loop.reduction)}s too.", stage.location)
        _require_unused(schedule, stage, name_of(variable), {loop.name})
    size = _checked_factor(stage, loop.name, factor)
    resolved = resolve_tail(schedule, stage, loop, size, tail)
    result = schedule.add(Split(stage.ref, loop.name, name_of(outer), name_of(inner), size, resolved))
    refuse_blend_races(result, stage)
    return result


def tile(
    schedule: Schedule,
    stage: StageShape,
    previous: Sequence[Name],
    outers: Sequence[Name],
    inners: Sequence[Name],
    factors: Sequence[Expr | int],
    tail: TailStrategy = TailStrategy.Auto,
) -> Schedule:
    """Each of `previous` is split; inner loops come first, then outer ones. Empty `outers`: the old names stay."""
    outers = outers or previous
    if len({len(previous), len(outers), len(inners), len(factors)}) != 1:
        counts = f"{len(previous)} variables, {len(outers)} outer, {len(inners)} inner and {len(factors)} factors"
        raise refuse(
            f"Vectors passed to Stage::tile must all be the same length. (In schedule for {stage.ref}: {counts}.)",
            stage.location,
        )
    for old, outer, inner, factor in zip(previous, outers, inners, factors, strict=True):
        schedule = split(schedule, stage, old, outer, inner, factor, tail)
    return reorder(schedule, stage, [*inners, *outers])


def fuse(schedule: Schedule, stage: StageShape, inner: Name, outer: Name, fused: Name) -> Schedule:
    """Loops `inner` and `outer` become one loop `fused`, in the place of `inner`."""
    loops = stage.loops(schedule)
    outer_loop = _find(stage, loops, outer, "find outer fuse dimension:")
    rest = replace(loops, loops=tuple(loop for loop in loops.loops if loop is not outer_loop))
    inner_loop = _find(stage, rest, inner, "find inner fuse dimension:")
    if isinstance(fused, Dim):
        for source in (inner_loop, outer_loop):
            if source.reduction and not fused.reduction:
                text = f"Can't fuse Var {fused.name} from RVar {source.name}: the fused loop must be an RVar too."
                raise refuse(text, stage.location)
        if fused.reduction and not (inner_loop.reduction or outer_loop.reduction):
            text = f"Can't fuse RVar {fused.name} from Var {inner_loop.name} and Var {outer_loop.name}: use a Var."
            raise refuse(text, stage.location)
    _require_unused(schedule, stage, name_of(fused), {inner_loop.name, outer_loop.name})
    result = schedule.add(Fuse(stage.ref, inner_loop.name, outer_loop.name, name_of(fused)))
    refuse_reordering(schedule, result, stage)
    if stage.loops(result).find(name_of(fused)).kind in CONCURRENT:  # type: ignore[union-attr]
        refuse_race(result, stage, name_of(fused))
    return result


def reorder(schedule: Schedule, stage: StageShape, variables: Sequence[Name]) -> Schedule:
    """The named loops take their places in this order, innermost first; the others keep theirs."""
    loops = stage.loops(schedule)
    names: list[str] = []
    for variable in variables:
        name = name_of(variable)
        if name == OUTERMOST:
            continue
        if name in names:
            text = f"In schedule for {stage.ref}, call to reorder references {name} twice."
            raise refuse(text, stage.location, loops)
        _check_name_kind(stage, loops, variable)
        if loops.find(name) is None:
            text = f"In schedule for {stage.ref}, could not find var {name} to reorder in the argument list."
            raise refuse(text, stage.location, loops)
        names.append(name)
    if not names:
        return schedule
    result = schedule.add(Reorder(stage.ref, tuple(names)))
    refuse_reordering(schedule, result, stage)
    return result


def rename(schedule: Schedule, stage: StageShape, old: Name, new: Name) -> Schedule:
    """Loop `old` is called `new` from here on."""
    loop = _find(stage, stage.loops(schedule), old, "find rename dimension:")
    if name_of(new) == loop.name:
        return schedule
    _require_unused(schedule, stage, name_of(new), set())
    return schedule.add(Rename(stage.ref, loop.name, name_of(new)))


def mark(schedule: Schedule, stage: StageShape, variable: Name, kind: LoopKind) -> Schedule:
    """Loop `variable` runs as `kind`."""
    loops = stage.loops(schedule)
    if name_of(variable) == OUTERMOST:
        return schedule
    _check_name_kind(stage, loops, variable)
    loop = loops.find(name_of(variable))
    if loop is None:
        text = (
            f"In schedule for {stage.ref}, could not find dimension {name_of(variable)} to mark as "
            f"{_KIND_WORDS[kind]} in vars for function"
        )
        raise refuse(text, stage.location, loops)
    result = schedule.add(Mark(stage.ref, loop.name, kind))
    if kind in CONCURRENT:
        refuse_race(result, stage, loop.name)
    refuse_blend_races(result, stage)
    return result


def serial(schedule: Schedule, stage: StageShape, variable: Name) -> Schedule:
    return mark(schedule, stage, variable, LoopKind.SERIAL)


def parallel(
    schedule: Schedule,
    stage: StageShape,
    variable: Name,
    factor: Expr | int | None = None,
    tail: TailStrategy = TailStrategy.Auto,
) -> Schedule:
    """Loop `variable` runs on many threads; with a `factor`, in tasks of that many iterations."""
    if factor is not None:
        schedule = _split_off(schedule, stage, variable, "p", factor, tail)[0]
    return mark(schedule, stage, variable, LoopKind.PARALLEL)


def vectorize(
    schedule: Schedule,
    stage: StageShape,
    variable: Name,
    factor: Expr | int | None = None,
    tail: TailStrategy = TailStrategy.Auto,
) -> Schedule:
    """Loop `variable`, or the inner part of it of length `factor`, becomes one vector."""
    if factor is None:
        return mark(schedule, stage, variable, LoopKind.VECTORIZED)
    refuse_race(schedule, stage, name_of(variable))
    schedule, inner = _split_off(schedule, stage, variable, "v", factor, tail)
    return mark(schedule, stage, inner, LoopKind.VECTORIZED)


def unroll(
    schedule: Schedule,
    stage: StageShape,
    variable: Name,
    factor: Expr | int | None = None,
    tail: TailStrategy = TailStrategy.Auto,
) -> Schedule:
    """The body of loop `variable`, or of the inner part of it of length `factor`, is repeated in place of looping."""
    if factor is None:
        return mark(schedule, stage, variable, LoopKind.UNROLLED)
    schedule, inner = _split_off(schedule, stage, variable, "u", factor, tail)
    return mark(schedule, stage, inner, LoopKind.UNROLLED)


def allow_race_conditions(schedule: Schedule, stage: StageShape) -> Schedule:
    """The user vouches that the loops over reduction variables may run in any order, or at once."""
    return schedule.add(AllowRaces(stage.ref))


def unscheduled(schedule: Schedule, stage: StageShape) -> Schedule:
    """The user leaves the stage as it is on purpose: no warning about it."""
    return schedule.add(Unscheduled(stage.ref))


def _split_off(
    schedule: Schedule, stage: StageShape, variable: Name, suffix: str, factor: Expr | int, tail: TailStrategy
) -> tuple[Schedule, str]:
    """`variable` split into itself and an inner loop with a name of our own; that name."""
    inner = unused_name(schedule, stage, f"{name_of(variable)}.{suffix}")
    return split(schedule, stage, variable, name_of(variable), inner, factor, tail), inner


_KIND_WORDS = {
    LoopKind.SERIAL: "serial",
    LoopKind.PARALLEL: "parallel",
    LoopKind.VECTORIZED: "vectorized",
    LoopKind.UNROLLED: "unrolled",
    LoopKind.GPU_BLOCK: "gpu_block",
    LoopKind.GPU_THREAD: "gpu_thread",
    LoopKind.GPU_LANE: "gpu_lane",
}


def _kind(reduction: bool) -> str:
    return "RVar" if reduction else "Var"


def _find(stage: StageShape, loops: StageLoops, variable: Name, purpose: str) -> Loop:
    _check_name_kind(stage, loops, variable)
    loop = loops.find(name_of(variable))
    if loop is None:
        text = f"In schedule for {stage.ref}, could not {purpose} {name_of(variable)}"
        if name_of(variable) == OUTERMOST:
            text += "\nVar.outermost() is the place outside all loops: it runs once and can't be changed."
        raise refuse(text, stage.location, loops)
    return loop


def _check_name_kind(stage: StageShape, loops: StageLoops, variable: Name) -> None:
    """A Var does not stand for an RVar of the same name, nor the other way round."""
    if not isinstance(variable, Dim):
        return
    loop = loops.find(variable.name)
    if loop is not None and loop.reduction != variable.reduction:
        text = (
            f"{_kind(variable.reduction)} {variable.name} used in scheduling directive has the same name as existing "
            f"{_kind(loop.reduction)} {loop.name}"
        )
        raise refuse(f"{text} of {stage.ref}: give the {_kind(loop.reduction)} itself.", stage.location, loops)


def _require_unused(schedule: Schedule, stage: StageShape, name: str, replaced: set[str]) -> None:
    if name in replaced:
        return
    if name == OUTERMOST or name in used_names(schedule, stage):
        text = (
            f"In schedule for {stage.ref}, can't create var {name} using a split or tile, because {name} is already "
            "used in this Func's schedule elsewhere."
        )
        raise refuse(text, stage.location, stage.loops(schedule))


def _checked_factor(stage: StageShape, old: str, factor: Expr | int) -> Expr:
    size = as_factor(factor)
    if isinstance(size, Const) and size.value <= 0:
        text = f"Can't split {old} by {size.value}. Split factors must be strictly positive"
        raise refuse(f"{text} (in schedule for {stage.ref}).", stage.location)
    check_scalar(size, f"the factor {size} of the split of {old}", str(stage.ref), stage.location)
    return size
