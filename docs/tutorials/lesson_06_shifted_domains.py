"""Lesson 6: images that do not begin at (0, 0)."""

import numpy as np

import pipec as hl

x, y = hl.vars("x y")
product = hl.Func("product")
product[x, y] = x * y

# A Buffer has a minimum in each dimension. realize into one computes just the coordinates that it covers.
window = hl.Buffer(hl.Int(32), [5, 3])
window.set_min([100, 50])
product.realize(window)
print("from", window.dim(0).min(), window.dim(1).min(), "to", window.dim(0).max(), window.dim(1).max())
print("first:", window[100, 50], "last:", window[104, 52])

# Coordinates may be negative.
centred = hl.Buffer(hl.Int(32), [5, 5])
centred.set_min([-2, -2])
product.realize(centred)
print(np.array(centred))

# A larger image can be made in pieces, each computed into its place.
whole = hl.Buffer(hl.Int(32), [6, 4])
for column in (0, 3):
    for row in (0, 2):
        piece = hl.Buffer(hl.Int(32), [3, 2])
        piece.set_min([column, row])
        product.realize(piece)
        for i in range(column, column + 3):
            for j in range(row, row + 2):
                whole[i, j] = piece[i, j]
print(np.array(whole))

# translate moves the coordinates and leaves the memory where it is.
whole.translate([10, 20])
print("moved:", whole.dim(0).min(), whole.dim(1).min(), whole[11, 21])
