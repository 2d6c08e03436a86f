"""States from the fastest groups of others: sets of groups that compute the same Funcs take each other's place."""

from __future__ import annotations

from pipec.autoschedule.space.cpu.space import CpuSpace
from pipec.autoschedule.space.groups import groups
from pipec.autoschedule.space.state import INLINED, State, Where
from pipec.autoschedule.strategies.crossover import GroupTimes
from pipec.autoschedule.strategies.mixed import Mixed
from tests.autoschedule.chains import chain, search_by

DAG = chain(4)
SPACE = CpuSpace(DAG)
FIRST, SECOND, THIRD, LAST = reversed([name for name in DAG.funcs])
TRIVIAL = SPACE.trivial()
"""All Funcs at root."""


def of_groups(state: State, **times: float) -> dict[str, float]:
    """A millisecond for each root, but for those whose base name has a time."""
    return {root: times.get(root.partition("$")[0], 1.0) for root in groups(DAG, state)}


def changed_at(name: str) -> State:
    """The trivial state with another nest of one Func."""
    options = [state for state in SPACE.neighbours(TRIVIAL, name) if state[name].where is Where.ROOT]
    return next(s for s in options if s != TRIVIAL and all(s[f] == TRIVIAL[f] for f in DAG.funcs if f != name))


def base(name: str) -> str:
    return name.partition("$")[0]


def crossed(*measured: tuple[State, dict[str, float]]) -> list[State]:
    times = GroupTimes(DAG, SPACE)
    for state, own in measured:
        times.add(state, own)
    return list(times.crossed([state for state, _ in measured], bases=1))


def test_a_state_gets_the_faster_group_of_another_one() -> None:
    one, other = changed_at(FIRST), changed_at(LAST)
    fast_first = of_groups(one, **{base(FIRST): 0.5})
    fast_last = of_groups(other, **{base(LAST): 0.25})
    (state,) = crossed((one, fast_first), (other, fast_last))
    assert state[FIRST] == one[FIRST] and state[LAST] == other[LAST]


def test_groups_with_the_same_schedule_are_not_exchanged() -> None:
    """A time that is shorter by chance tells nothing about a state."""
    assert crossed((TRIVIAL, of_groups(TRIVIAL)), (changed_at(FIRST), of_groups(TRIVIAL, **{base(LAST): 0.1}))) == []


def test_a_gain_within_noise_is_no_reason_for_a_trial() -> None:
    other = changed_at(LAST)
    assert crossed((TRIVIAL, of_groups(TRIVIAL)), (other, of_groups(other, **{base(LAST): 0.98}))) == []


def test_groups_that_inline_a_func_are_exchanged_with_all_that_compute_it_elsewhere() -> None:
    inlining = SPACE.placed(TRIVIAL, SECOND, INLINED)
    slow = of_groups(TRIVIAL)
    (state,) = crossed((TRIVIAL, slow), (inlining, of_groups(inlining, **{base(THIRD): 1.5})))
    assert state == inlining, "1.5 ms take the place of two groups of a millisecond each"
    assert crossed((TRIVIAL, slow), (inlining, of_groups(inlining, **{base(THIRD): 2.5}))) == []


def test_a_func_inlined_in_both_joins_no_groups() -> None:
    inlining = SPACE.placed(TRIVIAL, SECOND, INLINED)
    other = SPACE.placed(changed_at(FIRST), SECOND, INLINED)
    (state,) = crossed(
        (inlining, of_groups(inlining)), (other, of_groups(other, **{base(FIRST): 0.2, base(LAST): 9.0}))
    )
    assert state == SPACE.placed(inlining, FIRST, other[FIRST]), "the last group stays, which is slower there"


def test_a_group_of_several_states_has_the_mean_of_its_times() -> None:
    one, other = changed_at(FIRST), changed_at(LAST)
    times = GroupTimes(DAG, SPACE)
    for milliseconds in (0.2, 3.0):
        times.add(other, of_groups(other, **{base(LAST): milliseconds}))
    times.add(one, of_groups(one))
    assert list(times.crossed([one, other], bases=1)) == [], "1.6 ms in the mean"


def test_tuning_proposes_the_fastest_groups_together() -> None:
    mixed = Mixed(search_by("beam", DAG, 100))
    one, other = changed_at(FIRST), changed_at(LAST)
    mixed.learn(one, 3.5, of_groups(one, **{base(FIRST): 0.5}))
    mixed.learn(other, 3.25, of_groups(other, **{base(LAST): 0.25}))
    first = next(mixed.propose(4))
    assert first[FIRST] == one[FIRST] and first[LAST] == other[LAST]
