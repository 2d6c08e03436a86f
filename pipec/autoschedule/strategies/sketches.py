"""Sketches: derivation rules choose the structure of a schedule, chance its sizes, and evolution changes the sizes.

After Ansor (Zheng et al., OSDI 2020). A rule looks at one Func, consumers first, and returns the states in which that
Func is decided as the rule says; one of the rules that apply is drawn. Ansor's six rules are: skip, always inline,
multi-level tiling, tiling with fusion, cache stage, reduction factorisation. The last changes definitions, so it is
decided before the others (`rfactor/search.py`); the rule here chooses the loops of reductions.

Users add rules by `add_sketch_rule`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pipec.autoschedule.dag.dag import FuncInfo
from pipec.autoschedule.space.state import FuncPlacement, State, Where
from pipec.autoschedule.strategies.deciding import MIN_GAIN
from pipec.autoschedule.strategies.search_state import Options, SearchState
from pipec.errors import ArgumentError
from pipec.records import dataclass

SAMPLES = 6
"""Random programs of which the cheapest is refined."""
TRIED = 4
"""Random states by one rule, or changes of sizes, of which the cheapest is taken."""
CHANGES = 40
"""Changes of sizes in a row without gain before another sketch is derived."""


@dataclass(frozen=True, eq=False)
class Sketch:
    """What a rule sees: the state so far, with all consumers of `func` decided, and the states that decide it."""

    search: SearchState
    state: State
    func: str
    children: Sequence[State]

    @property
    def info(self) -> FuncInfo:
        """The Func's stages, loops, loads and operations."""
        return self.search.dag.funcs[self.func]

    def where(self, condition: Callable[[FuncPlacement], bool]) -> list[State]:
        """The states in which the Func has a placement of that kind."""
        return [child for child in self.children if condition(child[self.func])]


Rule = Callable[[Sketch], Sequence[State]]


def skip(sketch: Sketch) -> Sequence[State]:
    """The Func stays as it is."""
    return [sketch.state] if sketch.state in sketch.children else []


def inline(sketch: Sketch) -> Sequence[State]:
    """The Func is inlined into its consumers."""
    return sketch.where(lambda placement: placement.where is Where.INLINE)


def tiled(sketch: Sketch) -> Sequence[State]:
    """Multi-level tiling: the Func is at root, in tiles of its own."""
    return sketch.where(lambda placement: placement.where is Where.ROOT)


def fused(sketch: Sketch) -> Sequence[State]:
    """Tiling with fusion: the Func is computed inside the tiles of its consumer, which may get other tiles."""
    return sketch.where(lambda placement: placement.where is Where.AT and placement.store is None)


def cached(sketch: Sketch) -> Sequence[State]:
    """Cache stage: the Func is stored further out than it is computed, or a copy of what it reads is stored."""
    stored = sketch.where(lambda placement: placement.store is not None)
    before = sketch.state.inlined - {sketch.func}
    return [*stored, *[child for child in sketch.children if before - child.inlined]]


def reduction(sketch: Sketch) -> Sequence[State]:
    """The loops of a reduction lie outside or inside of the pure ones, or are vectors of partial results."""
    if not any(loop.reduction for stage in sketch.info.stages for loop in stage.loops):
        return []
    own = sketch.state[sketch.func]
    return sketch.where(lambda placement: [n.order for n in placement.nests] != [n.order for n in own.nests])


RULES: dict[str, Rule] = {rule.__name__: rule for rule in (skip, inline, tiled, fused, cached, reduction)}


def add_sketch_rule(rule: Rule, name: str = "") -> None:
    """Adds a derivation rule to RULES, those of the strategies "sketches" and "evolution".

    `rule` gets a Sketch and returns states of `sketch.children`, or states that the space makes from them; none where
    it does not apply. ArgumentError for a name that is taken.

    >>> from pipec.autoschedule.space.state import Where
    >>> from pipec.autoschedule.strategies.sketches import RULES
    >>> def no_recomputation(sketch):
    ...     return sketch.where(lambda placement: placement.where is not Where.INLINE)
    >>> hl.add_sketch_rule(no_recomputation)
    >>> del RULES["no_recomputation"]
    """
    name = name or rule.__name__
    if name in RULES:
        raise ArgumentError(f"Error: There is a sketch rule {name!r} already; give yours another name.")
    RULES[name] = rule


def derived(search: SearchState) -> State:
    """A complete random program: for each Func a rule is drawn, and the cheapest of a few random states by it taken."""
    state = search.start
    for func in search.space.decided():
        sketch = Sketch(search, state, func, search.space.children(state, func))
        choices = [states for rule in RULES.values() if (states := rule(sketch))]
        state = cheapest_of_some(search, search.rng.choice(choices) if choices else sketch.children)
    return state


def sketches(search: SearchState, options: Options) -> Iterator[None]:
    """Random programs in batches; sizes of the cheapest of each batch are changed as long as that helps."""
    failed = 0
    while failed < options.patience:
        before = search.best[0][0]
        batch: list[tuple[float, int, State]] = []
        for _ in range(SAMPLES):
            state = derived(search)
            batch.append((search.cost(state), len(batch), state))
            yield
        yield from annotated(search, min(batch)[2])
        failed = 0 if search.best[0][0] < before * MIN_GAIN else failed + 1


def annotated(search: SearchState, state: State) -> Iterator[None]:
    """Random changes that leave the structure as it is, kept where they are cheaper."""
    cost, failed = search.cost(state), 0
    funcs = [name for name in search.space.decided() if state[name].nests]
    while funcs and failed < CHANGES:
        func = search.rng.choice(funcs)
        levels = levels_of(state)
        options = [option for option in search.space.neighbours(state, func) if levels_of(option) == levels]
        if options:
            best = cheapest_of_some(search, options)
            best_cost = search.cost(best)
            if best_cost < cost * MIN_GAIN:
                cost, state, failed = best_cost, best, -1
        failed += 1
        yield


def cheapest_of_some(search: SearchState, states: Sequence[State]) -> State:
    """The cheapest of TRIED states that are drawn."""
    return search.ranked(search.rng.sample(list(states), min(TRIED, len(states))))[0][1]


def levels_of(state: State) -> list[tuple[object, ...]]:
    """Where every Func is computed and stored."""
    return [(place.where, place.compute, place.store) for place in state.placements.values()]
