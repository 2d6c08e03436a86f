"""Lines of the cache that several threads write at the same time: each store to one waits until the line has come."""

from __future__ import annotations

from pipec.autoschedule.features.traffic import LINE, Array, run_of
from pipec.autoschedule.space.loop_tree import StageLoops

LONG_RUN = 8 * LINE
"""Bytes that a task writes one after the other, of which the first and the last line don't matter."""


def contested(stage: StageLoops, array: Array) -> float:
    """The share of a stage's stores that go to lines which neighbouring tasks write too. For stages at root."""
    parallel = [d for d in stage.nest.parallel if stage.trips[0][d] > 1]
    if not parallel or stage.info.func not in stage.needs:
        return 0.0
    (first, last), (begin, end) = map(list, stage.covers[0]), stage.covers[1]
    for d in parallel:
        first[d], last[d] = begin[d], end[d]
    need = stage.needs[stage.info.func]
    if need.box(first, last) == need.box(*stage.covers[0]):
        return 0.0  # partial results, which are combined atomically
    run = run_of(need, (tuple(first), tuple(last)), array).bytes
    if run >= LONG_RUN or (run % LINE == 0 and array.pitch() % LINE == 0):
        return 0.0
    return min(1.0, LINE / run)
