"""Lesson 1: Func, Var, Expr - describe an image, then compute it.

A Func says what the value of an image is at every coordinate. It holds no pixels and has no size.
"""

import numpy as np

import pipec as hl

# Vars stand for coordinates. They are only names: two Vars called "x" are the same Var.
x, y = hl.Var("x"), hl.Var("y")

# The definition. The right side is an Expr: arithmetic on Vars makes a small tree, and nothing is computed yet.
gradient = hl.Func("gradient")
gradient[x, y] = x + y

# Expressions can be taken apart into Python variables, and Funcs defined in terms of other Funcs.
distance = x * x + y * y
rings = hl.Func("rings")
rings[x, y] = gradient[x, y] * 10 + distance % 10

# realize compiles the Func for this machine and computes the asked number of columns and rows.
image = rings.realize([8, 4])
print("columns and rows:", image.width(), image.height())

# The first coordinate comes first here too: image[column, row].
print("at column 3, row 2:", image[3, 2], "- expected:", (3 + 2) * 10 + (9 + 4) % 10)

# numpy counts the other way round, rows first: array[row, column].
array = np.array(image)
print("as numpy rows:")
print(array)

# The same definition gives any size. It is compiled once.
print("sum over 100 x 100:", int(np.array(rings.realize([100, 100])).astype(np.int64).sum()))

# Small things can be asked without a Func.
print("evaluate:", hl.evaluate(hl.sqrt(hl.f32(2.0)) > hl.f32(1.4)))
