"""The language: Buffers, Funcs, directives and mathematical functions, as users write them.

In: what users write. Out: frozen definitions (`functions.definition`) and schedules.
"""
