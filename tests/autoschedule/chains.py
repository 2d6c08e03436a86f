"""Pipelines of some stencils one after the other, and what a quick search finds for them."""

from __future__ import annotations

import pipec as hl
from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.cost.model import Roofline
from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.problem import problem_of
from pipec.autoschedule.strategies.search import Budget, search
from pipec.autoschedule.strategies.search_state import Options, SearchState


def chain(stages: int = 4) -> Dag:
    x, y = hl.vars("x y")
    before: hl.ImageParam | hl.Func = hl.ImageParam(hl.Float(32), 2, "image")
    for k in range(stages):
        func = hl.Func(f"stage_{k}")
        func[x, y] = before[x, y] + before[x + 1, y] + before[x, y + 1]
        before = func
    return problem_of([before.function], sizes=[1024, 1024], threads=2).dag


def search_by(strategy: str, dag: Dag, states: int = 600) -> SearchState:
    return search(dag, CpuEvaluator(dag, Roofline()), strategy, Options(beam=3), Budget(60.0, states))
