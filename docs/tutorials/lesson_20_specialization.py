"""Lesson 20: specialize and compute_with - schedules for cases, and loops that two Funcs share."""

import numpy as np

import pipec as hl

x, y = hl.vars("x y")

# One algorithm, a schedule for wide images and one for narrow ones. Which one runs is decided at each call.
image = hl.ImageParam(hl.UInt(8), 2, "image")
negative = hl.Func("negative")
negative[x, y] = 255 - image[x, y]
wide = negative.output_buffer().width() >= 32
negative.specialize(wide).vectorize(x, 32)
for width in (40, 5):
    pixels = np.arange(width * 3, dtype=np.uint8).reshape(3, width)
    image.set(hl.Buffer(pixels))
    print("width", width, bool((np.array(negative.realize([width, 3])) == 255 - pixels).all()))

# Inside a specialization its condition is known, and what follows from it is simplified away.
mode = hl.Param(hl.Int(32), "mode", 0)
curve = hl.Func("curve")
curve[x, y] = hl.select(mode == 0, x, mode == 1, x * x, x + y)
curve.specialize(mode == 0).vectorize(x, 8)
curve.specialize(mode == 1).unroll(x, 2)
curve.specialize_fail("mode is 0 or 1")
for value in (0, 1):
    mode.set(value)
    print("mode", value, np.array(curve.realize([8, 1]))[0].tolist())
mode.set(2)
try:
    curve.realize([8, 1])
    print("not refused!")
except Exception as error:
    print("mode 2 refused:", "mode is 0 or 1" in str(error))

# Two outputs of the same shape, computed in the same loops: what both read is read while it is near.
source, low, high = hl.funcs("source low high")
source[x, y] = (x * 29 + y * 17) % 256
low[x, y] = source[x, y] % 16
high[x, y] = source[x, y] / 16
source.compute_root()
low.vectorize(x, 8)
high.vectorize(x, 8)
high.compute_with(low, y)
pipeline = hl.Pipeline([low, high])
low_image, high_image = (np.array(b) for b in pipeline.realize([24, 6]))
values = (np.add.outer(17 * np.arange(6), 29 * np.arange(24))) % 256
print("fused:", bool((low_image == values % 16).all()), bool((high_image == values // 16).all()))
pipeline.print_loop_nest()
