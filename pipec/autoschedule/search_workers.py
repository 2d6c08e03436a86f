"""Processes that search beside this one: the same space with other seeds, whose best states join those found here.

What a search finds depends on chance: on 39 pipelines the better of two searches had 0.98 of the costs of the first in
the geometric mean, and 0.74 where the first missed a structure. Processes start when a search has run for a while, so
that short ones cost nothing, and end with its time, however far they are.
"""

from __future__ import annotations

import time
from typing import Any, Self

from pipec.autoschedule.cost.evaluator import Evaluator
from pipec.autoschedule.cost.model import CostModel
from pipec.autoschedule.processes.channel import TimedOut
from pipec.autoschedule.processes.process import UNLIMITED, Crashed, Process, Refused
from pipec.autoschedule.space.state import State
from pipec.autoschedule.strategies.beam import ANEW
from pipec.autoschedule.strategies.search_state import NO_LIMIT, Options, SearchState
from pipec.diagnostics import write as write_log
from pipec.jit.runtime.library import default_threads
from pipec.records import replace

MAX_WORKERS = 7
STARTED_AFTER = 0.3
"""Seconds of a search after which it is no short one,"""
WORTHWHILE_SECONDS = 1.5
"""and that are left at least when workers begin: a process takes half of it to start."""
GRACE_SECONDS = 1.0
"""In which a worker answers after the time of its search."""
ANSWER_SECONDS = 0.1
"""At most, of a worker, which ends so much sooner."""
SEED_STEP = 7919
ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


class SearchWorkers:
    """The processes of one call, used by one search after the other; closed by `with`.

    There are none where the number of states is limited, or where `model` is a user's own: it may be part of the
    program, which other processes do not have. `model`: None for a GPU. `count`: how many there may be.
    """

    def __init__(self, options: Options, model: CostModel | None) -> None:
        count = min(default_threads() - 1, MAX_WORKERS) if options.workers is None else options.workers
        shipped = model is None or type(model).__module__.startswith("pipec.")
        self.count = count if shipped and options.states >= NO_LIMIT else 0
        self._processes: list[Process] = []
        self._busy: list[Process] = []
        self._end = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop(self._processes)

    def begin(self, evaluator: Evaluator[Any], strategy: str, options: Options, start: State, seconds: float) -> None:
        """Has each worker search for so many seconds, if these are worthwhile. `evaluator`: one that knows no costs."""
        if seconds < WORTHWHILE_SECONDS:
            return
        self._end = time.monotonic() + seconds - ANSWER_SECONDS
        while len(self._processes) < self.count:
            self._processes.append(Process("pipec.autoschedule.search_child", "usual", UNLIMITED, ENVIRONMENT))
        for number, process in enumerate(self._processes, 1):
            own = replace(options, seed=options.seed + SEED_STEP * number, noise=ANEW[1])
            try:
                process.send("search", evaluator, strategy, own, start, self._end)
            except OSError as error:
                write_log("search", f"a process that searches cannot be started: {error}")
                return
            self._busy.append(process)

    def join(self, search: SearchState) -> None:
        """Adds the states of the workers to a search that has ended; nothing where it ended before its time."""
        busy, self._busy = self._busy, []
        if search.interrupted or time.monotonic() < self._end:
            self._stop(busy)
            return
        for process in busy:
            try:
                search.join(*process.answer(max(0.0, self._end + GRACE_SECONDS - time.monotonic())))
            except (Crashed, Refused, TimedOut) as error:
                write_log("search", f"a process that searched gave no answer: {error or type(error).__name__}")

    def _stop(self, processes: list[Process]) -> None:
        for process in processes:
            process.kill()
