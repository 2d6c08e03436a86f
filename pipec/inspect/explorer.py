"""`Pipeline.explore`: a page of HTML about a pipeline, its schedules, their times and code, and the search for them."""

from __future__ import annotations

import base64
import gzip
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipec.autoschedule.dag.estimates import Like
from pipec.autoschedule.result import Candidate, Result
from pipec.autoschedule.rfactor.definitions import factored
from pipec.deep_stack import gc_paused
from pipec.errors import PipecError
from pipec.func.functions.definition import PipelineDef
from pipec.func.functions.freeze import reachable
from pipec.func.functions.function import Function
from pipec.inspect.diagnose import diagnosis_of, estimated_seconds
from pipec.inspect.listing import assembly_lines, lowered_lines
from pipec.inspect.pages import in_notebook, page
from pipec.inspect.profiling import Runs, profiled_runs
from pipec.inspect.report import loops_data
from pipec.inspect.subject import Subject, subject_of
from pipec.ir.expr import FuncCall, ImageCall
from pipec.ir.walk import postorder
from pipec.pipeline.observation.notebook import formulas_of
from pipec.records import dataclass, replace
from pipec.schedule.placement import func_schedule
from pipec.schedule.python_text import to_python
from pipec.schedule.schedule import Schedule
from pipec.target import Target

MEASURED_SECONDS = 0.4
"""How long each schedule of the page runs."""
MAX_COMPARED = 4
MAX_PACKED_BYTES = 110_000
"""Of the code of one kind in a page, compressed; the page of a large pipeline stays below a megabyte."""
PAGE_HEIGHT = 900


@dataclass(frozen=True, eq=False)
class Exploration:
    """A page of HTML that needs nothing else: `html` is its text, `path` where it was written, if anywhere."""

    html: str
    path: Path | None = None

    def save(self, path: str | Path) -> Path:
        """Writes the page; returns its path."""
        path = Path(path)
        path.write_text(self.html, encoding="utf-8")
        return path

    def _repr_html_(self) -> str:
        return in_notebook(self.html, PAGE_HEIGHT)


def explore(
    outputs: Sequence[Function],
    path: str | Path | None = None,
    like: Like = None,
    sizes: Sequence[int] | Mapping[str, Sequence[int]] | None = None,
    *,
    compare: Mapping[str, Schedule | Candidate] | None = None,
    result: Result | None = None,
    measure: bool = True,
    target: Target | None = None,
) -> Exploration:
    """As `Pipeline.explore`, of these outputs."""
    with gc_paused():
        subject = subject_of(outputs, like, sizes, target=target)
        schedules: dict[str, Schedule] = {"current schedule": subject.schedule}
        for title, other in (compare or {}).items():
            schedules[title] = _schedule_of(other)
        if result is not None:
            schedules |= _alternatives(subject, result)
        variants: list[dict[str, Any]] = []
        findings: list[dict[str, Any]] = []
        for title, schedule in list(schedules.items())[:MAX_COMPARED]:
            variant = replace(subject, schedule=schedule)
            runs = profiled_runs(variant, MEASURED_SECONDS) if measure else None
            variants.append(_variant(title, variant, runs))
            if not findings:
                findings = [finding.to_data() for finding in diagnosis_of(variant, runs)]
        data = {
            "sizes": {name: [extent for _, extent in box] for name, box in subject.sizes.outputs.items()},
            "machine": {"threads": subject.threads}
            | {name: getattr(subject.machine, name) for name in ("l1", "l2", "l3")},
            "nodes": _nodes(subject),
            "edges": edges_of(subject.definition),
            "variants": variants,
            "findings": findings,
            "search": None if result is None else _search(result),
        }
        exploration = Exploration(page("explorer", f"Schedule of {subject.definition.name}", data))
    return exploration if path is None else replace(exploration, path=exploration.save(path))


def _schedule_of(other: Schedule | Candidate) -> Schedule:
    return other if isinstance(other, Schedule) else other.problem.schedule + other.schedule


def _alternatives(subject: Subject, result: Result) -> dict[str, Schedule]:
    """The next best schedules of a search that the definitions of now can have."""
    schedules: dict[str, Schedule] = {}
    for number, candidate in enumerate(result.top(MAX_COMPARED)[1:], 2):
        schedule = _schedule_of(candidate)
        try:
            factored(subject.definition, candidate.schedule)
            replace(subject, schedule=schedule).execution  # noqa: B018
        except PipecError:
            continue
        schedules[f"number {number} of the search"] = schedule
    return schedules


def _variant(title: str, subject: Subject, runs: Runs | None) -> dict[str, Any]:
    execution, predicted = subject.execution, estimated_seconds(subject)
    seconds = {} if runs is None else {f.name: f.seconds / runs.profile.runs for f in runs.profile.funcs}
    funcs: dict[str, Any] = {}
    for (name, _), stage in execution.stages.items():
        func = funcs.setdefault(name, {"predicted": 0.0, "lanes": stage.lanes, "inlined": False})
        func["predicted"] += predicted[name, stage.stage]
    for name in subject.definition.funcs:
        func = funcs.setdefault(name, {"inlined": True})
        func["recomputation"] = round(subject.recomputation(name), 4)
        placed = func_schedule(subject.schedule, name)
        func["level"] = _level_text(placed.compute, name in subject.definition.outputs)
        func["store"] = _level_text(placed.store, name in subject.definition.outputs)
        if runs is not None and not func["inlined"]:
            func["seconds"] = seconds.get(name, 0.0)
        storage = execution.storages.get(name)
        if storage is not None:
            func |= {"bytes": storage.bytes, "folded": storage.is_folded}
    return {
        "title": title,
        "python": to_python(subject.schedule).rstrip() or "# nothing: outputs at root, all other Funcs inlined",
        "seconds": None if runs is None else runs.seconds,
        "predicted": sum(predicted.values()),
        "peak_bytes": execution.peak_bytes,
        "funcs": funcs,
        "loops": loops_data(execution.root),
        "lowered": _packed(lowered_lines(subject)),
        "assembly": _packed(assembly_lines(subject)),
    }


def _level_text(level: Any, is_output: bool) -> str:
    if is_output or level.is_root:
        return "at root"
    return "at each use" if level.is_inlined else f"at {level.func}, {level.var}"


def _packed(lines: Sequence[tuple[str, str]] | None) -> dict[str, Any] | None:
    """Lines of code with their Funcs: the text compressed, and how many lines in succession belong to each Func."""
    if lines is None:
        return None
    count = len(lines)
    text = gzip.compress("\n".join([line for line, _ in lines]).encode(), 9, mtime=0)
    while len(text) > MAX_PACKED_BYTES:
        lines = lines[: len(lines) * MAX_PACKED_BYTES // len(text) * 9 // 10]
        text = gzip.compress("\n".join([line for line, _ in lines]).encode(), 9, mtime=0)
    runs: list[list[Any]] = []
    for _, func in lines:
        if runs and runs[-1][1] == func:
            runs[-1][0] += 1
        else:
            runs.append([1, func])
    return {"text": base64.b64encode(text).decode(), "runs": runs, "left_out": count - len(lines)}


def _nodes(subject: Subject) -> list[dict[str, Any]]:
    """Images and Funcs, producers first, with the regions that the outputs need of them."""
    definition = subject.definition
    functions = {function.name: function for function in reachable(subject.outputs)}
    nodes: list[dict[str, Any]] = []
    for name, image in definition.images.items():
        box = subject.sizes.images.get(name, ())
        nodes.append({"name": name, "kind": "image", "region": _region(box), "type": str(image.type), "formula": ""})
    for name, func in definition.funcs.items():
        needed: Sequence[tuple[int, int]] | None = subject.sizes.outputs.get(name) or subject.required.get(name)
        function = functions.get(name)
        nodes.append(
            {
                "name": name,
                "kind": "output" if name in definition.outputs else "func",
                "region": "at each use" if needed is None else _region(needed),
                "type": ", ".join(map(str, func.types)),
                "formula": "\n".join(formulas_of(function)) if function else "",
                "location": re.sub(r".*/", "", str(func.location)),
            }
        )
    return nodes


def _region(box: Sequence[tuple[int, int]]) -> str:
    parts = [str(extent) if low == 0 else f"{extent} from {low}" for low, extent in box]
    return " × ".join(parts) if parts else "a value"


def edges_of(definition: PipelineDef) -> list[tuple[str, str]]:
    """The pairs of producer and consumer, images included."""
    edges: dict[tuple[str, str], None] = {}
    for name, func in definition.funcs.items():
        for stage in func.stages:
            for node in postorder(*stage.roots):
                if isinstance(node, FuncCall | ImageCall) and node.name != name:
                    edges[node.name, name] = None
    return [edge for edge in edges if edge[0] in definition.funcs or edge[0] in definition.images]


def _search(result: Result) -> dict[str, Any]:
    """The history of a search, and the candidates that it rejected with their costs."""
    candidates = []
    best = result.schedule.to_python().splitlines()
    for number, candidate in enumerate([result, *list(result.others)[:24]], 1):
        lines = candidate.schedule.to_python().splitlines()
        changed = [line for line in lines if line not in best][:3]
        candidates.append(
            {
                "title": f"number {number}",
                "predicted": candidate.predicted_ms / 1e3,
                "measured": None if candidate.measured_ms is None else candidate.measured_ms / 1e3,
                "change": "the one that was returned" if number == 1 else _shortened("; ".join(changed)),
            }
        )
    finite = [point for point in result.history if point[1] < float("inf")]
    return {
        "states": result.states,
        "trials": result.trials,
        "seconds": result.search_seconds,
        "note": result.note,
        "history": finite,
        "measured_history": [point for point in result.measured_history if point[1] < float("inf")],
        "candidates": candidates,
        "explanation": result.explain(),
    }


def _shortened(text: str) -> str:
    return text if len(text) <= 110 else f"{text[:110]} ..."
