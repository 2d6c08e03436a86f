"""Lesson 12: generators - pipelines as classes, with parameters that are fixed when they are compiled.

Run as a program, this file writes compiled pipelines:

    python lesson_12_generators.py -g sharpen -o . -f sharpen_host -e object,c_header target=host radius=2
"""

import sys

import numpy as np
from skimage import data

import pipec as hl

x, y = hl.Var("x"), hl.Var("y")


@hl.generator(name="sharpen")
class Sharpen:
    """Adds to each pixel what a box blur takes from it."""

    # Fixed when the pipeline is made.
    radius = hl.GeneratorParam(1)
    vectors = hl.GeneratorParam(True)

    # Given at each call.
    image = hl.InputBuffer(hl.UInt(8), 2)
    strength = hl.InputScalar(hl.Float(32))
    sharpened = hl.OutputBuffer(hl.UInt(8), 2)

    def generate(self):
        """Algorithm and schedule: self's inputs are ImageParam and Param, its outputs are Funcs."""
        bordered = hl.BoundaryConditions.repeat_edge(self.image)
        side = 2 * int(self.radius) + 1
        window = hl.RDom([(-int(self.radius), side), (-int(self.radius), side)])
        blurred = hl.Func("blurred")
        blurred[x, y] = hl.sum(hl.f32(bordered[x + window.x, y + window.y])) / (side * side)
        centre = hl.f32(bordered[x, y])
        self.sharpened[x, y] = hl.u8_sat(centre + self.strength * (centre - blurred[x, y]))
        if self.vectors:
            self.sharpened.vectorize(x, 16)


def reference(image, radius, strength):
    side = 2 * radius + 1
    padded = np.pad(image.astype(np.float32), radius, mode="edge")
    height, width = image.shape
    total = sum(padded[j : j + height, i : i + width] for j in range(side) for i in range(side))
    blurred = total / np.float32(side * side)
    sharp = image + np.float32(strength) * (image - blurred)
    return np.clip(sharp, 0, 255).astype(np.uint8)


def main():
    photo = np.ascontiguousarray(data.camera())

    # A callable: compiled once, called with arrays.
    for radius in (1, 2):
        with hl.GeneratorContext(hl.Target("host")):
            sharpen = Sharpen({"radius": radius}).compile_to_callable()
        output = hl.Buffer(hl.UInt(8), [photo.shape[1], photo.shape[0]])
        sharpen(hl.Buffer(photo), 0.75, output)
        error = np.abs(np.array(output).astype(int) - reference(photo, radius, 0.75))
        print("radius", radius, "largest difference from numpy:", error.max() <= 1)

    # A generator used as a part of another pipeline: its result is a Func like any other.
    with hl.GeneratorContext(hl.Target("host")):
        sharp = Sharpen.call(hl.Buffer(photo), strength=1.0, generator_params={"radius": 1})
        sharp.compute_root()
        outlines = hl.Func("outlines")
        outlines[x, y] = hl.absd(sharp[x + 1, y], sharp[x, y])
        print("as a part:", np.array(outlines.realize([8, 2])).shape)


if __name__ == "__main__":
    hl.main() if len(sys.argv) > 1 else main()
