"""The space of schedule candidates for CPUs: nests, compute levels, register blocks, layouts, rfactor strips.

In: a Dag and a plan. Out: plans that follow it.
"""
