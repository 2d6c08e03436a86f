"""Fixtures of the tests after Halide's own test programs: each runs with pipec and with the `halide` wheel."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import halide
import pytest

import pipec

sys.path.insert(0, str(Path(__file__).parent))

from helpers import Trace  # noqa: E402


# The wheel stays the same: what it did with all cases was seen when they were written.
@pytest.fixture(params=["pipec", pytest.param("halide", marks=pytest.mark.part(10))])
def hl(request: pytest.FixtureRequest) -> Any:
    """The module under test. The wheel is left out of tests marked `slow_on_the_wheel`, unless PIPEC_SLOW is set."""
    if request.param == "halide" and request.node.get_closest_marker("slow_on_the_wheel"):
        if not os.environ.get("PIPEC_SLOW"):
            pytest.skip("the wheel takes long: set PIPEC_SLOW=1")
    return {"pipec": pipec, "halide": halide}[request.param]


@pytest.fixture
def trace(capfd: pytest.CaptureFixture[str]) -> Callable[[], Trace]:
    """Reads what pipelines have traced or printed since the last call."""

    def read() -> Trace:
        captured = capfd.readouterr()
        return Trace(captured.out + captured.err)

    read()
    return read
