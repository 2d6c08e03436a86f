"""The runtime that compiled pipelines call: thread pool, memory, forks, calls from Python, launches of kernels.

In: calls from machine code. Out: nothing of Python on the way; loaded once per process or linked into archives.
"""
