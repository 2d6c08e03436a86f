"""Lesson 10: Tuples - Funcs with several values at each coordinate."""

import numpy as np
from skimage import data

import pipec as hl

x, y = hl.vars("x y")
photo = np.ascontiguousarray(data.camera())
height, width = photo.shape
image = hl.Buffer(photo)

# A tuple on the right side: realize gives one Buffer for each element. The types may differ.
both = hl.Func("both")
both[x, y] = (hl.i32(image[x, y]) * 2, hl.f32(image[x, y]) / 255)
doubled, scaled = both.realize([width, height])
print("two images:", np.array(doubled)[100, 100], round(float(np.array(scaled)[100, 100]), 4))

# Elements are taken by number.
difference = hl.Func("difference")
difference[x, y] = hl.f32(both[x, y][0]) - both[x, y][1]
print("their difference:", round(difference.realize([width, height])[5, 5], 4))

# Reductions over Tuples keep several things at once: here the place and the value of the brightest pixel of each row.
column = hl.RDom([(0, width)], "column")
brightest = hl.Func("brightest")
brightest[y] = (0, image[0, y])
better = image[column, y] > brightest[y][1]
brightest[y] = (
    hl.select(better, column, brightest[y][0]),
    hl.select(better, image[column, y], brightest[y][1]),
)
places, values = (np.array(b) for b in brightest.realize([height]))
print("brightest:", bool((places == photo.argmax(axis=1)).all()), bool((values == photo.max(axis=1)).all()))

# argmax does the same in one word. Its result is a Tuple too.
short = hl.Func("short")
found = hl.argmax(image[column, y])
short[y] = (found[0], found[1])
print("argmax agrees:", bool((np.array(short.realize([height])[0]) == places).all()))


# A small class makes Tuples into complex numbers.
class Complex:
    """A complex number in a pipeline: a pair of Exprs."""

    def __init__(self, real, imaginary):
        self.real, self.imaginary = real, imaginary

    @staticmethod
    def of(reference):
        return Complex(reference[0], reference[1])

    def __add__(self, other):
        return Complex(self.real + other.real, self.imaginary + other.imaginary)

    def __mul__(self, other):
        real = self.real * other.real - self.imaginary * other.imaginary
        return Complex(real, self.real * other.imaginary + self.imaginary * other.real)

    def squared_length(self):
        return self.real * self.real + self.imaginary * self.imaginary

    def tuple(self):
        return hl.Tuple((self.real, self.imaginary))


# The Mandelbrot set: iterate z = z * z + c, and ask at which step |z| exceeds 2.
STEPS = 15
t = hl.Var("t")
start = Complex(hl.f32(x) / 15 - 1.8, hl.f32(y) / 7 - 1.2)
orbit = hl.Func("orbit")
orbit[x, y, t] = Complex(hl.f32(0), hl.f32(0)).tuple()
step = hl.RDom([(1, STEPS)], "step")
orbit[x, y, step] = (Complex.of(orbit[x, y, step - 1]) * Complex.of(orbit[x, y, step - 1]) + start).tuple()
escape = hl.Func("escape")
escape[x, y] = hl.argmin(hl.select(Complex.of(orbit[x, y, step]).squared_length() < 4, 1, 0))[0]
orbit.compute_root()
for line in np.array(escape.realize([40, 18])):
    print("".join(" .:-=+*#%@ABCDEF"[15 if v == 1 else int(v) % 15] for v in line))
