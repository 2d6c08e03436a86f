"""The space of schedule candidates for CPUs: nests, compute levels, register blocks, layouts, rfactor strips.

In: a Dag and a state. Out: states that follow it.
"""
