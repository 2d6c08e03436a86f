"""Cost models: estimated seconds of plans from their features.

In: rows of features. Out: seconds; `machine` and `host_machine` hold the rates they use.
"""
