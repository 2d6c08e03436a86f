"""Memory access in LLVM text: addresses, loads, stores, prefetches, atomics and their fast special forms.

In: Load and Store nodes. Out: lines of an LLVM function.
"""
