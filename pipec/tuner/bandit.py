"""The area-under-the-curve bandit of OpenTuner (Ansel et al., PACT 2014)."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence

WINDOW = 500
EXPLORATION = 0.05


class Bandit:
    """Chooses the arm that lately brought improvements, or was seldom used."""

    def __init__(self, arms: Sequence[str]) -> None:
        self.arms = tuple(arms)
        self._uses: deque[tuple[str, bool]] = deque(maxlen=WINDOW)

    def choose(self) -> str:
        """The arm with the best score; one that was never used comes first."""
        return max(self.arms, key=self._score)

    def reward(self, arm: str, improved: bool) -> None:
        """Records one use of `arm`, and whether it brought a new best."""
        self._uses.append((arm, improved))

    def uses(self) -> dict[str, int]:
        """How often each arm was used lately."""
        return {arm: sum([used == arm for used, _ in self._uses]) for arm in self.arms}

    def _score(self, arm: str) -> float:
        outcomes = [improved for used, improved in self._uses if used == arm]
        if not outcomes:
            return math.inf
        # Late successes count for more: the area under the curve of the number of successes.
        total = len(outcomes) * (len(outcomes) + 1) / 2
        area = sum(place for place, improved in enumerate(outcomes, 1) if improved)
        return area / total + EXPLORATION * math.sqrt(2 * math.log2(len(self._uses)) / len(outcomes))
