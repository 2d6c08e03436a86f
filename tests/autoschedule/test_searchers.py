"""What each searcher of the literature does in the space: trees, populations, rules, values, penalties."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

import pipec as hl
from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.cost.model import Roofline
from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.space.groups import groups
from pipec.autoschedule.space.state import State, Where
from pipec.autoschedule.strategies import STRATEGIES
from pipec.autoschedule.strategies.adams2019 import selected, structure
from pipec.autoschedule.strategies.evolution import costs_of, crossed, kind_of, mutated, next_generation
from pipec.autoschedule.strategies.mcts import MeasuredMoves, best_below, iterated, move, planted
from pipec.autoschedule.strategies.mullapudi2016 import PublishedCost, merges
from pipec.autoschedule.strategies.search_state import SearchState
from pipec.autoschedule.strategies.sketches import RULES, Sketch, annotated, derived, levels_of
from pipec.autoschedule.strategies.value import ValueFunction
from pipec.errors import ArgumentError, NotSupportedError
from tests.autoschedule.chains import chain


def search_of(dag: Dag) -> SearchState:
    search = SearchState(dag, CpuEvaluator(dag, Roofline()), CpuEvaluator(dag, Roofline()).space.start())
    search.cost(search.start)
    return search


def run(steps: Iterator[None]) -> None:
    for _ in steps:
        pass


def test_a_tree_moves_to_the_decision_below_which_the_best_complete_schedule_is() -> None:
    search = search_of(chain(3))
    trees = planted(search)
    run(iterated(trees, 4))
    complete = [child for tree in trees for child in tree.root.children or () if child.completed is not None]
    best = min(complete, key=lambda child: child.best)
    assert best_below(trees) == best.state
    assert all(tree.root.visits == 4 for tree in trees)
    move(trees, best.state)
    assert all(tree.root.state == best.state and tree.root.depth == 1 for tree in trees)
    assert max(tree.root.visits for tree in trees) > 0, "what a tree learnt below the root stays"


def test_measured_times_decide_between_the_moves_of_a_tree() -> None:
    proposals = MeasuredMoves(search_of(chain(3)))
    states = list(proposals.propose(6))
    slowest = max(states, key=lambda state: proposals.search.cost(state))
    for state in states:
        proposals.learn(state, 1.0 if state == slowest else 9.0)
    trees = proposals._trees
    best = best_below(trees, proposals.measured)
    timed = [child for tree in trees for child in tree.root.children or () if child.completed == slowest]
    assert not timed or best in [child.state for child in timed]
    assert list(proposals.propose(4))


def test_crossover_takes_whole_groups_of_the_second_parent() -> None:
    dag = chain(6)
    search = search_of(dag)
    first = search.start
    states = [derived(search) for _ in range(12)]
    second = max(states, key=lambda state: len(groups(dag, state)) * (len(state.inlined) < 5))
    of_second = {root: frozenset(members) for root, members in groups(dag, second).items()}
    assert len(of_second) > 1
    children = [child for _ in range(20) if (child := crossed(search, first, second)) is not None]
    assert children
    for child in children:
        assert search.space.problems(child) == []
        shared = [root for root, members in groups(dag, child).items() if of_second.get(root) == frozenset(members)]
        assert any(child[root] == second[root] for root in shared)


def test_mutations_are_of_three_kinds() -> None:
    search = search_of(chain(3))
    kinds = set()
    for _ in range(80):
        state = mutated(search, search.start)
        assert state is not None and search.space.problems(state) == []
        changed = [name for name in search.dag.funcs if state[name] != search.start[name]]
        kinds |= {kind_of(search.start, state, name) for name in changed}
    assert kinds == {"tile", "level", "parallel"}


def test_a_generation_keeps_the_best_of_the_one_before() -> None:
    search = search_of(chain(3))
    population = costs_of(search, dict.fromkeys([search.start, *[derived(search) for _ in range(6)]]))
    steps = next_generation(search, population)
    with pytest.raises(StopIteration) as stop:
        while True:
            next(steps)
    assert min(stop.value.value.values()) <= min(population.values())


def test_each_rule_of_sketches_derives_what_it_says() -> None:
    search = search_of(chain(3))
    func = list(search.space.decided())[1]
    sketch = Sketch(search, search.start, func, search.space.children(search.start, func))
    assert {state[func].where for state in RULES["inline"](sketch)} == {Where.INLINE}
    assert {state[func].where for state in RULES["tiled"](sketch)} == {Where.ROOT}
    assert {state[func].where for state in RULES["fused"](sketch)} == {Where.AT}
    assert all(state[func].store is not None for state in RULES["cached"](sketch))
    assert not RULES["reduction"](sketch), "there is none"


def test_a_rule_of_the_user_takes_part(monkeypatch: pytest.MonkeyPatch) -> None:
    search = search_of(chain(3))
    for name in list(RULES):
        monkeypatch.delitem(RULES, name)

    def everything_at_root(sketch: Sketch) -> list[State]:
        return sketch.where(lambda placement: placement.where is Where.ROOT)

    hl.add_sketch_rule(everything_at_root)
    assert all(placement.where is Where.ROOT for placement in derived(search).placements.values())
    with pytest.raises(ArgumentError, match="sketch rule 'everything_at_root' already"):
        hl.add_sketch_rule(everything_at_root)
    monkeypatch.delitem(RULES, "everything_at_root")


def test_annotation_changes_no_structure() -> None:
    search = search_of(chain(3))
    state = search.best[0][1]
    run(annotated(search, state))
    cheaper = [other for cost, other in search.best if other != state]
    assert cheaper and all(levels_of(other) == levels_of(state) for other in cheaper)


def test_the_value_of_a_state_is_what_was_reached_from_it() -> None:
    search = search_of(chain(3))
    function = ValueFunction(search)
    (first, *_), depth = search.space.children(search.start, function.funcs[0]), 1
    cost = search.cost(first)
    function.reached([first], 0.5 * cost)
    function.reached([first], 2.0 * cost)
    assert function.predicted([first], depth) == [pytest.approx(cost)], "nothing is learnt yet"
    for _ in range(2):
        function.train(0.0)
    assert 0.5 * cost < function.predicted([first], depth)[0] < 0.75 * cost


def test_a_beam_prefers_another_structure_to_more_of_one() -> None:
    search = search_of(chain(3))
    func = list(search.space.decided())[1]
    ranked = search.ranked(search.space.children(search.start, func))
    plain = [other for _, other in ranked[:4]]
    diverse = selected(ranked, [func], 4, 0, frozenset())

    def structures(states: list[State]) -> int:
        return len({structure(other, [func], 1) for other in states})

    assert diverse[0] == plain[0] and structures(diverse) > structures(plain)


def test_a_structure_that_no_good_state_had_is_penalized_in_later_passes() -> None:
    search = search_of(chain(2))
    func = list(search.space.decided())[1]
    ranked = [(1.0 + 0.01 * k, state) for k, state in enumerate(search.space.children(search.start, func))]
    last = structure(ranked[-1][1], [func], 0)
    first = next(state for _, state in ranked if structure(state, [func], 0) == last)
    assert selected(ranked, [func], 1, 1, {last})[0] == first


def test_the_published_cost_prefers_small_footprints_and_enough_tasks() -> None:
    dag = chain(3)
    search = search_of(dag)
    model = PublishedCost(search)
    at_root = search.space.trivial()
    merged = [state for state in merges(dag, at_root) if not search.space.problems(state)]
    assert merged and min(map(model.cost, merged)) < model.cost(at_root) < math.inf


def test_anderson_is_for_kernels_only() -> None:
    x = hl.Var("x")
    f = hl.Func("f")
    f[x] = x
    with pytest.raises(NotSupportedError, match="decides about kernels"):
        f.autoschedule(sizes=[64], strategy="anderson2021")
    assert not STRATEGIES["anderson2021"].cpu
