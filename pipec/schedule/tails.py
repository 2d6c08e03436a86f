"""Which tail strategies a split may use, and which one `Auto` stands for."""

from __future__ import annotations

from pipec.ir.expr import Const, Expr
from pipec.schedule.directive import Fuse, Rename, Split, StageRef, TailStrategy
from pipec.schedule.names import qualified_names
from pipec.schedule.schedule import Loop, Schedule
from pipec.schedule.shape import StageShape, refuse

_PREDICATED = (TailStrategy.PredicateLoads, TailStrategy.PredicateStores)
_EXACT = (TailStrategy.GuardWithIf, TailStrategy.Predicate)


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


def automatic_tail(schedule: Schedule, stage: StageRef, loop: str, reduction: bool, factor: Expr) -> TailStrategy:
    """What Auto stands for in a split of `loop` by `factor` after `schedule`."""
    return _automatic(stage.stage > 0, Loop(loop, reduction=reduction), factor, _Origins(schedule, stage))


class _Origins:
    """Where the loops of a stage come from, as far as tails are concerned."""

    def __init__(self, schedule: Schedule, stage: StageRef) -> None:
        self.inner: dict[str, Expr | None] = {}  # loops from an inner loop; its exact extent when nothing was shifted
        self.shifted: dict[str, Expr] = {}  # loops over blocks of a ShiftInwards split: its factor
        self.predicated: set[str] = set()  # loops from a PredicateLoads or PredicateStores split
        for directive in schedule.of_stage(stage):
            match directive:
                case Split():
                    self._split(directive)
                case Fuse(inner=inner, outer=outer, fused=fused):
                    self._fuse(inner, outer, fused)
                case Rename(old=old, new=new):
                    self._rename(old, new)

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

    def _fuse(self, inner: str, outer: str, fused: str) -> None:
        from_inner = inner in self.inner or outer in self.inner
        predicated = inner in self.predicated or outer in self.predicated
        for name in (inner, outer):
            self.inner.pop(name, None)
            self.shifted.pop(name, None)
            self.predicated.discard(name)
        if from_inner:
            self.inner[fused] = None
        if predicated:
            self.predicated.add(fused)

    def _rename(self, old: str, new: str) -> None:
        if old in self.inner:
            self.inner[new] = self.inner.pop(old)
        if old in self.shifted:
            self.shifted[new] = self.shifted.pop(old)
        if old in self.predicated:
            self.predicated.discard(old)
            self.predicated.add(new)


def _blocks(extent: Expr | None, factor: Expr) -> Expr | None:
    """How many blocks of `factor` cover a loop of this extent, when both are known."""
    if isinstance(extent, Const) and isinstance(factor, Const):
        return Const(extent.type, -(-extent.value // factor.value))
    return None


def _divides(factor: Expr, extent: Expr | None) -> bool:
    if extent is factor:
        return True
    return isinstance(factor, Const) and isinstance(extent, Const) and extent.value % factor.value == 0


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
