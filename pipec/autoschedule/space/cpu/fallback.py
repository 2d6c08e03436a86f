"""The states that always exist: everything at root, or cheap Funcs inlined; vectors and threads as usual."""

from __future__ import annotations

from collections.abc import Mapping

from pipec.autoschedule.dag.dag import Dag, FuncInfo, Operation
from pipec.autoschedule.space.cpu.nests import SMALL, default_nests
from pipec.autoschedule.space.state import INLINED, FuncPlacement, State, Where


def fallback(dag: Dag) -> State:
    """Inlines what is cheap to recompute and places everything else at root."""
    placements: dict[str, FuncPlacement] = {}
    evaluations: dict[str, int] = {}
    for name, func in dag.funcs.items():
        calls = _calls(dag, name, evaluations)
        if func.inlinable and not func.fixed and (func.must_inline or _is_cheap(dag, func, calls)):
            placements[name] = INLINED
            evaluations[name] = calls
        else:
            placements[name] = FuncPlacement(Where.ROOT, None, None, default_nests(dag, func, root=True))
    return State(placements)


def trivial(dag: Dag) -> State:
    """Computes everything at root that need not be inlined, in vectors along the innermost dimension of its storage."""
    placements: dict[str, FuncPlacement] = {}
    for name, func in dag.funcs.items():
        if func.must_inline and not func.fixed:
            placements[name] = INLINED
        else:
            innermost = 0 if func.extent and func.extent[0] > SMALL else None
            nests = default_nests(dag, func, root=True, vector=innermost)
            placements[name] = FuncPlacement(Where.ROOT, None, None, nests)
    return State(placements)


def _calls(dag: Dag, name: str, evaluations: Mapping[str, int]) -> int:
    """Returns how often a Func is called for one point of the stages that are stored.

    `evaluations`: the same of the inlined Funcs among its readers. Each evaluation of a reader makes all of its calls,
    so that calls multiply along a chain of inlined stencils.
    """
    calls = 0
    for reader, number in dag.consumers[name]:
        loads = dag.funcs[reader].stages[number].loads
        calls += evaluations.get(reader, 1) * sum([load.count for load in loads if load.name == name])
    return calls


def _is_cheap(dag: Dag, func: FuncInfo, calls: int) -> bool:
    """Whether a Func is called at most once for each point that is stored, or is hardly more than one load."""
    stage = func.stages[0]
    loads = sum(load.count for load in stage.loads)
    if any(dag.funcs[load.name].stages for load in stage.loads if load.name in dag.funcs) and loads > 1 < calls:
        return False
    expensive = sum(sum(stage.operations[op]) for op in (Operation.DIVIDE, Operation.TRANSCENDENTAL, Operation.OTHER))
    work = sum(map(sum, stage.operations))
    return calls <= 1 or (expensive == 0 and loads <= 1 and work <= 3)
