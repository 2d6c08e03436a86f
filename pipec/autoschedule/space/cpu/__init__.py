"""The space of schedule candidates for CPUs: nests, compute levels, register blocks, layouts.

In: a Dag and a state. Out: states that follow it.
"""
