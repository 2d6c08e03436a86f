"""Lesson 13: interleaved colour - images whose channels lie side by side.

Files and most libraries keep colour as r g b r g b ...; pipelines mostly want planes. Both are only strides.
"""

import numpy as np
from skimage import data

import pipec as hl

photo = np.ascontiguousarray(data.coffee())
height, width, channels = photo.shape
x, y, c = hl.vars("x y c")


def interleaved(array):
    """A Buffer addressed as [x, y, c] over rows x columns x channels memory."""
    buffer = hl.Buffer(array)  # [c, x, y], as the bytes lie
    buffer.transpose([2, 0, 1])  # the same bytes as [x, y, c]
    return buffer


source = interleaved(photo)
print("strides of x, y, c:", [source.dim(i).stride() for i in range(3)])

# An ImageParam expects its first dimension to be dense, since vectors want that. Say what is true instead:
# columns lie 3 apart, and channels 1 apart, there are 3 of them.
image = hl.ImageParam(hl.UInt(8), 3, "image")
image.dim(0).set_stride(3)
image.dim(2).set_stride(1).set_bounds(0, 3)

negative = hl.Func("negative")
negative[x, y, c] = 255 - image[x, y, c]

# The same for the output. All three channels of a pixel are computed together: the loop over c is the innermost, and
# unrolled, so that vectors of columns are woven into dense stores.
negative.output_buffer().dim(0).set_stride(3)
negative.output_buffer().dim(2).set_stride(1).set_bounds(0, 3)
negative.reorder(c, x, y).unroll(c).vectorize(x, 16)

image.set(source)
output = np.zeros_like(photo)
negative.realize(interleaved(output))
print("negative equals numpy:", bool((output == 255 - photo).all()))

# From interleaved to planes: an input of one layout, an output of the other.
planes = hl.Func("planes")
planes[x, y, c] = image[x, y, c]
planes.reorder(c, x, y).bound(c, 0, 3).unroll(c).vectorize(x, 16)
planar = np.array(planes.realize([width, height, 3]))
print("planes:", planar.shape, bool((planar == photo.transpose(2, 0, 1)).all()))

# A buffer with other strides than promised is refused before anything runs.
image.set(hl.Buffer(np.zeros((3, height, width), np.uint8)))
try:
    negative.realize(interleaved(output))
except Exception as error:
    print("planar input refused:", "stride" in str(error))
