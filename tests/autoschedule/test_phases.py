"""Choices that a block settles: what a stage computes on average when every `x % 2` and channel is known."""

from __future__ import annotations

import pytest

import pipec as hl
from pipec.autoschedule.dag.build_dag import Sizes, build_dag
from pipec.autoschedule.dag.dag import Operation
from pipec.func.functions.freeze import freeze


def phases_of(value, arguments, sizes):
    f = hl.Func("f")
    f[arguments] = value
    definition, _ = freeze([f.function])
    inputs = Sizes({f.name(): sizes}, {"source": ((0, 64), (0, 64))})
    return build_dag(definition, inputs, threads=2).funcs[f.name()].stages[0]


def of_phases(stage, kind):
    return pytest.approx(sum(sum(counts[kind]) for _, counts in stage.phases.parts))


def test_each_channel_computes_its_own_value_only():
    x, y, c = hl.vars("x y c")
    source = hl.ImageParam(hl.Float(32), 2, "source")
    value = hl.mux(c, [source[x, y] * 2.0, source[x, y] * 3.0, source[x, y] * 5.0 * source[x, y]])
    stage = phases_of(value, (x, y, c), ((0, 64), (0, 64), (0, 3)))
    assert stage.phases.periods == (1, 1, 3)
    assert sum(stage.operations[Operation.MULTIPLY]) == 4
    assert of_phases(stage, Operation.MULTIPLY) == 4 / 3
    assert of_phases(stage, Operation.COMPARE) == 0


def test_what_channels_have_in_common_is_computed_once():
    x, y, c = hl.vars("x y c")
    source = hl.ImageParam(hl.Float(32), 2, "source")
    common = 1.0 / source[x, y]
    stage = phases_of(hl.mux(c, [common, common + 1.0]), (x, y, c), ((0, 64), (0, 64), (0, 2)))
    (own,) = [loops for loops, counts in stage.phases.parts if any(counts[Operation.DIVIDE])]
    assert of_phases(stage, Operation.DIVIDE) == 1 and own == (0, 1)


def test_remainders_settle_choices_but_places_do_not():
    x, y = hl.vars("x y")
    source = hl.ImageParam(hl.Float(32), 2, "source")
    even = hl.select(x % 2 == 0, source[x, y], source[x, y] + 1.0)
    stage = phases_of(hl.select(x < 9, even, even * 2.0), (x, y), ((0, 64), (0, 64)))
    assert stage.phases.periods == (2, 1)
    assert of_phases(stage, Operation.COMPARE) == 2
    assert of_phases(stage, Operation.ADD) == 1 / 2


def test_nothing_is_settled_where_nothing_is_chosen():
    x, y = hl.vars("x y")
    source = hl.ImageParam(hl.Float(32), 2, "source")
    assert phases_of(source[x, y] + 1.0, (x, y), ((0, 64), (0, 64))).phases is None
