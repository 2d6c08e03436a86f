"""Lesson 2: images - brighten a photograph and write it to a file."""

import numpy as np
from skimage import data

import pipec as hl
from pipec.imageio import imread, imwrite

photo = np.ascontiguousarray(data.astronaut())  # rows x columns x 3 channels, 8 bits
print("photo:", photo.shape, photo.dtype)

# Buffer wraps the array without a copy. By default the last axis of the array becomes the first coordinate,
# so this one is addressed as source[channel, column, row]: the order in which the bytes lie in memory.
source = hl.Buffer(photo)
print("channels, columns, rows:", [source.dim(i).extent() for i in range(source.dimensions())])

# 8-bit arithmetic wraps around. Widen first, clamp, and narrow at the end.
x, y, c = hl.vars("x y c")
brighter = hl.Func("brighter")
value = hl.f32(source[c, x, y]) * 1.5
brighter[c, x, y] = hl.u8(hl.min(value, 255.0))

result = np.array(brighter.realize([3, photo.shape[1], photo.shape[0]]))
expected = np.minimum(photo.astype(np.float32) * np.float32(1.5), 255).astype(np.uint8)
print("equals numpy:", bool((result == expected).all()))

# An ImageParam is an input whose pixels come later: one compiled pipeline then serves many images.
image = hl.ImageParam(hl.UInt(8), 2, "image")
gain = hl.Param(hl.Float(32), "gain", 1.0)
scaled = hl.Func("scaled")
scaled[x, y] = hl.u8_sat(hl.f32(image[x, y]) * gain)

grey = np.ascontiguousarray(photo[..., 1])
image.set(hl.Buffer(grey))
for factor in (0.5, 2.0):
    gain.set(factor)
    output = np.array(scaled.realize([grey.shape[1], grey.shape[0]]))
    print("gain", factor, "mean", round(float(output.mean()), 3))

# Reading outside the input is an error that says what was needed, not a crash.
shifted = hl.Func("shifted")
shifted[x, y] = image[x + 10, y]
try:
    shifted.realize([grey.shape[1], grey.shape[0]])
except Exception as error:
    print("refused:", "image" in str(error), "521" in str(error))

# Files: imread gives colour images as planes, (channel, row, column) in numpy; imwrite takes either order.
imwrite("brighter.png", result)
again = imread("brighter.png")
print("read again:", again.shape, bool((again.transpose(1, 2, 0) == result).all()))
