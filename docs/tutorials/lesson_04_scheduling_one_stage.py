"""Lesson 4: scheduling one Func - the order of its loops, vectors, threads, tiles.

The algorithm stays as it is. Every schedule below gives the same pixels.
"""

import numpy as np

import pipec as hl

x, y = hl.vars("x y")
xo, yo, xi, yi, tile = hl.vars("xo yo xi yi tile")
WIDTH, HEIGHT = 40, 24
EXPECTED = np.add.outer(3 * np.arange(HEIGHT), np.arange(WIDTH)) % 50


def waves(name):
    func = hl.Func(name)
    func[x, y] = (x + 3 * y) % 50
    return func


def check(title, func):
    image = np.array(func.realize([WIDTH, HEIGHT]))
    print(f"{title:28}", "right" if (image == EXPECTED).all() else "WRONG")


# Without a schedule: for each row, for each column.
check("as it comes", waves("plain"))

# reorder names the loops from the innermost outwards.
columns = waves("columns")
columns.reorder(y, x)
check("column by column", columns)

# split cuts one loop into two. 40 columns in strips of 16: the last strip is moved inwards to end at column 40,
# which computes some columns twice; a TailStrategy says so if you prefer another way.
strips = waves("strips")
strips.split(x, xo, xi, 16)
check("strips of 16", strips)
guarded = waves("guarded")
guarded.split(x, xo, xi, 16, hl.TailStrategy.GuardWithIf)
check("strips with a test inside", guarded)

# fuse makes one loop of two.
fused = waves("fused")
fused.fuse(x, y, tile)
check("one loop", fused)

# tile: both splits and the reorder at once.
tiled = waves("tiled")
tiled.tile(x, y, xo, yo, xi, yi, 8, 4)
check("tiles", tiled)

# vectorize computes several columns with one instruction, unroll writes the loop's body several times.
vectors = waves("vectors")
vectors.vectorize(x, 8)
check("vectors of 8", vectors)
unrolled = waves("unrolled")
unrolled.unroll(x, 4)
check("4 columns in a row", unrolled)

# parallel gives iterations to threads. Tiles, threads and vectors together are the usual good schedule.
fast = waves("fast")
fast.tile(x, y, xo, yo, xi, yi, 16, 8).fuse(xo, yo, tile).parallel(tile).vectorize(xi, 8)
check("all of it", fast)
fast.print_loop_nest()
