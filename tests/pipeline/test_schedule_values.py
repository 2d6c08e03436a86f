"""The schedule of a pipeline as a value: taken, given to another pipeline, and taken away."""

from __future__ import annotations

import re

import pytest

import pipec as hl

x, y, u, xi = hl.vars("x y u xi")


def sums() -> tuple[hl.Func, hl.Func, hl.RDom]:
    f, g = hl.funcs("f g")
    r = hl.RDom([(0, 8)], "r")
    f[x, y] = x * y
    g[x, y] = 0
    g[x, y] += f[x + r, y]
    return f, g, r


def test_an_empty_schedule_takes_all_decisions_away_but_bounds_stay() -> None:
    f, g, _ = sums()
    bounds = g.bound(x, 0, 64).set_estimate(y, 0, 100).current_schedule()
    f.compute_root().parallel(y)
    g.vectorize(x, 8)
    scheduled = g.current_schedule()
    g.apply_schedule(hl.Schedule())
    assert g.current_schedule() == bounds
    g.apply_schedule(scheduled)
    assert g.current_schedule() == scheduled


def test_a_refused_schedule_changes_nothing() -> None:
    f, g, _ = sums()
    f.compute_root().split(x, x, xi, 8).vectorize(xi)
    needs_split = g.current_schedule()
    h = hl.Func("h")
    h[x] = x
    h.parallel(x)
    schedule = h.current_schedule()
    with pytest.raises(hl.ScheduleError, match='directives for Func "f\\S*", which is not part of this pipeline'):
        h.apply_schedule(needs_split)
    assert h.current_schedule() == schedule


def test_factored_sums_stay_factored_without_their_schedule() -> None:
    _, g, r = sums()
    g.update().rfactor(r, u).compute_root().parallel(u)
    schedule = g.current_schedule()
    g.apply_schedule(hl.Schedule())
    assert "rfactor" in g.current_schedule().to_python() and "parallel" not in g.current_schedule().to_python()
    g.apply_schedule(schedule)
    assert g.current_schedule() == schedule
    assert g.realize([3, 2]).numpy().tolist() == [[0, 0, 0], [28, 36, 44]]


def test_a_schedule_applies_to_a_pipeline_that_is_built_anew() -> None:
    f, g, r = sums()
    g.update().split(r, r, hl.RVar("ri"), 4).rfactor(r, u).compute_root().vectorize(x, 8)
    f.compute_root().vectorize(x, 8)
    schedule = g.current_schedule()
    second = sums()[1]
    second.apply_schedule(schedule)

    def unnumbered(text: str) -> str:
        return re.sub(r"[_$]\d+", "", text)

    assert unnumbered(second.current_schedule().to_python()) == unnumbered(schedule.to_python())
    assert second.realize([3, 2]).numpy().tolist() == [[0, 0, 0], [28, 36, 44]]


def test_what_a_search_factored_is_taken_back_first() -> None:
    f, g = hl.funcs("f g")
    r = hl.RDom([(0, 1 << 20)], "r")
    f[x] = x & 255
    g[()] = 0
    g[()] += f[r]
    by_hand = f.compute_root().current_schedule()
    result = g.autoschedule(verify=False)
    assert "rfactor" in result.schedule.to_python()
    g.apply_schedule(by_hand)
    assert g.current_schedule() == by_hand


def test_numbers_choose_between_funcs_of_one_name() -> None:
    stem = hl.Func("stem")
    one, two = hl.Func("stem"), hl.Func("stem")
    stem[x], one[x] = x, x
    two[x] = stem[x] + one[x]
    one.compute_root()
    schedule = two.current_schedule()
    stem.compute_root()
    two.apply_schedule(schedule)
    assert two.current_schedule() == schedule


def test_params_of_directives_are_those_of_the_pipeline() -> None:
    p = hl.Param(hl.Int(32), "p_of_schedule", 4)
    f = hl.Func("f")
    f[x] = x + p
    f.specialize(p > 3).vectorize(x, 4)
    schedule = hl.Schedule.from_json(f.current_schedule().to_json())
    f.apply_schedule(schedule)
    assert f.realize([4]).numpy().tolist() == [4, 5, 6, 7]
    other = hl.Func("f")
    other[x] = x
    with pytest.raises(hl.ScheduleError, match="mentions p_of_schedule, but this pipeline has no Param"):
        other.apply_schedule(schedule)


def test_a_finding_of_diagnose_is_applied() -> None:
    f, g, _ = sums()
    f.compute_root()
    finding = next(finding for finding in g.diagnose(sizes=[512, 512], measure=False) if finding.schedule is not None)
    assert finding.schedule is not None and finding.schedule != g.current_schedule()
    g.apply_schedule(finding.schedule)
    assert g.current_schedule() == finding.schedule
