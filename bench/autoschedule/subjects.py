"""What schedules are searched for: the applications, the pipelines of the zoo and their gradients, by name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from apps.app import Algorithm, Array, Settings
from apps.registry import APPS
from bench.zoo.registry import ZOO


class Subject(Protocol):
    """What searches and timing need of a pipeline: an `App` and an `Entry` have it. Sizes are innermost first."""

    @property
    def name(self) -> str: ...
    @property
    def bench_size(self) -> tuple[int, ...]: ...
    @property
    def settings(self) -> Settings: ...
    @property
    def tolerance(self) -> float: ...

    def build(self, hl: ModuleType, /) -> Algorithm:
        """The unscheduled Funcs, with either front end."""

    def example(self, size: tuple[int, ...], /) -> dict[str, Array]:
        """Inputs for an output of that size."""

    def empty_output(self, size: tuple[int, ...], /) -> Array:
        """Aligned memory for an output of that size."""


SUBJECTS: Mapping[str, Any] = {**APPS, **ZOO}


def search_folder(name: str) -> Path:
    """Where schedules that the wheel's searches found are committed, so that a first run needs no search."""
    return Path(__file__).parent / "found" if name in APPS else Path(__file__).parent.parent / "zoo" / "found"
