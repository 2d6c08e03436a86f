"""Which extents vectorized and unrolled loops may have."""

import pytest
from hand_made import *

from pipec.errors import ScheduleError
from pipec.lower.legality.check_extents import check_extents


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
