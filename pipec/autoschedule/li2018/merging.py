"""Updates that add to different places over the same domain, merged into one update with a loop over them.

    f[a(r)] += e(r); f[b(r)] += g(r)   -->   f[select(k == 0, a(r), b(r))] += select(k == 0, e(r), g(r))   for k in 0, 1

With that loop unrolled, common parts of places and values are computed once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pipec.autodiff.algebra import minus, plus
from pipec.autoschedule.li2018.folding import redefine
from pipec.func.functions.definition import ReductionLoop, StageDef, is_pure_arg
from pipec.func.functions.function import Function
from pipec.ir.expr import EQ, Add, Expr, FuncCall, ReductionVariable, Select, Sub, const
from pipec.ir.placeholders import is_several
from pipec.ir.types import INT32
from pipec.ir.walk import postorder, rewrite

MAX_MERGED = 16
"""Updates that become one at most: the eight corners of a cell, twice."""


def merge(function: Function) -> set[str]:
    """Merges the updates of a Function, and returns the RVars that number merged ones. The order of sums changes."""
    runs: list[list[StageDef]] = []
    for stage in function.stages[1:]:
        if runs and len(runs[-1]) < MAX_MERGED and _same_domain(function, runs[-1][0], stage):
            runs[-1].append(stage)
        else:
            runs.append([stage])
    if len(runs) + 1 == len(function.stages):
        return set()
    numbers: set[str] = set()
    stages = [function.stages[0]]
    for run in runs:
        if len(run) > 1:
            numbers.add(name := f"{function.name}${len(stages)}$merged")
            stages.append(_merged(function, run, name))
        else:
            stages += run
    redefine(function, stages)
    return numbers


def added(function: Function, stage: StageDef) -> Expr | None:
    """e where a stage is f[L] = f[L] + e, or f[L] - -e, and reads f nowhere else."""
    value = stage.values[0]
    if len(stage.values) != 1 or not isinstance(value, Add | Sub) or _is_several(stage):
        return None

    def own(e: Any) -> bool:
        return isinstance(e, FuncCall) and e.name == function.name

    reads = [node for node in postorder(*stage.args, value.b, stage.predicate) if own(node)]
    if not own(value.a) or value.a.args != stage.args or reads:  # type: ignore[attr-defined]
        return None
    return minus(value.b) if isinstance(value, Sub) else value.b


def _same_domain(function: Function, first: StageDef, stage: StageDef) -> bool:
    """Whether both add to elements of the Function, over the same domain and the same of its own dimensions."""
    if not first.rvars or added(function, first) is None or added(function, stage) is None:
        return False
    if _own_dimensions(function, first) != _own_dimensions(function, stage):
        return False
    names = _names(stage, first)
    if names is None or _renamed(stage.predicate, names) is not _renamed(first.predicate, {}):
        return False
    return all(a.minimum is b.minimum and a.extent is b.extent for a, b in zip(stage.rvars, first.rvars, strict=True))


def _own_dimensions(function: Function, stage: StageDef) -> list[bool]:
    """For each dimension of the Function whether an update ranges over all of it."""
    return [is_pure_arg(arg, name) for arg, name in zip(stage.args, function.args, strict=True)]


def _names(stage: StageDef, first: StageDef) -> dict[str, str] | None:
    """The corresponding RVars of another update, by name; None when the numbers of RVars differ."""
    if len(stage.rvars) != len(first.rvars):
        return None
    return {own.name: other.name for own, other in zip(stage.rvars, first.rvars, strict=True)}


def _renamed(e: Expr, names: Mapping[str, str]) -> Expr:
    def change(node: Any) -> Any:
        if not isinstance(node, ReductionVariable):
            return node
        return ReductionVariable(INT32, names.get(node.name, node.name), None)

    return rewrite(e, change)


def _is_several(stage: StageDef) -> bool:
    return any(map(is_several, postorder(*stage.args, *stage.values)))


def _merged(function: Function, run: Sequence[StageDef], name: str) -> StageDef:
    first = run[0]
    places, values = [], []
    for stage in run:
        names = _names(stage, first)
        value = added(function, stage)
        assert names is not None and value is not None
        places.append([_renamed(arg, names) for arg in stage.args])
        values.append(_renamed(value, names))
    number = ReductionVariable(INT32, name, None)
    args = tuple([_one_of(number, parts) for parts in zip(*places, strict=True)])
    own: Expr = FuncCall(values[0].type, function.name, args, 0, None)
    loops = (ReductionLoop(name, const(0), const(len(run))), *first.rvars)
    return StageDef(args, (plus(own, _one_of(number, values)),), loops, _renamed(first.predicate, {}), first.location)


def _one_of(number: Expr, parts: Sequence[Expr]) -> Expr:
    """The part with this number."""
    chosen = parts[-1]
    for at in reversed(range(len(parts) - 1)):
        chosen = parts[at] if parts[at] is chosen else Select(EQ(number, const(at)), parts[at], chosen)
    return chosen
