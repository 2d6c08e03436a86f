"""Emission of plans for GPUs as schedules.

In: a plan for a GPU. Out: a Schedule.
"""
