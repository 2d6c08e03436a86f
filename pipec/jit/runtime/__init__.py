"""The runtime that compiled pipelines call: thread pool, memory, forks, calls from Python, launches of kernels.

In: C, compiled to LLVM text (the `.ll` files) by `tools/build_runtime.py`. Out: functions that machine code and Python
call, loaded once per process or linked into archives.
"""
