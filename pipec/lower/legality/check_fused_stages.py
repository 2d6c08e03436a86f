"""Checks that the stages of each `compute_with` can share their loops."""

from __future__ import annotations

import graphlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pipec.errors import ScheduleError
from pipec.func.functions.definition import PipelineDef, stage_dims
from pipec.lower.planning.fused_stages import FusedStages, copy_specializations, outer_loops
from pipec.schedule.compute_with import ComputeWith, fused_pairs, stage_text
from pipec.schedule.execution import Memoize
from pipec.schedule.fields import OUTERMOST, LevelRef, StageRef
from pipec.schedule.names import qualified_names
from pipec.schedule.placement import func_schedule
from pipec.schedule.schedule import Loop, Schedule
from pipec.schedule.shape import StageShape
from pipec.schedule.specialize import is_specialized


def check_sharing(definition: PipelineDef, schedule: Schedule) -> None:
    """Raises a ScheduleError for the first `compute_with` that cannot be carried out."""
    directives = fused_pairs(schedule)
    if directives:
        checker = _Checker(definition, schedule)
        for directive in directives:
            checker.check(directive)
        checker.check_cycles(directives)
        checker.schedule = copy_specializations(schedule)
        for directive in fused_pairs(checker.schedule):
            checker.check_loops(directive)
        checker.check_order()


def idle_alignments(definition: PipelineDef, schedule: Schedule) -> Iterator[str]:
    """Warnings about alignments of loops that the two stages of a `compute_with` do not share."""
    for directive in fused_pairs(schedule):
        loops = [loop.name for loop in outer_loops(definition.funcs[directive.stage.func], schedule, directive.stage)]
        shared = loops[: loops.index(directive.var) + 1] if directive.var in loops else []
        idle = [var for var in (*directive.starts, *directive.ends) if var not in (*shared, OUTERMOST)]
        if idle:
            yield (
                f"{directive.stage}.compute_with({directive.other}, {directive.var}) aligns {', '.join(idle)}, which "
                f"the two do not share: that has no effect. The shared loops are: {', '.join(shared) or 'none'}."
            )


class _Checker:
    def __init__(self, definition: PipelineDef, schedule: Schedule) -> None:
        self.definition = definition
        self.schedule = schedule
        self.fused = FusedStages({}, schedule)
        # What each Func needs, directly or not.
        self.needs: dict[str, set[str]] = {}
        for name, func in definition.funcs.items():
            called = {used for stage in func.stages for used in stage.callees} - {name}
            self.needs[name] = called.union(*(self.needs[used] for used in called if used in self.needs))

    def refuse(self, directive: ComputeWith, text: str, mend: str = "") -> ScheduleError:
        location = self.definition.funcs[directive.stage.func].stages[directive.stage.stage].location
        request = f"{directive.stage}.compute_with({directive.other}, {directive.var})"
        lines = [f"Error: {text}", f"Asked for: {request}.", mend, f"Defined at {location}."]
        return ScheduleError("\n".join(line for line in lines if line))

    def check(self, directive: ComputeWith) -> None:
        child, parent = directive.stage, directive.other
        if parent.func not in self.definition.funcs:
            raise self.refuse(
                directive,
                f'Illegal compute_with: "{child.func}" is scheduled to be computed with "{parent.func}" which is not '
                "used anywhere.",
                "The Funcs of this pipeline are: " + ", ".join(self.definition.funcs) + ".",
            )
        for stage in (parent, child):
            self._check_stage(directive, stage)
        for user, used in ((child, parent), (parent, child)):
            if used.func in self.needs[user.func]:
                raise self.refuse(
                    directive,
                    f"Invalid compute_with: there is dependency between {parent.func} and {child.func}",
                    f"{user.func} needs values of {used.func}, which would not be there yet. "
                    f"Use {used.func}.compute_at({user.func}, ...) to compute it in the loops of its consumer.",
                )
        self._check_levels(directive)

    def _check_stage(self, directive: ComputeWith, stage: StageRef) -> None:
        func = self.definition.funcs[stage.func]
        if stage.stage >= len(func.stages):
            raise self.refuse(
                directive,
                f"Invalid update definition index: {stage} is no stage of {stage.func}, which has "
                f"{len(func.stages) - 1} update definitions.",
            )
        if Memoize in func_schedule(self.schedule, stage.func):
            raise self.refuse(directive, f"Func {stage.func} is memoized, which needs loops of its own.")
        if stage.stage == 0 and func.extern is not None:
            raise self.refuse(directive, f"Func {stage.func} is computed by a C function, which has no loops to share.")
        if stage == directive.stage and is_specialized(self.schedule, stage):
            raise self._specialized(directive)
        place = func_schedule(self.schedule, stage.func).compute
        if place.is_inlined and stage.func not in self.definition.outputs:
            raise self.refuse(
                directive,
                f"Invalid compute_with: {stage_text(stage)} is scheduled inline.",
                f"Give {stage.func} a place: the same compute_root() or compute_at(...) for both Funcs.",
            )

    def _specialized(self, directive: ComputeWith) -> ScheduleError:
        child, parent = directive.stage.func, directive.other.func
        return self.refuse(
            directive,
            f"Func {child} is scheduled to be computed with {parent}, so it must not have any specializations.",
            f"Leave out the compute_with, or specialize {parent}: {child} follows it.",
        )

    def _level(self, func: str) -> LevelRef:
        level = func_schedule(self.schedule, func).compute
        return LevelRef(var="__root") if func in self.definition.outputs else level

    def _check_levels(self, directive: ComputeWith) -> None:
        child, parent = directive.stage, directive.other
        levels = self._level(parent.func), self._level(child.func)
        if levels[0] != levels[1]:
            texts = [f"{level.func}.{level.var}" for level in levels]
            raise self.refuse(
                directive,
                f"Invalid compute_with: the compute levels of {stage_text(parent)} (computed at {texts[0]}) and "
                f"{stage_text(child)} ({texts[1]}) do not match.",
                "Give both Funcs the same compute_root() or compute_at(...).",
            )

    def check_loops(self, directive: ComputeWith) -> None:
        """Raises an error unless both have loops of the same names and kinds, from the outermost to the named one."""
        shared_loops = []
        for stage in (directive.other, directive.stage):
            func = self.definition.funcs[stage.func]
            loops = [] if directive.var == OUTERMOST else outer_loops(func, self.schedule, stage)
            names = [loop.name for loop in loops]
            if directive.var != OUTERMOST and directive.var not in names:
                raise self.refuse(
                    directive,
                    f"Invalid compute_with: cannot find {directive.var} in {stage_text(stage)}",
                    f"The loops of {stage}, innermost first, are: {' '.join(reversed(names))}.",
                )
            shared_loops.append(loops[: names.index(directive.var) + 1] if loops else [])
        texts = [stage_text(directive.other), stage_text(directive.stage)]
        if len(shared_loops[0]) != len(shared_loops[1]):
            text = f"Invalid compute_with: # of fused dims of {texts[0]} and {texts[1]} do not match."
            raise self.refuse(directive, text, _loops(*shared_loops))
        for dim, (ours, theirs) in enumerate(zip(reversed(shared_loops[0]), reversed(shared_loops[1]), strict=True)):
            if (ours.name, ours.reduction) != (theirs.name, theirs.reduction):
                paths = [self._path(stage, x.name) for stage, x in ((directive.other, ours), (directive.stage, theirs))]
                raise self.refuse(
                    directive,
                    f"Invalid compute_with: names of dim {dim} of {texts[0]}({paths[0]}) and {texts[1]}({paths[1]}) do "
                    "not match.",
                    _loops(*shared_loops),
                )
            if ours.kind is not theirs.kind:
                kinds = [f"{loop.name} is {loop.kind.value}" for loop in (ours, theirs)]
                raise self.refuse(
                    directive,
                    f"Invalid compute_with: for types of dim {dim} of {texts[0]}({kinds[0]}) and {texts[1]}"
                    f"({kinds[1]}) do not match.",
                    "Schedule the loops that are to be shared the same way in both Funcs.",
                )

    def _path(self, stage: StageRef, name: str) -> str:
        dims = stage_dims(self.definition.funcs[stage.func], stage.stage)
        return qualified_names(self.schedule, StageShape(stage, dims))[name]

    def check_cycles(self, directives: Iterable[ComputeWith]) -> None:
        """Each stage follows one other, and in the end all follow one that follows none."""
        parents = {directive.stage: directive for directive in directives}
        for start in parents.values():
            visited = [start.stage]
            at = start
            while at.other in parents:
                if at.other in visited:
                    raise self.refuse(
                        at,
                        f"Found cyclic dependencies between compute_with of {at.other.func} and {at.stage.func}",
                        "One of the stages must come first: it has no compute_with itself.",
                    )
                visited.append(at.other)
                at = parents[at.other]

    def check_order(self) -> None:
        """Whether stages can run in order when those that share loops run at once, and Funcs when groups do."""
        self.fused = FusedStages(self.definition.funcs, self.schedule)
        directives = [pair.directive for stage, pair in self.fused.pairs.items() if not stage.path]
        stages = {StageRef(name, n) for name, f in self.definition.funcs.items() for n in range(len(f.stages))}
        units = {stage: self.fused.fused_with(stage, 0)[0] for stage in stages}
        before: dict[StageRef, set[StageRef]] = {}
        for stage in stages:
            if stage.stage:
                earlier = StageRef(stage.func, stage.stage - 1)
                if units[stage] != units[earlier] or not self._runs_after(stage, earlier):
                    before.setdefault(units[stage], set()).add(units[earlier])
        if _cycle(before):
            first, second = self._crossing(directives)
            raise self.refuse(
                first,
                "Invalid compute_with: impossible to establish correct stage order between "
                f"{stage_text(first.stage)} with {stage_text(first.other)} and {stage_text(second.stage)} with "
                f"{stage_text(second.other)}",
                "The stages of each Func run one after the other: pairs of two Funcs may not cross, and stages of one "
                "Func that are computed with the same stage follow each other, share no loops over RVars, and the "
                "later one shares no more loops than the earlier one.",
            )
        leader = {name: group[0] for group in self.fused.groups() for name in group}
        needs: dict[str, set[str]] = {}
        for name, needed in self.needs.items():
            own = leader.get(name, name)
            needs.setdefault(own, set()).update(leader.get(used, used) for used in needed)
        if cycle := _cycle(needs):
            directive = next(d for d in directives if leader[d.stage.func] in cycle)
            raise self.refuse(
                directive,
                "Stuck in a loop computing a realization order. Perhaps this pipeline has a loop involving "
                f"{directive.stage.func}?",
                "Of the Funcs that are computed together one needs what comes after another of them.",
            )

    def _runs_after(self, stage: StageRef, earlier: StageRef) -> bool:
        """Whether a stage of a Func can share loops with the one before it: it follows it, point for point."""
        shared = self.fused.loops(stage)[: self.fused.shared_depth(earlier, stage)]
        return self.fused.runs_before(earlier, stage) and not any(loop.reduction for loop in shared)

    def _crossing(self, directives: list[ComputeWith]) -> tuple[ComputeWith, ComputeWith]:
        """Two pairs of stages that contradict each other's order."""
        for at, first in enumerate(directives):
            for second in directives[at + 1 :]:
                one = {stage.func: stage.stage for stage in (first.stage, first.other)}
                two = {stage.func: stage.stage for stage in (second.stage, second.other)}
                gaps = [one[func] - two[func] for func in one.keys() & two.keys()]
                if len(gaps) == 2 and gaps[0] * gaps[1] <= 0:
                    return first, second
        return directives[0], directives[-1]


def _loops(ours: Iterable[Loop], theirs: Iterable[Loop]) -> str:
    texts = [" ".join(loop.name for loop in loops) for loops in (ours, theirs)]
    return (
        f"From the outermost one inwards, the loops to share are {texts[0]} in one and {texts[1]} in the other; "
        "they must be the same (apply the same splits, reorders and renames to both)."
    )


def _cycle(before: Mapping[Any, Iterable[Any]]) -> list[Any]:
    """Nodes of which each must come before itself; empty when there is a legal order."""
    try:
        graphlib.TopologicalSorter(before).prepare()
    except graphlib.CycleError as error:
        cycle: list[Any] = error.args[1]
        return cycle
    return []
