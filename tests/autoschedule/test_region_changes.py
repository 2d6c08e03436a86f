"""Changes of regions of the best state, which leave local optima that no single change leaves."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from pipec.autoschedule.space.cpu.legality import problems
from pipec.autoschedule.space.state import INLINED, State, Where
from pipec.autoschedule.strategies import chains, regions
from pipec.autoschedule.strategies.search_state import Options, SearchState
from tests.autoschedule.chains import chain, search_by

Change = Callable[..., object]


def changed(change: Change, search: SearchState) -> None:
    for _ in change(search, Options(), regions.neighbours(search.dag)):
        pass


def at_root(count: int) -> SearchState:
    """A search of a chain that has seen the state with everything at root alone."""
    dag = chain(count)
    search = search_by("trivial", dag)
    state = search.space.trivial()
    fresh = SearchState(dag, search.evaluator, state)
    fresh.cost(state)
    return fresh


def test_regions_of_neighbours_are_decided_anew_together(monkeypatch: pytest.MonkeyPatch) -> None:
    decided, seen = regions.decided, []

    def counted(search: SearchState, start: State, width: int, noise: float, only: Sequence[str]):
        seen.append(only)
        assert only == [name for name in search.space.decided() if name in only], "in one order in every process"
        assert all(start[name].where == search.start[name].where for name in only)
        return decided(search, start, width, noise, only)

    monkeypatch.setattr(regions, "decided", counted)
    search = search_by("beam", chain(6), states=300)
    for _ in range(3):
        changed(regions.redecided, search)
    assert len(seen) == 3 and all(2 <= len(region) <= regions.REGION_FUNCS for region in seen)
    for region in seen:
        numbers = sorted(int(name.partition("$")[0].removeprefix("stage_")) for name in region)
        assert numbers[-1] - numbers[0] == len(numbers) - 1, "Funcs of a chain that follow each other"


def test_several_producers_are_fused_into_the_loops_of_one_root() -> None:
    search = at_root(4)
    changed(chains.fused_chain, search)
    fused = max(sum(place.where is Where.AT for place in state.placements.values()) for _, state in search.best)
    assert fused >= 2
    assert not any(problems(search.dag, state) for _, state in search.best)


def test_a_chain_goes_on_where_its_first_link_costs_more(monkeypatch: pytest.MonkeyPatch) -> None:
    search = at_root(4)
    costs = search.evaluator.costs

    def expensive_first_link(states: Sequence[State]) -> list[float]:
        """One link alone costs nine times as much."""
        return [cost * (9 if _fused(state) == 1 else 1) for cost, state in zip(costs(states), states, strict=True)]

    monkeypatch.setattr(search.evaluator, "costs", expensive_first_link)
    changed(chains.fused_chain, search)
    assert _fused(search.best[0][1]) >= 2


def test_a_func_moves_to_another_level_or_vector_although_that_costs_more(monkeypatch: pytest.MonkeyPatch) -> None:
    started, decided = [], regions.decided
    monkeypatch.setattr(
        regions,
        "decided",
        lambda search, start, *rest: (started.append((search.start, start)), decided(search, start, *rest))[1],
    )
    for seed in range(4):
        search = at_root(4)
        search.rng.seed(seed)
        changed(regions.moved_elsewhere, search)
    assert len(started) >= 2
    for trivial, state in started:
        assert any(_site(state, name) != _site(trivial, name) for name in state.placements)


def test_a_search_without_funcs_that_are_read_in_one_root_changes_nothing() -> None:
    search = at_root(1)
    states = search.states
    changed(chains.fused_chain, search)
    assert search.states == states


def test_several_funcs_are_inlined_although_the_first_alone_costs_more(monkeypatch: pytest.MonkeyPatch) -> None:
    search = at_root(4)
    costs, inlined = search.evaluator.costs, Where.INLINE

    def expensive_first_link(states: Sequence[State]) -> list[float]:
        """One inlined Func alone costs nine times as much."""
        factors = [9 if _count(state, inlined) == 1 else 1 for state in states]
        return [cost * factor for cost, factor in zip(costs(states), factors, strict=True)]

    monkeypatch.setattr(search.evaluator, "costs", expensive_first_link)
    for seed in range(4):
        search.rng.seed(seed)
        changed(chains.inlined_chain, search)
    assert max(_count(state, inlined) for _, state in search.cheapest(1000)) >= 2
    assert not any(problems(search.dag, state) for _, state in search.best)


def test_funcs_that_are_inlined_are_stored_together_at_one_level() -> None:
    search = at_root(4)
    state = search.space.trivial()
    for name in search.space.decided()[1:]:
        state = search.space.placed(state, name, INLINED)
    search = SearchState(search.dag, search.evaluator, state)
    search.cost(state)
    for seed in range(4):
        search.rng.seed(seed)
        changed(chains.stored_together, search)
    levels = [[p.compute for p in s.placements.values() if p.compute] for _, s in search.cheapest(1000)]
    assert any(len(of_state) > len(set(of_state)) for of_state in levels), "two at one level"
    assert not any(problems(search.dag, other) for _, other in search.best)


def test_random_tilings_are_legal_and_change_the_sizes_of_several_levels_at_once() -> None:
    search = search_by("beam", chain(4), states=300)
    (output,) = search.dag.outputs
    levelled = [state for _, state in search.cheapest(300) if len(state[output].nests[0].tiles) > 1]
    tilings = search.space.random_tilings(levelled[0], output, search.rng, 50)
    assert len({tiling[output].nests[0].tiles for tiling in tilings}) > 10
    assert not any(problems(search.dag, tiling) for tiling in tilings)
    blocks = {tiling[output].nests[0].tiles[-1] for tiling in tilings}
    assert blocks == {levelled[0][output].nests[0].tiles[-1]}, "blocks stay"


def _count(state: State, where: Where) -> int:
    return sum(placement.where is where for placement in state.placements.values())


def _site(state: State, func: str) -> object:
    return state[func].where, state[func].compute, [nest.vector for nest in state[func].nests]


def _fused(state: State) -> int:
    return sum(place.where is Where.AT for place in state.placements.values())
