"""Measured states of the archives, which today's space need not have."""

from pathlib import Path

import pytest

from pipec.autoschedule.train.archive import machines_in, read
from pipec.autoschedule.train.samples import samples


def test_states_that_the_space_no_longer_has_are_left_out_with_a_warning() -> None:
    archive = Path(__file__).parents[2] / "training" / "round-7.jsonl.xz"
    measured = [one for one in read(archive) if one.pipeline == "random-1-686" and one.threads == 2]
    with pytest.warns(RuntimeWarning, match="1 states are left out"):
        result = list(samples(measured, machines_in(archive)))
    assert len(result) == len(measured) - 1 == 19
