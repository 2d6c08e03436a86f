"""Costs of states, whatever they are for: the sum over groups of stages, each evaluated once and remembered."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.space.groups import groups, inlined, inlined_into, loaded_by
from pipec.autoschedule.space.space import Space
from pipec.autoschedule.space.state import FuncPlacement, State

MAX_CACHED = 200_000
"""Groups (and placements) that are cached before the cache is cleared."""

Key = tuple[object, ...]
StageName = tuple[str, int]
Group = TypeVar("Group")
Orders = Mapping[str, tuple[int, ...]]


class Evaluator(ABC, Generic[Group]):
    """Costs complete states of one space. The cost of a state is the sum over its groups: roots with all in them."""

    def __init__(self, dag: Dag, space: Space) -> None:
        self.dag = dag
        self.space = space
        self.groups_evaluated = 0
        self._loaded = loaded_by(dag)
        self._inlined_into: dict[frozenset[str], dict[str, frozenset[str]]] = {}
        self._costs: dict[Key, float] = {}
        self._numbers: dict[FuncPlacement, int] = {}
        self._numbers_by_id: dict[int, tuple[FuncPlacement, int]] = {}

    @abstractmethod
    def group(self, members: Sequence[str], state: State, into: Mapping[str, frozenset[str]], storage: Orders) -> Group:
        """Describes a group to be evaluated. `into`: what each Func takes in; `storage`: orders in memory."""

    @abstractmethod
    def evaluated(self, new: Sequence[Group]) -> list[float]:
        """Seconds of each group; infinite where it cannot run."""

    @abstractmethod
    def per_stage(self, state: State) -> dict[StageName, float]:
        """Seconds of every stage that is not inlined."""

    @abstractmethod
    def explain(self, state: State) -> str:
        """Explains the estimated cost of each stage as text, the most expensive stage first."""

    def cost(self, state: State) -> float:
        """Seconds that the state is expected to take; more than that when its code is very long."""
        return self.costs([state])[0]

    def costs(self, states: Sequence[State]) -> list[float]:
        """Seconds that each state is expected to take. Groups that are new are evaluated together."""
        if max(len(self._costs), len(self._numbers), 20 * len(self._inlined_into)) > MAX_CACHED:
            self.forget()
        keys_of_states: list[list[Key]] = []
        new: dict[Key, Group] = {}
        for state in states:
            into, storage = self.into(state), self.storage(state)
            keys = self._keys(state, into, storage)
            for key, members in keys.items():
                if key not in self._costs and key not in new:
                    new[key] = self.group(members, state, into, storage)
            keys_of_states.append(list(keys))
        if new:
            self.groups_evaluated += len(new)
            self._costs.update(zip(new, self.evaluated(list(new.values())), strict=True))
        return [sum([self._costs[key] for key in keys]) for keys in keys_of_states]

    def groups(self, state: State) -> list[Group]:
        """The groups of a state, as `group` gives them."""
        into, storage = self.into(state), self.storage(state)
        return [self.group(members, state, into, storage) for members in groups(self.dag, state).values()]

    def forget(self) -> None:
        """Clears the caches of costs, groups and numbers."""
        self._costs.clear()
        self._inlined_into.clear()
        self._numbers.clear()
        self._numbers_by_id.clear()

    def into(self, state: State) -> dict[str, frozenset[str]]:
        """The inlined Funcs that each Func takes in."""
        names = inlined(state)
        cached = self._inlined_into.get(names)
        if cached is None:
            cached = self._inlined_into[names] = inlined_into(self.dag, self._loaded, names)
        return cached

    def storage(self, state: State) -> dict[str, tuple[int, ...]]:
        """Orders in memory that are not those of the arguments: loads of it from other groups depend on them."""
        return {name: p.storage for name, p in state.placements.items() if p.storage}

    def _keys(
        self, state: State, into: dict[str, frozenset[str]], storage: dict[str, tuple[int, ...]]
    ) -> dict[Key, list[str]]:
        """The groups: members, consumers first, by all that their cost depends on."""
        elsewhere = frozenset(storage.items())
        keys: dict[str, list[object]] = {}
        members_of = groups(self.dag, state)
        numbers, placements = self._numbers_by_id, state.placements
        for root, members in members_of.items():
            key = keys[root] = [elsewhere]
            for name in members:
                placement = placements[name]
                number = numbers.get(id(placement))
                key += (name, self._number(placement) if number is None else number[1], into[name])
        return {tuple(key): members_of[root] for root, key in keys.items()}

    def _number(self, placement: FuncPlacement) -> int:
        """The same number for equal placements. Most are the same object, which `_known` finds quicker."""
        number = self._numbers.setdefault(placement, len(self._numbers))
        self._numbers_by_id[id(placement)] = placement, number
        return number
