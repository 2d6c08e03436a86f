"""The split directive: which tail strategies it may use, and which one `Auto` stands for."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

from pipec.ir.expr import Const, Expr
from pipec.ir.stmt import THREADED
from pipec.schedule.directive import StageDirective
from pipec.schedule.fields import Factor, LoopName, StageRef
from pipec.schedule.names import qualified_names, require_unused
from pipec.schedule.races import loop_origins, races_allowed
from pipec.schedule.schedule import Dim, Loop, Schedule
from pipec.schedule.shape import Name, StageShape, find_loop, name_of, refuse, scalar, variable_kind

if TYPE_CHECKING:
    from pipec.schedule.python_text import CallWriter


class TailStrategy(enum.Enum):
    """The strategies of a split whose factor does not divide the extent."""

    RoundUp = 0
    GuardWithIf = 1
    Predicate = 2
    PredicateLoads = 3
    PredicateStores = 4
    ShiftInwards = 5
    ShiftInwardsAndBlend = 6
    RoundUpAndBlend = 7
    Auto = 8


_PREDICATED = (TailStrategy.PredicateLoads, TailStrategy.PredicateStores)
_EXACT = (TailStrategy.GuardWithIf, TailStrategy.Predicate)
_BLENDING = (TailStrategy.ShiftInwardsAndBlend, TailStrategy.RoundUpAndBlend)


class Split(StageDirective):
    """old = outer * factor + inner.

    `factor`: an int32 Expr of constants and Params; `tail`: never Auto in a checked schedule.
    """

    METHOD = "split"
    SOURCES = ("old",)
    RESULTS = ("inner", "outer")

    old: LoopName
    outer: LoopName
    inner: LoopName
    factor: Factor
    tail: TailStrategy

    @classmethod
    def apply(
        cls,
        schedule: Schedule,
        stage: StageShape,
        old: Name,
        outer: Name,
        inner: Name,
        factor: Expr | int,
        tail: TailStrategy = TailStrategy.Auto,
    ) -> Schedule:
        """Refuses unknown or used names, factors below 1 and tails that could change the result; resolves Auto."""
        loops = stage.loops(schedule)
        loop = find_loop(stage, loops, old, "find split dimension:")
        if name_of(outer) == name_of(inner):
            text = (
                f"In schedule for {stage.ref}, can't split {loop.name} into {name_of(outer)} and {name_of(inner)} "
                "because the new Vars have the same name."
            )
            raise refuse(text, stage.location, loops)
        for variable in (outer, inner):
            if isinstance(variable, Dim) and variable.reduction != loop.reduction:
                old_kind, new_kind = variable_kind(loop.reduction), variable_kind(variable.reduction)
                text = f"Can't split {old_kind} {loop.name} into {new_kind} {variable.name}"
                raise refuse(f"{text}: the new loops must be {old_kind}s too.", stage.location)
            require_unused(schedule, stage, name_of(variable), {loop.name})
        size = scalar(stage, factor, f"the factor of the split of {loop.name}")
        if isinstance(size, Const) and size.value <= 0:
            text = f"Can't split {loop.name} by {size.value}. Split factors must be strictly positive"
            raise refuse(f"{text} (in schedule for {stage.ref}).", stage.location)
        resolved = resolve_tail(schedule, stage, loop, size, tail)
        result = schedule.add(cls(stage.ref, loop.name, name_of(outer), name_of(inner), size, resolved))
        refuse_blend_races(result, stage)
        return result

    def runs_once(self, loop: str) -> bool:
        """The inner loop of a split by 1 does."""
        return loop == self.inner and isinstance(self.factor, Const) and self.factor.value == 1

    def to_call(self, writer: CallWriter) -> str:
        """Leaves out the tail where Auto stands for it."""
        names = [writer.loop(self.stage, name) for name in (self.old, self.outer, self.inner)]
        return f".split({', '.join(names)}, {writer.expression(self.factor)}{writer.tail(self)})"


def resolve_tail(schedule: Schedule, stage: StageShape, loop: Loop, factor: Expr, tail: TailStrategy) -> TailStrategy:
    """`tail` checked for a split of `loop` by `factor`; Auto becomes the cheapest one that keeps every value."""
    origin = _Origins(schedule, stage.ref)
    name = qualified_names(schedule, stage)[loop.name]
    where = f"update definition of {stage.ref}" if stage.is_update else f"the definition of {stage.ref}"
    if loop.name in origin.predicated:
        text = "Cannot split a loop variable resulting from a split using PredicateLoads or PredicateStores."
        mend = f"In {where}: split {name} with TailStrategy::GuardWithIf or Predicate in the first place."
        raise refuse(f"{text}\n{mend}", stage.location)
    if tail is TailStrategy.Auto:
        return _automatic(stage.is_update, loop, factor, origin)
    legal = "Legal here: " + ", ".join(f"TailStrategy::{t.name}" for t in _legal(stage, loop, factor, origin)) + "."
    if tail in _legal(stage, loop, factor, origin):
        return tail
    if tail is TailStrategy.ShiftInwards and stage.is_update:
        text = (
            f"When splitting Var {name} ShiftInwards is not a legal tail strategy for update definitions, as it may "
            "change the meaning of the algorithm"
        )
    elif loop.reduction:
        text = (
            f"When splitting Var {name} the tail strategy must be GuardWithIf, Predicate, or Auto. Anything else may "
            "change the meaning of the algorithm"
        )
    elif tail is TailStrategy.RoundUp:
        text = (
            f"Can't use TailStrategy::RoundUp for splitting {name} in {where}. It may redundantly recompute some "
            "values, which could change the meaning of the algorithm. Use TailStrategy::GuardWithIf instead."
        )
    else:
        text = (
            f"Can't use TailStrategy::{tail.name} for splitting {name} in the definition of {stage.ref}. "
            f"{tail.name} may not be used to split a Var stemming from the inner Var of a prior split."
        )
    raise refuse(f"{text}\n{legal}", stage.location)


def refuse_blend_races(schedule: Schedule, stage: StageShape) -> None:
    """Raises when a blending tail rewrites elements that another iteration may be writing."""
    blends = [d for d in schedule.of_stage(stage.ref) if isinstance(d, Split) and d.tail in _BLENDING]
    if not blends or races_allowed(schedule, stage):
        return
    origins = loop_origins(schedule, stage)
    parallel = {loop.name for loop in stage.loops(schedule).loops if loop.kind in THREADED}
    for at, blend in enumerate(schedule.of_stage(stage.ref)):
        if blend not in blends or not isinstance(blend, Split):
            continue
        prefix = Schedule(schedule.of_stage(stage.ref)[:at])
        origin = loop_origins(prefix, stage)[blend.old]
        if any(origins[name] & origin for name in parallel):
            path = qualified_names(prefix, stage)[blend.old]
            raise refuse(
                f"Tail strategy {blend.tail.name} may not be used to split {path} because other vars stemming from "
                "the same original Var or RVar are marked as parallel. This could cause a race condition.\n"
                f"In schedule for {stage.ref}: use TailStrategy::GuardWithIf, or run {sorted(parallel)[0]} serially.",
                stage.location,
            )


def automatic_tail(schedule: Schedule, stage: StageRef, loop: str, reduction: bool, factor: Expr) -> TailStrategy:
    """Returns the strategy that Auto stands for in a split of `loop` by `factor` after `schedule`."""
    return _automatic(stage.stage > 0, Loop(loop, reduction=reduction), factor, _Origins(schedule, stage))


class _Origins:
    """The origins of the loops of a stage that decide which tails are legal."""

    def __init__(self, schedule: Schedule, stage: StageRef) -> None:
        self.inner: dict[str, Expr | None] = {}  # loops from an inner loop; its exact extent when nothing was shifted
        self.shifted: dict[str, Expr] = {}  # loops over blocks of a ShiftInwards split: its factor
        self.predicated: set[str] = set()  # loops from a PredicateLoads or PredicateStores split
        for directive in schedule.of_stage(stage):
            if isinstance(directive, Split):
                self._split(directive)
            elif directive.SOURCES:
                self._merge(directive.sources(), *directive.results())

    def _split(self, split: Split) -> None:
        predicated = split.old in self.predicated or split.tail in _PREDICATED
        shifted = self.shifted.pop(split.old, None)
        was_inner = split.old in self.inner
        extent = self.inner.pop(split.old, None)
        self.predicated.discard(split.old)
        if was_inner:
            self.inner[split.outer] = _blocks(extent, split.factor)
        self.inner[split.inner] = split.factor
        if split.tail is TailStrategy.ShiftInwards:
            self.shifted[split.outer] = split.factor
        elif shifted is not None:
            self.shifted[split.outer] = self.shifted[split.inner] = shifted
        if predicated:
            self.predicated.add(split.inner)

    def _merge(self, sources: tuple[str, ...], result: str) -> None:
        """One loop takes the place of one other (rename) or of several (fuse)."""
        extents = [self.inner.pop(name) for name in sources if name in self.inner]
        shifts = [self.shifted.pop(name, None) for name in sources]
        if extents:
            self.inner[result] = extents[0] if len(sources) == 1 else None
        if len(sources) == 1 and shifts[0] is not None:
            self.shifted[result] = shifts[0]
        if not self.predicated.isdisjoint(sources):
            self.predicated = self.predicated.difference(sources) | {result}


def _blocks(extent: Expr | None, factor: Expr) -> Expr | None:
    """Returns the number of blocks of `factor` that cover a loop of this extent, when both are known."""
    if isinstance(extent, Const) and isinstance(factor, Const) and factor.value > 0:
        return Const(extent.type, -(-extent.value // factor.value))
    return None


def _divides(factor: Expr, extent: Expr | None) -> bool:
    if extent is factor:
        return True
    if not isinstance(factor, Const) or not isinstance(extent, Const):
        return False
    return bool(factor.value > 0 and extent.value % factor.value == 0)


def _covers(large: Expr, small: Expr) -> bool:
    if large is small:
        return True
    return isinstance(large, Const) and isinstance(small, Const) and large.value >= small.value


def _legal(stage: StageShape, loop: Loop, factor: Expr, origin: _Origins) -> list[TailStrategy]:
    exact = loop.name in origin.inner and _divides(factor, origin.inner[loop.name])
    if loop.reduction:
        return [TailStrategy.RoundUp, *_EXACT] if exact else list(_EXACT)
    legal = list(_EXACT) + [TailStrategy.PredicateStores]
    legal += [TailStrategy.ShiftInwardsAndBlend, TailStrategy.RoundUpAndBlend]
    if loop.name not in origin.inner:
        legal.append(TailStrategy.PredicateLoads)
    if not stage.is_update:
        legal.append(TailStrategy.ShiftInwards)
    if exact or not stage.is_update or loop.name not in origin.inner:
        legal.append(TailStrategy.RoundUp)
    return sorted(legal, key=lambda t: t.value)


def _automatic(is_update: bool, loop: Loop, factor: Expr, origin: _Origins) -> TailStrategy:
    inner = loop.name in origin.inner
    if inner and _divides(factor, origin.inner[loop.name]):
        return TailStrategy.RoundUp
    if loop.reduction:
        return TailStrategy.GuardWithIf
    if is_update:
        return TailStrategy.GuardWithIf if inner else TailStrategy.RoundUp
    if inner:
        extent = origin.inner[loop.name]
        # Shifting a block that is longer than the loop would start before the loop does.
        fits = extent is not None and _covers(extent, factor)
        return TailStrategy.ShiftInwards if fits else TailStrategy.GuardWithIf
    if loop.name in origin.shifted and _covers(origin.shifted[loop.name], factor):
        return TailStrategy.RoundUp
    return TailStrategy.ShiftInwards
