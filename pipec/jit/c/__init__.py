"""The C back end: Programs as C99, C headers and Python extension modules.

In: a Program. Out: C source text. Expressions and statements here also serve the OpenCL kernels.
"""
