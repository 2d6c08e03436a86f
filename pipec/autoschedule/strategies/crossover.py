"""States that are put together from the fastest groups of several measured states.

Groups run one after the other, so that a clock in each trial gives the time of each. Where two states compute the same
Funcs by different groups, those of one may take the place of those of the other. The new state is expected to take the
sum of the times of its groups; it is measured like any other, since data left in the caches count, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from statistics import fmean

from pipec.autoschedule.cost.evaluator import StageName
from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.space.groups import groups, inlined_into, loaded_by
from pipec.autoschedule.space.space import Space
from pipec.autoschedule.space.state import FuncPlacement, State
from pipec.records import dataclass

MIN_GAIN = 0.97
"""Other groups take the place of those of a state where they take less than this share of their time."""
MIN_TOTAL_GAIN = 0.99
"""A new state is worth a trial where it should take less than this share of the time."""
MAX_DONORS = 64
"""The fastest states, whose groups are looked at."""
GroupKey = frozenset[tuple[str, FuncPlacement]]


@dataclass(frozen=True, eq=False)
class _Group:
    """The Funcs that are computed in the loops of a root or inlined there, and how they are scheduled."""

    funcs: frozenset[str]
    key: GroupKey


class GroupTimes:
    """Measured times of the groups of states. A group that several states share has the mean of its times."""

    def __init__(self, dag: Dag, space: Space) -> None:
        self._dag, self._space = dag, space
        self._loaded = loaded_by(dag)
        self._groups: dict[State, list[_Group]] = {}
        self._times: dict[GroupKey, list[float]] = {}

    def add(self, state: State, times: Mapping[str, float]) -> None:
        """Adds the milliseconds of each root of a state that was measured."""
        if not times:
            return
        inlined = inlined_into(self._dag, self._loaded, state.inlined)
        self._groups[state] = []
        for root, members in groups(self._dag, state).items():
            funcs = frozenset(members).union(*[inlined[name] for name in members])
            group = _Group(funcs, frozenset([(name, state[name]) for name in funcs]))
            self._groups[state].append(group)
            self._times.setdefault(group.key, []).append(times.get(root, 0.0))

    def of(self, state: State) -> list[tuple[frozenset[str], float]]:
        """The Funcs of each group and its milliseconds, in the order of `space.groups`; empty for other states."""
        return [(group.funcs, self._time([group])) for group in self._groups.get(state, ())]

    def factors(self, state: State, costs: Mapping[StageName, float]) -> dict[str, float]:
        """What the costs of Funcs are to be multiplied by so that the groups of a state cost what they take.

        `costs`: seconds of each stage. Empty for a state that was not clocked.
        """
        factors: dict[str, float] = {}
        for funcs, milliseconds in self.of(state):
            cost = 1e3 * sum([seconds for (func, _), seconds in costs.items() if func in funcs])
            factors.update(dict.fromkeys(funcs, milliseconds / cost if cost else 1.0))
        return factors

    def crossed(self, states: Iterable[State], bases: int) -> Iterator[State]:
        """For each of the first `bases` of `states`, the fastest first, what the groups of the others improve."""
        clocked = [state for state in states if state in self._groups][:MAX_DONORS]
        for base in clocked[:bases]:
            state = self._improved(base, clocked)
            if state is not None:
                yield state

    def _improved(self, base: State, donors: Iterable[State]) -> State | None:
        own = list(self._groups[base])
        before = self._time(own)
        state = base
        for donor in donors:
            everywhere = state.inlined & donor.inlined
            for of_base, of_donor in _exchangeable(own, self._groups[donor], everywhere):
                if self._time(of_donor) < MIN_GAIN * self._time(of_base):
                    child = self._with_groups(state, donor, of_donor)
                    if child is not None:
                        state = child
                        own = [group for group in own if group not in of_base] + of_donor
        return state if self._time(own) < MIN_TOTAL_GAIN * before else None

    def _time(self, of_groups: Iterable[_Group]) -> float:
        return sum([fmean(self._times[group.key]) for group in of_groups])

    def _with_groups(self, state: State, donor: State, of_donor: Iterable[_Group]) -> State | None:
        """The state with groups of another one; None where they are not legal there, or not the same there."""
        funcs = frozenset[str]().union(*[group.funcs for group in of_donor])
        child = state
        for name in [name for name in self._dag.funcs if name in funcs]:
            child = self._space.placed(child, name, donor[name])
        is_same = all(child[name] == donor[name] for name in funcs)
        return child if is_same and not self._space.problems(child) else None


def _exchangeable(
    own: list[_Group], others: list[_Group], everywhere: frozenset[str]
) -> Iterator[tuple[list[_Group], list[_Group]]]:
    """The smallest sets of groups of two states that schedule the same Funcs, where these differ.

    `everywhere`: what is inlined in both, which joins no groups: each of its readers computes it for itself.
    """
    same = {group.key for group in own} & {group.key for group in others}
    sets: list[tuple[frozenset[str], list[_Group]]] = []
    for group in [group for group in (*own, *others) if group.key not in same]:
        funcs, members = group.funcs - everywhere, [group]
        for part in [part for part in sets if not part[0].isdisjoint(funcs)]:
            sets.remove(part)
            funcs, members = funcs | part[0], members + part[1]
        sets.append((funcs, members))
    for _, members in sets:
        yield [group for group in own if group in members], [group for group in others if group in members]
