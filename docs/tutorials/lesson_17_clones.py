"""Lesson 17: clone_in - the same Func computed twice, in two places.

in_ copies what a Func computed; clone_in computes it again with a schedule of its own. That pays where one consumer
wants all of it early and another one wants little of it late.
"""

import numpy as np

import pipec as hl

x, y = hl.vars("x y")


def pipeline(name):
    source, smooth, edges, out = (hl.Func(f"{part}_{name}") for part in ("source", "smooth", "edges", "out"))
    source[x, y] = (x * x + y * 3) % 64
    smooth[x, y] = source[x - 1, y] + source[x, y] + source[x + 1, y]
    edges[x, y] = source[x, y + 1] - source[x, y]
    out[x, y] = smooth[x, y] + edges[x, y]
    return source, smooth, edges, out


def expected(width, height):
    rows, columns = np.mgrid[: height + 1, -1 : width + 1]
    source = (columns * columns + rows * 3) % 64
    smooth = source[:-1, :-2] + source[:-1, 1:-1] + source[:-1, 2:]
    return smooth + source[1:, 1:-1] - source[:-1, 1:-1]


def check(title, out):
    print(f"{title:24}", "right" if (np.array(out.realize([24, 12])) == expected(24, 12)).all() else "WRONG")


# Without a clone, both consumers read one array.
source, smooth, edges, out = pipeline("shared")
source.compute_root()
smooth.compute_root()
edges.compute_root()
check("computed once", out)

# With one, the array lives for smooth only, and edges computes its two rows when it needs them.
source, smooth, edges, out = pipeline("cloned")
again = source.clone_in(edges)
source.compute_root()
smooth.compute_root()
edges.compute_root()
again.compute_at(edges, y)
check("computed twice", out)
out.print_loop_nest()

# One clone for several consumers.
source, smooth, edges, out = pipeline("both")
source.clone_in([smooth, edges]).compute_root()
check("a clone for both", out)
