"""Times and states of earlier tunings of a pipeline, stored in the database."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from typing import Any

from pipec.autoschedule.dag.fingerprint import fingerprint
from pipec.autoschedule.measure import Trial
from pipec.autoschedule.measure.database import Database, TaskKey, TrialRecord, compiler, schedule_hash, task_key
from pipec.autoschedule.problem import Problem
from pipec.autoschedule.rfactor.definitions import intermediate
from pipec.autoschedule.space import state_text
from pipec.autoschedule.space.state import ROOT_STORE, Factoring, FuncPlacement, NestLevel, State
from pipec.autoschedule.space.state_text import malformed
from pipec.errors import PipecError
from pipec.records import replace
from pipec.schedule.fields import StageRef
from pipec.schedule.schedule import Schedule

DatabaseLike = Database | str | os.PathLike[str] | None


class TrialHistory:
    """The trials of one problem. States are stored by the order of the Funcs, since names may differ next time."""

    def __init__(self, problem: Problem, database: DatabaseLike, machine: str | None = None) -> None:
        self.problem = problem
        self.database = database if isinstance(database, Database) else Database(database)
        self._own = not isinstance(database, Database)
        self._funcs = list(problem.definition.funcs)
        self._rvars = {
            name: [[loop.name for loop in stage.rvars] for stage in func.stages]
            for name, func in problem.definition.funcs.items()
        }
        self.key: TaskKey = key_of_problem(problem, machine)
        self.database.describe(fingerprint(problem.definition), problem.definition.name)

    def __enter__(self) -> TrialHistory:
        return self

    def __exit__(self, *_: object) -> None:
        if self._own:
            self.database.close()

    def times(self) -> dict[State, float]:
        """Milliseconds of states whose code this compiler made; infinite when a state failed."""
        times: dict[State, float] = {}
        for entry in self.database.entries(self.key):
            state = self._state(entry)
            if state is None or state.factorings != self.problem.factorings:
                continue
            if not malformed(self.problem.dag, state) and not self.problem.space.problems(state):
                times[state] = entry.trial.minimum if entry.trial.ok else math.inf
        return times

    def record(self, state: State, schedule: Schedule, trial: Trial) -> None:
        """Keep a trial."""
        decisions = {"funcs": self._funcs, "rvars": self._rvars, "state": json.loads(state_text.to_json(state))}
        text = json.dumps(decisions)
        self.database.store(self.key, schedule, trial, decisions=text, source="autoschedule")

    def _state(self, entry: TrialRecord) -> State | None:
        if entry.compiler != compiler():
            return None
        try:
            data: Any = json.loads(entry.decisions)
            names = dict(zip(data["funcs"], self._funcs, strict=True))
            loops = {
                (now, number): dict(zip(old, new, strict=True))
                for func, now in names.items()
                for number, (old, new) in enumerate(zip(data["rvars"][func], self._rvars[now], strict=True))
            }
            return renamed(state_text.state_of_data(data["state"]), names, loops)
        except (PipecError, ValueError, KeyError, TypeError, RecursionError):
            return None  # stored by another version, or by something other than autoschedule


def key_of_problem(problem: Problem, machine: str | None = None) -> TaskKey:
    """Returns the key of stored trials: what is computed, how large, on how many threads, and on which kind of machine,
    this one for None."""
    boxes = {f"out {name}": box for name, box in problem.sizes.outputs.items()}
    boxes |= {f"in {name}": box for name, box in problem.sizes.images.items()}
    extents = {f"{kind} {k}": [e for _, e in box] for k, (kind, box) in enumerate(boxes.items())}
    target = str(problem.target) if problem.device is None else f"{problem.target} on {problem.device.name}"
    own = problem.without_reports
    if own.directives:
        target += f" scheduled as {schedule_hash(own)}"
    key = task_key(fingerprint(problem.definition), target, extents, problem.dag.threads)
    return key if machine is None else replace(key, machine=machine)


def renamed(state: State, names: Mapping[str, str], rvars: Mapping[tuple[str, int], Mapping[str, str]]) -> State:
    """The state for a pipeline whose Funcs, and RVars of each stage, have other names. KeyError where one has none."""
    stages = {StageRef(f.func, f.stage): StageRef(names[f.func], f.stage) for f in state.factorings}
    names = {**names, **{intermediate(old): intermediate(new) for old, new in stages.items()}}
    placements = {names[name]: _renamed(placement, names) for name, placement in state.placements.items()}
    return State(placements, tuple([_refactored(f, names[f.func], rvars) for f in state.factorings]))


def _refactored(f: Factoring, func: str, rvars: Mapping[tuple[str, int], Mapping[str, str]]) -> Factoring:
    """The factoring by other names; of an RVar that another has split, the name begins with that of the whole one."""
    for old, new in rvars[func, f.stage].items():
        if f.rvar == old or f.rvar == f"{old}$i":
            return replace(f, func=func, rvar=new + f.rvar.removeprefix(old))
    raise KeyError(f.rvar)


def _renamed(placement: FuncPlacement, names: Mapping[str, str]) -> FuncPlacement:
    def nest_level(old: NestLevel | None) -> NestLevel | None:
        return old if old is None or old == ROOT_STORE else replace(old, func=names[old.func])

    return replace(placement, compute=nest_level(placement.compute), store=nest_level(placement.store))
