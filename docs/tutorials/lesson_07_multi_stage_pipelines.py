"""Lesson 7: several stages - a blur in two passes, and what happens at the border."""

import numpy as np
from skimage import data

import pipec as hl

photo = np.ascontiguousarray(data.coffee()[..., 1])
height, width = photo.shape
image = hl.Buffer(photo)
x, y = hl.vars("x y")

# Two passes of three taps instead of one pass of nine. 8-bit values are widened before they are added.
wide, across, down = hl.Func("wide"), hl.Func("across"), hl.Func("down")
wide[x, y] = hl.u16(image[x, y])
across[x, y] = (wide[x - 1, y] + 2 * wide[x, y] + wide[x + 1, y]) / 4
down[x, y] = hl.u8((across[x, y - 1] + 2 * across[x, y] + across[x, y + 1]) / 4)

# The result cannot be computed at the border: its neighbours are not there. So ask for the inner part ...
inner = hl.Buffer(hl.UInt(8), [width - 2, height - 2])
inner.set_min([1, 1])
down.realize(inner)
print("inner part:", inner.width(), "x", inner.height())

# ... or say what lies outside. repeat_edge continues the nearest pixel; there are also mirror_image,
# mirror_interior, repeat_image and constant_exterior.
clamped = hl.BoundaryConditions.repeat_edge(image)
wide_all, across_all, down_all = hl.Func("wide_all"), hl.Func("across_all"), hl.Func("down_all")
wide_all[x, y] = hl.u16(clamped[x, y])
across_all[x, y] = (wide_all[x - 1, y] + 2 * wide_all[x, y] + wide_all[x + 1, y]) / 4
down_all[x, y] = hl.u8((across_all[x, y - 1] + 2 * across_all[x, y] + across_all[x, y + 1]) / 4)
across_all.compute_root()
result = np.array(down_all.realize([width, height]))

padded = np.pad(photo.astype(np.uint16), 1, mode="edge")
rows = (padded[:, :-2] + 2 * padded[:, 1:-1] + padded[:, 2:]) // 4
expected = ((rows[:-2] + 2 * rows[1:-1] + rows[2:]) // 4).astype(np.uint8)
print("equals numpy:", bool((result == expected).all()))
print("the inner parts agree:", bool((np.array(inner) == result[1:-1, 1:-1]).all()))

# constant_exterior with zeros darkens the frame.
dark = hl.BoundaryConditions.constant_exterior(image, 0)
frame = hl.Func("frame")
frame[x, y] = dark[x - 4, y - 4]
print("corner:", frame.realize([6, 6])[0, 0], "then:", frame.realize([6, 6])[4, 4] == photo[0, 0])
