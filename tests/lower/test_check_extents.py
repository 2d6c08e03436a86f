"""Which extents vectorized and unrolled loops may have."""

import pytest
from hand_written import *

import pipec as hl
from pipec.errors import ScheduleError
from pipec.lower.legality.check_loops import check_extents


@pytest.mark.parametrize("kind, verb", [(VECTORIZED, "vectorize"), (UNROLLED, "unroll")])
def test_an_unknown_extent_is_refused(kind, verb):
    text = f"Can only {verb} for loops over a constant extent. Loop over x has extent w"
    with pytest.raises(ScheduleError, match=text):
        check_extents(loop("x", 0, w, provide("out", image(x), x), kind))


def test_an_unknown_extent_at_a_border_is_accepted():
    steady = loop("x", 0, 8, provide("out", image(x), x), VECTORIZED)
    border = loop("x.after3.border12", 8, w, provide("out", image(x), x), VECTORIZED)
    both = block([steady, border])
    check_extents(both)


def test_a_loop_at_a_border_is_accepted_whose_steady_state_took_one_iteration_and_is_no_loop_any_more():
    border = loop("x.after3.border12", 8, w, provide("out", image(x), x), UNROLLED)
    check_extents(border)
    with pytest.raises(ScheduleError, match="Loop over x has extent w"):
        check_extents(block([loop("x", 0, w, provide("out", image(x), x), UNROLLED), border]))


def test_a_loop_that_cannot_be_unrolled_stays_one_where_the_environment_permits_it(monkeypatch, capsys):
    monkeypatch.setenv("HL_PERMIT_FAILED_UNROLL", "1")
    check_extents(loop("x", 0, w, provide("out", image(x), x), UNROLLED))
    assert "Warning: HL_PERMIT_FAILED_UNROLL is allowing us to unroll a non-constant loop" in capsys.readouterr().out
    with pytest.raises(ScheduleError, match="Can only vectorize"):
        check_extents(loop("x", 0, w, provide("out", image(x), x), VECTORIZED))


def test_a_permitted_loop_runs(monkeypatch):
    monkeypatch.setenv("HL_PERMIT_FAILED_UNROLL", "1")
    f, x = hl.Func("f"), hl.Var("x")
    f[x] = x * 2
    f.unroll(x)
    assert list(f.realize([5])) == [0, 2, 4, 6, 8]
