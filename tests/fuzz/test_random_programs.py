"""A fixed handful of the random programs; `make fuzz` runs as many new ones as there is time for."""

from __future__ import annotations

import pytest

from tests.fuzz.case import run_seed


@pytest.mark.parametrize("seed", range(24))
def test_a_schedule_changes_no_pixel(seed: int) -> None:
    outcome = run_seed(seed)
    text = outcome.program.text() if outcome.program else ""
    assert outcome.kind in ("same", "illegal", "skipped"), f"{outcome.detail}\n{text}"
