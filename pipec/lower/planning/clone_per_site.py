"""One copy of a Func for each place where it is computed.

    h(x) = f(x), h(r) += f(r); f.compute_at(h, x)  -->  h(x) = f(x), h(r) += f.1(r); each in the loop of its own stage

A Func with updates that has no place is computed where it is used: every stage that uses it gets a copy of its own.
The versions of a specialised stage have loops of their own, so what is computed in them is copied as well.
"""

from __future__ import annotations

from typing import Any

from pipec import records
from pipec.errors import PlacementError, ScheduleError
from pipec.func.functions.definition import FuncDef, StageDef
from pipec.ir.expr import FuncCall
from pipec.ir.node import Node
from pipec.ir.walk import rewrite
from pipec.lower.planning.fused_stages import FusedStages, order_by_group
from pipec.lower.planning.versions import (
    Change,
    SpecializedStage,
    Version,
    callees,
    map_func,
    map_stage,
    under_assumptions,
    versions_of,
)
from pipec.schedule.compute_with import ComputeWith
from pipec.schedule.directive import Directive
from pipec.schedule.fields import LoopLevel, Renaming, StageRef
from pipec.schedule.placement import ComputeAt, FuncSchedule, HoistStorage, StoreAt, func_schedule
from pipec.schedule.schedule import Schedule

# Code grows with the copies, and their number is a product of the numbers of versions around them.
MOST_COPIES = 500

Stage = tuple[str, int, tuple[int, ...]]
"""A Func, as copied, the number of one of its stages, and which version of that."""


@records.dataclass
class Copies:
    """The Funcs, producers first; the schedule for them; for each Func without a place the stage that uses it.

    `originals`: for each Func the name of that which it is a copy of, or its own.
    """

    funcs: dict[str, FuncDef]
    schedule: Schedule
    owners: dict[str, Stage]
    originals: dict[str, str]


def clone_funcs(funcs: dict[str, FuncDef], outputs: tuple[str, ...], schedule: Schedule) -> Copies:
    """Copies what is computed in several places; what nothing uses any more is dropped."""
    copier = _Copier(funcs, outputs, schedule)
    for func in reversed(copier.in_order(funcs)):
        copier.place(func)
    directives = [d for d in schedule.directives if copier.keeps(d)]
    longer = schedule if not copier.directives else Schedule((*directives, *copier.directives))
    if copier.directives and copier.fused.pairs:
        longer = Schedule(tuple([copier.together(d) if isinstance(d, ComputeWith) else d for d in longer.directives]))
    return Copies(dict(reversed(copier.final.items())), longer, copier.owners, copier.original)


class _Copier:
    """Goes through the Funcs consumers first."""

    def __init__(self, funcs: dict[str, FuncDef], outputs: tuple[str, ...], schedule: Schedule) -> None:
        self.outputs = outputs
        self.schedule = schedule
        self.fused = FusedStages(funcs, schedule)
        self.final: dict[str, FuncDef] = {}
        self.owners: dict[str, Stage] = {}
        self.users: dict[str, list[Stage]] = {}
        self.original: dict[str, str] = {}
        # The stages around the place of each Func, innermost first.
        self.around: dict[str, tuple[Stage, ...]] = {}
        # Places that were made definite, instead of those of the schedule.
        self.directives: list[Directive] = []
        self.replaced: set[str] = set()

    def in_order(self, funcs: dict[str, FuncDef]) -> list[FuncDef]:
        """Producers first; what shares loops together, as it is around what is computed in these."""
        if not self.fused.pairs:
            return list(funcs.values())
        needs = {
            name: [used for stage in func.stages for version in versions_of(stage) for used in callees(version.stage)]
            for name, func in funcs.items()
        }
        groups = {name: group for group in self.fused.groups() for name in group}
        return [funcs[name] for name in order_by_group(needs, groups)]

    def keeps(self, directive: Directive) -> bool:
        return not (isinstance(directive, (ComputeAt, StoreAt, HoistStorage)) and directive.func in self.replaced)

    def place(self, func: FuncDef) -> None:
        name = func.name
        place = func_schedule(self.schedule, name)
        if name in self.outputs or (place.compute.is_root and name in self.users):
            self.finish(func, ())
        elif name in self.users:
            groups: dict[Stage | None, list[Stage]] = {}
            for user in self.users[name]:
                groups.setdefault(self.enclosing(user, place.compute), []).append(user)
            self.copy(func, place, groups)

    def enclosing(self, user: Stage, level: LoopLevel) -> Stage | None:
        """The stage around a use whose loop `level` names; the user itself when the Func has no place."""
        if level.is_inlined:
            return user
        for stage in (user, *self.around[user[0]]):
            for sharer in self.fused_with(stage, level.var):
                if self.original[sharer[0]] == level.func and level.stage in (None, sharer[1]):
                    return sharer
        return None

    def fused_with(self, stage: Stage, var: str) -> list[Stage]:
        """The stages that share loop `var` of a stage, itself included."""
        if not self.fused.pairs:
            return [stage]
        own = StageRef(self.original[stage[0]], stage[1], stage[2])
        depth = self.fused.depth(own, var)
        others = [] if depth is None else [ref for ref in self.fused.fused_with(own, depth) if ref != own]
        found = [(self.copy_beside(stage[0], ref.func), ref.stage, ref.path) for ref in others]
        return [stage, *[(name, number, path) for name, number, path in found if name is not None]]

    def copy_beside(self, name: str, original: str) -> str | None:
        """The copy of a Func that is computed in the same place as the copy `name` of another one."""
        around = self.around[name]
        return next((c for c, o in self.original.items() if o == original and self.around[c] == around), None)

    def together(self, wish: ComputeWith) -> ComputeWith:
        """A compute_with, with the copy that is computed in the same place."""
        if wish.stage.func not in self.around:
            return wish
        other = self.copy_beside(wish.stage.func, wish.other.func)
        if other is None:
            raise PlacementError(
                f"Error: Fused groups must either be entirely used or unused: {wish.other.func} is not needed in one "
                f"of the places where {wish.stage.func} is computed with it.\nCompute both where all their uses are "
                "enclosed, e.g. compute_root(), or leave out the compute_with."
            )
        return wish.replace(other=records.replace(wish.other, func=other))

    def copy(self, func: FuncDef, place: FuncSchedule, groups: dict[Stage | None, list[Stage]]) -> None:
        if len(groups) > MOST_COPIES and any(stage is not None and stage[2] for stage in groups):
            raise _too_many(func, len(groups))
        definite = len(groups) > 1 or any(stage is not None and stage[0] != place.compute.func for stage in groups)
        for number, (stage, users) in enumerate(groups.items()):
            name = f"{func.name}.{number}" if number else func.name
            for user in users if number else ():
                self.final[user[0]] = _rename_in_stage(self.final[user[0]], user, func.name, name)
            around = () if stage is None else (stage, *self.around[stage[0]])
            if place.compute.is_inlined and stage is not None:
                self.owners[name] = stage
            if definite and stage is not None:
                self.schedule_copy(func.name, name, place, around)
            copied = _renamed(records.replace(func, name=name), func.name, name) if number else func
            for outside in around:
                copied = under_assumptions(copied, self.version(outside).assumptions)
            self.finish(copied, around, func.name)

    def schedule_copy(self, original: str, name: str, place: FuncSchedule, around: tuple[Stage, ...]) -> None:
        """The directives of the original for a copy, with the loops of just the stages around it."""
        self.replaced.add(original)
        if name != original:
            for directive in self.schedule.directives:
                if not isinstance(directive, (ComputeAt, StoreAt, HoistStorage)):
                    self.directives += _for_copy(directive, original, name)
        if not place.compute.is_inlined:
            self.directives.append(ComputeAt(name, self.definite(place.compute, around)))
            if place.store_explicit:
                self.directives.append(StoreAt(name, self.definite(place.store, around)))
            if hoist := place.last(HoistStorage):
                self.directives.append(HoistStorage(name, self.definite(hoist.level, around)))

    def definite(self, level: LoopLevel, around: tuple[Stage, ...]) -> LoopLevel:
        if level.is_root or level.is_inlined:
            return level
        for func, stage, _ in around:
            if self.original[func] == level.func and level.stage in (None, stage):
                return LoopLevel(func, level.var, stage)
        return level

    def finish(self, func: FuncDef, around: tuple[Stage, ...], original: str = "") -> None:
        self.final[func.name] = func
        self.original[func.name] = original or func.name
        self.around[func.name] = around
        for number, stage in enumerate(func.stages):
            for version in versions_of(stage):
                for used in () if version.failure else callees(version.stage):
                    if used != func.name:
                        self.users.setdefault(used, []).append((func.name, number, version.path))

    def version(self, stage: Stage) -> Version:
        name, number, path = stage
        return next(v for v in versions_of(self.final[name].stages[number]) if v.path == path)


def _too_many(func: FuncDef, copies: int) -> ScheduleError:
    return ScheduleError(
        f"Error: Func {func.name} is computed inside specialized Funcs, whose versions multiply: it would be compiled "
        f"{copies} times, of which at most {MOST_COPIES} are possible.\nCompute it, or a Func between, outside their "
        f"loops, e.g. {func.name}.compute_root(), or specialize fewer of them. ({func.location})"
    )


def _for_copy(directive: Directive, original: str, name: str) -> list[Directive]:
    renaming = Renaming(lambda func: name if func == original else func)
    return [directive.renamed(renaming)] if directive.owner == original else []


def _rename_in_stage(func: FuncDef, user: Stage, old: str, new: str) -> FuncDef:
    """`func` with calls of `new` instead of `old` in one version of a stage."""
    _, number, path = user
    stage = func.stages[number]
    if isinstance(stage, SpecializedStage):
        versions = [
            records.replace(v, stage=map_stage(v.stage, _renaming(old, new))) if v.path == path else v
            for v in stage.versions
        ]
        renamed: StageDef = records.replace(stage, versions=tuple(versions))
    else:
        renamed = map_stage(stage, _renaming(old, new))
    return records.replace(func, stages=(*func.stages[:number], renamed, *func.stages[number + 1 :]))


def _renamed(func: FuncDef, old: str, new: str) -> FuncDef:
    """`func` with calls of `new` instead of `old`."""
    return map_func(func, _renaming(old, new))


def _renaming(old: str, new: str) -> Change:
    def change(node: Any) -> Any:
        if isinstance(node, FuncCall) and node.name == old:
            return FuncCall(node.type, new, node.args, node.value_index, None)
        return node

    memo: dict[Node, Any] = {}
    return lambda e: rewrite(e, change, memo)
