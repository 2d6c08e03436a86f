"""Which stages share which of their loops, as compute_with says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pipec.func.functions.definition import FuncDef
from pipec.lower.planning.stage_shape import stage_dims
from pipec.records import dataclass, replace
from pipec.schedule.directive import ComputeWith, Specialize, SpecializeFail, StageRef
from pipec.schedule.fusion import fused_pairs
from pipec.schedule.schedule import Loop, Schedule, stage_loops
from pipec.schedule.shape import OUTERMOST


def with_versions(schedule: Schedule) -> Schedule:
    """`schedule` with a version of each stage that shares loops for each specialisation of the stage it follows."""
    wishes = {wish.stage: wish for wish in fused_pairs(schedule)}
    done: set[StageRef] = set()

    def follow(stage: StageRef, schedule: Schedule) -> Schedule:
        wish = wishes.get(stage)
        if wish is None or stage in done:
            return schedule
        done.add(stage)
        return _followed(wish, follow(wish.other, schedule))

    for stage in wishes:
        schedule = follow(stage, schedule)
    return schedule


def _followed(wish: ComputeWith, schedule: Schedule) -> Schedule:
    made = 0
    for directive in schedule.of_stage(wish.other):
        if isinstance(directive, SpecializeFail):
            schedule = schedule.add(replace(directive, stage=wish.stage))
        if isinstance(directive, Specialize):
            schedule = schedule.add(replace(directive, stage=wish.stage))
            version = replace(wish, stage=_version(wish.stage, made), other=_version(wish.other, made))
            schedule = _followed(version, schedule.add(version))
            made += 1
    return schedule


def _version(stage: StageRef, number: int) -> StageRef:
    return replace(stage, path=(*stage.path, number))


def gathered(needs: Mapping[str, Iterable[str]], groups: Mapping[str, Sequence[str]]) -> list[str]:
    """The Funcs, those of a group next to one another, all that any of them needs before them."""
    order: dict[str, None] = {}

    def add(name: str) -> None:
        if name in order or name not in needs:
            return
        members = groups.get(name, (name,))
        for member in members:
            for used in needs[member]:
                if used not in members:
                    add(used)
        order.update(dict.fromkeys(members))

    for name in needs:
        add(name)
    return list(order)


def outer_loops(func: FuncDef, schedule: Schedule, stage: StageRef) -> list[Loop]:
    """The loops of a stage, outermost first."""
    return list(reversed(stage_loops(schedule, stage, stage_dims(func, stage.stage)).loops))


@dataclass(frozen=True)
class Pair:
    """A stage shares the `depth` outermost loops of its parent; 0: they only come one right after the other."""

    wish: ComputeWith
    depth: int

    @property
    def parent(self) -> StageRef:
        return self.wish.other


class Sharing:
    """The pairs of stages that share loops, by the one that was told to. All of them must be legal."""

    def __init__(self, funcs: Mapping[str, FuncDef], schedule: Schedule) -> None:
        self._funcs = funcs
        self._schedule = schedule
        self.pairs: dict[StageRef, Pair] = {}
        self._children: dict[StageRef, list[StageRef]] = {}
        for wish in fused_pairs(schedule):
            if wish.stage.func in funcs and wish.other.func in funcs:
                depth = self.depth(wish.other, wish.var)
                if depth is not None:
                    self.pairs[wish.stage] = Pair(wish, depth)
                    self._children.setdefault(wish.other, []).append(wish.stage)
        for children in self._children.values():
            children.sort(key=lambda stage: (stage.func, stage.stage, stage.path))

    def loops(self, stage: StageRef) -> list[Loop]:
        return outer_loops(self._funcs[stage.func], self._schedule, stage)

    def depth(self, stage: StageRef, var: str) -> int | None:
        """How many loops of a stage are around the inside of its loop `var`; None: it has no such loop."""
        if var == OUTERMOST:
            return 0
        names = [loop.name for loop in self.loops(stage)]
        return names.index(var) + 1 if var in names else None

    def sharers(self, stage: StageRef, depth: int) -> list[StageRef]:
        """The stages with which a stage shares its `depth` outermost loops, itself included; the leader first."""
        if not self.pairs:
            return [stage]
        while stage in self.pairs and self.pairs[stage].depth >= depth:
            stage = self.pairs[stage].parent
        found = [stage]
        for child in self._children.get(stage, ()):
            if self.pairs[child].depth >= depth:
                found += self._below(child, depth)
        return found

    def _below(self, stage: StageRef, depth: int) -> list[StageRef]:
        found = [stage]
        for child in self._children.get(stage, ()):
            if self.pairs[child].depth >= depth:
                found += self._below(child, depth)
        return found

    def groups(self) -> list[list[str]]:
        """The Funcs that are computed together: for each group its names, the leader's first."""
        found: list[list[str]] = []
        for stage in self.pairs:
            names = list(dict.fromkeys(member.func for member in self.sharers(stage, 0)))
            touched = [group for group in found if not set(group).isdisjoint(names)]
            merged = list(dict.fromkeys(name for group in [*touched, names] for name in group))
            found = [group for group in found if group not in touched] + [merged]
        return found
