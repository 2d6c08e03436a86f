"""`tune`: the best configuration of a function that measures configurations."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from pipec.autoschedule.progress import ProgressLine, duration, seconds_of
from pipec.errors import ArgumentError
from pipec.records import dataclass, field
from pipec.tuner.ensemble import Ensemble
from pipec.tuner.knobs import Configuration, Knob, KnobSpace

USUAL_TRIALS = 100


@dataclass(frozen=True)
class TuneResult:
    """The best `configuration` and its `cost`; of all `trials` the configuration and cost, in order.

    `history`: (number of trials, cost) at every improvement; `uses`: trials by technique, the last 500.
    """

    configuration: Configuration
    cost: float
    trials: Sequence[tuple[Configuration, float]] = field(default_factory=tuple, repr=False)
    history: Sequence[tuple[int, float]] = field(default_factory=tuple, repr=False)
    uses: Mapping[str, int] = field(default_factory=dict, repr=False)


def tune(
    measure: Callable[[Configuration], float],
    knobs: Mapping[str, Knob],
    *,
    trials: int | None = None,
    budget: str | float | timedelta | None = None,
    start: Sequence[Mapping[str, Any]] = (),
    techniques: Sequence[str] | None = None,
    seed: int = 0,
    verbose: bool | None = None,
) -> TuneResult:
    """Minimises a function of a configuration, which is a dictionary with the value of each knob.

    * `measure` returns the cost, in any unit; infinity (or nan) where the configuration does not work. What it raises
      ends the tuning, except KeyboardInterrupt: then the best configuration so far is returned.
    * `trials` and `budget` (seconds, or a text like "5 min") limit it; without either there are 100 trials. It also
      ends when every configuration has been measured; none is measured twice.
    * `start`: configurations that are measured first. `techniques`: names from `hl.tuner.techniques()`, all by default.
    * The same `seed` proposes the same configurations as long as the costs are the same.
    * `verbose`: whether stderr shows the least cost so far; by default where it is a terminal.

    ArgumentError when no configuration has a finite cost.

    >>> knobs = {"x": hl.tuner.Real(-2.0, 2.0), "n": hl.tuner.Integer(0, 20)}
    >>> result = hl.tuner.tune(lambda c: (c["x"] - 1) ** 2 + abs(c["n"] - 7), knobs, trials=200)
    >>> result.configuration["n"], result.cost < 0.01
    (7, True)
    """
    if trials is not None and trials < 1:
        raise ArgumentError(f"Error: {trials} trials measure nothing; give at least one.")
    space = KnobSpace(knobs)
    ensemble = Ensemble(space, techniques, seed)
    limit = trials if trials is not None else USUAL_TRIALS if budget is None else math.inf
    end = time.perf_counter() + (math.inf if budget is None else seconds_of(budget))
    first = [space.point(configuration) for configuration in start]
    done: list[tuple[Configuration, float]] = []
    history: list[tuple[int, float]] = []
    best, progress = math.inf, ProgressLine("tune", verbose)
    try:
        while len(done) < limit and time.perf_counter() < end:
            point = first.pop(0) if first else ensemble.ask()
            if point is None:
                break
            configuration = space.configuration(point)
            cost = float(measure(dict(configuration)))
            ensemble.tell(point, cost)
            done.append((configuration, cost))
            if cost < best:
                best = cost
                history.append((len(done), cost))
            left = "" if budget is None else f", {duration(max(end - time.perf_counter(), 0))} left"
            progress.show(
                f"least cost {best:.4g} in {len(done)}{'' if trials is None else f' of {trials}'} trials{left}"
            )
    except KeyboardInterrupt:
        if not history:
            raise
    finally:
        progress.end()
    if not history:
        raise ArgumentError(
            f"Error: None of {len(done)} configurations has a finite cost. Give one that works as start=[...]."
        )
    chosen = min(done, key=lambda trial: trial[1] if trial[1] == trial[1] else math.inf)
    return TuneResult(chosen[0], chosen[1], tuple(done), tuple(history), ensemble.bandit.uses())
