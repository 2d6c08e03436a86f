"""Planning: what decides, before any statement exists, the loops, bounds, storage and compute levels of every stage.

In: definitions and a Schedule. Out: a plan, and the one statement that `build_statement` writes from it.
"""
