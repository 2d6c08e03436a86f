"""The search's view of a pipeline: Funcs, stages, loops, loads and operations as numbers at estimated sizes.

In: frozen definitions and estimates. Out: a `Dag`.
"""
