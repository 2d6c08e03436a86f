"""Arithmetic in LLVM text: operators, conversions, vector operations, intrinsics and mathematical functions.

In: expression nodes. Out: lines of an LLVM function.
"""
