"""Groups of a state: roots with all that is computed inside their loops, and what is inlined into each Func."""

from __future__ import annotations

from collections.abc import Mapping

from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.space.state import State, Where

NOTHING: frozenset[str] = frozenset()


def groups(dag: Dag, state: State) -> dict[str, list[str]]:
    """The members of every group by its root, consumers first."""
    members_of: dict[str, list[str]] = {}
    of: dict[str, str] = {}
    inline, placements = Where.INLINE, state.placements
    for name in dag.funcs:
        placement = placements[name]
        if placement.where is inline:
            continue
        if placement.compute is None:
            of[name] = name
            members_of[name] = [name]
        else:
            root = of[name] = of[placement.compute.func]
            members_of[root].append(name)
    return members_of


def inlined(state: State) -> frozenset[str]:
    """Returns the names of the inlined Funcs."""
    inline = Where.INLINE
    return frozenset([name for name, placement in state.placements.items() if placement.where is inline])


def inlined_into(dag: Dag, loaded: Mapping[str, tuple[str, ...]], inlined: frozenset[str]) -> dict[str, frozenset[str]]:
    """Returns the Funcs that are inlined into each Func."""
    names_of: dict[str, frozenset[str]] = {}
    for name in reversed(tuple(dag.funcs)):
        parts = [{other} | names_of[other] for other in loaded[name] if other in inlined]
        names_of[name] = NOTHING.union(*parts) if parts else NOTHING
    return names_of


def loaded_by(dag: Dag) -> dict[str, tuple[str, ...]]:
    """Returns the Funcs and images that the definitions of each Func load."""
    return {
        name: tuple(dict.fromkeys(load.name for stage in func.stages for load in stage.loads))
        for name, func in dag.funcs.items()
    }
