"""Monte-Carlo tree search: complete schedules, not partial ones, tell which decision is good.

After ProTuner (Haj-Ali et al., 2020). A node of the tree is a state in which some Funcs are decided. Each iteration
descends by UCT, expands a node, completes the schedule greedily and backs its cost up. Several trees search side by
side, each by a model of its own: the first by the model, the others by random factors on the costs of Funcs. After some
iterations the root moves to that child whose sub-tree has the best complete schedule of all trees. The best one of each
tree in turn is refined by local search. When all Funcs are decided another game begins, with twice as many iterations.

With trials, the best complete schedules of the trees are measured before each move of the root, and times decide.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.space.state import State
from pipec.autoschedule.strategies.deciding import MIN_GAIN, refine
from pipec.autoschedule.strategies.proposals import MODEL_ERROR, Proposals
from pipec.autoschedule.strategies.search_state import Options, SearchState
from pipec.records import dataclass, field

TREES = 4
ITERATIONS = 1
"""Of each tree before each move of the root in the first game; twice as many in each game after it."""
SAMPLED = 12
"""States of which a roll-out takes the cheapest for a Func, drawn from all that decide it."""
EXPLORATION = 1.0
WIDENING = 3
"""Children that a node has at first, the cheapest; one more for each further visit (progressive widening)."""


@dataclass(eq=False)
class TreeNode:
    """A state with the Funcs before `depth` decided. `best`: the cost of the cheapest complete state below it."""

    state: State
    depth: int
    children: list[TreeNode] | None = None
    visits: int = 0
    total: float = 0.0
    best: float = math.inf
    completed: State | None = None

    def backed_up(self, cost: float, state: State) -> None:
        """Records a complete state below the node."""
        self.visits += 1
        self.total += cost
        if cost < self.best:
            self.best, self.completed = cost, state


@dataclass(eq=False)
class Tree:
    """One tree. `factors`: on the costs of states by the Funcs that they decide, which make a model of its own."""

    root: TreeNode
    search: SearchState
    noise: float
    _factors: dict[tuple[str, object], float] = field(default_factory=dict)

    def iterate(self) -> Iterator[None]:
        """Selects a node, expands it, completes its state, and backs the cost up."""
        path = [self.root]
        funcs = self.search.space.decided()
        while path[-1].depth < len(funcs):
            node = path[-1]
            if node.children is None:
                node.children = [
                    TreeNode(state, node.depth + 1) for state in self._ranked(node.state, funcs[node.depth])
                ]
                yield
            path.append(self._selected(node))
            if not path[-1].visits:
                break
        state = path[-1].state
        for func in funcs[path[-1].depth :]:
            state = self._rolled_out(state, func)
            yield
        cost = self.search.cost(state)
        for node in path:
            node.backed_up(cost, state)

    def _rolled_out(self, state: State, func: str) -> State:
        """The cheapest of some states that decide a Func, of all in the first roll-out: the greedy schedule."""
        children = self.search.space.children(state, func)
        if self.root.visits and len(children) > SAMPLED:
            children = self.search.rng.sample(children, SAMPLED)
        return self._by_cost(children, func)[0]

    def _selected(self, node: TreeNode) -> TreeNode:
        """The child of the greatest upper bound: of its mean speed, and more where it was seldom visited."""
        assert node.children is not None
        children = node.children[: WIDENING + node.visits]
        unvisited = next((child for child in children if not child.visits), None)
        if unvisited is not None and node.visits < WIDENING:
            return unvisited

        def bound(child: TreeNode) -> float:
            if not child.visits:
                return EXPLORATION * math.sqrt(math.log(node.visits + 1))
            mean = self.root.best / (child.total / child.visits)
            return mean * (1 + EXPLORATION * math.sqrt(math.log(node.visits + 1) / child.visits))

        return max(children, key=bound)

    def _ranked(self, state: State, func: str) -> list[State]:
        """The states that decide a Func, the cheapest by the model of this tree first."""
        return self._by_cost(self.search.space.children(state, func), func)

    def _by_cost(self, states: Sequence[State], func: str) -> list[State]:
        ranked = self.search.ranked(states)
        if not self.noise:
            return [other for _, other in ranked]
        costs = [cost * self._factor(func, other) for cost, other in ranked]
        return [ranked[number][1] for number in sorted(range(len(ranked)), key=costs.__getitem__)]

    def _factor(self, func: str, state: State) -> float:
        """The same factor whenever the Func is computed at that level, so that a tree is consistent."""
        place = state[func]
        key = func, (place.where, place.compute, place.store)
        if key not in self._factors:
            self._factors[key] = math.exp(self.search.rng.gauss(0.0, self.noise))
        return self._factors[key]


def mcts(search: SearchState, options: Options) -> Iterator[None]:
    """Games one after the other, each with more iterations, until some have not improved the best."""
    failed, game, refined = 0, 0, set[State]()
    while failed < options.patience:
        before = search.best[0][0]
        trees = planted(search)
        while trees[0].root.depth < len(search.space.decided()):
            yield from iterated(trees, ITERATIONS << min(game, 6))
            completed = trees[trees[0].root.depth % TREES].root.completed
            move(trees, best_below(trees))
            if completed is not None and completed not in refined:
                refined.add(completed)
                yield from refine(search, completed, options)
        failed, game = 0 if search.best[0][0] < before * MIN_GAIN else failed + 1, game + 1


def planted(search: SearchState) -> list[Tree]:
    """Trees with nothing decided, the first by the model itself."""
    return [Tree(TreeNode(search.start, 0), search, MODEL_ERROR * (number > 0)) for number in range(TREES)]


def iterated(trees: Sequence[Tree], iterations: int) -> Iterator[None]:
    """So many iterations of each tree; one is enough where the Func has one choice only."""
    for tree in trees:
        for _ in range(iterations):
            yield from tree.iterate()
            if tree.root.children is not None and len(tree.root.children) == 1:
                break


def best_below(trees: Sequence[Tree], times: Mapping[State, float] | None = None) -> State:
    """The decision that leads to the best complete state of all trees: the measured ones, where there are any."""
    candidates = [child for tree in trees for child in tree.root.children or () if child.completed is not None]
    timed = [child for child in candidates if child.completed in (times or {})]
    if times and timed:
        return min(timed, key=lambda child: times[child.completed]).state  # type: ignore[index]
    return min(candidates, key=lambda child: child.best).state


def move(trees: Sequence[Tree], state: State) -> None:
    """Makes the decision in all trees; a tree goes on with what it knows below it."""
    for tree in trees:
        children = tree.root.children or ()
        tree.root = next((child for child in children if child.state == state), TreeNode(state, tree.root.depth + 1))


class MeasuredMoves(Proposals):
    """The best complete state of each tree is measured before the root moves."""

    def __init__(self, search: SearchState, measured: Mapping[State, float] | None = None, trains: bool = True) -> None:
        super().__init__(search, measured, trains)
        self._trees: list[Tree] = []
        self._pending = False

    def propose(self, count: int) -> Iterator[State]:
        """Moves the root by the times of the last round, then yields the best complete states of the trees."""
        chosen = dict.fromkeys([state for _, state in self.search.best if state not in self.measured][: count // 3])
        yield from list(chosen)
        for _ in range(2 * len(self.search.space.decided()) + TREES):
            if len(chosen) >= count:
                return
            for state in self._completed():
                if state not in self.measured and state not in chosen and len(chosen) < count:
                    chosen[state] = None
                    yield state

    def _completed(self) -> list[State]:
        """The best complete states below the root, after it has moved, of each tree and each of its decisions."""
        if not self.search.space.decided():
            return []
        if self._pending:
            move(self._trees, best_below(self._trees, self.measured))
        if not self._trees or self._trees[0].root.depth >= len(self.search.space.decided()):
            self._trees = planted(self.search)
        for _ in iterated(self._trees, 4 * ITERATIONS):
            pass
        self._pending = True
        children = [child for tree in self._trees for child in tree.root.children or () if child.completed is not None]
        ranked = sorted(children, key=lambda child: child.best)
        return list(dict.fromkeys([child.completed for child in ranked if child.completed is not None]))[: 2 * TREES]

    def search_by(self, evaluator: CpuEvaluator, seconds: float) -> SearchState:
        """New trees by the trained model, below which the fastest states stay known."""
        search = self.new_search(evaluator)
        search.costs([*self.fastest(self.first.keep), search.start])
        self._trees, self._pending = [], False
        return search
