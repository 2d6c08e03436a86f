"""The versions of a specialised stage: which runs when, and the definition as it is there.

f(x) = select(p == 1, a, b); f.specialize(p == 1)  -->  where p == 1: f(x) = a; else f(x) = b

They are tried in order, and the last one runs where no other does.
"""

from __future__ import annotations

from collections.abc import Callable

from pipec import records
from pipec.errors import ScheduleError
from pipec.func.functions.definition import FuncDef, ReductionLoop, StageDef
from pipec.ir import build
from pipec.ir.build import constant
from pipec.ir.expr import TRUE, Expr
from pipec.lower.planning.known_conditions import NOTHING_KNOWN, Facts
from pipec.schedule.directive import Specialize, SpecializeFail, StageRef
from pipec.schedule.schedule import Schedule
from pipec.schedule.specialize import is_specialized

Change = Callable[[Expr], Expr]


@records.dataclass(frozen=True, eq=False)
class Version:
    """The specialisation `path` of a stage.

    `condition`: when it runs, if none of the versions before it does. `runs`: when it runs. `failure`: the message with
    which the pipeline fails instead.
    """

    path: tuple[int, ...]
    condition: Expr
    runs: Expr
    stage: StageDef
    facts: Facts = NOTHING_KNOWN
    failure: str = ""


@records.dataclass(frozen=True, eq=False)
class SpecializedStage(StageDef):
    """A stage with several versions; its own fields are those of the definition."""

    versions: tuple[Version, ...] = ()


def versions_of(stage: StageDef) -> tuple[Version, ...]:
    """The versions of a stage in the order in which they are tried."""
    return stage.versions if isinstance(stage, SpecializedStage) else (Version((), TRUE, TRUE, stage),)


def specialized(func: FuncDef, schedule: Schedule) -> FuncDef:
    """`func` with the versions that the schedule gives its stages."""
    if func.extern is not None and is_specialized(schedule, StageRef(func.name)):
        raise ScheduleError(
            f"Error: Externally defined Func {func.name} can't be specialized: a C function computes it, which has no "
            f"loops to change. Specialize its updates or its consumers. ({func.location})"
        )
    stages = [_specialized(stage, StageRef(func.name, n), schedule) for n, stage in enumerate(func.stages)]
    if all(new is old for new, old in zip(stages, func.stages, strict=True)):
        return func
    return records.replace(func, stages=tuple(stages))


def _specialized(stage: StageDef, ref: StageRef, schedule: Schedule) -> StageDef:
    if not is_specialized(schedule, ref):
        return stage
    found: list[Version] = []
    _expand(stage, ref, schedule, TRUE, NOTHING_KNOWN, found)
    fields = {field.name: getattr(stage, field.name) for field in records.fields(StageDef)}
    return SpecializedStage(**fields, versions=tuple(found))


def _expand(
    stage: StageDef, ref: StageRef, schedule: Schedule, path: Expr, facts: Facts, found: list[Version]
) -> None:
    """Adds the versions of `ref`, which is reached where `path` and the facts hold; the last has no more conditions."""
    number = 0
    for directive in schedule.of_stage(ref):
        if isinstance(directive, SpecializeFail):
            found.append(Version(ref.path, path, _runs(path, found), stage, facts, directive.message))
            return
        if not isinstance(directive, Specialize):
            continue
        child = StageRef(ref.func, ref.stage, (*ref.path, number))
        number += 1
        condition = facts.apply(directive.condition)
        decided = constant(condition)
        if decided == 0:
            continue
        inside = facts.learn(directive.condition, True).learn(condition, True)
        _expand(stage, child, schedule, build.and_(path, condition), inside, found)
        if decided is not None:
            return
        facts = facts.learn(directive.condition, False).learn(condition, False)
    found.append(Version(ref.path, path, _runs(path, found), map_stage(stage, facts.apply), facts))


def _runs(condition: Expr, before: list[Version]) -> Expr:
    """Whether `condition` holds and that of no version before it."""
    return build.all_of([condition, *[build.not_(version.condition) for version in before]])


def map_func(func: FuncDef, change: Change) -> FuncDef:
    """`func` with `change` applied to every expression."""
    return records.replace(func, stages=tuple([map_stage(stage, change) for stage in func.stages]))


def map_stage(stage: StageDef, change: Change) -> StageDef:
    """`stage`, and its versions, with `change` applied to every expression."""

    def all_of(exprs: tuple[Expr, ...]) -> tuple[Expr, ...]:
        return tuple([change(e) for e in exprs])

    rvars = tuple([ReductionLoop(r.name, change(r.minimum), change(r.extent)) for r in stage.rvars])
    changed = records.replace(
        stage, args=all_of(stage.args), values=all_of(stage.values), predicate=change(stage.predicate), rvars=rvars
    )
    if isinstance(changed, SpecializedStage):
        versions = [records.replace(v, stage=map_stage(v.stage, change)) for v in changed.versions]
        return records.replace(changed, versions=tuple(versions))
    return changed


def where_known(func: FuncDef, facts: Facts) -> FuncDef:
    """`func` as it is where the facts hold. What it writes to keeps its form: the schedule goes by that."""
    if not facts:
        return func
    return records.replace(func, stages=tuple([_known(stage, facts) for stage in func.stages]))


def _known(stage: StageDef, facts: Facts) -> StageDef:
    known = records.replace(map_stage(stage, facts.apply), args=stage.args)
    if not isinstance(stage, SpecializedStage):
        return known
    versions: list[Version] = []
    for version in stage.versions:
        condition = facts.apply(version.condition)
        if constant(condition) != 0:
            inside = _known(version.stage, facts)
            found = records.replace(version, condition=condition, runs=_runs(condition, versions), stage=inside)
            versions.append(found)
        if constant(condition) == 1:
            break
    return records.replace(known, versions=tuple(versions))  # type: ignore[call-arg]
