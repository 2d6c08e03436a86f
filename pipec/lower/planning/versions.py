"""The versions of a specialized stage: when each runs, and the definition simplified under its condition.

    f(x) = select(p == 1, a, b); f.specialize(p == 1)  -->  where p == 1: f(x) = a; else f(x) = b

Versions are tried in order; the last one runs where no other does.
"""

from __future__ import annotations

from pipec import records
from pipec.func.functions.definition import Change, FuncDef, StageDef
from pipec.ir import build
from pipec.ir.build import constant
from pipec.ir.expr import TRUE, Expr
from pipec.lower.planning.assumptions import NO_ASSUMPTIONS, Assumptions
from pipec.schedule.fields import StageRef
from pipec.schedule.schedule import Schedule
from pipec.schedule.specialize import Specialize, SpecializeFail, is_specialized


@records.dataclass(frozen=True, eq=False)
class Version:
    """The specialization `path` of a stage.

    `condition`: when it runs, if none of the versions before it does. `runs`: when it runs. `stage`: the definition
    simplified under `assumptions`. `failure`: the message with which the pipeline fails instead of running the version.
    """

    path: tuple[int, ...]
    condition: Expr
    runs: Expr
    stage: StageDef
    assumptions: Assumptions = NO_ASSUMPTIONS
    failure: str = ""


@records.dataclass(frozen=True, eq=False)
class SpecializedStage(StageDef):
    """A stage with several versions; its other fields are those of the definition."""

    versions: tuple[Version, ...] = ()

    def mapped(self, change: Change) -> StageDef:
        """Returns the stage, and its versions, with `change` applied to every expression."""
        changed = super().mapped(change)
        versions = [records.replace(version, stage=version.stage.mapped(change)) for version in self.versions]
        return records.replace(changed, versions=tuple(versions))  # type: ignore[call-arg]


def versions_of(stage: StageDef) -> tuple[Version, ...]:
    """Returns the versions of a stage in the order in which they are tried."""
    return stage.versions if isinstance(stage, SpecializedStage) else (Version((), TRUE, TRUE, stage),)


def specialize(func: FuncDef, schedule: Schedule) -> FuncDef:
    """Returns `func` with the versions that the schedule gives its stages."""
    stages = [_specialize(stage, StageRef(func.name, n), schedule) for n, stage in enumerate(func.stages)]
    if all(new is old for new, old in zip(stages, func.stages, strict=True)):
        return func
    return records.replace(func, stages=tuple(stages))


def _specialize(stage: StageDef, ref: StageRef, schedule: Schedule) -> StageDef:
    if not is_specialized(schedule, ref):
        return stage
    versions: list[Version] = []
    _expand(stage, ref, schedule, TRUE, NO_ASSUMPTIONS, versions)
    fields = {field.name: getattr(stage, field.name) for field in records.fields(StageDef)}
    return SpecializedStage(**fields, versions=tuple(versions))


def _expand(
    stage: StageDef, ref: StageRef, schedule: Schedule, path: Expr, assumptions: Assumptions, versions: list[Version]
) -> None:
    """Appends the versions of `ref`, which is reached where `path` and the assumptions hold, to `versions`.

    The last of them has no condition of its own.
    """
    number = 0
    for directive in schedule.of_stage(ref):
        if isinstance(directive, SpecializeFail):
            versions.append(Version(ref.path, path, _runs(path, versions), stage, assumptions, directive.message))
            return
        if not isinstance(directive, Specialize):
            continue
        child = StageRef(ref.func, ref.stage, (*ref.path, number))
        number += 1
        condition = assumptions.apply(directive.condition)
        decided = constant(condition)
        if decided == 0:
            continue
        inside = assumptions.assume(directive.condition, True).assume(condition, True)
        _expand(stage, child, schedule, build.and_(path, condition), inside, versions)
        if decided is not None:
            return
        assumptions = assumptions.assume(directive.condition, False).assume(condition, False)
    versions.append(Version(ref.path, path, _runs(path, versions), stage.mapped(assumptions.apply), assumptions))


def _runs(condition: Expr, before: list[Version]) -> Expr:
    """Returns whether `condition` holds and that of no version before it."""
    return build.all_of([condition, *[build.not_(version.condition) for version in before]])


def under_assumptions(func: FuncDef, assumptions: Assumptions) -> FuncDef:
    """Returns `func` simplified under assumptions.

    The coordinates that it writes to keep their form, by which the schedule recognizes pure dimensions.
    """
    if not assumptions:
        return func
    return records.replace(func, stages=tuple([_under_assumptions(stage, assumptions) for stage in func.stages]))


def _under_assumptions(stage: StageDef, assumptions: Assumptions) -> StageDef:
    simplified = records.replace(stage.mapped(assumptions.apply), args=stage.args)
    if not isinstance(stage, SpecializedStage):
        return simplified
    versions: list[Version] = []
    for version in stage.versions:
        condition = assumptions.apply(version.condition)
        if constant(condition) != 0:
            inside = _under_assumptions(version.stage, assumptions)
            runs = _runs(condition, versions)
            versions.append(records.replace(version, condition=condition, runs=runs, stage=inside))
        if constant(condition) == 1:
            break
    return records.replace(simplified, versions=tuple(versions))  # type: ignore[call-arg]
