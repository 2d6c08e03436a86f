"""The states that always exist: everything at root, or cheap Funcs inlined; vectors and threads as usual."""

from __future__ import annotations

from pipec.autoschedule.dag.dag import Dag, FuncInfo, Operation
from pipec.autoschedule.space.cpu.nests import SMALL, default_nests
from pipec.autoschedule.space.state import INLINED, FuncPlacement, State, Where


def fallback(dag: Dag) -> State:
    """Inlines what is cheap to recompute and places everything else at root."""
    placements: dict[str, FuncPlacement] = {}
    for name, func in dag.funcs.items():
        if func.inlinable and not func.fixed and (func.must_inline or _is_cheap(dag, func)):
            placements[name] = INLINED
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


def _is_cheap(dag: Dag, func: FuncInfo) -> bool:
    """Whether every point is read at most once by each reader, or is hardly more than one load."""
    stage = func.stages[0]
    calls = 0
    for reader, number in dag.consumers[func.name]:
        calls += sum(load.count for load in dag.funcs[reader].stages[number].loads if load.name == func.name)
    loads = sum(load.count for load in stage.loads)
    if any(dag.funcs[load.name].stages for load in stage.loads if load.name in dag.funcs) and loads > 1 < calls:
        return False
    expensive = sum(sum(stage.operations[op]) for op in (Operation.DIVIDE, Operation.TRANSCENDENTAL, Operation.OTHER))
    work = sum(map(sum, stage.operations))
    return calls <= 1 or (expensive == 0 and loads <= 1 and work <= 3)
