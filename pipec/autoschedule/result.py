"""What a search found: the best schedule, others, and why."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

from pipec.autoschedule.cost.evaluator import Evaluator
from pipec.autoschedule.curve import curve
from pipec.autoschedule.problem import Problem
from pipec.autoschedule.progress import duration, milliseconds
from pipec.autoschedule.rfactor.definitions import factored_by
from pipec.autoschedule.space.state import State
from pipec.errors import NotSupportedError, PipecError
from pipec.lower.loop_nest_text import loop_nest_text
from pipec.records import dataclass, field
from pipec.schedule.schedule import Schedule


@dataclass(frozen=True, eq=False)
class Candidate:
    """One schedule that a search found. `measured_ms`: None when it was not measured."""

    problem: Problem
    evaluator: Evaluator[Any]
    state: State
    predicted_ms: float
    measured_ms: float | None = None

    @cached_property
    def schedule(self) -> Schedule:
        """The directives, those of Funcs that the user scheduled left out: `to_python()`, `to_json()`."""
        return self.evaluator.space.emit(self.state)

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            f"A {type(self).__name__} cannot be pickled or copied: it belongs to the Funcs that were searched. Pickle"
            " its schedule, which is a value, or its Pipeline after apply(); a Result's save(path) writes it to a file."
        )

    def same_program(self, other: Candidate) -> bool:
        """True if both give one program: different states of a search may have the same schedule."""
        if self.problem.definition is not other.problem.definition:
            return False
        return self.state.factorings == other.state.factorings and self.schedule == other.schedule

    def apply(self) -> None:
        """Give the Funcs this schedule, in the place of one that an earlier search gave them."""
        self.problem.apply(self.schedule)

    @cached_property
    def lowering_error(self) -> PipecError | None:
        """The error that compiling the schedule would raise; None when it compiles."""
        try:
            self.problem.lower(self.schedule)
        except PipecError as error:
            return error
        return None

    def loop_nest(self) -> str:
        """The loops that the schedule gives, as `Func.print_loop_nest` prints them."""
        definition = factored_by(self.problem.definition, self.state.factorings)
        return loop_nest_text(definition, self.problem.schedule + self.schedule)

    def explain(self) -> str:
        """What each stage is expected to cost and why: text, a line for each stage, the most expensive first."""
        return self.evaluator.explain(self.state)

    @property
    def _times(self) -> str:
        predicted = f"{milliseconds(self.predicted_ms)} predicted"
        return predicted if self.measured_ms is None else f"{milliseconds(self.measured_ms)} measured, {predicted}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.problem.definition.name}: {self._times}>"

    def _repr_html_(self) -> str:
        text = f"<pre>{html.escape(repr(self))}\n\n{html.escape(self.schedule.to_python())}</pre>"
        return f"{text}<details><summary>Loops</summary><pre>{html.escape(self.loop_nest())}</pre></details>"


@dataclass(frozen=True, eq=False, repr=False)
class Result(Candidate):
    """The best schedule that a search found, and the others.

    `search_seconds`: wall time of everything; `states`: evaluated states; `trials`: schedules that were measured.
    `history`: (seconds, milliseconds) at every improvement, predicted ones; `measured_history`: measured ones.
    `verified_seconds`: the part of the time in which the finalists were compiled and timed. `note`: why none were, or
    what was unusual; empty as a rule.

    >>> x, y = hl.vars("x y")
    >>> f, g = hl.funcs("f g")
    >>> f[x, y] = hl.sqrt(hl.f32(x + y))
    >>> g[x, y] = f[x, y] + f[x, y + 1]
    >>> result = hl.Pipeline(g).autoschedule(sizes=[640, 480], verify=False)
    >>> "g" in result.schedule.to_python() and result.predicted_ms > 0
    True
    """

    others: Sequence[Candidate] = ()
    search_seconds: float = 0.0
    states: int = 0
    trials: int = 0
    history: Sequence[tuple[float, float]] = field(default_factory=tuple)
    measured_history: Sequence[tuple[float, float]] = field(default_factory=tuple)
    verified_seconds: float = 0.0
    note: str = ""

    def top(self, count: int = 5) -> list[Candidate]:
        """Returns the best `count` schedules that can be compiled, this one first; each of them is lowered.

        States of the search may have one schedule: it is listed once.
        """
        best = Candidate(self.problem, self.evaluator, self.state, self.predicted_ms, self.measured_ms)
        listed = [best]
        for other in self.others:
            if len(listed) >= count:
                break
            if not any(other.same_program(one) for one in listed) and other.lowering_error is None:
                listed.append(other)
        return listed[:count]

    def save(self, path: str | Path) -> None:
        """Write the schedule and what it is for to a file of JSON that `hl.load_schedule` reads."""
        from pipec.autoschedule.emit.schedule_file import save

        save(path, self.problem, self.schedule, self.predicted_ms, self.measured_ms)

    def plot(self, path: str | Path | None = None) -> Any:
        """The search as a curve, best time against seconds: the matplotlib Figure, written to `path` when one is given.

        NotSupportedError where matplotlib is not installed.
        """
        try:
            from matplotlib.figure import Figure
        except ImportError:
            raise NotSupportedError("Error: Result.plot needs matplotlib: pip install matplotlib.") from None
        figure = Figure(figsize=(6, 4), layout="constrained")
        axes = figure.subplots()
        for name, points in (("predicted", self.history), ("measured", self.measured_history)):
            shown = [(seconds, value) for seconds, value in points if math.isfinite(value)]
            if shown:
                times, values = zip(*shown, (max(self.search_seconds, shown[-1][0]), shown[-1][1]), strict=True)
                axes.step(times, values, where="post", label=name)
        axes.set(xlabel="seconds of search", ylabel="best time in ms", yscale="log", title=self.problem.definition.name)
        axes.legend()
        if path is not None:
            figure.savefig(path)
        return figure

    def _repr_html_(self) -> str:
        series = {"predicted": self.history, "measured": self.measured_history}
        return curve(series, self.search_seconds) + super()._repr_html_()

    def __repr__(self) -> str:
        tried = f"{self.states} states evaluated" + (f", {self.trials} measured" if self.trials else "")
        note = f"; {self.note}" if self.note else ""
        times = f"{self._times}; {tried} in {duration(self.search_seconds)}"
        return f"<Result of {self.problem.definition.name}: {times}{note}>"
