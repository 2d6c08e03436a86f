"""Costs of plans: groups of stages are evaluated once, remembered, and priced by a model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipec.autoschedule.cost.model import Array, CostModel, FeatureBatch
from pipec.autoschedule.dag import Dag
from pipec.autoschedule.features import StageFeatures
from pipec.autoschedule.groups import groups, inlined, loaded_by, taken_in
from pipec.autoschedule.plan import Placement, Plan
from pipec.autoschedule.rows import Group, Rows
from pipec.autoschedule.terms import TERMS, terms
from pipec.autoschedule.tree import StageName

REMEMBERED = 200_000
LONG_CODE = 512.0
"""Instructions of a block that are compiled quickly; LLVM's time grows faster than their number."""
"""Groups (and placements) that are remembered before all are forgotten."""

Key = tuple[object, ...]


def patience(batch: FeatureBatch) -> Array:
    """By how much rows are made dearer whose code is so long that it would take seconds to compile."""
    return 1 + np.maximum(0.0, batch.column("code") / LONG_CODE - 1)


class Evaluator:
    """Prices complete plans of one dag. A plan's cost is the sum over its groups: roots with all that they enclose."""

    def __init__(self, dag: Dag, model: CostModel) -> None:
        self.dag = dag
        self.model = model
        self.groups_evaluated = 0
        self._rows = Rows(dag, model.machine)
        self._loaded = loaded_by(dag)
        self._taken_in: dict[frozenset[str], dict[str, frozenset[str]]] = {}
        self._costs: dict[Key, float] = {}
        self._numbers: dict[Placement, int] = {}
        self._known: dict[int, tuple[Placement, int]] = {}

    def cost(self, plan: Plan) -> float:
        """Seconds that the plan is expected to take; more than that when its blocks are very long."""
        return self.costs([plan])[0]

    def costs(self, plans: Sequence[Plan]) -> list[float]:
        """Seconds that each plan is expected to take. Groups that are new are priced together."""
        if max(len(self._costs), len(self._numbers), 20 * len(self._taken_in)) > REMEMBERED:
            self._costs.clear()
            self._taken_in.clear()
            self._rows.forget()
            self._numbers.clear()
            self._known.clear()
        wanted: list[list[Key]] = []
        new: dict[Key, Group] = {}
        for plan in plans:
            into, storage = self._into(plan), self._storage(plan)
            keys = self._keys(plan, into, storage)
            for key, members in keys.items():
                if key not in self._costs and key not in new:
                    new[key] = self._rows.group(members, plan.placements, into, storage)
            wanted.append(list(keys))
        if new:
            self._price(new)
        return [sum([self._costs[key] for key in keys]) for keys in wanted]

    def per_stage(self, plan: Plan) -> dict[StageName, float]:
        """Seconds of every stage that is not inlined."""
        names, batch = self._batch(plan)
        return dict(zip(names, self.model.predict(batch).tolist(), strict=True))

    def rows(self, plan: Plan) -> dict[StageName, StageFeatures]:
        """The features of every stage that is not inlined."""
        return {
            name: row for group in self._groups(plan) for name, row in zip(group.names, group.features, strict=True)
        }

    def batch(self, plans: Sequence[Plan]) -> FeatureBatch:
        """The rows of several plans, each plan an owner."""
        found = [self._groups(plan) for plan in plans]
        return FeatureBatch.of(
            [[row for group in plan for row in group.features] for plan in found],
            [[row for group in plan for row in group.operations] for plan in found],
        )

    def per_term(self, plan: Plan) -> dict[StageName, dict[str, float]]:
        """Seconds of every stage by term; they add up to `per_stage`."""
        names, batch = self._batch(plan)
        seconds = self.model.prices(batch) * terms(batch.features, self.model.machine)
        return {name: dict(zip(TERMS, row.tolist(), strict=True)) for name, row in zip(names, seconds, strict=True)}

    def _batch(self, plan: Plan) -> tuple[list[StageName], FeatureBatch]:
        found = self._groups(plan)
        names = [name for group in found for name in group.names]
        return names, FeatureBatch.of([group.features for group in found], [group.operations for group in found])

    def _groups(self, plan: Plan) -> list[Group]:
        into, storage = self._into(plan), self._storage(plan)
        return [
            self._rows.group(members, plan.placements, into, storage) for members in groups(self.dag, plan).values()
        ]

    def _price(self, new: dict[Key, Group]) -> None:
        self.groups_evaluated += len(new)
        batch = FeatureBatch.of(
            [group.features for group in new.values()], [group.operations for group in new.values()]
        )
        seconds = batch.summed(self.model.predict(batch) * patience(batch))
        self._costs.update(zip(new, np.asarray(seconds).tolist(), strict=True))

    def _into(self, plan: Plan) -> dict[str, frozenset[str]]:
        names = inlined(plan)
        found = self._taken_in.get(names)
        if found is None:
            found = self._taken_in[names] = taken_in(self.dag, self._loaded, names)
        return found

    def _storage(self, plan: Plan) -> dict[str, tuple[int, ...]]:
        """Orders in memory that are not those of the arguments: loads of it from other groups depend on them."""
        return {name: p.storage for name, p in plan.placements.items() if p.storage}

    def _keys(
        self, plan: Plan, into: dict[str, frozenset[str]], storage: dict[str, tuple[int, ...]]
    ) -> dict[Key, list[str]]:
        """The groups: members, consumers first, by all that their price depends on."""
        elsewhere = frozenset(storage.items())
        keys: dict[str, list[object]] = {}
        found = groups(self.dag, plan)
        known, placements = self._known, plan.placements
        for root, members in found.items():
            key = keys[root] = [elsewhere]
            for name in members:
                placement = placements[name]
                number = known.get(id(placement))
                key += (name, self._number(placement) if number is None else number[1], into[name])
        return {tuple(key): found[root] for root, key in keys.items()}

    def _number(self, placement: Placement) -> int:
        """The same number for equal placements. Most are the same object, which `_known` finds quicker."""
        number = self._numbers.setdefault(placement, len(self._numbers))
        self._known[id(placement)] = placement, number
        return number
