"""Expressions: operators, conversions, mathematical functions, reductions, boundary conditions, random numbers.

In: operands and Python numbers. Out: typed IR expressions.
"""
