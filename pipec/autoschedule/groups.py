"""Groups of a plan: roots with all that is computed inside their loops, and what is inlined into each Func."""

from __future__ import annotations

from collections.abc import Mapping

from pipec.autoschedule.dag import Dag
from pipec.autoschedule.plan import Plan, Where

NOTHING: frozenset[str] = frozenset()


def groups(dag: Dag, plan: Plan) -> dict[str, list[str]]:
    """The members of every group by its root, consumers first."""
    found: dict[str, list[str]] = {}
    of: dict[str, str] = {}
    for name in dag.funcs:
        placement = plan.placements[name]
        if placement.where is Where.INLINE:
            continue
        root = name
        if placement.compute is not None:
            root = of[placement.compute.func]
        of[name] = root
        found.setdefault(root, []).append(name)
    return found


class Inlined:
    """Which inlined Funcs every Func of a plan takes in."""

    def __init__(self, loaded: Mapping[str, tuple[str, ...]], plan: Plan) -> None:
        self.loaded, self.plan = loaded, plan
        self._into: dict[str, frozenset[str]] = {}

    def into(self, func: str) -> frozenset[str]:
        found = self._into.get(func)
        if found is None:
            found = NOTHING
            for name in self.loaded[func]:
                placement = self.plan.placements.get(name)
                if placement is not None and placement.where is Where.INLINE:
                    found |= {name} | self.into(name)
            self._into[func] = found
        return found


def loaded_by(dag: Dag) -> dict[str, tuple[str, ...]]:
    """For every Func, what its definitions load."""
    return {
        name: tuple(dict.fromkeys(load.name for stage in func.stages for load in stage.loads))
        for name, func in dag.funcs.items()
    }
