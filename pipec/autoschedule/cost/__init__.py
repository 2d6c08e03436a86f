"""Cost models: estimated seconds of states from their features.

In: rows of features. Out: seconds; `machine` and `host_machine` hold the rates they use.
"""
