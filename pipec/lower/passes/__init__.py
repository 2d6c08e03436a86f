"""Passes from statement to statement: storage, partitioning, hoisting, unrolling, tracing, simplification.

In: a statement of the plan. Out: a statement with the same meaning that is closer to machine code.
"""
