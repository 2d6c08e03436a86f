"""An ensemble of techniques that is asked for points and receives their costs; a bandit divides the trials."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from random import Random

from pipec.tuner.bandit import Bandit
from pipec.tuner.knobs import KnobSpace, Point
from pipec.tuner.techniques import Context, Steps, Technique, selected

MAX_REPEATS = 64
"""Points that have been tried before, of which a technique receives the costs at once, before another one's turn."""
MAX_DRAWS = 256
"""Random points drawn where no technique has a new one, before all configurations count as tried."""


class Ensemble:
    """Proposes points of a space. Any number may be asked for before the costs of the first are received.

    `names`: the techniques, all that are registered by default.
    """

    def __init__(self, space: KnobSpace, names: Sequence[str] | None = None, seed: int = 0) -> None:
        self.context = Context(space, Random(seed))
        self._techniques: Mapping[str, Technique] = dict(selected(names))
        self.bandit = Bandit(tuple(self._techniques))
        self._idle: dict[str, list[tuple[Steps, Point]]] = {name: [] for name in self._techniques}
        self._running: dict[Point, tuple[str, Steps]] = {}

    def ask(self) -> Point | None:
        """Returns a point that has not been asked for before; None where all configurations have."""
        space, costs = self.context.space, self.context.costs
        if len(costs) + len(self._running) >= space.count:
            return None
        for _ in range(2 * len(self._techniques)):
            name = self.bandit.choose()
            steps, point = self._idle[name].pop() if self._idle[name] else self._begun(name)
            for _ in range(MAX_REPEATS):
                point = space.canonical(point)
                if point in self._running:
                    break
                if point not in costs:
                    self._running[point] = name, steps
                    return point
                point = steps.send(costs[point])
            # Where all is tried already, or tried just now, others may do better; the technique begins again later.
            self.bandit.reward(name, False)
        return self._random()

    def tell(self, point: Point, cost: float) -> None:
        """Gives the cost of a point: one that was asked for, or any other, from which the techniques then know it."""
        best = min(self.context.costs.values(), default=math.inf)
        self.context.costs[point] = cost = math.inf if math.isnan(cost) else cost
        if point not in self._running:
            return
        name, steps = self._running.pop(point)
        if name:
            self.bandit.reward(name, cost < best)
            self._idle[name].append((steps, steps.send(cost)))

    def _begun(self, name: str) -> tuple[Steps, Point]:
        steps = self._techniques[name](self.context)
        return steps, next(steps)

    def _random(self) -> Point | None:
        for _ in range(MAX_DRAWS):
            point = self.context.random_point()
            if point not in self.context.costs and point not in self._running:
                self._running[point] = "", _no_steps()
                return point
        return None


def _no_steps() -> Steps:
    """The steps behind a random point: none."""
    yield ()
