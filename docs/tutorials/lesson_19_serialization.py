"""Lesson 19: serialisation - a pipeline with its schedule as data.

The bytes hold definitions and directives. Reading them runs no code that they brought along.
"""

import numpy as np

import pipec as hl

x, y = hl.vars("x y")
image = hl.ImageParam(hl.UInt(8), 2, "image")
offset = hl.Param(hl.UInt(8), "offset")
rows, blurred = hl.Func("rows"), hl.Func("blurred")
clamped = hl.BoundaryConditions.repeat_edge(image, [(0, 16), (0, 8)])
rows[x, y] = hl.u16(clamped[x - 1, y]) + hl.u16(clamped[x + 1, y])
blurred[x, y] = hl.u8((rows[x, y - 1] + rows[x, y + 1]) / 4) + offset
rows.compute_root().vectorize(x, 8)
blurred.vectorize(x, 8)
pipeline = hl.Pipeline(blurred)

pixels = np.random.default_rng(1).integers(0, 256, (8, 16), np.uint8)
image.set(hl.Buffer(pixels))
offset.set(7)
before = np.array(pipeline.realize([16, 8]))

# To bytes, or to a file. The second argument receives the Params, which hold values and are not stored.
data = hl.serialize_pipeline(pipeline)
print("bytes:", isinstance(data, bytes) and len(data) > 0)

# Back, with Params of the same names in place of those that the pipeline had. Other programs do this.
new_image, new_offset = hl.ImageParam(hl.UInt(8), 2, "image"), hl.Param(hl.UInt(8), "offset")
loaded = hl.deserialize_pipeline(data, {"image": new_image.parameter(), "offset": new_offset.parameter()})
new_image.set(hl.Buffer(pixels))
new_offset.set(7)
after = np.array(loaded.realize([16, 8]))
print("the same pixels:", bool((before == after).all()))
print("outputs:", len(loaded.outputs()))
