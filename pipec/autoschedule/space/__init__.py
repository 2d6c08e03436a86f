"""Spaces of schedule candidates: what may be decided for each Func, and changes of complete candidates.

In: a Dag. Out: states, always complete and legal; `cpu` and `gpu` hold the two spaces.
"""
