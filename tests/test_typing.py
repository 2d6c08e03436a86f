"""The programs that mypy checks (see pyproject.toml) also run."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

import pipec

PROGRAMS = [path.stem for path in sorted((Path(__file__).parent / "typing").glob("[a-z]*.py")) if path.stem != "wrong"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_runs(name: str) -> None:
    importlib.import_module(f"tests.typing.{name}").main()


def test_the_package_says_that_it_has_types() -> None:
    assert (Path(pipec.__file__).parent / "py.typed").exists()
