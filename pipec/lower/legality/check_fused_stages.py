"""Whether the stages that compute_with joins can share their loops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pipec.errors import ScheduleError
from pipec.func.functions.definition import PipelineDef, stage_dims
from pipec.lower.planning.fused_stages import FusedStages, copy_specializations, outer_loops
from pipec.lower.planning.versions import callees
from pipec.schedule.compute_with import ComputeWith, fused_pairs, stage_text
from pipec.schedule.execution import Memoize
from pipec.schedule.fields import OUTERMOST, LoopLevel, StageRef
from pipec.schedule.names import qualified_names
from pipec.schedule.placement import func_schedule
from pipec.schedule.schedule import Loop, Schedule
from pipec.schedule.shape import StageShape
from pipec.schedule.specialize import is_specialized


def check_sharing(definition: PipelineDef, schedule: Schedule) -> None:
    """Raises a ScheduleError for the first wish that can't be fulfilled."""
    wishes = fused_pairs(schedule)
    if wishes:
        checker = _Checker(definition, schedule)
        for wish in wishes:
            checker.check(wish)
        checker.check_cycles(wishes)
        checker.schedule = copy_specializations(schedule)
        for wish in fused_pairs(checker.schedule):
            checker.check_loops(wish)
        checker.check_order()


def idle_alignments(definition: PipelineDef, schedule: Schedule) -> Iterator[str]:
    """In words, the alignments that are asked for loops which are not shared."""
    for wish in fused_pairs(schedule):
        loops = [loop.name for loop in outer_loops(definition.funcs[wish.stage.func], schedule, wish.stage)]
        shared = loops[: loops.index(wish.var) + 1] if wish.var in loops else []
        idle = [var for var in (*wish.starts, *wish.ends) if var not in (*shared, OUTERMOST)]
        if idle:
            yield (
                f"{wish.stage}.compute_with({wish.other}, {wish.var}) aligns {', '.join(idle)}, which the two do not "
                f"share: that has no effect. The shared loops are: {', '.join(shared) or 'none'}."
            )


class _Checker:
    def __init__(self, definition: PipelineDef, schedule: Schedule) -> None:
        self.definition = definition
        self.schedule = schedule
        self.fused = FusedStages({}, schedule)
        # What each Func needs, directly or not.
        self.needs: dict[str, set[str]] = {}
        for name, func in definition.funcs.items():
            called = {used for stage in func.stages for used in callees(stage)} - {name}
            self.needs[name] = called.union(*(self.needs[used] for used in called if used in self.needs))

    def refuse(self, wish: ComputeWith, text: str, mend: str = "") -> ScheduleError:
        location = self.definition.funcs[wish.stage.func].stages[wish.stage.stage].location
        asked = f"{wish.stage}.compute_with({wish.other}, {wish.var})"
        lines = [f"Error: {text}", f"Asked for: {asked}.", mend, f"Defined at {location}."]
        return ScheduleError("\n".join(line for line in lines if line))

    def check(self, wish: ComputeWith) -> None:
        child, parent = wish.stage, wish.other
        if parent.func not in self.definition.funcs:
            raise self.refuse(
                wish,
                f'Illegal compute_with: "{child.func}" is scheduled to be computed with "{parent.func}" which is not '
                "used anywhere.",
                "The Funcs of this pipeline are: " + ", ".join(self.definition.funcs) + ".",
            )
        for stage in (parent, child):
            self._check_stage(wish, stage)
        for user, used in ((child, parent), (parent, child)):
            if used.func in self.needs[user.func]:
                raise self.refuse(
                    wish,
                    f"Invalid compute_with: there is dependency between {parent.func} and {child.func}",
                    f"{user.func} needs values of {used.func}, which would not be there yet. "
                    f"Use {used.func}.compute_at({user.func}, ...) to compute it in the loops of its consumer.",
                )
        self._check_levels(wish)

    def _check_stage(self, wish: ComputeWith, stage: StageRef) -> None:
        func = self.definition.funcs[stage.func]
        if stage.stage >= len(func.stages):
            raise self.refuse(
                wish,
                f"Invalid update definition index: {stage} is no stage of {stage.func}, which has "
                f"{len(func.stages) - 1} update definitions.",
            )
        if Memoize in func_schedule(self.schedule, stage.func):
            raise self.refuse(wish, f"Func {stage.func} is memoized, which needs loops of its own.")
        if stage.stage == 0 and func.extern is not None:
            raise self.refuse(wish, f"Func {stage.func} is computed by a C function, which has no loops to share.")
        if stage == wish.stage and is_specialized(self.schedule, stage):
            raise self._specialized(wish)
        place = func_schedule(self.schedule, stage.func).compute
        if place.is_inlined and stage.func not in self.definition.outputs:
            raise self.refuse(
                wish,
                f"Invalid compute_with: {stage_text(stage)} is scheduled inline.",
                f"Give {stage.func} a place: the same compute_root() or compute_at(...) for both Funcs.",
            )

    def _specialized(self, wish: ComputeWith) -> ScheduleError:
        child, parent = wish.stage.func, wish.other.func
        return self.refuse(
            wish,
            f"Func {child} is scheduled to be computed with {parent}, so it must not have any specializations.",
            f"Leave out the compute_with, or specialize {parent}: {child} follows it.",
        )

    def _level(self, func: str) -> LoopLevel:
        level = func_schedule(self.schedule, func).compute
        return LoopLevel(var="__root") if func in self.definition.outputs else level

    def _check_levels(self, wish: ComputeWith) -> None:
        child, parent = wish.stage, wish.other
        levels = self._level(parent.func), self._level(child.func)
        if levels[0] != levels[1]:
            texts = [f"{level.func}.{level.var}" for level in levels]
            raise self.refuse(
                wish,
                f"Invalid compute_with: the compute levels of {stage_text(parent)} (computed at {texts[0]}) and "
                f"{stage_text(child)} ({texts[1]}) do not match.",
                "Give both Funcs the same compute_root() or compute_at(...).",
            )

    def check_loops(self, wish: ComputeWith) -> None:
        """From the outermost loop to the named one both have the same names and kinds."""
        found = []
        for stage in (wish.other, wish.stage):
            func = self.definition.funcs[stage.func]
            loops = [] if wish.var == OUTERMOST else outer_loops(func, self.schedule, stage)
            names = [loop.name for loop in loops]
            if wish.var != OUTERMOST and wish.var not in names:
                raise self.refuse(
                    wish,
                    f"Invalid compute_with: cannot find {wish.var} in {stage_text(stage)}",
                    f"The loops of {stage}, innermost first, are: {' '.join(reversed(names))}.",
                )
            found.append(loops[: names.index(wish.var) + 1] if loops else [])
        texts = [stage_text(wish.other), stage_text(wish.stage)]
        if len(found[0]) != len(found[1]):
            text = f"Invalid compute_with: # of fused dims of {texts[0]} and {texts[1]} do not match."
            raise self.refuse(wish, text, _loops(*found))
        for dim, (ours, theirs) in enumerate(zip(reversed(found[0]), reversed(found[1]), strict=True)):
            if (ours.name, ours.reduction) != (theirs.name, theirs.reduction):
                paths = [self._path(stage, x.name) for stage, x in ((wish.other, ours), (wish.stage, theirs))]
                raise self.refuse(
                    wish,
                    f"Invalid compute_with: names of dim {dim} of {texts[0]}({paths[0]}) and {texts[1]}({paths[1]}) do "
                    "not match.",
                    _loops(*found),
                )
            if ours.kind is not theirs.kind:
                kinds = [f"{loop.name} is {loop.kind.value}" for loop in (ours, theirs)]
                raise self.refuse(
                    wish,
                    f"Invalid compute_with: for types of dim {dim} of {texts[0]}({kinds[0]}) and {texts[1]}"
                    f"({kinds[1]}) do not match.",
                    "Schedule the loops that are to be shared the same way in both Funcs.",
                )

    def _path(self, stage: StageRef, name: str) -> str:
        dims = stage_dims(self.definition.funcs[stage.func], stage.stage)
        return qualified_names(self.schedule, StageShape(stage, dims))[name]

    def check_cycles(self, wishes: Iterable[ComputeWith]) -> None:
        """Each stage follows one other, and in the end all follow one that follows none."""
        parents = {wish.stage: wish for wish in wishes}
        for start in parents.values():
            seen = [start.stage]
            at = start
            while at.other in parents:
                if at.other in seen:
                    raise self.refuse(
                        at,
                        f"Found cyclic dependencies between compute_with of {at.other.func} and {at.stage.func}",
                        "One of the stages must come first: it has no compute_with itself.",
                    )
                seen.append(at.other)
                at = parents[at.other]

    def check_order(self) -> None:
        """Whether stages can run in order when those that share loops run at once, and Funcs when groups do."""
        self.fused = FusedStages(self.definition.funcs, self.schedule)
        wishes = [pair.directive for stage, pair in self.fused.pairs.items() if not stage.path]
        stages = {StageRef(name, n) for name, f in self.definition.funcs.items() for n in range(len(f.stages))}
        units = {stage: self.fused.fused_with(stage, 0)[0] for stage in stages}
        before: dict[StageRef, set[StageRef]] = {}
        for stage in stages:
            if stage.stage:
                before.setdefault(units[stage], set()).add(units[StageRef(stage.func, stage.stage - 1)])
        if _circular(before):
            first, second = self._crossing(wishes)
            raise self.refuse(
                first,
                "Invalid compute_with: impossible to establish correct stage order between "
                f"{stage_text(first.stage)} with {stage_text(first.other)} and {stage_text(second.stage)} with "
                f"{stage_text(second.other)}",
                "The stages of each Func run one after the other: pairs of two Funcs may not cross, and a stage can "
                "be computed with only one stage of another Func.",
            )
        leader = {name: group[0] for group in self.fused.groups() for name in group}
        needs: dict[str, set[str]] = {}
        for name, needed in self.needs.items():
            own = leader.get(name, name)
            needs.setdefault(own, set()).update(leader.get(used, used) for used in needed)
        if any(name in needed for name, needed in needs.items()) or _circular(needs):
            wish = next(wish for wish in wishes if self._part_of_cycle(leader[wish.stage.func], needs))
            raise self.refuse(
                wish,
                "Stuck in a loop computing a realization order. Perhaps this pipeline has a loop involving "
                f"{wish.stage.func}?",
                "Of the Funcs that are computed together one needs what comes after another of them.",
            )

    def _crossing(self, wishes: list[ComputeWith]) -> tuple[ComputeWith, ComputeWith]:
        """Two pairs that are in each other's way."""
        for at, first in enumerate(wishes):
            for second in wishes[at + 1 :]:
                one = {stage.func: stage.stage for stage in (first.stage, first.other)}
                two = {stage.func: stage.stage for stage in (second.stage, second.other)}
                gaps = [one[func] - two[func] for func in one.keys() & two.keys()]
                if len(gaps) == 2 and gaps[0] * gaps[1] <= 0:
                    return first, second
        return wishes[0], wishes[-1]

    def _part_of_cycle(self, name: str, needs: dict[str, set[str]]) -> bool:
        seen: set[str] = set()
        pending = list(needs.get(name, ()))
        while pending:
            at = pending.pop()
            if at == name:
                return True
            if at not in seen:
                seen.add(at)
                pending += needs.get(at, ())
        return False


def _loops(ours: Iterable[Loop], theirs: Iterable[Loop]) -> str:
    texts = [" ".join(loop.name for loop in loops) for loops in (ours, theirs)]
    return (
        f"From the outermost one inwards, the loops to share are {texts[0]} in one and {texts[1]} in the other; "
        "they must be the same (split, reorder and rename them alike)."
    )


def _circular(before: dict[Any, set[Any]]) -> bool:
    """Whether the order is impossible: something comes before itself."""
    done: set[Any] = set()
    for start in before:
        path: dict[Any, None] = {}
        stack: list[tuple[Any, bool]] = [(start, False)]
        while stack:
            node, leaving = stack.pop()
            if leaving:
                del path[node]
                done.add(node)
            elif node in path:
                return True
            elif node not in done:
                path[node] = None
                stack.append((node, True))
                stack += [(other, False) for other in before.get(node, ())]
    return False
