"""Lesson 15: parallel reductions - rfactor, and atomic updates.

The order of an update's RVars must be kept, so a sum over an image runs in one thread, one pixel after the other.
Where the operator allows it, rfactor splits such a reduction into parts that do not depend on each other.
"""

import numpy as np
from skimage import data

import pipec as hl

photo = np.ascontiguousarray(data.camera())
height, width = photo.shape
image = hl.Buffer(photo)
i, u, v = hl.vars("i u v")
rxo, rxi = hl.RVar("rxo"), hl.RVar("rxi")


def histogram(name):
    func = hl.Func(name)
    pixels = hl.RDom([(0, width), (0, height)], "pixels")
    func[i] = 0
    func[hl.i32(image[pixels.x, pixels.y])] += 1
    return func, pixels


def check(title, func):
    counts = np.array(func.realize([256]))
    print(f"{title:26}", "right" if (counts == np.bincount(photo.ravel(), minlength=256)).all() else "WRONG")


serial, _ = histogram("serial")
check("one thread", serial)

# To make rows parallel would be a race: two threads would add to one bin. So it is refused ...
refused, pixels = histogram("refused")
try:
    refused.update(0).parallel(pixels.y)
    refused.realize([256])
    print("not refused!")
except Exception:
    print("parallel rows are refused")

# ... but every row can have a histogram of its own: rfactor turns pixels.y into the pure Var u of a new Func.
# What was the update becomes the sum of those histograms. That addition may be reordered like this is proven,
# not believed.
factored, pixels = histogram("factored")
by_row = factored.update(0).rfactor(pixels.y, u)
by_row.compute_root().vectorize(i, 8).update(0).parallel(u)
factored.update(0).vectorize(i, 8)
check("a histogram for each row", factored)

# A dot product in vectors: 8 running sums side by side, added at the end.
total, dot = hl.Func("total"), hl.RDom([(0, width)], "dot")
total[()] = 0
total[()] += hl.i32(image[dot.x, 10]) * hl.i32(image[dot.x, 20])
total.update(0).split(dot.x, rxo, rxi, 8)
lanes = total.update(0).rfactor(rxi, v)
lanes.compute_root().vectorize(v, 8).update(0).vectorize(v, 8)
row_10, row_20 = photo[10].astype(int), photo[20].astype(int)
print("dot product:", total.realize()[()] == int(row_10 @ row_20))

# Tuples, too: the sum and the maximum of all pixels in one traversal, rows in parallel.
both = hl.Func("both")
area = hl.RDom([(0, width), (0, height)], "area")
here = hl.i32(image[area.x, area.y])
both[()] = (0, 0)
both[()] = (both[()][0] + here, hl.max(both[()][1], here))
by_row = both.update(0).rfactor(area.y, u)
by_row.compute_root().update(0).parallel(u)
total, largest = (part[()] for part in both.realize())
print("sum and maximum:", total == int(photo.sum()), largest == photo.max())

# The other way is atomic: threads share the result, and the hardware keeps their additions apart.
shared, pixels = histogram("shared")
shared.update(0).atomic().parallel(pixels.y)
check("atomic additions", shared)
