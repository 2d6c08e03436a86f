"""Times of earlier searches of a program, in the database of measurements: of this pipeline, and of others."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping

from pipec.autoschedule.dag.fingerprint import fingerprint
from pipec.autoschedule.measure import Measuring, Trial
from pipec.autoschedule.measure.database import Database, compiler
from pipec.autoschedule.measure.trial_history import DatabaseLike, key_of_problem
from pipec.autoschedule.problem import Problem
from pipec.errors import PipecError
from pipec.programs.ranker import TimedValues
from pipec.programs.runs import Run
from pipec.programs.trace import ProgramTrace, Value, features, plain, trace_of_data


class ProgramHistory:
    """The stored runs of one program. `context`: values by which a ranker tells pipelines and sizes apart."""

    def __init__(self, problem: Problem, name: str, database: DatabaseLike, measurer: Measuring | None = None) -> None:
        self.problem = problem
        self.source = f"program {name}"
        self.database = database if isinstance(database, Database) else Database(database)
        self._own = not isinstance(database, Database)
        self.key = key_of_problem(problem, None if measurer is None else measurer.machine)
        self.task = f"{self.key.fingerprint} {self.key.sizes} {self.key.target} {self.key.threads}"
        self.context: Mapping[str, Value] = _context(problem)

    def __enter__(self) -> ProgramHistory:
        return self

    def __exit__(self, *_: object) -> None:
        if self._own:
            self.database.close()

    def record(self, run: Run, trial: Trial) -> None:
        """Stores a trial, but for a run that changes definitions: the key of a trial is a schedule."""
        if run.definition is None:
            self.database.describe(fingerprint(self.problem.definition), self.problem.definition.name)
            data = {"draws": run.trace.draws, "context": dict(self.context), "task": self.task}
            self.database.store(self.key, run.schedule, trial, decisions=json.dumps(data), source=self.source)

    def own(self) -> list[tuple[ProgramTrace, float]]:
        """The traces of this program that were measured of this very problem, with their milliseconds."""
        entries = [e for e in self.database.entries(self.key) if e.source == self.source and e.compiler == compiler()]
        pairs = []
        for entry in entries:
            data = _data(entry.decisions)
            if data is not None:
                pairs.append((data[0], entry.trial.minimum if entry.trial.ok else math.inf))
        return pairs

    def of_other_tasks(self) -> list[TimedValues]:
        """The runs of this program that were measured on this machine of other pipelines and sizes."""
        samples = []
        for _, entry in self.database.all_entries():
            if entry.source != self.source or entry.machine != self.key.machine:
                continue
            data = _data(entry.decisions)
            if data is not None and data[2] != self.task:
                trace, context, task = data
                time = entry.trial.minimum if entry.trial.ok else math.inf
                samples.append(TimedValues({**features(trace.draws), **context}, time, task))
        return samples


def _context(problem: Problem) -> dict[str, Value]:
    """The extents of the outputs by number, whatever they are called, and the threads."""
    extents = [extent for box in problem.sizes.outputs.values() for _, extent in box]
    return {"threads": problem.dag.threads, **{f"extent {k}": extent for k, extent in enumerate(extents)}}


def _data(text: str) -> tuple[ProgramTrace, dict[str, Value], str] | None:
    """The draws, the context and the task of a stored run; None where another version, or something else, stored it."""
    try:
        data = json.loads(text)
        context = {str(name): plain(value) for name, value in data["context"].items()}
        return trace_of_data(data["draws"]), context, str(data["task"])
    except (PipecError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
