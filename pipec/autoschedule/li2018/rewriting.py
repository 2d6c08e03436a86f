"""The definitions that Li2018 schedules: updates folded into pure definitions, sums shared, similar updates merged."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

from pipec.autoschedule.dag.dag import Dag, FuncInfo, StageInfo
from pipec.autoschedule.li2018.folding import fold
from pipec.autoschedule.li2018.joining import join
from pipec.autoschedule.li2018.merging import merge
from pipec.autoschedule.space.cpu.nests import type_class
from pipec.func.functions.freeze import reachable
from pipec.func.functions.function import Function
from pipec.records import dataclass

MIN_TASKS = 8
"""A domain with fewer vectors than this for each thread is too small to be divided between threads."""


@dataclass(frozen=True)
class Rewritten:
    """The result of `rewrite`. `sums`: Funcs that pure definitions read; `merged`: RVars that number merged updates."""

    sums: frozenset[str]
    merged: frozenset[str]


def rewrite(dag: Dag, outputs: Sequence[Function]) -> Rewritten:
    """Changes the definitions of Functions without a schedule. The names of new Funcs are always the same.

    `dag`: the pipeline before, which says how large everything is. Sums change their order, so floats may be rounded
    differently.
    """
    functions = [f for f in reachable(outputs) if (info := dag.funcs.get(f.name)) and may_rewrite(f, info)]
    sums: set[Function] = set()
    merged: set[str] = set()
    for function in functions:
        sums.update(fold(function, partial(_has_many_elements, dag, dag.funcs[function.name])))
        merged |= merge(function)
    hosts = [
        (host, part)
        for host in functions
        if len(host.stages) == 1 and host not in outputs
        for part in host.callees
        if part in sums
    ]
    for function in functions if hosts else ():
        joined = [join(function, number, hosts) for number in range(1, len(function.stages))]
        sums.update([part for part in joined if part is not None])
    return Rewritten(frozenset([part.name for part in sums]), frozenset(merged))


def may_rewrite(function: Function, info: FuncInfo) -> bool:
    """Whether no C function and no directive, such as the user's rfactor, depends on the definitions as they are."""
    scheduled = {stage.func for stage in function.schedule.scheduled_stages()}
    return not (info.fixed or info.extern or function.name in scheduled)


def _has_many_elements(dag: Dag, func: FuncInfo, number: int) -> bool:
    iterations = math.prod([loop.extent for loop in func.stages[number].loops if loop.reduction])
    return not has_few_elements(dag, func, func.extent, iterations)


def has_few_elements(dag: Dag, func: FuncInfo, pure: Sequence[int], iterations: int) -> bool:
    """Whether an update has so few elements that threads divide its RDom instead. `pure`: extents of its Vars."""
    lanes = vector_lanes(dag, func)
    many = any(extent >= lanes for extent in pure) and math.prod(pure) >= MIN_TASKS * dag.threads * lanes
    return math.prod(func.extent) <= iterations // (4 * dag.threads) and not many


def vector_lanes(dag: Dag, func: FuncInfo) -> int:
    """Returns the number of values of a Func that fill a vector."""
    return max(dag.lanes.get(type_class(kind.nbits, kind.floating), 16) for kind in func.types)


def scatters(stage: StageInfo, loops: Sequence[int]) -> bool:
    """Whether these loops decide which element an update writes, by values that they read too."""
    store = stage.store
    for at, row in enumerate(store.jacobian):
        if any(row[d] for d in loops) if row is not None else not store.values[at].isdisjoint(loops):
            return True
    return False
