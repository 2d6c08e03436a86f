"""Lesson 14: reductions over shapes that are not boxes - circles, triangles, and conditions on the data."""

import numpy as np

import pipec as hl

x, y = hl.vars("x y")

# where() keeps the points for which a condition holds. A circle:
disc = hl.Func("disc")
disc[x, y] = 0
around = hl.RDom([(-4, 9), (-4, 9)], "around")
around.where(around.x * around.x + around.y * around.y <= 16)
disc[around.x, around.y] = 1
picture = hl.Buffer(hl.Int(32), [9, 9])
picture.set_min([-4, -4])
disc.realize(picture)
for row in np.array(picture):
    print("".join(".#"[v] for v in row))

# A triangle: the condition of one dimension depends on the other. The loops become shorter, not only guarded.
triangle = hl.Func("triangle")
triangle[x, y] = 0
below = hl.RDom([(0, 6), (0, 6)], "below")
below.where(below.x <= below.y)
triangle[below.x, below.y] += below.x + 1
print(np.array(triangle.realize([6, 6])))

# Conditions may use other Funcs: count and sum only what passes a test of the data.
values = hl.Func("values")
values[x] = (x * 37) % 101
values.compute_root()
items = hl.RDom([(0, 200)], "items")
items.where(values[items] > 90)
large = hl.Func("large")
large[()] = hl.Tuple((0, 0))
large[()] = hl.Tuple((large[()][0] + 1, large[()][1] + values[items]))
count, total = large.realize()
data = (np.arange(200) * 37) % 101
print("larger than 90:", count[()], "sum:", total[()], "- numpy:", (data > 90).sum(), data[data > 90].sum())
