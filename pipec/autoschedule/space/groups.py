"""Groups of a state: roots with all that is computed inside their loops, and what is inlined into each Func."""

from __future__ import annotations

from collections.abc import Mapping

from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.space.state import State, Where

NOTHING: frozenset[str] = frozenset()


def groups(dag: Dag, state: State) -> dict[str, list[str]]:
    """The members of every group by its root, consumers first."""
    found: dict[str, list[str]] = {}
    of: dict[str, str] = {}
    inline, placements = Where.INLINE, state.placements
    for name in dag.funcs:
        placement = placements[name]
        if placement.where is inline:
            continue
        if placement.compute is None:
            of[name] = name
            found[name] = [name]
        else:
            root = of[name] = of[placement.compute.func]
            found[root].append(name)
    return found


def inlined(state: State) -> frozenset[str]:
    """Returns the names of the inlined Funcs."""
    inline = Where.INLINE
    return frozenset([name for name, placement in state.placements.items() if placement.where is inline])


def taken_in(dag: Dag, loaded: Mapping[str, tuple[str, ...]], inlined: frozenset[str]) -> dict[str, frozenset[str]]:
    """Which inlined Funcs every Func takes in."""
    found: dict[str, frozenset[str]] = {}
    for name in reversed(tuple(dag.funcs)):
        parts = [{other} | found[other] for other in loaded[name] if other in inlined]
        found[name] = NOTHING.union(*parts) if parts else NOTHING
    return found


def loaded_by(dag: Dag) -> dict[str, tuple[str, ...]]:
    """For every Func, what its definitions load."""
    return {
        name: tuple(dict.fromkeys(load.name for stage in func.stages for load in stage.loads))
        for name, func in dag.funcs.items()
    }
