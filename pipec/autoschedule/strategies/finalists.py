"""Cheap states that differ in structure: a model that is wrong about one of them may be right about another."""

from __future__ import annotations

from collections.abc import Mapping

from pipec.autoschedule.space.state import FuncPlacement, State
from pipec.autoschedule.strategies.deciding import structure_of_func
from pipec.autoschedule.strategies.search_state import MAX_RANKED, SearchState

MAX_COST_RATIO = 2.0
"""States that cost more than the best times this factor are no finalists."""
MIN_CHANGED_SHARES = (0.3, 0.1)
"""Of the time of a finalist, that is due to Funcs which another one computes elsewhere; the second where the first
leaves too few. On 47 pipelines the best of 6 states took 1.019 of the best measured one's time, 1.053 with 0.1 alone.
"""
Shape = Mapping[str, tuple[object, ...]]


def finalists(search: SearchState, count: int) -> list[tuple[float, State]]:
    """Returns up to `count` states with their costs, the cheapest first: each differs in structure from those before.

    Sizes of tiles alone make no difference, nor do Funcs that take next to no time.
    """
    chosen: list[tuple[float, State]] = []
    shapes: list[tuple[Shape, Mapping[str, float]]] = []
    candidates = _different(search)
    for least in MIN_CHANGED_SHARES:
        for cost, state, shape in candidates:
            if len(chosen) >= count:
                break
            if all(_changed_share(other, shares, shape) >= least for other, shares in shapes):
                chosen.append((cost, state))
                shapes.append((shape, _shares(search, state)))
    return sorted(chosen, key=lambda finalist: finalist[0])


def _different(search: SearchState) -> list[tuple[float, State, Shape]]:
    """The cheapest state of each shape, those that cost too much left out."""
    structures, examined = Structures(), set()
    candidates: list[tuple[float, State, Shape]] = []
    for cost, state in search.cheapest(MAX_RANKED):
        if candidates and cost > MAX_COST_RATIO * candidates[0][0]:
            break
        shape = _shape(search, state, structures)
        key = frozenset(shape.items())
        if key not in examined:
            examined.add(key)
            candidates.append((cost, state, shape))
    return candidates


class Structures(dict[FuncPlacement, tuple[object, ...]]):
    """The structure of each placement, computed once: most states share most of their placements."""

    def __missing__(self, placement: FuncPlacement) -> tuple[object, ...]:
        structure = self[placement] = structure_of_func(placement)
        return structure


def _shape(search: SearchState, state: State, structures: Structures) -> Shape:
    """The structure of each Func, and what is inlined into it."""
    into = search.evaluator.into(state)
    return {name: (structures[placement], into[name]) for name, placement in state.placements.items()}


def _shares(search: SearchState, state: State) -> dict[str, float]:
    """Shares of the time of a state that its Funcs take."""
    seconds = search.evaluator.per_stage(state)
    total = sum(seconds.values()) or 1.0
    shares: dict[str, float] = {}
    for (name, _), part in seconds.items():
        shares[name] = shares.get(name, 0.0) + part / total
    return shares


def _changed_share(shape: Shape, shares: Mapping[str, float], other: Shape) -> float:
    return sum([share for name, share in shares.items() if shape[name] != other[name]])
