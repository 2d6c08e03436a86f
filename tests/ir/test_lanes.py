"""Masks whose lanes are known beforehand."""

import pytest

from pipec.ir.build import and_, ge, le
from pipec.ir.expr import Broadcast, Ramp, const, variable
from pipec.ir.lanes import first_lanes

RAMP = Ramp(const(16), const(1), 16)


@pytest.mark.parametrize(
    "mask, count",
    [
        (le(RAMP, Broadcast(const(27), 16)), 12),
        (le(RAMP, Broadcast(const(3), 16)), 0),
        (ge(RAMP, Broadcast(const(20), 16)), None),
        (le(RAMP, Broadcast(variable("n"), 16)), None),
        (and_(le(RAMP, Broadcast(const(27), 16)), le(RAMP, Broadcast(const(18), 16))), 3),
    ],
)
def test_the_first_lanes_of_a_mask_are_counted(mask, count):
    assert first_lanes(mask) == count
