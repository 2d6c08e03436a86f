"""Groups of a state: roots with all that is computed inside their loops, and what is inlined into each Func."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.space.state import State, Where

NOTHING: frozenset[str] = frozenset()


def groups(dag: Dag, state: State) -> dict[str, list[str]]:
    """The members of every group by its root, consumers first."""
    return _assigned(state, dag.funcs)


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


class Grouping(NamedTuple):
    """The groups of a state: the root of every Func that is not inlined, the members of every root, consumers first."""

    root_of: Mapping[str, str]
    members_of: Mapping[str, list[str]]

    @staticmethod
    def of(dag: Dag, state: State) -> Grouping:
        """Returns the groups of a state."""
        members_of = groups(dag, state)
        return Grouping({name: root for root, members in members_of.items() for name in members}, members_of)


def regrouped(
    dag: Dag, before: Grouping, base: State, state: State, changed: Iterable[str]
) -> tuple[set[str], dict[str, list[str]]]:
    """The groups of `base` that are not those of `state`, by their roots, and those of `state` in their place.

    `before`: the groups of `base`; `changed`: the Funcs whose placements differ. A group is another one also if its
    members take in or load Funcs that are now inlined, no longer inlined, or stored in another order.
    """
    root_of, names, gone = before.root_of, set[str](), set[str]()
    pending: list[str] = []
    for name in changed:
        old, new = base[name], state[name]
        pending.append(name)
        if new.compute is not None:
            pending.append(new.compute.func)
        if (old.where is Where.INLINE) != (new.where is Where.INLINE) or old.storage != new.storage:
            pending += _readers(dag, base, state, name)
        names.add(name)
    for name in pending:
        root = root_of.get(name)
        if root is not None and root not in gone:
            gone.add(root)
            names.update(before.members_of[root])
    return gone, _assigned(state, sorted(names, key=dag.positions.__getitem__))


def _assigned(state: State, names: Iterable[str]) -> dict[str, list[str]]:
    """The members of each root; `names`: all Funcs of these groups, consumers first."""
    root_of: dict[str, str] = {}
    members_of: dict[str, list[str]] = {}
    for name in names:
        placement = state[name]
        if placement.where is not Where.INLINE:
            root = root_of[name] = name if placement.compute is None else root_of[placement.compute.func]
            members_of.setdefault(root, []).append(name)
    return members_of


def _readers(dag: Dag, base: State, state: State, name: str) -> Iterator[str]:
    """The Funcs that load a Func, also through Funcs that are inlined in one of the states."""
    visited, pending = {name}, [name]
    while pending:
        for reader, _ in dag.consumers[pending.pop()]:
            if reader not in visited:
                visited.add(reader)
                yield reader
                if Where.INLINE in (base[reader].where, state[reader].where):
                    pending.append(reader)
