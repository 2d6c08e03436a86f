"""Calls of compiled pipelines: arguments, descriptors, fast calls, errors and the compile cache.

In: definitions with a schedule and the arguments of a call. Out: results in buffers, or an error of `pipec.errors`.
"""
