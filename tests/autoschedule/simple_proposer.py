"""Legal schedules without any search: each Func inline or at root, root Funcs in vectors and parallel."""

from __future__ import annotations

import json
from random import Random

from pipec.autoschedule.measure import Task
from pipec.func.functions.definition import FuncDef, func_shape, stage_shape
from pipec.ir.expr import const
from pipec.ir.stmt import LoopKind
from pipec.schedule.fields import ROOT, StageRef
from pipec.schedule.loops import Mark
from pipec.schedule.placement import ComputeAt
from pipec.schedule.schedule import Schedule
from pipec.schedule.split import Split, TailStrategy


def propose(task: Task, count: int, rng: Random) -> list[tuple[Schedule, str]]:
    """The first puts every Func at root; decisions are the names of those at root."""
    result = []
    for number in range(count):
        roots = []
        for name, func in task.definition.funcs.items():
            if name in task.definition.outputs or not func.pure or number == 0 or rng.random() < 0.5:
                roots.append(name)
        schedule = Schedule()
        for name in roots:
            schedule = _at_root(schedule, task.definition.funcs[name], name in task.definition.outputs)
        result.append((schedule, json.dumps(roots)))
    return result


def _at_root(schedule: Schedule, func: FuncDef, output: bool) -> Schedule:
    if not output:
        schedule = ComputeAt.apply(schedule, func_shape(func), ROOT)
    if len(func.args) < 2:
        return schedule
    stage = stage_shape(func, 0)
    assert stage.ref == StageRef(func.name)
    schedule = Split.apply(schedule, stage, func.args[0], "wide", "lane", const(8), TailStrategy.Auto)
    schedule = Mark.apply(schedule, stage, "lane", LoopKind.VECTORIZED)
    return Mark.apply(schedule, stage, func.args[-1], LoopKind.PARALLEL)
