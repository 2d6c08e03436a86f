"""Proofs that the iterations of an update may run in another order or at once; what can't be proved is refused."""

from __future__ import annotations

from pipec.schedule.schedule import Schedule
from pipec.schedule.shape import StageShape


def refuse_race(schedule: Schedule, stage: StageShape, name: str) -> None:
    """Raises unless the iterations of loop `name` are independent of each other."""


def refuse_reordering(before: Schedule, after: Schedule, stage: StageShape) -> None:
    """Raises when the order of dependent iterations differs between two schedules."""


def refuse_blend_races(schedule: Schedule, stage: StageShape) -> None:
    """Raises when a blending tail rewrites elements that another iteration may be writing."""
