"""Evolution of complete states: mutation, crossover and selection by the model; some of the results are measured.

As in Ansor (Zheng et al., OSDI 2020) and MetaSchedule (Shao et al., NeurIPS 2022) the first population is random, and
states are complete, so that no undecided part misleads the cost. A mutation changes a tile, a compute level or a
parallel cut. Crossover joins groups of two parents: what is computed in the loops of a root Func stays together. A
child is replayed in the space, which legalizes it, and left out when it is not legal.

With trials, a fifth of each population are states that were measured, and a share of what is measured next is random
(epsilon-greedy).
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence

from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.space.groups import groups
from pipec.autoschedule.space.state import FuncPlacement, State, Where
from pipec.autoschedule.strategies.deciding import MIN_GAIN
from pipec.autoschedule.strategies.proposals import Proposals
from pipec.autoschedule.strategies.search_state import Options, SearchState
from pipec.autoschedule.strategies.sketches import cheapest_of_some, derived

POPULATION = 24
FOUNDERS = 8
"""Random states that a population begins with: a state with nothing in common with others is expensive to evaluate."""
CROSSOVER = 0.15
"""Of the children; the others are mutants."""
ELITE = 0.25
"""Of the next population: the best of this one and its children. The others are drawn by their costs."""
STAGNATION = 6
"""Generations without improvement before evolution begins anew beside the best state."""
KINDS = {"tile": 0.6, "level": 0.3, "parallel": 0.1}
"""How often a mutation changes sizes and orders of loops, a compute or store level, what runs on threads."""
MAX_COST = 1e9
"""Seconds; a state that cannot run has an infinite cost, which no state would be drawn beside."""
GENERATIONS = 4
"""Of each round with trials."""
EPSILON, ANCESTORS = 0.1, 0.2
"""Shares: of proposals that are random; of a population that were measured."""

Population = Mapping[State, float]


def evolution(search: SearchState, options: Options) -> Iterator[None]:
    """Populations one after the other, until `options.patience` of them have not improved the best."""
    failed = 0
    while failed < options.patience:
        before = search.best[0][0]
        yield from evolve(search, [search.best[0][1]] if failed else [])
        failed = 0 if search.best[0][0] < before * MIN_GAIN else failed + 1


def evolve(search: SearchState, ancestors: Sequence[State]) -> Iterator[None]:
    """One population from its founders until it stagnates."""
    population = yield from founded(search, ancestors)
    stagnant = 0
    while stagnant < STAGNATION:
        before = min(population.values())
        population = yield from next_generation(search, population)
        stagnant = 0 if min(population.values()) < before * MIN_GAIN else stagnant + 1


def founded(search: SearchState, ancestors: Sequence[State]) -> Generator[None, None, Population]:
    """The ancestors, the start state and random states that are derived by the rules of sketches."""
    states = dict.fromkeys([*ancestors, search.start])
    for _ in range(FOUNDERS):
        state = derived(search)
        search.cost(state)
        states[state] = None
        yield
    return costs_of(search, states)


def costs_of(search: SearchState, states: Mapping[State, object]) -> Population:
    """The costs of states, MAX_COST where they cannot run."""
    return {state: min(cost, MAX_COST) for state, cost in zip(states, search.costs(list(states)), strict=True)}


def next_generation(search: SearchState, population: Population) -> Generator[None, None, Population]:
    """Children of parents drawn by their costs; the best of all, and others by chance, survive."""
    children: dict[State, None] = {}
    for number in range(POPULATION):
        child = bred(search, population)
        if child is not None:
            children[child] = None
        if number % 4 == 3:
            search.costs(list(children))
            yield
    everyone = {**population, **costs_of(search, children)}
    ranked = sorted(everyone, key=everyone.__getitem__)
    survivors = dict.fromkeys(ranked[: int(ELITE * POPULATION)])
    survivors |= dict.fromkeys(drawn(search, everyone, POPULATION - len(survivors)))
    return {state: everyone[state] for state in survivors}


def drawn(search: SearchState, population: Population, count: int) -> list[State]:
    """States drawn with probabilities that are inversely proportional to their costs squared."""
    best = min(population.values())
    weights = [(best / cost) ** 2 if cost else 1.0 for cost in population.values()]
    return search.rng.choices(list(population), weights, k=count)


def bred(search: SearchState, population: Population) -> State | None:
    """A child of one or two parents; None where chance made nothing new."""
    mother, father = drawn(search, population, 2)
    if search.rng.random() < CROSSOVER:
        return crossed(search, mother, father)
    return mutated(search, mother)


def mutated(search: SearchState, state: State) -> State | None:
    """The state after a change of a kind that is drawn by KINDS: the best of a few random ones."""
    space, rng = search.space, search.rng
    infos = search.dag.funcs
    funcs = [name for name in space.decided() if not (infos[name].must_inline or infos[name].extern)]
    if not funcs:
        return None
    func = rng.choice(funcs)
    options = space.neighbours(state, func)
    if state[func].where is Where.INLINE or rng.random() < KINDS["level"]:
        options = [*options, *space.children(state, func)]
    of_kind: dict[str, list[State]] = {}
    for option in options:
        if option != state:
            of_kind.setdefault(kind_of(state, option, func), []).append(option)
    if not of_kind:
        return None
    kind = rng.choices(list(of_kind), [KINDS[kind] for kind in of_kind])[0]
    return cheapest_of_some(search, of_kind[kind])


def kind_of(state: State, option: State, func: str) -> str:
    """What an option changes, as the names of KINDS."""
    before, after = state[func], option[func]
    if (before.where, before.compute, before.store) != (after.where, after.compute, after.store):
        return "level"
    return "tile" if tasks_of(before) == tasks_of(after) else "parallel"


def tasks_of(placement: FuncPlacement) -> list[tuple[tuple[int, ...], ...]]:
    """The parallel dimensions and the tile of a task, of each stage that runs on threads."""
    return [(nest.parallel, nest.tiles[0]) for nest in placement.nests if nest.parallel]


def crossed(search: SearchState, mother: State, father: State) -> State | None:
    """The mother with a random half of the father's groups; None when the child is not legal, or one of the two."""
    dag, space = search.dag, search.space
    free = set(space.decided())
    child = mother
    for members in groups(dag, father).values():
        if search.rng.random() < 0.5:
            own = {*members, *inlined_only_into(search, father, members)} & free
            for name in [name for name in dag.funcs if name in own]:
                child = space.placed(child, name, father[name])
    return None if child in (mother, father) or space.problems(child) else child


def inlined_only_into(search: SearchState, state: State, members: Sequence[str]) -> set[str]:
    """The inlined Funcs all of whose consumers are members, or inlined into members only."""
    own = set(members)
    for name in search.dag.funcs:
        if state[name].where is Where.INLINE and all(reader in own for reader, _ in search.dag.consumers[name]):
            own.add(name)
    return own - set(members)


class Evolved(Proposals):
    """What evolution by the model, which is trained on the times, proposes: the best and some random ones."""

    def propose(self, count: int) -> Iterator[State]:
        """The cheapest of a few generations that begin with measured states."""
        population = self._population()
        for _ in range(GENERATIONS):
            population = _result(next_generation(self.search, population))
        everything = {**dict.fromkeys([state for _, state in self.search.best]), **population}
        costs = costs_of(self.search, everything)
        ranked = [state for state in sorted(costs, key=costs.__getitem__) if state not in self.measured]
        for _ in range(min(count, len(ranked))):
            place = self.search.rng.randrange(len(ranked)) if self.search.rng.random() < EPSILON else 0
            yield ranked.pop(place)

    def _population(self) -> Population:
        measured = self.fastest(int(ANCESTORS * POPULATION))
        best = [state for _, state in self.search.best[: POPULATION // 4]]
        return _result(founded(self.search, list(dict.fromkeys([*measured, *best]))))

    def search_by(self, evaluator: CpuEvaluator, seconds: float) -> SearchState:
        """The known states by the trained model; each round evolves them further."""
        search = self.new_search(evaluator)
        search.costs([*self.fastest(POPULATION), *[state for _, state in self.search.best], search.start])
        return search


def _result(steps: Generator[None, None, Population]) -> Population:
    """Runs a generator to its end."""
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            result: Population = stop.value
            return result
