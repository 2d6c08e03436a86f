"""Where colours are chosen, states are tried whose blocks have all of them."""

from __future__ import annotations

import pipec as hl
from pipec.autoschedule.problem import problem_of
from pipec.autoschedule.space.cpu.moves import children
from pipec.autoschedule.space.state import FULL, Where


def problem():
    x, y, c = hl.vars("x y c")
    source = hl.ImageParam(hl.Float(32), 2, "source")
    mixed, output = hl.funcs("mixed output")
    mixed[x, y, c] = hl.mux(c, [source[x, y] * factor for factor in (2.0, 3.0, 4.0)])
    output[x, y, c] = mixed[x, y, c] + 1.0
    return problem_of([output.function], sizes=[256, 128, 3], threads=2), mixed.name(), output.name()


def test_what_is_inlined_is_tried_in_blocks_with_all_colours():
    result, mixed, output = problem()
    states = [state for state in children(result.dag, result.start(), mixed) if state[mixed].where is Where.INLINE]
    assert {state[output].nests[0].tiles[-1][2] for state in states} == {1, FULL}


def test_what_is_computed_itself_is_tried_in_such_blocks():
    result, mixed, _ = problem()
    states = [state for state in children(result.dag, result.start(), mixed) if state[mixed].where is not Where.INLINE]
    assert {state[mixed].nests[0].tiles[-1][2] for state in states} >= {1, FULL}
    assert not any(result.space.problems(state) for state in states)
