"""A count of the changes to schedules, Params and whatever else compiled pipelines depend on.

As long as it stays the same, what was found out about a pipeline still holds: prebuilt calls compare one number instead
of the schedules of all Funcs.
"""

from __future__ import annotations


class Revision:
    """The count, which goes up with every change."""

    __slots__ = ("count",)

    def __init__(self) -> None:
        self.count = 0

    def advance(self) -> None:
        """Notes a change."""
        self.count += 1


revision = Revision()
