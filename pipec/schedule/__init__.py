"""Schedules: each directive declared once, and a schedule as a value made of directives.

In: what users and searches ask for. Out: loops of a stage, the place and storage of a Func, Python and JSON text.
Importing this package makes all directives known.
"""

from pipec.schedule import bounds, compute_with, execution, loops, observation, placement, rfactor, storage

__all__ = ["bounds", "compute_with", "execution", "loops", "observation", "placement", "rfactor", "storage"]
