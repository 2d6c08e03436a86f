"""Search techniques: generators that yield points and receive their costs. They share what all of them have measured.

Differential evolution (Storn and Price 1997), the simplex of Nelder and Mead (1965), the multidirectional search of
Torczon (1989), hill climbing and greedy mutation: the ensemble of OpenTuner. Each goes on for ever: where it has
converged it begins again from elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Mapping, Sequence
from random import Random
from typing import TypeVar

from pipec.errors import ArgumentError
from pipec.records import dataclass, field
from pipec.tuner.knobs import KnobSpace, Point

Steps = Generator[Point, float, None]


@dataclass(eq=False)
class Context:
    """What a technique sees: the space, random numbers, and the cost of every point that any technique has tried."""

    space: KnobSpace
    rng: Random
    costs: dict[Point, float] = field(default_factory=dict)

    def random_point(self) -> Point:
        """Returns a point drawn evenly."""
        return self.space.canonical([self.rng.random() for _ in range(self.space.dimensions)])

    def best(self, count: int = 1) -> list[Point]:
        """Returns the cheapest points tried so far, at most `count`, the best first."""
        return sorted([p for p, cost in self.costs.items() if math.isfinite(cost)], key=self.costs.__getitem__)[:count]

    def best_or_random(self) -> Point:
        """Returns the cheapest point, a random one where none has a finite cost."""
        return next(iter(self.best()), None) or self.random_point()


Technique = Callable[[Context], Steps]
AnyTechnique = TypeVar("AnyTechnique", bound=Technique)

CROSSOVER, WEIGHT = 0.9, (0.5, 1.0)
"""Of differential evolution: the chance that a coordinate changes, and the range of the factor on the difference."""


def differential_evolution(context: Context) -> Steps:
    """A point plus the difference of two others replaces a member of the population where it is cheaper."""
    rng, dimensions = context.rng, context.space.dimensions
    size = min(30, 6 + dimensions)
    population: list[tuple[float, Point]] = [(context.costs[point], point) for point in context.best(size // 3)]
    while len(population) < size:
        point = context.random_point()
        population.append(((yield point), point))
    while True:
        for place, (cost, point) in enumerate(population):
            base, plus, minus = (member for _, member in rng.sample(population, 3))
            factor, forced = rng.uniform(*WEIGHT), rng.randrange(dimensions)
            mutant = [b + factor * (p - m) for b, p, m in zip(base, plus, minus, strict=True)]
            trial = tuple(
                [mutant[k] if k == forced or rng.random() < CROSSOVER else point[k] for k in range(dimensions)]
            )
            trial = tuple([min(max(number, 0.0), 1.0) for number in trial])
            new = yield trial
            if new <= cost:
                population[place] = new, trial


SIMPLEX_EDGE = 0.25
CONVERGED = 1e-3
"""The length of all edges of a simplex at which a new one is begun."""


def _simplex(context: Context) -> Generator[Point, float, list[tuple[float, Point]]]:
    """A corner, the best point or a random one, and a neighbour of it along each axis; sorted by cost."""
    corner = context.best_or_random() if context.rng.random() < 0.5 else context.random_point()
    corners = [corner]
    for k in range(len(corner)):
        edge = SIMPLEX_EDGE if corner[k] < 0.5 else -SIMPLEX_EDGE
        corners.append((*corner[:k], corner[k] + edge, *corner[k + 1 :]))
    measured = []
    for point in corners:
        measured.append(((yield point), point))
    return sorted(measured)


def _toward(point: Point, center: Point, factor: float) -> Point:
    """The point `factor` of the way from `center` to `point`, within the space; negative: on the other side."""
    return tuple([min(max(c + factor * (p - c), 0.0), 1.0) for p, c in zip(point, center, strict=True)])


def _diameter(simplex: Sequence[tuple[float, Point]]) -> float:
    return max([abs(a - b) for _, point in simplex for a, b in zip(point, simplex[0][1], strict=True)])


def nelder_mead(context: Context) -> Steps:
    """The worst corner of a simplex is reflected at the others, stretched where that helps, else drawn in."""
    while True:
        simplex = yield from _simplex(context)
        while _diameter(simplex) > CONVERGED:
            worst_cost, worst = simplex[-1]
            others = [point for _, point in simplex[:-1]]
            center = tuple([sum(column) / len(others) for column in zip(*others, strict=True)])
            point = _toward(worst, center, -1.0)
            cost = yield point
            if cost < simplex[0][0]:
                further = _toward(worst, center, -2.0)
                further_cost = yield further
                cost, point = min((cost, point), (further_cost, further))
            elif cost >= simplex[-2][0]:
                point = _toward(worst if cost >= worst_cost else point, center, 0.5)
                cost = yield point
            if cost < worst_cost:
                simplex = sorted([*simplex[:-1], (cost, point)])
            else:
                simplex = yield from _shrunk(simplex, 0.5)


def _shrunk(
    simplex: Sequence[tuple[float, Point]], factor: float
) -> Generator[Point, float, list[tuple[float, Point]]]:
    """All corners moved to `factor` of their way from the best one, and measured."""
    measured = [simplex[0]]
    for _, point in simplex[1:]:
        moved = _toward(point, simplex[0][1], factor)
        measured.append(((yield moved), moved))
    return sorted(measured)


def torczon(context: Context) -> Steps:
    """All corners of a simplex are reflected at the best one; further where that helps, else drawn in to it."""
    while True:
        simplex = yield from _simplex(context)
        while _diameter(simplex) > CONVERGED:
            reflected = yield from _shrunk(simplex, -1.0)
            if reflected[0][0] < simplex[0][0]:
                expanded = yield from _shrunk(simplex, -2.0)
                simplex = min(reflected, expanded)
            else:
                simplex = yield from _shrunk(simplex, 0.5)


def hill_climber(context: Context) -> Steps:
    """Steps to the first cheaper neighbour, in random order, until there is none; then from a random point."""
    point = context.best_or_random()
    while True:
        cost, stuck = (yield point), False
        while not stuck:
            stuck = True
            neighbours = context.space.neighbours(context.space.canonical(point))
            for neighbour in context.rng.sample(neighbours, len(neighbours)):
                other = yield neighbour
                if other < cost:
                    point, cost, stuck = neighbour, other, False
                    break
        point = context.random_point()


def uniform_mutation(context: Context) -> Steps:
    """The best point with some coordinates, at least one, drawn anew."""
    while True:
        point = list(context.best_or_random())
        forced = context.rng.randrange(len(point))
        for k in range(len(point)):
            if k == forced or context.rng.random() < 1 / len(point):
                point[k] = context.rng.random()
        yield tuple(point)


SPREAD = 0.15


def normal_mutation(context: Context) -> Steps:
    """The best point with some coordinates, at least one, moved a little."""
    while True:
        point = list(context.best_or_random())
        forced = context.rng.randrange(len(point))
        for k in range(len(point)):
            if k == forced or context.rng.random() < 0.3:
                point[k] = min(max(context.rng.gauss(point[k], SPREAD), 0.0), 1.0)
        yield tuple(point)


_BUILT_IN: tuple[Technique, ...] = (
    differential_evolution,
    nelder_mead,
    torczon,
    hill_climber,
    uniform_mutation,
    normal_mutation,
)
_TECHNIQUES = {technique.__name__: technique for technique in _BUILT_IN}


def register(technique: AnyTechnique) -> AnyTechnique:
    """Adds a technique, by the name of the function, to those that `tune` and the strategy "ensemble" use.

    It is a generator function: it takes a `Context`, yields points (a number from 0 to 1 for each coordinate of
    `context.space`) and receives the cost of each, infinite where measuring failed. It may be used as a decorator.

    >>> @hl.tuner.register
    ... def corners(context):
    ...     while True:
    ...         cost = yield tuple(context.rng.choice((0.0, 1.0)) for _ in range(context.space.dimensions))
    >>> "corners" in hl.tuner.techniques()
    True
    >>> del hl.tuner.techniques()["corners"]
    """
    _TECHNIQUES[technique.__name__] = technique
    return technique


def techniques() -> dict[str, Technique]:
    """Returns the registered techniques by name: the dictionary itself, from which techniques can be removed."""
    return _TECHNIQUES


def selected(names: Sequence[str] | None) -> Mapping[str, Technique]:
    """Returns the techniques of these names, all for None. ArgumentError for a name that is not registered."""
    unknown = [name for name in names or () if name not in _TECHNIQUES]
    if unknown or names == []:
        raise ArgumentError(f"Error: {unknown} are no techniques; there are {', '.join(_TECHNIQUES)}.")
    return _TECHNIQUES if names is None else {name: _TECHNIQUES[name] for name in names}
