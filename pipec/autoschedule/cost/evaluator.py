"""Costs of states, whatever they are for: the sum over groups of stages, each evaluated once and remembered."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.space.groups import NOTHING, Grouping, groups, inlined_into, loaded_by, regrouped
from pipec.autoschedule.space.space import Space
from pipec.autoschedule.space.state import FuncPlacement, State

MAX_CACHED = 200_000
"""Groups (and placements) that are cached before the cache is cleared."""
MAX_BASES = 64
"""States whose groups are cached, because others were derived from them."""

Key = tuple[object, ...]
StageName = tuple[str, int]
Group = TypeVar("Group")
Orders = Mapping[str, tuple[int, ...]]


class Base(NamedTuple):
    """A state that others are derived from: its groups and what they cost, by their roots."""

    grouping: Grouping
    costs: Mapping[str, float]


class Evaluator(ABC, Generic[Group]):
    """Costs complete states of one space. The cost of a state is the sum over its groups: roots with all in them."""

    def __init__(self, dag: Dag, space: Space) -> None:
        self.dag = dag
        self.space = space
        self.groups_evaluated = 0
        self._loaded = loaded_by(dag)
        self._bases: dict[State, Base] = {}
        self._inlined_into: dict[frozenset[str], dict[str, frozenset[str]]] = {}
        self._loads: dict[tuple[str, frozenset[str]], frozenset[str]] = {}
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
        parts: list[tuple[list[float], list[Key]]] = []
        new: dict[Key, Group] = {}
        for state in states:
            unchanged, members_of = self._changed(state)
            keys = self._keys(members_of, state, new)
            parts.append((unchanged, keys))
            state.forget_origin()
        self._evaluate(new)
        return [sum([*unchanged, *[self._costs[key] for key in keys]]) for unchanged, keys in parts]

    def _evaluate(self, new: Mapping[Key, Group]) -> None:
        if new:
            self.groups_evaluated += len(new)
            self._costs.update(zip(new, self.evaluated(list(new.values())), strict=True))

    def _changed(self, state: State) -> tuple[list[float], Mapping[str, list[str]]]:
        """The costs of the groups that the state shares with its origin, and its other groups by their roots."""
        if state.origin is None:
            return [], groups(self.dag, state)
        origin, changed = state.origin
        base = self._base(origin)
        gone, members_of = regrouped(self.dag, base.grouping, origin, state, changed)
        return [cost for root, cost in base.costs.items() if root not in gone], members_of

    def _base(self, state: State) -> Base:
        base = self._bases.pop(state, None)
        if base is None:
            grouping, new = Grouping.of(self.dag, state), dict[Key, Group]()
            keys = self._keys(grouping.members_of, state, new)
            self._evaluate(new)
            costs = [self._costs[key] for key in keys]
            base = Base(grouping, dict(zip(grouping.members_of, costs, strict=True)))
            if len(self._bases) >= MAX_BASES:
                del self._bases[next(iter(self._bases))]
        self._bases[state] = base
        return base

    def groups(self, state: State) -> list[Group]:
        """The groups of a state, as `group` gives them."""
        into, storage = self.into(state), state.storage
        return [self.group(members, state, into, storage) for members in groups(self.dag, state).values()]

    def forget(self) -> None:
        """Clears the caches of costs, groups and numbers."""
        self._costs.clear()
        self._bases.clear()
        self._inlined_into.clear()
        self._loads.clear()
        self._numbers.clear()
        self._numbers_by_id.clear()

    def into(self, state: State) -> dict[str, frozenset[str]]:
        """The inlined Funcs that each Func takes in."""
        names = state.inlined
        cached = self._inlined_into.get(names)
        if cached is None:
            cached = self._inlined_into[names] = inlined_into(self.dag, self._loaded, names)
        return cached

    def _keys(self, members_of: Mapping[str, list[str]], state: State, new: dict[Key, Group]) -> list[Key]:
        """For each group all that its cost depends on; groups whose cost is not cached are added to `new`."""
        into, storage = self.into(state), state.storage
        numbers, placements, keys = self._numbers_by_id, state.placements, []
        for members in members_of.values():
            parts: list[object] = [self._read_orders(members, into, storage)] if storage else [NOTHING]
            for name in members:
                placement = placements[name]
                number = numbers.get(id(placement))
                parts += (name, self._number(placement) if number is None else number[1], into[name])
            key = tuple(parts)
            keys.append(key)
            if key not in self._costs and key not in new:
                new[key] = self.group(members, state, into, storage)
        return keys

    def _read_orders(
        self, members: Sequence[str], into: Mapping[str, frozenset[str]], storage: Orders
    ) -> frozenset[tuple[str, tuple[int, ...]]]:
        """The orders in memory of what a group loads."""
        loads = NOTHING.union(*[self._loads_of(name, into[name]) for name in members])
        return frozenset([(name, order) for name, order in storage.items() if name in loads])

    def _loads_of(self, name: str, into: frozenset[str]) -> frozenset[str]:
        cached = self._loads.get((name, into))
        if cached is None:
            cached = NOTHING.union(*[self._loaded[other] for other in (name, *into)])
            self._loads[name, into] = cached
        return cached

    def _number(self, placement: FuncPlacement) -> int:
        """The same number for equal placements. Most are the same object, which `_known` finds quicker."""
        number = self._numbers.setdefault(placement, len(self._numbers))
        self._numbers_by_id[id(placement)] = placement, number
        return number
