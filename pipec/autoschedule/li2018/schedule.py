"""Problems and schedules by Li2018."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from pipec.autoschedule.dag.estimates import Like
from pipec.autoschedule.li2018.reductions import methods_of
from pipec.autoschedule.li2018.rewriting import rewrite
from pipec.autoschedule.li2018.state import state_of
from pipec.autoschedule.problem import Problem, problem_of
from pipec.func.functions.function import Function
from pipec.records import replace
from pipec.target import Target


def li2018(problem: Problem) -> Problem:
    """The problem with rewritten definitions and factored updates. It begins with the state that the rules choose."""
    problem, rewritten = problem.rewritten(rewrite)
    methods = methods_of(problem.dag, rewritten.merged)
    problem = problem.factored(list(chain.from_iterable(parts for _, parts in methods.values())))
    return replace(problem, first=state_of(problem.dag, rewritten, methods))


def default_schedule(
    outputs: Sequence[Function],
    like: Like = None,
    sizes: Sequence[int] | Mapping[str, Sequence[Any]] | None = None,
    threads: int | None = None,
    target: Target | None = None,
) -> None:
    """Gives the Funcs behind `outputs` the schedule by Li2018, without estimating its time. Arguments as of
    `Pipeline.autoschedule`; Funcs that the user scheduled stay as they are.

    >>> from pipec.autoschedule.li2018.schedule import default_schedule
    >>> r = hl.RDom([(0, 100000)])
    >>> row = hl.Buffer(np.ones(100000, np.float32))
    >>> f = hl.Func()
    >>> f[()] = 0.0
    >>> f[()] += row[r] * row[r]
    >>> default_schedule([f.function])
    >>> f.realize().numpy().item()
    100000.0
    """
    problem = li2018(problem_of(outputs, like, sizes, threads, target))
    problem.apply(problem.space.emit(problem.start()))
