"""Schedules: each directive declared once, and a schedule as a value made of directives.

In: the calls of users, the decisions of searches. Out: loops of a stage, levels and storage of a Func, Python and JSON
text. Importing this package registers all directives.
"""

from pipec.schedule import bounds, compute_with, execution, loops, observation, placement, rfactor, storage, tensorize

__all__ = [
    "bounds",
    "compute_with",
    "execution",
    "loops",
    "observation",
    "placement",
    "rfactor",
    "storage",
    "tensorize",
]
