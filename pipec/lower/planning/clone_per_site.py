"""One clone of a Func for each loop in which it is computed.

    h(x) = f(x), h(r) += f(r); f.compute_at(h, x)  -->  h(x) = f(x), h(r) += f.1(r); each in the loop of its own stage

A Func with updates and without a compute level is computed in the innermost loop of each stage that reads it: each of
them gets a clone. So does each version of a specialized stage, because it has its own loops.
"""

from __future__ import annotations

from pipec import records
from pipec.errors import PlacementError, ScheduleError
from pipec.func.functions.definition import Change, FuncDef
from pipec.ir.walk import renaming_calls
from pipec.lower.planning.fused_stages import FusedStages, order_by_group
from pipec.lower.planning.versions import SpecializedStage, Version, under_assumptions, versions_of
from pipec.schedule.compute_with import ComputeWith
from pipec.schedule.directive import Directive
from pipec.schedule.fields import LevelRef, Renaming, StageRef
from pipec.schedule.placement import ComputeAt, FuncSchedule, HoistStorage, PlaceDirective, StoreAt, func_schedule
from pipec.schedule.schedule import Schedule

# Code grows with the clones, whose number is a product of the numbers of versions around them.
MAX_CLONES = 500

Stage = tuple[str, int, tuple[int, ...]]
"""A version of a stage: the name of its Func or clone, the number of the stage, the path of the version."""


@records.dataclass
class Clones:
    """The Funcs and clones, producers first, and the schedule for them.

    `owners`: for each Func without a compute level the stage that reads it. `originals`: for each clone the name of the
    Func that it is a clone of, for each other Func its own.
    """

    funcs: dict[str, FuncDef]
    schedule: Schedule
    owners: dict[str, Stage]
    originals: dict[str, str]


def clone_funcs(funcs: dict[str, FuncDef], outputs: tuple[str, ...], schedule: Schedule) -> Clones:
    """Clones each Func that is computed in several loops, and drops Funcs that nothing reads."""
    cloner = _Cloner(funcs, outputs, schedule)
    for func in reversed(cloner.in_order(funcs)):
        cloner.visit(func)
    if cloner.directives:
        directives = [
            d for d in schedule.directives if not isinstance(d, PlaceDirective) or d.func not in cloner.replaced
        ]
        directives += cloner.directives
        if cloner.fused.pairs:
            directives = [cloner.with_clone(d) if isinstance(d, ComputeWith) else d for d in directives]
        schedule = Schedule(tuple(directives))
    return Clones(dict(reversed(cloner.final.items())), schedule, cloner.owners, cloner.original)


class _Cloner:
    """Visits the Funcs consumers first."""

    def __init__(self, funcs: dict[str, FuncDef], outputs: tuple[str, ...], schedule: Schedule) -> None:
        self.outputs = outputs
        self.schedule = schedule
        self.fused = FusedStages(funcs, schedule)
        self.final: dict[str, FuncDef] = {}
        self.owners: dict[str, Stage] = {}
        self.users: dict[str, list[Stage]] = {}
        self.original: dict[str, str] = {}
        # The stages around the compute level of each Func, innermost first.
        self.around: dict[str, tuple[Stage, ...]] = {}
        # The levels of single stages, instead of the directives of the Funcs in `replaced`.
        self.directives: list[Directive] = []
        self.replaced: set[str] = set()

    def in_order(self, funcs: dict[str, FuncDef]) -> list[FuncDef]:
        """Returns the Funcs producers first, those with fused stages adjacent."""
        if not self.fused.pairs:
            return list(funcs.values())
        needs = {
            name: [used for stage in func.stages for version in versions_of(stage) for used in version.stage.callees]
            for name, func in funcs.items()
        }
        groups = {name: group for group in self.fused.groups() for name in group}
        return [funcs[name] for name in order_by_group(needs, groups)]

    def visit(self, func: FuncDef) -> None:
        """Adds a Func, or a clone for each stage in whose loops it is computed."""
        name = func.name
        schedule = func_schedule(self.schedule, name)
        if name in self.outputs or (schedule.compute.is_root and name in self.users):
            self.add(func, ())
        elif name in self.users:
            groups: dict[Stage | None, list[Stage]] = {}
            for user in self.users[name]:
                groups.setdefault(self.enclosing(user, schedule.compute), []).append(user)
            self.clone(func, schedule, groups)

    def enclosing(self, user: Stage, level: LevelRef) -> Stage | None:
        """Returns the stage around a use whose loop `level` names; the user itself if the Func has no compute level."""
        if level.is_inlined:
            return user
        for stage in (user, *self.around[user[0]]):
            for sharer in self.fused_with(stage, level.var):
                if self.original[sharer[0]] == level.func and level.stage in (None, sharer[1]):
                    return sharer
        return None

    def fused_with(self, stage: Stage, var: str) -> list[Stage]:
        """Returns the stages that share loop `var` of a stage, itself included."""
        if not self.fused.pairs:
            return [stage]
        own = StageRef(self.original[stage[0]], stage[1], stage[2])
        depth = self.fused.depth(own, var)
        others = [] if depth is None else [ref for ref in self.fused.fused_with(own, depth) if ref != own]
        clones = [(self.clone_beside(stage[0], ref.func), ref.stage, ref.path) for ref in others]
        return [stage, *[(name, number, path) for name, number, path in clones if name is not None]]

    def clone_beside(self, name: str, original: str) -> str | None:
        """Returns the clone of a Func that is computed at the same level as the clone `name` of another one."""
        around = self.around[name]
        return next((c for c, o in self.original.items() if o == original and self.around[c] == around), None)

    def with_clone(self, directive: ComputeWith) -> ComputeWith:
        """Returns the directive with the clone that is computed at the same level."""
        if directive.stage.func not in self.around:
            return directive
        other = self.clone_beside(directive.stage.func, directive.other.func)
        if other is None:
            raise PlacementError(
                f"Error: Fused groups must either be entirely used or unused: {directive.other.func} is not needed in "
                f"one of the places where {directive.stage.func} is computed with it.\nCompute both where all their "
                "uses are enclosed, e.g. compute_root(), or leave out the compute_with."
            )
        return directive.replace(other=records.replace(directive.other, func=other))

    def clone(self, func: FuncDef, schedule: FuncSchedule, groups: dict[Stage | None, list[Stage]]) -> None:
        """Adds a clone for each group of users; the first one keeps the name of the Func."""
        if len(groups) > MAX_CLONES and any(stage is not None and stage[2] for stage in groups):
            raise _too_many(func, len(groups))
        several = len(groups) > 1 or any(stage is not None and stage[0] != schedule.compute.func for stage in groups)
        for number, (stage, users) in enumerate(groups.items()):
            name = f"{func.name}.{number}" if number else func.name
            rename = renaming_calls({func.name: name})
            for user in users if number else ():
                self.final[user[0]] = _map_version(self.final[user[0]], user, rename)
            around = () if stage is None else (stage, *self.around[stage[0]])
            if schedule.compute.is_inlined and stage is not None:
                self.owners[name] = stage
            if several and stage is not None:
                self.schedule_clone(func.name, name, schedule, around)
            clone = records.replace(func, name=name).mapped(rename) if number else func
            for outside in around:
                clone = under_assumptions(clone, self.version(outside).assumptions)
            self.add(clone, around, func.name)

    def schedule_clone(self, original: str, name: str, schedule: FuncSchedule, around: tuple[Stage, ...]) -> None:
        """Adds the directives of the original for a clone, with levels in the loops of the stages around it."""
        self.replaced.add(original)
        if name != original:
            renaming = Renaming(lambda func: name if func == original else func)
            own = [d for d in self.schedule.directives if d.owner == original and not isinstance(d, PlaceDirective)]
            self.directives += [directive.renamed(renaming) for directive in own]
        if not schedule.compute.is_inlined:
            self.directives.append(ComputeAt(name, self.level_in(around, schedule.compute)))
            if schedule.store_explicit:
                self.directives.append(StoreAt(name, self.level_in(around, schedule.store)))
            if hoist := schedule.last(HoistStorage):
                self.directives.append(HoistStorage(name, self.level_in(around, hoist.level)))

    def level_in(self, around: tuple[Stage, ...], level: LevelRef) -> LevelRef:
        """Returns `level` with the stage among those around it that it names."""
        if level.is_root or level.is_inlined:
            return level
        for func, stage, _ in around:
            if self.original[func] == level.func and level.stage in (None, stage):
                return LevelRef(func, level.var, stage)
        return level

    def add(self, func: FuncDef, around: tuple[Stage, ...], original: str = "") -> None:
        """Adds a Func or clone, and its stages to the users of what they read."""
        self.final[func.name] = func
        self.original[func.name] = original or func.name
        self.around[func.name] = around
        for number, stage in enumerate(func.stages):
            for version in versions_of(stage):
                for used in () if version.failure else version.stage.callees:
                    if used != func.name:
                        self.users.setdefault(used, []).append((func.name, number, version.path))

    def version(self, stage: Stage) -> Version:
        """Returns the version with its definition."""
        name, number, path = stage
        return next(v for v in versions_of(self.final[name].stages[number]) if v.path == path)


def _too_many(func: FuncDef, clones: int) -> ScheduleError:
    return ScheduleError(
        f"Error: Func {func.name} is computed inside specialized Funcs, whose versions multiply: it would be compiled "
        f"{clones} times, of which at most {MAX_CLONES} are possible.\nCompute it, or a Func between, outside their "
        f"loops, e.g. {func.name}.compute_root(), or specialize fewer of them. ({func.location})"
    )


def _map_version(func: FuncDef, version: Stage, change: Change) -> FuncDef:
    """Returns `func` with `change` applied to all expressions of one version of a stage."""
    _, number, path = version
    stages = list(func.stages)
    stage = stages[number]
    if isinstance(stage, SpecializedStage):
        changed = [records.replace(v, stage=v.stage.mapped(change)) if v.path == path else v for v in stage.versions]
        stages[number] = records.replace(stage, versions=tuple(changed))
    else:
        stages[number] = stage.mapped(change)
    return records.replace(func, stages=tuple(stages))
