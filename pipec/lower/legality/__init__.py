"""Legality: whether a schedule, and the loops that come of it, can be carried out; the errors when not.

In: definitions with a Schedule, or a statement. Out: nothing, or a ScheduleError.
"""
