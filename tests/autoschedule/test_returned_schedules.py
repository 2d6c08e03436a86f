"""A search returns only schedules that can be compiled, whatever ends it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.measure.measurer import Measurer
from pipec.autoschedule.problem import Problem
from pipec.autoschedule.strategies import FOR_CPU
from pipec.autoschedule.strategies.search_state import Options
from pipec.errors import UnboundedError

# The others take as long as all of these, and choose from the same states.
SOME = FOR_CPU if os.environ.get("PIPEC_SLOW") else ("beam", "evolution", "grouping", "li2018", "trivial")
FEW = Options(states=100, samples=100)
PIXELS = np.random.default_rng(1).integers(0, 255, (40, 40)).astype(np.uint8)


def burst_alignment() -> hl.Func:
    """Matches at two levels; the offsets of the coarse level are coordinates that lowering cannot bound."""
    x, y = hl.vars("x y")
    levels = [hl.Func("fine"), hl.Func("coarse")]
    levels[0][x, y] = hl.i32(hl.BoundaryConditions.repeat_edge(hl.Buffer(PIXELS))[x, y])
    levels[1][x, y] = (levels[0][2 * x, 2 * y] + levels[0][2 * x + 1, 2 * y] + levels[0][2 * x, 2 * y + 1]) / 3
    offset: hl.Func | None = None
    for level in reversed(levels):
        window, shift = hl.RDom([(0, 2)]), hl.RDom([(-1, 3)])
        before = 0 if offset is None else offset[x / 2, y / 2] * 2
        mismatch = hl.sum(window, hl.abs(level[x + window, y] - level[x + window + before + shift, y]))
        offset = hl.Func(f"offset_{level.name()}")
        offset[x, y] = hl.argmin(shift, mismatch)[0] + before
    assert offset is not None
    return offset


@pytest.mark.part(3)
@pytest.mark.parametrize("strategy", SOME)
def test_funcs_read_at_coordinates_without_bounds_are_inlined(strategy: str) -> None:
    expected = burst_alignment().realize([20, 20]).numpy()
    output = burst_alignment()
    output.autoschedule(sizes=[20, 20], strategy=strategy, options=FEW, threads=2, verify=False)
    assert (output.realize([20, 20]).numpy() == expected).all()


@pytest.mark.slow
def test_they_are_inlined_in_measured_schedules_too(tmp_path: Path) -> None:
    expected = burst_alignment().realize([20, 20]).numpy()
    output = burst_alignment()
    result = output.autoschedule(sizes=[20, 20], trials=2, options=FEW, threads=2, database=tmp_path / "trials")
    assert result.trials == 2 and result.measured_ms is not None
    assert (output.realize([20, 20]).numpy() == expected).all()


def blur() -> hl.Func:
    x, y = hl.vars("x y")
    rows, columns = hl.funcs("rows columns")
    source = hl.BoundaryConditions.repeat_edge(hl.Buffer(PIXELS))
    rows[x, y] = (source[x - 1, y] + hl.u16(source[x, y]) + source[x + 1, y]) / 3
    columns[x, y] = rows[x, y - 1] + rows[x, y] + rows[x, y + 1]
    return columns


@pytest.mark.parametrize("failures", [1, 1000])
@pytest.mark.parametrize("strategy", SOME)
@pytest.mark.part(3)
def test_the_next_best_schedule_is_taken_when_lowering_fails(
    strategy: str, failures: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    lowered: list[Any] = []

    def lower(problem: Problem, schedule: Any) -> None:
        lowered.append(schedule)
        if len(lowered) <= failures:
            raise UnboundedError("first" if len(lowered) == 1 else "later")

    monkeypatch.setattr(Problem, "lower", lower)
    output = blur()
    if failures == 1000:
        with pytest.raises(UnboundedError, match="first"):
            output.autoschedule(sizes=[32, 32], strategy=strategy, options=FEW, verify=False)
        return
    result = output.autoschedule(sizes=[32, 32], strategy=strategy, options=FEW, verify=False)
    assert result.schedule == lowered[failures]
    output.realize([32, 32])


def test_only_schedules_that_can_be_compiled_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    output = blur()
    result = output.autoschedule(sizes=[32, 32], options=FEW, verify=False, apply=False)
    different = [result.schedule]
    for candidate in result.others:
        if candidate.schedule not in different:
            different.append(candidate.schedule)
    refused = different.pop(1)

    def lower(problem: Problem, schedule: Any) -> None:
        if schedule == refused:
            raise UnboundedError("refused")

    monkeypatch.setattr(Problem, "lower", lower)
    top = result.top(3)
    assert [candidate.schedule for candidate in top] == different[:3]


def test_ctrl_c_before_the_first_trial_keeps_the_best_by_the_model(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    expected = blur().autoschedule(sizes=[32, 32], strategy="grouping", threads=2)

    def interrupted(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(Measurer, "measure", interrupted)
    output = blur()
    result = output.autoschedule(sizes=[32, 32], strategy="grouping", threads=2, trials=3, database=tmp_path / "trials")
    assert result.trials == 0 and result.measured_ms is None
    assert result.predicted_ms == expected.predicted_ms
    output.realize([32, 32])


@pytest.mark.slow
def test_measured_schedules_follow_the_users_directives(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The Funcs that the user scheduled run in the children as they will run afterwards."""
    seen: list[Any] = []
    measure = Measurer.measure

    def recorded(self: Measurer, task: Any, *arguments: Any, **options: Any) -> Any:
        seen.append(task.schedule)
        return measure(self, task, *arguments, **options)

    monkeypatch.setattr(Measurer, "measure", recorded)
    x, y = hl.vars("x y")
    first, second = hl.funcs("first second")
    first[x, y] = hl.i32(hl.Buffer(PIXELS)[x, y]) * 3
    second[x, y] = first[x, y] + 1
    first.compute_root().vectorize(x, 8).trace_stores()
    result = second.autoschedule(sizes=[32, 32], trials=2, options=FEW, database=tmp_path / "trials")
    assert result.measured_ms is not None
    texts = [str(directive) for directive in seen[0].directives]
    assert any("ComputeAt" in text for text in texts) and not any("Trace" in text for text in texts)


def read_by_an_early_stage() -> hl.Func:
    """`table` is read by the first stage of its only reader, whose last stage is an update."""
    x, y = hl.vars("x y")
    table, scaled = hl.funcs("table scaled")
    taps = hl.RDom([(0, 5)])
    table[x, y] = 0.0
    table[x, y] += hl.sqrt(hl.f32(x * y + taps + 1))
    scaled[x, y] = table[x, y] * 2
    scaled[x, y] = scaled[x, y] + 1
    return scaled


def read_by_a_histogram() -> hl.Func:
    """As above; the stage that reads is a scatter."""
    x, y, i = hl.vars("x y i")
    values, counts = hl.funcs("values counts")
    taps, domain = hl.RDom([(0, 5)]), hl.RDom([(0, 64), (0, 64)])
    values[x, y] = 0
    values[x, y] += (x * y + taps) % 64
    counts[i] = 0
    counts[hl.clamp(values[domain.x, domain.y], 0, 63)] += 1
    counts[i] = counts[i] * 2
    return counts


@pytest.mark.part(3)
@pytest.mark.parametrize("build", [read_by_an_early_stage, read_by_a_histogram])
@pytest.mark.parametrize("strategy", SOME)
def test_funcs_are_computed_in_the_stage_that_reads_them(build: Any, strategy: str) -> None:
    sizes = [64] * build().dimensions()
    expected = build().realize(sizes).numpy()
    output = build()
    output.autoschedule(sizes=sizes, strategy=strategy, options=FEW, threads=2, verify=False)
    np.testing.assert_allclose(output.realize(sizes).numpy(), expected, rtol=1e-5)


@pytest.mark.parametrize("build", [read_by_an_early_stage, read_by_a_histogram])
def test_mullapudi_computes_them_there_too(build: Any) -> None:
    sizes = [64] * build().dimensions()
    expected = build().realize(sizes).numpy()
    output = build()
    output.set_estimates([(0, size) for size in sizes])
    params = hl.AutoschedulerParams("Mullapudi2016", {"parallelism": 2})
    hl.Pipeline(output).apply_autoscheduler(hl.get_host_target(), params)
    np.testing.assert_allclose(output.realize(sizes).numpy(), expected, rtol=1e-5)
