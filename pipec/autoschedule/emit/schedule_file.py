"""Schedules in files, with the fingerprint of the algorithm that they are for."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipec.autoschedule.dag.fingerprint import Fingerprint, difference, fingerprint
from pipec.autoschedule.dag.roles import is_fixed
from pipec.autoschedule.emit.emit import apply
from pipec.autoschedule.li2018.rewriting import rewrite
from pipec.autoschedule.problem import Problem, problem_of, remember, without_searches
from pipec.autoschedule.progress import checked_time
from pipec.errors import ArgumentError, PipecError, ScheduleError
from pipec.func.functions.definition import PipelineDef
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.func.functions.func import Func
from pipec.func.functions.function import Function
from pipec.func.math.target_query import for_target
from pipec.jit.objects.output_file import write_file
from pipec.pipeline.calls.runnable import jit_target
from pipec.pipeline.pipeline import Pipeline
from pipec.records import dataclass
from pipec.schedule.fields import Renaming, typed
from pipec.schedule.json_text import directives_of_data
from pipec.schedule.observation import DebugToFile
from pipec.schedule.rfactor import Rfactor
from pipec.schedule.schedule import Schedule

FORMAT, VERSION = "pipec saved schedule", 1
# A Func, its arguments, and the RVars of each of its stages.
Names = Sequence[tuple[str, Sequence[str], Sequence[Sequence[str]]]]


def save(
    path: str | Path, problem: Problem, schedule: Schedule, predicted_ms: float, measured_ms: float | None
) -> None:
    """Write a schedule with what it is for: the algorithm as the user wrote it, and whether Li2018 rewrites that."""
    with without_searches(problem.outputs):
        definition = for_target(freeze(problem.outputs)[0], problem.target)
    data = {
        "format": FORMAT,
        "version": VERSION,
        "pipeline": definition.name,
        "fingerprint": fingerprint(definition).data(),
        "rewritten": problem.rewrite is not None,
        "names": _names(problem.definition),
        "target": str(problem.target),
        "threads": problem.dag.threads,
        "sizes": {name: [list(pair) for pair in box] for name, box in problem.sizes.outputs.items()},
        "predicted_ms": predicted_ms,
        "measured_ms": measured_ms,
        "schedule": json.loads(schedule.to_json()),
    }
    write_file(path, json.dumps(data, indent=1) + "\n")


@dataclass(frozen=True)
class SavedSchedule:
    """A schedule from a file. `schedule` names Funcs as they were called when it was saved.

    `sizes`: boxes of (min, extent) of the outputs that it was found for, with so many `threads`. `rewritten`: whether
    it is for definitions that Li2018 rewrites.
    """

    pipeline: str
    schedule: Schedule
    sizes: Mapping[str, Sequence[Sequence[int]]]
    threads: int
    rewritten: bool
    predicted_ms: float
    measured_ms: float | None
    saved_for: Fingerprint
    names: Names

    def apply(self, pipeline: Pipeline | Func) -> None:
        """Give the Funcs of a pipeline the schedule, in the place of one that a search gave them.

        ScheduleError, which names what differs, when it computes something else than the pipeline that the schedule was
        saved for; also when Funcs that it is about have a schedule by hand. Names do not matter.
        """
        target = pipeline if isinstance(pipeline, Pipeline) else Pipeline(pipeline)
        outputs = target._checked()
        with without_searches(outputs):
            definition, _ = freeze(outputs)
            definition, own = for_target(definition, jit_target(None)), schedule_of(outputs)
        differs = difference(self.saved_for, fingerprint(definition))
        if differs:
            raise ScheduleError(
                f"Error: This schedule was saved for another version of {self.pipeline}: {differs}. Find a new one with"
                " autoschedule(), or go back to the algorithm that it is for."
            )
        rewriting = self._rewriting(outputs) if self.rewritten else None
        names = _names(definition if rewriting is None else rewriting.definition)
        schedule = renamed(self.schedule, self.names, names)
        twice = [name for name in schedule.funcs() if is_fixed(own, name)]
        if twice:
            raise ScheduleError(
                f"Error: The saved schedule contains Funcs that are also scheduled by hand: {', '.join(twice)}. Take"
                " their directives away, or save a schedule that was found with them."
            )
        if rewriting is not None:
            rewriting.apply(schedule)
        else:
            remember(outputs, lambda: apply(schedule, outputs))

    def _rewriting(self, outputs: Sequence[Function]) -> Problem:
        """The problem with the definitions that the schedule is for."""
        extents = [[extent for _, extent in box] for box in self.sizes.values()]
        sizes = dict(zip([function.name for function in outputs], extents, strict=True))
        return problem_of(outputs, sizes=sizes, threads=self.threads).apart.rewritten(rewrite)[0]


def load(path: str | Path) -> SavedSchedule:
    """As `hl.load_schedule`."""
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ArgumentError(f"Error: {path} is no saved schedule: {error}.") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ArgumentError(f'Error: {path} is no saved schedule: it has no "format": "{FORMAT}".')
    if data.get("version") != VERSION:
        version = f"{data.get('version')!r:.80}"
        raise ArgumentError(
            f"Error: {path} was saved by another pipec, as version {version}; this one reads {VERSION}."
        )
    try:
        return SavedSchedule(
            typed(str, data["pipeline"]),
            _schedule(data["schedule"]),
            {typed(str, name): _box(box) for name, box in typed(dict, data["sizes"]).items()},
            _threads(data["threads"]),
            typed(bool, data.get("rewritten", False)),
            checked_time(data["predicted_ms"]),
            None if data["measured_ms"] is None else checked_time(data["measured_ms"]),
            Fingerprint.of_data(data["fingerprint"]),
            [_read_names(item) for item in typed(list, data["names"])],
        )
    except (KeyError, ValueError) as error:
        what = f"it has no {error}" if isinstance(error, KeyError) else error
        raise ArgumentError(f"Error: The saved schedule {path} is damaged: {what}.") from None
    except PipecError as error:
        raise ArgumentError(f"Error: The saved schedule {path} is damaged: {error}") from None


def _schedule(data: Any) -> Schedule:
    """The schedule in the data; no search gives one that makes the pipeline write files."""
    schedule = Schedule(directives_of_data(data))
    for directive in schedule.directives:
        if isinstance(directive, DebugToFile):
            raise ValueError(f"its schedule would write the file {directive.path!r}")
    return schedule


def _threads(data: Any) -> int:
    threads = typed(int, data)
    if threads < 1:
        raise ValueError(f"{threads} threads run nothing")
    return threads


def _box(data: Any) -> list[list[int]]:
    box = [[typed(int, number) for number in typed(list, pair)] for pair in typed(list, data)]
    if any(len(pair) != 2 for pair in box):
        raise ValueError(f"{data!r:.80} is no region")
    return box


def _read_names(data: Any) -> tuple[str, tuple[str, ...], tuple[tuple[str, ...], ...]]:
    match data:
        case [str(func), [*args], [*stages]]:
            rvars = [tuple([typed(str, name) for name in typed(list, stage)]) for stage in stages]
            return func, tuple([typed(str, name) for name in args]), tuple(rvars)
    raise ValueError(f"{data!r:.80} are no names of a Func")


def _names(definition: PipelineDef) -> Names:
    return [
        (name, list(func.args), [[loop.name for loop in stage.rvars] for stage in func.stages])
        for name, func in definition.funcs.items()
    ]


def renamed(schedule: Schedule, old: Names, new: Names) -> Schedule:
    """The schedule of one pipeline for another that is the same but for names.

    ScheduleError when the names are not those of such pipelines, or the schedule is about other Funcs.
    """
    if _shape(old) != _shape(new):
        raise ScheduleError("Error: The saved schedule is damaged: its names are not those of its pipeline.")
    funcs: dict[str, str] = {}
    loops: dict[str, dict[str, str]] = {}
    for (func, args, rvars), (now, own_args, own_rvars) in zip(old, new, strict=True):
        funcs[func] = now
        pairs = list(zip(args, own_args, strict=True))
        for before, after in zip(rvars, own_rvars, strict=True):
            pairs += zip(before, after, strict=True)
        loops[func] = {a: b for a, b in pairs if a != b}
    for directive in schedule.directives:
        if isinstance(directive, Rfactor):
            # The intermediate Func is new; only the loops that it has from the factored Func are renamed.
            funcs[directive.intermediate] = directive.intermediate
            loops[directive.intermediate] = loops.get(directive.stage.func, {})
    for directive in schedule.directives:
        for name in directive.funcs():
            if name not in funcs:
                text = f"it is about a Func {name}, which is not there"
                raise ScheduleError(f"Error: The saved schedule is damaged: {text}.")
    if all(a == b for a, b in funcs.items()) and not any(loops.values()):
        return schedule
    renaming = Renaming(lambda name: funcs.get(name, name), lambda func, name: loops.get(func, {}).get(name, name))
    return Schedule(tuple([directive.renamed(renaming) for directive in schedule.directives]))


def _shape(names: Names) -> list[tuple[int, list[int]]]:
    """Returns the number of arguments of each Func, and of RVars of each of its stages."""
    return [(len(args), [len(stage) for stage in rvars]) for _, args, rvars in names]
