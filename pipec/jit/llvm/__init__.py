"""The LLVM back end: Programs as LLVM text, compiled for a processor.

In: a Program and a Target. Out: LLVM modules, object code, assembly.
"""
