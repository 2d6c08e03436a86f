"""What is measured next: traces that evolve, or configurations of a template by simulated annealing over a ranker."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from pipec.autoschedule.problem import Problem
from pipec.errors import PipecError
from pipec.programs.ranker import Ranker, TimedValues
from pipec.programs.runs import Run, run, unique_runs
from pipec.programs.sampler import Choose, Program, replaying
from pipec.programs.trace import ProgramTrace, Value, features
from pipec.tuner.bandit import Bandit
from pipec.tuner.knobs import KnobSpace, Point

RANDOM_SHARE = 0.1
"""Of the proposals, drawn at random whatever the ranker says (epsilon-greedy)."""
MIN_RANKED = 8
"""TimedValues runs before the ranker decides."""
MAX_FAILURES = 200
"""Runs in a row that the program's own directives refuse."""


class Proposer(ABC):
    """Proposes runs of a program and learns from their times. `earlier`: measured runs of other pipelines and sizes;
    `context`: values beside the draws that tell pipelines and sizes apart."""

    def __init__(
        self,
        problem: Problem,
        program: Program,
        rng: Random,
        earlier: Sequence[TimedValues],
        context: Mapping[str, Value],
    ) -> None:
        self.problem, self.program, self.rng = problem, program, rng
        self.context = context
        self.times: dict[ProgramTrace, float] = {}
        self._earlier = list(earlier)
        self._keys: set[Any] = set()
        self._failures: list[PipecError] = []

    def learn(self, run: Run, milliseconds: float) -> None:
        """Records the time of a run; infinity when it failed."""
        self._keys.add(run.key)
        self.times[run.trace] = milliseconds

    def propose(self, count: int) -> list[Run]:
        """Up to `count` runs whose schedules are new. Raises the error of the program where no run succeeds."""
        runs = self._ranked(count)
        for new in runs:
            self._keys.add(new.key)
        if not runs and not self.times and self._failures:
            raise self._failures[0]
        return runs

    @abstractmethod
    def _ranked(self, count: int) -> list[Run]:
        """The new runs, the most promising first."""

    def ranker(self) -> Ranker:
        """A ranker that has learned from the runs so far, and from earlier ones."""
        own = [TimedValues(self.values(trace), time) for trace, time in self.times.items()]
        return Ranker([*self._earlier, *own])

    def values(self, trace: ProgramTrace) -> dict[str, Value]:
        """What the ranker sees of a run."""
        return {**features(trace.draws), **self.context}

    def fastest(self, count: int) -> list[ProgramTrace]:
        """The traces of the fastest runs."""
        return sorted([t for t, time in self.times.items() if math.isfinite(time)], key=self.times.__getitem__)[:count]

    def _run(self, choose: Choose) -> Run | None:
        """A run whose schedule is new; None where there is none or a directive is refused."""
        try:
            new = run(self.problem, self.program, choose)
        except PipecError as error:
            self._failures.append(error)
            return None
        return None if new.key in self._keys else new

    @property
    def _exploits(self) -> bool:
        return len(self._earlier) + len(self.times) >= MIN_RANKED


ELITES = 8
LEARNED = 0.7
"""How far the weights of options come from the fastest runs, not from the program."""
NEAR_SHARE, NEAR = 0.5, (-2, -1, -1, 1, 1, 2)
"""How often a changed draw takes an option near that which it had, and how many places away in the list that is."""
CANDIDATES = 6
"""Runs that the ranker compares for each that is proposed."""


class TraceEvolution(Proposer):
    """Traces drawn by weights that are learned from the fastest runs, mutants of these, and crossings of two.

    As in MetaSchedule (Shao et al., NeurIPS 2022) a changed trace is replayed: draws that it has no value for, or one
    that is no option any more, are drawn anew. The weights of options move to those of the fastest runs, as in the
    cross-entropy method (Rubinstein 1999). A bandit chooses between the ways.
    """

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.bandit = Bandit(("drawn", "mutated", "crossed"))
        self._origin: dict[ProgramTrace, str] = {}

    def learn(self, run: Run, milliseconds: float) -> None:
        """Records the time of a run and rewards the way that it came from."""
        best = min(self.times.values(), default=math.inf)
        super().learn(run, milliseconds)
        if run.trace in self._origin:
            self.bandit.reward(self._origin.pop(run.trace), milliseconds < best)

    def _ranked(self, count: int) -> list[Run]:
        first = [] if self.times else [self._run(likeliest)]
        runs: list[Run] = [new for new in first if new is not None]
        failures = 0
        enough = count * (CANDIDATES if self._exploits else 1)
        while len(runs) < enough and failures < MAX_FAILURES:
            way = self.bandit.choose() if failures < MAX_FAILURES // 2 and self.fastest(2)[1:] else "prior"
            new = self._run(self._choose(way))
            if new is None:
                failures += 1
                continue
            if way != "prior":
                self._origin.setdefault(new.trace, way)
            runs.append(new)
        runs = unique_runs(runs)
        if self._exploits and len(runs) > count:
            scores = self.ranker().scores([self.values(new.trace) for new in runs])
            order = sorted(range(len(runs)), key=scores.__getitem__)
            chosen = order[: count - round(RANDOM_SHARE * count)]
            rest = order[len(chosen) :]
            runs = [runs[k] for k in (*chosen, *self.rng.sample(rest, count - len(chosen)))]
        return runs[:count]

    def _choose(self, way: str) -> Choose:
        if way in ("drawn", "prior"):
            return self._drawn if way == "drawn" else self._prior
        elites = self.fastest(ELITES)
        first = self.rng.choice(elites).values
        changed = self.rng.sample(list(first), min(len(first), self.rng.choice((1, 1, 2, 3))))
        if way == "crossed":
            second = self.rng.choice(elites).values
            first, changed = {name: (first if self.rng.random() < 0.5 else second).get(name) for name in first}, []

        def choose(name: str, options: Sequence[Value], weights: Sequence[float]) -> int:
            if name not in first or first[name] not in options:
                return self._drawn(name, options, weights)
            place = options.index(first[name])
            if name not in changed:
                return place
            if self.rng.random() < NEAR_SHARE:
                # Options are listed in order, such as sizes of tiles.
                return min(max(place + self.rng.choice(NEAR), 0), len(options) - 1)
            return self._prior(name, options, weights)

        return choose

    def _prior(self, name: str, options: Sequence[Value], weights: Sequence[float]) -> int:
        """Draws by the program's weights."""
        return self.rng.choices(range(len(options)), weights)[0]

    def _drawn(self, name: str, options: Sequence[Value], weights: Sequence[float]) -> int:
        """Draws by the program's weights and by how often the fastest runs have each value."""
        elites = [trace.values for trace in self.fastest(ELITES)]
        votes = [0.0] * len(options)
        for rank, values in enumerate(elites):
            if name in values and values[name] in options:
                votes[options.index(values[name])] += 1 / (1 + rank)
        share, total = (LEARNED if any(votes) else 0.0), sum(votes) or 1.0
        mixed = [(1 - share) * w / sum(weights) + share * v / total for w, v in zip(weights, votes, strict=True)]
        return self.rng.choices(range(len(options)), mixed)[0]


def likeliest(name: str, options: Sequence[Value], weights: Sequence[float]) -> int:
    """Takes the option with the greatest weight, the first of several."""
    return max(range(len(options)), key=weights.__getitem__)


CHAINS, STEPS = 24, 60
TEMPERATURES = (1.0, 0.02)
"""At the first and at the last step, in standard deviations of the scores of measured configurations."""


class Annealing(Proposer):
    """Configurations with low scores by the ranker, found by simulated annealing in many chains (AutoTVM, Chen et al.
    2018); half of the chains begin at the fastest configurations."""

    def __init__(self, space: KnobSpace, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.space = space

    def _ranked(self, count: int) -> list[Run]:
        points = self._annealed(count) if self._exploits else []
        runs: list[Run] = []
        for point in points:
            if len(runs) < count - round(RANDOM_SHARE * count):
                self._add(runs, point)
        for _ in range(MAX_FAILURES):
            if len(runs) >= count:
                break
            self._add(runs, self._random())
        return runs

    def _add(self, runs: list[Run], point: Point) -> None:
        new = self._run(replaying(self.space.configuration(point)))
        if new is not None and new.key not in [other.key for other in runs]:
            runs.append(new)

    def _random(self) -> Point:
        return self.space.canonical([self.rng.random() for _ in range(self.space.dimensions)])

    def _annealed(self, count: int) -> list[Point]:
        """The points with the lowest scores that the chains have visited, the best first."""
        ranker, rng = self.ranker(), self.rng

        def scores(points: Sequence[Point]) -> list[float]:
            traces = [ProgramTrace(tuple(self.space.configuration(point).items())) for point in points]
            return [float(score) for score in ranker.scores([self.values(trace) for trace in traces])]

        starts = [self.space.point(trace.values) for trace in self.fastest(CHAINS // 2)]
        chains = [*starts, *[self._random() for _ in range(CHAINS - len(starts))]]
        current = scores(chains)
        visited = dict(zip(chains, current, strict=True))
        spread = float(ranker.spread()) or 1.0
        for step in range(STEPS):
            temperature = spread * TEMPERATURES[0] * (TEMPERATURES[1] / TEMPERATURES[0]) ** (step / (STEPS - 1))
            moved = [rng.choice(self.space.neighbours(point) or [point]) for point in chains]
            for k, (point, score) in enumerate(zip(moved, scores(moved), strict=True)):
                visited[point] = score
                if score <= current[k] or rng.random() < math.exp((current[k] - score) / temperature):
                    chains[k], current[k] = point, score
        return sorted(visited, key=visited.__getitem__)[: 8 * count]
