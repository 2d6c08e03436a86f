"""Blocks of unrolled sums: what they hold in registers, what they load again, how long their sums wait."""

from __future__ import annotations

import pytest

import pipec as hl
from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.cost.model import Roofline
from pipec.autoschedule.problem import problem_of
from pipec.autoschedule.space.state import FuncPlacement, Nest, State, Where
from pipec.records import replace

SIXTEEN = replace(MachineModel(), vector_bytes=32, registers=16)
LANES = 8


def row(taps, rows=1, weight=lambda k: 1.0 + k, machine=SIXTEEN, combine=lambda a, b: a + b):
    """The features of a filter of taps x taps, in blocks of one vector and some rows."""
    x, y = hl.vars("x y")
    source, output = hl.ImageParam(hl.Float(32), 2, "source"), hl.Func("output")
    value = None
    for k in range(taps * taps):
        term = source[x + k % taps, y + k // taps]
        term = term if weight is None else term * weight(k)
        value = term if value is None else combine(value, term)
    output[x, y] = value
    dag = problem_of([output.function], sizes=[512, 256], threads=2).dag
    nest = Nest(((LANES, rows),), (0, 1), 0, LANES)
    state = State({output.name(): FuncPlacement(Where.ROOT, nests=(nest,))})
    (result,) = CpuEvaluator(dag, Roofline(machine)).rows(state).values()
    return result


@pytest.mark.parametrize("rows", [1, 4, 8])
def test_values_that_rows_of_sums_share_are_not_spilled(rows):
    assert row(9, rows, weight=None).spills == 0


def test_constants_beyond_the_registers_are_loaded_by_each_operation():
    assert row(3).loads_broadcast == 0
    many, same = row(9), row(9, weight=lambda k: 0.5)
    assert 60 < many.loads_broadcast / many.blocks <= 81
    assert same.loads_broadcast == 0
    assert row(9, rows=2).loads_broadcast == pytest.approx(many.loads_broadcast, rel=0.1), "rows do not share them"
    assert many.code == same.code, "the compiler takes no longer for them"
    assert row(5, machine=replace(SIXTEEN, registers=32)).loads_broadcast == 0 < row(5).loads_broadcast


def test_a_long_sum_waits_for_itself_unless_other_blocks_fit_beside_it():
    waits = [row(taps, weight=None).chain_cycles / (512 // LANES * 256) for taps in (3, 9)]
    assert waits[0] < 3 < 25 < waits[1] < 81 * SIXTEEN.latency
    beside = row(9, rows=8, weight=None)
    assert beside.chain_cycles / beside.blocks == pytest.approx(81 * SIXTEEN.latency, rel=0.02), "once for eight rows"


def test_extrema_wait_less_than_sums():
    sums, most = row(9, weight=None), row(9, weight=None, combine=hl.max)
    assert most.chain_cycles < 0.4 * sums.chain_cycles


def test_half_of_the_unaligned_vectors_of_32_bytes_lie_in_two_lines():
    half, whole = row(3, weight=None), row(3, weight=None, machine=replace(SIXTEEN, vector_bytes=64))
    assert half.loads_split == half.blocks * 6 / 2  # two of three columns
    assert whole.loads_split == half.loads_split  # vectors of eight floats, which fill half of a register
