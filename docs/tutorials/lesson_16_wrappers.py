"""Lesson 16: in_ - a Func between a producer and one of its consumers.

f.in_(g) is a new Func equal to f that only g reads, and f.in_() one that everybody reads. They can be scheduled
differently from f: to stage what a tile needs, to change a layout, to load once what several stages use.
"""

import numpy as np

import pipec as hl

x, y, xo, yo, xi, yi = hl.vars("x y xo yo xi yi")
WIDTH, HEIGHT = 32, 16
columns = np.arange(WIDTH)

# Inlined everywhere but in one consumer.
f, g, h = hl.funcs("f g h")
f[x] = x * x
g[x] = f[x] + 1
h[x] = f[x] - 1 + g[x]
f.in_(g).compute_root()
print("one consumer:", bool((np.array(h.realize([WIDTH])) == 2 * columns * columns).all()))

# One wrapper for several consumers.
f, g1, g2, out = hl.funcs("f g1 g2 out")
f[x] = x + 3
g1[x] = f[x] * 2
g2[x] = f[x + 1]
out[x] = g1[x] + g2[x]
f.in_([g1, g2]).compute_root()
print("two consumers:", bool((np.array(out.realize([WIDTH])) == 3 * columns + 10).all()))

# Staging: each tile of the consumer copies its part of an input first, so that its reads hit a small dense block.
image = hl.Buffer(np.arange((WIDTH + 2) * (HEIGHT + 2), dtype=np.int32).reshape(HEIGHT + 2, WIDTH + 2))
blurred = hl.Func("blurred")
window = hl.RDom([(0, 3), (0, 3)], "window")
param = hl.ImageParam(hl.Int(32), 2, "param")
blurred[x, y] = 0
blurred[x, y] += param[x + window.x, y + window.y]
blurred.update(0).tile(x, y, xo, yo, xi, yi, 8, 8).vectorize(xi)
staged = param.in_(blurred)
staged.compute_at(blurred, xo)
param.set(image)
pixels = np.array(image)
expected = sum(pixels[j : j + HEIGHT, i : i + WIDTH] for j in range(3) for i in range(3))
print("staged tiles:", bool((np.array(blurred.realize([WIDTH, HEIGHT])) == expected).all()))

# A wrapper of a wrapper: two levels of staging.
f, g = hl.funcs("f g")
f[x, y] = x + 2 * y
g[x, y] = f[x, y] * 10
first = f.in_(g)
second = first.in_(g)
f.compute_root()
first.compute_root()
second.compute_at(g, y).vectorize(x, 8)
values = np.add.outer(2 * np.arange(HEIGHT), columns) * 10
print("two levels:", bool((np.array(g.realize([WIDTH, HEIGHT])) == values).all()))
g.print_loop_nest()

# An output with updates, stored by another loop than it is computed in: computed in a small block, then copied out.
sums = hl.Func("sums")
r = hl.RDom([(0, 10)], "r")
sums[x, y] = 0
sums[x, y] += x * r + y
copied = sums.in_()
copied.tile(x, y, xo, yo, xi, yi, 8, 8).vectorize(xi)
sums.compute_at(copied, xo).vectorize(x).update(0).vectorize(x)
values = np.add.outer(10 * np.arange(HEIGHT), 45 * columns)
print("accumulated in blocks:", bool((np.array(copied.realize([WIDTH, HEIGHT])) == values).all()))
