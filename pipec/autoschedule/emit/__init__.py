"""Emission: states as schedules with directives, tail strategies and loop names that people would choose.

In: a state of a Dag. Out: a Schedule; `schedule_file` stores it.
"""
