"""Random choices that are recorded, so that a failing case can be made again from fewer and smaller ones."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator


class Choices(random.Random):
    """Draws as random.Random does, or replays `draws`; past their end every draw is 0, the first of all choices."""

    def __init__(self, seed: int = 0, draws: list[float] | None = None) -> None:
        super().__init__(seed)
        self.replayed = draws
        self.drawn: list[float] = []

    def random(self) -> float:
        """A number in [0, 1)."""
        return float(self._draw(super().random, 1.0))

    def getrandbits(self, k: int, /) -> int:
        """A number of k bits."""
        return int(self._draw(lambda: super(Choices, self).getrandbits(k), float(1 << k)))

    def _draw(self, new: Callable[[], float], limit: float) -> float:
        at = len(self.drawn)
        if self.replayed is None:
            value = new()
        else:
            value = self.replayed[at] if at < len(self.replayed) and self.replayed[at] < limit else 0
        self.drawn.append(value)
        return value


def shrink_choices(draws: list[float], fails: Callable[[list[float]], bool], budget: int = 200) -> list[float]:
    """Fewer or smaller draws that still fail, found greedily in at most `budget` runs."""
    progress = True
    while progress:
        progress = False
        for smaller in _smaller(draws):
            if budget <= 0:
                return draws
            budget -= 1
            if fails(smaller):
                draws, progress = smaller, True
                break
    return draws


def _smaller(draws: list[float]) -> Iterator[list[float]]:
    size = len(draws)
    while size >= 1:
        for start in range(0, len(draws), size):
            yield draws[:start] + draws[start + size :]
        size //= 2
    for at, value in enumerate(draws):
        if value:
            yield [*draws[:at], 0, *draws[at + 1 :]]
