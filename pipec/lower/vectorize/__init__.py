"""Vectorization: vector loops become vector statements on flat storage, in the narrowest types that hold the values.

In: a statement with vector loops. Out: a statement without them.
"""
