"""Strategies are compared by ratios to beam search and by ranks, of curves and of measured times."""

from __future__ import annotations

from bench.autoschedule.strategies import scaled
from bench.autoschedule.strategy_tables import summary_text, value_at

RECORDS = {
    "one": {"curves": {"beam": [(0.1, 8.0), (0.5, 4.0)], "other": [(0.2, 2.0)]}, "milliseconds": {"beam": 1.0}},
    "two": {"curves": {"beam": [(0.1, 4.0)], "other": [(0.2, 4.0), (9.0, 1.0)]}},
}


def test_a_curve_has_the_last_value_before_a_place() -> None:
    curve = RECORDS["one"]["curves"]["beam"]
    assert [value_at(curve, place) for place in (0.0, 0.1, 0.4, 0.5, 7.0)] == [8.0, 8.0, 8.0, 4.0, 4.0]


def test_the_table_has_ratios_to_beam_search_and_ranks() -> None:
    lines = summary_text(RECORDS, 2.0).splitlines()
    assert lines[0].startswith("| estimated, 2 pipelines | / beam")
    assert "| other | 0.707 | 1.000 | 1.00 | 1.0 |" in lines
    assert "| beam | 1.000 | 1.414 | 1.00 | 1.5 |" in lines
    assert lines[5].startswith("| measured, 1 pipelines")


def test_curves_of_trials_end_where_the_comparison_side_by_side_does() -> None:
    assert scaled([(1, 4.0), (2, 2.0)], 3.0) == [(1, 6.0), (2, 3.0)]
