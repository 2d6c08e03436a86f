"""Lesson 8: update definitions - changing a Func after it was defined, and reductions.

The first definition is pure: it gives every coordinate a value. Updates then change some of them, one after the other,
loops within loops, in the order in which they are written.
"""

import numpy as np
from skimage import data

import pipec as hl

x, y = hl.vars("x y")

# Updates of single pixels, of a column, of a row.
cross = hl.Func("cross")
cross[x, y] = 0
cross[2, y] = 1
cross[x, 3] += 5
print(np.array(cross.realize([5, 5])))

# An RDom makes an update run over a range: the loop that a pure definition cannot have.
factorial = hl.Func("factorial")
r = hl.RDom([(1, 9)], "r")
factorial[x] = 1
factorial[r.x] = r * factorial[r - 1]
print("factorials:", np.array(factorial.realize([10])))

# A histogram: where to store is computed from the image.
photo = np.ascontiguousarray(data.camera())
image = hl.Buffer(photo)
pixels = hl.RDom([(0, photo.shape[1]), (0, photo.shape[0])], "pixels")
histogram = hl.Func("histogram")
histogram[x] = 0
histogram[hl.i32(image[pixels.x, pixels.y])] += 1
counts = np.array(histogram.realize([256]))
print("histogram as numpy's:", bool((counts == np.bincount(photo.ravel(), minlength=256)).all()))

# Reductions inside an expression: sum, product, maximum, minimum, argmax, argmin.
taps = hl.RDom([(-2, 5)], "taps")
bordered = hl.BoundaryConditions.repeat_edge(image)
smooth = hl.Func("smooth")
smooth[x, y] = hl.u8(hl.sum(hl.u16(bordered[x + taps, y])) / 5)
padded = np.pad(photo.astype(np.uint16), ((0, 0), (2, 2)), mode="edge")
means = sum(padded[:, i : i + photo.shape[1]] for i in range(5)) // 5
print("sum of 5:", bool((np.array(smooth.realize([512, 512])) == means).all()))

# Each update is a stage of its own and is scheduled by itself. The pure Vars of an update may be vectorised
# and run in parallel; its RVars have an order that must be kept.
running = hl.Func("running")
row = hl.RDom([(1, 511)], "row")
running[x, y] = hl.i32(image[x, y])
running[x, row] += running[x, row - 1]
running.vectorize(x, 16).parallel(y)
running.update(0).vectorize(x, 16)
sums = np.array(running.realize([512, 512]))
print("running sums:", bool((sums == np.cumsum(photo.astype(np.int32), axis=0)).all()))
