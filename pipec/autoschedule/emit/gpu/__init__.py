"""Emission of states for GPUs as schedules.

In: a state for a GPU. Out: a Schedule.
"""
