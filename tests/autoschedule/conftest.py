"""Fixtures of the tests of searches."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pipec.func.functions.names import local_names


@pytest.fixture(autouse=True)
def own_names() -> Iterator[None]:
    """Funcs have the names that the tests give them, whatever other modules defined."""
    with local_names():
        yield
