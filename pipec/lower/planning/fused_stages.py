"""Fused stages: which stages share which of their loops, as `compute_with` says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pipec.func.functions.definition import FuncDef, stage_dims
from pipec.records import dataclass, replace
from pipec.schedule.compute_with import ComputeWith, fused_pairs
from pipec.schedule.fields import OUTERMOST, StageRef
from pipec.schedule.schedule import Loop, Schedule, stage_loops
from pipec.schedule.specialize import Specialize, SpecializeFail


def copy_specializations(schedule: Schedule) -> Schedule:
    """Returns `schedule` with the specializations of a stage repeated for each stage that is computed with it."""
    pairs = {pair.stage: pair for pair in fused_pairs(schedule)}
    done: set[StageRef] = set()

    def copy_to(stage: StageRef, schedule: Schedule) -> Schedule:
        pair = pairs.get(stage)
        if pair is None or stage in done:
            return schedule
        done.add(stage)
        return _copied(pair, copy_to(pair.other, schedule))

    for stage in pairs:
        schedule = copy_to(stage, schedule)
    return schedule


def _copied(pair: ComputeWith, schedule: Schedule) -> Schedule:
    count = 0
    for directive in schedule.of_stage(pair.other):
        if isinstance(directive, SpecializeFail):
            schedule = schedule.add(directive.replace(stage=pair.stage))
        if isinstance(directive, Specialize):
            schedule = schedule.add(directive.replace(stage=pair.stage))
            version = pair.replace(stage=_version(pair.stage, count), other=_version(pair.other, count))
            schedule = _copied(version, schedule.add(version))
            count += 1
    return schedule


def _version(stage: StageRef, number: int) -> StageRef:
    return replace(stage, path=(*stage.path, number))


def order_by_group(needs: Mapping[str, Iterable[str]], groups: Mapping[str, Sequence[str]]) -> list[str]:
    """Orders Funcs so that those of a group are adjacent, and everything that any of them needs is before them."""
    order: dict[str, None] = {}

    def add(name: str) -> None:
        if name in order or name not in needs:
            return
        members = groups.get(name, (name,))
        for member in members:
            for producer in needs[member]:
                if producer not in members:
                    add(producer)
        order.update(dict.fromkeys(members))

    for name in needs:
        add(name)
    return list(order)


def outer_loops(func: FuncDef, schedule: Schedule, stage: StageRef) -> list[Loop]:
    """Returns the loops of a stage, outermost first."""
    return list(reversed(stage_loops(schedule, stage, stage_dims(func, stage.stage)).loops))


@dataclass(frozen=True)
class FusedPair:
    """A stage shares the `depth` outermost loops of its parent; 0: it only runs right after it."""

    directive: ComputeWith
    depth: int

    @property
    def parent(self) -> StageRef:
        """The stage whose loops are shared."""
        return self.directive.other


class FusedStages:
    """The pairs of fused stages, by the stage that is computed with another. All pairs must be legal."""

    def __init__(self, funcs: Mapping[str, FuncDef], schedule: Schedule) -> None:
        self._funcs = funcs
        self._schedule = schedule
        self.pairs: dict[StageRef, FusedPair] = {}
        self._children: dict[StageRef, list[StageRef]] = {}
        for directive in fused_pairs(schedule):
            if directive.stage.func in funcs and directive.other.func in funcs:
                depth = self.depth(directive.other, directive.var)
                if depth is not None:
                    self.pairs[directive.stage] = FusedPair(directive, depth)
                    self._children.setdefault(directive.other, []).append(directive.stage)
        for children in self._children.values():
            children.sort(key=lambda stage: (stage.func, stage.stage, stage.path))

    def loops(self, stage: StageRef) -> list[Loop]:
        """Returns the loops of a stage, outermost first."""
        return outer_loops(self._funcs[stage.func], self._schedule, stage)

    def depth(self, stage: StageRef, var: str) -> int | None:
        """Returns how many loops of a stage enclose the body of its loop `var`; None if it has no such loop."""
        if var == OUTERMOST:
            return 0
        names = [loop.name for loop in self.loops(stage)]
        return names.index(var) + 1 if var in names else None

    def fused_with(self, stage: StageRef, depth: int) -> list[StageRef]:
        """Returns the stages that share the `depth` outermost loops of a stage, itself included; the leader first."""
        if not self.pairs:
            return [stage]
        while stage in self.pairs and self.pairs[stage].depth >= depth:
            stage = self.pairs[stage].parent
        return self._with_children(stage, depth)

    def _with_children(self, stage: StageRef, depth: int) -> list[StageRef]:
        stages = [stage]
        for child in self._children.get(stage, ()):
            if self.pairs[child].depth >= depth:
                stages += self._with_children(child, depth)
        return stages

    def shared_depth(self, a: StageRef, b: StageRef) -> int:
        """Returns how many outermost loops two stages of one unit share."""
        depth = 0
        while b in self.fused_with(a, depth + 1):
            depth += 1
        return depth

    def runs_before(self, a: StageRef, b: StageRef) -> bool:
        """Returns whether stage `a` runs before stage `b` in an iteration of the loops that both share."""
        depth = self.shared_depth(a, b)
        members = self.fused_with(a, depth)
        first, second = (members.index(self.fused_with(stage, depth + 1)[0]) for stage in (a, b))
        return first < second

    def groups(self) -> list[list[str]]:
        """Returns the Funcs that have fused stages: for each group its names, the leader's first."""
        groups: list[list[str]] = []
        for stage in self.pairs:
            names = list(dict.fromkeys(member.func for member in self.fused_with(stage, 0)))
            joined = [group for group in groups if not set(group).isdisjoint(names)]
            merged = list(dict.fromkeys(name for group in [*joined, names] for name in group))
            groups = [group for group in groups if group not in joined] + [merged]
        return groups
